"""A server of PostgreSQL that lets nobody in for a while: the bot waits for it, or ends and is started again."""

import asyncio
import socket
from dataclasses import dataclass

import pytest

from gipfbot.store.backends import backend_of_url, postgres, process_locks
from gipfbot.store.backends.postgres import Postgres
from gipfbot.store.troubles import Troubles
from gipfbot.values import NoWrites, Trouble, Unreachable, Unusable
from tests.standin.interaction import eventually
from tests.support.postgres import END_OTHERS, Server


@dataclass(frozen=True)
class Refusal:
    """Why a server does not let the bot in, by the statements that begin and end it."""

    begin: str
    end: str
    fault: type[Unusable]
    said: str


NO_WRITES = Refusal(
    "ALTER DATABASE {name} SET default_transaction_read_only = on",
    "ALTER DATABASE {name} RESET default_transaction_read_only",
    NoWrites,
    "cannot be written (None of the hosts match",
)
SHUT = Refusal(
    "ALTER DATABASE {name} ALLOW_CONNECTIONS false",
    "ALTER DATABASE {name} ALLOW_CONNECTIONS true",
    Unreachable,
    "is not currently accepting connections",
)
NO_RIGHT = Refusal(
    "REVOKE CONNECT ON DATABASE {name} FROM PUBLIC",
    "GRANT CONNECT ON DATABASE {name} TO PUBLIC",
    NoWrites,
    "permission denied for database",
)


@pytest.fixture(params=[NO_WRITES, SHUT, NO_RIGHT], ids=["takes no writes", "shut", "no right"])
def refusal(request: pytest.FixtureRequest) -> Refusal:
    found: Refusal = request.param
    return found


@pytest.fixture
def backend(server: Server, empty_url: str) -> Postgres:
    """Return a database that is used by somebody without special rights, who wants a server that takes writes."""
    server.execute("DROP ROLE IF EXISTS visitor", "CREATE ROLE visitor LOGIN")
    found = backend_of_url(f"{empty_url.replace('gipf@', 'visitor@')}&target_session_attrs=read-write")
    assert isinstance(found, Postgres)
    return found


async def test_locks_wait_for_a_server_that_lets_nobody_in(
    backend: Postgres, server: Server, refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_locks, "HOLDER_LOOKS", 0.05)
    name, faults, opening_fault = str(backend.url.database), list[Unusable](), Postgres.opening_fault

    def note_fault(used: Postgres, error: BaseException) -> Unusable:
        faults.append(opening_fault(used, error))
        return faults[-1]

    monkeypatch.setattr(Postgres, "opening_fault", note_fault)
    held = f"SELECT 1 FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = '{name}')"
    async with backend.hold() as lost:
        end_others = END_OTHERS.replace("current_database()", f"'{name}'")
        await asyncio.to_thread(server.execute, refusal.begin.format(name=name), end_others)
        await eventually(lambda: len(faults) > 1 or lost.done(), "two tries")
        assert not lost.done()
        assert refusal.said in str(faults[-1])
        await asyncio.to_thread(server.execute, refusal.end.format(name=name))
        await eventually(lambda: server.execute(held) == [(1,)], "the lock")
        assert not lost.done()


async def test_a_start_on_a_server_that_lets_nobody_in_is_tried_again(
    backend: Postgres, server: Server, refusal: Refusal
) -> None:
    """The codes 6 and 8 are those after which a service is started again."""
    server.execute(refusal.begin.format(name=backend.url.database))
    with pytest.raises(refusal.fault) as refused:
        async with backend.hold():
            pytest.fail("it was held")
    assert refusal.said in str(refused.value)
    assert refused.value.exit_code in (6, 8)


@pytest.mark.parametrize("code", ["53200", "58030", "55000", "57P03"])
def test_a_server_that_is_short_of_something_is_tried_again(backend: Postgres, code: str) -> None:
    error = RuntimeError("no room\nand a hint")
    error.sqlstate = code  # type: ignore[attr-defined]
    fault = backend.opening_fault(error)
    assert isinstance(fault, Unreachable)
    assert " cannot be reached (no room): " in str(fault)


@pytest.mark.parametrize(
    ("error", "said"), [(RuntimeError("no room\nand a hint"), "no room"), (TimeoutError(), "TimeoutError")]
)
def test_the_log_names_a_trouble_in_one_line(error: Exception, said: str, caplog: pytest.LogCaptureFixture) -> None:
    Troubles("gipf").note(Trouble.UNREACHABLE, error)
    assert caplog.messages[0].startswith(f"gipf cannot be used: its server cannot be reached ({said}). The bot goes on")
    caplog.clear()


async def test_a_server_that_says_nothing_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql+asyncpg://gipf@127.0.0.1:{silent.getsockname()[1]}/gipf?ssl=disable"
        with pytest.raises(Unreachable, match=r"cannot be reached \(no answer in 0\.1 s\): look at"):
            async with backend_of_url(url).hold():
                pytest.fail("it was held")
