"""Whole games of each rule set to their natural end, by typed turns, by buttons, and by both."""

from random import Random

import pytest

from gipfbot.match import Status, position_after
from gipfbot.notation import parse_turn
from gipfbot.rules import Position, Reason, ruleset_named, start
from gipfbot.ui.board.public_board import LAST_CAPTURE_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import game_length_text
from tests.ui.table import begin_at, button_of, open_desk, play_at
from tests.ui.world import World, buttons, game_name, told

GAMES = {
    # Rows before and after the push, two that cross, a reserve that runs out (R6.1).
    "basic": """
        g2 a1-c3 b4 e9-e7 b3 i5-g5 a4-c4 a3-c5 c6 a3-d3 xc3,c4,c5,c6;h3 f8-d7 h4 f7 a5-c5 c7-f6 f1-d2 c6 c2 h1-f3
        b1-e4 a5-d5;xb2,b3,b4,b5 f2 b3 b6-d6 b5 i4-g4 b4 i4-f4 i5-f5;xd7,e7,f6,g5,h4* xf2,f3,f4,f5;g1-g3 g1-g5 h4 i4-f4
        e1-e3 a3-e7 d8-g6 a2-c4 f2 g1-c3""",
    # GIPF-pieces kept and taken in rows that cross, the last of them lost (R6.2).
    "standard": """
        h3 a4-c6 h1-h4 e1-e3 i3-g3;xh2,h3,h4 g2 b1-b3 f7 e1-e4 a2-c4 f8-d7 f8-f6 h4 h2 i5-g5 c2 i4-g6 g1-g4
        g7-e7;xe8,f7,g6,h5 g1-g6;xGd7,e7,f6,h4*;xg2,g3,g4,Gg5,Gg6* a1-c3 g6 a2-d5 h6-f6 a2-e6
        xb3*,c4*,d5,Ge6,f6,g6""",
    # GIPF-pieces brought in, offers kept and taken before and after the push (R4.7).
    "tournament": """
        Gh5 Gd7 Gb4 Gh6-h4 h3 Gc6 e8 Gb5 b6-d6 Gb3 c2 Gd8-f7 a4-c4 Gb6-e6 g6 Gi4-g4 a3-c3 xGe8;Ga4-e8 a3-d3
        Gh6-h2;xGe8 i5-g5 g2 e8;xe8,f7,g6,h5 e8;xe8 c1-c5;xc2,c3,c4,Gc6* a4-c4 e2""",
    # Both potentials used in each way, stacks, freed pieces, a row that must lose one, offers kept and taken.
    "tournament+Z6P6": """
        Gg2 Gh2 Pe2 Gh1-h3 Zh1-f3 Gi2-f2 Pe8 Gg1-g3 Zc6 Gh1-h4 Zf2>f4 Gh1-h5;xGh5 Zf1-f5;xZf2,f3,zf5
        Gh5;xGh2,Gh5 Pb2 Gi3-f3 Pi3-e3 Pd2;xPd2,Gg3 Pd7 Pa2-c2 Pe2>e3+1 i3-g5 Pb5;xPd7 Pb2>c2 Za4-d7;xZb5,Zd7
        g1-g3 Ph3>g3+2 g6 Zi3-f6 h2 Zf1-d2 e1-e4 Ze3>e5 d1-d3;xb2,pc2,d2,e2 xd3,e4;Zh4>e7 h1-d4;xf3,g2
        i2-g2;xze5,Gf4,h2 h1-f3;xGd4,f3,g2 i3-f3;xe3,Gf3,g3,h3""",
}
ENDS = {
    "basic": Reason.RESERVE,
    "standard": Reason.GIPF,
    "tournament": Reason.RESERVE,
    "tournament+Z6P6": Reason.GIPF,
}
WITH_CAPTURE = {"basic", "standard", "tournament"}  # the rows of the other game take no piece of the other player's


def positions(name: str) -> list[Position]:
    """Return the positions of a game before each turn and after the last."""
    position = start(ruleset_named(name))
    stands = [position]
    for text in GAMES[name].split():
        position = position_after(position, parse_turn(position, text))
        stands.append(position)
    return stands


async def assert_stands(world: World, game_id: int, number: int, position: Position) -> None:
    game = await world.game(game_id)
    assert (game.turn_number, game.position, game.draft) == (number, position, ())


async def assert_ended(world: World, game_id: int, name: str) -> None:
    """Assert that the last board pings both, says why, and has no way to play."""
    last = world.public()[-1]
    game = await world.game(game_id)
    assert game.status is Status.OVER
    assert game.position.result
    assert game.position.result.by is ENDS[name]
    assert world.pings(last) == {world.ann.id, world.bob.id}
    assert f"wins {game_name(game_id)} in {game_length_text(game.turn_number)}" in last.content
    assert ("no GIPF-piece left" if ENDS[name] is Reason.GIPF else "no piece left in reserve") in last.content
    explained = [LAST_CAPTURE_LABEL] if name in WITH_CAPTURE else []
    assert buttons(last) == ["Rematch", "Replay", "Analyse", "Record", "Explorer", *explained]


@pytest.mark.parametrize(
    "name", ["standard", *(pytest.param(n, marks=pytest.mark.slow) for n in GAMES if n != "standard")]
)
async def test_a_whole_game_is_typed(world: World, name: str) -> None:
    """Each turn leads where the engine says. Its one board pings the next player."""
    game_id, stands = await world.begin(name), positions(name)
    for number, text in enumerate(GAMES[name].split()):
        posted = len(world.public())
        person = world.player(await world.game(game_id))
        assert world.pings(world.board(game_id)) == {person.id}
        answer = told(await person.slash(world.channel, "move", notation=text))
        assert await world.confirmed(answer)
        await assert_stands(world, game_id, number + 1, stands[number + 1])
        assert len(world.public()) == posted + 1
    await assert_ended(world, game_id, name)


@pytest.mark.parametrize(
    "name",
    ["tournament", "tournament+Z6P6", *(pytest.param(n, marks=pytest.mark.slow) for n in ("basic", "standard"))],
)
async def test_a_whole_game_is_played_by_buttons(world: World, name: str) -> None:
    """The same turns are played by what the desk says alone. Nothing is public before a turn is complete."""
    game_id, stands = await world.begin(name), positions(name)
    for number, text in enumerate(GAMES[name].split()):
        posted = len(world.public())
        first_removes = "first remove" in world.board(game_id).content
        assert button_of(world.board(game_id)) == (texts.REMOVE_LABEL if first_removes else texts.MOVE_LABEL)
        await play_at(await open_desk(world, game_id), stands[number], parse_turn(stands[number], text))
        await assert_stands(world, game_id, number + 1, stands[number + 1])
        assert len(world.public()) == posted + 1
    await assert_ended(world, game_id, name)


@pytest.mark.slow
async def test_three_whole_games_at_once_by_buttons_and_by_typing(world: World) -> None:
    """Turns begun by buttons are completed by typing, and autocomplete is used. No game disturbs another."""
    rng = Random(1)
    world.guild.create_text_channel("elsewhere")
    ids = {name: await world.begin(name) for name in GAMES}
    turns = {name: GAMES[name].split() for name in GAMES}
    stands = {name: positions(name) for name in GAMES}
    ways = [_begun_by_buttons, _chosen_from_the_list, _typed_elsewhere]
    for number in range(max(map(len, turns.values()))):
        for name, game_id in ids.items():
            if number < len(turns[name]):
                await rng.choice(ways)(world, game_id, stands[name][number], turns[name][number])
                await assert_stands(world, game_id, number + 1, stands[name][number + 1])
            if number + 1 == len(turns[name]):
                await assert_ended(world, game_id, name)


async def _begun_by_buttons(world: World, game_id: int, position: Position, text: str) -> None:
    """Begin a turn by buttons, then type the whole turn."""
    if not await begin_at(await open_desk(world, game_id), position, parse_turn(position, text)):
        await _typed_elsewhere(world, game_id, position, text)


async def _chosen_from_the_list(world: World, game_id: int, position: Position, text: str) -> None:
    """Type the beginning of a turn, and send the choice that autocomplete offers."""
    person = world.player(await world.game(game_id))
    choices = await person.autocomplete(world.channel, "move", "notation", text, game=game_name(game_id))
    value = next(choice["value"] for choice in choices if choice["value"].partition(" ")[2] == text)
    assert await world.confirmed(told(await person.slash(world.channel, "move", notation=value)))


async def _typed_elsewhere(world: World, game_id: int, position: Position, text: str) -> None:
    """Type a turn in another channel, naming the game."""
    person = world.player(await world.game(game_id))
    elsewhere = world.guild.channels["elsewhere"]
    result = await person.slash(elsewhere, "move", notation=text, game=game_name(game_id))
    assert await world.confirmed(told(result))
