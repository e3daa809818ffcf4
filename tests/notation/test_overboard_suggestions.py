"""Every turn and answer that is suggested in Overboard can be typed (R8.4), also in the opponent's turn."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from gipfbot.notation import (
    NOTATIONS,
    OFFICIAL,
    BrokenRecord,
    Notation,
    NotationError,
    OpenTurn,
    completions,
    decision_text,
    parse_conditional_turn,
    read_turn_part,
)
from gipfbot.rules import Action, Position, Push, legal, play
from tests.rules.boards_of_overboard import (
    ASKS,
    ASKS_BACK,
    ASKS_TWICE,
    OUT_OF_TURN,
    ROW,
    built_table,
    seek_rows,
    table_at,
)
from tests.support.effort import amount

WORDS = "keep", "hello", "-", "xG"
TURNS = 3  # of each game


def moments(seed: int) -> Iterator[tuple[Position, tuple[Action, ...], Action]]:
    """Yield decisions of a game that seeks questions: the start of the turn, what was played of it, and the next."""
    rng = Random(seed)
    position = [ASKS, ASKS_TWICE, ASKS_BACK, OUT_OF_TURN][seed] if seed < 4 else built_table(rng)
    for _ in range(TURNS):
        start, done = position, tuple[Action, ...]()
        while position.result is None and position.mover is start.mover:
            action = seek_rows(position, asking(position) or legal(position), rng)
            if position.decider is not position.mover or rng.random() < 0.15:
                yield start, done, action
            position, done = play(position, action), (*done, action)
        if position.result:
            return


def asking(position: Position) -> tuple[Action, ...]:
    """Return the pushes that make a row with a GIPF-piece in it."""
    pushes = (action for action in legal(position) if isinstance(action, Push))
    return tuple(push for push in pushes if any(row.spots & position.gipf for row in play(position, push).noted))


def typed_texts(text: str, rng: Random) -> list[str]:
    """Return words, the text of a decision, and two slips in it."""
    slips = list[str]()
    for _ in range(2):
        chars = [*(text or "x")]
        chars[rng.randrange(len(chars))] = rng.choice("abcdefghi123456789;,-*xG")
        slips.append("".join(chars))
    return [*WORDS, text, *slips]


def offered(start: Position, done: Sequence[Action], text: str, notation: Notation) -> list[str]:
    """Return all that is offered in place of a typed text, and while it is typed."""
    turns = [found.text for found in completions(start, done, text, 6, notation)]
    try:
        read_turn_part(start, done, text, notation)
    except NotationError as fault:
        turns += fault.choices if isinstance(fault, OpenTurn) else fault.near
    return turns


def offered_in_line(start: Position, done: Sequence[Action], text: str, notation: Notation) -> Sequence[str]:
    """Return the turns that are offered in place of one in a conditional line."""
    try:
        parse_conditional_turn(start, text, 1, notation, done)
    except BrokenRecord as broken:
        return broken.fault.choices if isinstance(broken.fault, OpenTurn) else broken.fault.near
    return ()


@pytest.mark.usefixtures("untraced")
def test_what_is_suggested_can_be_typed() -> None:
    asked = 0
    for seed in range(amount(test=9, long=300)):
        rng = Random(seed)
        for start, done, action in moments(seed):
            here = start
            for each in done:
                here = play(here, each)
            asked += here.decider is not here.mover
            for notation in [*NOTATIONS.values()][seed % 2 :: 2]:
                for text in typed_texts(decision_text(here, [action], notation), rng):
                    for turn in offered(start, done, text, notation):
                        assert read_turn_part(start, done, turn, notation), (seed, text, turn)
                    for turn in offered_in_line(start, done, text, notation):
                        assert parse_conditional_turn(start, turn, 1, notation, done), (seed, text, turn)
    assert asked >= 5


def test_an_owner_is_offered_to_keep_all_first() -> None:
    begun = [*read_turn_part(ASKS, (), "a4-b4;xe4*,e5*")]
    for text in ("keep", "none", "no"):
        with pytest.raises(NotationError) as caught:
            read_turn_part(ASKS, begun, text)
        assert caught.value.near == ("-", "xGe3*", "xGe6*")


OWN_ROW = table_at("w W=d4,Ge3,e5,Ge6,Gh5 B=e2,e7,e8,Gb2,Gh2")  # White's push from a4 completes it


@pytest.mark.parametrize(("start", "questions"), [(ROW, 1), (OWN_ROW, 2)])
def test_a_mover_takes_none_by_a_dash(start: Position, questions: int) -> None:
    """Of the ends of a row, and of their own GIPF-pieces in it. The dash is suggested, too."""
    push = next(each for each in legal(start) if isinstance(each, Push) and (each.dot, each.spot) == ("a4", "b4"))
    here = play(start, push)
    done = [push, *legal(here)]  # the basic pieces of the row go
    for asked in range(questions, 0, -1):
        here = play(here, done[-1])
        none = read_turn_part(start, done, "-")
        assert len(none) == asked
        assert none[0] == legal(here)[0]
        assert next(found.text for found in completions(start, done, "", 6, OFFICIAL)) == "-"
        with pytest.raises(NotationError) as caught:
            read_turn_part(start, done, "none")
        assert caught.value.near[0] == "-"
        done.append(none[0])
    here = play(here, done[-1])
    assert here.mover is not start.mover
    assert {"e2", "e7", "e8"} <= {*here.pieces()}


def test_a_dash_before_the_push_means_nothing() -> None:
    with pytest.raises(NotationError, match=r"^- means “none”\. Write the push\."):
        read_turn_part(ASKS, (), "-")
