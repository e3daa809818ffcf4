"""Profiles and figures: summaries of the games of a player, of two people or of a server."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from gipfbot.match import DAY
from gipfbot.match.explorer import WinRate
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import PUZZLES, MonthRating, Uncounted, month_of, rating_in_month
from gipfbot.notation.symmetric_turns import OpeningTurns, opening_key
from gipfbot.rules import ByColour, Colour, Ruleset, ruleset_named
from gipfbot.store import Store, profiles, ratings, servers, tournaments, watching
from gipfbot.values import (
    BegunAlike,
    EndedAlike,
    FollowedGame,
    GuessScore,
    ListedGame,
    LongGame,
    OpponentScore,
    PoolResults,
    Score,
)
from gipfbot.values.tournaments import Title

MOST_OPPONENTS = 5
MOST_TITLES = 100
MOST_RUNNING = 1000  # running games that are checked for those that the asker may see; hosts allow fewer

DAYS_SHOWN = 30  # today included
MOST_FOLLOWED = 50  # followed games that are checked for one that the asker may see


@dataclass(frozen=True)
class Opening:
    """The opening that a player chose most with one colour: in `games` of `of_games` games."""

    ruleset: Ruleset
    turns: OpeningTurns
    games: int
    of_games: int


@dataclass(frozen=True)
class Profile:
    """A summary of a player's games, or of those against one opponent if `against` is not None.

    Does not check who asks: the caller that shows `longest`, `running` or `titles` has to.
    """

    user: int
    against: int | None
    month: int  # the current one
    months: tuple[MonthRating, ...]  # of this player in all pools, the oldest first
    ends: tuple[EndedAlike, ...]
    opponents: tuple[OpponentScore, ...]
    openings: ByColour[Opening | None]
    longest: LongGame | None
    running: tuple[ListedGame, ...]  # the last moved first, at most MOST_RUNNING
    running_count: int
    guesses: GuessScore  # those of turns in games of others; empty against an opponent
    puzzles: MonthRating | None = None  # the newest puzzle rating; None without one, and against an opponent
    # how many rated games do not count for the player, by the reason; empty against an opponent
    uncounted: Mapping[Uncounted, int] = field(default_factory=dict)
    titles: tuple[Title, ...] = ()  # the newest first, at most MOST_TITLES; empty against an opponent

    @property
    def newest(self) -> dict[str, MonthRating]:
        """The newest month rating by pool."""
        return {each.pool: each for each in self.months}

    def rating(self, pool: str) -> Rating:
        """Return the player's rating in a pool now."""
        return rating_in_month(self.newest.get(pool), self.month)

    @property
    def puzzle_rating(self) -> Rating:
        """The player's puzzle rating now."""
        return rating_in_month(self.puzzles, self.month)

    def score(self, *colours: Colour) -> Score:
        """Return how many games the player won, drew and lost with these colours."""
        scores = [each.score for each in self.ends if each.colour in colours]
        return Score(*(sum(score[at] for score in scores) for at in range(3)))

    @property
    def is_empty(self) -> bool:
        """Whether there is no game, ended or running, no guess whose turn has been played, and no puzzle tried."""
        return not (self.ends or self.running_count or self.guesses.guesses or self.puzzles)

    def with_names(self, names: Mapping[int, str]) -> "Profile":
        """Return the profile with other names of opponents, by their ids. Who is not among them keeps theirs."""
        return replace(
            self, opponents=tuple(each._replace(name=names.get(each.user, each.name)) for each in self.opponents)
        )


class Profiles:
    """Operations on profiles. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def profile(self, user: int, against: int | None = None) -> Profile:
        """Return a player's profile, or how they stand against an opponent. Empty for a person who never played."""
        async with self.store.reading() as db:
            running, running_count = await profiles.running_between(db, user, against, MOST_RUNNING)
            return Profile(
                user,
                against,
                month_of(self.now()),
                tuple(await ratings.months_of_player(db, user)),
                tuple(await profiles.count_ends(db, user, against)),
                tuple(await profiles.opponents_of(db, user, against, MOST_OPPONENTS)),
                _favourite_openings(await profiles.count_openings(db, user, against)),
                await profiles.longest_game(db, user, against),
                tuple(running),
                running_count,
                GuessScore() if against else await watching.guess_score(db, user),
                None if against else await ratings.newest_in_pool(db, PUZZLES, user),
                {} if against else await ratings.count_uncounted(db, user),
                () if against else tuple(await tournaments.titles_of(db, user, MOST_TITLES)),
            )


def _favourite_openings(begun: Iterable[BegunAlike]) -> ByColour[Opening | None]:
    """Return the opening that was played most with each colour."""
    counts = defaultdict[str, dict[OpeningTurns, int]](dict), defaultdict[str, dict[OpeningTurns, int]](dict)
    for each in begun:
        counts[each.colour][each.ruleset][each.first, each.second] = each.games
    return _favourite_of(counts[Colour.WHITE]), _favourite_of(counts[Colour.BLACK])


def _favourite_of(counts: Mapping[str, Mapping[OpeningTurns, int]]) -> Opening | None:
    """Return the opening that was played most. `counts` has the games by rule set and opening."""
    of_games, found = sum(sum(games.values()) for games in counts.values()), list[Opening]()
    for name, games in sorted(counts.items()):
        ruleset = _known_ruleset(name)
        most = most_played_opening(games, ruleset) if ruleset else None
        found += [Opening(ruleset, *most, of_games)] if ruleset and most else []
    return max(found, key=lambda opening: opening.games, default=None)


def most_played_opening(games: Mapping[OpeningTurns, int], ruleset: Ruleset) -> tuple[OpeningTurns, int] | None:
    """Return the opening that was played most, in the form that was most frequent, and how often it was played.

    `games` counts the games of one rule set by their openings. None if there are none. If two openings are equally
    frequent, the one that comes first in the alphabet is returned.
    """
    forms = defaultdict[OpeningTurns, Counter[OpeningTurns]](Counter)
    for turns, number in games.items():
        forms[opening_key(turns, ruleset.setup)][turns] += number
    if not forms:
        return None
    most = min(forms, key=lambda key: (-forms[key].total(), key))
    return min(forms[most], key=lambda turns: (-forms[most][turns], turns)), forms[most].total()


def _known_ruleset(name: str) -> Ruleset | None:
    """Return the rule set of a name; None if there is none any more."""
    try:
        return ruleset_named(name)
    except ValueError:
        return None


@dataclass(frozen=True)
class ServerFigures:
    """The figures of a server. Does not check who asks: the caller that shows `followed` has to."""

    running: int
    results: tuple[PoolResults, ...]
    last_day: int  # today (UTC), counted from 1 January 1970
    turns: tuple[int, ...]  # of each of the last days, today last
    followed: tuple[FollowedGame, ...]  # running games, those with the most followers first

    @property
    def finished(self) -> int:
        """How many games have ended, without cancelled ones."""
        return sum(each.games for each in self.results if not each.cancelled)

    @property
    def cancelled(self) -> int:
        """How many games were cancelled."""
        return sum(each.games for each in self.results if each.cancelled)

    @property
    def is_empty(self) -> bool:
        """Whether there are no games, ended or running."""
        return not self.results and not self.running

    def white_wins(self, pool: str) -> WinRate | None:
        """Return how often White won in a pool. Only games with a winner count; None if there is none."""
        won, lost = (self._won_by(colour, pool) for colour in Colour)
        return WinRate(won, won + lost) if won + lost else None

    def _won_by(self, winner: Colour, pool: str) -> int:
        return sum(each.games for each in self.results if each.pool == pool and each.winner is winner)


class ServerStats:
    """Operations on the figures of servers. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def figures(self, server: int, channels: Collection[int], user: int) -> ServerFigures:
        """Return the figures of a server. Followed games are those of `user`, and those in these channels."""
        today = self.now() // DAY
        days = range(today - DAYS_SHOWN + 1, today + 1)
        async with self.store.reading() as db:
            by_day = await servers.count_turns_by_day(db, server, days[0] * DAY)
            return ServerFigures(
                await servers.count_running_on_server(db, server),
                tuple(await servers.count_results(db, server)),
                today,
                tuple(by_day.get(day, 0) for day in days),
                tuple(await servers.most_followed_games(db, server, channels, user, MOST_FOLLOWED)),
            )
