"""Build from a setting's row and texts: the control, the option of the command, and the line on a change."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, NamedTuple

from discord import Role, TextChannel, app_commands

from gipfbot.languages import mark, say
from gipfbot.service.app import App
from gipfbot.service.settings.setting_rows import Place, Setting, SettingRows

from .client import Interaction
from .components import Button, ChannelSelect, Malformed, RoleSelect, Select
from .interactions import answers_privately, slash_command
from .slash_commands import chosen_options, said_choices
from .texts import setting_change_text

FIRST_PLACE = 10  # in a group of commands
NO_VALUE = "none"  # the code for None in a `custom_id` and in a choice
PLACE_OPTIONS: dict[Place, type] = {Place.CHANNEL: TextChannel, Place.ROLE: Role}
PLACE_SELECTS: dict[Place, type[ChannelSelect | RoleSelect]] = {Place.CHANNEL: ChannelSelect, Place.ROLE: RoleSelect}
_KEYWORD = Parameter.POSITIONAL_OR_KEYWORD


class PlaceText(NamedTuple):
    """The texts of a setting that names a channel or a role: marked sentences, which are said here and in `settings`.

    They are about unsetting it, about what it is used for, and about what is wrong with it.
    """

    unset_label: str  # of the button that unsets it: what it does
    option: str = ""  # the name of the option that unsets it if it is True; empty if there is none
    described: str = ""  # the description of this option
    unclear: str = ""  # the answer if the option is False, or if a channel is given, too
    use: Callable[[Any], str] = lambda _: ""  # from the settings: the sentence on its page
    gone: str = ""  # the warning that the server does not have it; empty if it counts as a channel that is not seen
    lacks: str = ""  # the warning on the {permissions} that the bot lacks in a {channel}
    warns_everywhere: bool = False  # whether all pages show the warning, and not only its own
    threads: str = ""  # the name of the setting that makes threads in the channel, which needs more permissions


class SettingText(NamedTuple):
    """The texts of a setting, and the function that applies a new value if its service has one of its own.

    Texts are marked sentences. What the functions return is said already.
    """

    label: str
    described: str  # the description of its option; empty if the command has none
    page: str = ""
    in_words: Callable[[Any], str] = str  # words for any value but None, True and False
    unset: str = ""  # None in words
    place_text: PlaceText | None = None  # only for a channel or a role
    option: str = ""  # the name of its option, if it differs from the setting's name
    choices: Sequence[app_commands.Choice[Any]] = ()  # of its option, if they use other words for the values
    # Only for a person's setting whose change has further effects: called with the person and the new value.
    apply: Callable[[App], Callable[[int, Any], Awaitable[object]]] | None = None
    switched: tuple[str, str] = (mark("off"), mark("on"))  # False and True in words
    in_short: Callable[[Any], str] | None = None  # as `in_words`, where that explains the value

    def words(self, value: Any) -> str:
        """Return a value of the setting in words."""
        if isinstance(value, bool):
            return say(self.switched[value])
        return say(self.unset) if value is None else self.in_words(value)

    def value_label(self, value: Any) -> str:
        """Return the label of a value on a button or in a choice: `Theme: Night`."""
        return f"{say(self.label)}: {self.words(value)}"

    def short_words(self, value: Any) -> str:
        """Return a value in words that do not explain it."""
        return self.in_short(value) if self.in_short else self.words(value)


# The texts of each class of settings by name, in the order of its options and its controls.
SETTING_TEXTS: dict[type[SettingRows], Mapping[str, SettingText]] = {}


def change_line(name: str, before: SettingRows, after: SettingRows) -> str:
    """Return the line on how a setting was changed, or that it is unchanged."""
    text = SETTING_TEXTS[type(after)][name]
    old, new = (text.short_words(getattr(settings, name)) for settings in (before, after))
    return setting_change_text(say(text.label), old, new)


def value_code(value: Any) -> str:
    """Return the code for a value in a `custom_id` and in a choice."""
    return NO_VALUE if value is None else str(value)


def parse_value(row: Setting, said: str, code: Callable[[Any], str] = value_code) -> Any:
    """Return the value of a button's or a choice's code. Does not check whether the value is offered."""
    known = (value for value in row.values if code(value) == said)
    return next(known, int(said) if row.numbers and said.isascii() and said.isdecimal() else said)


class ShownSetting(NamedTuple):
    """A setting with all details that its control needs."""

    name: str
    row: Setting
    text: SettingText
    now: Any  # its value


def shown_settings(settings: SettingRows, page: str = "") -> list[ShownSetting]:
    """Return the settings of a page, in the order of their controls."""
    rows, texts = settings.rows(), SETTING_TEXTS[type(settings)].items()
    return [ShownSetting(name, rows[name], text, getattr(settings, name)) for name, text in texts if text.page == page]


def find_setting(kind: type[SettingRows], name: str) -> Setting:
    """Return the row of a setting. Raises Malformed if there is none of this name."""
    if (row := kind.rows().get(name)) is None:
        raise Malformed(name)
    return row


def setting_list(shown: ShownSetting, action: str, known: Mapping[str, int]) -> Select | ChannelSelect | RoleSelect:
    """Return the select of a setting's values. The current value is included even if only the command offers it.

    Only the current value says the setting's name: the select shows it, and the others stand below it.
    `action` has {} for the name. `known` has the channels and roles that can be shown, by the names of their settings.
    """
    name, row, text, now = shown
    if row.place:
        label = text.value_label(None) if now is None else say(text.label)
        return PLACE_SELECTS[row.place](label, action.format(name), known.get(name))
    values = row.values if now in row.values else sorted((*row.values, now), key=lambda value: value or 0)
    options = tuple(
        (f"{say(text.label)}: {text.short_words(each)}" if each == now else text.words(each), value_code(each))
        for each in values
    )
    return Select(say(text.label), action.format(name), options, value_code(now))


def setting_button(shown: ShownSetting, kind: str, code: Callable[[Any], str] = value_code) -> Button:
    """Return the button that shows a setting with few values, and changes it to the next value."""
    name, row, text, now = shown
    following = row.values[(row.values.index(now) + 1) % len(row.values)]
    return Button(text.value_label(now), f"{kind}:{name}:{code(following)}", "success" if now is True else "secondary")


def unset_button(shown: ShownSetting, kind: str) -> Button:
    """Return the button of a setting that names a channel or a role. It unsets it."""
    assert shown.text.place_text
    return Button(say(shown.text.place_text.unset_label), f"{kind}:{shown.name}:{NO_VALUE}")


def settings_command(
    whole_name: str,
    description: str,
    kind: type[SettingRows],
    change: Callable[[Interaction, dict[str, Any]], Awaitable[None]],
) -> app_commands.Command[Any, ..., Any]:
    """Return the command of this full name, which has an option for each setting of a class.

    `change` is called with the chosen options, by the names of their settings, and with those of `PlaceText`.
    discord.py reads the options from a function's signature, so this function builds a signature for the command.
    """

    @answers_privately
    async def command(interaction: Interaction, /, **options: Any) -> None:
        await change(interaction, chosen_options(options))

    rows, texts = kind.rows(), {name: text for name, text in SETTING_TEXTS[kind].items() if text.described}
    options: dict[str, tuple[Any, str]] = {}  # their types and descriptions
    for name, text in texts.items():
        options[name] = _option_type(rows[name]), text.described
        if text.place_text and text.place_text.option:
            options[text.place_text.option] = bool, text.place_text.described
    shown = [Parameter(name, _KEYWORD, default=None, annotation=known | None) for name, (known, _) in options.items()]
    vars(command)["__signature__"] = Signature([Parameter("interaction", _KEYWORD), *shown])
    app_commands.describe(**{name: described for name, (_, described) in options.items()})(command)
    app_commands.rename(**{name: text.option for name, text in texts.items() if text.option})(command)
    choices = {name: _choices(rows[name], text) for name, text in texts.items()}
    app_commands.choices(**{name: offered for name, offered in choices.items() if offered})(command)
    return slash_command(whole_name, FIRST_PLACE, description)(command)


def _option_type(row: Setting) -> Any:
    """Return the type of the option of a setting, as discord.py reads it in a signature."""
    if row.place:
        return PLACE_OPTIONS[row.place]
    if row.numbers:
        return app_commands.Range[int, 0 if row.has_limit else row.numbers[0], row.numbers[-1]]
    return type(row.values[-1])


def _choices(row: Setting, text: SettingText) -> list[app_commands.Choice[Any]]:
    """Return the choices of the option of a setting. None for numbers of a range, switches, channels and roles."""
    if row.numbers or isinstance(row.values[-1], bool):
        return []
    return [*text.choices] or said_choices(text.words, row.values)
