"""Complete a partly typed text to legal turns that fit it, without listing all turns."""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import islice
from typing import NamedTuple

from gipfbot.rules import Act, Action, Position, Push
from gipfbot.rules.powers import POWERS
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .middle_search import MiddleSearch
from .normalise import normalise_typed
from .notations import NOTATIONS, OFFICIAL, Notation
from .overboard_completion import fitting_parts
from .prefix_search import FoundTurn, PrefixSearch
from .removal_steps import Way, play_along
from .spelling import EXPLICIT_NOTATIONS
from .write_turn import turn_text

LONGEST_TYPED = 200  # characters; no turn is longer
TYPED_SIGNS = {*"abcdefghix123456789;,-*>+"}  # all normalised characters of both notations but for `POWERS`


class Fit(IntEnum):
    """How well a completion fits the typed text. The best fit comes first."""

    EXACT = 0
    PREFIX = 1
    CONTAINED = 2


class Completion(NamedTuple):
    """The text of a turn, or of the rest of a turn, that fits the typed text.

    `returned` counts the basic pieces that come back to the mover's reserve, `captured` those that the opponent loses
    (R4.3). A GIPF-piece counts as two.
    """

    text: str
    fit: Fit
    returned: int
    captured: int


def completions(
    start: Position,
    done: Sequence[Action],
    typed: str,
    limit: int,
    notation: Notation = OFFICIAL,
    *,
    longest: int = 100,
) -> list[Completion]:
    """Return at most `limit` turns that fit the typed text, the best fit first.

    Exact matches come first, then turns that begin with the text, then turns that only contain it. The actions `done`
    have been played from `start`, and each completion is the rest of that turn. Blanks, case and the kind of dash are
    ignored. If the removal before the push leaves no choice, it need not be typed. If nothing fits in `notation`, the
    other notation is tried. Completions over `longest` characters are left out.

    A completion is in canonical form, unless the typed text begins differently. Playing a completion never asks the
    player a question. Every prefix of a turn finds that turn, unless `limit` or `longest` leaves it out. In a crowded
    position some turns that only contain the text may be missed. Never raises, whatever is typed.
    """
    wanted = normalise_typed(typed)
    if start.rules.course == OVERBOARD_COURSE:
        return _complete_overboard(start, done, wanted, limit, notation, longest)
    signs = TYPED_SIGNS.union(map(str.lower, POWERS))
    if len(wanted) > LONGEST_TYPED or not signs.issuperset(wanted) or play_along(start, done).end.result:
        return []
    for each in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        if found := list(islice(_find_completions(start, done, wanted, each, longest), limit)):
            return found
    return []


def _complete_overboard(
    start: Position, done: Sequence[Action], wanted: str, limit: int, notation: Notation, longest: int
) -> list[Completion]:
    now = play_along(start, done).end
    if len(wanted) > LONGEST_TYPED or now.result:
        return []
    for each in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        found = dict[str, Completion]()
        for fit, text, way in fitting_parts(start, done, wanted, each):
            if len(text) <= longest and text not in found:
                found[text] = Completion(text, Fit(fit), *_count_taken(now, way))
            if len(found) == limit:
                break
        if found:
            return [*found.values()][:limit]
    return []


def _find_completions(
    start: Position, done: Sequence[Action], wanted: str, notation: Notation, longest: int
) -> Iterator[Completion]:
    now, known = play_along(start, done).end, set[str]()
    again = normalise_typed(turn_text(start, done, notation).removesuffix(notation.empty_step_text(now)))
    begun = [FoundTurn("", spelt, (), now) for spelt in dict.fromkeys(("", again))]
    for fit, found in _fitting_turns(begun, wanted, notation, longest):
        if found.text in known:
            continue
        canonical = turn_text(now, found.actions, EXPLICIT_NOTATIONS[notation.name])
        read = canonical.lower()
        text = canonical if read.startswith(wanted) or (fit is Fit.CONTAINED and wanted in read) else found.text
        if canonical not in known and len(text) <= longest:
            yield Completion(text or found.text or "x", fit, *_count_taken(now, Way(found.actions, found.end)))
        known.update((found.text, canonical))


def _fitting_turns(
    begun: Sequence[FoundTurn], wanted: str, notation: Notation, longest: int
) -> Iterator[tuple[Fit, FoundTurn]]:
    for fit in (Fit.EXACT, Fit.PREFIX):
        search = PrefixSearch(notation, wanted, longest, exact=fit is Fit.EXACT)
        yield from ((fit, found) for each in begun for found in search.turns(each))
    if wanted:
        yield from ((Fit.CONTAINED, found) for found in MiddleSearch(notation, wanted, longest).turns(begun[0]))


def _count_taken(now: Position, way: Way) -> tuple[int, int]:
    """Return how many basic pieces a turn brings back, and how many it captures. A GIPF-piece counts as two."""
    by, end = now.mover, way.end
    spent = sum(act.kind.worth if isinstance(act, Push) else act.put for act in way.actions if isinstance(act, Act))
    return end.reserve[by] - now.reserve[by] + spent, end.captured[by.other] - now.captured[by.other]
