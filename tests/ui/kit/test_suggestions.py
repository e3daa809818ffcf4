"""Suggestions that do not arrive are no fault: the person has typed on, and the next letter asks again."""

import logging

import pytest

from gipfbot.ui.play import move
from gipfbot.values import DatabaseTrouble, Trouble
from tests.ui.forged import forger
from tests.ui.world import World

pytestmark = pytest.mark.looks_every(60)
CALLBACK, TYPES = "/interactions/*/callback", 4  # Discord's number of an interaction of a person who types


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was warned of. Assert that nothing worse was logged, and no traceback."""
    found = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in found if record.levelno > logging.WARNING or record.exc_info] == []
    return [record.getMessage() for record in found]


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10062), (400, 40060), (503, 0)],
)
async def test_lost_suggestions_are_no_fault(
    world: World, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    await world.begin("basic")
    world.fail("POST", CALLBACK, status, code, times=None)
    await world.ann.autocomplete(world.channel, "move", "notation", "c")
    (line,) = warnings(caplog)
    assert line.startswith("suggestions were lost: ")
    world.heal()
    assert await world.ann.autocomplete(world.channel, "move", "notation", "c")


async def test_suggestions_without_a_database_are_no_fault(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(user: int) -> None:
        raise DatabaseTrouble(Trouble.UNREACHABLE)

    monkeypatch.setattr(world.bot.app.games, "choosable_games", fail)
    await world.ann.autocomplete(world.channel, "gipf resign", "game", "a")
    assert warnings(caplog) == []


@pytest.mark.parametrize("name", ["gone", "move"])
async def test_suggestions_for_an_option_that_is_gone_are_none(
    world: World, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """A Discord client may still show the commands of an older version."""
    ann = await forger(world, world.ann, world.channel)
    options = [{"name": "gone", "type": 3, "value": "c", "focused": True}]
    answer = await ann.types(name, options)
    assert answer.autocomplete_choices == []
    assert warnings(caplog) == []


async def test_fault_of_a_suggestion_is_logged(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a fault of the bot")

    await world.begin("basic")
    monkeypatch.setattr(move, "completions", fail)
    await world.ann.autocomplete(world.channel, "move", "notation", "c")
    assert [record.levelno for record in caplog.records if record.exc_info] == [logging.ERROR]
    caplog.clear()
