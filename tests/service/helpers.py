"""Games of Ann, White, and Bob on a real database, on a host whose clock a test moves."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from gipfbot.match import UNTIMED, Clock, Game, Refused, Seat, Side, Terms, Why, restart_game_clock
from gipfbot.match.conditionals import ConditionalLine
from gipfbot.notation import parse_action_code
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, Position, Ruleset
from gipfbot.service.app import App
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, unpack_board
from gipfbot.service.kit.loaded_games import GameUpdate, require_game
from gipfbot.store import Connection, Store, conditionals, games, meta, tables
from gipfbot.values import OutboxRow, Stale, StoredGame, Venue
from tests.support.background_work import do_next_task
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import NOW


@dataclass
class Host:
    """The host's clock, which a test sets, and a monotonic clock."""

    now: int = NOW
    ticks: float = 0

    def passes(self, seconds: int) -> None:
        """Let time pass."""
        self.now += seconds
        self.ticks += seconds


async def begin_game(
    app: App, terms: Terms = UNTIMED, ruleset: Ruleset = STANDARD, venue: Venue = HOME, black: Seat = BOB
) -> GameUpdate:
    """Return a new game of Ann, White, and somebody else, whose first board is owed."""
    stored, _ = await app.lobby.challenge(ANN, black, ruleset, Side.WHITE, venue, terms)
    return (await app.lobby.accept_challenge(stored.challenge.id, black))[1]


async def begun(app: App, terms: Terms = THREE_DAYS, ruleset: Ruleset = STANDARD) -> int:
    """Return a game of Ann, White, and Bob, whose first board is posted."""
    update = await begin_game(app, terms, ruleset)
    await posted(app.games.store)
    return update.game.id


async def play_texts(app: App, game_id: int, texts: Sequence[str]) -> None:
    """Play these turns, Ann's and Bob's, from the start of a game."""
    for number, text in enumerate(texts):
        await app.games.play_typed(game_id, BOB.user if number % 2 else ANN.user, text)


async def play_on(app: App, game_id: int, *texts: str) -> None:
    """Play these turns, each by the player who is asked."""
    for text in texts:
        game = (await app.games.game(game_id)).game
        assert game.asked is not None
        await app.games.play_typed(game_id, game.seats[game.asked].user, text)


async def basic_game_after(app: App, turns: int = 0, terms: Terms = THREE_DAYS) -> int:
    """Return a Basic game of Ann, White, and Bob after so many turns."""
    game = (await begin_game(app, terms, BASIC)).game
    await play_texts(app, game.id, TURNS[:turns])
    return game.id


async def posted(store: Store) -> None:
    """Note all boards that are owed as posted when they became due."""
    async with store.transaction() as db:
        row = tables.outbox.c
        owed = row.kind == BOARD, row.done_at.is_(None)
        settled = {"done_at": row.created_at, "message": row.id, "caused_by": None}
        await db.execute(update(tables.outbox).where(*owed).values(settled))


async def passes(flag_watch: FlagWatch, host: Host, seconds: int) -> None:
    """Let time pass while the bot is alive and posts all boards; then check the flags."""
    await posted(flag_watch.store)
    await waits(flag_watch, host, seconds)


async def waits(flag_watch: FlagWatch, host: Host, seconds: int) -> None:
    """Let time pass while the bot is alive and posts nothing; then check the flags."""
    host.passes(seconds - 60)
    async with flag_watch.store.transaction() as db:
        await meta.save_value(db, LAST_ALIVE_KEY, str(host.now))
    host.passes(60)
    await flag_watch.check_flags()


async def lives_on(app: App, host: Host, seconds: int) -> None:
    """Let time pass while the bot is alive."""
    host.passes(seconds)
    async with app.games.store.transaction() as db:
        await downtime.note_alive(db, host.now)


async def clock_of(app: App, game_id: int) -> Clock:
    """Return the clock of a game that has one."""
    found = (await app.games.game(game_id)).game.clock
    assert found
    return found


async def boards(app: App) -> list[BoardMessage]:
    """Return all boards that were ever owed, oldest first."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [unpack_board(row.game, row.payload) for row in rows if row.kind == BOARD]


async def put(app: App, stored: StoredGame, **changes: object) -> None:
    """Save a game with these fields changed."""
    game = replace(stored.game, version=stored.game.version + 1, **changes)  # type: ignore[arg-type]
    async with app.games.store.transaction() as db:
        await games.save_game(db, stored.game, game, by=0, now=0)


async def repeat(db: Connection, game_id: int, position_hash: str) -> None:
    """Record that a position has stood twice before in a game."""
    for number in (-1, -2):
        row = {"game": game_id, "turn_number": number, "colour": 0, "text": "", "actions": "", "by": 0, "how": ""}
        await db.execute(insert(tables.turns).values(**row, played_at=0, position_hash=position_hash))


async def refused(work: Awaitable[object]) -> tuple[Why, dict[str, Any]]:
    """Return why something is refused, and the facts about it."""
    with pytest.raises(Refused) as refusal:
        await work
    return refusal.value.why, refusal.value.facts


async def why_refused(work: Awaitable[object]) -> Why:
    """Return why something is refused."""
    return (await refused(work))[0]


async def assert_refused(why: Why, work: Awaitable[object]) -> dict[str, Any]:
    """Assert that something is refused for this reason; return the facts about it."""
    found, facts = await refused(work)
    assert found is why
    return facts


async def delete_all(app: App, user: int) -> None:
    """Delete all that is stored about a person."""
    assert await app.deletions.begin(user) is not None
    await app.deletions.finish(user)


async def offered(app: App, to: Seat | None = BOB, home: Venue = HOME, takers: int = 1) -> int:
    """Return a challenge by Ann, who will be White."""
    return (await app.lobby.challenge(ANN, to, STANDARD, Side.WHITE, home, takers=takers))[0].challenge.id


async def deliver(app: App, done: GameUpdate) -> GameUpdate:
    """Note what is owed as posted."""
    for owed in done.owed:
        await app.outbox.note_delivered(owed, 1000 + owed.id)
    return done


async def messages(store: Store, *kinds: str) -> list[tuple[str, int]]:
    """Return all messages of these kinds that were ever owed, by kind and target."""
    async with store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [(row.kind, row.channel) for row in rows if row.kind in kinds]


async def lease_next(app: App, *kinds: str) -> OutboxRow:
    """Return the next message of these kinds that is owed, leased; what is owed before it is posted."""
    while True:
        for row_id in await app.outbox.deliverable_rows():
            row = await app.outbox.lease_row(row_id)
            assert row
            if row.kind in kinds:
                return row
            await app.outbox.note_delivered(row, row.id)


async def lease_only(app: App, kind: str) -> OutboxRow:
    """Return the only message of a kind that is owed; all that is owed is leased."""
    rows = [await app.outbox.lease_row(row) for row in await app.outbox.deliverable_rows()]
    (found,) = [row for row in rows if row and row.kind == kind]
    return found


async def overboard_at(app: App, position: Position, terms: Terms = UNTIMED) -> int:
    """Return a game of Overboard of Ann, White, and Bob at this position, whose board is posted.

    The clock of the player to move starts now.
    """
    stored = (await begin_game(app, terms, OVERBOARD)).stored
    placed = replace(stored.game, position=position)
    await put(app, stored, position=position, clock=restart_game_clock(placed, app.games.now(), None).clock)
    async with app.games.store.transaction() as db:
        await reminders.plan_reminder(db, (await require_game(db, stored.game.id)).game)
    await posted(app.games.store)
    return stored.game.id


async def play_codes(app: App, game_id: int, by: int, *codes: str) -> GameUpdate:
    """Let a player play actions by their codes, such as `a4b4` and `xe:`."""
    return await app.games.play_actions(game_id, by, [parse_action_code(code) for code in codes])


async def stored_lines(app: App, game_id: int) -> list[ConditionalLine]:
    """Return all conditional lines of a game."""
    async with app.games.store.reading() as db:
        return await conditionals.conditional_lines(db, game_id)


async def at_once(*works: Awaitable[Any]) -> tuple[list[Any], list[BaseException]]:
    """Do all at once. Return what came of those that were done, and why the others were refused."""
    results = await asyncio.gather(*works, return_exceptions=True)
    failed = [result for result in results if isinstance(result, BaseException)]
    assert all(isinstance(each, Refused | Stale) for each in failed), failed
    return [result for result in results if not isinstance(result, BaseException)], failed


async def let_house_act(app: App, game_id: int) -> Game:
    """Let the house player do all that is due. Return the game after it."""
    while await do_next_task(app):
        pass
    return (await app.games.game(game_id)).game
