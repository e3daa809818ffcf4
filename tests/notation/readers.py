"""Checks that every reader of text must pass, whatever the text. The tests and the fuzzer use them.

A reader answers, or refuses with one of the kinds of error. Its answer must be right: the actions are legal, their text
is read back as the same actions, and turns that an error offers can be played.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from gipfbot.notation import (
    LARGEST_RECORD,
    NOTATIONS,
    BrokenRecord,
    IllegalTurn,
    Notation,
    NotationError,
    OpenTurn,
    ParseError,
    Record,
    action_code,
    completions,
    parse_action_code,
    parse_conditional_turn,
    parse_position,
    parse_turn,
    position_text,
    read_record,
    read_sheet,
    read_turn_part,
    record_text,
    split_conditional,
    turn_text,
)
from gipfbot.rules import PASS, PRESETS, Action, Position, legal, play, start
from tests.notation.helpers import along, at, crowded

T = TypeVar("T")
Draft: TypeAlias = tuple[Position, tuple[Action, ...]]

KINDS = (ParseError, IllegalTurn, OpenTurn, BrokenRecord)
OFFERED = 3  # completions of a text that are checked

_DRAFTS = [
    # a position at the start of a turn, and the actions played so far
    ("standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2", ""),
    ("tournament b W=Ge8 B= opening=wb", ""),
    ("tournament w W=Gf7,e8,d2,d3 B=Gd7,d5,e7 opening=b", ""),
    ("basic w W=e3,e4,e5,b2 B=e6,b3", ""),
    ("basic w W=b5,c5,d5,e2,e3,e4,e5 B=h2,h3,h4", ""),
    ("basic w W=b5,c5,d5,e2,e3,e4,e5 B=h2", "xb5,c5,d5,e5"),
    ("standard w W=Ge3,e4,e5,Gb5 B=Gh2", "e2"),
    ("standard w W=b2,b3,b4,Gb5,g2,g3,g4,Gg5 B=Ge8,Ge7", ""),
    ("standard w W=b2,b3,b4,Gb5,g2,g3,g4,Gg5 B=Ge8", "xb2,b3,b4"),
    ("standard w W=Gd2,d3,d4,d5,e3,f3,g3,Gh5 B=Gb2 step=after", ""),
    ("standard w W=e2,e3,e4,e5,Gb5 B=Ge6,h2", ""),
    ("tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2,Ge6,e7 captured=9-0", ""),
    ("tournament w W=Ge2,Ge3,Ge4,Ge5,Gb2,Gb3,Gb4,Gb5,h5 B=Gh2", "c2;xGe2"),
    ("tournament w W=Gd3,Ge4,Gf4,Gg4,Gc3,Gc4,Gc5,Gc6 B=c2,h4,Gh2 captured=2-0", ""),
    ("tournament w W=Gc3,Gd3,Ge3,Gf2,Gg3,g4,g5,g6 B=b2,Ge8", ""),
    ("tournament b W=Gb5,Gh4 B=d2,Gd4,d5,Ge5,f2,f3,Gf4,f5,Gg3,g4,Gh2 captured=14-2 opening=w", ""),
]

_LOADED = "tournament+Z6P6 b W=Gb2 B=Gb3[G],Gc3[G],Gd3,d4,Ge2,Ge3,e5,f2,f5,Pg2,pg5[ppP],Zh2,Ph5"
_ROW = "overboard w W=d4,e3,e5,e6,Gb5,Gh5 B=e2,e7,e8,Gb2,Gh2 reserve=14-15 captured=0-0"
_OWNERS_ROW = "overboard b W=d4,Ge3,e5,Ge6,Gh5 B=e2,e7,e8,Gb2,Gh2 reserve=16-15 captured=0-0"
# The same with potentials, in Overboard, and where the owner of a row is asked in the opponent's turn.
_MORE_DRAFTS = [
    ("standard+Z3 w W=Gb5,Zd2,Ge2,Gh5 B=Gb2,d3,Ge8,Gh2 reserve=11-11 captured=0-0 left=Z2-Z3", ""),
    ("basic+Z6 b W=b5,e2,e4,h5 B=b2,Zd3,e3,e8,h2 reserve=11-10 captured=0-0 left=Z6-Z0", ""),
    (f"{_LOADED} reserve=1-1 captured=10-0 left=Z5P3-Z0P0", ""),
    ("overboard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=18-18 captured=0-0", ""),
    (_ROW, ""),
    (_ROW, "a4-b4"),
    (_OWNERS_ROW, ""),
    (_OWNERS_ROW, "a4-b4;xe4*,e5*,e2,e7,e8"),
]


def _drafts() -> list[Draft]:
    found: list[Draft] = [(start(rules), ()) for rules in PRESETS.values()]
    for line, done in _DRAFTS:
        begun = at(line)
        actions = read_turn_part(begun, (), done) if done else ()
        found.append((begun, tuple(action for action in actions if action is not PASS)))
    for line, done in _MORE_DRAFTS:
        begun = parse_position(line)
        found.append((begun, read_turn_part(begun, (), done) if done else ()))
    return found + [(crowded(seed), ()) for seed in (0, 7, 11)]


DRAFTS = _drafts()


def refusal(error: NotationError) -> None:
    """Check what all errors promise: one of the kinds, a short sentence, a place in the text."""
    assert isinstance(error, KINDS), error
    assert 0 < len(str(error)) < 1000
    assert str(error).isprintable()
    assert len(error.caret) < 200
    assert error.code.isidentifier()
    assert error.at is None or 0 <= error.at <= len(error.text)


def answered(reader: Callable[..., T], *given: object) -> T | None:
    """Return the answer of a reader, or None if it refuses."""
    try:
        return reader(*given)
    except NotationError as error:
        refusal(error)
        return None


# ── Turns ──


def _legal(position: Position, actions: Sequence[Action]) -> Position:
    """Return the position after these actions; each must be legal."""
    for action in actions:
        assert action in legal(position), action
        position = play(position, action)
    return position


def _read_back(position: Position, actions: tuple[Action, ...]) -> None:
    """Check that both notations read the text that they write of a turn, and write the same text again."""
    end = along(position, actions)
    for notation in NOTATIONS.values():
        if text := turn_text(position, actions, notation):
            again = parse_turn(position, text, notation)
            assert along(position, again) == end, text
            assert turn_text(position, again, notation) == text


def a_turn(draft: Draft, text: str) -> None:
    """Check that `parse_turn` in both notations returns a whole turn, or the whole rest of one."""
    position = along(*draft)
    for notation in NOTATIONS.values():
        try:
            actions = parse_turn(position, text, notation)
        except NotationError as error:
            refusal(error)
            if isinstance(error, OpenTurn):
                _playable(position, error, notation)
        else:
            assert _legal(position, actions).mover is not position.mover
            _read_back(position, actions)


def _playable(position: Position, error: OpenTurn, notation: Notation) -> None:
    """Check that every choice of an error is read, as a whole turn if the sentence says so."""
    assert error.choices
    for choice in error.choices:
        try:
            parse_turn(position, choice, notation)
        except OpenTurn:
            assert "Begin with" in str(error), choice


def a_part(draft: Draft, text: str) -> None:
    """Check that `read_turn_part` returns legal actions, or for two readings texts that have one reading each."""
    begun, done = draft
    try:
        actions = read_turn_part(begun, done, text)
    except OpenTurn as error:
        refusal(error)
        readings = [along(begun, (*done, *read_turn_part(begun, done, choice))) for choice in error.choices]
        assert len({*readings}) > 1
    except NotationError as error:
        refusal(error)
    else:
        _legal(along(begun, done), actions)


def offers(draft: Draft, text: str) -> None:
    """Check that `completions`, which never refuses, returns turns that can be played as they are."""
    begun, done = draft
    for notation in NOTATIONS.values():
        for offer in completions(begun, done, text, OFFERED, notation):
            actions = read_turn_part(begun, done, offer.text, notation)
            assert _legal(along(begun, done), actions).mover is not begun.mover, offer.text


# ── Conditionals, records, positions, codes ──


def a_conditional(draft: Draft, text: str) -> None:
    """Check that the readers of conditionals return a whole turn, wherever it stands in a line."""
    position = along(*draft)
    for said in split_conditional(text)[:2]:
        actions = answered(parse_conditional_turn, position, said, 1)
        if actions is not None:
            assert _legal(position, actions).mover is not position.mover
            assert split_conditional(f"if {said} then {said}, if {said}") == [said] * 3


def a_record(draft: Draft, text: str) -> None:
    """Check that `read_record` returns a game that both notations write and read again."""
    answered(read_sheet, text)
    record = answered(read_record, text)
    for notation in NOTATIONS.values():
        written = record_text(record, notation) if record else ""
        if record and len(written.encode()) <= LARGEST_RECORD:
            again = read_record(written)
            assert _positions(again) == _positions(record), written
            assert record_text(again, notation) == written


def _positions(record: Record) -> list[Position]:
    return [step.after for step in record.turns]


def a_position(draft: Draft, text: str) -> None:
    """Check that `parse_position` returns a position that is read again from its line."""
    position = answered(parse_position, text)
    if position:
        assert parse_position(position_text(position)) == position
        legal(position)


def a_code(draft: Draft, text: str) -> None:
    """Check that `parse_action_code` returns an action with the same code."""
    action = answered(parse_action_code, text)
    if action is not None:
        assert parse_action_code(action_code(action)) == action


READERS = (a_turn, a_part, offers, a_conditional, a_record, a_position, a_code)
