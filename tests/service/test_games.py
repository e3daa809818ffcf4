"""The use cases on a real database: what is saved, what is owed, and what happens at the same moment."""

import asyncio
from dataclasses import replace

import pytest

from gipfbot.match import Refused, RequestState, Seat, Side, Status, Why
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, STANDARD, Reason
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import unpack_board
from gipfbot.service.delivery.outbox import LONGEST_WAIT
from gipfbot.service.kit.game_names import game_name, parse_game_name
from gipfbot.service.kit.game_update import GameUpdate
from gipfbot.service.play.turn import count_repetitions
from gipfbot.store import OutboxRow, Stale, Venue, games
from gipfbot.store.outbox import LEASE_SECONDS
from tests.match.helpers import CHOICE

from .helpers import ANN, BOB, E1, HOME, Host, begin_game, put


async def deliver(app: App, done: GameUpdate) -> GameUpdate:
    """Post what is owed, as it were."""
    for owed in done.owed:
        await app.outbox.note_delivered(owed, 1000 + owed.id)
    return done


async def test_an_accepted_challenge_is_a_game_whose_board_is_owed(app: App) -> None:
    done = await begin_game(app)
    assert done.game.seats == (ANN, BOB)
    (claimed,) = done.owed
    board = unpack_board(done.game.id, claimed.payload)
    assert (board.turn_number, board.position, board.names) == (0, done.game.position, ("ann", "bob"))


async def test_a_turn_is_saved_with_the_board_it_owes(app: App) -> None:
    """What the outbox holds tells the whole turn, so that it can be posted by another process, later."""
    begin = await deliver(app, await begin_game(app))
    done = await app.games.play_actions(begin.game.id, ANN.user, [E1], 0)
    assert done.turn
    (claimed,) = done.owed
    board = unpack_board(done.game.id, claimed.payload)
    assert (board.text, board.before, board.position) == (done.turn.text, done.turn.before, done.turn.after)


async def test_the_boards_of_a_game_go_in_order(app: App) -> None:
    """A board whose forerunner is still owed is nobody's to deliver until that is posted."""
    begin = await begin_game(app)
    done = await app.games.play_actions(begin.game.id, ANN.user, [E1])
    assert (done.turn is not None, done.owed, await app.outbox.deliverable_rows()) == (True, (), [])
    await deliver(app, begin)
    assert len(await app.outbox.deliverable_rows(game=begin.game.id)) == 1


async def test_of_two_answers_at_once_one_counts(app: App) -> None:
    """The other is refused, and one turn stands."""
    game = (await begin_game(app)).game
    answers = [
        app.games.play_actions(game.id, ANN.user, [E1], 0),
        app.games.play_typed(game.id, ANN.user, "e1-e3"),
    ]
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert sum(isinstance(result, GameUpdate) for result in results) == 1
    assert sum(isinstance(result, Refused | Stale) for result in results) == 1
    assert (await app.games.game(game.id)).game.turn_number == 1


async def test_of_two_takers_of_a_seek_one_plays(app: App) -> None:
    seek, _ = await app.lobby.challenge(ANN, None, BASIC, Side.LOT, HOME)
    takers = [app.lobby.accept_challenge(seek.challenge.id, Seat(user, str(user))) for user in (2, 3)]
    results = await asyncio.gather(*takers, return_exceptions=True)
    refusal = next(result for result in results if isinstance(result, BaseException))
    assert isinstance(refusal, Refused)
    assert refusal.why is Why.CHALLENGE_CLOSED
    assert len(await app.games.running_games(ANN.user)) == 1


async def test_r6_3_and_faq_7_the_third_time_makes_the_game_void(app: App) -> None:
    """The position after this turn has stood twice before: the game ends void, for nobody."""
    stored = (await begin_game(app)).stored
    played = await app.games.play_actions(stored.game.id, ANN.user, [E1])
    assert played.turn
    for times in (2, 3):
        await put(app, await app.games.game(stored.game.id), position=stored.game.position)
        played = await app.games.play_actions(stored.game.id, ANN.user, [E1])
        assert (played.game.status is Status.OVER) == (times == 3)
    assert played.game.position.result
    assert played.game.position.result.by is Reason.REPETITION
    assert played.game.position.result.winner is None


async def test_r6_3_the_start_counts_as_having_stood(app: App) -> None:
    """A game that comes back to its start twice is void: that position stands for the third time."""
    stored = (await begin_game(app)).stored
    back = stored.game.position
    for again in (2, 3):
        turn = replace(
            (await app.games.play_actions(stored.game.id, ANN.user, [E1])).turn, after=back, turn_number=again * 10
        )  # type: ignore[type-var]
        assert turn
        async with app.games.store.transaction() as db:
            assert await count_repetitions(db, turn, stored.game.id) == again
            before = (await games.load_game(db, stored.game.id)).game  # type: ignore[union-attr]
            after = replace(before, position=back, version=before.version + 1, turn_number=again * 10)
            await games.save_game(db, before, after, turn, by=1, how="typed", now=0)


async def test_who_ends_a_game_with_his_turn_is_told_when_it_ended(app: App, host: Host) -> None:
    """As whoever looks it up later is."""
    stored = (await begin_game(app)).stored
    position = parse_position("standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0")
    await put(app, stored, position=position)
    host.passes(60)
    done = await app.games.play_typed(stored.game.id, ANN.user, "xd2,d3,d4,d5,Gd6")
    assert done.stored.ended_at == host.now == (await app.games.game(stored.game.id)).ended_at


async def test_a_typed_turn_may_leave_a_choice_open(app: App) -> None:
    """What it decides is kept as a draft; the board is owed only when the turn is complete."""
    stored = (await deliver(app, await begin_game(app))).stored
    await put(app, stored, position=parse_position(CHOICE))
    half = await app.games.play_typed(stored.game.id, ANN.user, "b1-b5")
    assert (half.turn, half.owed, len(half.game.draft)) == (None, (), 1)
    assert (await app.games.game(stored.game.id)).game == half.game
    whole = await app.games.play_typed(stored.game.id, ANN.user, "xb2,b3,b4")
    assert whole.turn
    assert len(whole.owed) == 1


async def test_a_channel_that_refuses_makes_the_game_wait_for_another(app: App) -> None:
    """Nothing more is tried there; re-homed, its board is owed in the new place."""
    done = await begin_game(app)
    (owed,) = done.owed
    await app.outbox.note_channel_refusal(owed, "gone")
    assert (await app.games.game(done.game.id)).unreachable
    assert [brief.unreachable for brief in await app.games.waiting_games(ANN.user)] == [True]
    moved = await app.venues.relocate(done.game.id, Venue(10, 21))
    assert not moved.stored.unreachable
    (again,) = moved.owed
    assert again.channel == 21
    assert await app.outbox.lease_row(owed.id) is None


async def test_a_post_that_failed_is_tried_later_and_ever_more_rarely(app: App, host: Host) -> None:
    _, (first,) = await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    owed: OutboxRow | None = first
    waits = []
    for _ in range(14):
        assert owed
        assert await app.outbox.lease_row(owed.id) is None
        await app.outbox.retry_later(owed)
        began = host.now
        while not await app.outbox.deliverable_rows():
            host.passes(5)
        waits.append(host.now - began)
        owed = await app.outbox.lease_row(first.id)
    assert waits == sorted(waits)
    assert waits[0] < LEASE_SECONDS
    assert waits[-1] == LONGEST_WAIT


async def test_challenges_expire_after_a_week(app: App, host: Host) -> None:
    offered, _ = await app.lobby.challenge(ANN, None, BASIC, Side.LOT, HOME)
    assert await app.lobby.expire_challenges() == []
    assert [seek.challenge.id for seek in await app.lobby.open_seeks(10)] == [offered.challenge.id]
    host.passes(7 * 24 * 3600)
    assert await app.lobby.open_seeks(10) == []
    assert [late.challenge.id for late in await app.lobby.expire_challenges()] == [offered.challenge.id]
    assert await app.lobby.expire_challenges() == []


@pytest.mark.parametrize("id", [1, 2, 26, 27, 53, 1000, 12_345_678])
def test_a_games_name_is_read_back(id: int) -> None:
    assert parse_game_name(game_name(id)) == id
    assert parse_game_name(game_name(id).upper().removeprefix("#")) == id


@pytest.mark.parametrize("text", ["", "#", "a", "7", "#a0", "#a-1", "#aa1", "#a1 x", "#ä1", "#a\u0661"])
def test_what_is_no_games_name(text: str) -> None:
    assert parse_game_name(text) is None


def test_the_first_names() -> None:
    assert [game_name(id) for id in (1, 26, 27)] == ["#a1", "#z1", "#a2"]


async def test_a_challenge_that_nobody_can_see_is_closed(app: App) -> None:
    """Its channel refused it: nobody could ever answer it."""
    offered, (owed,) = await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await app.lobby.stored_challenge(offered.challenge.id)).challenge.state is RequestState.EXPIRED
    assert await app.outbox.deliverable_rows() == []


async def test_a_channel_that_takes_a_board_again_is_a_home_again(app: App) -> None:
    done = await begin_game(app)
    await app.outbox.note_channel_refusal(done.owed[0], "a passing refusal")
    played = await app.games.play_actions(done.game.id, ANN.user, [E1])
    await deliver(app, played)
    assert not (await app.games.game(done.game.id)).unreachable


async def test_an_end_asked_for_an_older_state_is_refused(app: App) -> None:
    """Somebody who agreed to end the game as it stood has not agreed to end it as it stands."""
    game = (await begin_game(app)).game
    await app.games.play_actions(game.id, ANN.user, [E1], 0)
    for end in (app.games.resign, app.games.cancel_game):
        with pytest.raises(Refused) as refusal:
            await end(game.id, ANN.user, 0)
        assert refusal.value.why is Why.STALE
    assert (await app.games.cancel_game(game.id, BOB.user, 1)).game.status is Status.CANCELLED
