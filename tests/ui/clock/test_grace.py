"""In grace the player reads everywhere that only a win saves the game. A turn that loses asks once (R6.4)."""

import pytest

from gipfbot.match import Status
from gipfbot.notation import parse_position
from gipfbot.rules import Position, Reason
from gipfbot.ui.kit.refusal_texts import RULE_LABEL
from gipfbot.ui.play import game_texts
from tests.support.games import WINS
from tests.support.times import DAY, HOUR
from tests.ui.listed_games import press_listed
from tests.ui.table import Desk, open_desk
from tests.ui.timed_games import limited
from tests.ui.world import World, private, put, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(4)]
ONLY = "Your time is over: win with this turn or you lose."
LOST = "doesn't win, so you'd lose on time"
LOSES = parse_position("standard w W=Gd2,d3,d4,d5 B=Gd6,h3 reserve=13-15 captured=0-0")


async def in_grace(world: World, position: Position | None = None) -> int:
    """Return a game in which Ann is flagged, in this position if one is given."""
    game_id = await limited(world, rules="standard" if position else "basic")
    if position:
        async with world.store.transaction() as db:
            await put(db, await world.game(game_id), position)
    await world.env.advance_time(3 * DAY + 4 * HOUR)
    clock = (await world.game(game_id)).clock
    assert clock
    assert clock.flagged
    return game_id


async def test_flagged_player_reads_everywhere_that_only_a_win_saves(world: World) -> None:
    """The opponent reads nothing of it."""
    game_id = await in_grace(world)
    board = world.board(game_id).content.splitlines()
    assert board[0].endswith(" your time is over: win with this turn or you lose · #a1 vs Bob")
    assert "Ann: grace ends <t:" in board[-1]
    assert (await open_desk(world, game_id)).text.splitlines()[1] == ONLY
    assert told(await world.ann.slash(world.channel, "gipf board")).splitlines()[1] == ONLY
    assert "only a winning turn saves the game" in told(await world.ann.slash(world.channel, "gipf games"))
    for command in ("gipf board", "gipf games"):
        said = told(await world.bob.slash(world.channel, command))
        assert "or you lose" not in said
        assert "only a winning turn" not in said
    await world.bob.click(private(await world.bob.slash(world.channel, "gipf board")), label="Nudge")
    nudge = world.public()[-1].content
    assert " is waiting for your turn in #a1 · your time is over: win with this turn or you lose · grace" in nudge


async def test_typed_turn_that_does_not_win_asks_once(world: World) -> None:
    game_id = await in_grace(world)
    before = await world.stored(game_id)
    shown, other = [Desk(world.ann, await world.ann.slash(world.channel, "move", notation="c2")) for _ in range(2)]
    assert f"**c2** {LOST}. Play it anyway?" in shown.text
    assert shown.labels == [game_texts.PLAY_ANYWAY_LABEL, game_texts.SOMETHING_ELSE_LABEL, RULE_LABEL]
    assert "c2" in shown.alt
    await other.press(game_texts.SOMETHING_ELSE_LABEL)
    assert "a1" in other.labels
    assert await world.stored(game_id) == before
    await shown.press(game_texts.PLAY_ANYWAY_LABEL)
    assert await world.confirmed(shown.text) == "c2"
    assert "so you lost on time" in shown.text
    game = await world.game(game_id)
    assert game.position.result
    assert (game.status, game.position.result.by) == (Status.OVER, Reason.TIME)


async def test_turn_by_buttons_asks_once_and_keeps_the_way_back(world: World) -> None:
    game_id = await in_grace(world)
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    await press_listed(desk, "#a1")
    await desk.press("c1")
    await desk.push("c2")
    assert LOST in desk.text
    assert desk.labels == [game_texts.PLAY_ANYWAY_LABEL, game_texts.SOMETHING_ELSE_LABEL, RULE_LABEL, "All games"]
    assert (await world.game(game_id)).turn_number == 0
    await desk.press(game_texts.SOMETHING_ELSE_LABEL)
    await desk.press("c1")
    await desk.push("c2")
    await desk.press(game_texts.PLAY_ANYWAY_LABEL)
    assert await world.confirmed(desk.text) == "c2"
    assert (await world.game(game_id)).status is Status.OVER


async def test_confirmation_opened_before_the_grace_asks_again(world: World) -> None:
    """A player who has typed turns shown is asked once, in one screen."""
    game_id = await limited(world)
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=True)
    early = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="c2"))
    assert early.labels == [game_texts.PLAY_LABEL, game_texts.SOMETHING_ELSE_LABEL]
    await world.env.advance_time(3 * DAY + 4 * HOUR)
    await early.press(game_texts.PLAY_LABEL)
    late = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="c2"))
    for desk in (early, late):
        assert LOST in desk.text
        assert desk.labels == [game_texts.PLAY_ANYWAY_LABEL, game_texts.SOMETHING_ELSE_LABEL, RULE_LABEL]
    await late.press(game_texts.PLAY_ANYWAY_LABEL)
    assert (await world.game(game_id)).status is Status.OVER


async def test_turn_that_loses_by_itself_does_not_lose_on_time(world: World) -> None:
    await in_grace(world, LOSES)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="xGd2,d3,d4,d5"))
    assert "**xGd2,d3,d4,d5** loses the game. Play it anyway?" in shown.text
    assert RULE_LABEL not in shown.labels
    await shown.press(game_texts.PLAY_ANYWAY_LABEL)
    assert shown.text.splitlines()[1] == "That ends the game: you have lost."


async def test_winning_turn_is_played_at_once(world: World) -> None:
    """Typed and by buttons. Only what the turn itself leaves open is asked."""
    game_id = await in_grace(world, WINS)
    desk = await open_desk(world, game_id)
    await desk.press("Take d6")
    assert "you have **won**" in desk.text
    game_id = await in_grace(world, WINS)
    answer = told(await world.ann.slash(world.channel, "move", notation="xd2,d3,d4,d5,Gd6", game="#b1"))
    assert await world.confirmed(answer)
    assert "you have **won**" in answer
