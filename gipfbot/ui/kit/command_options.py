"""The choices of options that several slash commands share."""

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from gipfbot.match import TIME_CONTROLS
from gipfbot.notation import NOTATIONS
from gipfbot.rules import RULESETS
from gipfbot.service.settings.servers import POTENTIAL_NUMBERS

from . import clock_texts


def potential_number_text(number: int) -> str:
    """Return how many potentials of a kind each player gets, in words."""
    return f"{number} each" if number else "none (the usual game)"


RULES_TITLES = {
    "basic": "Basic (no GIPF-pieces)",
    "standard": "Standard (3 GIPF-pieces each)",
    "tournament": "Tournament (GIPF-pieces come in first)",
    "overboard": "Overboard (unofficial rules)",
}
RULES_CHOICES = [app_commands.Choice(name=RULES_TITLES[name], value=name) for name in RULESETS]
POTENTIAL_CHOICES = [
    app_commands.Choice(name=potential_number_text(number), value=number) for number in POTENTIAL_NUMBERS
]
TIME_CONTROL_CHOICES = [
    app_commands.Choice(name=clock_texts.time_control_text(control), value=name)
    for name, control in TIME_CONTROLS.items()
]
LEVEL_NAMES = {1: "Beginner", 2: "Casual", 3: "Skilled", 4: "Strong", 5: "Expert"}
NOTATION_CHOICES = [
    app_commands.Choice(name=notation.title.capitalize(), value=name) for name, notation in NOTATIONS.items()
]


def chosen_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a slash command that the person has set. Options that are None are dropped."""
    return {name: value for name, value in options.items() if value is not None}
