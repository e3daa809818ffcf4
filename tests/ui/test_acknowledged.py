"""Each interaction is acknowledged before its first query, and suggestions never wait for the database."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import MagicMock

import discord
import hypothesis
import pytest
from discord import app_commands
from hypothesis import strategies

from gipfbot.app import create_bot
from gipfbot.store import Connection, Store
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.kit import game_picker
from gipfbot.ui.kit.interactions import KINDS, handle_interaction
from tests.support.times import HANGS

from .slash_commands import slash_commands

ANY_EXAMPLE = hypothesis.settings(max_examples=1, phases=[hypothesis.Phase.generate])
ANSWERS = ("defer", "send_message", "send_modal", "edit_message")


SLASH = {command.qualified_name: command for command in slash_commands()}
SUGGESTED = {
    f"{name} {option}": command._params[option].autocomplete
    for name, command in SLASH.items()
    for option in command._params
    if callable(command._params[option].autocomplete)
}


@dataclass
class Asked:
    """What was asked of the store, and whether the interaction had been acknowledged."""

    acknowledged: bool = False
    early: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def note(self, name: str) -> None:
        """Note a query, and answer none."""
        (self.late if self.acknowledged else self.early).append(name)
        raise ConnectionError("the database is away")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Note what is asked of the store, which is away."""
    found = Asked()

    def away(name: str) -> Any:
        @asynccontextmanager
        async def ask(_: Store) -> AsyncIterator[Connection]:
            found.note(name)
            yield MagicMock()

        return ask

    for name in ("reading", "transaction"):
        monkeypatch.setattr(Store, name, away(name))
    return found


@pytest.fixture
def bot(store: Store) -> Iterator[GipfBot]:
    made = create_bot(store)
    yield made
    made.painter.close()


async def answer(*_: object, **__: object) -> MagicMock:
    """Answer as Discord would. This is no AsyncMock, since each of those looks at all that it could be."""
    return MagicMock()


def interaction_with(bot: GipfBot, asked: Asked, **fields: Any) -> MagicMock:
    """Return an interaction that remembers when it was acknowledged."""
    interaction = MagicMock(client=bot, extras={}, message=None, **fields)
    types = discord.InteractionType
    interaction.type = types.component if "data" in fields else types.application_command
    interaction.user.id, interaction.guild_id, interaction.locale = 1, 2, discord.Locale.german
    interaction.user.display_name = "Ann"
    interaction.followup.send = answer
    for name in ("edit_original_response", "delete_original_response", "original_response"):
        setattr(interaction, name, answer)

    async def acknowledge(*_: object, **__: object) -> None:
        asked.acknowledged = True

    interaction.response.is_done = lambda: asked.acknowledged
    for name in ANSWERS:
        setattr(interaction.response, name, acknowledge)
    return interaction


def option_value(option: app_commands.transformers.CommandParameter) -> Any:
    """Return some value of an option."""
    numbers = {discord.AppCommandOptionType.integer: option.min_value or 1, discord.AppCommandOptionType.boolean: True}
    if option.choices:
        return option.choices[0].value
    if option.type is discord.AppCommandOptionType.string:
        return "e2"
    return numbers.get(option.type) or MagicMock(id=3, bot=False)


@pytest.mark.parametrize("name", SLASH)
@pytest.mark.parametrize("full", [False, True], ids=["bare", "with options"])
async def test_a_command_is_acknowledged_before_its_first_query(
    bot: GipfBot, asked: Asked, name: str, full: bool, caplog: pytest.LogCaptureFixture
) -> None:
    command = SLASH[name]
    options = {key: option_value(each) for key, each in command._params.items() if full or each.required}
    callback: Any = command.callback
    await callback(interaction_with(bot, asked), **options)
    assert asked.acknowledged
    assert asked.early == []
    caplog.clear()


@cache
def some_custom_id(name: str) -> str:
    """Return a `custom_id` of a kind."""
    rest = strategies.from_regex(KINDS[name].pattern, fullmatch=True)
    return f"{name}:{hypothesis.find(rest, lambda _: True, settings=ANY_EXAMPLE)}~0123456789abcdef"


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("pressed", [False, True], ids=["form", "pressed"])
async def test_a_press_is_acknowledged_before_its_first_query(
    bot: GipfBot, asked: Asked, name: str, pressed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Those that open a form open it without any query."""
    data = {"custom_id": some_custom_id(name), "values": ["1"], "components": []}
    interaction = interaction_with(bot, asked, data=data)
    interaction.message = MagicMock(id=4) if pressed else None
    await handle_interaction(interaction)
    assert asked.acknowledged
    assert asked.early == []
    caplog.clear()


@pytest.mark.parametrize("name", SUGGESTED)
async def test_suggestions_never_wait_for_the_database(
    bot: GipfBot, monkeypatch: pytest.MonkeyPatch, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """If it hangs, nothing is suggested after a moment. Suggestions from memory come all the same."""
    waits = list[str]()

    @asynccontextmanager
    async def hang(_: Store) -> AsyncIterator[Connection]:
        waits.append(name)
        await asyncio.sleep(3600)
        yield MagicMock()

    monkeypatch.setattr(Store, "reading", hang)
    monkeypatch.setattr(game_picker, "SUGGEST_SECONDS", 0.05)
    suggest: Any = SUGGESTED[name]
    interaction = interaction_with(bot, Asked())
    interaction.namespace.game = ""
    interaction.user.__class__ = discord.Member
    async with asyncio.timeout(HANGS):
        found = await suggest(interaction, "e")
    assert (found == []) == bool(waits)
    assert [each.levelno for each in caplog.records if waits] == [logging.WARNING] * bool(waits)
