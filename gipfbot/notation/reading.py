"""From what a text says to the actions it means in a position.

`parse_turn` is strict: a whole turn or an error, for records and tools. `read_part` is for play: it returns as much as
the text decides, and what is left is asked.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from gipfbot.rules import PASS, Action, Pass, Position, Push, Remove, legal, open_rows, play, removal_ways
from gipfbot.rules.events import moves
from gipfbot.rules.geometry import bits
from gipfbot.rules.turns import distinct_pushes

from .errors import IllegalTurn, NotationError, OpenTurn
from .official import Act, Named, Removal, Written, read, removal_text, turn_text
from .refusals import refuse_act, refuse_marks, refuse_removal

CHOICES_LISTED = 8


class _Played(NamedTuple):
    """The actions a text means so far, where they lead, and whether a choice that it leaves open stops it there."""

    actions: tuple[Action, ...]
    position: Position
    open: bool = False

    def then(self, *actions: Action) -> "_Played":
        position = self.position
        for action in actions:
            position = play(position, action)
        return _Played((*self.actions, *actions), position, self.open)


def parse_turn(position: Position, text: str) -> tuple[Action, ...]:
    """Return the actions of a whole turn in official notation, played from the start of a turn.

    The twin of `turn_text`. Raises ParseError, IllegalTurn, or OpenTurn with the choices where the text leaves one.
    """
    written = read(text)
    played = _play(position, written, text)
    if played.position.mover is position.mover:
        choices = sorted(islice(_completions(position, played, written, text), CHOICES_LISTED))
        raise OpenTurn(choices, text)
    _check_reserve(position, played, written, text)
    return played.actions


def read_part(start: Position, done: Iterable[Action], text: str) -> tuple[Action, ...]:
    """Return the actions that a text adds to a turn of which `done` has been played from `start`.

    The text may be the remaining part (`xGc4`) or a whole turn that begins with what is done. Where it decides too
    little, the turn stays unfinished after the actions, of which there may be none. Raises ParseError or IllegalTurn.
    """
    done, written = tuple(done), read(text)
    now = _Played((), start).then(*done).position
    played = _play(now, _remaining(start, done, written, text), text)
    _check_reserve(start, played, written, text)
    return played.actions


def _remaining(start: Position, done: tuple[Action, ...], written: Written, text: str) -> Written:
    """Return what a text says beyond what is done."""
    pushed = next((n for n, action in enumerate(done) if isinstance(action, Push)), None)
    if pushed is None:
        return written._replace(before=_beyond(start, done, done, written.before, text))
    if not written.act:
        return written._replace(before=(), after=_beyond(start, done, done[pushed + 1 :], written.before, text, True))
    _beyond(start, done, done[:pushed], written.before, text)
    push, ready = done[pushed], _Played((), start).then(*done[:pushed]).position
    if not (isinstance(push, Push) and _fits(ready, push, written.act)):
        raise _already(start, done, text)
    return Written((), None, _beyond(start, done, done[pushed + 1 :], written.after, text), written.reserve)


def _beyond(
    start: Position, done: tuple[Action, ...], step: tuple[Action, ...], lists: tuple[Removal, ...], text: str,
    part: bool = False,
) -> tuple[Removal, ...]:  # fmt: skip
    """Return the lists without what this step has already removed, which lists that name a whole step must repeat."""
    gone = {spot for action in step if isinstance(action, Remove) for spot in action.spots}
    named = {piece.spot for removal in lists for piece in removal.pieces}
    if named and named & gone and not gone <= named:
        raise _already(start, done, text)
    left = (Removal(tuple(p for p in removal.pieces if p.spot not in gone), removal.at) for removal in lists)
    return tuple(new for new, old in zip(left, lists, strict=True) if new.pieces or not old.pieces)


def _already(start: Position, done: tuple[Action, ...], text: str) -> IllegalTurn:
    said = turn_text(start, done)
    return IllegalTurn("done", "R3.5", f"You have already played {said}: write what comes after it.", text)


def _play(position: Position, written: Written, text: str) -> _Played:
    if position.result:
        raise IllegalTurn("over", "R6", "The game is over: nothing more can be played.", text)
    played = _Played((), position)
    if not position.pushed:
        played = _step(played, written.before, text)
        if played.position.mover is not position.mover:
            if written.act:
                raise IllegalTurn("ended", "R6.2", "The removal before the push ends the game: leave the push out.", text)
            return played
        if played.open or not written.act:
            return played
        played = played.then(_find_push(played.position, written.act, text))
    if played.position.mover is position.mover:
        played = _step(played, written.after, text)
        unfinished = played.open or played.position.mover is not position.mover
        return played if unfinished else played.then(PASS)
    if written.after:
        raise IllegalTurn("no_row", "R3.4", f"No row of {position.mover}'s stands after this push.", text, written.after[0].at)
    return played


def _step(played: _Played, lists: tuple[Removal, ...], text: str) -> _Played:
    """Return the removal step done as far as the lists and the lack of a choice decide it."""
    named = tuple(piece for removal in lists for piece in removal.pieces)
    if lists and not open_rows(played.position):
        raise refuse_removal(played.position, named, lists[0].at, text)
    if named:
        refuse_marks(played.position, named, text)
        ways = list(_removing(played, bits(piece.spot for piece in named)))
        if not ways:
            raise refuse_removal(played.position, named, lists[0].at, text)
        mover = played.position.mover
        played = next((way for way in ways if way.position.mover is not mover or not _due(way.position)), ways[0])
        if played.position.mover is not mover:
            return played
    ends = list(islice(_distinct(_forced_ends(played)), 2))
    return ends[0] if len(ends) == 1 else played._replace(open=True)


def _due(position: Position) -> bool:
    return any(row.due for row in open_rows(position))


def _removing(played: _Played, wanted: int) -> Iterator[_Played]:
    """Yield the ways to remove exactly the wanted spots (bits)."""
    if not wanted:
        yield played
        return
    for action in legal(played.position):
        if isinstance(action, Remove) and not action.taken & ~wanted:
            after = played.then(action)
            if after.position.mover is played.position.mover:
                yield from _removing(after, wanted & ~action.taken)
            elif wanted == action.taken:
                yield after


def _forced_ends(played: _Played) -> Iterator[_Played]:
    """Yield the ways through all due removals of the step that take nothing from an offer (R4.7)."""
    position = played.position
    due = {row.line.number for row in open_rows(position) if row.due}
    if not due:
        yield played._replace(open=not position.pushed and not position.reserve[position.mover])
        return
    for action in legal(position):
        if isinstance(action, Remove) and action.line in due:
            after = played.then(action)
            if after.position.mover is position.mover:
                yield from _forced_ends(after)
            else:
                yield after


def _distinct(ways: Iterator[_Played]) -> Iterator[_Played]:
    seen = set()
    for way in ways:
        board = way.position._replace(dealt=0)
        if board not in seen:
            seen.add(board)
            yield way


def _find_push(position: Position, act: Act, text: str) -> Push:
    for action in legal(position):
        if isinstance(action, Push) and _fits(position, action, act):
            return action
    raise refuse_act(position, act, text)


def _fits(position: Position, push: Push, act: Act) -> bool:
    if push.kind is not act.kind:
        return False
    if act.dot:
        return push.dot == act.dot and moves(position, push)[0][1] == act.spot
    return push.spot == act.spot and not (position.owned[0] | position.owned[1]) & push.entry.first


def _completions(start: Position, played: _Played, written: Written, text: str) -> Iterator[str]:
    """Yield whole turns that begin as the text does and say what it leaves open."""
    for end, way in removal_ways(played.position, removal_text).items():
        actions = (*played.actions, *way)
        if end.mover is not start.mover:
            yield turn_text(start, actions)
        elif written.act:
            try:
                rest = _play(end, written._replace(before=()), text)
            except NotationError:
                continue
            if rest.position.mover is start.mover:
                yield from _completions(start, _Played((*actions, *rest.actions), rest.position), written, text)
            else:
                yield turn_text(start, (*actions, *rest.actions))
        else:
            yield from (turn_text(start, (*actions, push)) for push in distinct_pushes(end))


def _check_reserve(start: Position, played: _Played, written: Written, text: str) -> None:
    """Refuse a reserve written behind a turn that is not the mover's afterwards; an unfinished turn is not checked."""
    left = played.position.reserve[start.mover]
    if written.reserve not in (None, left) and played.position.mover is not start.mover:
        raise IllegalTurn("reserve", "R4.3", f"{start.mover} has {left} in reserve after this turn, not {written.reserve}.", text)


__all__ = ["Named", "Pass", "parse_turn", "read_part"]
