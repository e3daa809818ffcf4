"""Reminders: one for each turn, when the time that the player has set for it has come, and never of what is past."""

from collections.abc import Callable
from dataclasses import dataclass

from gipfbot import match
from gipfbot.match import Game, Refused, ReminderWish, Why
from gipfbot.store import Connection, Due, Owed, Store, Stored, due, games, outbox, users
from gipfbot.store.outbox import LEASE

from . import digests
from .batches import each
from .servers import away

REMINDER = "reminder"  # a direct message
CALL = "call"  # what is said in the game's channel instead
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
DEFAULT, OFF = "25%", "off"
SETTING = "reminders"


@dataclass(frozen=True)
class Reminding:
    """What a person has set: his wish by name, the running games he wants none of, whether his messages are shut."""

    wish: str
    quiet: tuple[int, ...]
    quiet_turns: tuple[int, ...]  # games in which it is the turn that waits for him alone
    shut: bool


@dataclass(frozen=True)
class RemindingIn:
    """How a person is reminded in a running game of his: his wish by name, and whether he wants none there."""

    game: Game
    wish: str
    quiet: bool
    quiet_turn: bool  # of the turn that waits for him
    at: int | None  # when his reminder of this turn comes, None where none does any more


class Reminders:
    """Reminds players. `now` tells UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def remind(self) -> None:
        """Owe the reminders whose time has come, the longest due first; those wait that a digest makes needless."""
        async with self.store.reading() as db:
            late = await due.ready(db, REMINDER, self.now())
        await each(self.store, late, self._owe)

    async def _owe(self, db: Connection, row: Due) -> None:
        stored = row.game and await games.load_game(db, row.game)
        if not stored or _key(stored.game) != row.key or await digests.told(db, row, stored.game.id, self.now()):
            await due.done(db, row.id, self.now())
            return
        clock = stored.game.clock
        if until := await digests.covers(db, row.user, clock.deadline if clock else None):
            await due.put_off(db, row.key, until)
            return
        if await _moment(db, stored.game) is None:  # turned off; a later time that he chooses may still come
            await due.cancel(db, row.key)
            return
        if not await due.done(db, row.id, self.now()):
            return
        if await users.dms_shut(db, row.user):
            await _call(db, stored, row.user, self.now())
        else:
            payload = {"game": stored.game.id, "key": row.key}
            await outbox.owe(db, row.key, REMINDER, row.user, payload, self.now())

    async def fresh(self, owed: Owed) -> Stored | None:
        """Return the game of a reminder that is owed; None where it has moved on, or he wants no reminder any more."""
        async with self.store.reading() as db:
            stored = await games.load_game(db, owed.payload["game"])
            if stored is None or _key(stored.game) != owed.payload["key"]:
                return None
            wanted = owed.kind == NUDGE or await _moment(db, stored.game) is not None
            return stored if wanted and stored.game.asked is not None else None

    async def nudge(self, id: int, by: int, serial: int) -> Owed | None:
        """Return what is owed to the channel because a player asks for the turn of a game with this serial.

        Once for a turn, and not before a day has passed. Raises Refused.
        """
        async with self.store.transaction() as db:
            stored = await games.load_game(db, id)
            if stored is None:
                raise Refused(Why.NO_GAME)
            key = f"{NUDGE}:{_key(stored.game)}"
            user = await self._nudged(db, stored, by, serial, key)
            payload = {"game": id, "key": _key(stored.game), "user": user}
            row = await outbox.owe(db, key, NUDGE, stored.home.channel, payload, self.now(), id)
            return await outbox.claim(db, row, self.now(), LEASE)

    async def may_nudge(self, stored: Stored, by: int) -> bool:
        """Return whether a player may ask for the turn of a game now."""
        async with self.store.reading() as db:
            try:
                await self._nudged(db, stored, by, stored.game.turn_serial, f"{NUDGE}:{_key(stored.game)}")
            except Refused:
                return False
        return True

    async def _nudged(self, db: Connection, stored: Stored, by: int, serial: int, key: str) -> int:
        """Return who is to move in a game; raise Refused unless this person may nudge him now."""
        game = stored.game
        colour = match.check_running_player(game, by)
        if serial != game.turn_serial:
            raise Refused(Why.STALE)
        if colour is game.asked:
            raise Refused(Why.OWN_TURN)
        if await outbox.known(db, key):
            raise Refused(Why.NUDGED)
        user = game.seats[colour.other].user
        runs = game.clock is not None and game.clock.deadline is not None  # then his vacation does not hold here
        if (until := (await away(db, [user], stored.home.server)).get(user)) and not runs:
            raise Refused(Why.OPPONENT_AWAY, until=until)
        may = await games.waiting_since(db, game.id) + NUDGE_AFTER
        if self.now() < may:
            raise Refused(Why.NUDGE_TOO_EARLY, at=may)
        return user

    async def reopen(self, user: int) -> None:
        """Note that this person takes direct messages again: he has just used the bot in them."""
        async with self.store.reading() as db:
            shut = await users.dms_shut(db, user)
        if shut:
            async with self.store.transaction() as db:
                await users.set_dms_shut(db, user, False)

    async def reminding(self, user: int) -> Reminding:
        """Return what a person has set."""
        async with self.store.reading() as db:
            wish = await _wish(db, user)
            off = await users.quiet_games(db, user)
            running = [brief.id for brief in await games.running_games(db, user) if brief.id in off]
            quiet, turns = (tuple(id for id in running if off[id] is whole) for whole in (True, False))
            return Reminding(wish, quiet, turns, await users.dms_shut(db, user))

    async def reminding_in(self, user: int, game: int) -> RemindingIn:
        """Return how a person is reminded in a game. Raises Refused unless he plays it and it runs."""
        async with self.store.reading() as db:
            now = (await _own(db, user, game)).game
            quiet, turn = await users.quiet(db, user, game)
            at = await due.open_until(db, _key(now)) if now.colour_of(user) is now.asked else None
            return RemindingIn(now, await _wish(db, user), quiet, turn == now.turn_serial, at)

    async def wish(self, user: int, wish: str) -> None:
        """Keep when a person wants to be reminded, a name among WISHES; but for "off" it holds for all games again.

        In the turns that wait for him it counts, too, unless that time has passed: he has just been here, and what
        waits for his digest goes on waiting. Raises Refused for another name.
        """
        if wish not in WISHES:
            raise Refused(Why.NOT_OFFERED, option="when", value=wish)
        async with self.store.transaction() as db:
            await users.set_setting(db, user, SETTING, wish)
            if wish != OFF:
                await users.hear_all(db, user)
            for brief in await games.waiting_games(db, user):
                stored = await games.load_game(db, brief.id)
                assert stored
                await _plan_again(db, stored.game, self.now())

    # What is planned stays when it is turned off, and is looked at when it is due: so it still comes, and still waits
    # for a digest, where it is turned on again before.

    async def off(self, user: int, game: int) -> None:
        """Note that a person wants no reminders of a running game of his. Raises Refused."""
        async with self.store.transaction() as db:
            await _own(db, user, game)
            await users.set_quiet(db, user, game)

    async def off_for_turn(self, user: int, game: int, serial: int) -> None:
        """Note that a person wants no reminders of his turn in a game that stands at this serial. Raises Refused."""
        async with self.store.transaction() as db:
            now = (await _own(db, user, game)).game
            if now.turn_serial != serial or now.colour_of(user) is not now.asked:
                raise Refused(Why.STALE)
            await users.set_quiet_turn(db, user, game, serial)

    async def on(self, user: int, game: int) -> None:
        """Note that a person wants reminders of a running game of his again.

        Of the turn that waits for him, too, unless the time for that has passed: he has just been here. Raises Refused.
        """
        async with self.store.transaction() as db:
            now = (await _own(db, user, game)).game
            await users.hear(db, user, game)
            if now.colour_of(user) is now.asked:
                await _plan_again(db, now, self.now())


async def _own(db: Connection, user: int, game: int) -> Stored:
    """Return a game that this person plays and that runs; raise Refused where it is none."""
    stored = await games.load_game(db, game)
    if stored is None:
        raise Refused(Why.NO_GAME)
    match.check_running_player(stored.game, user)
    return stored


async def _plan_again(db: Connection, game: Game, now: int) -> None:
    """Plan the reminder of a turn anew; where its moment has passed, what still waits, as for a digest, stays."""
    at = await _moment(db, game)
    if at is None or at > now:
        await _write(db, game, at)


async def call_instead(db: Connection, owed: Owed, now: int) -> None:
    """Owe a word in the game's channel instead of a reminder that is not taken."""
    stored = await games.load_game(db, owed.payload["game"])
    if stored and _key(stored.game) == owed.payload["key"]:
        await _call(db, stored, owed.channel, now)


async def _call(db: Connection, stored: Stored, user: int, now: int) -> None:
    game = stored.game
    if not stored.homeless and await _moment(db, game) is not None:
        payload = {"game": game.id, "key": _key(game), "user": user}
        await outbox.owe(db, f"{CALL}:{_key(game)}", CALL, stored.home.channel, payload, now, game.id)


async def plan(db: Connection, game: Game) -> None:
    """Write down when the player to move is reminded, in the transaction that starts, shifts or stops his clock."""
    if game.terms.time_control:
        await _write(db, game, await _moment(db, game))


async def _write(db: Connection, game: Game, at: int | None) -> None:
    key = _key(game)
    await due.forget(db, REMINDER, game.id, key)
    if at is not None:
        await due.put(db, key, REMINDER, at, game.seats[game.position.mover].user, game.id)


def _key(game: Game) -> str:
    return f"{REMINDER}:{game.id}:{game.turn_serial}"


async def _moment(db: Connection, game: Game) -> int | None:
    """Return when the player to move is to be reminded in this turn; None where his clock stands or he wants none."""
    if game.clock is None or game.clock.deadline is None:
        return None
    user = game.seats[game.position.mover].user
    wish = WISHES[await _wish(db, user)]
    quiet, turn = await users.quiet(db, user, game.id)
    if wish is None or quiet or turn == game.turn_serial:
        return None
    return match.remind_at(game, wish)


async def _wish(db: Connection, user: int) -> str:
    wish = (await users.settings(db, user)).get(SETTING)
    return wish if wish in WISHES else DEFAULT
