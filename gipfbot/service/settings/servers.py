"""Settings of a server, and the message to its players on changes.

The message is a row of the outbox that is due later. Until it is tried, further changes go into the same row.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gipfbot.languages import Language, languages
from gipfbot.match import DAY, HOUR, TIME_CONTROLS, Terms
from gipfbot.match.clock import DEFAULT_GRACE, DEFAULT_VACATION_DAYS
from gipfbot.match.courses import course_of
from gipfbot.rules import RULESETS, Ruleset, with_potentials
from gipfbot.rules.ruleset_names import FEWEST, MOST
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.store import Connection, Store, game_lists, outbox, servers
from gipfbot.values import LastOwed, ServerLanguage, StoredGame

from .puzzle_channel import plan_daily_puzzles
from .setting_rows import AS_DISCORD, Announced, Place, SettingRows, choice, place, stored_code, switch

MOST_GRACE_HOURS = 7 * DAY // HOUR  # hours
MOST_VACATION_DAYS = 365
MOST_GAMES = 1000

SETTINGS_CHANGED = MessageKind("settings_changed", "changed settings of a server")
GATHER_SECONDS = 180  # seconds from the first change to the message
BETWEEN_SECONDS = 600  # seconds between two messages to one server, at least


POTENTIAL_SETTINGS = {"zertz": "Z", "punct": "P"}  # the letters of these potentials in POWERS
POTENTIAL_NUMBERS = (0, *range(FEWEST, MOST + 1))
OFFERED_GRACE = (0, 1, 2, 4, 6, 12, 24, 36, 48, 72, 96, 120, 168)  # hours
OFFERED_VACATION = (0, 7, 10, 14, 21, 28, 30, 35, 42, 60, 90, 120, 180, 365)  # days a year
OFFERED_CAPS = (None, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100)
THEMES = ("wood", "night", "felt", "contrast", "clear")
SIDES = ("white", "black")
NEW_GAMES, FROM_NOW_ON = Announced


async def _write_in(db: Connection, server: int, code: str, _: int) -> None:
    """Note the language that the managers have chosen. That of Discord is noted at the next request there."""
    if code != AS_DISCORD:
        await servers.set_language(db, server, stored_code(code))


@dataclass(frozen=True, kw_only=True)
class ServerSettings(SettingRows):
    """The settings of a server, which its managers change. The rows stand in the order of the message on changes.

    The defaults hold for settings that are not set. Outside servers, there is also no time limit.
    """

    # What everybody reads: that of the server's Discord counts as set only if it is not the usual one.
    language: str = choice(AS_DISCORD, (AS_DISCORD, *languages()), then=_write_in)
    rules: str = choice("standard", RULESETS, NEW_GAMES)
    zertz: int = choice(0, POTENTIAL_NUMBERS, NEW_GAMES)  # each player's ZÈRTZ-potentials
    punct: int = choice(0, POTENTIAL_NUMBERS, NEW_GAMES)  # each player's PÜNCT-potentials
    pace: str = choice("3", TIME_CONTROLS, NEW_GAMES)
    weekends: bool = switch(True, NEW_GAMES)  # whether time on weekends counts
    # Hours to finish a turn once flagged, and days a year of vacation in each new game.
    grace: int = choice(DEFAULT_GRACE // HOUR, OFFERED_GRACE, NEW_GAMES, numbers=range(MOST_GRACE_HOURS + 1))
    vacation: int = choice(DEFAULT_VACATION_DAYS, OFFERED_VACATION, NEW_GAMES, numbers=range(MOST_VACATION_DAYS + 1))
    rated: bool = switch(True, NEW_GAMES)  # whether games are rated, unless a challenge says otherwise
    # Whether each game gets a thread of its own; None means that its challenger decides.
    threads: bool | None = switch(None, NEW_GAMES, values=(None, True, False))
    channel: int | None = place(Place.CHANNEL, NEW_GAMES)  # for challenges and boards; None is that of the command
    challengers: int | None = place(Place.ROLE, FROM_NOW_ON)  # the role that may challenge; None means everybody
    seekers: int | None = place(Place.ROLE, FROM_NOW_ON)  # the role that seeks mention; None means nobody
    organisers: int | None = place(Place.ROLE, FROM_NOW_ON)  # opens tournaments; None means who manages the server
    # The most running games of one person; None means no limit.
    cap: int | None = choice(None, OFFERED_CAPS, FROM_NOW_ON, numbers=range(1, MOST_GAMES + 1))
    results: int | None = place(Place.CHANNEL, FROM_NOW_ON)  # where they are announced; None means nowhere
    puzzles: int | None = place(Place.CHANNEL, then=plan_daily_puzzles)  # of the day; None means that there is none
    theme: str = choice("wood", THEMES)  # of public boards
    below: str = switch("white", values=SIDES)  # the side at the bottom of public boards

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
        rated = self.rated and course_of(self.ruleset).rated
        return Terms(TIME_CONTROLS[self.pace], self.weekends, grace, threads, rated, self.vacation)


def language_to_note(
    known: ServerLanguage, preferred: Language | None, manager: Language | None = None
) -> ServerLanguage:
    """Return the language of a server whose Discord has this one. `manager` is that of one who opens its settings.

    `preferred` is None for the usual one, which most servers have without a choice. Then the first manager decides. A
    language that the managers have chosen stays, as long as it is offered.
    """
    if known.chosen in languages():
        return known
    first = known.manager or (manager.code if manager and not preferred else None)
    return known._replace(written=stored_code(preferred.code if preferred else first), manager=first)


async def load_server_settings(
    db: Connection, server: int | None, kind: type[ServerSettings] = ServerSettings
) -> ServerSettings:
    """Return the settings of a server, or those of direct messages if `server` is None."""
    return kind(pace="none") if server is None else kind.read(await servers.settings_of_server(db, server))


async def settings_at_venue(db: Connection, stored: StoredGame) -> ServerSettings:
    """Return the settings of the server on which a game is played, as they were read with the game."""
    known = stored.related.server_settings
    return await load_server_settings(db, stored.venue.server) if known is None else ServerSettings.read(known)


class Servers:
    """Operations on the settings of servers. `now` returns UTC seconds. `kind` has the rows of the settings."""

    def __init__(self, store: Store, now: Callable[[], int], kind: type[ServerSettings] = ServerSettings) -> None:
        self.store, self.now, self.kind = store, now, kind

    async def settings(self, server: int | None) -> ServerSettings:
        """Return the settings of a server, or those of direct messages if `server` is None."""
        async with self.store.reading() as db:
            return await load_server_settings(db, server, self.kind)

    async def language(self, server: int) -> ServerLanguage:
        """Return the language of a server."""
        async with self.store.reading() as db:
            return await servers.language_of_server(db, server)

    async def note_language(
        self, server: int, preferred: Language | None, manager: Language | None = None
    ) -> ServerLanguage:
        """Note what is new about the language of a server, as in `language_to_note`. Return all about it."""
        async with self.store.transaction() as db:
            known = await servers.language_of_server(db, server)  # another process may have noted more
            new = language_to_note(known, preferred, manager)
            if new.manager and new.manager != known.manager:
                await servers.set_language_of_manager(db, server, new.manager)
            if new.written != known.written:
                await servers.set_language(db, server, new.written)
            return new

    async def change(self, server: int, changes: Mapping[str, Any]) -> tuple[ServerSettings, int | None]:
        """Change settings of a server, by name, and owe its players the news. Raises Refused for a value not offered.

        Return all settings, and the channel in which the players are told; None if there is nothing to tell.
        """
        async with self.store.transaction() as db:
            old = await load_server_settings(db, server, self.kind)
            new = old.with_changes(changes)
            await servers.save_server_settings(db, server, {**await servers.settings_of_server(db, server), **changes})
            for name, row in self.kind.rows().items():
                if row.then and getattr(new, name) != getattr(old, name):
                    await row.then(db, server, getattr(new, name), self.now())
            return new, await owe_setting_news(db, server, old, new, self.now())


async def owe_setting_news(
    db: Connection, server: int, before: ServerSettings, after: ServerSettings, now: int
) -> int | None:
    """Owe a server's players the news of changed settings. Return the channel for it, or None if there is no news.

    A setting that was changed back is no news. Nobody is told if no channel for games is set and no game is running.
    """
    last, new = await _last_news(db, server), asdict(after)
    gathered = last if last and last.is_untried else None
    told = {**asdict(before), **(gathered.payload["before"] if gathered else {})}
    old = {name: told[name] for name, row in after.rows().items() if row.announced and told[name] != new[name]}
    channel = await _news_channel(db, server, before, after) or (gathered and gathered.channel)
    if gathered:
        await outbox.delete_row(db, gathered.id)
    if not old or channel is None:
        return None
    payload = {"server": server, "before": old, "after": {name: new[name] for name in old}}
    key = f"{SETTINGS_CHANGED}:{server}:{now:012}"
    await outbox.owe(db, key, SETTINGS_CHANGED, channel, payload, now, wait=_due_at(last, now) - now)
    return channel


async def _last_news(db: Connection, server: int) -> LastOwed | None:
    key = f"{SETTINGS_CHANGED}:{server}:"
    return await outbox.last_owed(db, key, f"{key}~")


async def _news_channel(db: Connection, server: int, before: ServerSettings, after: ServerSettings) -> int | None:
    """Return the channel for boards; without one, the channel of the game that moved last."""
    chosen = after.channel or before.channel
    return await game_lists.last_channel(db, server) if chosen is None else chosen


def _due_at(last: LastOwed | None, now: int) -> int:
    """Return when news that comes now is due. If earlier news still waits, its time is kept."""
    if last is None:
        return now + GATHER_SECONDS
    fresh = max(now + GATHER_SECONDS, last.posted_about + BETWEEN_SECONDS)
    return last.not_before if last.is_untried else fresh
