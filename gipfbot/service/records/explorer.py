"""The explorer: the next turns from a position in finished games, and how they are counted.

A sweep counts each game after its end, so that nothing has to be counted when somebody asks.
"""

import logging
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from gipfbot.match import Refused, Why, position_after, replay_turns
from gipfbot.match.explorer import EXPLORED_TURNS, ExploredStep, explored_steps, whole_turns
from gipfbot.match.study import Actions, Study
from gipfbot.notation import parse_action_code, position_text
from gipfbot.notation.symmetric_turns import (
    Representative,
    actions_of_common_turn,
    common_turn_text,
    find_representative,
)
from gipfbot.rules import Position, Ruleset
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.batches import BATCH_SIZE
from gipfbot.store import Connection, Store, explorer
from gipfbot.store.database import READ_ERRORS
from gipfbot.values import EndedLine, ExploredTurn, ListedGame

log = logging.getLogger(__name__)
CountedTurns = dict[ExploredStep, ExploredTurn]
SCORES = ("1-0", "1/2-1/2", "0-1")  # a void game has none of these

MOST_NEXT_TURNS = 8  # that one look shows
MOST_NEWEST_GAMES = 10  # that one look checks; it names those that the person may see


def steps_of_games(ended: Sequence[EndedLine]) -> list[tuple[ExploredStep, ...]]:
    """Return the steps that count in each of these games.

    Void and cancelled games have none, nor have games whose turns cannot be read. Replays many turns: run it aside.
    """
    return [_steps_of_game(line) if line.score in SCORES else () for line in ended]


def _steps_of_game(line: EndedLine) -> tuple[ExploredStep, ...]:
    try:
        turns = [tuple(map(parse_action_code, codes.split())) for codes in line.turns]
        return explored_steps(whole_turns(Ruleset.from_data(dict(line.ruleset)), turns))
    except READ_ERRORS as error:
        kind = type(error).__name__  # the message of the error may quote a turn
        log.warning("the explorer leaves out game %d, whose turns cannot be played: %s", line.game, kind)
        return ()


def sum_turns(games: Iterable[tuple[EndedLine, tuple[ExploredStep, ...]]]) -> CountedTurns:
    """Return in how many of these games each turn was played."""
    sums = CountedTurns()
    for line, steps in games:
        for step in steps:
            white, drawn, black = (int(line.score == score) for score in SCORES)
            one = ExploredTurn(step.turn, white, drawn, black, (line.game,))
            sums[step] = sums[step].plus(one) if step in sums else one
    return sums


class NextTurn(NamedTuple):
    """A turn that was played next in finished games, as it is played in the position asked about."""

    code: str  # names it among the turns from its position
    actions: Actions
    counted: ExploredTurn
    in_record: bool  # whether the record that the person looks at goes on with it


@dataclass(frozen=True)
class ExplorerView:
    """The explorer's view of a position. Does not check which games the person may see.

    `study` shows the position: its tried turns lead there. `next_turns` are those played most, in descending order.
    """

    study: Study
    position: Position
    next_turns: tuple[NextTurn, ...]
    other_turns: int  # how many other turns there are
    games: int  # that went on from here
    newest: tuple[ListedGame, ...]  # the newest of these games, the newest first

    @property
    def is_too_late(self) -> bool:
        """Whether the turns from here on are not counted, unless other games have reached the position earlier."""
        return self.study.turn_number + len(self.study.tried) >= EXPLORED_TURNS


class Explorer:
    """Operations of the explorer. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside

    async def count_ended(self) -> int:
        """Count games that have ended, at most BATCH_SIZE, in one transaction. Return how many there were."""
        async with self.store.reading() as db:
            ended = await explorer.games_to_count(db, self.now(), BATCH_SIZE)
        if not ended:
            return 0
        steps = await self.aside.run(None, steps_of_games, ended)
        async with self.store.transaction() as db:
            fresh = await explorer.mark_counted(db, [line.game for line in ended], self.now())
            found = (each for each in zip(ended, steps, strict=True) if each[0].game in fresh)
            await explorer.add_turns(db, sum_turns(found))
        return len(ended)

    async def look(self, user: int, study: Study, path: Sequence[str] = ()) -> ExplorerView:
        """Return the explorer's view of the position that a study shows, without its draft.

        `path` has the codes of further turns, which lead to the position to show. Raises Refused if it leads nowhere.
        """
        await self.aside.run(user, _shown_position, study)
        async with self.store.reading() as db:
            reached = await _follow_path(db, study, path)
        position = await self.aside.run(user, _shown_position, reached)
        known = find_representative(position)
        async with self.store.reading() as db:
            turns = [] if position.result else await explorer.turns_from(db, known.key)
            newest = sorted({game for turn in turns for game in turn.newest}, reverse=True)[:MOST_NEWEST_GAMES]
            named = await explorer.listed_by_id(db, newest)
        recorded = _recorded_turn(reached)
        shown = tuple(_next_turn(known, turn, recorded) for turn in turns[:MOST_NEXT_TURNS])
        games = sum(turn.games for turn in turns)
        return ExplorerView(reached, position, shown, len(turns) - len(shown), games, tuple(named))


def turn_code(turn: str) -> str:
    """Return four characters that name a turn among those from its position."""
    return urlsafe_b64encode(blake2b(turn.encode(), digest_size=3).digest()).decode()


def shown_position_code(study: Study) -> str:
    """Return four characters that change with the position that a study shows."""
    return turn_code(position_text(_shown_position(study)))


@lru_cache(maxsize=64)  # all buttons of one answer ask for it
def _shown_position(study: Study) -> Position:
    """Return the position that a study shows, without its draft. A long record takes some milliseconds."""
    return replay_turns(study.ruleset, (*study.turns[: study.place], *study.tried), study.start_position)[0]


async def _follow_path(db: Connection, study: Study, path: Sequence[str]) -> Study:
    """Return a study with the turns of a path tried, and without its draft."""
    position, tried = _shown_position(study), [*study.tried]
    for code in path:
        known = find_representative(position)
        turns = await explorer.turns_from(db, known.key)
        found = next((turn.turn for turn in turns if turn_code(turn.turn) == code), None)
        if found is None:
            raise Refused(Why.NOT_EXPLORED)
        tried.append(actions_of_common_turn(known, found))
        position = position_after(position, tried[-1])
    return replace(study, tried=tuple(tried), draft=())


def _recorded_turn(study: Study) -> Actions | None:
    """Return the next turn of a study's record; None at its end, or if the study has left the record."""
    return study.turns[study.place] if not study.tried and study.place < len(study.turns) else None


def _next_turn(known: Representative, turn: ExploredTurn, recorded: Actions | None) -> NextTurn:
    """Return a turn as it is played in a position. A turn of the record keeps its form there."""
    if recorded and common_turn_text(known, recorded) == turn.turn:
        return NextTurn(turn_code(turn.turn), recorded, turn, in_record=True)
    return NextTurn(turn_code(turn.turn), actions_of_common_turn(known, turn.turn), turn, in_record=False)
