"""Pages of the rules as values: a few sentences, a position line, and turns that the reader steps through."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from gipfbot.languages import say, say_name, say_number
from gipfbot.match import position_after
from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import PASS, Action, Position, Remove
from gipfbot.rules.pending import question
from gipfbot.ui.kit.pictures import describe_actions
from render import Marks, Picture


class ShownTurn(NamedTuple):
    """A turn on a page: its text, and a marked sentence for each step of it.

    A step is a push, the use of a potential, or a removal. Actions that do not change the board are no steps.
    """

    text: str
    said: tuple[str, ...]


@dataclass(frozen=True)
class Topic:
    """A page of the rules. `line` is the position line before the first turn. Its sentences are marked, to be said."""

    title: str
    text: str
    line: str
    turns: tuple[ShownTurn, ...]
    rules: tuple[str, ...] = ()  # the numbers of the rules that it explains
    refused: str = ""  # a turn that is not legal in this position
    why_refused: str = ""  # that turn as it would be pressed, and why it is not allowed
    ruling: int = 0  # the number of the ruling in the designer's FAQ; 0 if the page is about none


class TopicStep(NamedTuple):
    """One picture of a page, and the sentence on what has just happened. At the start the sentence is empty.

    `before` is the position at the start of the turn, and `played` what has been played of it.
    """

    said: str
    picture: Picture
    before: Position
    played: tuple[Action, ...] = ()


def shown(text: str, *said: str) -> ShownTurn:
    """Return a turn with a sentence for each of its steps."""
    return ShownTurn(text, said)


def topic_steps(topic: Topic) -> list[TopicStep]:
    """Return the pictures of a page, the start first. Raises NotationError if its line or a turn is wrong."""
    position = parse_position(topic.line)
    steps = [TopicStep("", _step_picture(position, ()), position)]
    for turn in topic.turns:
        actions = parse_turn(position, turn.text)
        for said, played in zip(turn.said, turn_parts(actions), strict=True):
            steps.append(TopicStep(said, _step_picture(position, played), position, played))
        position = position_after(position, actions)
    return [_captioned_step(step, number, len(steps) - 1) for number, step in enumerate(steps)]


def _captioned_step(step: TopicStep, number: int, last: int) -> TopicStep:
    start = say_number("The start: {number} step follows", "The start: {number} steps follow", last)
    caption = say("Step {number} of {last}", number=number, last=last) if number else start
    return step._replace(picture=replace(step.picture, caption=caption))


def turn_parts(actions: Sequence[Action]) -> Iterator[tuple[Action, ...]]:
    """Yield the beginnings of a turn, one for each step. Actions that do not change the board join the step before."""
    starts = [at for at, action in enumerate(actions) if not at or _changes_board(action)]
    for _, end in pairwise([*starts, len(actions)]):
        yield tuple(actions[:end])


def _changes_board(action: Action) -> bool:
    return action != PASS and not (isinstance(action, Remove) and not action.taken)


def _step_picture(before: Position, played: Sequence[Action]) -> Picture:
    """Return the picture after the first actions of a turn. It marks them, and the rows that come off next."""
    after = position_after(before, played)
    asked = question(after)
    rows = [row.stretch for row in asked.rows if row.due] if asked else []
    marks = Marks.of_turn(describe_actions(before, played))
    names = say_name("White"), say_name("Black")
    return Picture(after, names, marks=replace(marks, rows=tuple(("", row) for row in rows)))
