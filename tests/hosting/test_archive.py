"""What the compose file archives, and what the document says of a restore to a point in time, works as it stands."""

import gzip
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.paths import HOUSE
from tests.support.postgres import Server
from tests.support.times import HANGS

COMPOSE = HOUSE / "docs" / "hosting" / "compose-postgres.yaml"
NUMBERS = "SELECT array_agg(number) FROM numbers"


def service() -> dict[str, Any]:
    """Return what the compose file says of PostgreSQL."""
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]["postgres"]
    return found


@pytest.fixture
def server() -> Iterator[Server]:
    """Return a server that archives as the one of the compose file, into a folder beside its data."""
    settings = dict(part.split("=", 1) for part in service()["command"] if "=" in part)
    command = settings.pop("archive_command").replace("/archive/", "../archive/")
    server = Server(**settings, archive_command=f"mkdir -p ../archive && {command}")
    yield server
    server.remove()


def documented_lines(moment: str) -> str:
    """Return the lines that the document wants in `postgresql.auto.conf`, for this moment and folder."""
    text = (HOUSE / "docs" / "hosting" / "running.md").read_text(encoding="utf-8")
    found = re.search(r"```\n(restore_command = .*?)```", text, re.DOTALL)
    assert found
    lines = re.sub("recovery_target_time = '.*'", f"recovery_target_time = '{moment}'", found[1])
    return lines.replace("/archive/", "../archive/")


def test_archived_changes_lead_to_any_moment(server: Server) -> None:
    server.execute("CREATE TABLE numbers (number int)", "INSERT INTO numbers VALUES (1)")
    server.run("pg_basebackup", f"--host={server.folder}", "--username=gipf", "--format=tar", "--pgdata=base")
    server.execute("INSERT INTO numbers VALUES (2)")
    ((moment,),) = server.execute("SELECT clock_timestamp()::text")
    server.execute("INSERT INTO numbers VALUES (3)")
    server.stop()  # archives what is left
    shutil.rmtree(server.data)
    server.run("mkdir", "--mode=700", str(server.data))
    server.run("tar", "--extract", "--file=base/base.tar", f"--directory={server.data}")
    with (server.data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
        settings.write(documented_lines(moment))
    (server.data / "recovery.signal").touch()
    server.restart()
    until = time.monotonic() + HANGS
    while server.execute("SELECT pg_is_in_recovery()") == [(True,)]:
        assert time.monotonic() < until, "it stays a copy that takes no writes"
    assert server.execute(NUMBERS) == [([1, 2],)]
    server.execute("INSERT INTO numbers VALUES (4)")  # it takes writes again


def test_a_file_is_archived_again_only_if_it_is_the_same(tmp_path: Path) -> None:
    """A server that was stopped hard may not know any more what it has archived. It would try for ever."""
    command = service()["command"][-1].removeprefix("archive_command=").replace("/archive/", f"{tmp_path}/")
    segment = tmp_path / "segment"

    def archive(content: bytes) -> int:
        segment.write_bytes(content)
        ready = command.replace("%p", str(segment)).replace("%f", "one")
        return subprocess.run(["sh", "-c", ready], check=False).returncode

    assert [archive(b"first"), archive(b"first"), archive(b"other") != 0, archive(b"first")] == [0, 0, True, 0]
    assert gzip.decompress((tmp_path / "one.gz").read_bytes()) == b"first"


def test_the_archive_belongs_to_the_server(tmp_path: Path) -> None:
    """A new volume belongs to root. What makes the folder hands all arguments on."""
    *shell, script, _ = service()["entrypoint"]
    archive, beside = tmp_path / "archive", tmp_path / "docker-entrypoint.sh"
    beside.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    beside.chmod(0o755)
    assert "install -d -o postgres -g postgres /archive &&" in script
    script = script.replace("-o postgres -g postgres /archive", str(archive)).replace("$$", "$")
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    said = subprocess.run(
        [*shell, script, "--", "postgres", "a b"], env=path, check=True, capture_output=True, text=True
    )
    assert archive.is_dir()
    assert said.stdout == "postgres\na b\n"
