"""Save games with their ratings, standings and announcements, and work out all ratings anew.

An announcement goes to the channel for results. Whether everybody there may see the game is asked when it is posted.

Whether a result counts is decided for each of its players when the game ends, and never again: a rebuild reads it.
After the host's clock was set back, a result may belong to an earlier month than others. The ratings of the later
months are then worked out again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gipfbot.match import Game, Status, Turn
from gipfbot.match.glicko import Rating
from gipfbot.match.ratings import (
    MOST_OF_PAIR,
    POOLS,
    PUZZLES,
    MonthRating,
    RatedResult,
    Standing,
    Uncounted,
    decide_result,
    has_rated_result,
    has_result,
    rate_all,
    rate_month,
    rated_result,
    rating_in_month,
    standing_now,
)
from gipfbot.match.tournament import outcome_of
from gipfbot.rules import ByColour
from gipfbot.service.delivery.board_message import unpack_changes
from gipfbot.service.delivery.untold import note_untold
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.service.settings.servers import settings_at_venue
from gipfbot.store import (
    Connection,
    Store,
    due,
    games,
    hashed_ids,
    outbox,
    puzzles,
    ratings,
    require_alone,
    standings,
    tournaments,
)
from gipfbot.store.game_rows import pseudonyms_in_use
from gipfbot.store.ratings import StartedResult
from gipfbot.values import OutboxRow, StoredGame, is_former_player

ANNOUNCEMENT = MessageKind("announcement", "result")
TOURNAMENT = "tournament"  # the kind of the due rows that let tournaments go on
RatingChange: TypeAlias = tuple[int, int]  # a rating before and after a game
MonthChange: TypeAlias = tuple[MonthRating | None, MonthRating | None]  # a newest month rating before and after a game

Rows = Mapping[str, Sequence[tuple[Any, ...]]]


class KnownMonths(NamedTuple):
    """What the ratings of players in a month follow from."""

    results: Sequence[StartedResult]  # all of theirs in the month and later
    months: Sequence[MonthRating]  # of each, the newest before the month, and all from it on


@dataclass(frozen=True)
class RatedEnd:
    """What the result of a rated game did, for White and Black."""

    # None if it counts for nobody, and for a player whom leaderboards do not show
    changes: ByColour[RatingChange | None]
    uncounted: ByColour[Uncounted | None]  # why it does not count for a player; None if it does

    @property
    def shown(self) -> ByColour[RatingChange | None]:
        """The changes for players for whom the result counts."""
        white, black = (None if why else change for change, why in zip(self.changes, self.uncounted, strict=True))
        return white, black


UNRATED = RatedEnd((None, None), (None, None))


async def announcing_channel(db: Connection, stored: StoredGame) -> int | None:
    """Return the channel in which the result of a game is announced.

    Return None if its server announces no results, or if the game was played in that very channel.
    """
    channel = (await settings_at_venue(db, stored)).results
    return None if channel == stored.venue.channel else channel


async def owe_announcement(db: Connection, channel: int, game: int, rated: RatedEnd, now: int, by: int) -> None:
    """Owe the announcement of a result. `by` has ended the game.

    The row belongs to no game, so a refusal does not hold up the game's own messages.
    """
    payload = {"game": game, "changes": rated.changes if any(rated.changes) else None, "uncounted": rated.uncounted}
    await outbox.owe(db, f"{ANNOUNCEMENT}:{game}", ANNOUNCEMENT, channel, payload, now, by=by)


def announced_end(owed: OutboxRow) -> RatedEnd:
    """Return what a result did, from its announcement. One of an older version does not say why it did not count."""
    white, black = owed.payload.get("uncounted", (None, None))
    uncounted = white and Uncounted(white), black and Uncounted(black)
    return RatedEnd(unpack_changes(owed.payload["changes"]), uncounted)


async def list_players(
    db: Connection, pool: str, newest: Mapping[int, MonthRating | None], now: int, *, after_result: bool = False
) -> set[int]:
    """Save the standings of players in a pool, from the newest month rating of each; None stands for no rating.

    Return the players whom a leaderboard shows.

    `after_result` says that the only change is one more result. Nobody leaves a leaderboard then, which saves a query.
    """
    places = await standings.listed_on(db, pool, newest)
    stored = [standing for standing in places.values() if standing]
    old = stored if after_result else await standings.standings_of(db, newest, pool)
    new = listed_standings(pool, {user: known for user, known in newest.items() if known}, places, now)
    await standings.replace_standings(db, old, new)
    return {user for user, _ in places}


def listed_standings(
    pool: str, newest: Mapping[int, MonthRating], places: Collection[tuple[int, int]], now: int
) -> list[Standing]:
    """Return the standings of players in a pool on the servers of `places`, which has pairs of player and server."""
    found = (standing_now(newest[user], server, now) for user, server in sorted(places))
    return [each for each in found if each]


async def relist_player(db: Connection, user: int, now: int) -> None:
    """Save a player's standings in all pools, after a change that is not a result."""
    for pool, known in (await ratings.newest_months(db, user)).items():
        await list_players(db, pool, {user: known}, now)


async def save_and_rate(
    db: Connection, before: StoredGame, after: Game, turn: Turn | None = None, *, by: int, now: int, how: str = ""
) -> ByColour[RatingChange | None]:
    """Save a game as the store does. If it ends with a result, owe its announcement, unless the bot plays in it.

    If the result is rated, also save both players' ratings. If the bot ends a private game, note that its player does
    not know. Return the changes that its last board may show.
    """
    if before.game.status is Status.RUNNING and has_result(after):
        require_alone()
    await games.save_game(db, before.game, after, turn, by=by, now=now, how=how)
    if after.terms.tournament is not None and after.asked is None:
        await _enter_in_tournament(db, after, now)
    if before.venue.is_private and after.asked is None and after.terms.house and by == after.terms.house.user:
        await _note_unseen_end(db, after)
    if before.game.status is not Status.RUNNING or not has_result(after):
        return UNRATED.shown
    channel = None if after.terms.house else await announcing_channel(db, before)
    result = rated_result(after, before.venue.server, now) if has_rated_result(after) else None
    rated = await add_rated_result(db, result, now, by_turn=turn is not None) if result else UNRATED
    if channel is not None:
        await owe_announcement(db, channel, after.id, rated, now, by)
    return rated.shown


async def _enter_in_tournament(db: Connection, over: Game, now: int) -> None:
    """Enter how a pairing has ended by the last of its games, and let its tournament go on."""
    if found := await tournaments.pairing_of_game(db, over.id):
        tournament, pairing = found
        ended = outcome_of(over, pairing.games)
        assert ended
        outcome, late = ended
        await tournaments.decide_pairing(db, tournament, pairing, outcome, now, late=late)
        await due.schedule(db, f"{TOURNAMENT}:{tournament}:game:{over.id}", TOURNAMENT, now, 0)


async def _note_unseen_end(db: Connection, over: Game) -> None:
    assert over.house_colour is not None
    await note_untold(db, over.id, over.seats[over.house_colour.other].user)


async def add_rated_result(db: Connection, result: RatedResult, now: int, *, by_turn: bool = False) -> RatedEnd:
    """Decide for whom the result of a game that has just ended counts. Store it, with the new ratings and standings.

    With `by_turn`, its last turn has ended it. A loss on time by a late turn of one's own (R6.4) always counts.
    """
    users, pair = (result.user, result.opponent), await _people_of(db, result)
    (white, black), known = await _decide_result(db, result, pair, by_turn=by_turn)
    await ratings.add_results(db, (white, black))
    uncounted = white.uncounted, black.uncounted
    if not white.counts_at_all:
        return RatedEnd((None, None), uncounted)
    if pair != users:
        await hashed_ids.add_to_pair(db, pair, result.pool, result.month)
    changed = await _rate_players(db, result.pool, result.month, users, known)
    newest = {user: new for user, (_, new) in changed.items()}
    listed = await list_players(db, result.pool, newest, now, after_result=True)
    of_white, of_black = (_rating_change(*changed[user]) if user in listed else None for user in users)
    return RatedEnd((of_white, of_black), uncounted)


async def _decide_result(
    db: Connection, result: RatedResult, pair: tuple[int, int], *, by_turn: bool
) -> tuple[ByColour[RatedResult], KnownMonths]:
    """Return a new result for both players, and what their ratings follow from, the result included.

    Games of the two people from before a deletion are no longer theirs, but were noted then.
    """
    users, month = (result.user, result.opponent), result.month
    results, key = await ratings.results_since_month(db, result.pool, {*users, *pair}, month)
    of_pair, months = _count_of_pair(pair, month, [each for each, _ in results]), list[MonthRating]()
    if of_pair < MOST_OF_PAIR:
        hashed = hashed_ids.hash_pair(key, pair)
        months, noted = await ratings.months_around(db, result.pool, users, month, hashed)
        of_pair += noted
    is_away = result.late_user is not None and not by_turn and await ratings.is_away(db, result)
    both = decide_result(result, of_pair, away=is_away)
    return both, KnownMonths([*results, *((each, None) for each in both)], months)


def _count_of_pair(pair: tuple[int, int], month: int, known: Iterable[RatedResult]) -> int:
    """Return how many games of two people count in a month. `known` are their results in one pool."""
    of_month = [each for each in known if each.month == month and each.counts_at_all]
    return len({each.game for each in of_month if {each.user, each.opponent} == {*pair}})


def _rating_change(before: MonthRating | None, after: MonthRating | None) -> RatingChange:
    old, new = (round((known.rating if known else Rating()).value) for known in (before, after))
    return old, new


async def _people_of(db: Connection, result: RatedResult) -> tuple[int, int]:
    """Return the two people of a game, also if one is a former player whose deletion has not come to its end."""
    users = result.user, result.opponent
    if not any(map(is_former_player, users)):
        return users
    known = {pseudonym: user for user, pseudonym in (await pseudonyms_in_use(db)).items()}
    return known.get(result.user, result.user), known.get(result.opponent, result.opponent)


async def _rate_players(
    db: Connection, pool: str, month: int, users: Collection[int], known: KnownMonths | None
) -> dict[int, MonthChange]:
    """Work out the month ratings in a pool that depend on a new result of two players in a month.

    Return the newest month rating, before and after, of each player whose ratings may have changed.
    """
    waiting, changed = {month: {*users}}, dict[int, MonthChange]()
    while waiting:
        month = min(waiting)
        rated = await _rate_month(db, pool, month, waiting.pop(month), known)
        known = None
        for user, (old, new, later) in rated.items():
            changed[user] = changed[user][0] if user in changed else old, new
            if later is not None:
                waiting.setdefault(later, set()).add(user)
    return changed


async def _load_months(db: Connection, pool: str, month: int, users: Collection[int]) -> KnownMonths:
    results, _ = await ratings.results_since_month(db, pool, users, month)
    months, _ = await ratings.months_around(db, pool, users, month)
    return KnownMonths(results, months)


async def _rate_month(
    db: Connection, pool: str, month: int, users: Collection[int], known: KnownMonths | None = None
) -> dict[int, tuple[MonthRating | None, MonthRating | None, int | None]]:
    """Work out the ratings of players in one month, and save them.

    If a player's rating at the start of the month may differ from what it was, their opponents are rated again, too.
    Return for each player the newest month rating, before and after, and the next month that must be worked out again.
    """
    since, around = known or await _load_months(db, pool, month, users)
    months = {user: [each for each in around if each.user == user] for user in users}
    before = {user: next((each for each in months[user] if each.month < month), None) for user in users}
    stored = {user: next((each for each in months[user] if each.month == month), None) for user in users}
    starts = {user: rating_in_month(before[user], month) for user in users}
    found = [(result, start) for result, start in since if result.month == month and result.counts_at_all]
    moved = {user for user, old in stored.items() if old is None or old.start != starts[user]}
    if more := {result.opponent for result, _ in found if result.user in moved} - {*users}:
        return await _rate_month(db, pool, month, {*users, *more})
    starts = {result.opponent: start for result, start in found if start} | starts
    rated = dict[int, MonthRating | None]()
    for user in users:
        games = [(result, starts[result.opponent]) for result, _ in found if result.user == user and result.counts]
        rated[user] = rate_month(before[user], games) if games else None
    await ratings.save_months(db, [new for user, new in rated.items() if new and new != stored[user]])
    later = {user: [each.month for each, _ in since if each.user == user and each.month > month] for user in users}
    return {
        user: (
            months[user][-1] if months[user] else None,
            _newest(months[user], rated[user], month),
            None if rated[user] and rated[user] == stored[user] else min(later[user], default=None),
        )
        for user in users
    }


def _newest(around: Sequence[MonthRating], rated: MonthRating | None, month: int) -> MonthRating | None:
    """Return a player's newest month rating, from those around a month and the new one of that month."""
    others = [each for each in around if each.month != month]
    return max([*others, *([rated] if rated else [])], key=lambda each: each.month, default=None)


async def rebuild_ratings(store: Store, now: Callable[[], int]) -> dict[str, tuple[int, int]]:
    """Write all ratings and standings anew, in one transaction.

    Return for each table how many rows it has now, and how many of its rows are different from before: changed, new, or
    gone. If nothing was wrong, none is different.
    """
    async with store.transaction() as db:
        await store.backend.allow_long_work(db)
        decided = await ratings.all_results(db)
        before = await _all_rows(db, decided)
        both, months = await _work_out(db, decided)
        await ratings.fill_ratings(db, both, months)
        await puzzles.save_all_ratings(db)
        await standings.fill_standings(db, await _listed_players(db, months, now()))
        after = await _all_rows(db, await ratings.all_results(db))
    return {name: (len(rows), len({*rows} ^ {*before[name]})) for name, rows in after.items()}


async def rating_differences(db: Connection, now: int) -> dict[str, tuple[int, int]]:
    """Return for each table how many rows it has, and how many rows a rebuild would change. Writes nothing.

    Standings that time has changed are left out: the bot lists these players anew by itself.
    """
    decided = await ratings.all_results(db)
    stored = await _all_rows(db, decided)
    both, months = await _work_out(db, decided)
    listed = await standings.all_standings(db)
    aged = {(each.pool, each.user) for each in listed if each.changes_at <= now}
    expected: Rows = {
        "results": both,
        "ratings": months,
        "standings": [each for each in await _listed_players(db, months, now) if (each.pool, each.user) not in aged],
        "steps": standings.step_rows(listed),
        "puzzles": _rated_puzzles(stored["puzzles"], months),
    }
    left_out = {each for each in listed if (each.pool, each.user) in aged}
    return {name: (len(rows), len(({*rows} - left_out) ^ {*expected[name]})) for name, rows in stored.items()}


async def _work_out(db: Connection, decided: Iterable[RatedResult]) -> tuple[list[RatedResult], list[MonthRating]]:
    """Return the results of all rated games, one for each player, and all month ratings of games and puzzles.

    `decided` are the stored results.
    """
    results = await _results_of_games(db, decided)
    return results, rate_all([*results, *await puzzles.all_results(db)])


async def _results_of_games(db: Connection, decided: Iterable[RatedResult]) -> list[RatedResult]:
    """Return the results of all rated games, one for each player, as they were decided."""
    stored = {(known.game, known.user): known for known in decided}
    found = list[RatedResult]()
    for game, server, ended_at in await ratings.games_with_result(db):
        if has_rated_result(game):
            result = rated_result(game, server, ended_at)
            found += [_as_decided(each, stored.get((each.game, each.user))) for each in (result, result.of_opponent)]
    return found


def _as_decided(result: RatedResult, known: RatedResult | None) -> RatedResult:
    """Return a result with what only its stored row says. If the row was lost, it counts.

    A game counts for the server where it ended, even if it was moved.
    """
    if known is None:
        return result._replace(counts=True)
    return result._replace(server=known.server, counts=known.counts, uncounted=known.uncounted)


async def _listed_players(db: Connection, months: list[MonthRating], now: int) -> list[Standing]:
    new = []
    for pool in POOLS:
        newest = {each.user: each for each in months if each.pool == pool}
        places = [place for place in await standings.listed_on(db, pool, None) if place[0] in newest]
        new += listed_standings(pool, newest, places, now)
    return new


def _rated_puzzles(known: Iterable[tuple[int, float]], months: list[MonthRating]) -> list[tuple[int, float]]:
    """Return the puzzles with their newest ratings."""
    newest = {-each.user: each.rating.value for each in months if each.pool == PUZZLES}
    return [(puzzle, newest.get(puzzle, Rating().value)) for puzzle, _ in known]


async def _all_rows(db: Connection, decided: Sequence[RatedResult]) -> Rows:
    return {
        "results": decided,
        "ratings": await ratings.all_months(db),
        "standings": await standings.all_standings(db),
        "steps": await standings.all_steps(db),
        "puzzles": await puzzles.all_ratings(db),
    }
