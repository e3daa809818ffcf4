"""Forms, which Discord calls modals.

The `custom_id` of a form says what the form is for. Discord sends it back with the answers.
"""

from secrets import token_hex
from typing import Any, NamedTuple

import discord

from .malformed import Malformed
from .views import with_life_tag


class UploadedFile(NamedTuple):
    """A file that a person put into a form: its URL, and its size in bytes."""

    url: str
    size: int


def build_form(title: str, action: str, *fields: discord.ui.Label[Any]) -> discord.ui.Modal:
    """Return a form with these fields. Its `custom_id` is `action` and a random part.

    Discord keeps unsent text by `custom_id`. The random part makes every form start fresh.
    """
    made = discord.ui.Modal(title=title, custom_id=with_life_tag(f"{action}:{token_hex(4)}"))
    for field in fields:
        made.add_item(field)
    made.stop()  # keeps the form out of discord.py's memory: `interactions` handles it, even after a restart
    return made


def text_field(name: str, label: str, hint: str | None = None, **options: Any) -> discord.ui.Label[Any]:
    """Return a form's text field with a hint above it. `options` are passed to discord.py's TextInput."""
    return discord.ui.Label(text=label, description=hint, component=discord.ui.TextInput(custom_id=name, **options))


def file_field(name: str, label: str, hint: str) -> discord.ui.Label[Any]:
    """Return a form's field for one file, which may stay empty."""
    upload: discord.ui.FileUpload[Any] = discord.ui.FileUpload(custom_id=name, required=False)
    return discord.ui.Label(text=label, description=hint, component=upload)


class FormAnswers(dict[str, str]):
    """The texts of a submitted form by field name."""

    def __missing__(self, name: str) -> str:
        raise Malformed(name)


def form_answers(interaction: discord.Interaction[Any]) -> FormAnswers:
    """Return the texts of a submitted form by field name. Fields for files are left out.

    Reading a field that the form lacks raises Malformed.
    """
    fields = _form_fields(interaction)
    return FormAnswers({field["custom_id"]: str(field["value"]) for field in fields if "value" in field})


def uploaded_file(interaction: discord.Interaction[Any], name: str) -> UploadedFile | None:
    """Return the file in the field `name` of a submitted form; None if that field was left empty."""
    data: Any = interaction.data
    fields = [field for field in _form_fields(interaction) if field["custom_id"] == name]
    for attachment in (each for field in fields for each in field.get("values", ())):
        file = data["resolved"]["attachments"][attachment]
        return UploadedFile(file["url"], file["size"])
    return None


def _form_fields(interaction: discord.Interaction[Any]) -> list[dict[str, Any]]:
    data: Any = interaction.data
    return [label["component"] for label in data.get("components", ()) if "component" in label]
