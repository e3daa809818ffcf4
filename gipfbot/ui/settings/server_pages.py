"""The pages of a server's settings: which controls stand on each, and what their values mean."""

import re
from collections.abc import Mapping
from typing import Any

from gipfbot.match import TIME_CONTROLS
from gipfbot.rules import RULESETS
from gipfbot.service.settings.servers import POTENTIAL_NUMBERS, POTENTIAL_SETTINGS, ServerSettings
from gipfbot.ui.kit.components import Button, ChannelSelect, PrivateRow, RoleSelect, Select
from render import THEMES

from . import server_texts

# The settings on each page. Switches and buttons come last, in one row.
SETTINGS_ON_PAGE = {
    "terms": ("rules", "zertz", "punct", "pace", "grace", "vacation", "weekends", "rated"),
    "places": ("channel", "results", "puzzles", "challengers", "cap", "threads"),
    "look": ("theme", "below"),
}
PAGE_OF_SETTING = {name: page for page, names in SETTINGS_ON_PAGE.items() for name in names}
SWITCHES = {
    "weekends": (True, False),
    "rated": (True, False),
    "threads": (None, True, False),
    "below": ("white", "black"),
}
OFFERED_VALUES: dict[str, tuple[Any, ...]] = {
    "rules": tuple(RULESETS),
    **dict.fromkeys(POTENTIAL_SETTINGS, POTENTIAL_NUMBERS),
    "pace": tuple(TIME_CONTROLS),
    "grace": (0, 1, 2, 4, 6, 12, 24, 36, 48, 72, 96, 120, 168),  # hours
    "vacation": (0, 7, 10, 14, 21, 28, 30, 35, 42, 60, 90, 120, 180, 365),  # days a year
    "cap": (None, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100),
    "theme": tuple(THEMES),
}
NO_VALUE = "none"  # stands for None in a `custom_id` and in a choice
ANYWHERE = Button(server_texts.ANYWHERE_LABEL, f"server_switch:channel:{NO_VALUE}")
NO_RESULTS = Button(server_texts.NO_RESULTS_LABEL, f"server_switch:results:{NO_VALUE}")
NO_PUZZLES = Button(server_texts.NO_PUZZLES_LABEL, f"server_switch:puzzles:{NO_VALUE}")
EVERYBODY = Button(server_texts.EVERYBODY_LABEL, f"server_switch:challengers:{NO_VALUE}")
UNSET_BUTTONS = {"channel": ANYWHERE, "results": NO_RESULTS, "puzzles": NO_PUZZLES, "challengers": EVERYBODY}
SWITCH_WORDS = {"True": True, "False": False}
_NUMBER = re.compile("[0-9]{1,20}")


def parse_setting(name: str, text: str) -> Any:
    """Return the value that a button or a choice stands for. Does not check whether it is offered."""
    if name in (*UNSET_BUTTONS, "cap", "threads") and text == NO_VALUE:
        return None
    if name in (*UNSET_BUTTONS, "cap", "grace", "vacation", *POTENTIAL_SETTINGS) and _NUMBER.fullmatch(text):
        return int(text)
    return SWITCH_WORDS.get(text, text) if name in ("weekends", "rated", "threads") else text


def server_settings_rows(settings: ServerSettings, page: str, known: Mapping[str, int]) -> tuple[PrivateRow, ...]:
    """Return the controls of one page of a server's settings.

    `known` has the chosen channels and the chosen role, by the names of their settings, as far as the server has them.
    """
    selects = [_setting_select(settings, name) for name in SETTINGS_ON_PAGE[page] if name in OFFERED_VALUES]
    places = (
        _channel_select("channel", known),
        _channel_select("results", known),
        _channel_select("puzzles", known),
        RoleSelect(server_texts.SERVER_LABELS["challengers"], "server_choice:challengers", known.get("challengers")),
    )
    buttons = [_setting_switch(settings, name) for name in SETTINGS_ON_PAGE[page] if name in SWITCHES]
    unset = [
        button
        for name, button in UNSET_BUTTONS.items()
        if name in SETTINGS_ON_PAGE[page] and getattr(settings, name) is not None
    ]
    return (_page_buttons(page), *(places if page == "places" else ()), *selects, (*buttons, *unset))


def _channel_select(name: str, known: Mapping[str, int]) -> ChannelSelect:
    return ChannelSelect(server_texts.SERVER_LABELS[name], f"server_choice:{name}", known.get(name))


def _page_buttons(page: str) -> tuple[Button, ...]:
    """Return the buttons that lead to the pages. That of `page` cannot be pressed."""
    return tuple(
        Button(label, f"server_page:{name}", "primary" if name == page else "secondary", disabled=name == page)
        for name, label in server_texts.PAGE_LABELS.items()
    )


def _setting_select(settings: ServerSettings, name: str) -> Select:
    now = getattr(settings, name)
    values = OFFERED_VALUES[name]
    if now not in values:  # a number that was set with the slash command
        values = tuple(sorted((*values, now), key=lambda value: value or 0))
    options = tuple((server_texts.server_setting_label(name, value), _value_code(value)) for value in values)
    return Select(server_texts.SERVER_LABELS[name], f"server_choice:{name}", options, _value_code(now))


def _value_code(value: object) -> str:
    return NO_VALUE if value is None else str(value)


def _setting_switch(settings: ServerSettings, name: str) -> Button:
    """Return the button that shows a setting of few values, and changes it to the next of them."""
    now, values = getattr(settings, name), SWITCHES[name]
    following = values[(values.index(now) + 1) % len(values)]
    style = "success" if now is True else "secondary"
    return Button(server_texts.server_setting_label(name, now), f"server_switch:{name}:{_value_code(following)}", style)
