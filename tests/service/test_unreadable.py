"""An unreadable game: its commands say so, and nothing else waits for it."""

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text

from gipfbot.match import Refused, Terms, Why
from gipfbot.service.app import App
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import due, outbox
from gipfbot.values import Venue
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .helpers import Host, begun, lives_on, posted


async def spoil(app: App, *games: int) -> None:
    async with app.games.store.transaction() as db:
        for game in games:
            await db.execute(text(f"UPDATE games SET position = 'mush' WHERE id = {game}"))


async def sweep(app: App) -> None:
    """Sweep everything once, as the bot does."""
    await app.flag_watch.check_flags()
    await app.reminders.owe_due_reminders()
    await app.digests.owe_due_digests()
    await app.win_claims.settle_due_win_claims()
    await app.vacations.end_due_vacations()
    await app.undeliverable.retry_due_boards()
    await app.requests.close_expired()
    await app.lobby.expire_challenges()


COMMANDS: dict[str, Callable[[App, int], Awaitable[object]]] = {
    "look at it": lambda app, game_id: app.games.game(game_id),
    "play a turn": lambda app, game_id: app.games.play_typed(game_id, ANN.user, "c2"),
    "press a dot": lambda app, game_id: app.games.play_actions(game_id, ANN.user, [E1]),
    "resign": lambda app, game_id: app.games.resign(game_id, ANN.user),
    "cancel": lambda app, game_id: app.games.cancel_game(game_id, ANN.user),
    "take back": lambda app, game_id: app.requests.make(TAKEBACK, game_id, ANN.user),
    "claim": lambda app, game_id: app.win_claims.claim_win(game_id, BOB.user),
    "conditional": lambda app, game_id: app.conditionals.add_typed_line(game_id, BOB.user, "c2 g2"),
    "note": lambda app, game_id: app.notes.set_note(game_id, ANN.user, "mine"),
    "nudge": lambda app, game_id: app.reminders.nudge(game_id, BOB.user, 0),
    "record": lambda app, game_id: app.studies.record(game_id, ANN.user),
    "study": lambda app, game_id: app.studies.study_of_game(game_id, ANN.user),
    "rematch": lambda app, game_id: app.lobby.rematch(game_id, ANN),
    "move elsewhere": lambda app, game_id: app.venues.relocate(game_id, Venue(CLUB, 21)),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
async def test_every_command_on_an_unreadable_game_is_refused(
    app: App, command: Callable[[App, int], Awaitable[object]]
) -> None:
    game_id = await begun(app)
    await spoil(app, game_id)
    with pytest.raises(Refused) as refused:
        await command(app, game_id)
    assert (refused.value.why, refused.value.facts) == (Why.UNREADABLE, {"game": game_id})


async def test_sweeps_pass_an_unreadable_game_over(app: App, host: Host, caplog: pytest.LogCaptureFixture) -> None:
    """Flags, reminders, digests, claims and requests of other games are served. The log names it once."""
    timed, untimed = [[await begun(app, terms) for _ in range(2)] for terms in (THREE_DAYS, Terms())]
    for game_id in (*timed, *untimed):
        await app.games.play_typed(game_id, ANN.user, "c2")
        await app.requests.make(TAKEBACK, game_id, ANN.user)
    await posted(app.games.store)
    await app.digests.set_plan(BOB.user, 8, "Europe/Berlin")
    await sweep(app)
    await lives_on(app, host, 31 * DAY)
    for game_id in untimed:
        await app.win_claims.claim_win(game_id, ANN.user)
    await spoil(app, timed[0], untimed[0])
    for _ in range(3):
        await sweep(app)
        await lives_on(app, host, DAY)
    now = (await app.games.game(timed[1])).game.clock
    assert now
    assert now.flagged
    assert [brief.id for brief in await app.games.running_games(ANN.user)] == [timed[1], untimed[1]]
    assert (await app.games.listed_games(ANN.user))[1] == [timed[0], untimed[0]]
    assert {record.getMessage() for record in caplog.records} == {
        f"game {game_id} cannot be read and is left as it is" for game_id in (timed[0], untimed[0])
    }
    assert len(caplog.records) == 2


async def test_a_vacation_pauses_the_readable_games(app: App) -> None:
    broken, sound = [await begun(app) for _ in range(2)]
    await spoil(app, broken)
    await app.vacations.start_vacation(ANN.user, 5)
    clock = (await app.games.game(sound)).game.clock
    assert clock
    assert clock.deadline is None
    await app.vacations.end_vacation(ANN.user)


async def test_readable_games_still_leave_a_thread(app: App) -> None:
    broken, sound = [await begun(app) for _ in range(2)]
    thread = Venue(HOME.server, 30, HOME.channel)
    for game_id in (broken, sound):
        await app.venues.relocate(game_id, thread)
    await spoil(app, broken)
    await app.outbox.leave_thread(sound)
    assert (await app.games.game(sound)).venue == HOME


async def test_the_board_of_an_unreadable_game_is_posted_as_packed(app: App, host: Host) -> None:
    """The board was owed before the game was broken, and is posted late."""
    game_id = await begun(app)
    (owed,) = (await app.games.play_typed(game_id, ANN.user, "c2")).owed
    await spoil(app, game_id)
    host.passes(HOUR)
    assert (await app.undeliverable.board_to_post(owed)).text == "c2"
    await app.outbox.note_delivered(owed, 77)


async def test_a_refused_board_of_an_unreadable_game_is_not_retried(app: App) -> None:
    game_id = await begun(app)
    (owed,) = (await app.games.play_typed(game_id, ANN.user, "c2")).owed
    await spoil(app, game_id)
    await app.outbox.note_channel_refusal(owed, "forbidden")
    async with app.games.store.reading() as db:
        assert await due.unfinished_rows(db, "retry") == []
        assert await outbox.dropped_payload(db, owed.id) is not None
