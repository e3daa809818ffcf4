"""Stored facts about people besides their games: vacations, follows, guesses, and pseudonyms."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from gipfbot.match import Terms
from gipfbot.match.house import LEVEL_NAMES, House, house_name
from gipfbot.rules import Action
from gipfbot.rules.sentences import Sentence

FORMER_NAME = Sentence("a former player")
# Pseudonyms: ids of the first hours of Discord's numbering, when Discord had no users.
FIRST_PSEUDONYM, LAST_PSEUDONYM = 2**44, 2**45 - 1

FIRST_HASHED_ID = 2**62  # hashed ids of people in blocks; Discord's ids stay below until 2049


def is_former_player(user: int) -> bool:
    """Return whether an id is the pseudonym of a person who has deleted their data."""
    return FIRST_PSEUDONYM <= user <= LAST_PSEUDONYM


def is_discord_id(number: int) -> bool:
    """Return whether a stored id is one of Discord, and not a pseudonym or a hashed id."""
    return not is_former_player(number) and number < FIRST_HASHED_ID


def named_player(user: int, name: str, house: House | None = None) -> str:
    """Return the stored name of a player. One made of words is a Sentence: the bot's, and that of a former player.

    `house` is the house player of their game; None between two people.
    """
    if not is_discord_id(user):
        return FORMER_NAME
    return _house_name(name, house.level) if house and user == house.user else name


def _house_name(name: str, level: int) -> str:
    """Return the name of a house player as a Sentence. A name without its level, of an older version, stays a text."""
    known = LEVEL_NAMES.get(level)
    return house_name(name.removesuffix(f" {known}"), level) if known and name.endswith(f" {known}") else name


def with_level(name: str) -> str | tuple[str, int]:
    """Return a name by `named_player` as plain data: the bot's without its level, and the level; others unchanged."""
    if not isinstance(name, Sentence) or "level" not in name.facts:
        return name
    level = next(level for level, named in LEVEL_NAMES.items() if named == name.facts["level"])
    return str(name.facts["engine"]), level


def named_both(white: str, black: str) -> Sentence:
    """Return the names of both players of a game as one: `Ann vs Bob`."""
    return Sentence("{white} vs {black}", white=white, black=black)


class Nickname(NamedTuple):
    """A person's name on a server."""

    server: int
    name: str


class ServerLanguage(NamedTuple):
    """The language setting of a server, and the codes of the language in which the bot writes there.

    `manager` is the language of the manager who first opened its settings. Each is None if nobody has named one. Then
    the bot writes English.
    """

    chosen: str | None = None
    written: str | None = None
    manager: str | None = None


class Person(NamedTuple):
    """What each request reads about the person who acts: their settings by name, empty for an unknown person.

    `language` is the code of the language in which the bot writes to them; None for English.
    `has_lost_follows` is whether follows have ended without their doing, and they have not been told yet;
    `has_untold_games` is whether a private game has gone on without their knowing. `is_renamed`
    is whether they have an old name in a running game or open challenge of this server; False if that was not asked.
    `there` is the language of this server.
    """

    settings: Mapping[str, Any]
    language: str | None
    has_lost_follows: bool
    has_untold_games: bool
    there: ServerLanguage
    is_renamed: bool = False


@dataclass(frozen=True)
class Vacation:
    """A vacation. It lasts until `ended_at` is set."""

    id: int
    user: int
    since: int
    until: int
    ended_at: int | None = None

    @property
    def over_at(self) -> int:
        """The moment at which the vacation ended or will end."""
        return self.until if self.ended_at is None else self.ended_at


class VacationDays(NamedTuple):
    """For how many days vacations may pause a player's clock in a game: in each year (UTC), or in all."""

    allowed: int
    began: int  # when the game began
    each_year: bool = True

    @classmethod
    def by_terms(cls, terms: Terms, began: int) -> "VacationDays":
        """Return the days by the terms of a game. In a tournament they are for the whole game."""
        return cls(terms.vacation, began, terms.tournament is None)


NO_VACATION_DAYS = VacationDays(0, 0)


class VacationGame(NamedTuple):
    """The facts about one of a person's running games that their vacation depends on.

    `deadline` is the end of their time, or of their grace if they are `flagged`; None unless it is their turn and their
    clock runs.
    """

    id: int
    days: VacationDays
    deadline: int | None
    flagged: bool


class News(StrEnum):
    """Which news a follower gets."""

    EACH_TURN = "turn"
    RESULT = "result"


class LostReason(StrEnum):
    """Why a follow has ended without the follower's doing."""

    HIDDEN = "hidden"  # the follower no longer sees the game's channel
    SHUT = "shut"  # the follower takes no direct messages
    REFUSED = "refused"  # Discord refused the direct message
    IMPOSSIBLE = "impossible"  # a player does not want it; the follower is not told why


@dataclass(frozen=True)
class Follow:
    """A follow of a game, or of a player. `name` names both players of the game, or the player.

    `lost` says why the follow has ended; None until then.
    """

    id: int
    user: int
    game: int | None
    player: int | None
    name: str
    news: News
    lost: LostReason | None = None


@dataclass(frozen=True)
class Guess:
    """A person's guess of the turn with this serial. `points` is None until the turn is played."""

    game: int
    turn_serial: int
    user: int
    actions: tuple[Action, ...]
    points: int | None = None


@dataclass(frozen=True)
class GuessScore:
    """The guesses of a person whose turns have been played: how many there are, and the points they brought."""

    guesses: int = 0
    exact: int = 0
    same_push: int = 0
    points: int = 0
