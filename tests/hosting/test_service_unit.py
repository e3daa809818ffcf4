"""The systemd unit: systemd takes every line of it, and its sandbox leaves open what the bot needs and no more."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from gipfbot import doctor
from gipfbot.app import UNEXPECTED
from gipfbot.installation import SERVICE_COMMAND
from gipfbot.tools.commands import BAD_USE
from gipfbot.values import (
    ForeignDatabase,
    InUse,
    NoRoom,
    NoWrites,
    Outdated,
    ShardsTaken,
    TooOld,
    Unreachable,
    Unusable,
    WrongShards,
)
from gipfbot.watchdog import HANGS, LOOK_SECONDS, MOST_MISSED
from tests.support.paths import HOUSE

HOSTING = HOUSE / "docs" / "hosting"
UNIT, TEMPLATE = HOSTING / "gipfbot.service", HOSTING / "gipfbot@.service"
BACKUP, TIMER = HOSTING / "gipfbot-backup.service", HOSTING / "gipfbot-backup.timer"
PYTHON = "/opt/gipfbot/.venv-run/bin/python"
ON = {
    *("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectClock", "ProtectControlGroups"),
    *("ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "RestrictSUIDSGID"),
    *("RestrictNamespaces", "RestrictRealtime", "LockPersonality", "MemoryDenyWriteExecute", "RemoveIPC"),
}


def read_unit(unit: Path = UNIT) -> dict[str, list[str]]:
    """Return the values of each setting, in order. The names of sections are left out."""
    found = defaultdict[str, list[str]](list)
    for line in unit.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            found[name].append(value)
    return found


def verify(unit: Path) -> str:
    """Return all that systemd says about a unit."""
    if shutil.which("systemd-analyze") is None and not os.environ.get("CI"):
        pytest.skip("there is no systemd-analyze (Debian and Ubuntu: the package systemd)")
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.stdout + done.stderr + (f"exit code {done.returncode}" if done.returncode else "")


@pytest.mark.parametrize("original", [UNIT, TEMPLATE, BACKUP], ids=lambda path: path.name)
def test_systemd_has_nothing_to_say_against_the_unit(original: Path, tmp_path: Path) -> None:
    """Only its Python is another one, which is there on this machine."""
    unit = tmp_path / original.name.replace("@", "@0")
    unit.write_text(original.read_text(encoding="utf-8").replace(PYTHON, sys.executable), encoding="utf-8")
    assert verify(unit) == ""


def test_systemd_reports_a_setting_that_it_does_not_know(tmp_path: Path) -> None:
    """It only warns of them, with exit code 0, so that what it says is what counts."""
    unit = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8").replace(PYTHON, sys.executable)
    unit.write_text(text.replace("ProtectSystem=", "ProtectSytem="), encoding="utf-8")
    assert "Unknown key" in verify(unit)


def test_unit_runs_the_bot_with_its_own_venv_and_user() -> None:
    unit = read_unit()
    assert unit["ExecStart"] == [f"{PYTHON} bot.py"]
    assert unit["User"] == unit["Group"] == unit["StateDirectory"] == ["gipfbot"]
    assert unit["WorkingDirectory"] == ["/opt/gipfbot"]
    settings = dict(each.split("=", 1) for line in unit["Environment"] for each in shlex.split(line))
    state = "/var/lib/gipfbot"
    assert settings["GIPFBOT_DATABASE_URL"] == f"sqlite+aiosqlite:///{state}/gipf.sqlite3"
    assert settings["GIPFBOT_HEARTBEAT"].startswith(f"{state}/")
    assert not any("TOKEN" in name for name in settings), "the token is in a file that only root reads"


def test_unit_writes_to_its_state_only() -> None:
    unit = read_unit()
    assert unit["ProtectSystem"] == ["strict"]
    assert (unit["StateDirectoryMode"], unit["UMask"]) == (["0700"], ["0077"])
    assert "ReadWritePaths" not in unit


def test_unit_takes_all_other_rights_away() -> None:
    unit = read_unit()
    assert {name for name in ON if unit[name] == ["yes"]} == ON
    assert unit["CapabilityBoundingSet"] == unit["AmbientCapabilities"] == [""]
    assert unit["SystemCallFilter"] == ["@system-service", "~@privileged @resources", "setpriority"]
    assert unit["RestrictAddressFamilies"] == ["AF_INET AF_INET6 AF_UNIX"]
    assert (unit["MemoryMax"], unit["OOMPolicy"]) == (["512M"], ["continue"])


def test_unit_starts_again_unless_that_is_no_use() -> None:
    """What needs a hand: wrong settings, a database that cannot be used, a wrong server, no such shards."""
    unit = read_unit()
    assert unit["Restart"] == ["on-failure"]
    needs_a_hand = {BAD_USE, *(kind.exit_code for kind in (Unusable, TooOld, ForeignDatabase, WrongShards))}
    assert [*map(int, unit["RestartPreventExitStatus"][0].split())] == sorted(needs_a_hand)
    waiting_helps = InUse, NoRoom, Unreachable, NoWrites, ShardsTaken, Outdated
    assert not needs_a_hand & {UNEXPECTED, HANGS, *(kind.exit_code for kind in waiting_helps)}
    assert unit["RestartSec"] == ["30"]
    assert unit["StartLimitIntervalSec"] == ["0"], "an outage of Discord may last"
    assert (unit["KillSignal"], unit["TimeoutStopSec"]) == (["SIGTERM"], ["20"])


def test_unit_waits_for_a_start_and_not_for_a_loop_that_hangs() -> None:
    """The bot ends itself before systemd does: it can say where it hangs."""
    unit = read_unit()
    assert (unit["Type"], unit["TimeoutStartSec"]) == (["notify"], ["infinity"])
    assert int(unit["WatchdogSec"][0]) > LOOK_SECONDS * (MOST_MISSED + 2)


def test_the_unit_of_several_processes_differs_only_in_its_places() -> None:
    """Each process has its own state, and its own settings beside the common ones. Those name the database."""
    one, several = read_unit(), read_unit(TEMPLATE)
    different = {name for name in one.keys() | several.keys() if one[name] != several[name]}
    assert different == {"Description", "EnvironmentFile", "Environment", "StateDirectory"}
    assert several["EnvironmentFile"] == ["/etc/gipfbot.env", "/etc/gipfbot-%i.env"]
    assert several["StateDirectory"] == ["gipfbot-%i"]
    heartbeat = "GIPFBOT_HEARTBEAT=/var/lib/gipfbot/heartbeat"
    assert [line.replace("gipfbot-%i", "gipfbot") for line in several["Environment"]] == one["Environment"][1:]
    assert heartbeat in one["Environment"]
    assert heartbeat not in several["Environment"]


# ── Backups ──


def test_systemd_has_nothing_to_say_against_the_timer(tmp_path: Path) -> None:
    """It starts the unit of the same name each day, and makes up for what was missed."""
    for unit in (BACKUP, TIMER):
        (tmp_path / unit.name).write_text(unit.read_text(encoding="utf-8").replace(PYTHON, sys.executable))
    assert verify(tmp_path / TIMER.name) == ""
    timer = read_unit(TIMER)
    assert (timer["OnCalendar"], timer["Persistent"], timer["WantedBy"]) == (["daily"], ["yes"], ["timers.target"])


def test_the_backup_runs_as_the_bot_and_writes_to_two_folders() -> None:
    """Its sandbox is that of the bot, but for what concerns a service that stays."""
    unit, backup = read_unit(), read_unit(BACKUP)
    assert backup["ExecStart"] == [f"{PYTHON} bot.py backup --to ${{GIPFBOT_BACKUPS}} --keep 14"]
    assert backup["StateDirectory"] == ["gipfbot gipfbot/backups"]
    assert {*backup["Environment"]} < {*unit["Environment"]}
    stays = {"Restart", "RestartSec", "RestartPreventExitStatus", "KillSignal", "TimeoutStopSec", "TimeoutStartSec"}
    stays |= {"WatchdogSec", "RemoveIPC", "OOMPolicy", "StartLimitIntervalSec", "WantedBy"}
    own = {"Description", "After", "Type", "Environment", "ExecStart", "StateDirectory", "Nice", "IOSchedulingClass"}
    assert {name for name in unit.keys() | backup.keys() if unit[name] != backup[name]} - stays == own


# ── The command of the host ──


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the command, with programs in place of systemd-run, sudo and id that say how they were called."""
    (tmp_path / "systemd-run").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n')
    (tmp_path / "sudo").write_text('#!/bin/sh\nprintf "%s\\n" sudo "$@"\n')
    (tmp_path / "id").write_text("#!/bin/sh\necho ${USER_NUMBER:-0}\n")
    for path in tmp_path.iterdir():
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return HOSTING / "gipfbot"


def test_the_command_of_the_host_runs_with_the_settings_of_the_service(command: Path) -> None:
    """Systemd reads the file with the token, which only root may read. The code of the command is handed on."""
    done = subprocess.run([command, "restore", "a b.sqlite3"], capture_output=True, text=True, check=False)
    assert done.returncode == 7
    given = done.stdout.splitlines()
    assert given[-4:] == [PYTHON, "/opt/gipfbot/bot.py", "restore", "a b.sqlite3"]
    assert {"--pipe", "--wait", "--collect", "--quiet"} < {*given}
    told, unit = defaultdict[str, list[str]](list), read_unit()
    for name, value in (each.removeprefix("--property=").split("=", 1) for each in given if each.startswith("--prop")):
        told[name].append(value)
    assert {name: told[name] for name in ("User", "Group", "UMask", "EnvironmentFile")} == {
        name: unit[name] for name in ("User", "Group", "UMask", "EnvironmentFile")
    }
    assert told["StateDirectory"] == read_unit(BACKUP)["StateDirectory"], "it may back up before the timer does"
    assert told["WorkingDirectory"] == ["/var/lib/gipfbot"], "what it writes without a folder is there"
    settings = [line for line in unit["Environment"] if line.startswith("GIPFBOT_")]
    named = f'"{SERVICE_COMMAND}=sudo gipfbot"'
    assert told["Environment"] == [*settings, "PYTHONDONTWRITEBYTECODE=1", named]
    assert named in unit["Environment"], "the sentences of the service name the same command"


def test_the_command_of_the_host_asks_for_its_rights(command: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER_NUMBER", "1000")
    done = subprocess.run([command, "doctor"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["sudo", "--", str(command), "doctor"]


def test_the_doctor_knows_what_the_guide_installs() -> None:
    """Each of these files is in docs/hosting, and `make service` copies it."""
    files = {path.name for path in HOSTING.iterdir() if path.name.startswith("gipfbot")}
    assert {*doctor.INSTALLED} == files
    makefile = (HOUSE / "Makefile").read_text(encoding="utf-8")
    rule = makefile.partition("\nservice:")[2].partition("\n\n")[0]
    assert [
        name for name in files if not re.search(rf"docs/hosting/(\S+ docs/hosting/)*{re.escape(name)} ", rule)
    ] == []
