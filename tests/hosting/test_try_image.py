"""`make image` with a stand-in for docker, which runs each command of the image here."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from gipfbot.installation import VERSION, revision
from tests.hosting import try_image
from tests.support.paths import HOUSE

# What is only in the image, by the command.
ANSWERS = {try_image.COMPILED: "True True", try_image.SHAPES_NAMES: "True"}
DOCKER = """#!{python}
import json, os, sys
from pathlib import Path
folder = Path({folder!r})
with (folder / "calls").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
verb, *words = sys.argv[1:]
if verb == "inspect":
    print("healthy" if (folder / "app/data/heartbeat").exists() else "starting")
if verb != "run":
    sys.exit()
place = words.index({image!r})
command = words[place + 1:] or ["python", "bot.py"]
if command[-1] in {answers!r}:
    print({answers!r}[command[-1]])
    sys.exit()
if command[0] == "pg_dump":
    print("pg_dump (PostgreSQL) 17.6")
    sys.exit()
given = dict(word.removeprefix("--env=").split("=", 1) for word in words[:place] if word.startswith("--env="))
os.chdir(folder / "app")
os.execve(sys.executable, [sys.executable, *command[1:]], {{"PATH": os.environ["PATH"], **given}})
"""
IMAGE = "gipfbot:tried"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the stand-in, which notes how it was called."""
    (tmp_path / "app" / "data").mkdir(parents=True)
    (tmp_path / "app" / "bot.py").symlink_to(HOUSE / "bot.py")
    docker = tmp_path / "docker"
    docker.write_text(
        DOCKER.format(python=sys.executable, folder=str(tmp_path), image=IMAGE, answers=ANSWERS), encoding="utf-8"
    )
    docker.chmod(docker.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(try_image, "revision", revision)  # it may be changed since its commit
    return tmp_path


def calls(folder: Path) -> list[list[str]]:
    return [json.loads(line) for line in (folder / "calls").read_text(encoding="utf-8").splitlines()]


@pytest.mark.sqlite
def test_image_is_built_and_plays(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try_image.main([f"--tag={IMAGE}"])
    assert capsys.readouterr().out.endswith(f"{IMAGE} is built, and does what it should.\n")
    built, *others = calls(folder)
    assert built == ["build", "--build-arg", f"REVISION={revision()}", "--tag", IMAGE, str(HOUSE)]
    assert [each[0] for each in others if each[0] != "run"]  # it has asked for the health
    assert all("--read-only" in each for each in others if each[0] == "run")
    assert (folder / "app/data/gipf.sqlite3").exists()


def test_image_for_postgres_brings_its_client(folder: Path) -> None:
    try_image.build(IMAGE, postgres=True)
    try_image.try_parts(IMAGE, postgres=True)
    built, *others = calls(folder)
    assert {"REQUIREMENTS=requirements/postgres.txt", "POSTGRES_CLIENT=17"} < {*built}
    assert others[-1][-2:] == ["pg_dump", "--version"]


def test_image_of_another_version_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(try_image, "VERSION", f"{VERSION}9")
    with pytest.raises(AssertionError):
        try_image.main([f"--tag={IMAGE}"])


def test_image_without_the_compiled_rules_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker = folder / "docker"
    docker.write_text(docker.read_text(encoding="utf-8").replace("True True", "False True"), encoding="utf-8")
    with pytest.raises(AssertionError, match="not compiled"):
        try_image.main([f"--tag={IMAGE}"])
