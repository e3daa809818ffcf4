"""Reminders: one for each turn, when the player wants it or at the default time. Also nudges by the opponent.

In a game without a time limit the player to move is reminded once a week, MOST_WEEKLY times a turn; in a private game,
once a turn and never in a channel. One due row looks after the whole game, so a turn plans nothing. The key of the row
says which reminder of which turn is the next.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gipfbot import match
from gipfbot.match import DAY, Game, Refused, ReminderWish, Status, Why
from gipfbot.service.delivery.untold import note_untold
from gipfbot.service.kit.batches import BATCH_SIZE, BatchWork, for_each
from gipfbot.service.kit.loaded_games import require_game, require_running_game
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller, rows_of_standing_turns
from gipfbot.service.settings.users import WISHES, UserSettings, check_not_blocked, load_user_settings
from gipfbot.service.settings.vacation_days import decider_away_until, vacation_end
from gipfbot.store import Connection, Store, due, game_lists, games, outbox, users
from gipfbot.values import DueRow, OutboxRow, SettledRow, StoredGame

from . import digests, downtime
from .digests import DigestPlan, digest_plan

REMINDER = MessageKind("reminder", "reminder", direct=True)  # and the kind of a due row
CHANNEL_REMINDER = MessageKind("channel_reminder", "reminder in the channel", people=("user",))  # if DMs are shut
NUDGE = MessageKind("nudge", "nudge", people=("user",))  # at the opponent's request
NEW_WISH = "new_wish"  # the kind of a due row: all reminders of a person have to be planned anew
NUDGE_AFTER = 24 * 3600  # seconds of a turn before a nudge is allowed
WISH_OFF = "off"
WEEKLY = "weekly_reminder"  # the kind of the due row of a game without a time limit; it concerns no person by name
WEEK, MOST_WEEKLY = 7 * DAY, 4  # seconds between two reminders of such a game; how many a turn has
MOST_PRIVATELY = 1  # how many a turn has in a private game


@dataclass(frozen=True)
class ReminderSettings:
    """A person's reminder settings for all their games, and whether they accept no direct messages."""

    wish: str  # a name in WISHES
    quiet_games: tuple[int, ...]  # running games without reminders
    quiet_turns: tuple[int, ...]  # running games without a reminder of the current turn
    dms_shut: bool  # whether the person accepts no direct messages
    digest: DigestPlan


@dataclass(frozen=True)
class GameReminderSettings:
    """A person's reminder settings in one of their running games."""

    game: Game
    wish: str  # a name in WISHES
    quiet: bool  # whether reminders are off for this game
    quiet_turn: bool  # whether the reminder is off for the current turn
    reminder_at: int | None  # when the next reminder of the current turn comes, in UTC seconds; None if none will come
    dms_shut: bool  # whether the person accepts no direct messages
    digest: DigestPlan


class Reminders:
    """Operations on reminders and nudges. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._new_wishes = BatchWork(store, NEW_WISH, self._replan_games)

    async def owe_due_reminders(self) -> None:
        """Queue the reminders whose time has come, the longest due first.

        A reminder is put off if a digest may replace it.
        """
        async with self.store.reading() as db:
            late = await due.ready_rows(db, REMINDER, self.now())
        await for_each(self.store, late, self._owe_reminder, due.lock_tasks)

    async def _owe_reminder(self, db: Connection, row: DueRow) -> None:
        stored = row.game and await games.load_game(db, row.game)
        if not stored or await self._is_needless(db, row, stored.game):
            await due.finish_row(db, row.id, self.now())
            return
        clock = stored.game.clock
        if until := await digests.digest_wait_until(db, row.user, clock.deadline if clock else None, self.now()):
            await due.postpone(db, row.key, until)
            return
        if await _reminder_time(db, stored.game) is None:  # turned off, but the player may still choose a later time
            await due.unschedule(db, row.key)
            return
        if not await due.finish_row(db, row.id, self.now()):
            return
        if await users.dms_shut(db, row.user, self.now()):
            await _owe_channel_reminder(db, stored, row.user, self.now())
        else:
            payload = {"game": stored.game.id, "key": row.key}
            await outbox.owe(db, row.key, REMINDER, row.user, payload, self.now())

    async def _is_needless(self, db: Connection, row: DueRow, game: Game) -> bool:
        """Return whether a reminder is needless, because its turn is over or a digest has named its game.

        The game may have ended after the row was read.
        """
        if game.status is not Status.RUNNING or _reminder_key(game) != row.key:
            return True
        return await digests.was_named_in_digest(db, row, game.id, self.now())

    async def plan_weekly_reminders(self) -> None:
        """Plan the reminders of running games without a time limit that have none, as an older version has left them.

        The first comes after a day at the earliest, so that not everybody is reminded at once.
        """
        async with self.store.transaction() as db:
            await due.schedule_in_untimed_games(db, WEEKLY, WEEK, self.now() + DAY)

    async def owe_weekly_reminders(self) -> None:
        """Queue the reminders of games without a time limit whose time has come, the longest due first."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, WEEKLY, self.now())
        await for_each(self.store, late, self._owe_weekly, due.lock_tasks)

    async def _owe_weekly(self, db: Connection, row: DueRow) -> None:
        """Queue the reminder of a turn that has waited for a week, and plan the next one.

        If the player wants none, has a digest or is on vacation, look again after a day, or when the vacation ends.
        """
        stored, now = row.game and await games.load_game(db, row.game), self.now()
        if not stored or stored.waiting_since is None:  # the game is over
            await due.unschedule(db, row.key)
            return
        game, number, week_over = stored.game, _weekly_number(row.key, stored.game), stored.waiting_since + WEEK
        user = game.seats[game.decider].user
        if now < week_over:
            await due.reschedule(db, row.id, now, week_over)
        elif number > _most_reminders(stored):
            await due.reschedule(db, row.id, now, now + WEEK)
        elif not await _is_wanted(db, stored, now) or await digests.next_digest(db, user, now):
            away_until = await decider_away_until(db, stored, game, now)
            await due.reschedule(db, row.id, now, min(now + DAY, away_until or now + DAY))
        elif await due.reschedule(db, row.id, now, now + WEEK, _weekly_key(game, number + 1)):
            await _owe_numbered(db, stored, user, number, now)

    async def game_to_remind(self, owed: OutboxRow) -> StoredGame | None:
        """Return the game of a queued reminder or nudge.

        Return None if its turn is over, if a later reminder of the turn was queued, if the plan of reminders has begun
        anew, or if it is no longer wanted. Also return None if credit has moved its time later.
        """
        async with self.store.reading() as db:
            stored = await games.load_game(db, owed.payload["game"])
            if stored is None or stored.game.asked is None or _reminder_key(stored.game) != owed.payload["key"]:
                return None
            number = owed.payload.get("number")
            if number and await due.scheduled_for(db, _weekly_key(stored.game, number + 1)) is None:
                return None
            return stored if owed.kind == NUDGE or await _is_timely(db, stored, self.now()) else None

    async def nudge(self, game_id: int, by: int, turn_serial: int) -> OutboxRow | None:
        """Nudge the opponent in the game's channel. Return the leased outbox row, which the caller has to deliver.

        Return None if that outbox row cannot be delivered yet. `turn_serial` is the turn serial on the pressed button.
        Raises Refused, for example for a second nudge in a turn, or if the turn has lasted less than a day. One that
        Discord did not take does not count.
        """
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            user = await self._check_nudge(db, stored, by, turn_serial)
            payload = {"game": game_id, "key": _reminder_key(stored.game), "user": user}
            key, channel = _nudge_key(stored.game), stored.venue.channel
            await outbox.forget_dropped(db, key)
            owed = await owe_to_caller(db, key, NUDGE, channel, payload, self.now(), game_id, by=by)
            return next(iter(owed), None)

    async def is_nudge_dropped(self, game: Game) -> bool:
        """Return whether the nudge of this turn was given up, because Discord does not take it."""
        async with self.store.reading() as db:
            return await outbox.was_dropped(db, _nudge_key(game))

    async def may_nudge(self, stored: StoredGame, by: int) -> bool:
        """Return whether a player may nudge their opponent now."""
        if stored.waiting_since is None or self.now() < stored.waiting_since + NUDGE_AFTER:
            return False
        async with self.store.reading() as db:
            try:
                await self._check_nudge(db, stored, by, stored.game.turn_serial)
            except Refused:
                return False
        return True

    async def _check_nudge(self, db: Connection, stored: StoredGame, by: int, turn_serial: int) -> int:
        """Return the user id of the player to move. Raises Refused unless `by` may nudge them now."""
        game = stored.game
        colour = match.check_running_player(game, by)
        if turn_serial != game.turn_serial:
            raise Refused(Why.STALE)
        if colour is game.asked:
            raise Refused(Why.OWN_TURN, decision=game.answering)
        if game.house_decides:
            raise Refused(Why.HOUSE_THINKS)
        if await outbox.is_used(db, _nudge_key(game)):
            raise Refused(Why.NUDGED)
        user = game.seats[colour.other].user
        await check_not_blocked(db, by, [user])
        clock_runs = game.clock is not None and game.clock.deadline is not None  # then no vacation has paused the game
        until = await vacation_end(db, user, game.terms, stored.created_at, self.now())
        if until and not clock_runs:
            raise Refused(Why.OPPONENT_AWAY, until=until)
        assert stored.waiting_since is not None, "the game is running"
        first_time = stored.waiting_since + NUDGE_AFTER
        if self.now() < first_time:
            raise Refused(Why.NUDGE_TOO_EARLY, at=first_time)
        return user

    async def note_dms_open(self, user: int) -> None:
        """Store that a person accepts direct messages again, because they have just used the bot in one."""
        async with self.store.reading() as db:
            shut_at = await users.dms_shut_at(db, user)
        if shut_at is not None:
            async with self.store.transaction() as db:
                await users.set_dms_shut(db, user, None)

    async def reminder_settings(self, user: int) -> ReminderSettings:
        """Return a person's reminder settings for all their games."""
        async with self.store.reading() as db:
            return await _reminder_settings(db, user, self.now())

    async def game_reminder_settings(self, user: int, game: int) -> GameReminderSettings:
        """Return a person's reminder settings in a game.

        Raises Refused if they do not play in the game, or if it has ended.
        """
        async with self.store.reading() as db:
            return await _game_reminder_settings(db, user, await require_running_game(db, game, user), self.now())

    async def set_wish(self, user: int, wish: str) -> ReminderSettings:
        """Set a person's reminder time to one of the names in WISHES. Return their reminder settings.

        Any name but "off" turns reminders on again in all games and turns. If the new time for a reminder has already
        passed, that reminder keeps its old time. Raises Refused for a name that is not in WISHES.
        """
        if wish not in WISHES:
            raise Refused(Why.NOT_OFFERED, option="when", value=wish)
        key = f"{NEW_WISH}:{user}"
        async with self.store.transaction() as db:
            await users.set_setting(db, user, "reminders", wish)
            if wish != WISH_OFF:
                await users.end_all_quiet(db, user)
            await self._new_wishes.begin(db, key, self.now(), user)
        await self._new_wishes.finish(key)
        return await self.reminder_settings(user)

    async def finish_new_wishes(self) -> None:
        """Finish planning reminders after a changed wish, if an earlier run of the bot has left some."""
        await self._new_wishes.go_on_with_all(self.now())

    async def _replan_games(self, db: Connection, row: DueRow) -> int | None:
        """Plan the reminders of the person's next games anew. Return the last of these games if others follow."""
        found, last = await game_lists.next_waiting_games(db, row.user, row.game or 0, BATCH_SIZE)
        await _replan_reminders(db, row.user, [stored.game for stored in found], self.now())
        return last

    # A reminder that is turned off stays planned: the player's choice is read when it is due. If the player turns it on
    # again before that, it still comes, or still waits for a digest.

    async def turn_off_for_game(self, user: int, game: int) -> GameReminderSettings:
        """Turn off the reminders of a person's game. Return their reminder settings in this game.

        Raises Refused if they do not play in the game, or if it has ended.
        """
        async with self.store.transaction() as db:
            stored = await require_running_game(db, game, user)
            await users.set_quiet(db, user, game)
            return await _game_reminder_settings(db, user, stored, self.now())

    async def turn_off_for_turn(self, user: int, game: int, turn_serial: int) -> GameReminderSettings:
        """Turn off the reminder of a person's current turn. Return their reminder settings in this game.

        Raises Refused if `turn_serial` is old, if it is the opponent's turn, if the person does not play in the game,
        or if the game has ended.
        """
        async with self.store.transaction() as db:
            stored = await require_running_game(db, game, user)
            if stored.game.turn_serial != turn_serial or stored.game.colour_of(user) is not stored.game.asked:
                raise Refused(Why.STALE)
            await users.set_quiet_turn(db, user, game, turn_serial)
            return await _game_reminder_settings(db, user, stored, self.now())

    async def turn_on_for_game(self, user: int, game: int) -> GameReminderSettings:
        """Turn on the reminders of a person's game again. Return their reminder settings in this game.

        The current turn is included, unless the time for its reminder has passed. Raises Refused if they do not play in
        the game, or if it has ended.
        """
        async with self.store.transaction() as db:
            stored = await require_running_game(db, game, user)
            await users.end_quiet(db, user, game)
            if stored.game.colour_of(user) is stored.game.asked:
                await _replan_reminder(db, stored.game, self.now())
            return await _game_reminder_settings(db, user, stored, self.now())


async def _reminder_settings(db: Connection, user: int, now: int) -> ReminderSettings:
    off = await users.quiet_games(db, user)
    running = [brief.id for brief in await game_lists.running_games(db, user) if brief.id in off] if off else []
    quiet, turns = (tuple(game for game in running if off[game] is whole) for whole in (True, False))
    shut = await users.dms_shut(db, user, now)
    return ReminderSettings(await _wish_of(db, user), quiet, turns, shut, await digest_plan(db, user))


async def _game_reminder_settings(db: Connection, user: int, stored: StoredGame, now: int) -> GameReminderSettings:
    game = stored.game
    wish, quiet, turn = await _choices_in_game(db, user, game)
    shut, at = await users.dms_shut(db, user, now), None
    if game.colour_of(user) is game.asked:
        timed = game.terms.time_control
        at = await (due.scheduled_for(db, _reminder_key(game)) if timed else _next_weekly(db, stored, shut, now))
    return GameReminderSettings(game, wish, quiet, turn == game.turn_serial, at, shut, await digest_plan(db, user))


async def _next_weekly(db: Connection, stored: StoredGame, dms_shut: bool, now: int) -> int | None:
    """Return when the next reminder of a turn without a time limit comes, in UTC seconds; None if none will come."""
    row = next(iter(await due.unfinished_in_games(db, WEEKLY, [stored.game.id])), None)
    if row is None or stored.waiting_since is None or _weekly_number(row.key, stored.game) > _most_reminders(stored):
        return None
    if dms_shut and await outbox.was_owed(db, _channel_key(stored.game)):
        return None
    away_until = await decider_away_until(db, stored, stored.game, now)
    return max(row.at, stored.waiting_since + WEEK, away_until or 0)


async def _replan_reminder(db: Connection, game: Game, now: int) -> None:
    """Plan the reminder of a turn anew. If the new time has already passed, keep the old plan."""
    at = await _reminder_time(db, game)
    if at is None or at > now:
        await _reschedule_reminder(db, game, at)


async def _replan_reminders(db: Connection, user: int, waiting: Sequence[Game], now: int) -> None:
    """Do what `_replan_reminder` does, for many games that wait for one person, with few statements."""
    wish, quiet = WISHES[await _wish_of(db, user)], await users.quiet_of_seats(db, user, [game.id for game in waiting])
    times = [(game, _wished_time(game, wish, *quiet[game.id])) for game in waiting]
    changed = [(game, at) for game, at in times if at is None or at > now]
    rows = [DueRow(0, _reminder_key(game), game.id, user, at) for game, at in changed if at is not None]
    await due.schedule_anew(db, REMINDER, {row.key: row for row in rows}, [game.id for game, _ in changed])


@REMINDER.when_dm_refused
async def remind_in_channel(db: Connection, owed: OutboxRow, now: int) -> None:
    """Queue a reminder to the game's channel, because the player accepts no direct messages.

    Do nothing if the turn is over, if the reminder is no longer wanted, or if the game is unreachable.
    """
    stored = await games.load_game(db, owed.payload["game"])
    if stored and _reminder_key(stored.game) == owed.payload["key"]:
        await _owe_channel_reminder(db, stored, owed.channel, now, owed.payload.get("number"))


@REMINDER.when_needless
@CHANNEL_REMINDER.when_needless
async def forget_reminder(db: Connection, owed: OutboxRow, now: int) -> None:
    """Delete the outbox row and the plan of a reminder that was needless when it was to be posted.

    The reminder can then be planned again in the same turn. If it was queued too early, because time was credited
    since then, plan it again.
    """
    key = owed.payload["key"]
    await outbox.delete_row(db, owed.id)
    await outbox.forget_dropped(db, key)  # the direct message in whose place the channel was to be used
    await due.unschedule(db, key)
    stored = await games.load_game(db, owed.payload["game"])
    if stored and stored.game.clock and _reminder_key(stored.game) == key:
        await _schedule_reminder(db, stored.game, await _credited_time(db, stored.game, now))


async def _owe_channel_reminder(
    db: Connection, stored: StoredGame, user: int, now: int, number: int | None = None
) -> None:
    """Queue the one reminder that a turn has in the channel, if it is still wanted and the channel takes it.

    `number` says which one it is in a game without a time limit. In a private game the player's next command says it
    instead.
    """
    game = stored.game
    if stored.venue.is_private:
        await note_untold(db, game.id, user)
    elif not stored.unreachable and await _is_wanted(db, stored, now):
        which = {"number": number} if number else {}
        payload = {"game": game.id, "key": _reminder_key(game), "user": user, **which}
        await outbox.owe(db, _channel_key(game), CHANNEL_REMINDER, stored.venue.channel, payload, now, game.id)


async def _owe_numbered(db: Connection, stored: StoredGame, user: int, number: int, now: int) -> None:
    """Queue this reminder of a turn without a time limit, the first or a later one."""
    if await users.dms_shut(db, user, now):
        await _owe_channel_reminder(db, stored, user, now, number)
    else:
        key = _reminder_key(stored.game)
        payload = {"game": stored.game.id, "key": key, "number": number}
        await outbox.owe(db, f"{key}:{number}", REMINDER, user, payload, now)


async def plan_first_reminder(db: Connection, game: Game, now: int) -> None:
    """Plan the reminder of a new game's first turn; in a game without a time limit, of all its turns."""
    if game.terms.time_control:
        await _schedule_reminder(db, game, await _reminder_time(db, game))
    else:
        await due.schedule(db, f"{WEEKLY}:{game.id}", WEEKLY, now + WEEK, 0, game.id)


async def begin_weeks_anew(db: Connection, game: Game, now: int) -> None:
    """Let the week before the first reminder of this turn begin now, in a game without a time limit.

    A reminder of the turn that is queued already is then needless.
    """
    await due.unschedule_in_game(db, WEEKLY, game.id, "")
    await due.schedule(db, _weekly_key(game, 1), WEEKLY, now + WEEK, 0, game.id)


async def plan_reminder(db: Connection, game: Game) -> None:
    """Plan when the player to move is reminded. Call this in each transaction that changes their clock.

    Does nothing in a game without a time limit: its due row looks after all its turns.
    """
    if game.terms.time_control:
        await _reschedule_reminder(db, game, await _reminder_time(db, game))


async def plan_reminders(db: Connection, user: int, waiting: Sequence[Game]) -> None:
    """Do what `plan_reminder` does, for many games with a clock that wait for one person, with few statements."""
    wish, quiet = WISHES[await _wish_of(db, user)], await users.quiet_of_seats(db, user, [game.id for game in waiting])
    runs = [game for game in waiting if game.clock and game.clock.deadline is not None]
    times = [(game, _wished_time(game, wish, *quiet[game.id])) for game in runs]
    rows = [DueRow(0, _reminder_key(game), game.id, user, at) for game, at in times if at is not None]
    planned = {row.game for row in rows}
    await due.schedule_anew(db, REMINDER, {row.key: row for row in rows}, [game for game in planned if game])
    await due.unschedule_unfinished(db, REMINDER, [game.id for game in waiting if game.id not in planned])


async def _reschedule_reminder(db: Connection, game: Game, at: int | None) -> None:
    await due.unschedule_in_game(db, REMINDER, game.id, _reminder_key(game))
    await _schedule_reminder(db, game, at)


async def _schedule_reminder(db: Connection, game: Game, at: int | None) -> None:
    if at is not None:
        await due.schedule(db, _reminder_key(game), REMINDER, at, game.seats[game.decider].user, game.id)


def _reminder_key(game: Game) -> str:
    """Return the key of a game's reminder: one for each turn, and one for an answer in the opponent's turn (R8.4)."""
    answer = "" if game.decider is game.position.mover else ":answer"
    return f"{REMINDER}:{game.id}:{game.turn_serial}{answer}"


def _nudge_key(game: Game) -> str:
    return f"{NUDGE}:{_reminder_key(game)}"


def _channel_key(game: Game) -> str:
    return f"{CHANNEL_REMINDER}:{_reminder_key(game)}"


def _weekly_key(game: Game, number: int) -> str:
    """Return the key of the due row of a game without a time limit when this reminder of the turn is the next."""
    return f"{WEEKLY}:{_reminder_key(game)}:{number}"


def _most_reminders(stored: StoredGame) -> int:
    return MOST_PRIVATELY if stored.venue.is_private else MOST_WEEKLY


def _weekly_number(key: str, game: Game) -> int:
    """Return which reminder of the current turn is the next, by the key of the game's due row."""
    turn, _, number = key.rpartition(":")
    return int(number) if turn == f"{WEEKLY}:{_reminder_key(game)}" else 1


@NUDGE.still_needs
@CHANNEL_REMINDER.still_needs
async def messages_of_this_turn(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the nudges, or reminders in the channel, whose turn still waits. They prevent a second one in the turn."""
    turns = {row.id: row.key.split(":")[2:4] for row in rows}
    return await rows_of_standing_turns(db, {row: (int(game), int(serial)) for row, (game, serial) in turns.items()})


async def _reminder_time(db: Connection, game: Game) -> int | None:
    """Return when the player to move is reminded of this turn, in UTC seconds.

    Return None if their clock is paused, if they are flagged, or if they want no reminder.
    """
    if game.clock is None or game.clock.deadline is None:
        return None
    wish, quiet, quiet_turn = await _choices_in_game(db, game.seats[game.decider].user, game)
    return _wished_time(game, WISHES[wish], quiet, quiet_turn)


async def _is_wanted(db: Connection, stored: StoredGame, now: int) -> bool:
    """Return whether the player to move wants a reminder of this turn, and is not on vacation."""
    game = stored.game
    if game.terms.time_control:
        return await _reminder_time(db, game) is not None
    wish, quiet, quiet_turn = await _choices_in_game(db, game.seats[game.decider].user, game)
    if wish == WISH_OFF or quiet or quiet_turn == game.turn_serial or game.house_decides:
        return False
    return await decider_away_until(db, stored, game, now) is None


async def _is_timely(db: Connection, stored: StoredGame, now: int) -> bool:
    """Return whether a queued reminder of this turn is still wanted, and its time has come.

    It has not come while a late board of the game is still to be posted.
    """
    if stored.game.terms.time_control:
        at = await _credited_time(db, stored.game, now)
        return at is not None and at <= now
    if await downtime.board_unseen_since(db, stored.game.id, now) is not None:
        return False
    return await _is_wanted(db, stored, now)


async def _credited_time(db: Connection, game: Game, now: int) -> int | None:
    """Return what `_reminder_time` does, with credit for a late board that is still to be posted, and for downtime."""
    return await _reminder_time(db, await downtime.credit_downtime(db, game, game.decider, now))


async def _choices_in_game(db: Connection, user: int, game: Game) -> tuple[str, bool, int | None]:
    """Return a player's wish, and what else `users.choices_in_game` returns."""
    settings, quiet, quiet_turn = await users.choices_in_game(db, user, game.id)
    return UserSettings.read(settings).reminders, quiet, quiet_turn


def _wished_time(game: Game, wish: ReminderWish | None, quiet: bool, quiet_turn: int | None) -> int | None:
    """Return what `_reminder_time` returns, for a player with this wish and this choice for the game."""
    if wish is None or quiet or quiet_turn == game.turn_serial:
        return None
    return match.remind_at(game, wish)


async def _wish_of(db: Connection, user: int) -> str:
    return (await load_user_settings(db, user)).reminders
