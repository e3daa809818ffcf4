"""The worker with engines of all manners. Each is a real process."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from gipfbot.engines.engine_process import Patience
from gipfbot.engines.protocol import (
    LONGEST_LINE,
    AnalyseRequest,
    EngineFailed,
    EngineRefused,
    PlayRequest,
    ProveRequest,
)
from gipfbot.engines.worker import OWN, SMALL_COST, Wish, Worker
from tests.engines.processes import BOARD, PATIENT, engines_of_test, fake, guards_of_test, is_running, until
from tests.support.paths import HOUSE
from tests.support.times import HANGS

PLAY = PlayRequest(BOARD, nodes=300, seconds=HANGS)
ENDLESS = PlayRequest(BOARD, nodes=10**9, seconds=3600)
SMALL, LARGE = Wish("Ann", SMALL_COST), Wish("Ann", SMALL_COST + 1)

Open = Callable[..., Worker]


@pytest.fixture
async def open_worker() -> AsyncIterator[Open]:
    """Return what makes a worker whose engine `it` has a command. Nothing may run after the test."""
    made = []

    def make(*command: str, patience: Patience = PATIENT) -> Worker:
        made.append(Worker({"it": command} if command else {}, patience))
        return made[-1]

    yield make
    for worker in made:
        await worker.close()
    await until(lambda: not engines_of_test() and not guards_of_test())


async def ask(worker: Worker, request: PlayRequest = PLAY, wish: Wish = SMALL) -> int:
    """Return the depth of the answer of the engine `it`."""
    return (await worker.ask(request, wish, "it")).depth


async def failure(worker: Worker, request: PlayRequest = PLAY) -> str:
    with pytest.raises(EngineFailed) as caught:
        await ask(worker, request)
    return str(caught.value)


async def test_the_bots_own_engine_plays_analyses_and_proves(open_worker: Open) -> None:
    worker = open_worker()
    played = await worker.ask(PlayRequest(BOARD, nodes=300, seed=3), SMALL)
    assert (len(played.turns), played.best.line[0], played.cut) == (1, played.best.turn, False)
    analysed = await worker.ask(AnalyseRequest(BOARD, nodes=300), SMALL)
    assert [turn.score for turn in analysed.turns] == sorted((turn.score for turn in analysed.turns), reverse=True)
    assert len({turn.turn for turn in analysed.turns}) == 3
    proof = await worker.ask(ProveRequest(BOARD, own_turns=1), SMALL)
    assert (proof.forced, proof.turns, proof.cut) == (False, (), False)


async def test_nothing_runs_until_an_engine_is_asked_and_one_process_stays(open_worker: Open) -> None:
    worker = open_worker(*fake("good"))
    await asyncio.sleep(0)
    assert engines_of_test() == []
    first = await ask(worker)
    assert engines_of_test() == [first]
    assert await ask(worker) == first


async def test_a_killed_engine_fails_its_question_and_is_replaced(open_worker: Open) -> None:
    worker = open_worker()
    asked = asyncio.create_task(worker.ask(ENDLESS, SMALL))
    await until(engines_of_test)
    pid = engines_of_test()[0]
    await asyncio.sleep(0.3)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(EngineFailed, match=r"^The engine was ended by signal 9\.$"):
        await asked
    assert (await worker.ask(PLAY, SMALL)).best.turn
    assert engines_of_test() != [pid]


async def test_an_engine_killed_while_idle_costs_no_question(open_worker: Open) -> None:
    worker = open_worker(*fake("good"))
    first = await ask(worker)
    os.kill(first, signal.SIGKILL)
    await until(lambda: not Path(f"/proc/{first}").exists())
    await asyncio.sleep(0.1)
    assert await ask(worker) != first


async def test_a_silent_engine_is_replaced(open_worker: Open) -> None:
    worker = open_worker(*fake("silent"), patience=Patience(HANGS, guard=0.2, start=0.2))
    assert await failure(worker, PlayRequest(BOARD, seconds=0.1)) == "The engine did not answer within 0.5 seconds."
    await until(lambda: not engines_of_test())


async def test_an_engine_that_does_not_read_is_replaced(open_worker: Open) -> None:
    """The request is larger than what a pipe holds."""
    worker = open_worker(*fake("deaf"), patience=Patience(HANGS, guard=0.2, start=0.2))
    asked = PlayRequest(BOARD, before=(BOARD,) * 2000, seconds=0.1)
    assert await failure(worker, asked) == "The engine did not answer within 0.5 seconds."
    await until(lambda: not engines_of_test())


async def test_only_the_start_of_an_engine_may_be_slow(open_worker: Open, tmp_path: Path) -> None:
    worker = open_worker(*fake("late"), patience=Patience(HANGS, guard=0.1, start=HANGS))
    assert await ask(worker, PlayRequest(BOARD, seconds=0.1))
    gate = tmp_path / "gate"
    gate.touch()
    worker = open_worker(*fake("gate", gate), patience=Patience(HANGS, guard=0.1, start=HANGS))
    await ask(worker, PlayRequest(BOARD, seconds=HANGS))
    gate.unlink()
    assert await failure(worker, PlayRequest(BOARD, seconds=0.1)) == "The engine did not answer within 0.2 seconds."


async def test_an_endless_line_ends_the_engine(open_worker: Open) -> None:
    worker = open_worker(*fake("endless"))
    assert await failure(worker) == f"The engine's answer is longer than {LONGEST_LINE:,} bytes."
    await until(lambda: not engines_of_test())


async def test_two_lines_for_one_request_end_the_engine(open_worker: Open) -> None:
    assert await failure(open_worker(*fake("twice"))) == "The engine says more than it was asked."
    await until(lambda: not engines_of_test())


async def test_what_an_engine_says_unasked_ends_it(open_worker: Open) -> None:
    """The answer before it counts."""
    worker = open_worker(*fake("chatty"))
    assert await ask(worker) == 1
    await until(lambda: not engines_of_test())
    assert await ask(worker) == 1


async def test_a_greeting_is_no_answer(open_worker: Open) -> None:
    assert (await failure(open_worker(*fake("greeting")))).startswith("The engine")
    await until(lambda: not engines_of_test())


async def test_blank_lines_are_passed_over(open_worker: Open) -> None:
    worker = open_worker(*fake("blank"))
    assert [await ask(worker) for _ in range(3)] == [1, 1, 1]


ANSWER = '{"id": ID, "turn": "e1-e3", "score": 7, "depth": 1, "nodes": 2, "line": ["e1-e3"]}'


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("hello", "A line must be a JSON object in UTF-8."),
        ("[1]", "A line must be a JSON object in UTF-8."),
        ("[" * 100_000, "A line must be a JSON object in UTF-8."),
        (ANSWER.replace("ID", "99"), '"id" must be 1, as in the request.'),
        (ANSWER.replace("ID", "true"), '"id" must be 1, as in the request.'),
        (ANSWER.replace('"e1-e3"', "5", 1), '"turn" must be a text of at most 2000 characters.'),
        (ANSWER.replace("7", "7.5"), '"score" must be a whole number from -30000 to 30000.'),
        (ANSWER.replace("7", "30001"), '"score" must be a whole number from -30000 to 30000.'),
        (ANSWER.replace('["e1-e3"]', '"e1-e3"'), '"line" must be a list of at most 1048576 texts.'),
        (ANSWER.replace('["e1-e3"]', "[5]"), '"line" must hold texts of at most 2000 characters.'),
        (ANSWER.replace("}", ', "cut": 1}'), '"cut" must be true or false.'),
    ],
)
async def test_nonsense_ends_the_engine(said: str, fault: str, open_worker: Open) -> None:
    worker = open_worker(*fake("said", said))
    assert await failure(worker) == f"The engine's answer makes no sense: {fault}"
    await until(lambda: not engines_of_test())


async def test_an_engine_that_says_why_it_does_not_answer_goes_on(
    open_worker: Open, caplog: pytest.LogCaptureFixture
) -> None:
    worker = open_worker()
    with pytest.raises(EngineRefused, match=r"^The position cannot be used: Expected"):
        await worker.ask(PlayRequest("chess"), SMALL)
    pid = engines_of_test()[0]
    await worker.ask(PLAY, SMALL)
    assert engines_of_test() == [pid]
    assert (caplog.messages, worker.failures[OWN]) == ([], 0)


async def test_a_crash_is_told_with_its_last_words(open_worker: Open, caplog: pytest.LogCaptureFixture) -> None:
    sentence = "The engine ended with exit code 1: MemoryError: no\N{REPLACEMENT CHARACTER}[31m room."
    worker = open_worker(*fake("crash"))
    assert await failure(worker) == sentence
    assert worker.failures == {OWN: 0, "it": 1}
    assert caplog.record_tuples == [
        ("gipfbot.engines.worker", logging.WARNING, f"the engine it was stopped: {sentence}")
    ]


async def test_a_loud_engine_is_heard(open_worker: Open) -> None:
    worker = open_worker(*fake("loud"))
    assert [await ask(worker) for _ in range(2)] == [1, 1]


def refusal_of_null() -> str:
    """Return what this Python says of a path that no system can have."""
    try:
        Path("a\0b").stat()
    except ValueError as fault:
        return str(fault)
    raise AssertionError("it takes such a path")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/nowhere/engine", "The engine cannot be started: [Errno 2] No such file or directory: '/nowhere/engine'."),
        ("/", "The engine cannot be started: [Errno 13] Permission denied: '/'."),
        ("a\0b", f"The engine cannot be started: {refusal_of_null()}."),
    ],
)
async def test_an_engine_that_cannot_be_started_is_told(command: str, fault: str, open_worker: Open) -> None:
    assert await failure(open_worker(command)) == fault


async def test_an_unknown_engine_is_refused(open_worker: Open) -> None:
    with pytest.raises(EngineFailed, match=r"^There is no engine named “gf2”\.$"):
        await open_worker().ask(PLAY, SMALL, "gf2")


async def test_engines_are_nice_and_do_not_learn_the_settings(
    open_worker: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIPFBOT_TOKEN", "secret")
    monkeypatch.setenv("gipfbot_owner", "7")
    monkeypatch.setenv("ANOTHER", "known")
    niceness, *names = (await failure(open_worker(*fake("nosy")))).split()
    assert niceness == "19"
    assert "ANOTHER" in names
    assert not [name for name in names if name.upper().startswith("GIPFBOT_")]


@pytest.mark.parametrize("way", ["parent", "abandon"])
async def test_what_an_engine_has_started_ends_with_it(way: str, open_worker: Open, tmp_path: Path) -> None:
    """It is killed with the engine, and after an engine that ends by itself."""
    file = tmp_path / "child"
    worker = open_worker(*fake(way, file))
    asked = asyncio.create_task(ask(worker))
    await until(lambda: file.exists() and file.read_text(encoding="ascii"))
    child = int(file.read_text(encoding="ascii"))
    if way == "parent":
        asked.cancel()
    await until(lambda: not is_running(child))
    await asyncio.wait([asked])


async def number_in(file: Path) -> int:
    """Wait until a process has written its number into a file."""

    def read() -> str:
        return file.read_text(encoding="ascii") if file.exists() else ""

    await until(read)
    return int(read())


@pytest.mark.parametrize("way", ["leave", "stubborn"])
@pytest.mark.parametrize("end", ["killed", "idle", "closed"])
async def test_what_has_left_the_group_of_its_engine_ends_with_it(
    way: str, end: str, open_worker: Open, tmp_path: Path
) -> None:
    """It has a session, a parent, an environment and files of its own."""
    worker = open_worker(
        *fake(way, tmp_path / "child"), patience=PATIENT._replace(idle=0.1 if end == "idle" else HANGS)
    )
    engine = await ask(worker)
    child = await number_in(tmp_path / "child")
    assert is_running(child) or end == "idle"
    if end == "killed":
        os.kill(engine, signal.SIGKILL)
    elif end == "closed":
        await worker.close()
    await until(lambda: not is_running(child) and not is_running(engine))


BOT = """
import asyncio, sys
from gipfbot.engines.worker import SMALL_COST, Wish, Worker
from gipfbot.engines.protocol import PlayRequest
async def main():
    worker = Worker({"it": sys.argv[2:]})
    print((await worker.ask(PlayRequest(sys.argv[1]), Wish("Ann", SMALL_COST), "it")).depth, flush=True)
    await asyncio.sleep(1000)
asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_what_has_left_the_group_ends_with_a_bot_that_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BOT, BOARD, *fake("stubborn", tmp_path / "child")]
    bot = await asyncio.create_subprocess_exec(*command, cwd=HOUSE, stdout=subprocess.PIPE)
    assert bot.stdout
    engine, child = int(await bot.stdout.readline()), await number_in(tmp_path / "child")
    assert is_running(engine)
    assert is_running(child)
    bot.send_signal(number)
    await bot.wait()
    await until(lambda: not is_running(child) and not is_running(engine))


async def test_engine_ends_with_its_guard(open_worker: Open, tmp_path: Path) -> None:
    """What has left the group then stays: nobody can promise anything against a program that kills the guard."""
    worker = open_worker(*fake("good"))
    engine = await ask(worker)
    os.kill(guards_of_test()[0], signal.SIGKILL)
    await until(lambda: not is_running(engine))
    assert await ask(worker) != engine


async def test_people_are_asked_for_in_rotation_their_cheapest_first(open_worker: Open, tmp_path: Path) -> None:
    """What runs is not interrupted."""
    gate, order = tmp_path / "gate", list[tuple[str, int]]()
    worker = open_worker(*fake("gate", gate))

    async def note(person: str, cost: int) -> None:
        await ask(worker, wish=Wish(person, cost))
        order.append((person, cost))

    tasks = [asyncio.create_task(note("Ann", 5))]
    await until(engines_of_test)
    for person, cost in [("Ann", 7), ("Ann", 3), ("Bob", 9), ("Bob", 2), ("Ann", 1), ("Cara", 8)]:
        tasks.append(asyncio.create_task(note(person, cost)))
        await asyncio.sleep(0)
    assert len(engines_of_test()) == 1
    assert worker.waiting() == {OWN: 0, "it": 6}
    gate.touch()
    await asyncio.gather(*tasks)
    assert worker.waiting() == {OWN: 0, "it": 0}
    assert order == [("Ann", 5), ("Bob", 2), ("Cara", 8), ("Ann", 1), ("Bob", 9), ("Ann", 3), ("Ann", 7)]


async def test_small_search_of_the_own_engine_does_not_wait_for_a_large_one(open_worker: Open) -> None:
    """The large one goes on where it was. Each has a process."""
    worker = open_worker()
    large = asyncio.create_task(worker.ask(ENDLESS, LARGE))
    await until(engines_of_test)
    (pid,) = engines_of_test()
    async with asyncio.timeout(HANGS):
        assert (await worker.ask(PLAY, SMALL)).best.turn
    assert not large.done()
    assert pid in engines_of_test()
    assert len(engines_of_test()) == 2


async def test_hung_engine_holds_up_no_other(open_worker: Open) -> None:
    worker = open_worker(*fake("silent"))
    hung = asyncio.create_task(ask(worker))
    await until(engines_of_test)
    async with asyncio.timeout(HANGS):
        for wish in (SMALL, LARGE):
            assert (await worker.ask(PLAY, wish)).best.turn
    assert not hung.done()


async def test_wish_that_need_not_begin_costs_no_search(open_worker: Open) -> None:
    async def refuse() -> None:
        raise LookupError

    worker = open_worker(*fake("good"))
    with pytest.raises(LookupError):
        await ask(worker, wish=Wish("Ann", 1, refuse))
    assert engines_of_test() == []
    assert await ask(worker)


async def test_a_cancelled_question_leaves_the_queue(open_worker: Open, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    worker = open_worker(*fake("gate", gate))
    running, second, third = (asyncio.create_task(ask(worker)) for _ in range(3))
    await until(engines_of_test)
    second.cancel()
    await asyncio.wait([second])
    gate.touch()
    assert [*await asyncio.gather(running, third)] == [1, 1]


async def test_a_cancelled_search_ends_its_engine_and_lets_the_next_begin(open_worker: Open) -> None:
    worker = open_worker()
    running = asyncio.create_task(worker.ask(ENDLESS, SMALL))
    waiting = asyncio.create_task(worker.ask(PLAY, SMALL))
    await until(engines_of_test)
    pid = engines_of_test()[0]
    running.cancel()
    assert (await waiting).best.turn
    await until(lambda: not is_running(pid))


async def test_an_idle_engine_is_ended_and_started_again(open_worker: Open) -> None:
    worker = open_worker(*fake("good"), patience=Patience(0.05, HANGS, HANGS))
    first = await ask(worker)
    await until(lambda: not engines_of_test())
    assert await ask(worker) != first


async def test_an_engine_is_not_idle_while_it_searches(open_worker: Open, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    gate.touch()
    worker = open_worker(*fake("gate", gate), patience=Patience(0.5, HANGS, HANGS))
    await ask(worker)
    gate.unlink()
    asked = asyncio.create_task(ask(worker))
    await asyncio.sleep(0.7)
    gate.touch()
    assert await asked == 1


async def test_closing_ends_everything(open_worker: Open) -> None:
    worker = open_worker()
    running = asyncio.create_task(worker.ask(ENDLESS, SMALL))
    waiting = asyncio.create_task(worker.ask(PLAY, SMALL))
    await until(engines_of_test)
    await worker.close()
    for asked in (running, waiting, worker.ask(PLAY, SMALL)):
        with pytest.raises(EngineFailed, match=r"^The bot is shutting down\.$"):
            await asked
    assert engines_of_test() == []


async def test_closing_while_an_engine_starts_leaves_nothing(open_worker: Open) -> None:
    worker = open_worker(*fake("good"))
    asked = asyncio.create_task(ask(worker))
    for _ in range(3):
        await asyncio.sleep(0)
    await worker.close()
    with pytest.raises(EngineFailed, match=r"^The bot is shutting down\.$"):
        await asked
    await until(lambda: not engines_of_test())


async def test_closing_leaves_the_exit_code_to_asyncio(open_worker: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first to ask for the exit code gets it. If that is not asyncio, asyncio complains in the log."""
    asked = list[subprocess.Popen[bytes]]()
    monkeypatch.setattr(subprocess.Popen, "poll", asked.append)
    worker = open_worker(*fake("good"))
    pid = await ask(worker)
    await worker.close()
    assert (asked, is_running(pid)) == ([], False)


async def test_closing_an_unused_worker_is_quiet(open_worker: Open) -> None:
    worker = open_worker()
    await worker.close()
    await worker.close()
