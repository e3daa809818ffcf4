"""The option `level`: how well the bot plays, or another engine that the host has seated beside it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from discord.app_commands import Choice

from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.game_picker import MOST_CHOICES, suggests_in_time
from gipfbot.ui.kit.slash_commands import LEVEL_NAMES

_SIGNS = re.compile(r"[\s·]+")


class ChosenLevel(NamedTuple):
    """A level of the house player, and the engine that plays; empty is the bot itself."""

    level: int
    engine: str = ""


USUAL_LEVEL = ChosenLevel(2)  # for those who choose none


@suggests_in_time
async def complete_level(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the levels of the bot, then those of the other engines."""
    typed, engines = _words(current), ("", *interaction.client.app.house.choosable_engines)
    choices = [_choice(engine, level) for engine in engines for level in LEVEL_NAMES]
    return [choice for choice in choices if _fits(typed, _words(choice.name))][:MOST_CHOICES]


def _choice(engine: str, level: int) -> Choice[str]:
    begin, value = (f"{engine} · ", f"{engine} {level}") if engine else ("", f"{level}")
    return Choice(name=f"{begin}{level} · {LEVEL_NAMES[level]}", value=value)


def _fits(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether each typed word begins one of these words."""
    return all(any(word.startswith(begin) for word in words) for begin in typed)


def _words(text: str) -> list[str]:
    return [word for word in _SIGNS.split(text.casefold()) if word]


def read_level(text: str, engines: Sequence[str]) -> ChosenLevel | None:
    """Return the level that a text names: `3`, `Skilled`, `gf1 3`, or `gf1` for its usual level.

    None if there is no such level, or no engine of this name among `engines`.
    """
    engine, *rest = _words(text) or [""]
    if engine not in engines:
        engine, rest = "", _words(text)
    if engine and not rest:
        return USUAL_LEVEL._replace(engine=engine)
    for level, name in LEVEL_NAMES.items():
        if rest and {*rest} <= {str(level), name.casefold()}:
            return ChosenLevel(level, engine)
    return None
