"""Forms, which Discord calls modals. What was filled in comes back with the `custom_id` that says what it was for."""

from secrets import token_hex
from typing import Any, NamedTuple

import discord


class UploadedFile(NamedTuple):
    """A file that was put into a form: where it can be fetched, and its size in bytes."""

    url: str
    size: int


def build_form(title: str, action: str, *fields: discord.ui.Label[Any]) -> discord.ui.Modal:
    """Return a form. Its `custom_id` is `action` and something fresh: Discord keeps what was typed by `custom_id`."""
    made = discord.ui.Modal(title=title, custom_id=f"{action}:{token_hex(4)}")
    for field in fields:
        made.add_item(field)
    made.stop()  # discord.py shall not wait for it: `interactions` takes it, after a restart too
    return made


def text_field(name: str, label: str, hint: str | None = None, **options: Any) -> discord.ui.Label[Any]:
    """Return a field for text, with a hint above it; `options` are those of a TextInput."""
    return discord.ui.Label(text=label, description=hint, component=discord.ui.TextInput(custom_id=name, **options))


def file_field(name: str, label: str, hint: str) -> discord.ui.Label[Any]:
    """Return a field for one file, which may be left empty."""
    upload: discord.ui.FileUpload[Any] = discord.ui.FileUpload(custom_id=name, required=False)
    return discord.ui.Label(text=label, description=hint, component=upload)


def form_answers(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """Return what was typed into each field, by its name."""
    return {field["custom_id"]: str(field["value"]) for field in _form_fields(interaction) if "value" in field}


def uploaded_file(interaction: discord.Interaction[Any], name: str) -> UploadedFile | None:
    """Return the file that was put into a field, None without one."""
    data: Any = interaction.data
    fields = [field for field in _form_fields(interaction) if field["custom_id"] == name]
    for attachment in (each for field in fields for each in field.get("values", ())):
        file = data["resolved"]["attachments"][attachment]
        return UploadedFile(file["url"], file["size"])
    return None


def _form_fields(interaction: discord.Interaction[Any]) -> list[dict[str, Any]]:
    data: Any = interaction.data
    return [label["component"] for label in data["components"] if "component" in label]
