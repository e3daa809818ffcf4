"""The systemd unit: systemd takes every line of it, and its sandbox leaves open what the bot needs and no more."""

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from gipfbot.app import UNEXPECTED
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


@pytest.mark.parametrize("original", [UNIT, TEMPLATE], ids=lambda path: path.name)
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
    settings = dict(each.split("=", 1) for line in unit["Environment"] for each in line.split())
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
    assert unit["MemoryMax"] == ["512M"]


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
    places = {line for line in one["Environment"] if "/var/lib/gipfbot" in line}
    assert {line for line in several["Environment"] if "/var/lib/gipfbot" in line} == {
        line.replace("/gipfbot/", "/gipfbot-%i/") for line in places if "DATABASE" not in line and "BACKUPS" not in line
    }
