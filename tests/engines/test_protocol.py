"""Requests and answers as lines of JSON, and what is wrong with others."""

import json
from typing import Any

import pytest

from gipfbot.engines.protocol import (
    LONGEST_LINE,
    AnalyseRequest,
    Answer,
    BadLine,
    EngineFailed,
    EngineRefused,
    EngineRequest,
    PlayRequest,
    ProofAnswer,
    ProveRequest,
    ScoredTurn,
    SearchAnswer,
    answer_line,
    error_line,
    parse_answer,
    parse_request,
    request_line,
)
from gipfbot.engines.worker import request_of_level
from gipfbot.notation import parse_position
from gipfbot.rules import (
    OVERBOARD,
    STANDARD,
    TOURNAMENT,
    start,
    with_potentials,
)
from gipfbot.search import LEVELS
from tests.engines.processes import BOARD

TURN, OTHER = ScoredTurn("e1-e3", 12, ("e1-e3", "a1-c3")), ScoredTurn("Ge8", -3, ("Ge8",))


@pytest.mark.parametrize(
    "request_",
    [
        PlayRequest(BOARD),
        PlayRequest(BOARD, (BOARD, "x"), 300, 1.5, 17, margin=200),
        PlayRequest(BOARD, seed=0),
        AnalyseRequest(BOARD, (BOARD,), 30_000, 5),
        ProveRequest(BOARD, 2),
        ProveRequest(BOARD, 3, (BOARD,), 10_000, 9),
    ],
)
def test_a_request_is_read_as_written(request_: EngineRequest[object]) -> None:
    assert parse_request(request_line(5, request_)) == (5, request_)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (PlayRequest(BOARD), SearchAnswer((TURN,), 3, 2000)),
        (PlayRequest(BOARD), SearchAnswer((OTHER,), 0, 1, cut=True)),
        (AnalyseRequest(BOARD), SearchAnswer((TURN, OTHER), 3, 2000)),
        (AnalyseRequest(BOARD), SearchAnswer((TURN, OTHER, TURN), 3, 2000, cut=True)),
        (ProveRequest(BOARD, 2), ProofAnswer(("e1-e3", "Gé8"), 10)),
        (ProveRequest(BOARD, 2), ProofAnswer((), 10)),
        (ProveRequest(BOARD, 2), ProofAnswer((), 10, cut=True)),
    ],
)
def test_an_answer_is_read_as_written(request_: EngineRequest[Answer], answer: Answer) -> None:
    line = answer_line(5, answer, analysed=isinstance(request_, AnalyseRequest))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert parse_answer(line, 5, request_) == answer


def test_only_a_cut_proof_leaves_open_whether_a_win_is_forced() -> None:
    assert json.loads(answer_line(5, ProofAnswer((), 10, cut=True))) == {"id": 5, "cut": True, "nodes": 10}
    assert json.loads(answer_line(5, ProofAnswer((), 10))) == {"id": 5, "forced": False, "turns": [], "nodes": 10}
    assert not ProofAnswer((), 10, cut=True).forced


def test_only_what_is_needed_must_be_in_an_answer() -> None:
    plain = b'{"id": 5, "turn": "e1-e3", "score": 0, "of the future": [1]}'
    assert parse_answer(plain, 5, PlayRequest(BOARD)) == SearchAnswer((ScoredTurn("e1-e3", 0, ("e1-e3",)),), 0, 0)
    assert parse_answer(b'{"id": 5, "forced": true, "turns": ["e2"]}', 5, ProveRequest(BOARD, 1)).forced


@pytest.mark.parametrize(
    ("score", "wins_in", "loses_in"),
    [(29_999, 1, None), (29_000, None, None), (29_001, 999, None), (-29_998, None, 2), (-29_000, None, None)],
)
def test_a_score_near_the_end_says_how_many_turns_it_takes(
    score: int, wins_in: int | None, loses_in: int | None
) -> None:
    turn = ScoredTurn("e2", score, ())
    assert (turn.wins_in, turn.loses_in) == (wins_in, loses_in)


def changed(**fields: Any) -> bytes:
    kept = {"id": 5, "do": "play", "position": BOARD, **fields}
    return json.dumps({name: value for name, value in kept.items() if value != "absent"}).encode()


@pytest.mark.parametrize(
    ("line", "request_id", "sentence"),
    [
        (b"", None, "A line must be a JSON object in UTF-8."),
        (b"play", None, "A line must be a JSON object in UTF-8."),
        (b"[]", None, "A line must be a JSON object in UTF-8."),
        (b"[" * 100_000, None, "A line must be a JSON object in UTF-8."),
        (b'{"id": ' + b"9" * 5000 + b"}", None, "A line must be a JSON object in UTF-8."),
        (b'{"id": 5, "do": "\xff"}', None, "A line must be a JSON object in UTF-8."),
        (b" " * (LONGEST_LINE + 1), None, "A line may have 1,048,576 bytes."),
        (b"{}", None, '"id" must be a whole number from 0 to 9007199254740991.'),
        (changed(id="5"), None, '"id" must be a whole number from 0 to 9007199254740991.'),
        (changed(id=True), None, '"id" must be a whole number from 0 to 9007199254740991.'),
        (changed(id=-1), None, '"id" must be a whole number from 0 to 9007199254740991.'),
        (changed(do="think"), 5, '"do" must be "play", "analyse" or "prove".'),
        (changed(do=["play"]), 5, '"do" must be "play", "analyse" or "prove".'),
        (changed(position="absent"), 5, '"position" must be a text of at most 1048576 characters.'),
        (changed(position=7), 5, '"position" must be a text of at most 1048576 characters.'),
        (changed(before=BOARD), 5, '"before" must be a list of at most 2000 texts.'),
        (changed(before=["x"] * 2001), 5, '"before" must be a list of at most 2000 texts.'),
        (changed(before=[None]), 5, '"before" must hold texts of at most 1048576 characters.'),
        (changed(nodes=0), 5, '"nodes" must be a whole number from 1 to 1000000000.'),
        (changed(nodes=1e3), 5, '"nodes" must be a whole number from 1 to 1000000000.'),
        (changed(seconds=0), 5, '"seconds" must be a number above 0, up to 3600.'),
        (changed(seconds=float("nan")), 5, '"seconds" must be a number above 0, up to 3600.'),
        (changed(seconds=3601), 5, '"seconds" must be a number above 0, up to 3600.'),
        (changed(seconds="1"), 5, '"seconds" must be a number above 0, up to 3600.'),
        (changed(seed=1.5), 5, '"seed" must be a whole number from 0 to 9007199254740991.'),
        (changed(margin=-1), 5, '"margin" must be a whole number from 0 to 29000.'),
        (changed(margin=29_001), 5, '"margin" must be a whole number from 0 to 29000.'),
        (changed(do="prove"), 5, '"own_turns" must be a whole number from 1 to 10.'),
        (changed(do="prove", own_turns=11), 5, '"own_turns" must be a whole number from 1 to 10.'),
    ],
)
def test_a_wrong_request_is_told_in_a_sentence(line: bytes, request_id: int | None, sentence: str) -> None:
    with pytest.raises(BadLine) as caught:
        parse_request(line)
    assert (caught.value.request_id, str(caught.value)) == (request_id, sentence)


def test_unknown_fields_of_a_request_are_passed_over() -> None:
    assert parse_request(changed(ponder=True)) == (5, PlayRequest(BOARD))


@pytest.mark.parametrize(
    ("best", "sentence"),
    [
        ([], '"best" must be a list of 1 to 3 turns.'),
        ([TURN._asdict()] * 4, '"best" must be a list of 1 to 3 turns.'),
        (None, '"best" must be a list of 1 to 3 turns.'),
        (["e1-e3"], '"best" must hold objects with "turn", "score" and "line".'),
        ([{"turn": "e1-e3"}], '"score" must be a whole number from -30000 to 30000.'),
    ],
)
def test_a_wrong_analysis_is_told_in_a_sentence(best: object, sentence: str) -> None:
    line = json.dumps({"id": 5, **TURN._asdict(), "best": best}).encode()
    with pytest.raises(BadLine) as caught:
        parse_answer(line, 5, AnalyseRequest(BOARD))
    assert str(caught.value) == sentence


@pytest.mark.parametrize("fields", [{"forced": True, "turns": []}, {"forced": False, "turns": ["e2"]}])
def test_a_proof_that_contradicts_itself_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadLine, match=r'^"forced" must say whether there are "turns"\.$'):
        parse_answer(json.dumps({"id": 5, **fields}).encode(), 5, ProveRequest(BOARD, 2))


def test_an_error_is_handed_on_and_cut() -> None:
    with pytest.raises(EngineRefused, match=r"^The game is over\.$"):
        parse_answer(error_line(5, "The game is over."), 5, PlayRequest(BOARD))
    assert len(json.loads(error_line(None, "x" * 10_000))["error"]) == 500
    assert issubclass(EngineRefused, EngineFailed)


@pytest.mark.parametrize("level", range(1, 9))
def test_a_level_asks_for_what_the_search_says(level: int) -> None:
    position = start(STANDARD)
    asked = request_of_level(position, [position], level, seed=17, seconds=9)
    nodes, margin = LEVELS[level - 1].nodes, LEVELS[level - 1].margin
    assert asked == PlayRequest(BOARD, (BOARD,), nodes, 9, 17, margin)
    assert parse_position(asked.position) == position


@pytest.mark.parametrize("rules", [OVERBOARD, with_potentials(TOURNAMENT, (("Z", 6),))])
def test_a_level_has_nodes_of_its_own_where_the_search_is_slow(rules: Any) -> None:
    asked = [request_of_level(start(rules), [], level, seed=17).nodes for level in range(1, 9)]
    assert asked == [level.slow_nodes for level in LEVELS]


def test_of_a_very_long_game_the_last_positions_are_told() -> None:
    asked = request_of_level(start(STANDARD), [start(OVERBOARD)] + [start(STANDARD)] * 2000, 2, seed=17)
    assert asked.before == (BOARD,) * 2000
    assert parse_request(request_line(5, asked)) == (5, asked)


def test_another_level_is_refused() -> None:
    with pytest.raises(ValueError, match="levels 1 to 8"):
        request_of_level(start(STANDARD), [], 9, seed=17)
