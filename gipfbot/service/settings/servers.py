"""Settings of a server, when its puzzle of the day comes, and what its players are told of changes.

The message on changes is a row of the outbox that is due later. Until it is tried, further changes go into the same
row.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from gipfbot.match import TIME_CONTROLS, Refused, Seat, Terms, Why
from gipfbot.match.clock import DAY, DEFAULT_GRACE, DEFAULT_VACATION_DAYS, HOUR
from gipfbot.match.courses import course_of
from gipfbot.rules import RULESETS, Ruleset, with_potentials
from gipfbot.rules.ruleset_names import FEWEST, MOST
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.store import Connection, Store, due, game_lists, outbox, servers
from gipfbot.values import DueRow, LastOwed

MOST_GRACE_HOURS = 7 * DAY // HOUR  # hours
MOST_VACATION_DAYS = 365
MOST_GAMES = 1000

DAILY_PUZZLE = MessageKind("daily_puzzle", "puzzle of the day")  # and the kind of a due row
PUZZLE_HOUR = 8  # of the day in UTC, at which a new puzzle is posted

SETTINGS_CHANGED = MessageKind("settings_changed", "changed settings of a server")
GATHER_SECONDS = 180  # seconds from the first change to the message
BETWEEN_SECONDS = 600  # seconds between two messages to one server, at least
# The settings that players notice, in the order of the message. The look of boards is not among them.
SETTINGS_OF_NEW_GAMES = (
    *("rules", "zertz", "punct", "pace", "weekends", "grace", "vacation", "rated", "threads", "channel"),
)
SETTINGS_FROM_NOW_ON = ("challengers", "cap", "results")
TOLD_SETTINGS = (*SETTINGS_OF_NEW_GAMES, *SETTINGS_FROM_NOW_ON)


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server. The defaults hold for settings that are not set, and outside servers."""

    rules: str = "standard"  # a name in RULESETS
    pace: str = "none"  # a name in TIME_CONTROLS
    weekends: bool = True  # whether time on weekends counts
    grace: int = DEFAULT_GRACE // HOUR  # hours to finish a turn once flagged
    vacation: int = DEFAULT_VACATION_DAYS  # days a year of vacation in each new game
    channel: int | None = None  # for challenges and boards; None means the channel of the command
    threads: bool | None = None  # whether each game gets a thread of its own; None means that its challenger decides
    cap: int | None = None  # the most running games of one person; None means no limit
    theme: str = "wood"  # the theme of public boards, a name in THEMES
    below: str = "white"  # the side at the bottom of public boards, a name in SIDES
    zertz: int = 0  # each player's ZÈRTZ-potentials
    punct: int = 0  # each player's PÜNCT-potentials
    rated: bool = True  # whether games are rated, unless a challenge says otherwise
    challengers: int | None = None  # the role that may challenge; None means everybody
    results: int | None = None  # the channel for results; None means that they are not announced
    puzzles: int | None = None  # the channel for the puzzle of the day; None means that there is none

    @property
    def ruleset(self) -> Ruleset:
        """The rule set that `rules` names, with the potentials if it knows any (R8.6)."""
        plain = RULESETS[self.rules]
        numbers = {letter: getattr(self, name) for name, letter in POTENTIAL_SETTINGS.items()}
        agreed = tuple((letter, number) for letter, number in numbers.items() if number)
        return with_potentials(plain, agreed) if agreed and course_of(plain).potentials else plain

    @property
    def terms(self) -> Terms:
        """The terms of new games on the server."""
        threads, grace = bool(self.threads), self.grace * HOUR
        return Terms(TIME_CONTROLS[self.pace], self.weekends, grace, threads, self.rated, self.vacation)


POTENTIAL_SETTINGS = {"zertz": "Z", "punct": "P"}  # the letters of these potentials in POWERS
POTENTIAL_NUMBERS = (0, *range(FEWEST, MOST + 1))
THEMES = ("wood", "night", "felt", "contrast", "clear")
SIDES = ("white", "black")


def _between(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


SETTING_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "rules": RULESETS.__contains__,
    "zertz": lambda value: type(value) is int and value in POTENTIAL_NUMBERS,
    "punct": lambda value: type(value) is int and value in POTENTIAL_NUMBERS,
    "pace": TIME_CONTROLS.__contains__,
    "weekends": _is_switch,
    "grace": _between(0, MOST_GRACE_HOURS),
    "vacation": _between(0, MOST_VACATION_DAYS),
    "channel": lambda value: value is None or type(value) is int,
    "challengers": lambda value: value is None or type(value) is int,
    "results": lambda value: value is None or type(value) is int,
    "puzzles": lambda value: value is None or type(value) is int,
    "threads": lambda value: value is None or isinstance(value, bool),
    "rated": _is_switch,
    "cap": lambda value: value is None or _between(1, MOST_GAMES)(value),
    "theme": THEMES.__contains__,
    "below": SIDES.__contains__,
}


def with_changes(settings: ServerSettings, changes: Mapping[str, Any]) -> ServerSettings:
    """Return the settings with these changes, by name. Raises Refused for a value that is not offered."""
    for name, value in changes.items():
        if not SETTING_CHECKS[name](value):
            raise Refused(Why.NOT_OFFERED, option=name, value=value)
    return replace(settings, **changes)


async def load_server_settings(db: Connection, server: int | None) -> ServerSettings:
    """Return the settings of a server, or the defaults if `server` is None.

    Stored values that are no longer offered count as not set.
    """
    known = {} if server is None else await servers.settings_of_server(db, server)
    return ServerSettings(
        **{name: known[name] for name in SETTING_CHECKS if name in known and SETTING_CHECKS[name](known[name])}
    )


async def check_game_cap(db: Connection, server: int | None, players: Iterable[Seat], by: int) -> None:
    """Raise Refused if one of these players already plays as many games as the server allows.

    The refusal names that player, unless it is `by`, the player who asks. Open challenges do not count.
    """
    cap = (await load_server_settings(db, server)).cap
    if cap is None:
        return
    for player in sorted(players, key=lambda player: player.user != by):
        if (plays := await game_lists.count_running(db, player.user, server)) >= cap:
            name = None if player.user == by else player.name
            raise Refused(Why.TOO_MANY_GAMES, name=name, cap=cap, plays=plays)


class Servers:
    """Operations on the settings of servers. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def settings(self, server: int | None) -> ServerSettings:
        """Return the settings of a server, or the defaults if `server` is None."""
        async with self.store.reading() as db:
            return await load_server_settings(db, server)

    async def change(self, server: int, changes: Mapping[str, Any]) -> tuple[ServerSettings, int | None]:
        """Change settings of a server, by name, and owe its players the news. Raises Refused for a value not offered.

        Return all settings, and the channel in which the players are told; None if there is nothing to tell.
        """
        async with self.store.transaction() as db:
            old = await load_server_settings(db, server)
            new = with_changes(old, changes)
            await servers.save_server_settings(db, server, {**await servers.settings_of_server(db, server), **changes})
            if new.puzzles != old.puzzles:
                await plan_daily_puzzles(db, server, new.puzzles, self.now())
            return new, await owe_setting_news(db, server, asdict(old), asdict(new), self.now())


def puzzle_day(now: int) -> int:
    """Return the number of the puzzle's day that a time in UTC seconds belongs to."""
    return (now - PUZZLE_HOUR * HOUR) // DAY


def puzzle_day_start(day: int) -> int:
    """Return when a puzzle's day begins, in UTC seconds."""
    return day * DAY + PUZZLE_HOUR * HOUR


async def plan_daily_puzzles(db: Connection, server: int, channel: int | None, now: int) -> None:
    """Plan the next puzzle of the day of a server: at once, if it has a channel for it now; None ends it.

    If the server has had a puzzle on this day, the next one comes on the next day.
    """
    await due.unschedule(db, _key(server))
    if channel is not None:
        await due.schedule(db, _key(server), DAILY_PUZZLE, now, server)


async def hasten_daily_puzzles(store: Store, now: int) -> None:
    """Move each puzzle of the day that is planned too late to the next day. The host's clock can have been wrong."""
    async with store.reading() as db:
        rows = await due.unfinished_rows(db, DAILY_PUZZLE)

    async def hasten(db: Connection, row: DueRow) -> None:
        await due.postpone(db, row.key, min(row.at, puzzle_day_start(puzzle_day(now) + 1)))

    await for_each(store, rows, hasten)


def _key(server: int) -> str:
    return f"{DAILY_PUZZLE}:{server}"


async def owe_setting_news(
    db: Connection, server: int, before: Mapping[str, Any], after: Mapping[str, Any], now: int
) -> int | None:
    """Owe a server's players the news of changed settings. Return the channel for it, or None if there is no news.

    `before` and `after` are all settings by name. A setting that was changed back is no news. Nobody is told where no
    channel for games is set and no game is running.
    """
    last = await _last_news(db, server)
    gathered = last if last and last.is_untried else None
    told = {**before, **(gathered.payload["before"] if gathered else {})}
    old = {name: told[name] for name in TOLD_SETTINGS if told[name] != after[name]}
    channel = await _news_channel(db, server, before, after) or (gathered and gathered.channel)
    if gathered:
        await outbox.delete_row(db, gathered.id)
    if not old or channel is None:
        return None
    payload = {"before": old, "after": {name: after[name] for name in old}}
    key = f"{SETTINGS_CHANGED}:{server}:{now:012}"
    await outbox.owe(db, key, SETTINGS_CHANGED, channel, payload, now, wait=_due_at(last, now) - now)
    return channel


async def _last_news(db: Connection, server: int) -> LastOwed | None:
    key = f"{SETTINGS_CHANGED}:{server}:"
    return await outbox.last_owed(db, key, f"{key}~")


async def _news_channel(db: Connection, server: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> int | None:
    """Return the channel for boards; if there is none, the one in which the last game that moved is played."""
    chosen: int | None = after["channel"] or before["channel"]
    return await game_lists.last_channel(db, server) if chosen is None else chosen


def _due_at(last: LastOwed | None, now: int) -> int:
    """Return when news is due that came now. News that is gathered already keeps its time."""
    if last is None:
        return now + GATHER_SECONDS
    fresh = max(now + GATHER_SECONDS, last.posted_about + BETWEEN_SECONDS)
    return last.not_before if last.is_untried else fresh
