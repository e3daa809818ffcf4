"""A stand-in for `systemctl`, which starts the bot of a checkout as systemd does, and says what it hears.

`python systemctl.py FOLDER show --property=ActiveState gipfbot.service`. FOLDER has a file `UNIT.json` for each unit:
its properties, its `command`, its `environment` and the folder it runs in. A run that fails begins anew after half a
second.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

GIVES_UP = 2, 3, 7, 9, 10  # RestartPreventExitStatus of the unit
PAUSE, LOOK = 0.5, 0.02
FINAL = ("failed", "inactive")


class Unit:
    """A unit whose properties stand in a file."""

    def __init__(self, file: Path) -> None:
        self.file, self.told_to_stop = file, file.with_suffix(".stop")

    @property
    def known(self) -> dict[str, Any]:
        """The properties."""
        found: dict[str, Any] = json.loads(self.file.read_text())
        return found

    def note(self, **changed: Any) -> None:
        """Change properties in one step."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(self.known | changed))
        part.replace(self.file)

    def start(self) -> None:
        """Let a supervisor begin, and wait until the bot is ready or has failed."""
        self.note(ActiveState="activating", SubState="start", StatusText="")
        begun = [sys.executable, __file__, str(self.file.parent), "supervise", self.file.stem]
        subprocess.Popen(begun, start_new_session=True)
        while self.known["ActiveState"] == "activating" and self.known["SubState"] == "start":
            time.sleep(LOOK)

    def stop(self) -> None:
        """End the bot, and wait for that."""
        self.told_to_stop.touch()
        while self.known["ActiveState"] not in FINAL:
            time.sleep(LOOK)
        self.told_to_stop.unlink()
        self.note(ActiveState="inactive")

    def supervise(self) -> None:
        """Run the bot until it is told to stop or gives up."""
        code = self._run()
        while code not in (0, *GIVES_UP) and not self.told_to_stop.exists():
            self.note(ActiveState="activating", SubState="auto-restart")
            time.sleep(PAUSE)
            self.note(SubState="start", StatusText="")
            code = self._run()
        self.note(ActiveState="failed" if code in GIVES_UP else "inactive", SubState="dead")

    def _run(self) -> int:
        known, address = self.known, self.file.with_suffix(".socket")
        address.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard, self.file.with_suffix(".log").open("ab") as log:
            heard.bind(str(address))
            heard.settimeout(LOOK)
            environment = {**known["environment"], "NOTIFY_SOCKET": str(address)}
            where = known["WorkingDirectory"]
            bot = subprocess.Popen(known["command"], cwd=where, env=environment, stdout=log, stderr=log)
            self.note(MainPID=bot.pid)
            while True:
                is_over = bot.poll() is not None
                self._hear(heard)
                if is_over:
                    return bot.returncode
                if self.told_to_stop.exists():
                    bot.send_signal(signal.SIGTERM)
                    bot.wait()

    def _hear(self, listening: socket.socket) -> None:
        try:
            while True:
                said = listening.recv(4096).decode()
                if said.startswith("READY=1"):
                    self.note(ActiveState="active", SubState="running")
                elif said.startswith("STATUS="):
                    self.note(StatusText=said.removeprefix("STATUS="))
        except TimeoutError:
            return


def main(folder: Path, verb: str, *words: str) -> NoReturn:
    """Do what systemctl does."""
    options = [word for word in words if word.startswith("--")]
    names = [word.removesuffix(".service") for word in words if not word.startswith("--")]
    if verb == "list-units":
        units = [Unit(file) for name in names for file in sorted(folder.glob(f"{name}.json"))]
        for unit in units:
            if (state := unit.known["ActiveState"]) != "inactive":
                sys.stdout.write(f"{unit.file.stem}.service loaded {state} {unit.known['SubState']} GIPF\n")
    for name in names if verb != "list-units" else ():
        unit = Unit(folder / f"{name}.json")
        if verb == "show":
            for each in options[0].partition("=")[2].split(","):
                sys.stdout.write(f"{each}={unit.known.get(each, '')}\n")
        else:
            {"start": unit.start, "stop": unit.stop, "supervise": unit.supervise}[verb]()
    sys.exit(os.EX_OK)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
