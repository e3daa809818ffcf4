"""Buttons, selects, forms and private messages as plain values, built into Discord's components.

The `custom_id`s of a public message end in the mark of its outbox row, those of a private one in the tag of the
database's timeline. There is no tag until a backup is restored for the first time. Buttons and forms with an older tag
are from before a restore.

Public messages are of Discord's first version: their first line becomes the push notification. Private messages are of
the second version, which holds 40 components, and texts between them. A message cannot go back to the first version.

The `custom_id` of a form says what the form is for. Discord sends it back with the answers.
"""

import re
import secrets
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

import discord

from .texts import shorten_text

BUTTONS_PER_ROW = 5  # Discord's limit
MOST_COMPONENTS = 40  # in a private message: rows, buttons, texts and pictures

LONGEST_CUSTOM_ID = 95  # Discord's limit of 100, without the tag of a timeline
LONGEST_BUTTON_LABEL = 80  # Discord's limits, here and in the next two lines
LONGEST_OPTION_LABEL = 100
LONGEST_LAYOUT_TEXT = 4000  # characters of all texts in a private message
FIRST_OWN_ID = 2**30  # above the ids that Discord gives to the other components
IMAGES = (".png", ".gif", ".webp", ".jpg")
LayoutItem: TypeAlias = discord.ui.Item[Any]
# The tag of the database's timeline, for the interaction that is being handled; empty if there was never a restore.
TIMELINE_TAG: ContextVar[str] = ContextVar("timeline_tag", default="")
_MARK = re.compile("~([0-9a-f]{16}|[0-9a-f]{4})$")
MARK_LENGTH = 16  # of the mark of an outbox row; the tag of a timeline is shorter
BUTTON_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}
MOST_NUMBER = 2**63 - 1  # ids of Discord and of the database are smaller


class Malformed(Exception):
    """A press, a choice or a form has data that the bot does not offer. It is answered as an outdated button."""


def parse_sent_number(text: str) -> int:
    """Return the whole number in a `custom_id` or in a choice. Raises Malformed for anything else."""
    if not (text.isascii() and text.isdigit() and int(text[:20]) <= MOST_NUMBER and len(text) <= len(str(MOST_NUMBER))):
        raise Malformed(text)
    return int(text)


@dataclass(frozen=True)
class Button:
    """A button. `action` is the part of its `custom_id` after the prefix, and says what the button does.

    >>> Button("Board", "show:7").style
    'secondary'
    """

    label: str
    action: str
    style: str = "secondary"
    disabled: bool = False  # shown, but cannot be pressed
    is_custom_id: bool = False  # `action` is the whole `custom_id`, without a prefix


@dataclass(frozen=True)
class Select:
    """A select: the person chooses one of at most 25 (label, value) pairs."""

    placeholder: str
    action: str
    options: tuple[tuple[str, str], ...]
    chosen: str | None = None


@dataclass(frozen=True)
class ChannelSelect:
    """A select of one of the server's text channels. `chosen` is the id of the one that it shows.

    Only private messages can show it.
    """

    placeholder: str
    action: str
    chosen: int | None = None


@dataclass(frozen=True)
class RoleSelect:
    """A select of one of the server's roles. `chosen` is the id of the one that it shows.

    Only private messages can show it.
    """

    placeholder: str
    action: str
    chosen: int | None = None


@dataclass(frozen=True)
class ListedText:
    """A text with its own button beside it. Only private messages can show it."""

    text: str
    button: Button


ComponentRow = tuple[Button, ...] | Select
PrivateRow = ComponentRow | ChannelSelect | RoleSelect | ListedText | str  # a str is a text of its own


def count_components(rows: Sequence[PrivateRow]) -> int:
    """Return how many of MOST_COMPONENTS rows of buttons take: each row, and each button in it. Leaves out others."""
    return sum(1 + len(row) for row in rows if isinstance(row, tuple))


def with_note_above(note: str, rows: Sequence[PrivateRow]) -> tuple[PrivateRow, ...]:
    """Return the rows with a note directly above them, close to the button that the person has just pressed.

    An empty note leaves the rows as they are.
    """
    return (note, *rows) if note else tuple(rows)


def button_rows(buttons: list[Button]) -> Iterator[tuple[Button, ...]]:
    """Yield the buttons in rows of at most five."""
    for at in range(0, len(buttons), BUTTONS_PER_ROW):
        yield tuple(buttons[at : at + BUTTONS_PER_ROW])


Widget = TypeVar("Widget", bound=Button | Select | ChannelSelect | RoleSelect)


def build_view(rows: Sequence[ComponentRow], prefix: str = "", mark: str = "") -> discord.ui.View | None:
    """Return the rows of a public message as Discord components; None if there are no rows.

    A `custom_id` consists of `prefix`, such as `desk:12:3:`, and the widget's action. `mark` is the mark of an outbox
    row; if it is given, each `custom_id` ends in it.
    """
    if not rows:
        return None
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for widget in (row,) if isinstance(row, Select) else row:
            item = _build_widget(replace(widget, action=with_mark(widget.action, mark)), prefix)
            item.row = number
            view.add_item(item)
    view.stop()  # keeps the view out of discord.py's memory: `interactions` handles every press
    return view


def build_layout(
    text: str, files: Sequence[discord.File] = (), rows: Sequence[PrivateRow] = (), prefix: str = ""
) -> discord.ui.LayoutView:
    """Return a private message as a layout: the text, the pictures among the files, other files, the rows.

    A picture is described by its file's description. A select whose name is hidden by its choice gets it above, as a
    text. `prefix` is as in `build_view`. Raises ValueError for more than 40 components. Does not check the length of
    all texts together.
    """
    rows = [_with_tag(row) for row in _with_names(rows)]
    layout = discord.ui.LayoutView(timeout=None)
    for item in (*_text_items(text), *_file_items(files), *(_build_row(row, prefix) for row in rows)):
        layout.add_item(item)
    layout.stop()
    return layout


def _with_names(rows: Sequence[PrivateRow]) -> Iterator[PrivateRow]:
    """Yield the rows, and above each select its name, if what is chosen hides it and does not say it."""
    for row in rows:
        if isinstance(row, Select | ChannelSelect | RoleSelect) and row.chosen is not None and not _says_name(row):
            yield f"**{row.placeholder}**"
        yield row


def _says_name(select: Select | ChannelSelect | RoleSelect) -> bool:
    """Return whether the name of a select stands in what is chosen: `Theme: Night`."""
    labels = {value: label for label, value in select.options} if isinstance(select, Select) else {}
    return select.placeholder in labels.get(str(select.chosen), "")


def _text_items(text: str) -> Iterator[LayoutItem]:
    if text:
        yield discord.ui.TextDisplay(text)


def _file_items(files: Sequence[discord.File]) -> Iterator[LayoutItem]:
    pictures = [file for file in files if file.filename.endswith(IMAGES)]
    if pictures:
        yield discord.ui.MediaGallery(
            *(discord.MediaGalleryItem(file, description=file.description) for file in pictures)
        )
    for file in files:
        if file not in pictures:
            yield discord.ui.File(file)


def _build_row(row: PrivateRow, prefix: str) -> LayoutItem:
    if isinstance(row, str):
        return discord.ui.TextDisplay(row)
    if isinstance(row, ListedText):
        return discord.ui.Section(row.text, accessory=_build_button(row.button, prefix))
    if isinstance(row, ChannelSelect):
        return discord.ui.ActionRow(_build_channel_select(row, prefix))
    if isinstance(row, RoleSelect):
        return discord.ui.ActionRow(_build_role_select(row, prefix))
    widgets = (row,) if isinstance(row, Select) else row
    return discord.ui.ActionRow(*(_build_widget(widget, prefix) for widget in widgets))


def with_mark(custom_id: str, mark: str) -> str:
    """Return a `custom_id` that ends in the mark of an outbox row; unchanged if `mark` is empty."""
    return f"{custom_id}~{mark}" if mark else custom_id


def with_timeline_tag(custom_id: str) -> str:
    """Return a `custom_id` of a private message or form, with the tag of the database's timeline."""
    return with_mark(custom_id, TIMELINE_TAG.get())


def _with_tag(row: PrivateRow) -> PrivateRow:
    if isinstance(row, str):
        return row
    if isinstance(row, ListedText):
        return replace(row, button=_tagged(row.button))
    return tuple(map(_tagged, row)) if isinstance(row, tuple) else _tagged(row)


def _tagged(widget: Widget) -> Widget:
    return replace(widget, action=with_timeline_tag(widget.action))


def split_mark(custom_id: str) -> tuple[str, str]:
    """Split a `custom_id` into the part before the mark or tag, and the mark or tag. The latter may be empty."""
    found = _MARK.search(custom_id)
    return (custom_id[: found.start()], found[1]) if found else (custom_id, "")


def _build_widget(widget: Button | Select, prefix: str) -> discord.ui.Button[Any] | discord.ui.Select[Any]:
    return _build_select(widget, prefix) if isinstance(widget, Select) else _build_button(widget, prefix)


def _build_button(button: Button, prefix: str) -> discord.ui.Button[Any]:
    custom_id = button.action if button.is_custom_id else prefix + button.action
    label, style = shorten_text(button.label, LONGEST_BUTTON_LABEL), BUTTON_STYLES[button.style]
    return discord.ui.Button(label=label, custom_id=custom_id, style=style, disabled=button.disabled)


def _build_select(select: Select, prefix: str) -> discord.ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=shorten_text(label, LONGEST_OPTION_LABEL), value=value, default=value == select.chosen
        )
        for label, value in select.options
    ]
    custom_id, new_id = prefix + select.action, None if select.chosen is None else _new_id()
    return discord.ui.Select(placeholder=select.placeholder, custom_id=custom_id, options=options, id=new_id)


def _new_id() -> int:
    """Return a new id for a select that shows a state.

    While the id stays the same, a Discord client may keep showing the person's choice, even a refused one.
    """
    return FIRST_OWN_ID + secrets.randbelow(FIRST_OWN_ID)


def _build_channel_select(select: ChannelSelect, prefix: str) -> discord.ui.ChannelSelect[Any]:
    chosen = [] if select.chosen is None else [discord.Object(select.chosen, type=discord.abc.GuildChannel)]
    return discord.ui.ChannelSelect(
        placeholder=select.placeholder,
        custom_id=prefix + select.action,
        id=_new_id(),
        channel_types=[discord.ChannelType.text, discord.ChannelType.news],
        default_values=chosen,
    )


def _build_role_select(select: RoleSelect, prefix: str) -> discord.ui.RoleSelect[Any]:
    chosen = [] if select.chosen is None else [discord.Object(select.chosen, type=discord.Role)]
    return discord.ui.RoleSelect(
        placeholder=select.placeholder, custom_id=prefix + select.action, id=_new_id(), default_values=chosen
    )


class UploadedFile(NamedTuple):
    """A file that a person put into a form: its URL, and its size in bytes."""

    url: str
    size: int


def build_form(title: str, action: str, *fields: discord.ui.Label[Any]) -> discord.ui.Modal:
    """Return a form with these fields. Its `custom_id` is `action` and a random part.

    Discord keeps unsent text by `custom_id`. The random part makes every form start fresh.
    """
    made = discord.ui.Modal(title=title, custom_id=with_timeline_tag(f"{action}:{secrets.token_hex(4)}"))
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
