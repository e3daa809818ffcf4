"""A game that cannot be read: whoever wants something in it is told so, and nothing else waits for it."""

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text

from gipfbot.match import Refused, Seat, Side, Terms, Why, days_per_turn
from gipfbot.match.clock import DAY, HOUR
from gipfbot.rules import PUSHES, STANDARD, Kind
from gipfbot.service.app import App
from gipfbot.service.clock import downtime
from gipfbot.store import due, outbox
from gipfbot.values import Venue

from .conftest import Clock, posted

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME = Venue(10, 20)
E1 = PUSHES["e1", "e2", Kind.BASIC]
TIMED = Terms(days_per_turn(3))


async def begun(service: App, terms: Terms = TIMED) -> int:
    """Return a new game of Ann, White, and Bob; its board is posted."""
    offered, _ = await service.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME, terms)
    id = (await service.lobby.accept_challenge(offered.challenge.id, BOB))[1].game.id
    await posted(service.games.store)
    return id


async def spoil(service: App, *games: int) -> None:
    async with service.games.store.transaction() as db:
        for game in games:
            await db.execute(text(f"UPDATE games SET position = 'mush' WHERE id = {game}"))


async def sweep(service: App) -> None:
    """Look after everything once, as the bot does all the time."""
    await service.flag_watch.check_flags()
    await service.reminders.owe_due_reminders()
    await service.digests.owe_due_digests()
    await service.win_claims.settle_due_win_claims()
    await service.vacations.end_due_vacations()
    await service.undeliverable.retry_due_boards()
    await service.takebacks.close_stale_requests()
    await service.lobby.expire_challenges()


async def lives_on(service: App, clock: Clock, seconds: int) -> None:
    """Let time pass in which the bot is there."""
    clock.time += seconds
    async with service.games.store.transaction() as db:
        await downtime.note_alive(db, clock.time)


COMMANDS: dict[str, Callable[[App, int], Awaitable[object]]] = {
    "look at it": lambda service, id: service.games.game(id),
    "play a turn": lambda service, id: service.games.play_typed(id, ANN.user, "c2"),
    "press a dot": lambda service, id: service.games.play_actions(id, ANN.user, [E1]),
    "resign": lambda service, id: service.games.resign(id, ANN.user),
    "cancel": lambda service, id: service.games.cancel_game(id, ANN.user),
    "take back": lambda service, id: service.takebacks.request_takeback(id, ANN.user),
    "claim": lambda service, id: service.win_claims.claim_win(id, BOB.user),
    "conditional": lambda service, id: service.conditionals.add_typed_line(id, BOB.user, "c2 g2"),
    "note": lambda service, id: service.notes.set_note(id, ANN.user, "mine"),
    "nudge": lambda service, id: service.reminders.nudge(id, BOB.user, 0),
    "record": lambda service, id: service.studies.record(id),
    "study": lambda service, id: service.studies.study_of_game(id, ANN.user),
    "rematch": lambda service, id: service.lobby.rematch(id, ANN),
    "move elsewhere": lambda service, id: service.venues.relocate(id, Venue(10, 21)),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
async def test_every_command_on_it_is_refused(service: App, command: Callable[[App, int], Awaitable[object]]) -> None:
    id = await begun(service)
    await spoil(service, id)
    with pytest.raises(Refused) as refused:
        await command(service, id)
    assert (refused.value.why, refused.value.facts) == (Why.UNREADABLE, {"game": id})


async def test_sweeps_pass_it_over_and_serve_the_others(
    service: App, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """Flags, reminders, digests, claims and requests; the log names it once."""
    timed, untimed = [[await begun(service, terms) for _ in range(2)] for terms in (TIMED, Terms())]
    for id in (*timed, *untimed):
        await service.games.play_typed(id, ANN.user, "c2")
        await service.takebacks.request_takeback(id, ANN.user)
    await posted(service.games.store)
    await service.digests.set_plan(BOB.user, 8, "Europe/Berlin")
    await sweep(service)
    await lives_on(service, clock, 31 * DAY)
    for id in untimed:
        await service.win_claims.claim_win(id, ANN.user)
    await spoil(service, timed[0], untimed[0])
    for _ in range(3):
        await sweep(service)
        await lives_on(service, clock, DAY)
    now = (await service.games.game(timed[1])).game.clock
    assert now
    assert now.flagged
    assert [brief.id for brief in await service.games.running_games(ANN.user)] == [timed[1], untimed[1]]
    assert await service.games.unreadable_games(ANN.user) == [timed[0], untimed[0]]
    assert {record.getMessage() for record in caplog.records} == {
        f"game {id} cannot be read and is left as it is" for id in (timed[0], untimed[0])
    }
    assert len(caplog.records) == 2


async def test_a_vacation_stops_the_clocks_of_the_others(service: App) -> None:
    broken, sound = [await begun(service) for _ in range(2)]
    await spoil(service, broken)
    await service.vacations.start_vacation(ANN.user, 5)
    clock = (await service.games.game(sound)).game.clock
    assert clock
    assert clock.deadline is None
    await service.vacations.end_vacation(ANN.user)


async def test_other_games_still_leave_a_thread(service: App) -> None:
    broken, sound = [await begun(service) for _ in range(2)]
    thread = Venue(HOME.server, 30, HOME.channel)
    for id in (broken, sound):
        await service.venues.relocate(id, thread)
    await spoil(service, broken)
    await service.outbox.leave_thread(sound)
    assert (await service.games.game(sound)).venue == HOME


async def test_its_board_is_posted_as_it_was_packed(service: App, clock: Clock) -> None:
    """The board was owed before the game was broken, and is posted late."""
    id = await begun(service)
    (owed,) = (await service.games.play_typed(id, ANN.user, "c2")).owed
    await spoil(service, id)
    clock.time += HOUR
    assert (await service.undeliverable.board_to_post(owed)).text == "c2"
    await service.outbox.note_delivered(owed, 77)


async def test_a_board_of_it_that_is_refused_is_not_tried_again(service: App) -> None:
    id = await begun(service)
    (owed,) = (await service.games.play_typed(id, ANN.user, "c2")).owed
    await spoil(service, id)
    await service.outbox.note_channel_refusal(owed, "forbidden")
    async with service.games.store.reading() as db:
        assert await due.unfinished_rows(db, "retry") == []
        assert await outbox.dropped_payload(db, owed.id) is not None
