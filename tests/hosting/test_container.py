"""The image and the compose file, read as data: docker itself is not needed for it."""

import ast
import json
import os
import re
import shlex
import subprocess
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from gipfbot.installation import VERSION
from gipfbot.values import parse_shards
from tests.support.dockerfile import read_dockerfile, values
from tests.support.paths import HOUSE

COMPOSE = HOUSE / "docs" / "hosting" / "compose.yaml"
USER = "10001:10001"


def read_service(name: str = "gipfbot") -> dict[str, Any]:
    """Return a service of the compose file."""
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"][name]
    return found


def dockerfile_check() -> tuple[list[str], dict[str, str]]:
    """Return the command of the image's health check, and its options."""
    (check,) = values(read_dockerfile()[-1], "HEALTHCHECK")
    options, command = check.split(" CMD ")
    found: list[str] = json.loads(command)
    return found, dict(option.removeprefix("--").split("=") for option in options.split())


# ── The image ──


def test_image_stands_on_an_exact_version_of_python() -> None:
    before, *stages = read_dockerfile()
    (base,) = values(before, "ARG")
    assert re.fullmatch(r"PYTHON=python:3\.\d+\.\d+-slim-[a-z]+", base), base
    assert [values(stage, "FROM")[0].split()[0] for stage in stages] == ["${PYTHON}"] * 3


def test_image_installs_only_what_is_pinned_with_its_hash() -> None:
    _, packages, _, final = read_dockerfile()
    assert values(packages, "ARG") == ["REQUIREMENTS=requirements.txt"]
    assert values(packages, "COPY") == ["requirements.txt .", "requirements requirements"]
    _, run = values(packages, "RUN")
    steps = [shlex.split(step) for step in run.split("&&")]
    install = next(step for step in steps if "install" in step)
    assert install[:3] == ["pip", "--python", "/packages/bin/python"]
    assert {"--require-hashes", "--no-cache-dir", "--no-compile"} < {*install}
    assert install[-2:] == ["--requirement", "${REQUIREMENTS}"]
    assert not any("pip" in shlex.split(step) for run in values(final, "RUN") for step in run.split("&&"))


@pytest.mark.parametrize("name", ["requirements.txt", "requirements/postgres.txt", "requirements-postgres.txt"])
def test_an_unknown_requirement_file_ends_the_build_with_a_sentence(name: str) -> None:
    """Such as that of an older version, in a host's own compose file."""
    check, _ = values(read_dockerfile()[1], "RUN")
    environment = {"PATH": os.environ["PATH"], "REQUIREMENTS": name}
    done = subprocess.run(["sh", "-c", check], cwd=HOUSE, env=environment, capture_output=True, text=True, check=False)
    right = "write REQUIREMENTS=requirements.txt or REQUIREMENTS=requirements/postgres.txt"
    said = "" if (HOUSE / name).exists() else f"There is no {name}: {right}.\n"
    assert (done.returncode, done.stderr) == (int(bool(said)), said)


def test_image_brings_what_is_compiled_and_no_compiler() -> None:
    *_, compiled, final = read_dockerfile()
    install, packages, build = values(compiled, "RUN")
    assert {"gcc", "libc6-dev"} < {*shlex.split(install)}
    assert "--require-hashes" in shlex.split(packages)
    assert shlex.split(packages)[-1] == "compile.txt"
    assert shlex.split(build)[:3] == ["/compiler/bin/python", "-m", "gipfbot.compiled"]
    assert "--from=compiled /compiled ." in values(final, "COPY")
    assert not any("gcc" in run for run in values(final, "RUN"))


def test_image_brings_what_shapes_the_names_in_pictures() -> None:
    """Pillow looks for it at its start; its wheel does not bring it."""
    install = next(run for run in values(read_dockerfile()[-1], "RUN") if "apt-get" in run)
    assert "libfribidi0" in shlex.split(install)
    assert shlex.split(install)[-2:] == ["-rf", "/var/lib/apt/lists/*"]  # the image keeps no lists of packages


def test_image_is_compiled_and_never_compiles_itself() -> None:
    """The compiled files do not ask for the time of their source, which a builder may change."""
    _, packages, _, final = read_dockerfile()
    compiled = [
        shlex.split(step)
        for stage in (packages, final)
        for run in values(stage, "RUN")
        for step in run.split("&&")
        if "compileall" in step
    ]
    assert all("unchecked-hash" in step for step in compiled)
    assert [step[-1] for step in compiled] == ["/packages/lib", "render"]
    assert compiled[1][-3:] == ["bot.py", "gipfbot", "render"]
    environment = dict(each.split("=", 1) for line in values(final, "ENV") for each in shlex.split(line))
    assert environment["PYTHONDONTWRITEBYTECODE"] == environment["PYTHONUNBUFFERED"] == "1"
    assert environment["PATH"].startswith("/packages/bin:")


def test_image_runs_the_bot_as_process_1_without_rights() -> None:
    """The exec form starts no shell, so that the bot gets SIGTERM itself."""
    final = read_dockerfile()[-1]
    assert [json.loads(command) for command in values(final, "CMD")] == [["python", "bot.py"]]
    assert values(final, "ENTRYPOINT") == []
    assert values(final, "USER") == [USER]
    assert values(final, "STOPSIGNAL") == ["SIGTERM"]
    assert values(final, "VOLUME") == ["/app/data"]
    instructions = [name for name, _ in final]
    assert instructions.index("USER") > max(at for at, name in enumerate(instructions) if name in ("RUN", "COPY"))


def test_image_has_the_labels_of_this_version() -> None:
    (labels,) = values(read_dockerfile()[-1], "LABEL")
    found = dict(label.split("=", 1) for label in shlex.split(labels))
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    prefix = "org.opencontainers.image."
    assert {name.removeprefix(prefix) for name in found} == {
        *("title", "description", "version", "licenses", "revision", "base.name")
    }
    assert found[f"{prefix}version"] == VERSION, f"write {VERSION} into the label of the Dockerfile: none is computed"
    assert found[f"{prefix}licenses"] == project["license"]
    assert found[f"{prefix}description"] == project["description"]


def test_image_gets_all_that_the_bot_imports() -> None:
    """What is not named in .dockerignore does not reach the builder."""
    ignored = (HOUSE / ".dockerignore").read_text(encoding="utf-8").split()
    sources = {
        source
        for stage in read_dockerfile()[1:]
        for copy in values(stage, "COPY")
        if not copy.startswith("--from=")
        for source in copy.split()[:-1]
    }
    folders = {"requirements", "gipfbot", "render"}
    assert sources == {"requirements.txt", "requirements/compile.txt", "bot.py", *folders}
    files = {"requirements/postgres.txt", *sources} - {"requirements"}
    assert {f"!{source}" for source in files} <= {*ignored}


def test_health_check_is_python_that_compiles() -> None:
    command, options = dockerfile_check()
    assert command[:2] == ["python", "-c"]
    ast.parse(command[2])
    assert options == {"interval": "30s", "timeout": "10s", "start-period": "60s"}


# ── The compose file ──


def test_compose_gives_the_bot_its_volume_and_nothing_else_to_write() -> None:
    service = read_service()
    assert service["read_only"] is True
    assert service["volumes"] == ["gipf-data:/app/data", "gipf-backups:/app/backups:ro"]
    assert [place.split(":")[0] for place in service["tmpfs"]] == ["/tmp"]
    assert all(word in service["tmpfs"][0] for word in ("size=", "noexec", "nosuid", "nodev"))
    assert "gipf-data" in yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["volumes"]


def test_compose_takes_the_rights_away_and_sets_limits() -> None:
    service = read_service()
    assert service["user"] == USER
    assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    assert service["mem_limit"] == service["memswap_limit"] == "512m"
    assert (service["cpus"], service["pids_limit"]) == (2, 128)
    assert not {"privileged", "ports", "network_mode", "cap_add"} & {*service}


def test_compose_rotates_the_log_and_lets_the_bot_end() -> None:
    service = read_service()
    assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}
    assert service["stop_grace_period"] == "20s"
    assert (service["restart"], service["init"]) == ("unless-stopped", True)


def test_compose_checks_the_health_as_the_image_does() -> None:
    check, (command, options) = read_service()["healthcheck"], dockerfile_check()
    assert check["test"] == ["CMD", *command]
    assert {name.replace("_", "-"): check[name] for name in ("interval", "timeout", "start_period")} == options


def test_compose_builds_this_folder() -> None:
    service = read_service()
    assert (COMPOSE.parent / service["build"]["context"] / "Dockerfile").resolve() == HOUSE / "Dockerfile"
    assert (COMPOSE.parent / service["env_file"]).resolve() == HOUSE / ".env"


# ── Backups ──


def backup_services() -> dict[str, dict[str, Any]]:
    """Return the service that backs up, by the ending of its backups."""
    return {"sqlite3": read_service("backup"), "dump": read_services()["backup"]}


@pytest.mark.parametrize("ending", ["sqlite3", "dump"])
@pytest.mark.parametrize(
    ("there", "hours", "calls"),
    [(None, 0, 1), ("gipf-1.{}", 23, 0), ("gipf-1.{}", 24, 1), ("gipf-1.{}.x.part", 1, 1), ("last-failure", 1, 1)],
)
def test_the_container_backs_up_once_a_day(
    ending: str, there: str | None, hours: int, calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks each hour, so it makes up for what has failed, and a container that is often made anew adds none."""
    (tmp_path / "backups").mkdir()
    if there:
        file = tmp_path / "backups" / there.format(ending)
        file.touch()
        os.utime(file, (time.time() - hours * 3600,) * 2)
    for name, script in {"python": 'echo "$@" >> called', "sleep": 'echo "$@" > slept; kill $PPID'}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    command = [word.replace("$$", "$") for word in backup_services()[ending]["command"]]
    path = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(command, cwd=tmp_path, env={"PATH": path}, check=False, timeout=60)
    called = (tmp_path / "called").read_text().splitlines() if (tmp_path / "called").exists() else []
    assert called == ["bot.py backup --to backups --keep 14"] * calls
    assert (tmp_path / "slept").read_text() == "3600\n"


@pytest.mark.parametrize("ending", ["sqlite3", "dump"])
def test_the_container_that_backs_up_is_as_closed_as_the_bot(ending: str) -> None:
    """Only this container may write backups; the bot and the doctor look how old they are."""
    backup, alone = backup_services()[ending], read_service()
    same = "read_only", "user", "cap_drop", "security_opt", "mem_limit", "logging", "init", "restart", "image"
    if ending == "dump":
        alone = read_services()["gipfbot-0"]
    assert {key: backup[key] for key in same} == {key: alone[key] for key in same}
    assert backup["healthcheck"] == {"disable": True}, "that of the image asks for the heartbeat of a bot"
    assert "gipf-backups:/app/backups" in backup["volumes"]
    assert "gipf-backups:/app/backups:ro" in alone["volumes"]
    assert alone["environment"]["GIPFBOT_BACKUPS"] == "backups"


def test_image_brings_pg_dump_if_it_is_asked_for() -> None:
    """In the version of the server, which Debian may not have. A new volume for backups belongs to the bot."""
    final = read_dockerfile()[-1]
    assert "POSTGRES_CLIENT=" in values(final, "ARG")
    install, folders, *_ = values(final, "RUN")
    assert '"postgresql-client-${POSTGRES_CLIENT}"' in install
    assert shlex.split(folders)[-2:] == ["data", "backups"]
    services = read_services()
    version = services["gipfbot-0"]["build"]["args"]["POSTGRES_CLIENT"]
    assert services["postgres"]["image"].startswith(f"postgres:{version}.")


# ── Several processes on PostgreSQL ──


def read_services() -> dict[str, dict[str, Any]]:
    """Return all services of the compose file with PostgreSQL."""
    text = COMPOSE.with_name("compose-postgres.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)["services"]
    return found


def test_the_processes_on_postgresql_have_all_shards_once() -> None:
    services = read_services()
    named = [parse_shards(bot["environment"]["GIPFBOT_SHARDS"]) for name, bot in services.items() if "gipfbot-" in name]
    assert {each.count for each in named if each} == {8}
    assert [shard for each in named if each for shard in each.ids] == [*range(8)]


def test_the_processes_on_postgresql_are_as_closed_as_the_one_on_sqlite() -> None:
    alone, services = read_service(), read_services()
    same = (
        "read_only",
        "user",
        "cap_drop",
        "security_opt",
        "mem_limit",
        "healthcheck",
        "logging",
        "stop_grace_period",
        "init",
    )
    volumes = set[str]()
    for name in ("gipfbot-0", "gipfbot-1"):
        assert {key: services[name][key] for key in same} == {key: alone[key] for key in same}
        volumes |= {*services[name]["volumes"]}
    assert volumes == {"gipf-process-0:/app/data", "gipf-process-1:/app/data", "gipf-backups:/app/backups:ro"}
