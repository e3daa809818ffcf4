"""Reminders: one for each turn, when the time that the player has set for it has come, and never of what is past."""

from collections.abc import Callable
from dataclasses import dataclass

from gipfbot import match
from gipfbot.match import Game, Refused, ReminderWish, Why
from gipfbot.service.kit.batches import for_each
from gipfbot.service.settings.servers import vacation_ends
from gipfbot.store import Connection, DueRow, OutboxRow, Store, StoredGame, due, games, outbox, users
from gipfbot.store.outbox import LEASE_SECONDS

from . import digests

REMINDER = "reminder"  # a direct message
CHANNEL_REMINDER = "channel_reminder"  # what is said in the game's channel instead
NUDGE = "nudge"  # what the opponent has said there
NUDGE_AFTER = 24 * 3600  # seconds
WISHES: dict[str, ReminderWish | None] = {
    "50%": ReminderWish(50),
    "25%": ReminderWish(25),
    "10%": ReminderWish(10),
    "48h": ReminderWish(hours=48),
    "24h": ReminderWish(hours=24),
    "12h": ReminderWish(hours=12),
    "6h": ReminderWish(hours=6),
    "2h": ReminderWish(hours=2),
    "off": None,
}
DEFAULT_WISH, WISH_OFF = "25%", "off"
WISH_SETTING = "reminders"


@dataclass(frozen=True)
class ReminderSettings:
    """What a person has set: his wish by name, the running games he wants none of, whether his messages are shut."""

    wish: str
    quiet_games: tuple[int, ...]
    quiet_turns: tuple[int, ...]  # games in which it is the turn that waits for him alone
    dms_shut: bool


@dataclass(frozen=True)
class GameReminderSettings:
    """How a person is reminded in a running game of his: his wish by name, and whether he wants none there."""

    game: Game
    wish: str
    quiet: bool
    quiet_turn: bool  # of the turn that waits for him
    reminder_at: int | None  # when his reminder of this turn comes, None where none does any more


class Reminders:
    """Reminds players. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def owe_due_reminders(self) -> None:
        """Owe the reminders whose time has come, the longest due first; those wait that a digest makes needless."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, REMINDER, self.now())
        await for_each(self.store, late, self._owe_reminder)

    async def _owe_reminder(self, db: Connection, row: DueRow) -> None:
        stored = row.game and await games.load_game(db, row.game)
        if (
            not stored
            or _reminder_key(stored.game) != row.key
            or await digests.was_named_in_digest(db, row, stored.game.id, self.now())
        ):
            await due.finish_row(db, row.id, self.now())
            return
        clock = stored.game.clock
        if until := await digests.digest_wait_until(db, row.user, clock.deadline if clock else None):
            await due.postpone(db, row.key, until)
            return
        if await _reminder_time(db, stored.game) is None:  # turned off; a later time that he chooses may still come
            await due.unschedule(db, row.key)
            return
        if not await due.finish_row(db, row.id, self.now()):
            return
        if await users.dms_shut(db, row.user):
            await _owe_channel_reminder(db, stored, row.user, self.now())
        else:
            payload = {"game": stored.game.id, "key": row.key}
            await outbox.owe(db, row.key, REMINDER, row.user, payload, self.now())

    async def game_to_remind(self, owed: OutboxRow) -> StoredGame | None:
        """Return the game of a reminder that is owed; None where it has moved on, or he wants no reminder any more."""
        async with self.store.reading() as db:
            stored = await games.load_game(db, owed.payload["game"])
            if stored is None or _reminder_key(stored.game) != owed.payload["key"]:
                return None
            wanted = owed.kind == NUDGE or await _reminder_time(db, stored.game) is not None
            return stored if wanted and stored.game.asked is not None else None

    async def nudge(self, game_id: int, by: int, turn_serial: int) -> OutboxRow | None:
        """Return what is owed to the channel because a player asks for the turn of a game with this serial.

        Once for a turn, and not before a day has passed. Raises Refused.
        """
        async with self.store.transaction() as db:
            stored = await games.load_game(db, game_id)
            if stored is None:
                raise Refused(Why.NO_GAME)
            key = f"{NUDGE}:{_reminder_key(stored.game)}"
            user = await self._check_nudge(db, stored, by, turn_serial, key)
            payload = {"game": game_id, "key": _reminder_key(stored.game), "user": user}
            row = await outbox.owe(db, key, NUDGE, stored.venue.channel, payload, self.now(), game_id)
            return await outbox.lease(db, row, self.now(), LEASE_SECONDS)

    async def may_nudge(self, stored: StoredGame, by: int) -> bool:
        """Return whether a player may ask for the turn of a game now."""
        async with self.store.reading() as db:
            try:
                await self._check_nudge(
                    db, stored, by, stored.game.turn_serial, f"{NUDGE}:{_reminder_key(stored.game)}"
                )
            except Refused:
                return False
        return True

    async def _check_nudge(self, db: Connection, stored: StoredGame, by: int, turn_serial: int, key: str) -> int:
        """Return who is to move in a game; raise Refused unless this person may nudge him now."""
        game = stored.game
        colour = match.check_running_player(game, by)
        if turn_serial != game.turn_serial:
            raise Refused(Why.STALE)
        if colour is game.asked:
            raise Refused(Why.OWN_TURN)
        if await outbox.was_owed(db, key):
            raise Refused(Why.NUDGED)
        user = game.seats[colour.other].user
        runs = game.clock is not None and game.clock.deadline is not None  # then his vacation does not hold here
        if (until := (await vacation_ends(db, [user], stored.venue.server)).get(user)) and not runs:
            raise Refused(Why.OPPONENT_AWAY, until=until)
        may = await games.waiting_since(db, game.id) + NUDGE_AFTER
        if self.now() < may:
            raise Refused(Why.NUDGE_TOO_EARLY, at=may)
        return user

    async def note_dms_open(self, user: int) -> None:
        """Note that this person takes direct messages again: he has just used the bot in them."""
        async with self.store.reading() as db:
            shut = await users.dms_shut(db, user)
        if shut:
            async with self.store.transaction() as db:
                await users.set_dms_shut(db, user, False)

    async def reminder_settings(self, user: int) -> ReminderSettings:
        """Return what a person has set."""
        async with self.store.reading() as db:
            wish = await _wish_of(db, user)
            off = await users.quiet_games(db, user)
            running = [brief.id for brief in await games.running_games(db, user) if brief.id in off]
            quiet, turns = (tuple(id for id in running if off[id] is whole) for whole in (True, False))
            return ReminderSettings(wish, quiet, turns, await users.dms_shut(db, user))

    async def game_reminder_settings(self, user: int, game: int) -> GameReminderSettings:
        """Return how a person is reminded in a game. Raises Refused unless he plays it and it runs."""
        async with self.store.reading() as db:
            now = (await _own_running_game(db, user, game)).game
            quiet, turn = await users.quiet_in_game(db, user, game)
            at = await due.scheduled_for(db, _reminder_key(now)) if now.colour_of(user) is now.asked else None
            return GameReminderSettings(now, await _wish_of(db, user), quiet, turn == now.turn_serial, at)

    async def set_wish(self, user: int, wish: str) -> None:
        """Keep when a person wants to be reminded, a name among WISHES; but for "off" it holds for all games again.

        In the turns that wait for him it counts, too, unless that time has passed: he has just been here, and what
        waits for his digest goes on waiting. Raises Refused for another name.
        """
        if wish not in WISHES:
            raise Refused(Why.NOT_OFFERED, option="when", value=wish)
        async with self.store.transaction() as db:
            await users.set_setting(db, user, WISH_SETTING, wish)
            if wish != WISH_OFF:
                await users.end_all_quiet(db, user)
            for brief in await games.waiting_games(db, user):
                stored = await games.load_game(db, brief.id)
                assert stored
                await _replan_reminder(db, stored.game, self.now())

    # What is planned stays when it is turned off, and is looked at when it is due: so it still comes, and still waits
    # for a digest, where it is turned on again before.

    async def turn_off_for_game(self, user: int, game: int) -> None:
        """Note that a person wants no reminders of a running game of his. Raises Refused."""
        async with self.store.transaction() as db:
            await _own_running_game(db, user, game)
            await users.set_quiet(db, user, game)

    async def turn_off_for_turn(self, user: int, game: int, turn_serial: int) -> None:
        """Note that a person wants no reminders of his turn in a game that stands at this serial. Raises Refused."""
        async with self.store.transaction() as db:
            now = (await _own_running_game(db, user, game)).game
            if now.turn_serial != turn_serial or now.colour_of(user) is not now.asked:
                raise Refused(Why.STALE)
            await users.set_quiet_turn(db, user, game, turn_serial)

    async def turn_on_for_game(self, user: int, game: int) -> None:
        """Note that a person wants reminders of a running game of his again.

        Of the turn that waits for him, too, unless the time for that has passed: he has just been here. Raises Refused.
        """
        async with self.store.transaction() as db:
            now = (await _own_running_game(db, user, game)).game
            await users.end_quiet(db, user, game)
            if now.colour_of(user) is now.asked:
                await _replan_reminder(db, now, self.now())


async def _own_running_game(db: Connection, user: int, game: int) -> StoredGame:
    """Return a game that this person plays and that runs; raise Refused where it is none."""
    stored = await games.load_game(db, game)
    if stored is None:
        raise Refused(Why.NO_GAME)
    match.check_running_player(stored.game, user)
    return stored


async def _replan_reminder(db: Connection, game: Game, now: int) -> None:
    """Plan the reminder of a turn anew; where its moment has passed, what still waits, as for a digest, stays."""
    at = await _reminder_time(db, game)
    if at is None or at > now:
        await _reschedule_reminder(db, game, at)


async def remind_in_channel(db: Connection, owed: OutboxRow, now: int) -> None:
    """Owe a word in the game's channel instead of a reminder that is not taken."""
    stored = await games.load_game(db, owed.payload["game"])
    if stored and _reminder_key(stored.game) == owed.payload["key"]:
        await _owe_channel_reminder(db, stored, owed.channel, now)


async def _owe_channel_reminder(db: Connection, stored: StoredGame, user: int, now: int) -> None:
    game = stored.game
    if not stored.unreachable and await _reminder_time(db, game) is not None:
        payload = {"game": game.id, "key": _reminder_key(game), "user": user}
        await outbox.owe(
            db,
            f"{CHANNEL_REMINDER}:{_reminder_key(game)}",
            CHANNEL_REMINDER,
            stored.venue.channel,
            payload,
            now,
            game.id,
        )


async def plan_reminder(db: Connection, game: Game) -> None:
    """Write down when the player to move is reminded, in the transaction that starts, shifts or stops his clock."""
    if game.terms.time_control:
        await _reschedule_reminder(db, game, await _reminder_time(db, game))


async def _reschedule_reminder(db: Connection, game: Game, at: int | None) -> None:
    key = _reminder_key(game)
    await due.unschedule_in_game(db, REMINDER, game.id, key)
    if at is not None:
        await due.schedule(db, key, REMINDER, at, game.seats[game.position.mover].user, game.id)


def _reminder_key(game: Game) -> str:
    return f"{REMINDER}:{game.id}:{game.turn_serial}"


async def _reminder_time(db: Connection, game: Game) -> int | None:
    """Return when the player to move is to be reminded in this turn; None where his clock stands or he wants none."""
    if game.clock is None or game.clock.deadline is None:
        return None
    user = game.seats[game.position.mover].user
    wish = WISHES[await _wish_of(db, user)]
    quiet, turn = await users.quiet_in_game(db, user, game.id)
    if wish is None or quiet or turn == game.turn_serial:
        return None
    return match.remind_at(game, wish)


async def _wish_of(db: Connection, user: int) -> str:
    wish = (await users.settings_of_user(db, user)).get(WISH_SETTING)
    return wish if wish in WISHES else DEFAULT_WISH
