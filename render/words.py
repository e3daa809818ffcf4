"""The position in words: what a picture says to those who cannot see it, and the words it shows itself."""

from collections.abc import Iterable

from gipfbot.rules.pieces import Colour, Kind, Piece, Reason, Result
from gipfbot.rules.position import Position
from gipfbot.rules.rows import open_rows

from .picture import Marks, Picture

LONGEST_NAME = 40
KINDS = {Kind.GIPF: "GIPF-piece", Kind.BASIC: "basic piece"}
LOST = {
    Reason.GIPF: "no GIPF-piece left",
    Reason.RESERVE: "reserve empty",
    Reason.TIME: "out of time",
    Reason.RESIGN: "resigned",
}
UNDECIDED = {Reason.REPETITION: "void: repetition", Reason.AGREEMENT: "draw agreed"}


def status(position: Position, colour: Colour) -> str:
    """Return what there is to say of a player: whether he is to move, or how the game ended for him; often nothing."""
    if position.result:
        return _outcome(position.result, colour)
    if position.decider is not colour:
        return ""
    removes = position.pushed or any(row.due for row in open_rows(position))
    return "to remove" if removes else "to move"


def alt_text(picture: Picture) -> str:
    """Return a picture in words, short enough to be read aloud and for Discord's 1,024 characters.

    Whose turn it is, what was pushed and removed, what is asked about, each player's pieces, reserve and captures. The
    caption is left out. Does not check that the marks fit the position.
    """
    marks = picture.marks
    said = [_turn(picture), *_last_turn(marks), *_asked(marks), *(_side(picture, colour) for colour in Colour)]
    return ". ".join(said) + "."


def _outcome(result: Result, colour: Colour) -> str:
    if result.winner is None:
        return UNDECIDED.get(result.by, "undecided")
    return "wins" if result.winner is colour else LOST.get(result.by, "lost")


def _turn(picture: Picture) -> str:
    position = picture.position
    if picture.called_off:
        return "Called off"
    if position.result is None:
        return f"{position.decider} {status(position, position.decider)}"
    if (winner := position.result.winner) is None:
        return status(position, Colour.WHITE).capitalize()
    return f"{winner} wins, {winner.other}: {status(position, winner.other)}"


def _last_turn(marks: Marks) -> list[str]:
    said = [f"Last push {marks.push.dot}-{marks.push.spot}"] if marks.push else []
    for verb, captured in (("Removed", False), ("Captured", True)):
        gone = _by_kind((ghost.spot, ghost.piece) for ghost in marks.ghosts if ghost.captured is captured)
        said += [f"{verb} {'; '.join(gone)}"] * bool(gone)
    return said


def _by_kind(pieces: Iterable[tuple[str, Piece]]) -> list[str]:
    """Return the spots of GIPF-pieces and of basic pieces, each kind under its name; often one alone."""
    spots: dict[Kind, list[str]] = {Kind.GIPF: [], Kind.BASIC: []}
    for spot, piece in pieces:
        spots[piece.kind].append(spot)
    return [f"{KINDS[kind]}{'s' * (len(found) > 1)} {' '.join(found)}" for kind, found in spots.items() if found]


def _asked(marks: Marks) -> list[str]:
    said = [f"To be pushed {marks.preview.dot}-{marks.preview.spot}"] if marks.preview else []
    said += [f"Could be pushed {push.dot}-{push.spot}" for push in marks.entries]
    said += [f"Row {letter}: {spots[0]} to {spots[-1]}" for letter, spots in marks.rows]
    return said + [f"Number {number}: {spot}" for spot, number in marks.numbers]


def _side(picture: Picture, colour: Colour) -> str:
    position, name = picture.position, " ".join(picture.players[colour].split())
    name = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    who = f"{colour}, {name}" if name and name != str(colour) else str(colour)
    said = _by_kind((spot, piece) for spot, piece in position.pieces().items() if piece.owner is colour)
    said.append(f"{position.reserve[colour]} in reserve")
    lost = position.captured[colour.other]
    return f"{who}: {'; '.join(said)}" + f", {lost} captured" * bool(lost)
