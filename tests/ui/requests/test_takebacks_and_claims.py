"""Taking a turn back, and claiming a game, as people see it."""

import pytest

from gipfbot.match import Status
from gipfbot.ui.kit import texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import request_texts
from tests.support.times import DAY, HOUR
from tests.ui.table import Desk, ask_takeback, open_desk
from tests.ui.world import World, buttons, custom_ids, labels, private, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(60)]


async def played(world: World, *turns: str) -> int:
    """Return a Basic game of Ann, White, and Bob after these turns."""
    game_id = await world.begin("basic")
    for number, turn in enumerate(turns):
        await (world.bob if number % 2 else world.ann).slash(world.channel, "move", notation=turn)
    return game_id


async def test_turn_is_taken_back_when_the_opponent_agrees(world: World) -> None:
    """The request pings the opponent. The board that follows says what happened, and pings the player to move."""
    game_id = await played(world, "c2", "g2")
    old = world.board(game_id)
    await world.env.advance_time(2 * HOUR)
    assert "Bob has been [asked]" in await ask_takeback(world, world.ann)
    request = world.public()[-1]
    assert "Ann asks to take back their last turn and your answer · game #a1" in request.content
    assert (buttons(request), world.pings(request)) == (["Accept", "Decline", "Withdraw"], {world.bob.id})
    assert (await world.game(game_id)).turn_number == 2
    await world.bob.click(request, label="Accept")
    request, board = world.public()[-2:]
    assert "request to take back their last turn and the answer in game #a1 was accepted by Bob" in request.content
    assert custom_ids(request) == set()
    assert board.content.splitlines()[0] == (
        f"<@{world.ann.id}> your turn · game #a1 vs Bob · the last 2 turns were taken back (you both agreed)"
    )
    assert world.pings(board) == {world.ann.id}
    assert (await world.game(game_id)).turn_number == 0
    assert "your turn 1 as White" in (await open_desk(world, game_id)).text
    assert "This board is out of date" in told(await world.ann.click(old, label="Move"))
    assert "Played **c1 → d2**" in told(await world.ann.slash(world.channel, "move", notation="d2"))
    assert "Ann played c1 → d2" in world.board(game_id).content


async def test_buttons_of_a_takeback_obey_whom_they_are_for(world: World) -> None:
    game_id = await played(world, "c2")
    await ask_takeback(world, world.ann)
    request = world.public()[-1]
    assert "your own request: Bob has to answer" in told(await world.ann.click(request, label="Accept"))
    assert "Only Ann can withdraw" in told(await world.bob.click(request, label="Withdraw"))
    assert "do not play in this game" in told(await world.cara.click(request, label="Accept"))
    assert world.public()[-1] == request
    await world.bob.click(request, label="Decline")
    assert "was declined by Bob" in world.public()[-1].content
    assert "declined. You can ask only once for each turn" in await ask_takeback(world, world.ann)
    assert (await world.game(game_id)).turn_number == 1
    assert "not played a turn" in await ask_takeback(world, world.bob)


async def test_second_request_and_turn_that_cross_a_takeback_are_told(world: World) -> None:
    """The second to ask is shown the first request and its buttons. A turn ends a request; later presses do nothing."""
    await played(world, "c2", "g2")
    await ask_takeback(world, world.ann)
    request = world.public()[-1]
    first = private(await world.bob.slash(world.channel, "move", notation="undo"))
    assert "Ann asks to take back their last turn and your answer in game #a1. Accept?" in first.content
    assert labels(first) == ["Accept", "Decline"]
    again = private(await world.ann.slash(world.channel, "move", notation="undo"))
    assert "Bob has to answer" in again.content
    assert labels(again) == ["Withdraw"]
    assert world.public()[-1] == request
    await world.ann.click(again, label="Withdraw")
    assert "was withdrawn" in world.public()[-1].content
    assert custom_ids(world.public()[-1]) == set()
    assert "no longer open: it was withdrawn" in told(await world.bob.click(first, label="Accept"))
    await ask_takeback(world, world.bob)
    other = world.public()[-1]
    await world.ann.slash(world.channel, "move", notation="d2")
    assert "has expired" in told(await world.ann.click(other, label="Accept"))
    assert world.public()[-2].content.endswith(" has expired: somebody played first.")
    assert custom_ids(world.public()[-2]) == set()


@pytest.mark.parametrize("typed", ["undo", ""])
async def test_undo_names_the_turns_before_it_posts(world: World, typed: str) -> None:
    """The typed word and **More…** ask the same question. Until it is confirmed, nothing is requested."""
    game_id = await played(world, "c2")
    before = world.public()
    shown = Desk(world.ann, await world.ann.slash(world.channel, "move", **({"notation": typed} if typed else {})))
    if not typed:
        await shown.press(texts.MORE_LABEL)
        await shown.press(game_texts.ASK_TAKEBACK_LABEL)
    assert shown.text.startswith("Ask Bob to let you take back your last turn in game #a1?")
    await world.bob.slash(world.channel, "move", notation="g2")
    await shown.press(request_texts.REQUEST_TAKEBACK_LABEL)
    assert shown.text.startswith("Ask Bob to let you take back your last turn and Bob's answer in game #a1?")
    assert len(world.public()) == len(before) + 1, "Bob's board alone"
    assert await world.bot.app.requests.open_requests([await world.game(game_id)]) == []
    await shown.press(request_texts.REQUEST_TAKEBACK_LABEL)
    assert "Bob has been [asked]" in shown.text
    assert "Ann asks to take back their last turn and your answer" in world.public()[-1].content


async def test_undo_in_a_picked_game_asks_too(world: World) -> None:
    await played(world, "c2")
    await world.begin("basic")
    posted = len(world.public())
    shown = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="undo"))
    await shown.choose("#a1 vs Bob")
    assert shown.text.startswith("Ask Bob to let you take back your last turn in game #a1?")
    assert len(world.public()) == posted


async def test_takeback_request_survives_a_restart(world: World) -> None:
    game_id = await played(world, "c2")
    await ask_takeback(world, world.ann)
    await world.restart()
    await world.bob.click(world.public()[-1], label="Accept")
    assert (await world.game(game_id)).turn_number == 0


async def test_takeback_request_expires_after_seven_days(world: World) -> None:
    """Its message says so and loses its buttons."""
    await played(world, "c2")
    await ask_takeback(world, world.ann)
    await world.env.advance_time(7 * DAY - HOUR)
    assert len(custom_ids(world.public()[-1])) == 3
    await world.env.advance_time(14 * HOUR)
    assert world.public()[-1].content.endswith(" has expired: nobody answered in time.")
    assert custom_ids(world.public()[-1]) == set()
    assert "Bob has been [asked]" in await ask_takeback(world, world.ann)


async def test_abandoned_game_is_claimed_and_won(world: World) -> None:
    """The button appears after 30 days and asks once. The opponent is warned in the channel and has 7 days."""
    game_id = await played(world, "c2", "g2")
    assert "You can claim this game from <t:" in told(await world.bob.slash(world.channel, "move", notation="claim"))
    assert request_texts.CLAIM_WIN_LABEL not in labels(private(await world.bob.slash(world.channel, "gipf board")))
    await world.env.advance_time(30 * DAY)
    shown = private(await world.bob.slash(world.channel, "gipf board"))
    assert request_texts.CLAIM_WIN_LABEL in labels(shown)
    assert request_texts.CLAIM_WIN_LABEL not in labels(private(await world.ann.slash(world.channel, "gipf board")))
    assert "It's your turn" in told(await world.ann.slash(world.channel, "move", notation="claim", game="#a1"))
    assert told(await world.ann.slash(world.channel, "move", notation="claim")) == request_texts.NOTHING_TO_CLAIM
    said = world.public()
    asked = await world.bob.click(shown, label=request_texts.CLAIM_WIN_LABEL)
    assert "Claim #a1? Ann will be warned publicly" in told(asked)
    assert (
        told(await world.bob.click(private(asked), label=request_texts.NOT_NOW_LABEL)) == request_texts.NOTHING_CLAIMED
    )
    again = private(await world.bob.slash(world.channel, "move", notation="claim"))
    assert world.public() == said
    assert "Ann has been warned" in told(await world.bob.click(again, label=request_texts.CLAIM_WIN_LABEL))
    warning = world.public()[-1]
    assert "Bob has claimed #a1: play a turn by <t:" in warning.content
    assert (world.pings(warning), custom_ids(warning)) == ({world.ann.id}, {f"board:{game_id}:2"})
    assert "already claimed" in told(await world.bob.slash(world.channel, "move", notation="claim"))
    await world.env.advance_time(7 * DAY - HOUR)
    assert world.public()[-1] == warning
    await world.env.advance_time(14 * HOUR)
    end = world.public()[-1]
    assert "Bob (Black) wins #a1 in 1 turn · Ann did not play within 7 days of the claim" in end.content
    assert world.pings(end) == {world.ann.id, world.bob.id}
    assert (await world.game(game_id)).status is Status.OVER


async def test_choice_of_claims_offers_only_claimable_games(world: World) -> None:
    """If none can be claimed yet, the first is named with its time. If all are claimed, that is said."""
    first = await played(world, "c2", "g2")
    await world.env.advance_time(DAY)
    await world.begin("basic")
    for person, turn in ((world.ann, "c2"), (world.bob, "g2")):
        await person.slash(world.channel, "move", notation=turn, game="#b1")
    at = (await world.stored(first)).changed_at + 30 * DAY
    said = told(await world.bob.slash(world.channel, "move", notation="claim"))
    assert said == f"You can't claim a game yet. You can claim #a1 from <t:{at}:f>."
    await world.env.advance_time(29 * DAY)
    alone = private(await world.bob.slash(world.channel, "move", notation="claim"))
    assert "Claim #a1?" in alone.content
    await world.env.advance_time(DAY)
    asked = Desk(world.bob, await world.bob.slash(world.channel, "move", notation="claim"))
    assert asked.text == request_texts.WHICH_GAME_TO_CLAIM
    assert asked.options == ["#a1 vs Ann", "#b1 vs Ann"]
    await asked.choose("#b1 vs Ann")
    await asked.press(request_texts.CLAIM_WIN_LABEL)
    await world.bob.click(
        private(await world.bob.slash(world.channel, "move", notation="claim")), label=request_texts.CLAIM_WIN_LABEL
    )
    assert told(await world.bob.slash(world.channel, "move", notation="claim")) == request_texts.ALL_CLAIMED


async def test_claim_before_both_moved_cancels_the_game(world: World) -> None:
    """A game with a time limit is not offered."""
    game_id = await played(world, "c2")
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, colour="black", pace="14")
    await world.bob.click(world.public()[-1], label="Accept")
    await world.env.advance_time(30 * DAY)
    asked = private(await world.ann.slash(world.channel, "move", notation="claim"))
    assert "#a1" in asked.content
    await world.ann.click(asked, label=request_texts.CLAIM_WIN_LABEL)
    await world.env.advance_time(10 * DAY)
    end = next(message for message in reversed(world.public()) if "#a1" in message.content)
    assert "game #a1 was cancelled: nobody played within 7 days of Ann's claim, so there is no result" in end.content
    assert (await world.game(game_id)).status is Status.CANCELLED
