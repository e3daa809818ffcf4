"""Solve puzzles: a person's next puzzle, the puzzle of the day, and the ratings after a first try.

In ratings, a puzzle is a player whose id is the negative of the puzzle's id. The month of a try is never before the
newest rating of the person or of the puzzle. So a try changes no earlier month, and nobody else's rating.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from gipfbot.match import Refused, Why, position_after
from gipfbot.match.glicko import Rating
from gipfbot.match.puzzle import Judged, Outcome, Puzzle, judge_try, puzzle_study
from gipfbot.match.ratings import PUZZLES, MonthRating, month_of, rate_month, rating_in_month
from gipfbot.match.study import Actions, Study, perform_in_study
from gipfbot.rules import Position
from gipfbot.service.house.fair_play import find_in_own_games, find_standing
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.batches import for_each
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.service.settings.puzzle_channel import DAILY_PUZZLE, puzzle_day, puzzle_day_start
from gipfbot.service.settings.servers import load_server_settings
from gipfbot.store import Connection, Store, due, game_lists, outbox, puzzles, ratings
from gipfbot.values import DueRow, OutboxRow, PuzzleSolvers, PuzzleTry, StoredPuzzle

from .making import store_shipped

MOST_CANDIDATES = 8  # opened puzzles, and new ones, that are checked for a person's next puzzle

PUZZLE_SOLUTION = MessageKind("puzzle_solution", "solution of a puzzle of the day")


async def rate_first_try(db: Connection, known: PuzzleTry, *, solved: bool, now: int) -> tuple[int, int] | None:
    """Save the result of a first try and both ratings. Return the person's rating before and after it, rounded.

    Return None, and change nothing, if the try has ended before.
    """
    user, puzzle = known.user, -known.puzzle
    month = max(month_of(now), await puzzles.newest_month(db, user, puzzle))
    if not await puzzles.end_first_try(db, known, solved=solved, now=now, month=month):
        return None
    stored, _ = await ratings.months_around(db, PUZZLES, (user, puzzle), month)
    results = await puzzles.results_of_month(db, user, known.puzzle, month)
    starts = {each: rating_in_month(_before(stored, each, month), month) for each in (user, puzzle)}
    rated = {each: _rate(_before(stored, each, month), each, results, starts) for each in (user, puzzle)}
    await ratings.save_months(db, [*rated.values()])
    await puzzles.save_rating(db, known.puzzle, rated[puzzle].rating.value)
    old = next((each.rating for each in stored if (each.user, each.month) == (user, month)), starts[user])
    return round(old.value), round(rated[user].rating.value)


def _before(stored: list[MonthRating], rated: int, month: int) -> MonthRating | None:
    return next((each for each in stored if each.user == rated and each.month < month), None)


def _rate(
    before: MonthRating | None, rated: int, results: list[ratings.StartedResult], starts: dict[int, Rating]
) -> MonthRating:
    mine = [(result, start) for result, start in results if result.user == rated]
    return rate_month(before, [(result, starts.get(result.opponent) or start or Rating()) for result, start in mine])


@dataclass(frozen=True)
class OpenPuzzle:
    """A puzzle with a person's entries.

    `judged` is the verdict on their last turn; None if it is not complete, or if there is none. If it was wrong,
    `wrong` has that turn and those before it. `rated` is their rating before and after the first try, if that has just
    ended and counts. `is_daily` says that it is the puzzle of the day on their server. `is_unrated` says that their
    first try is not rated, because the solution was posted on their server.
    """

    stored: StoredPuzzle
    entered: PuzzleTry
    judged: Judged | None = None
    wrong: tuple[Actions, ...] = ()
    rated: tuple[int, int] | None = None
    is_daily: bool = False
    is_unrated: bool = False

    @property
    def study(self) -> Study:
        """The board of the puzzle, with what was entered."""
        return puzzle_study(self.stored.puzzle, self.entered.played, self.entered.draft, self.entered.version)


class Puzzles:
    """Operations on puzzles. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside

    async def open_next(self, user: int, server: int | None, own_turns: int | None = None) -> OpenPuzzle:
        """Open a person's next puzzle.

        Without `own_turns`, this is the puzzle of the day on their server, if they have not tried it. Otherwise it is
        the last puzzle that they opened but did not finish, or a new one near their rating. Puzzles with a position
        from one of their running games are skipped. Raises Refused if there is no other.
        """
        candidates = await self._find_candidates(user, server, own_turns)
        return await self._open(await self._first_not_standing(candidates, user), user, server)

    async def _find_candidates(self, user: int, server: int | None, own_turns: int | None) -> list[int]:
        """Return the first few puzzles that a person may get next, in order."""
        async with self.store.transaction() as db:
            await store_shipped(db, self.now())
            today, here = puzzle_day(self.now()), server or 0
            daily = await puzzles.puzzle_of_day(db, here, today) if server and own_turns is None else None
            first = [] if daily is None or await _is_tried(db, daily, user) else [daily]
            opened = await puzzles.unfinished_puzzles(db, user, own_turns, here, today, MOST_CANDIDATES)
            known = await ratings.newest_in_pool(db, PUZZLES, user)
            rating = rating_in_month(known, month_of(self.now())) if known else Rating()
            new = await puzzles.next_puzzles(db, user, own_turns, rating.value, here, today, MOST_CANDIDATES)
            return [*dict.fromkeys((*first, *opened, *new))]

    async def _first_not_standing(self, candidates: Sequence[int], user: int) -> StoredPuzzle:
        """Return the first puzzle without a position from the person's own games. Raises Refused if there is none."""
        async with self.store.reading() as db:
            standing = await game_lists.standing_positions(db, user)
        blocking = list[int]()
        for puzzle in candidates:
            async with self.store.reading() as db:
                stored = await puzzles.load_puzzle(db, puzzle)
            if stored is None:
                continue
            found = await self.aside.run(user, find_standing, standing, _shown_positions(stored.puzzle))
            if found is None:
                return stored
            blocking.append(found.game)
        raise Refused(Why.PUZZLE_OF_OWN_GAME, game=blocking[0]) if blocking else Refused(Why.NO_PUZZLE)

    async def open(self, puzzle: int, user: int, server: int | None) -> OpenPuzzle:
        """Open a puzzle. If the first try has ended, the board is reset."""
        return await self._open(await self._not_standing(puzzle, user), user, server)

    async def _open(self, stored: StoredPuzzle, user: int, server: int | None) -> OpenPuzzle:
        puzzle = stored.id
        async with self.store.transaction() as db:
            known = await puzzles.load_try(db, puzzle, user)
            if known is None:
                known = await puzzles.add_try(db, puzzle, user, server)
            elif known.solved is not None:
                known = await puzzles.save_board(db, known, puzzle_study(stored.puzzle))
            elif server and server != known.server and not await self._is_solution_posted(db, puzzle, known.server):
                known = await puzzles.move_try(db, known, server)
            return await self._opened(db, stored, known, server)

    async def _not_standing(self, puzzle: int, user: int) -> StoredPuzzle:
        """Return a puzzle. Raises Refused if there is none, or if a position of its solution stands in an own game."""
        async with self.store.reading() as db:
            stored = await _require_puzzle(db, puzzle)
        await self._check_not_standing(stored, user)
        return stored

    async def _check_not_standing(self, stored: StoredPuzzle, user: int, tried: Sequence[Actions] = ()) -> None:
        """Raise Refused if a position of a puzzle's solution, or one after these turns, stands in an own game."""
        positions = _shown_positions(stored.puzzle, tried)
        if found := await find_in_own_games(self.store, self.aside, user, positions):
            raise Refused(Why.PUZZLE_OF_OWN_GAME, game=found.game)

    async def look(self, puzzle: int, user: int, server: int | None) -> OpenPuzzle:
        """Return a puzzle that a person has opened, with what they have entered.

        Raises Refused if a turn was answered, and a position of the puzzle now stands in one of their games.
        """
        async with self.store.reading() as db:
            stored, entered = await _require_puzzle(db, puzzle), await puzzles.load_try(db, puzzle, user)
            if entered is None:
                raise Refused(Why.NO_PUZZLE)
            opened = await self._opened(db, stored, entered, server)
        if entered.played:
            await self._check_not_standing(stored, user, entered.played)
        return opened

    async def _opened(self, db: Connection, stored: StoredPuzzle, entered: PuzzleTry, server: int | None) -> OpenPuzzle:
        is_daily = bool(server) and await puzzles.puzzle_of_day(db, server or 0, puzzle_day(self.now())) == stored.id
        is_unrated = entered.solved is None and await self._is_solution_posted(db, stored.id, entered.server)
        return OpenPuzzle(stored, entered, is_daily=is_daily, is_unrated=is_unrated)

    async def _is_solution_posted(self, db: Connection, puzzle: int, *servers: int) -> bool:
        """Return whether the solution of a puzzle was posted on one of these servers."""
        today = puzzle_day(self.now())
        return any([await puzzles.was_puzzle_before(db, server, puzzle, today) for server in servers])

    async def play(self, before: OpenPuzzle, actions: Actions) -> OpenPuzzle:
        """Enter a turn, or a part of it. A right turn is answered, and a wrong one is taken back.

        Raises Refused if a position of the puzzle stands in an own game meanwhile. Raises Stale if something else was
        entered meanwhile.
        """
        user, study = before.entered.user, perform_in_study(before.study, actions)
        await self._check_not_standing(before.stored, user, study.tried)
        if study.draft:
            async with self.store.transaction() as db:
                return replace(before, entered=await puzzles.save_board(db, before.entered, study))
        judged = await self.aside.run(user, judge_try, before.stored.puzzle, study.tried)
        async with self.store.transaction() as db:
            return await self._save_judged(db, before, study.tried, judged)

    async def _save_judged(
        self, db: Connection, before: OpenPuzzle, tried: tuple[Actions, ...], judged: Judged
    ) -> OpenPuzzle:
        """Save the verdict on a turn, and the result of the first try if the turn ends it."""
        failed = judged.outcome is Outcome.FAILED
        played = tried[:-1] if failed else (*tried, judged.answer) if judged.answer else tried
        saved = await puzzles.save_board(db, before.entered, puzzle_study(before.stored.puzzle, played))
        after = replace(before, entered=saved, judged=judged, wrong=tried if failed else ())
        if judged.outcome is Outcome.GOES_ON or before.entered.solved is not None:
            return after
        return await self._end_first_try(db, after, solved=not failed)

    async def give_up(self, puzzle: int, user: int, server: int | None) -> OpenPuzzle:
        """Return a puzzle whose solution a person wants to see. A first try that has begun counts as failed.

        If they have not opened the puzzle, as when its solution is posted, a first try no longer counts.
        """
        stored = await self._not_standing(puzzle, user)
        async with self.store.transaction() as db:
            entered = await puzzles.load_try(db, puzzle, user)
            if entered is None:
                entered = await puzzles.add_try(db, puzzle, user, server)
                await puzzles.end_first_try(db, entered, solved=False, now=self.now(), month=None)
                return OpenPuzzle(stored, replace(entered, solved=False))
            known = OpenPuzzle(stored, entered)
            if entered.solved is not None:
                return known
            return await self._end_first_try(db, known, server or 0, solved=False)

    async def _end_first_try(self, db: Connection, known: OpenPuzzle, server: int = 0, *, solved: bool) -> OpenPuzzle:
        """Save the result of a first try.

        It is not rated if the solution was posted on the server where the person has opened it, or on this one.
        """
        entered = replace(known.entered, solved=solved)
        if await self._is_solution_posted(db, entered.puzzle, entered.server, server):
            await puzzles.end_first_try(db, entered, solved=solved, now=self.now(), month=None)
            return replace(known, entered=entered, is_unrated=True)
        rated = await rate_first_try(db, entered, solved=solved, now=self.now())
        return replace(known, entered=entered, rated=rated)


def _shown_positions(puzzle: Puzzle, tried: Sequence[Actions] = ()) -> Iterator[Position]:
    """Return the positions in which a puzzle's solution, or an answer to one of these turns, shows what to play."""
    lines = puzzle.line[:-1], tried
    return chain.from_iterable(accumulate(line, position_after, initial=puzzle.position) for line in lines)


async def _require_puzzle(db: Connection, puzzle: int) -> StoredPuzzle:
    found = await puzzles.load_puzzle(db, puzzle)
    if found is None:
        raise Refused(Why.NO_PUZZLE)
    return found


async def _is_tried(db: Connection, puzzle: int, user: int) -> bool:
    known = await puzzles.load_try(db, puzzle, user)
    return known is not None and known.solved is not None


class DailyPuzzles:
    """Operations on puzzles of the day. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def owe_due_puzzles(self) -> None:
        """Owe each server its puzzle of the day, and before that the solution of its last one."""
        async with self.store.reading() as db:
            late = await due.ready_rows(db, DAILY_PUZZLE, self.now())
        await for_each(self.store, late, self._owe_puzzle, due.lock_tasks)

    async def _owe_puzzle(self, db: Connection, row: DueRow) -> None:
        server, today = row.user, puzzle_day(self.now())
        channel = (await load_server_settings(db, server)).puzzles
        if channel is None:
            await due.unschedule(db, row.key)
            return
        if not await due.reschedule(db, row.id, self.now(), puzzle_day_start(today + 1)):
            return
        if await puzzles.puzzle_of_day(db, server, today) is None:
            await self._begin_day(db, server, today, channel)

    async def _begin_day(self, db: Connection, server: int, today: int, channel: int) -> None:
        await store_shipped(db, self.now())
        drawn, last = await puzzles.draw_for_day(db, server), await puzzles.last_day(db, server, today)
        if last is not None:
            old = await puzzles.puzzle_of_day(db, server, last)
            await self._owe(db, PUZZLE_SOLUTION, channel, {"server": server, "day": last, "puzzle": old})
        if drawn is not None:
            await puzzles.add_day(db, server, today, drawn)
            await self._owe(db, DAILY_PUZZLE, channel, {"server": server, "day": today, "puzzle": drawn})

    async def _owe(self, db: Connection, kind: str, channel: int, payload: dict[str, int | None]) -> None:
        key = f"{kind}:{payload['server']}:{payload['day']}"
        await outbox.owe(db, key, kind, channel, payload, self.now())

    async def is_wanted(self, owed: OutboxRow) -> bool:
        """Return whether a server still wants a message about puzzles in that channel, on the day of the message.

        A solution may be posted until the end of the day after.
        """
        async with self.store.reading() as db:
            channel = (await load_server_settings(db, owed.payload["server"])).puzzles
        lasts = puzzle_day(owed.created_at) == puzzle_day(self.now())
        return channel == owed.channel and lasts

    async def puzzle(self, owed: OutboxRow) -> StoredPuzzle | None:
        """Return the puzzle that a message is about; None if it cannot be read."""
        async with self.store.reading() as db:
            return await puzzles.load_puzzle(db, owed.payload["puzzle"])

    async def solvers(self, owed: OutboxRow) -> PuzzleSolvers:
        """Return who solved the puzzle whose solution is owed, on its server and on its day."""
        server, day, puzzle = (owed.payload[name] for name in ("server", "day", "puzzle"))
        async with self.store.reading() as db:
            when = puzzle_day_start(day), puzzle_day_start(day + 1)
            return await puzzles.solvers_on_server(db, puzzle, server, *when)
