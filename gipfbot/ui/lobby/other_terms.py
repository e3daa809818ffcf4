"""**Other terms…**: the private page with a control for each term of a challenge, and the button that begins it.

What was chosen stands in the `custom_id`s of the page. Before that button is pressed, nothing is stored or posted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gipfbot.languages import mark, say, say_name
from gipfbot.match import MOST_TAKERS, Refused, Side, Why
from gipfbot.match.courses import course_of
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS, ServerSettings
from gipfbot.service.settings.setting_rows import SettingRows, choice, switch
from gipfbot.ui.kit import Button, Interaction, controls, handles, show_reply
from gipfbot.ui.kit.components import Malformed, button_rows
from gipfbot.ui.kit.controls import SETTING_TEXTS, SettingText, ShownSetting
from gipfbot.ui.kit.interactions import chosen_value
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.kit.texts import ping_user

from . import lobby_texts

CODE = "{code:[A-Za-z0-9.-]*}"  # the chosen terms in the patterns of `custom_id`s
COLOUR_NAMES = {
    Side.LOT.value: mark("random"),
    Side.WHITE.value: mark("White for me"),
    Side.BLACK.value: mark("Black for me"),
}


@dataclass(frozen=True, kw_only=True)
class ChallengersTerms(SettingRows):
    """The terms that a server does not set, or leaves to the challenger."""

    colour: str = choice(Side.LOT.value, COLOUR_NAMES)
    takers: int = choice(1, range(1, MOST_TAKERS + 1))
    rated: bool | None = switch(None, values=(None, True, False))  # None: only if both have finished a game
    thread: bool = switch(False)


SETTING_TEXTS[ChallengersTerms] = {
    "colour": SettingText(mark("Colours"), "", in_words=lambda colour: say_name(COLOUR_NAMES[colour])),
    "takers": SettingText(mark("How many may take it"), "", in_words=lobby_texts.takes_text),
    "rated": SettingText(mark("Rated"), "", unset=mark("unless it is somebody's first game")),
    "thread": SettingText(mark("Thread of its own"), ""),
}
# All terms in the order of their controls. Their order in a `custom_id` is the same.
TERMS = ("rules", *POTENTIAL_SETTINGS, "colour", "pace", "takers", "weekends", "rated", "thread")
TERM_ROWS = {name: {**ServerSettings.rows(), **ChallengersTerms.rows()}[name] for name in TERMS}


def shown_terms(known: ServerSettings, chosen: Mapping[str, Any], *, is_seek: bool) -> list[ShownSetting]:
    """Return the terms that a challenger can choose on a server, as they are now. Those without an effect are left out.

    Raises Refused for a value that is not offered.
    """
    own = ChallengersTerms.rows()
    wanted = known.with_changes({name: value for name, value in chosen.items() if name == "rated" or name not in own})
    asked = ChallengersTerms().with_changes({name: value for name, value in chosen.items() if name in own})
    course = course_of(wanted.ruleset)
    has_effect = {
        **dict.fromkeys(POTENTIAL_SETTINGS, course.potentials),
        "takers": is_seek,
        "weekends": wanted.terms.time_control is not None,
        "rated": course.rated,
        "thread": known.threads is None,
    }
    holders = {name: asked if name in own and (name != "rated" or known.rated) else wanted for name in TERMS}
    return [
        ShownSetting(name, holder.rows()[name], SETTING_TEXTS[type(holder)][name], getattr(holder, name))
        for name, holder in holders.items()
        if has_effect.get(name, True)
    ]


def terms_code(chosen: Mapping[str, Any]) -> str:
    """Return the chosen terms as a `custom_id` has them: `read_terms` reads them. Leaves out other options."""
    return ".".join(controls.value_code(chosen[name]) if name in chosen else "" for name in TERMS)


def read_terms(code: str) -> dict[str, Any]:
    """Return the terms that a `custom_id` says were chosen.

    Raises Malformed if it was drawn for other terms, and Refused for a value that is not offered.
    """
    parts = code.split(".") if code else [""] * len(TERMS)
    if len(parts) != len(TERMS):
        raise Malformed(code)
    return {name: _read_value(name, part) for name, part in zip(TERMS, parts, strict=True) if part}


def _read_value(name: str, said: str) -> Any:
    if name not in TERM_ROWS:
        raise Malformed(name)
    value = controls.parse_value(TERM_ROWS[name], said)
    if not TERM_ROWS[name].allows(value):
        raise Refused(Why.NOT_OFFERED, option=name, value=value)
    return value


async def show_other_terms(interaction: Interaction, to: int, chosen: Mapping[str, Any]) -> None:
    """Show the page for a challenge to a person, or for an open challenge if `to` is 0.

    Raises Refused if the bot is not on the server, and for a value that is not offered.
    """
    await check_bot_is_on(interaction, interaction.guild_id)
    shown = shown_terms(await interaction.client.app.servers.settings(interaction.guild_id), chosen, is_seek=not to)
    code = terms_code({each.name: chosen[each.name] for each in shown if each.name in chosen})
    lists = [controls.setting_list(each, f"terms:{to}:{code}:{{}}", {}) for each in shown if not each.row.is_switch]
    switches = [controls.setting_button(each, f"terms:{to}:{code}") for each in shown if each.row.is_switch]
    label = lobby_texts.CHALLENGE_LABEL if to else lobby_texts.POST_SEEK_LABEL
    begin = Button(say(label), f"post_terms:{to}:{code}", "primary")
    text = lobby_texts.other_terms_text(ping_user(to) if to else "")
    await show_reply(interaction, text, rows=(*lists, *button_rows(switches), (begin,)))


@handles("terms", f"{{to}}:{CODE}:{{name:[a-z]*}}{{value:(?::[A-Za-z]+)?}}")
async def press_terms(interaction: Interaction, to: int, code: str, name: str, value: str) -> None:
    """Change one term on the page to the value of the button, or to the one chosen. Without a name, open the page."""
    chosen = read_terms(code)
    if name:
        chosen[name] = _read_value(name, value.removeprefix(":") or chosen_value(interaction))
    await show_other_terms(interaction, to, {name: value for name, value in chosen.items() if value is not None})


def other_terms_button(to: int = 0, code: str = "") -> Button:
    """Return the button that opens the page. `to` is as in `show_other_terms`, `code` has the terms chosen before."""
    return Button(say(lobby_texts.OTHER_TERMS_LABEL), f"terms:{to}:{code}:")
