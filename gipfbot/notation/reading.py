"""From what a text says to the actions it means in a position.

`parse_turn` is strict: a whole turn or an error, for records and tools. `read_part` is for play: it returns as much as
the text decides, and what is left is asked. How a notation spells a turn is no matter here: it comes as `Written`.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from gipfbot.rules import PASS, PUSHES, Action, Position, Push, Reason, Remove, legal, open_rows
from gipfbot.rules.events import moves
from gipfbot.rules.geometry import ENTRIES_BY_DOT, ENTRIES_BY_SPOT, bits
from gipfbot.rules.turns import distinct_pushes

from .errors import IllegalTurn, NotationError, OpenTurn
from .official import Act, Removal, Written, push_text, read
from .refusals import refuse_act, refuse_marks, refuse_removal
from .steps import Way, clearing, following, left_open, no_choice
from .writing import turn_text

CHOICES_LISTED = 6
WAYS_TRIED = 2_000
_RULE = {
    Reason.RESERVE: "R6.1", Reason.GIPF: "R6.2", Reason.REPETITION: "R6.3", Reason.TIME: "R6.4", Reason.RESIGN: "R6.5"
}  # fmt: skip


def parse_turn(position: Position, text: str) -> tuple[Action, ...]:
    """Return the actions of a whole turn in official notation, played from `position`.

    Inside a turn that is the remaining part. The twin of `turn_text`. Raises ParseError, IllegalTurn, or OpenTurn with
    the choices where the text leaves one.
    """
    written = read(text)
    way = _played(Way((), position), _remaining(position, (), written, text), text)
    if way.end.mover is position.mover:
        raise _open(position, way, written, text)
    _check_reserve(position, way, written, text)
    return way.actions


def read_part(start: Position, done: Iterable[Action], text: str) -> tuple[Action, ...]:
    """Return the actions that a text adds to a turn of which `done` has been played from `start`.

    The text may be the remaining part (`xGc4`) or a whole turn that begins with what is done. Where it decides too
    little, the turn stays unfinished after the actions, of which there may be none; where nothing is left to choose,
    they go on. Raises ParseError, or IllegalTurn, also for a push that no choice before it allows. That `done` is legal
    and leaves the turn unfinished is not checked.
    """
    way, written = _along(Way((), start), done), read(text)
    rest = _remaining(start, way.actions, written, text)
    added = _played(Way((), way.end), rest, text)
    if rest.act and not any(isinstance(action, Push) for action in added.actions):
        _refuse_rest(added.end, rest, text)
    _check_reserve(start, added, written, text)
    return added.actions


# --- what is still to be played -----------------------------------------------------------------------------------


def _remaining(start: Position, done: tuple[Action, ...], written: Written, text: str) -> Written:
    """Return what a text says beyond what is done."""
    said = IllegalTurn("done", "R3.5", _already(start, done), text)
    push = next((action for action in done if isinstance(action, Push)), None)
    cut = done.index(push) if push else 0
    if push and written.act:
        ready = _along(Way((), start), done[:cut]).end
        if _beyond(written.before, done[:cut], said) or not _same_push(ready, push, written.act):
            raise said
        return Written(_beyond(written.after, done[cut + 1 :], said), None, (), written.reserve)
    if written.act and start.pushed:
        raise said
    return written._replace(before=_beyond(written.before, done[cut:], said))


def _along(way: Way, actions: Iterable[Action]) -> Way:
    for action in actions:
        way = way.then(action)
    return way


def _beyond(lists: tuple[Removal, ...], step: tuple[Action, ...], said: IllegalTurn) -> tuple[Removal, ...]:
    """Return the lists without what this step has already removed; lists that name any of it have to name all."""
    gone = {spot for action in step if isinstance(action, Remove) for spot in action.spots}
    if not gone:
        return lists
    named = {piece.spot for removal in lists for piece in removal.pieces}
    if named & gone and not gone <= named:
        raise said
    left = (Removal(tuple(piece for piece in pieces if piece.spot not in gone), at) for pieces, at in lists)
    return tuple(removal for removal in left if removal.pieces)


def _same_push(position: Position, push: Push, act: Act) -> bool:
    found = _find_push(position, act)
    return found is not None and push_text(position, found) == push_text(position, push)


def _already(start: Position, done: tuple[Action, ...]) -> str:
    if not done:
        return "The push of this turn is done: write what comes after it."
    return f"You have already played {turn_text(start, done)}: write what comes after it."


# --- playing what is written --------------------------------------------------------------------------------------


def _played(way: Way, written: Written, text: str) -> Way:
    """Return the way as far as the text decides it: to the end of the turn, or to a choice that it leaves open."""
    mover = way.end.mover
    if way.end.result:
        raise IllegalTurn("over", _over_by(way.end), "The game is over: nothing more can be played.", text)
    if way.end.pushed:
        return _rest(way, written.before, text)
    way, decided = _step(way, written.before, text, pushes=written.act is not None)
    if not written.act or not decided:
        return way
    if way.end.mover is not mover:
        raise _ended(way.end, text)
    push = _find_push(way.end, written.act)
    if push is None:
        raise refuse_act(way.end, written.act, text)
    way = way.then(push)
    if way.end.mover is mover:
        return _rest(way, written.after, text)
    if written.after:
        raise IllegalTurn("no_row", "R3.4", f"No row of {mover}'s stands after this push.", text, written.after[0].at)
    return way


def _rest(way: Way, lists: tuple[Removal, ...], text: str) -> Way:
    """Return the way after the push, with the turn passed on if all is decided: offers not named are kept (R4.7)."""
    mover, (way, decided) = way.end.mover, _step(way, lists, text)
    return way.then(PASS) if decided and way.end.mover is mover else way


def _step(way: Way, lists: tuple[Removal, ...], text: str, *, pushes: bool = False) -> tuple[Way, bool]:
    """Return the way with this removal step done as far as it is decided, and whether all of it is.

    With `pushes` a push follows: of two ways to clear the same spots the one that does not end the game is meant.
    """
    named = tuple(piece for removal in lists for piece in removal.pieces)
    if lists and not open_rows(way.end):
        raise refuse_removal(way.end, named, lists[0].at, text)
    if named:
        refuse_marks(way.end, named, text)
        found = _cleared(way.end, lists, pushes)
        if found is None:
            raise refuse_removal(way.end, named, lists[0].at, text)
        mover, way = way.end.mover, _joined(way, found)
        if way.end.mover is not mover:
            return way, True
    rest = no_choice(way.end)
    return (_joined(way, rest), True) if rest else (way, False)


def _cleared(position: Position, lists: tuple[Removal, ...], pushes: bool) -> Way | None:
    """Return the way to clear the spots named: a row for each list if that goes, else in whatever way it goes."""
    sets = [bits(piece.spot for piece in removal.pieces) for removal in lists if removal.pieces]
    way = following(position, sets)
    if way and (way.end.mover is position.mover or not pushes):
        return way
    ways = sorted(clearing(position, sum(sets)), key=lambda other: pushes and other.end.mover is not position.mover)
    return next(iter(ways), way)


def _joined(way: Way, more: Way) -> Way:
    return Way((*way.actions, *more.actions), more.end)


def _ended(position: Position, text: str) -> IllegalTurn:
    sentence = "The removal before the push ends the game: leave the push out."
    return IllegalTurn("ended", _over_by(position), sentence, text)


def _over_by(position: Position) -> str:
    """Return the number of the rule that has ended the game."""
    return _RULE.get(position.result.by, "R6") if position.result else "R6"


def _find_push(position: Position, act: Act) -> Push | None:
    """Return the legal push that is meant; one on to a vacancy may be written with its dot or without."""
    for entry in ENTRIES_BY_DOT[act.dot] if act.dot else ENTRIES_BY_SPOT.get(act.spot, ()):
        push = PUSHES[entry.dot, entry.spot, act.kind]
        if push in legal(position) and moves(position, push)[0][1] == act.spot:
            return push
    return None


# --- what can be written instead ----------------------------------------------------------------------------------


class _Tried:
    """How many ways may still be looked at, and why those looked at so far do not go."""

    def __init__(self) -> None:
        self.left, self.cut, self.faults = WAYS_TRIED, False, list[NotationError]()

    def ways(self, way: Way) -> Iterator[Way]:
        """Yield the ways to go on through the step; `cut` says that they were too many."""
        for rest in left_open(way.end):
            if not self.left:
                self.cut = True
                return
            self.left -= 1
            yield _joined(way, rest)

    def fault(self) -> NotationError:
        """Return why what is written cannot be played, if that it ends the game first is not all there is to say."""
        return next((fault for fault in self.faults if fault.code != "ended"), self.faults[0])


def _open(start: Position, way: Way, written: Written, text: str) -> NotationError:
    """Return the error of a text that leaves a turn unfinished: the choices, or why none of them can be played.

    Where too many ways have been looked at in vain, the choices are beginnings: they do not say what is written next.
    """
    tried = _Tried()
    choices = list(islice(_completions(start, way, written, text, tried), CHOICES_LISTED + 1))
    if not choices and not tried.cut:
        return tried.fault()
    if not choices:
        choices = [turn_text(start, whole.actions) for whole in islice(_Tried().ways(way), CHOICES_LISTED)]
    more = tried.cut or len(choices) > CHOICES_LISTED
    choices = sorted(choices[:CHOICES_LISTED])
    return OpenTurn(choices, text, more=more, whole=all(_whole(start, choice) for choice in choices))


def _whole(start: Position, text: str) -> bool:
    """Whether a text that can be played from here is a whole turn."""
    return _played(Way((), start), _remaining(start, (), read(text), text), text).end.mover is not start.mover


def _refuse_rest(position: Position, written: Written, text: str) -> None:
    """Raise the error of a push, and of what is written behind it, that can be played after no way through a step."""
    tried, rest = _Tried(), written._replace(before=())
    if next(_completions(position, Way((), position), rest, text, tried), None) is None and not tried.cut:
        raise tried.fault()


def _completions(start: Position, way: Way, written: Written, text: str, tried: _Tried) -> Iterator[str]:
    """Yield texts that begin as this one does and say what it leaves open."""
    ways = tried.ways(way)
    first = [*islice(ways, 2)]
    for whole in chain(first, ways):
        if written.act:
            try:
                yield from _with_act(start, whole, way.end.pushed, written, text, tried)
            except NotationError as fault:
                tried.faults.append(fault)
        elif whole.end.mover is not start.mover or whole.end.pushed or len(first) > 1:
            yield turn_text(start, whole.actions)
        else:
            yield from _pushes(start, whole)


def _with_act(start: Position, way: Way, pushed: bool, written: Written, text: str, tried: _Tried) -> Iterator[str]:
    """Yield the texts of a way through the step before the written push, or behind it. Raises if there are none."""
    if not pushed:
        if way.end.mover is not start.mover:
            raise _ended(way.end, text)
        way = _played(way, written._replace(before=()), text)
        if way.end.mover is start.mover:
            yield from _completions(start, way, written, text, tried)
            return
    elif way.end.mover is start.mover:
        way = way.then(PASS)
    _check_reserve(start, way, written, text)
    yield turn_text(start, way.actions)


def _pushes(start: Position, way: Way) -> Iterator[str]:
    """Yield the texts of a way with each push that can follow."""
    first = turn_text(start, way.actions)
    for push in distinct_pushes(way.end):
        yield ";".join(filter(None, (first, push_text(way.end, push))))


def _check_reserve(start: Position, way: Way, written: Written, text: str) -> None:
    """Refuse a reserve written behind a turn that is not the mover's afterwards; an unfinished turn is not checked."""
    left = way.end.reserve[start.mover]
    if written.reserve not in (None, left) and way.end.mover is not start.mover:
        sentence = f"{start.mover} has {left} in reserve after this turn, not {written.reserve}."
        rule = "R4.3" if any(isinstance(action, Remove) for action in way.actions) else "R3.2"
        raise IllegalTurn("reserve_after", rule, sentence, text)
