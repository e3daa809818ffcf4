"""`python bot.py engine`: the bot's own engine, as a real process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from gipfbot.engines.protocol import LONGEST_LINE
from gipfbot.notation import parse_position, position_text
from gipfbot.rules import OVERBOARD, STANDARD, Position, legal, play, start
from gipfbot.search import Request, best_turn
from tests.engines.processes import BOARD, ENGINE, is_running, until
from tests.support.paths import HOUSE
from tests.support.times import HANGS

OVER = "basic w W=e4,e5 B= reserve=0-15 captured=13-0 result=0-1 by=reserve"
PLAY: dict[str, Any] = {"id": 1, "do": "play", "position": BOARD, "nodes": 300}
ENDLESS = {**PLAY, "nodes": 10**9, "seconds": 3600}
MOST_MEMORY = 80 * 1024  # KiB


def answers(*requests: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    """Return what a new engine answers to these requests."""
    lines = b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in requests)
    done = subprocess.run(ENGINE, input=lines, capture_output=True, timeout=HANGS, check=True)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextmanager
def running(command: Sequence[str] = ENGINE) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def write(process: "subprocess.Popen[bytes]", request: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()


def read(process: "subprocess.Popen[bytes]") -> Any:
    assert process.stdout
    return json.loads(process.stdout.readline())


def test_it_plays_what_the_search_finds() -> None:
    position = start(STANDARD)
    found = best_turn(Request(position, [position], nodes=2000, seed=17))
    [answer] = answers({**PLAY, "before": [BOARD], "nodes": 2000, "seed": 17})
    assert (answer["score"], answer["depth"], answer["nodes"]) == (found.turns[0].score, found.depth, found.nodes)
    assert answer["line"][0] == answer["turn"]
    assert len(answer["line"]) == len(found.turns[0].line)
    assert "cut" not in answer


def test_the_same_request_has_the_same_answer_whatever_came_before() -> None:
    first, _, again = answers(PLAY, {**PLAY, "position": position_text(start(OVERBOARD))}, PLAY)
    assert first == again


def test_time_cuts_a_search() -> None:
    [answer] = answers({**PLAY, "nodes": 10**9, "seconds": 0.2})
    assert answer["cut"] is True
    assert answer["turn"]


def test_it_plays_like_level_1_if_asked() -> None:
    """Later than the first turns of a game, which are drawn at each level."""
    rng, position, before = Random(1), start(STANDARD), list[Position]()
    for turn_number in range(16):
        before.append(position)
        while position.mover is before[-1].mover:
            position = play(position, rng.choice(legal(position)))
        assert position.result is None, turn_number
    lines = {"position": position_text(position), "before": [position_text(earlier) for earlier in before]}
    found = [best_turn(Request(position, before, 300, seed, margin=200)) for seed in range(4)]
    weak = answers(*({**PLAY, **lines, "seed": seed, "margin": 200} for seed in range(4)))
    assert [answer["score"] for answer in weak] == [answer.turns[0].score for answer in found]
    assert len({answer["turn"] for answer in weak}) > 1


def test_an_analysis_lists_the_best_three() -> None:
    [answer] = answers({**PLAY, "do": "analyse", "nodes": 2000})
    assert len(answer["best"]) == 3
    assert [answer["best"][0][name] for name in ("turn", "score", "line")] == [
        answer[name] for name in ("turn", "score", "line")
    ]


WON = "basic w W=b2,c2,d2,f2 B=d3 reserve=11-0 captured=0-14"


def test_a_win_is_proven_or_not() -> None:
    """Black has no piece left in reserve when they are to move: every turn that gives none back wins."""
    assert parse_position(WON)
    proven, unproven, cut = answers(
        {"id": 1, "do": "prove", "position": WON, "own_turns": 1},
        {"id": 2, "do": "prove", "position": BOARD, "own_turns": 1},
        {"id": 3, "do": "prove", "position": BOARD, "own_turns": 3, "nodes": 1000},
    )
    assert proven["forced"] is True
    assert proven["turns"]
    assert (unproven["forced"], unproven["turns"]) == (False, [])
    assert cut["cut"] is True
    assert "forced" not in cut


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (b"hello\n", "A line must be a JSON object in UTF-8."),
        (b"x" * (LONGEST_LINE * 2) + b"\n", "A line may have 1,048,576 bytes."),
        ({**PLAY, "position": "chess"}, "The position cannot be used: Expected a rule set, w or b, and the pieces"),
        (
            {**PLAY, "position": BOARD.replace("12-12", "12-11")},
            "The position cannot be used: Black's pieces",
        ),
        ({**PLAY, "position": OVER}, "The game is over in this position."),
        ({**PLAY, "before": [OVER]}, '"before" must hold positions of the same game.'),
        ({**PLAY, "before": [position_text(start(OVERBOARD))]}, '"before" must hold positions of the same game.'),
        ({**PLAY, "do": "resign"}, '"do" must be "play", "analyse" or "prove".'),
    ],
)
def test_a_wrong_line_is_answered_and_the_engine_goes_on(request_: dict[str, Any] | bytes, sentence: str) -> None:
    wrong, right = answers(request_, {**PLAY, "id": 2})
    assert wrong["error"].startswith(sentence)
    assert wrong["id"] == (None if isinstance(request_, bytes) else 1)
    assert (right["id"], "error" in right) == (2, False)


def test_blank_lines_and_a_last_line_without_an_end_are_read() -> None:
    assert [answer["id"] for answer in answers(b"\n  \n", json.dumps(PLAY).encode())] == [1]


def test_each_request_is_answered_before_the_next_is_given() -> None:
    with running() as process:
        for request_id in (1, 2):
            write(process, {**PLAY, "id": request_id})
            assert read(process)["id"] == request_id


def test_it_ends_at_sigterm_even_in_a_search() -> None:
    with running() as process:
        write(process, PLAY)
        read(process)
        write(process, ENDLESS)
        process.terminate()
        assert process.wait(HANGS) == -signal.SIGTERM


async def test_it_does_not_search_on_when_its_parent_was_killed() -> None:
    """The parent starts the engine, hands on what it writes first, and waits."""
    code = f"""if True:
        import subprocess, sys
        engine = subprocess.Popen({ENGINE!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        engine.stdin.write({json.dumps(PLAY).encode()!r} + b"\\n" + {json.dumps(ENDLESS).encode()!r} + b"\\n")
        engine.stdin.flush()
        engine.stdout.readline()
        print(engine.pid, flush=True)
        engine.wait()
    """
    with running([sys.executable, "-c", code]) as parent:
        assert parent.stdout
        engine = int(parent.stdout.readline())
        assert is_running(engine)
        os.kill(parent.pid, signal.SIGKILL)
        await until(lambda: not is_running(engine))


def test_it_needs_little_memory() -> None:
    with running() as process:
        for do in ("play", "analyse"):
            write(process, {**PLAY, "do": do, "nodes": 20_000, "seconds": HANGS})
            assert "error" not in read(process)
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:  # noqa: PTH123
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    assert peak < MOST_MEMORY


def test_it_imports_only_what_it_needs() -> None:
    code = "import sys; from gipfbot import __main__; __main__.main(['engine']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"", capture_output=True, timeout=HANGS, check=True, cwd=HOUSE
    )
    needless = {"asyncio", "discord", "sqlalchemy", "PIL", "pydantic", "aiohttp", "structlog", "render"}
    assert not needless & {*done.stdout.decode().split()}
