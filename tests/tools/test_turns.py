"""`turns`: read position lines and write the legal turns of each, one JSON object per line."""

import io
import json
import os
import subprocess
import sys
from itertools import islice
from typing import Any

import pytest

from gipfbot.notation import parse_position, parse_turn, position_text
from gipfbot.rules import PRESETS, Position, perft, start
from gipfbot.tools import positions
from tests.notation.helpers import along, at, game
from tests.support.calls import count_calls

STANDARD = position_text(start(PRESETS["standard"]))


def answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: bytes) -> list[Any]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert positions.run_turns([]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def listed(position: Position) -> dict[str, str]:
    found: dict[str, str] = json.loads("".join(positions.turns_json(position_text(position))))["turns"]
    return found


def test_the_turns_of_the_start_are_listed() -> None:
    """A push to a vacant spot is one turn, whatever the dot."""
    found = listed(start(PRESETS["standard"]))
    assert len(found) == 30
    assert found["c2"] == "standard b W=Gb5,c2,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=11-12 captured=0-0"
    assert "e1-e3" in found


LISTED = [
    # position, some of its turns, the number of all turns
    ("basic w W=d2,d3,d4,d5,d6,e3,f3,g3,h3 B=b2", ["xd2,d3,d4,d5,d6;xe3,f3,g3,h3;b5"], 20),
    ("basic w W=b2,c2,d2,e2,g2,g3,g4,g5 B=", ["xb2,c2,d2,e2;xg2,g3,g4,g5;b5"], 18),
    ("standard w W=Ge3,e4,e5,Gb5 B=Gh2", ["e2;xe2,Ge3,e4,e5", "e2;xe2,e4,e5", "d2"], 23),
    ("standard w W=e2,e3,e4,e5,Gb5 B=Ge6", ["xe2,e3,e4,e5,Ge6*", "xe2,e3,e4,e5;b2"], 21),
    ("tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2 captured=9-0", ["xGe3;c2", "xGe2,Ge3,Ge4,Ge5"], None),
]


@pytest.mark.parametrize(("line", "some", "count"), LISTED)
def test_turns_with_removals_are_listed_by_their_end(line: str, some: list[str], count: int | None) -> None:
    """Several ways through a removal step to the same board are one turn. A turn that ends the game has no push."""
    found = listed(at(line))
    assert {*some} <= {*found}
    assert count is None or len(found) == count


@pytest.mark.parametrize("rules", [*PRESETS])
def test_every_listed_turn_leads_to_its_position(rules: str) -> None:
    """There are as many turns as perft counts, and each text is one turn."""
    for position, _ in game(rules, 5)[::8]:
        found = listed(position)
        assert len(found) == next(perft(position, 1)).turns
        for text, line in [*found.items()][::4]:
            assert along(position, parse_turn(position, text)) == parse_position(line), text


def test_every_line_is_answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Blank lines are skipped. A bad line gets its error in its place. A finished game has no turns."""
    inside = "basic w W=e2,e3,e4,e5 B= reserve=11-15 captured=0-0 step=after"
    dealt = "basic w W=b5,c5,d5 B= reserve=12-15 captured=0-0 dealt=e"
    over = "standard b W=Gb5 B=h2 reserve=16-15 captured=0-2 result=1-0 by=gipf"
    lines = [f"  {STANDARD}\t", "", "   ", inside, dealt, over, "nonsense", "standard w \udcff", "x" * 10_000, STANDARD]
    given = "\r\n".join(lines).encode("utf-8", "surrogateescape")
    found = answers(monkeypatch, capsys, given)
    assert [answer["position"] for answer in found[:5]] == [STANDARD, inside, dealt, over, "nonsense"]
    assert [len(answer["turns"]) if "turns" in answer else None for answer in found] == [
        30, None, None, 0, None, None, None, 30,
    ]  # fmt: skip
    assert found[1]["error"] == "The position is inside a turn: give one at the start of a turn. (R3)"
    assert found[4]["error"] == "Expected a rule set, w or b, and the pieces, but the text ends."
    assert all(len(json.dumps(answer)) < 5000 for answer in found if "error" in answer)


def test_a_too_long_line_is_refused_whole(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = answers(monkeypatch, capsys, f"{STANDARD}{' ' * 5000}more\n{STANDARD}".encode())
    assert ["error" in answer for answer in found] == [True, False]


def test_each_line_is_answered_before_the_next_is_given() -> None:
    """The command runs in a pipe and leaves nothing in a buffer."""
    command = [sys.executable, "-c", "from gipfbot.tools import positions; positions.run_turns([])"]
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=plain) as process:
        assert process.stdin
        assert process.stdout
        for line in (STANDARD, "nonsense", STANDARD):
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == line
        process.stdin.close()
        assert process.wait() == 0


def test_turns_ends_quietly_when_its_output_is_closed() -> None:
    command = [sys.executable, "-c", "from gipfbot.tools.positions import run_turns; raise SystemExit(run_turns([]))"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stdin
        process.stdin.write(f"{STANDARD}\n".encode())
        process.stdin.close()
        assert process.stderr
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_the_turns_of_a_line_are_never_all_in_memory() -> None:
    """The first of more than 27,000 turns come long before the others are made. All would take 6 million calls."""
    line = position_text(at("tournament w W=Gc3,Gc4,Gc5,Gc6,Gd3,Ge3,Gf2,h5 B=Gb3,Gd6,Gg2"))
    first = list[str]()
    assert count_calls(lambda: first.extend(islice(positions.turns_json(line), 500))) < 500_000
    assert len(first) == 500


def test_turns_takes_no_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        positions.run_turns(["standard"])
    assert caught.value.code == 2
    assert capsys.readouterr().err == "gipfbot turns: unrecognized arguments: standard\n"
