"""The bot's own engine: reads the worker's requests, searches, and writes answers."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from gipfbot.notation import NotationError, decision_text, parse_position
from gipfbot.rules import Action, Position, play
from gipfbot.search import Answer as Found, Request, best_turn, best_turns, prove_win

from .protocol import (
    BEST_TURNS,
    LONGEST_LINE,
    AnalyseRequest,
    BadLine,
    PlayRequest,
    ProofAnswer,
    ProveRequest,
    ScoredTurn,
    SearchAnswer,
    answer_line,
    error_line,
    parse_request,
)


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Write an answer to `target` for each line of `source`, until `source` ends."""
    parent = os.getppid()
    for line in _read_lines(source):
        target.write(_reply(line, parent))
        target.flush()


def _read_lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are not blank. A line that is too long is cut, but stays recognisable as too long."""
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        if line.strip():
            yield line


def _reply(line: bytes, parent: int) -> bytes:
    """Return the line that answers a request, or says what is wrong with the request."""
    begun = time.monotonic()
    try:
        request_id, request = parse_request(line)
    except BadLine as fault:
        return error_line(fault.request_id, str(fault))
    try:
        position, before = _positions(request.position, request.before)
        answer = _answer(request, position, before, _stop(begun + request.seconds, parent))
    except NotationError as fault:
        return error_line(request_id, f"The position cannot be used: {fault}")
    except BadLine as fault:
        return error_line(request_id, str(fault))
    written = answer_line(request_id, answer, analysed=isinstance(request, AnalyseRequest))
    return written if len(written) <= LONGEST_LINE else error_line(request_id, "There are too many turns to list.")


def _stop(moment: float, parent: int) -> Callable[[], bool]:
    """Return a function that says whether the search must stop: at this moment, or once the parent process is gone."""
    return lambda: time.monotonic() >= moment or os.getppid() != parent


def _positions(line: str, lines: Iterable[str]) -> tuple[Position, list[Position]]:
    """Return the positions of a request. Raises NotationError, and BadLine if they do not belong to a running game."""
    position, before = parse_position(line), [parse_position(earlier) for earlier in lines]
    if position.result:
        raise BadLine("The game is over in this position.")
    if any(earlier.rules != position.rules or earlier.result for earlier in before):
        raise BadLine('"before" must hold positions of the same game.')
    return position, before


def _answer(
    request: PlayRequest | AnalyseRequest | ProveRequest,
    position: Position,
    before: list[Position],
    stop: Callable[[], bool],
) -> SearchAnswer | ProofAnswer:
    if isinstance(request, ProveRequest):
        limit = {} if request.nodes is None else {"nodes": request.nodes}
        turns, nodes, cut = prove_win(position, request.own_turns, before, stop, **limit)
        texts = dict.fromkeys(step_texts(position, [turn])[0] for turn in turns)
        return ProofAnswer(tuple(texts), nodes, cut)
    if isinstance(request, AnalyseRequest):
        return _told(position, best_turns(Request(position, before, request.nodes, stop=stop), BEST_TURNS))
    asked = Request(position, before, request.nodes, request.seed, request.margin, stop)
    return _told(position, best_turn(asked))


def _told(position: Position, found: Found) -> SearchAnswer:
    turns = dict[str, ScoredTurn]()
    for turn in found.turns:
        line = step_texts(position, turn.line)
        turns.setdefault(line[0], ScoredTurn(line[0], turn.score, line))  # two may begin with the same decision
    return SearchAnswer(tuple(turns.values()), found.depth, found.nodes, found.cut)


def step_texts(position: Position, steps: Iterable[tuple[Action, ...]]) -> tuple[str, ...]:
    """Return one text for each decision in these steps of a search.

    In Overboard a step that begins with an answer may continue with the answerer's own turn, which gets a text of its
    own.
    """
    texts = []
    for actions in steps:
        begun, part = position, list[Action]()
        for action in actions:
            if (position.mover, position.decider) != (begun.mover, begun.decider):
                texts.append(decision_text(begun, part))
                begun, part = position, []
            part.append(action)
            position = play(position, action)
        texts.append(decision_text(begun, part))
    return tuple(texts)
