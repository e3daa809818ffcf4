"""Which game a command means. The bot never guesses."""

from random import Random

import pytest
import simcord

from gipfbot.rules import STANDARD
from gipfbot.ui.kit import texts
from tests.rules.generate import dense
from tests.ui.table import Desk, open_desk
from tests.ui.world import World, game_name, labels, options, private, told

LONG_TURNS = dense(STANDARD, Random(53))
LONG_TURN = "xg2,g3,g5,g6;xc5,d5,e5,f4;i4-f4;xGc2*,d3*,e4,Gg4,h4"


async def two_games(world: World) -> simcord.ChannelHandle:
    """Begin two games here that wait for Ann; return another channel."""
    await world.begin("basic")
    await world.begin("standard")
    return world.guild.create_text_channel("elsewhere")


async def numbers(world: World, *ids: int) -> list[int]:
    return [(await world.game(game_id)).turn_number for game_id in ids]


async def test_the_game_named_is_meant(world: World) -> None:
    """The name has a # or none, in either case, also in front of the turn."""
    await two_games(world)
    await world.ann.slash(world.channel, "move", notation="c2", game="B1")
    await world.ann.slash(world.channel, "move", notation="#A1 c2")
    assert await numbers(world, 1, 2) == [1, 1]


async def test_two_games_named_at_once_play_nothing(world: World) -> None:
    """A game named twice is one game."""
    await two_games(world)
    answer = told(await world.ann.slash(world.channel, "move", notation="#A1 c2", game="b1"))
    assert answer == "You typed #a1 but chose #b1, so nothing was played. Name one game."
    assert await numbers(world, 1, 2) == [0, 0]
    assert await world.ann.autocomplete(world.channel, "move", "notation", "#a1 c2", game="#b1") == []
    assert await world.ann.autocomplete(world.channel, "move", "notation", "#a1 c2", game="#a1")
    await world.ann.slash(world.channel, "move", notation="#a1 c2", game="#A1")
    assert await numbers(world, 1, 2) == [1, 0]


async def test_the_only_game_waiting_in_this_channel_is_meant(world: World) -> None:
    elsewhere = await two_games(world)
    await world.begin("tournament", elsewhere)
    assert await world.confirmed(told(await world.ann.slash(elsewhere, "move", notation="Ge2"))) == "Ge2"
    assert await numbers(world, 1, 2, 3) == [0, 0, 1]


async def test_the_only_game_waiting_anywhere_is_meant(world: World) -> None:
    elsewhere = await two_games(world)
    await world.ann.slash(world.channel, "move", notation="c2", game="#b1")
    assert await world.confirmed(told(await world.ann.slash(elsewhere, "move", notation="c2"))) == "c2"
    assert await numbers(world, 1, 2) == [1, 1]


@pytest.mark.parametrize("restart", [False, True])
async def test_unclear_game_is_asked_for_and_the_typed_turn_kept(world: World, restart: bool) -> None:
    elsewhere = await two_games(world)
    asked = Desk(world.ann, await world.ann.slash(elsewhere, "move", notation="c2"))
    assert "In which one do you play `c2`?" in asked.text
    assert asked.options == ["#a1 vs Bob", "#b1 vs Bob"]
    assert await numbers(world, 1, 2) == [0, 0]
    if restart:
        await world.restart()
    await asked.choose("#b1 vs Bob")
    assert await world.confirmed(asked.text) == "c2"
    assert await numbers(world, 1, 2) == [0, 1]


async def test_with_nothing_typed_the_desk_of_the_game_chosen_opens(world: World) -> None:
    await two_games(world)
    asked = Desk(world.ann, await world.ann.slash(world.channel, "move"))
    await asked.choose("#b1 vs Bob")
    assert "**#b1** vs Bob" in asked.text
    assert "a1" in asked.labels


async def test_a_turn_too_long_for_a_list_is_not_cut(world: World) -> None:
    """The game has to be named; nothing is played."""
    await two_games(world)
    answer = private(await world.ann.slash(world.channel, "move", notation="c2" + " " * 120 + ";x"))
    assert "name one with the option **game**" in answer.content
    assert answer.rows == []
    assert await numbers(world, 1, 2) == [0, 0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("#zz", "`#zz` isn't a game"),
        ("7", "`7` isn't a game"),
        ("#a0", "`#a0` isn't a game"),
        ("#a\u0661", "isn't a game"),
        ("🎲", "`🎲` isn't a game"),
        ("`@everyone`", "isn't a game"),
        ("x" * 4000, "isn't a game"),
        ("#q1", "There is no such game"),
        ("#z999999999", "There is no such game"),
        ("#a99999999999999999999", "isn't a game"),
    ],
)
@pytest.mark.parametrize("command", ["move", "gipf board", "gipf resign"])
async def test_a_bad_name_is_said_to_be_one(world: World, command: str, name: str, sentence: str) -> None:
    answer = private(await world.ann.slash(world.channel, command, game=name))
    assert sentence in answer.content
    assert "/gipf games" in answer.content
    assert len(answer.content) < 200


async def test_bad_game_name_before_a_turn_is_refused(world: World) -> None:
    await world.begin("basic")
    assert "There is no such game" in told(await world.ann.slash(world.channel, "move", notation="#q1 c2"))
    assert "Expected" in told(await world.ann.slash(world.channel, "move", notation="#zz c2"))
    assert await numbers(world, 1) == [0]


async def test_a_game_of_others_is_named_in_vain(world: World) -> None:
    await world.begin("basic")
    before = await world.stored()
    for answer in (
        await world.cara.slash(world.channel, "move", notation="c2", game="#a1"),
        await world.cara.slash(world.channel, "move", game="#a1"),
        await world.cara.slash(world.channel, "gipf resign", game="#a1"),
    ):
        shown = private(answer)
        assert "You do not play in" in shown.content
        assert shown.rows == []
        assert shown.attachments == []
    assert await world.stored() == before


async def test_no_game_waits(world: World) -> None:
    """If there is only one game, the answer names the player to move."""
    await world.begin("basic")
    for turn in ("", "c2"):
        said = told(await world.bob.slash(world.channel, "move", notation=turn))
        assert said.splitlines()[0] == "It's not your turn. **#a1** is waiting for Ann."
        assert told(await world.cara.slash(world.channel, "move", notation=turn)) == texts.NO_RUNNING_GAMES
    await world.begin("standard")
    assert "It's not your turn. **#" in told(await world.bob.slash(world.channel, "move"))


async def test_autocomplete_says_and_carries_the_game(world: World) -> None:
    """Each choice reads `c2 · #a1 vs Bob`. Sent like this, it is played in that game."""
    await two_games(world)
    choices = await world.ann.autocomplete(world.channel, "move", "notation", "c2")
    assert [choice["name"] for choice in choices[:2]] == ["c2 · #a1 vs Bob", "c2 · #b1 vs Bob"]
    assert [choice["value"] for choice in choices[:2]] == ["#a1@0.0.0 c2", "#b1@0.0.0 c2"]
    await world.ann.slash(world.channel, "move", notation=choices[1]["value"])
    assert await numbers(world, 1, 2) == [0, 1]
    assert await world.cara.autocomplete(world.channel, "move", "notation", "c2") == []
    assert await world.bob.autocomplete(world.channel, "move", "notation", "", game="#a1") == []


async def test_autocomplete_offers_fitting_turns_and_marks_what_they_remove(world: World) -> None:
    await world.begin("basic")
    for turn in ("c2", "g2", "c1-c3", "g1-g3", "c1-c4", "g1-g4"):
        await world.player(await world.game()).slash(world.channel, "move", notation=turn)
    choices = await world.ann.autocomplete(world.channel, "move", "notation", " C1-")
    assert [choice["name"] for choice in choices] == ["c1-c5;xc2,c3,c4,c5 ✕ 4 back · #a1 vs Bob"]
    assert len(await world.ann.autocomplete(world.channel, "move", "notation", "")) == 25
    assert await world.ann.autocomplete(world.channel, "move", "notation", "x" * 4000) == []


async def test_autocomplete_of_games_offers_those_that_wait_first(world: World) -> None:
    await two_games(world)
    await world.ann.slash(world.channel, "move", notation="c2", game="#a1")
    for command in ("move", "gipf board", "gipf resign"):
        choices = await world.ann.autocomplete(world.channel, command, "game", "")
        assert [choice["value"] for choice in choices] == ["#b1", "#a1"]
        assert choices[0]["name"] == "#b1 vs Bob"
    assert [c["value"] for c in await world.ann.autocomplete(world.channel, "move", "game", "#A1")] == ["#a1"]


async def test_choices_keep_within_discords_limits(world: World) -> None:
    """There are at most 25. Name and value have 1 to 100 characters, however long the turns are."""
    long = world.guild.add_member(world.env.create_user("long", global_name="W" * 32))
    await world.prepared(LONG_TURNS, long)
    for _ in range(24):
        terms = {"colour": "white", "rules": "tournament", "pace": "none"}
        await world.ann.slash(world.channel, "gipf challenge", opponent=long, **terms)
        await long.click(world.public()[-1], label="Accept")
    for option, typed in (("notation", ""), ("notation", "x"), ("notation", LONG_TURN), ("game", "")):
        choices = await world.ann.autocomplete(world.channel, "move", option, typed)
        assert choices
        assert len(choices) <= 25
        assert all(0 < len(str(choice[part])) <= 100 for choice in choices for part in ("name", "value"))
    shown = private(await world.ann.slash(world.channel, "move"))
    assert len(options(shown)) == 25
    shown = private(await world.ann.slash(world.channel, "gipf games"))
    assert shown.content.startswith("**Your games** · page 1 of 3")
    assert len(shown.content) <= 4000
    assert shown.size <= 40
    assert len(labels(shown)) == 13


async def test_several_drafts_do_not_mix(world: World) -> None:
    """Two desks are open at once, each for its own game."""
    await two_games(world)
    first, second = await open_desk(world, 1), await open_desk(world, 2)
    await first.press("c1")
    await second.press("d1")
    await first.push("c2")
    await second.push("d2")
    assert [game_name(game_id) for game_id in (1, 2)] == ["#a1", "#b1"]
    assert [(await world.game(game_id)).last.text for game_id in (1, 2)] == ["c2", "d2"]  # type: ignore[union-attr]
