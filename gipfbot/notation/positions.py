"""The position line (notation.md section 4): `parse_position` and `position_text` are twins."""

import re
from collections.abc import Mapping

from gipfbot.rules import PRESETS, Colour, Kind, Position, Reason, Result, Ruleset, open_rows
from gipfbot.rules.engine import verdict
from gipfbot.rules.geometry import BIT, LINE, LINES, names
from gipfbot.rules.pieces import ByColor
from gipfbot.rules.position import build, kind_at

from .errors import NotationError, ParseError

_SCORES = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1/2-1/2": None, "void": None}
_PAIR = re.compile("([0-9]{1,2})-([0-9]{1,2})")
_FIELDS = ("W", "B", "reserve", "captured", "opening", "step", "dealt", "result", "by")


class ImpossiblePosition(NotationError):
    """The line can be read, but no such position can stand on a board."""

    def __init__(self, sentence: str, text: str) -> None:
        super().__init__("impossible", sentence, text)


def position_text(position: Position) -> str:
    """Return the position line."""
    words = [position.rules.name, position.mover.letter]
    words += [f"{colour.letter.upper()}={_pieces_text(position, colour)}" for colour in Colour]
    words += [f"{name}={pair[0]}-{pair[1]}" for name, pair in _pairs(position)]
    if opening := "".join(colour.letter for colour in Colour if position.opening[colour]):
        words.append(f"opening={opening}")
    if position.pushed:
        words.append("step=after")
    if position.dealt:
        words.append("dealt=" + ",".join(line.code for line in LINES if position.dealt >> line.number & 1))
    if position.result:
        words += [f"result={position.result.score}", f"by={position.result.by}"]
    return " ".join(words)


def _pieces_text(position: Position, colour: Colour) -> str:
    return ",".join(f"{kind_at(position, BIT[spot])}{spot}" for spot in names(position.owned[colour]))


def _pairs(position: Position) -> tuple[tuple[str, ByColor[int]], ...]:
    return ("reserve", position.reserve), ("captured", position.captured)


def parse_position(text: str, rulesets: Mapping[str, Ruleset] = PRESETS) -> Position:
    """Return the position that a line describes.

    Raises ParseError where the line cannot be read, ImpossiblePosition where its totals do not add up, where the game
    would be over by the rules but carries no result, or where it stands in a step that nothing is left of. Does not
    check that the position can be reached from the start.
    """
    fields = _fields(text)
    rules = rulesets.get(fields["rules"])
    if rules is None:
        raise ParseError(f"a rule set ({', '.join(rulesets)})", text, 0)
    if fields["mover"] not in ("w", "b"):
        raise ParseError("w or b, the player to move,", text, text.find(fields["mover"], len(rules.name)))
    white, black = _pieces(fields, "W", text), _pieces(fields, "B", text)
    opening = fields.get("opening", "")
    if "opening" in fields and opening not in ("wb", "w", "b"):
        raise ParseError("wb, w or b", text, _at(fields, "opening", text))
    position = build(
        rules,
        Colour("wb".index(fields["mover"])),
        (white, black),
        _pair(fields, "captured", text),
        ("w" in opening, "b" in opening),
    )._replace(pushed=_pushed(fields, text), dealt=_dealt(fields, text), result=_result(fields, text))
    _check(position, (white, black), _pair(fields, "reserve", text), text)
    return position


def _fields(text: str) -> dict[str, str]:
    words = text.split()
    if len(words) < 2:
        raise ParseError("a rule set and w or b", text, 0)
    fields = {"rules": words[0], "mover": words[1]}
    for word in words[2:]:
        key, equals, value = word.partition("=")
        if not equals or key not in _FIELDS or key in fields:
            raise ParseError(f"each of {', '.join(_FIELDS)} once at the most, with =", text, text.index(word))
        fields[key] = value
    for key in ("W", "B", "reserve", "captured"):
        if key not in fields:
            raise ParseError(f"{key}=…", text, len(text))
    return fields


def _at(fields: Mapping[str, str], key: str, text: str) -> int:
    return text.index(f" {key}={fields[key]}") + len(key) + 2


def _pieces(fields: Mapping[str, str], key: str, text: str) -> tuple[tuple[Kind, str], ...]:
    pieces, at = [], _at(fields, key, text)
    for word in fields[key].split(",") if fields[key] else ():
        kind = Kind.GIPF if word.startswith("G") else Kind.BASIC
        spot = word.removeprefix("G")
        if spot not in BIT:
            raise ParseError("a spot such as c2 or Gc2", text, at)
        pieces.append((kind, spot))
        at += len(word) + 1
    return tuple(pieces)


def _pair(fields: Mapping[str, str], key: str, text: str) -> ByColor[int]:
    found = _PAIR.fullmatch(fields[key])
    if not found:
        raise ParseError("two numbers such as 12-12", text, _at(fields, key, text))
    return int(found[1]), int(found[2])


def _pushed(fields: Mapping[str, str], text: str) -> bool:
    if fields.get("step", "after") != "after":
        raise ParseError("after", text, _at(fields, "step", text))
    return "step" in fields


def _dealt(fields: Mapping[str, str], text: str) -> int:
    dealt = 0
    for code in fields["dealt"].split(",") if "dealt" in fields else ():
        if code not in LINE:
            raise ParseError("lines such as e, 5 or b*", text, _at(fields, "dealt", text))
        dealt |= 1 << LINE[code].number
    return dealt


def _result(fields: Mapping[str, str], text: str) -> Result | None:
    if "result" not in fields and "by" not in fields:
        return None
    if fields.get("result") not in _SCORES:
        raise ParseError(f"result= one of {', '.join(_SCORES)}", text, text.find(" result=") + 1)
    if fields.get("by") not in set(Reason):
        raise ParseError(f"by= one of {', '.join(Reason)}", text, text.find(" by=") + 1)
    result = Result(_SCORES[fields["result"]], Reason(fields["by"]))
    if result.score != fields["result"]:
        raise ImpossiblePosition(f"A game cannot end {fields['result']} by={result.by} (R6.3).", text)
    return result


def _check(position: Position, pieces: ByColor[tuple[tuple[Kind, str], ...]], reserve: ByColor[int], text: str) -> None:
    spots = [spot for side in pieces for _, spot in side]
    if twice := next((spot for spot in spots if spots.count(spot) > 1), None):
        raise ImpossiblePosition(f"{twice} is named twice.", text)
    for colour in Colour:
        if position.reserve[colour] != reserve[colour]:
            raise ImpossiblePosition(
                f"{colour}'s pieces do not add up: board, reserve and captured make"
                f" {position.rules.pieces - position.reserve[colour] + reserve[colour]}, not {position.rules.pieces}.",
                text,
            )
    for fault in (_kinds_fault(position), _step_fault(position), _end_fault(position)):
        if fault:
            raise ImpossiblePosition(fault, text)


def _kinds_fault(position: Position) -> str | None:
    rules = position.rules
    for colour in Colour:
        own, letter = position.owned[colour], "wb"[colour]
        gipf = own & position.gipf
        at_start = sum(piece.startswith("G") for piece in rules.setup[colour])
        if not rules.gipf_enters and gipf.bit_count() > at_start:
            return f"In {rules.name} {colour} can have no more than {at_start} GIPF-pieces (section 2)."
        if position.opening[colour] and not rules.gipf_enters:
            return f"There is no opening phase in {rules.name}: leave opening= out (R5)."
        if position.opening[colour] and own & ~gipf:
            return f"{colour} has a basic piece on the board, so {letter} does not belong in opening= (R5.2)."
    return None


def _step_fault(position: Position) -> str | None:
    if position.result:
        return None
    for row in open_rows(position._replace(dealt=0)):
        if row.due and position.dealt >> row.line.number & 1:
            return f"The row on line {row.line.code} still has to be removed, so the line is not dealt with (R4.3)."
    if position.pushed and not open_rows(position):
        return f"{position.mover} has nothing left to remove after the push, so the turn has passed (R3.4)."
    return None


def _end_fault(position: Position) -> str | None:
    given, found = position.result, verdict(position, open_rows(position))
    if given is None:
        return found and f"The game is over here: the line has to end with result={found.score} by={found.by} (R6)."
    if given.winner is None:
        return None if given.by is Reason.REPETITION else "There are no draws: only a repetition leaves a game void (R6.3)."
    loser = given.winner.other
    if given.by is Reason.GIPF and not (position.rules.gipf_decides and not position.owned[loser] & position.gipf):
        return f"{loser} cannot have lost by={given.by}: GIPF-pieces of his stand or do not count here (R6.2)."
    if given.by is Reason.RESERVE and position.reserve[loser]:
        return f"{loser} cannot have lost by={given.by} with pieces in reserve (R6.1)."
    if given.by in (Reason.REPETITION, Reason.AGREEMENT):
        return f"Nobody wins by={given.by} (R6.3)."
    return None
