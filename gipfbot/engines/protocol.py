"""The protocol of engines: one JSON object a line, for requests and for answers. `docs/engine.md` describes it.

`parse_request` reads the lines of `request_line`, and `parse_answer` those of `answer_line`. Positions and turns are
unchecked texts here; `engine_turns` reads an engine's turns.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from gipfbot.search.tree import WIN, WON

LONGEST_LINE = 1 << 20  # bytes, with the end of the line
LONGEST_SENTENCE = 500  # characters of an error
LONGEST_TEXT = 2000  # characters of a turn
BEST_TURNS = 3  # in an analysis
DEFAULT_NODES, MOST_NODES = 20_000, 10**9
DEFAULT_SECONDS, MOST_SECONDS = 60, 3600
MOST_BEFORE = 2000  # earlier positions
MOST_OWN_TURNS = 10
LARGEST_NUMBER = 2**53 - 1  # of an id or a seed: the highest number that every JSON reader keeps exactly

Fields: TypeAlias = Mapping[str, Any]
A_co = TypeVar("A_co", covariant=True)


class BadLine(ValueError):
    """A line is not a valid request or answer; the message is a sentence. `request_id` is None if there is none."""

    def __init__(self, sentence: str, request_id: int | None = None) -> None:
        super().__init__(sentence)
        self.request_id = request_id


class EngineFailed(Exception):
    """An engine gave no usable answer; the message is a sentence that says why."""


class EngineRefused(EngineFailed):
    """The engine refuses a request, and says why. It can still answer other requests."""


# --- Answers -------------------------------------------------------------------------------------------------------


class ScoredTurn(NamedTuple):
    """A turn with its score for the player who decides, in hundredths of a piece, and the line that is expected.

    The line begins with the turn itself. All texts are in official notation.
    """

    turn: str
    score: int
    line: tuple[str, ...]

    @property
    def wins_in(self) -> int | None:
        """The number of turns of both players until the player has won; None if no win is seen."""
        return WIN - self.score if self.score > WON else None

    @property
    def loses_in(self) -> int | None:
        """The number of turns of both players until the player has lost; None if no loss is seen."""
        return WIN + self.score if self.score < -WON else None


@dataclass(frozen=True)
class SearchAnswer:
    """The turns found, best first: one to play, or up to three of an analysis.

    `cut` says that the time limit ended the search, so another run may give another answer.
    """

    turns: tuple[ScoredTurn, ...]
    depth: int
    nodes: int
    cut: bool = False

    @property
    def best(self) -> ScoredTurn:
        """The turn to play."""
        return self.turns[0]

    def fields(self) -> dict[str, Any]:
        """Return the fields of the answer, without those that only an analysis has."""
        first = self.best
        found = {"turn": first.turn, "score": first.score, "depth": self.depth, "nodes": self.nodes, "line": first.line}
        return {**found, **({"cut": True} if self.cut else {})}


@dataclass(frozen=True)
class ProofAnswer:
    """The first turns that force a win. If `cut`, the limit of time or nodes ended the proof, and nothing is known."""

    turns: tuple[str, ...]
    nodes: int
    cut: bool = False

    @property
    def forced(self) -> bool:
        """Whether a win is proven."""
        return bool(self.turns)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the answer."""
        if self.cut:
            return {"cut": True, "nodes": self.nodes}
        return {"forced": self.forced, "turns": self.turns, "nodes": self.nodes}


# --- Requests ------------------------------------------------------------------------------------------------------


class EngineRequest(Protocol[A_co]):
    """A request to an engine, which also reads the answer."""

    @property
    def seconds(self) -> float:
        """The time after which the engine must answer with what it has found so far."""

    def fields(self) -> dict[str, Any]:
        """Return the fields of the request, without its id."""

    def read_answer(self, fields: Fields) -> A_co:
        """Return the answer in these fields. Raises BadLine."""


@dataclass(frozen=True)
class PlayRequest:
    """Ask for the turn to play, within a number of nodes.

    `before` holds the positions at the start of the earlier turns (R6.3), without this one. With a `seed`, the first
    turns of a player are drawn among the good ones. `margin` makes an engine weaker; see `search.Request`.
    """

    position: str
    before: tuple[str, ...] = ()
    nodes: int = DEFAULT_NODES
    seconds: float = DEFAULT_SECONDS
    seed: int | None = None
    margin: int = 0

    def fields(self) -> dict[str, Any]:
        """Return the fields of the request. Those with their default value are left out."""
        found = {**_common_fields("play", self.position, self.before), "nodes": self.nodes, "seconds": self.seconds}
        if self.seed is not None:
            found["seed"] = self.seed
        if self.margin:
            found["margin"] = self.margin
        return found

    def read_answer(self, fields: Fields) -> SearchAnswer:
        """Return the answer in these fields, with one turn. Raises BadLine."""
        return _search_answer(fields, (_scored_turn(fields),))


@dataclass(frozen=True)
class AnalyseRequest:
    """Ask for the best three turns, within a number of nodes. `before` is as for `PlayRequest`."""

    position: str
    before: tuple[str, ...] = ()
    nodes: int = DEFAULT_NODES
    seconds: float = DEFAULT_SECONDS

    def fields(self) -> dict[str, Any]:
        """Return the fields of the request."""
        common = _common_fields("analyse", self.position, self.before)
        return {**common, "nodes": self.nodes, "seconds": self.seconds}

    def read_answer(self, fields: Fields) -> SearchAnswer:
        """Return the answer in these fields, with one to three turns. Raises BadLine."""
        best = fields.get("best")
        if not isinstance(best, list) or not 1 <= len(best) <= BEST_TURNS:
            raise BadLine(f'"best" must be a list of 1 to {BEST_TURNS} turns.')
        if not all(isinstance(one, dict) for one in best):
            raise BadLine('"best" must hold objects with "turn", "score" and "line".')
        return _search_answer(fields, tuple(_scored_turn(one) for one in best))


@dataclass(frozen=True)
class ProveRequest:
    """Ask whether the player who decides can force a win in `own_turns` turns of their own, and how.

    Without a number of nodes, only the time limits the proof.
    """

    position: str
    own_turns: int
    before: tuple[str, ...] = ()
    nodes: int | None = None
    seconds: float = DEFAULT_SECONDS

    def fields(self) -> dict[str, Any]:
        """Return the fields of the request."""
        common = _common_fields("prove", self.position, self.before)
        found = {**common, "own_turns": self.own_turns, "seconds": self.seconds}
        return found if self.nodes is None else {**found, "nodes": self.nodes}

    def read_answer(self, fields: Fields) -> ProofAnswer:
        """Return the answer in these fields. Raises BadLine."""
        nodes = _whole(fields, "nodes", 0, LARGEST_NUMBER, 0)
        if _flag(fields, "cut", default=False):
            return ProofAnswer((), nodes, cut=True)
        answer = ProofAnswer(_texts(fields, "turns"), nodes)
        if _flag(fields, "forced") is not answer.forced:
            raise BadLine('"forced" must say whether there are "turns".')
        return answer


Answer: TypeAlias = SearchAnswer | ProofAnswer

# --- Lines ---------------------------------------------------------------------------------------------------------


def request_line(request_id: int, request: EngineRequest[object]) -> bytes:
    """Return the line of a request, with its end."""
    return json_line({"id": request_id, **request.fields()})


def answer_line(request_id: int, answer: Answer, *, analysed: bool = False) -> bytes:
    """Return the line of an answer, with its end. The line of an analysis also lists the best turns."""
    best = {"best": [one._asdict() for one in answer.turns]} if analysed and isinstance(answer, SearchAnswer) else {}
    return json_line({"id": request_id, **answer.fields(), **best})


def error_line(request_id: int | None, sentence: str) -> bytes:
    """Return the line that says why a request is not answered."""
    return json_line({"id": request_id, "error": sentence[:LONGEST_SENTENCE]})


def json_line(fields: Fields) -> bytes:
    """Return an object as a line of JSON, with its end."""
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def parse_request(line: bytes) -> tuple[int, PlayRequest | AnalyseRequest | ProveRequest]:
    """Return the id of a request and the request. Ignores unknown fields. Raises BadLine."""
    fields = _object(line)
    request_id = _whole(fields, "id", 0, LARGEST_NUMBER)
    try:
        return request_id, _read_request(fields)
    except BadLine as fault:
        raise BadLine(str(fault), request_id) from None


def parse_answer(line: bytes, request_id: int, request: EngineRequest[A_co]) -> A_co:
    """Return the answer to a request. Ignores unknown fields.

    Raises BadLine if the line is no answer to this request, and EngineRefused if the engine refuses the request.
    """
    fields = _object(line)
    if fields.get("id") != request_id or type(fields["id"]) is not int:
        raise BadLine(f'"id" must be {request_id}, as in the request.')
    if "error" in fields:
        raise EngineRefused(_text(fields, "error", LONGEST_SENTENCE))
    return request.read_answer(fields)


def _read_request(fields: Fields) -> PlayRequest | AnalyseRequest | ProveRequest:
    position, before = _text(fields, "position", LONGEST_LINE), _texts(fields, "before", LONGEST_LINE, MOST_BEFORE, ())
    seconds, nodes = _seconds(fields), _whole(fields, "nodes", 1, MOST_NODES, DEFAULT_NODES)
    match fields.get("do"):
        case "play":
            seed = None if fields.get("seed") is None else _whole(fields, "seed", 0, LARGEST_NUMBER)
            return PlayRequest(position, before, nodes, seconds, seed, _whole(fields, "margin", 0, WON, 0))
        case "analyse":
            return AnalyseRequest(position, before, nodes, seconds)
        case "prove":
            own_turns = _whole(fields, "own_turns", 1, MOST_OWN_TURNS)
            return ProveRequest(position, own_turns, before, nodes if "nodes" in fields else None, seconds)
    raise BadLine('"do" must be "play", "analyse" or "prove".')


# --- Fields --------------------------------------------------------------------------------------------------------


def _common_fields(task: str, position: str, before: tuple[str, ...]) -> dict[str, Any]:
    return {"do": task, "position": position, **({"before": before} if before else {})}


def _search_answer(fields: Fields, turns: tuple[ScoredTurn, ...]) -> SearchAnswer:
    depth, nodes = _whole(fields, "depth", 0, LARGEST_NUMBER, 0), _whole(fields, "nodes", 0, LARGEST_NUMBER, 0)
    return SearchAnswer(turns, depth, nodes, _flag(fields, "cut", default=False))


def _scored_turn(fields: Fields) -> ScoredTurn:
    turn = _text(fields, "turn")
    return ScoredTurn(turn, _whole(fields, "score", -WIN, WIN), _texts(fields, "line", default=(turn,)))


def _object(line: bytes) -> Fields:
    if len(line) > LONGEST_LINE:
        raise BadLine(f"A line may have {LONGEST_LINE:,} bytes.")
    try:
        fields = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadLine("A line must be a JSON object in UTF-8.") from None
    if not isinstance(fields, dict):
        raise BadLine("A line must be a JSON object in UTF-8.")
    return fields


def _whole(fields: Fields, name: str, least: int, most: int, default: int | None = None) -> int:
    value = fields.get(name, default)
    if type(value) is not int or not least <= value <= most:
        raise BadLine(f'"{name}" must be a whole number from {least} to {most}.')
    return value


def _seconds(fields: Fields) -> float:
    value = fields.get("seconds", DEFAULT_SECONDS)
    if type(value) not in (int, float) or not 0 < value <= MOST_SECONDS:
        raise BadLine(f'"seconds" must be a number above 0, up to {MOST_SECONDS}.')
    return float(value)


def _flag(fields: Fields, name: str, *, default: bool | None = None) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        raise BadLine(f'"{name}" must be true or false.')
    return value


def _text(fields: Fields, name: str, longest: int = LONGEST_TEXT) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or len(value) > longest:
        raise BadLine(f'"{name}" must be a text of at most {longest} characters.')
    return value


def _texts(
    fields: Fields,
    name: str,
    longest: int = LONGEST_TEXT,
    most: int = LONGEST_LINE,
    default: tuple[str, ...] | None = None,
) -> tuple[str, ...]:
    value = fields.get(name, default)
    if not isinstance(value, list | tuple) or len(value) > most:
        raise BadLine(f'"{name}" must be a list of at most {most} texts.')
    if not all(isinstance(one, str) and len(one) <= longest for one in value):
        raise BadLine(f'"{name}" must hold texts of at most {longest} characters.')
    return tuple(value)
