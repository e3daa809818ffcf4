"""The use cases on a real database: what is saved, what is owed, and what happens at the same moment."""

import asyncio
from dataclasses import replace

import pytest

from gipfbot.match import Refused, RequestState, Seat, Side, Status, Why
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, PUSHES, STANDARD, Kind, Reason
from gipfbot.service.delivery.outbox import LONGEST_WAIT
from gipfbot.service.kit.game_names import game_name, parse_game_name
from gipfbot.service.play.board_message import unpack_board
from gipfbot.service.play.turn import count_repetitions
from gipfbot.service.service import LEASE_SECONDS, GameUpdate, OutboxRow, Service, StoredGame, Venue
from gipfbot.store import Stale, games
from tests.match.helpers import CHOICE

from .conftest import Clock, posting

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME = Venue(10, 20)
E1 = PUSHES["e1", "e2", Kind.BASIC]


async def begun(service: Service) -> GameUpdate:
    offered, _ = await service.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    return (await service.accept_challenge(offered.challenge.id, BOB))[1]


async def put(service: Service, stored: StoredGame, **changes: object) -> None:
    """Save a game with other contents, as a test's beginning."""
    game = replace(stored.game, version=stored.game.version + 1, **changes)  # type: ignore[arg-type]
    async with service.store.transaction() as db:
        await games.save_game(db, stored.game, game, by=0, now=0)


async def posted(service: Service, done: GameUpdate) -> GameUpdate:
    """Post what is owed, as it were."""
    for owed in done.owed:
        await posting(service).note_delivered(owed, 1000 + owed.id)
    return done


async def test_an_accepted_challenge_is_a_game_whose_board_is_owed(service: Service) -> None:
    done = await begun(service)
    assert done.game.seats == (ANN, BOB)
    (claimed,) = done.owed
    board = unpack_board(done.game.id, claimed.payload)
    assert (board.turn_number, board.position, board.names) == (0, done.game.position, ("ann", "bob"))


async def test_a_turn_is_saved_with_the_board_it_owes(service: Service) -> None:
    """What the outbox holds tells the whole turn, so that it can be posted by another process, later."""
    begin = await posted(service, await begun(service))
    done = await service.play_actions(begin.game.id, ANN.user, [E1], 0)
    assert done.turn
    (claimed,) = done.owed
    board = unpack_board(done.game.id, claimed.payload)
    assert (board.text, board.before, board.position) == (done.turn.text, done.turn.before, done.turn.after)


async def test_the_boards_of_a_game_go_in_order(service: Service) -> None:
    """A board whose forerunner is still owed is nobody's to deliver until that is posted."""
    begin = await begun(service)
    done = await service.play_actions(begin.game.id, ANN.user, [E1])
    assert (done.turn is not None, done.owed, await posting(service).deliverable_rows()) == (True, (), [])
    await posted(service, begin)
    assert len(await posting(service).deliverable_rows(game=begin.game.id)) == 1


async def test_of_two_answers_at_once_one_counts(service: Service) -> None:
    """The other is refused, and one turn stands."""
    game = (await begun(service)).game
    answers = [service.play_actions(game.id, ANN.user, [E1], 0), service.play_typed(game.id, ANN.user, "e1-e3")]
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert sum(isinstance(result, GameUpdate) for result in results) == 1
    assert sum(isinstance(result, Refused | Stale) for result in results) == 1
    assert (await service.game(game.id)).game.turn_number == 1


async def test_of_two_takers_of_a_seek_one_plays(service: Service) -> None:
    seek, _ = await service.challenge(ANN, None, BASIC, Side.LOT, HOME)
    takers = [service.accept_challenge(seek.challenge.id, Seat(user, str(user))) for user in (2, 3)]
    results = await asyncio.gather(*takers, return_exceptions=True)
    refusal = next(result for result in results if isinstance(result, BaseException))
    assert isinstance(refusal, Refused)
    assert refusal.why is Why.CHALLENGE_CLOSED
    assert len(await service.running_games(ANN.user)) == 1


async def test_r6_3_and_faq_7_the_third_time_makes_the_game_void(service: Service) -> None:
    """The position after this turn has stood twice before: the game ends void, for nobody."""
    stored = (await begun(service)).stored
    played = await service.play_actions(stored.game.id, ANN.user, [E1])
    assert played.turn
    for times in (2, 3):
        await put(service, await service.game(stored.game.id), position=stored.game.position)
        played = await service.play_actions(stored.game.id, ANN.user, [E1])
        assert (played.game.status is Status.OVER) == (times == 3)
    assert played.game.position.result
    assert played.game.position.result.by is Reason.REPETITION
    assert played.game.position.result.winner is None


async def test_r6_3_the_start_counts_as_having_stood(service: Service) -> None:
    """A game that comes back to its start twice is void: that position stands for the third time."""
    stored = (await begun(service)).stored
    back = stored.game.position
    for again in (2, 3):
        turn = replace(
            (await service.play_actions(stored.game.id, ANN.user, [E1])).turn, after=back, turn_number=again * 10
        )  # type: ignore[type-var]
        assert turn
        async with service.store.transaction() as db:
            assert await count_repetitions(db, turn, stored.game.id) == again
            before = (await games.load_game(db, stored.game.id)).game  # type: ignore[union-attr]
            after = replace(before, position=back, version=before.version + 1, turn_number=again * 10)
            await games.save_game(db, before, after, turn, by=1, how="typed", now=0)


async def test_who_ends_a_game_with_his_turn_is_told_when_it_ended(service: Service, clock: Clock) -> None:
    """As whoever looks it up later is."""
    stored = (await begun(service)).stored
    position = parse_position("standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0")
    await put(service, stored, position=position)
    clock.time += 60
    done = await service.play_typed(stored.game.id, ANN.user, "xd2,d3,d4,d5,Gd6")
    assert done.stored.ended_at == clock.time == (await service.game(stored.game.id)).ended_at


async def test_a_typed_turn_may_leave_a_choice_open(service: Service) -> None:
    """What it decides is kept as a draft; the board is owed only when the turn is complete."""
    stored = (await posted(service, await begun(service))).stored
    await put(service, stored, position=parse_position(CHOICE))
    half = await service.play_typed(stored.game.id, ANN.user, "b1-b5")
    assert (half.turn, half.owed, len(half.game.draft)) == (None, (), 1)
    assert (await service.game(stored.game.id)).game == half.game
    whole = await service.play_typed(stored.game.id, ANN.user, "xb2,b3,b4")
    assert whole.turn
    assert len(whole.owed) == 1


async def test_a_channel_that_refuses_makes_the_game_wait_for_another(service: Service) -> None:
    """Nothing more is tried there; re-homed, its board is owed in the new place."""
    done = await begun(service)
    (owed,) = done.owed
    await posting(service).note_channel_refusal(owed, "gone")
    assert (await service.game(done.game.id)).unreachable
    assert [brief.unreachable for brief in await service.waiting_games(ANN.user)] == [True]
    moved = await service.relocate(done.game.id, Venue(10, 21))
    assert not moved.stored.unreachable
    (again,) = moved.owed
    assert again.channel == 21
    assert await posting(service).lease_row(owed.id) is None


async def test_a_post_that_failed_is_tried_later_and_ever_more_rarely(service: Service, clock: Clock) -> None:
    _, (first,) = await service.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    owed: OutboxRow | None = first
    waits = []
    for _ in range(14):
        assert owed
        assert await posting(service).lease_row(owed.id) is None
        await posting(service).retry_later(owed)
        began = clock.time
        while not await posting(service).deliverable_rows():
            clock.time += 5
        waits.append(clock.time - began)
        owed = await posting(service).lease_row(first.id)
    assert waits == sorted(waits)
    assert waits[0] < LEASE_SECONDS
    assert waits[-1] == LONGEST_WAIT


async def test_challenges_expire_after_a_week(service: Service, clock: Clock) -> None:
    offered, _ = await service.challenge(ANN, None, BASIC, Side.LOT, HOME)
    assert await service.expire_challenges() == []
    assert [seek.challenge.id for seek in await service.open_seeks(10)] == [offered.challenge.id]
    clock.time += 7 * 24 * 3600
    assert await service.open_seeks(10) == []
    assert [late.challenge.id for late in await service.expire_challenges()] == [offered.challenge.id]
    assert await service.expire_challenges() == []


@pytest.mark.parametrize("id", [1, 2, 26, 27, 53, 1000, 12_345_678])
def test_a_games_name_is_read_back(id: int) -> None:
    assert parse_game_name(game_name(id)) == id
    assert parse_game_name(game_name(id).upper().removeprefix("#")) == id


@pytest.mark.parametrize("text", ["", "#", "a", "7", "#a0", "#a-1", "#aa1", "#a1 x", "#ä1", "#a\u0661"])
def test_what_is_no_games_name(text: str) -> None:
    assert parse_game_name(text) is None


def test_the_first_names() -> None:
    assert [game_name(id) for id in (1, 26, 27)] == ["#a1", "#z1", "#a2"]


async def test_a_challenge_that_nobody_can_see_is_closed(service: Service) -> None:
    """Its channel refused it: nobody could ever answer it."""
    offered, (owed,) = await service.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    await posting(service).note_channel_refusal(owed, "forbidden")
    assert (await service.stored_challenge(offered.challenge.id)).challenge.state is RequestState.EXPIRED
    assert await posting(service).deliverable_rows() == []


async def test_a_channel_that_takes_a_board_again_is_a_home_again(service: Service) -> None:
    done = await begun(service)
    await posting(service).note_channel_refusal(done.owed[0], "a passing refusal")
    played = await service.play_actions(done.game.id, ANN.user, [E1])
    await posted(service, played)
    assert not (await service.game(done.game.id)).unreachable


async def test_an_end_asked_for_an_older_state_is_refused(service: Service) -> None:
    """Somebody who agreed to end the game as it stood has not agreed to end it as it stands."""
    game = (await begun(service)).game
    await service.play_actions(game.id, ANN.user, [E1], 0)
    for end in (service.resign, service.cancel_game):
        with pytest.raises(Refused) as refusal:
            await end(game.id, ANN.user, 0)
        assert refusal.value.why is Why.STALE
    assert (await service.cancel_game(game.id, BOB.user, 1)).game.status is Status.CANCELLED
