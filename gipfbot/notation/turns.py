"""Write a turn as text, and read a turn from text (notation.md sections 1 to 3).

A text is read in two steps. A notation splits it into a `WrittenTurn`, so that the spelling does not matter any more.
`TurnReading` finds the actions that the written turn means in a position, up to the first open choice. In a record
every choice must be decided, or an error lists texts that decide it. In a game in progress, the player is asked.

Turns of another course than the official one have functions of their own in `courses`. A position of such a course has
`resolving`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from typing import NamedTuple

from gipfbot.rules import (
    PASS,
    Act,
    Action,
    Colour,
    Position,
    Push,
    Reason,
    Remove,
    Use,
    distinct_acts,
    legal,
    open_rows,
    play,
)
from gipfbot.rules.sentences import Sentence

from .courses import other_course
from .errors import CHOICES_LISTED, IllegalTurn, NotationError, OpenTurn
from .normalise import NONE_SIGN, WrittenAct, WrittenPush, WrittenTurn
from .notations import OFFICIAL, Notation, RemovalLists
from .refusals import GAME_OVER, WHITE_TO_MOVE, name_rows_first, open_now_sentence, refuse_any_removal
from .removal_steps import Way, are_apart, clearing_text, join_ways, only_way, open_ways, play_along, play_cached

WAYS_TRIED = 2_000
_RULE = {
    Reason.RESERVE: "R6.1", Reason.GIPF: "R6.2", Reason.REPETITION: "R6.3", Reason.TIME: "R6.4", Reason.RESIGN: "R6.5"
}  # fmt: skip


# ── Writing ──


def turn_text(
    position: Position,
    actions: Iterable[Action],
    notation: Notation = OFFICIAL,
    *,
    long: bool = True,
    reserve: bool = False,
) -> str:
    """Return the canonical text of a turn, or of its first part. Does not check that the actions are legal.

    If several orders of removal lead to the same board, the text that sorts first by code point is written, whichever
    order was played. If `long` is false, official notation writes the removals before or after the push as a bare `x`
    when only one board can result. If `reserve` is true, the mover's reserve after the turn is added in brackets. Rows
    that may stay and were kept are not written (R4.7).
    """
    actions = tuple(actions)
    if other := other_course(position):
        text = other.turn_text(position, actions, notation)
        return f"{text} ({play_along(position, actions).end.reserve[position.mover]})" if reserve else text
    if len(actions) == 1 and isinstance(actions[0], Act) and not (reserve or notation.keeps_unwritten):
        return notation.act_text(position, actions[0])  # most turns
    push = next((action for action in actions if isinstance(action, Act)), None)
    cut = actions.index(push) if push else len(actions)
    step = _build_step(position, actions[:cut], over=push is not None)
    text, end = _step_text(step, notation, long), step.end
    if push:
        pushed, removed = notation.act_text(end, push), actions[cut + 1 :]
        if removed or reserve or notation.keeps_unwritten:  # the other texts do not need the position after the push
            step = _build_step(play(end, push), removed)
            after, end = _step_text(step, notation, long) or notation.empty_step_text(step.start), step.end
            pushed = notation.separator.join(filter(None, (pushed, after)))
        text = ";".join(filter(None, (text, pushed)))
    elif step.removals:
        text = text or notation.empty_step_text(position)
    return text + (f" ({end.reserve[position.mover]})" if reserve else "")


def decision_text(position: Position, actions: Iterable[Action], notation: Notation = OFFICIAL) -> str:
    """Return the text of one player's decision in a turn of both players (R8.4). It is `-` if they take nothing.

    If only one player decides, it is the text of the turn.
    """
    return turn_text(position, actions, notation) or NONE_SIGN


def played_text(position: Position, actions: Iterable[Action]) -> str:
    """Return actions in official notation, in the order played. Does not check that they are legal.

    A pass has a text only in Overboard.
    """
    if other := other_course(position):
        return other.played_text(position, actions)
    texts = []
    for action in actions:
        if isinstance(action, Act):
            texts.append(OFFICIAL.act_text(position, action))
        elif isinstance(action, Remove):
            texts.append(OFFICIAL.removal_text(position, action))
        position = play(position, action)
    return ";".join(texts)


class _PlayedStep(NamedTuple):
    """The removals before or after the push, and the positions around them.

    `over` says that no more removals can follow.
    """

    start: Position
    removals: tuple[Remove, ...]
    end: Position
    over: bool


def _build_step(start: Position, actions: Sequence[Action], *, over: bool = False) -> _PlayedStep:
    end, removals = start, tuple([action for action in actions if type(action) is Remove])
    for action in actions:
        end = play_cached(end, action)
    return _PlayedStep(start, removals, end, over or end.mover is not start.mover)


def _step_text(step: _PlayedStep, notation: Notation, long: bool) -> str:
    """Return the text of the removals in `step`. Empty if there are none, or if they need not be written."""
    return _removals_text(step, notation, long) if step.removals else ""


@lru_cache(maxsize=8)  # consecutive turns of a list share their first removals
def _removals_text(step: _PlayedStep, notation: Notation, long: bool) -> str:
    if (
        not long
        and notation is OFFICIAL
        and (forced := only_way(step.start))
        and board_state(forced.end) == board_state(step.end)
    ):
        return "x"
    if not notation.keeps_unwritten and step.end.result is None and are_apart(step.start, step.removals):
        return notation.separator.join(sorted([notation.removal_text(step.start, each) for each in step.removals]))
    played = Way(step.removals, step.end)
    text = clearing_text(step.start, played, notation.removal_text, notation.separator, partial(_is_as_far, step))
    assert text is not None
    return text


def board_state(position: Position) -> tuple[object, ...]:
    """Return all that lies on the board of a position."""
    return position.owned, position.gipf, position.odd


def _is_as_far(step: _PlayedStep, end: Position) -> bool:
    """Return whether the position `end` has got as far in the turn as `step.end`.

    Assumes that both positions have the same spots cleared. If the step is unfinished, the positions must be equal. If
    the step was finished before the push, the same player must be to move in both. If the step was finished after the
    push, the answer is always True.
    """
    if not step.over:
        return end == step.end
    return step.start.pushed or end.mover is step.end.mover


# ── Reading ──


def read_written(position: Position, text: str, notation: Notation) -> WrittenTurn:
    """Split the text of a turn into its parts, as games like that of `position` are written.

    Raises ParseError with the offset of the first fault. Does not check legality.
    """
    other = other_course(position)
    return other.read(text, notation) if other else notation.read(text)


def parse_turn(position: Position, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of the turn that a text describes. The inverse of `turn_text`.

    If `position` is in the middle of a turn, the text is the rest of that turn. Raises ParseError or IllegalTurn.
    Raises OpenTurn, which lists the choices, if the text leaves a choice open.
    """
    return parse_written(position, read_written(position, text, notation), text, notation)


def parse_written(
    position: Position, written: WrittenTurn, text: str, notation: Notation, *, next_spots: bool = False
) -> tuple[Action, ...]:
    """Return the actions of a whole turn, as `parse_turn` does, of a text that was read as `written`.

    With `next_spots`, the spot behind a dot may also be the one next to it, from which the push moves a piece on.
    """
    if other := other_course(position):
        return other.parse_whole(position, written, text, notation)
    reading = TurnReading(notation, text, keep=notation.keeps_unwritten, next_spots=next_spots)
    reached = reading.play_whole(position, written)
    if reached.way.end.mover is position.mover:
        raise _unfinished_turn_error(reading, position, reached.ways, written)
    return reached.way.actions


def read_remaining_turn(
    reading: "TurnReading", start: Position, done: Iterable[Action], written: WrittenTurn
) -> tuple[Action, ...]:
    """Return the actions that a written turn adds to the actions `done`, up to its first open choice.

    `done` was played from `start`. Raises IllegalTurn if the written turn is illegal, or if no removals before the
    written push can make the push legal.
    """
    if other := other_course(start):
        shown = reading.shown or reading.notation
        return other.parse_part(start, done, written, reading.text, reading.notation, shown)
    way = play_along(start, done)
    rest = reading.remaining_part(start, way.actions, written)
    added = reading.play_written(Way((), way.end), rest).way
    if rest.push and not any(isinstance(action, Push | Use) for action in added.actions):
        _check_remaining_push(reading, added.end, rest)
    return added.actions


class _ReachedTurn(NamedTuple):
    """How far a text decides a turn.

    `way` is the decided beginning of the turn. `ways` holds every way that the written removals can mean. There is one,
    unless the text is ambiguous. The open choice comes after these ways.
    """

    way: Way
    ways: tuple[Way, ...]


class TurnReading(NamedTuple):
    """A text read in one notation. If `keep` is true, GIPF-pieces that the text does not name are kept.

    Error messages write turns in the notation `shown`, or in `notation` if `shown` is None. `next_spots` is as in
    `parse_written`.
    """

    notation: Notation
    text: str
    keep: bool = False
    shown: Notation | None = None
    next_spots: bool = False

    # ── The remaining part ──

    def remaining_part(self, start: Position, done: tuple[Action, ...], written: WrittenTurn) -> WrittenTurn:
        """Return the part of a written turn that is not played yet.

        The actions `done` were played from `start`. Raises IllegalTurn if the text contradicts them. Also raises it if
        a push is written, but the turn's push was played before `start`.
        """
        push = next((action for action in done if isinstance(action, Push | Use)), None)
        cut = done.index(push) if push else 0
        ready, unplayed = play_along(start, done[:cut]).end, self.notation.remaining_lists
        begun, step = (play_along(ready, [push]).end, done[cut + 1 :]) if push else (start, done)
        lists = written.before
        if written.push and push:
            as_played = unplayed(start, lists, done[:cut]) == () and self._same_push(ready, push, written.push)
            lists = written.after
        else:
            as_played = not (written.push and start.pushed)
        left = unplayed(begun, lists, step) if as_played else None
        if left is None:
            raise self._done_error(start, done)
        return written._replace(before=left, push=None, after=()) if push else written._replace(before=left)

    def _same_push(self, position: Position, push: Act, act: WrittenAct) -> bool:
        found, spell = self.notation.find_act(position, act), self.notation.act_text
        return found is not None and spell(position, found) == spell(position, push)

    def _done_error(self, start: Position, done: tuple[Action, ...]) -> IllegalTurn:
        turn, open_now = (
            turn_text(start, done, self.shown or self.notation),
            open_now_sentence(play_along(start, done).end),
        )
        return IllegalTurn("done", "R3.5", [_done_sentence(done, turn), open_now], self.text)

    # ── Playing a written turn ──

    def play_whole(self, position: Position, written: WrittenTurn) -> _ReachedTurn:
        """Play a written turn from `position`. Return how far the text decides it.

        Raises IllegalTurn as `play_written` does, and if a push is written although the turn's push has been played.
        """
        return self.play_written(Way((), position), self.remaining_part(position, (), written))

    def play_written(self, way: Way, written: WrittenTurn) -> _ReachedTurn:
        """Play a written turn after the actions in `way`. Return how far the text decides it.

        Raises IllegalTurn if the turn is illegal. Does not check the written reserve.
        """
        mover = way.end.mover
        if written.black and mover is Colour.WHITE:
            raise IllegalTurn("side", "R3.4", WHITE_TO_MOVE, self.text)
        if way.end.result:
            raise IllegalTurn("over", _ending_rule(way.end), GAME_OVER, self.text)
        if way.end.pushed:
            return self._rest(way, written.before)
        reached, decided = self._step(way, written.before, pushes=written.push is not None)
        if not written.push or not decided:
            return reached
        if reached.way.end.mover is not mover:
            raise self.ended_error(reached.way.end)
        begun = reached.way.end if written.before else way.end
        return self._pushed(begun, reached.way, written.push, written.after)

    def _pushed(self, begun: Position, way: Way, act: WrittenAct, lists: RemovalLists) -> _ReachedTurn:
        """Play a push and the step after it. Return how far the text decides them.

        `begun` is the position before the removals that the text leaves out.
        """
        mover, push = way.end.mover, self._find_act(way.end, act)
        if push is None:
            fault = self.notation.refuse_act(way.end, act, self.shown or self.notation, self.text)
            raise name_rows_first(begun, fault)
        way = way.then(push)
        if way.end.mover is mover:
            return self._rest(way, lists)
        if not self.notation.allows_no_row(way.end, lists):
            sentence = Sentence("{player} has no row after this push.", player=mover)
            raise IllegalTurn("no_row", "R3.4", sentence, self.text, lists[0].place)
        return _ReachedTurn(way, (way,))

    def _find_act(self, position: Position, act: WrittenAct) -> Act | None:
        found = self.notation.find_act(position, act)
        if found or not self.next_spots or not isinstance(act, WrittenPush):
            return found
        beside = act.dot, act.spot, act.kind
        pushes = (one for one in legal(position) if isinstance(one, Push))
        return next((push for push in pushes if (push.dot, push.spot, push.kind) == beside), None)

    def _rest(self, way: Way, lists: RemovalLists) -> _ReachedTurn:
        """Play the step after the push. Return how far the text decides it.

        Rows that may stay and are not written are kept (R4.7).
        """
        mover, (reached, decided) = way.end.mover, self._step(way, lists)
        if not decided or reached.way.end.mover is not mover:
            return reached
        way = reached.way.then(PASS)
        return _ReachedTurn(way, (way,))

    def _step(self, way: Way, lists: RemovalLists, *, pushes: bool = False) -> tuple[_ReachedTurn, bool]:
        """Play one step. Return how far the text decides it, and whether it decides all of it.

        `pushes` says that a push is written after the step.
        """
        if lists and not open_rows(way.end):
            raise refuse_any_removal(way.end, lists, self.text)
        said = self.notation.ways_to_clear(way.end, lists, self.text, pushes=pushes)
        ends: dict[Position, Way] = {}
        for one in said:
            for whole in self._ways_on(one, way.end):
                ends.setdefault(whole.end._replace(dealt=0), whole)
                if len(ends) > 1:
                    ways = tuple(join_ways(way, other) for other in said)
                    return _ReachedTurn(ways[0] if len(ways) == 1 else way, ways), False
        whole = join_ways(way, next(iter(ends.values())))
        return _ReachedTurn(whole, (whole,)), True

    def _ways_on(self, way: Way, begun: Position) -> Iterable[Way]:
        """Extend `way` until all due rows are removed. Return one extended way for each board that can result.

        If `way` ends the turn, return it alone. `begun` is the position at the start of `way`.
        """
        if way.end.mover is not begun.mover:
            return [way]
        return (join_ways(way, rest) for rest in open_ways(way.end, keep=self.keep))

    def ended_error(self, position: Position) -> IllegalTurn:
        """Return the error for a push written after a removal that ends the game."""
        sentence = Sentence("The removal before the push ends the game: leave the push out.")
        return IllegalTurn("ended", _ending_rule(position), sentence, self.text)


def _done_sentence(done: Sequence[Action], turn: str) -> Sentence:
    """Return the sentence that the actions `done` have been played. `turn` is their text."""
    if not done:
        return Sentence("You have pushed.")
    if all(isinstance(action, Push) for action in done):
        return Sentence("You have pushed {turn}.", turn=turn)
    return Sentence("You have played {turn}.", turn=turn)


def reserve_sentence(mover: Colour, left: int, written: WrittenTurn) -> Sentence:
    """Return the sentence that a written reserve is wrong: `left` pieces are in the reserve of `mover` instead."""
    return Sentence(
        "{player} has {reserve} in reserve after this turn, not {written}.",
        player=mover,
        reserve=left,
        written=str(written.reserve),
    )


def _ending_rule(position: Position) -> str:
    """Return the number of the rule by which the game ended. R6 if no single rule is known."""
    return _RULE.get(position.result.by, "R6") if position.result else "R6"


# ── Choices that a text leaves open ──


def _unfinished_turn_error(
    reading: TurnReading, start: Position, ways: tuple[Way, ...], written: WrittenTurn
) -> NotationError:
    """Return the error for a text that leaves a choice open.

    The error lists the choices after which the rest of the text can be played. If there is no such choice, it says why.
    If the search gives up, it lists beginnings of turns. `ways` holds every way that the written removals can mean.
    """
    tried, found = _search_choices(reading, start, ways, written)
    if not found and tried.reserve_is_wrong:
        tried, found = _search_choices(reading, start, ways, written._replace(reserve=None))
    if not found and not tried.gave_up:
        return name_rows_first(ways[0].end, tried.first_fault(), always=tried.fault_is_certain)
    if not found:
        begun = _ChoiceSearch(reading, start)
        found = [begun.way_text(whole) for way in ways for whole in islice(begun.ways_on(way), CHOICES_LISTED)]
    more = tried.gave_up or len(found) > CHOICES_LISTED
    listed = sorted(dict.fromkeys(found[:CHOICES_LISTED]))
    return OpenTurn(listed, reading.text, more=more, whole=all(_is_whole_turn(reading, start, text) for text in listed))


def _search_choices(
    reading: TurnReading, start: Position, ways: tuple[Way, ...], written: WrittenTurn
) -> tuple["_ChoiceSearch", list[str]]:
    """Return a search and the choices that it found, at most one more than will be listed."""
    tried = _ChoiceSearch(reading, start)
    texts = chain.from_iterable(tried.choice_texts(way, written) for way in ways)
    return tried, list(islice(texts, CHOICES_LISTED + 1))


def _check_remaining_push(reading: TurnReading, position: Position, written: WrittenTurn) -> None:
    """Raise an error if the written push and what follows cannot be played, whatever is removed before it.

    Raises nothing if the search gives up.
    """
    tried = _ChoiceSearch(reading, position)
    texts = tried.choice_texts(Way((), position), written._replace(before=(), reserve=None))
    if next(texts, None) is None and not tried.gave_up:
        raise name_rows_first(position, tried.first_fault(), always=tried.fault_is_certain)


def _is_whole_turn(reading: TurnReading, start: Position, text: str) -> bool:
    """Return whether a playable text is a complete turn from `start`."""
    return reading.play_whole(start, reading.notation.read(text)).way.end.mover is not start.mover


class _ChoiceSearch:
    """A search for texts that decide an open choice.

    It counts the sequences of removals that it may still try, and keeps the errors that it meets.
    """

    def __init__(self, reading: TurnReading, start: Position) -> None:
        self.reading, self.start = reading, start
        self.tries_left, self.gave_up, self.faults = WAYS_TRIED, False, list[NotationError]()

    def ways_on(self, way: Way) -> Iterator[Way]:
        """Extend `way` until all due rows are removed. Yield one extended way for each board that can result.

        If `way` already ends the turn, yield it alone. If the search runs out of tries, set `gave_up` and stop.
        """
        if way.end.mover is not self.start.mover:
            yield way
            return
        for rest in open_ways(way.end, keep=self.reading.keep):
            if not self.tries_left:
                self.gave_up = True
                return
            self.tries_left -= 1
            yield join_ways(way, rest)

    def first_fault(self) -> NotationError:
        """Return the first error whose code is not `ended`. If all are `ended`, return the first.

        The code `ended` means that a removal ends the game before the push.
        """
        return next((fault for fault in self.faults if fault.code != "ended"), self.faults[0])

    @property
    def fault_is_certain(self) -> bool:
        """Whether every choice meets the same error, but for those that end the game."""
        return len({str(fault) for fault in self.faults if fault.code != "ended"}) == 1

    @property
    def reserve_is_wrong(self) -> bool:
        """Whether the written reserve alone rules out some choice."""
        return any(fault.code == "reserve_after" for fault in self.faults)

    def _check_reserve(self, way: Way, written: WrittenTurn) -> None:
        mover = self.start.mover
        left = way.end.reserve[mover]
        if written.reserve not in (None, left) and way.end.mover is not mover:
            raise IllegalTurn("reserve_after", "R4.3", reserve_sentence(mover, left, written), self.reading.text)

    def way_text(self, way: Way) -> str:
        """Write the actions of `way`, played from `start`, as canonical text in the notation that is being read."""
        return turn_text(self.start, way.actions, self.reading.notation)

    def choice_texts(self, way: Way, written: WrittenTurn) -> Iterator[str]:
        """Yield a text for each choice that the written turn leaves open after `way`.

        If a push is written, each text is a complete turn. Otherwise each text ends after the step with the choice, or
        after a push if the step leaves none. `faults` gets the errors of choices that cannot be played.
        """
        ways = self.ways_on(way)
        first = [*islice(ways, 2)]
        for whole in chain(first, ways):
            if written.push:
                try:
                    yield from self._with_act(whole, written)
                except NotationError as fault:
                    self.faults.append(fault)
            elif whole.end.mover is not self.start.mover or whole.end.pushed or len(first) > 1:
                yield self.way_text(whole)
            else:
                yield from self._pushes(whole)

    def _with_act(self, way: Way, written: WrittenTurn) -> Iterator[str]:
        """Yield the complete turns that begin with `way` and contain the written push, as texts.

        There is one if `way` already contains the push. Raises an error if the rest of the written turn cannot be
        played after `way`, or if the written reserve is wrong.
        """
        if not any(isinstance(action, Push | Use) for action in way.actions):
            if way.end.mover is not self.start.mover:
                raise self.reading.ended_error(way.end)
            reached = self.reading.play_written(way, written._replace(before=()))
            way = reached.way
            if way.end.mover is self.start.mover:
                for other in reached.ways:
                    yield from self.choice_texts(other, written)
                return
        else:
            way = way.then(PASS) if way.end.mover is self.start.mover else way
        self._check_reserve(way, written)
        yield self.way_text(way)

    def _pushes(self, way: Way) -> Iterator[str]:
        """Yield the text of the actions in `way` with a push added, for each possible push."""
        for act in distinct_acts(way.end):
            yield self.way_text(way.then(act))
