"""Programs in place of those that a test cannot have: `sudo`, `systemctl`, `systemd-run`, `docker` and a few more.

Each is started under its own name, and does what the real one would do with the files, in the folder of the variable
`MACHINE`. What runs in the bot's place opens the database with the settings that the real one would get. `machine.log`
has a line for each call.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(os.environ.get("MACHINE", "/nowhere"))
RUNNING = ROOT / "running"  # a file for each service or container that runs
UNITS = ROOT / "etc" / "systemd" / "system"
SERVER = os.environ.get("PGHOST", "")


def read_settings(file: str | Path) -> dict[str, str]:
    """Return the variables in a file of settings."""
    from dotenv import dotenv_values  # most programs begin sooner without

    return {name: value or "" for name, value in dotenv_values(file).items()}


def refuse(why: str) -> int:
    """Complain as a program does. Return its exit code."""
    sys.stderr.write(f"{why}\n")
    return 1


def sudo(*words: str) -> int:
    """Run a command as the user who is asked for: here, always the same one."""
    if words[0] == "-u":
        words = words[2:]
    return subprocess.run([word for word in words if word != "--"], check=False).returncode


def edit(*files: str) -> int:
    """Write what the test has prepared for a file of this name behind what stands in it."""
    for file in map(Path, files):
        with file.open("a", encoding="utf-8") as opened:
            opened.write((ROOT / "edits" / file.name).read_text(encoding="utf-8"))
    return 0


def identify(*words: str) -> int:
    """Say who runs this: root. A user who was not made is not known."""
    if len(words) > 1 and not (ROOT / words[-1]).exists():
        return refuse("no such user")
    sys.stdout.write("0\n")
    return 0


def add_user(*words: str) -> int:
    """Make a user, once."""
    user = ROOT / words[-1]
    if user.exists():
        return refuse(f"user {user.name} already exists")
    user.touch()
    return 0


def python(*words: str) -> int:
    """Make a venv whose pip installs nothing, and whose `gipfbot` is this checkout."""
    if words[:2] != ("-m", "venv"):
        return subprocess.run([sys.executable, *words], check=False).returncode
    programs = Path(words[-1]) / "bin"
    shutil.rmtree(programs, ignore_errors=True)
    programs.mkdir(parents=True)
    for name, script in {
        "python": f'test "$1 $2" = "-m pip" && exec true\nexec {sys.executable} "$@"',
        "pip": f'echo pip "$@" >> {ROOT}/machine.log',
        "gipfbot": f'exec {sys.executable} {os.environ["CHECKOUT"]}/bot.py "$@"',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    return 0


def uv(*words: str) -> int:
    """Install the command `gipfbot`, or a newer one."""
    if words[0] != "tool" or words[1] not in ("install", "upgrade"):
        return refuse(f"unrecognized subcommand {words[:2]}")
    program = ROOT / "usr" / "local" / "bin" / "gipfbot"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {os.environ["CHECKOUT"]}/bot.py "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return 0


# ── systemd ──


def systemctl(verb: str, *words: str) -> int:
    """Start, stop and enable units that are installed."""
    names = [word for word in words if not word.startswith("--")]
    if verb == "show":
        sys.stdout.write(f"StatusText={'healthy' if (RUNNING / names[0]).exists() else ''}\n")
        return 0
    for name in names if verb != "daemon-reload" else []:
        template = re.sub(r"@.*", "@", name)
        unit = UNITS / (template if "." in template else f"{template}.service")
        if not unit.exists():
            return refuse(f"Unit {name} not found.")
        if verb == "stop":
            (RUNNING / name).unlink()
        if verb in ("start", "restart", "enable") and unit.suffix == ".service" and (code := _start(name, unit)):
            return code
    return 0


def _start(name: str, unit: Path) -> int:
    text = unit.read_text(encoding="utf-8").replace("%i", name.partition("@")[2])
    told = [line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#")]
    environment = _environment(told)
    (command,) = [value for key, value in told if key == "ExecStart"]
    folder = dict(told)["WorkingDirectory"]
    if ["Type", "oneshot"] in told:
        words = [word.replace("${GIPFBOT_BACKUPS}", environment["GIPFBOT_BACKUPS"]) for word in shlex.split(command)]
        return subprocess.run(words, cwd=folder, env=environment, check=False).returncode
    return run_bot(name, folder, environment)


def run_bot(name: str, folder: str | Path, environment: dict[str, str]) -> int:
    """Open the database as the bot would. From then on, the bot counts as running."""
    opening, mark = [sys.executable, __file__, "open"], RUNNING / name
    if mark.exists():  # an update has restarted it
        return 0
    RUNNING.mkdir(exist_ok=True)
    mark.touch()
    return subprocess.run(opening, cwd=folder, env=environment, check=False).returncode


def _environment(told: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return what a unit gives to its process. The files win, as in systemd. Makes the unit's folders."""
    found = {
        name: os.environ[name] for name in ("PATH", "MACHINE", "CHECKOUT", "PGHOST", "PGUSER") if name in os.environ
    }
    for key, value in told:
        if key == "StateDirectory":
            for folder in value.split():
                (ROOT / "var" / "lib" / folder).mkdir(parents=True, exist_ok=True)
        if key == "Environment":
            found |= dict(part.split("=", 1) for part in shlex.split(value))
    for file in [value for key, value in told if key == "EnvironmentFile"]:
        found |= read_settings(file)
    return found


def systemd_run(*words: str) -> int:
    """Run a command with the properties of a unit."""
    told = [word.removeprefix("--property=").split("=", 1) for word in words if word.startswith("--property=")]
    begin = next(index for index, word in enumerate(words) if not word.startswith("--"))
    environment, folder = _environment(told), dict(told)["WorkingDirectory"]
    return subprocess.run(words[begin:], cwd=folder, env=environment, check=False).returncode


# ── docker ──


def docker(*words: str) -> int:
    """Do with the compose file of `.env` what the plugin would do. A container is a folder with links."""
    if words[0] in ("build", "run"):
        return 0
    _, verb, *rest = words
    import yaml  # type: ignore[import-untyped]

    settings = read_settings(".env")
    file = Path(settings["COMPOSE_FILE"])
    services = yaml.safe_load(file.read_text(encoding="utf-8"))["services"]
    flags, given = [word for word in rest if word.startswith("-")], [word for word in rest if not word.startswith("-")]
    if verb in ("exec", "run"):
        name, *command = rest[rest.index(given[0]) :]
        if verb == "exec" and not (RUNNING / name).exists():
            return refuse(f'service "{name}" is not running')
        return _in_container(file, name, services[name], settings, command)
    if verb == "cp":
        name, _, path = given[0].partition(":")
        shutil.copytree(_folder(name, services[name]) / Path(path).name, Path(given[1]) / Path(path).name)
        return 0
    if verb in ("up", "start", "stop"):
        for name in given or services:
            if verb == "stop":
                (RUNNING / name).unlink()
            elif code := _up(file, name, services[name], settings):
                return code
    return 0 if verb in ("up", "start", "stop", "ps", "logs") else refuse(f"unknown docker command: {verb} {flags}")


def _up(file: Path, name: str, service: dict[str, object], settings: dict[str, str]) -> int:
    command = service.get("command")
    if name.startswith("gipfbot"):
        return run_bot(name, _folder(name, service), _container_environment(file, service, settings))
    RUNNING.mkdir(exist_ok=True)
    (RUNNING / name).touch()
    assert command, "the bot's own image runs the bot"
    return 0


def _folder(name: str, service: dict[str, object]) -> Path:
    """Return the folder that stands for the one of the image, with links to the program and to the volumes."""
    folder = ROOT / "containers" / name
    folder.mkdir(parents=True, exist_ok=True)
    links = {each: Path(os.environ["CHECKOUT"]) / each for each in ("bot.py", "gipfbot", "render", "requirements.txt")}
    volumes = [str(each).split(":") for each in service.get("volumes", ())]  # type: ignore[attr-defined]
    links |= {Path(place).name: ROOT / "volumes" / volume for volume, place, *_ in volumes if place.startswith("/app/")}
    for link, target in links.items():
        if not (folder / link).exists():
            target.mkdir(parents=True, exist_ok=True) if "volumes" in str(target) else None
            (folder / link).symlink_to(target)
    return folder


def _container_environment(file: Path, service: dict[str, object], settings: dict[str, str]) -> dict[str, str]:
    """Return the variables of a container. The name of the server leads to that of the test."""
    given = {
        name: os.environ[name] for name in ("PATH", "MACHINE", "CHECKOUT", "PGHOST", "PGUSER") if name in os.environ
    }
    given |= read_settings(file.parent / str(service["env_file"]))
    for name, value in dict(service.get("environment", {})).items():  # type: ignore[call-overload]
        text = re.sub(r"\$\{(\w+):\?.*?\}", lambda found: settings[found[1]], str(value))
        given[name] = re.sub(r":\w+@postgres/gipf$", f"@/gipf?host={SERVER}", text)
    return given


def _in_container(
    file: Path, name: str, service: dict[str, object], settings: dict[str, str], command: list[str]
) -> int:
    words = [sys.executable if word == "python" else word for word in command]
    environment = _container_environment(file, service, settings)
    return subprocess.run(words, cwd=_folder(name, service), env=environment, check=False).returncode


# ── All of them ──


async def _open() -> None:
    from gipfbot.settings import load_settings  # only here: the other programs begin sooner without
    from gipfbot.store import Store

    settings = load_settings()
    store = await Store.open_database(settings.database_url, settings.heartbeat, shards=settings.shards)
    await store.close()


def open_database() -> int:
    """Open the database with the settings of this process."""
    import asyncio

    asyncio.run(_open())
    return 0


def nothing(*_: str) -> int:
    """Do nothing, as those who only show something, or ask for a password."""
    return 0


PROGRAMS: dict[str, Callable[..., int]] = {
    "sudo": sudo,
    **dict.fromkeys(("sudoedit", "nano"), edit),
    "id": identify,
    "useradd": add_user,
    "python3": python,
    "uv": uv,
    "systemctl": systemctl,
    "systemd-run": systemd_run,
    "docker": docker,
    **dict.fromkeys(("journalctl", "createuser", "sleep"), nothing),
    "open": open_database,
}


def install(folder: Path) -> Iterator[Path]:
    """Put the programs into a folder. Yield each."""
    for name in PROGRAMS:
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} {name} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        yield program


if __name__ == "__main__":
    sys.path.insert(0, os.environ["CHECKOUT"])
    called, *arguments = sys.argv[1:]
    with (ROOT / "machine.log").open("a", encoding="utf-8") as log:
        log.write(f"{shlex.join([called, *arguments])}\n")
    sys.exit(PROGRAMS[called](*arguments))
