"""Profiles: what a player's games come to, or those of two people against each other."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import PUZZLES, MonthRating, month_of, rating_in_month
from gipfbot.notation.symmetric_turns import OpeningTurns, most_played_opening
from gipfbot.rules import ByColour, Colour, Ruleset, ruleset_named
from gipfbot.store import Store, profiles, ratings, watching
from gipfbot.values import BegunAlike, EndedAlike, GuessScore, ListedGame, LongGame, OpponentScore, Score

MOST_OPPONENTS = 5
MOST_RUNNING = 1000  # games among which a profile looks for those that the asker may see: more than hosts allow


@dataclass(frozen=True)
class Opening:
    """The opening that a player chose most with one colour, in how many of so many games."""

    ruleset: Ruleset
    turns: OpeningTurns
    games: int
    of_games: int


@dataclass(frozen=True)
class Profile:
    """What a player's games come to; those against one opponent, if `against` is not None.

    Does not check who asks: the caller that shows `longest` or `running` has to.
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


def _known_ruleset(name: str) -> Ruleset | None:
    """Return the rule set of a name; None if there is none any more."""
    try:
        return ruleset_named(name)
    except ValueError:
        return None
