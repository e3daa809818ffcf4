"""Autocomplete of a turn in a crowded position, as Discord asks for it."""

import re

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import Colour
from tests.support.paths import DATA
from tests.ui.world import World, private, told

LINES = (DATA / "worst.txt").read_text(encoding="utf-8").splitlines()
# Positions at the start of White's turn, with a piece in each reserve.
WORST = [
    parse_position(line.partition(" ")[2])
    for line in LINES
    if " w W=" in line and not re.search("step=|dealt=|reserve=0", line)
]


async def offered(world: World, typed: str, **options: str) -> list[tuple[str, str]]:
    """Return the names and values of the choices that Ann is offered. Assert Discord's limits."""
    choices = await world.ann.autocomplete(world.channel, "move", "notation", typed, **options)
    found = [(str(choice["name"]), str(choice["value"])) for choice in choices]
    assert len(found) <= 25
    assert all(0 < len(text) <= 100 for pair in found for text in pair)
    return found


async def test_turn_of_a_crowded_position_can_be_completed_and_played(world: World) -> None:
    """A choice fills the field, and typing goes on from there until the turn leaves nothing open."""
    await world.prepared(WORST[0])
    assert len(await offered(world, "")) == 25
    (_, removing), *_ = await offered(world, "x")
    before = removing.partition(";")[0] + ";"
    found = await offered(world, before)
    assert len(found) == 25
    assert all(value.startswith(before) for _, value in found)
    name, value = found[-1]
    assert re.search(r" ✕ (\d+ back|\d+ captured|\d+ back, \d+ captured) · #a1 vs Bob", name)
    assert (await offered(world, value))[0] == (name, value)
    played = await world.ann.slash(world.channel, "move", notation=value)
    assert await world.confirmed(told(played)) == value.removeprefix("#a1@0.0.0 ")
    game = await world.game()
    assert (game.turn_number, game.draft, game.position.mover) == (1, (), Colour.BLACK)


async def test_what_fits_best_comes_first_whichever_game_it_is_in(world: World) -> None:
    for position in WORST[:3]:
        await world.prepared(position)
    (_, exact), *_ = await offered(world, "#c1 x")
    found = await offered(world, exact.removeprefix("#c1@0.0.0 "))
    assert found[0][1] == exact
    assert len(await offered(world, "c")) == 25


@pytest.mark.parametrize("typed", ["", "x", "X", "d5", ";", "–", "xg", "#a1", "#a1 x", "#z9 x", "(5)", "\u200b", "İ"])
async def test_whatever_is_typed_is_answered(world: World, typed: str) -> None:
    await world.prepared(WORST[0])
    await offered(world, typed)


async def test_turns_are_offered_in_the_notation_read_or_typed(world: World) -> None:
    await world.begin()
    assert (await offered(world, "e1"))[0][1] == "#a1@0.0.0 e1-e3"
    assert [value for _, value in await offered(world, "a4*")] == ["#a1@0.0.0 a4*"]
    private(await world.ann.slash(world.channel, "gipf-me settings", notation="julio974"))
    assert (await offered(world, "e1"))[0][1] == "#a1@0.0.0 e1"
    assert (await offered(world, "e1-"))[0][1] == "#a1@0.0.0 e1-e3"
    assert await world.confirmed(told(await world.ann.slash(world.channel, "move", notation="#a1 e1"))) == "e1-e3"
