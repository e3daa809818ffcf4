"""The demo as a process of its own."""

import subprocess
import sys
from typing import NamedTuple

DEMO = [sys.executable, "bot.py", "demo", "--no-browser"]
HANGS_AFTER = 300  # seconds; only a run that hangs takes so long


class Demo(NamedTuple):
    """The demo as it runs, and the address of its page."""

    process: "subprocess.Popen[str]"
    address: str

    def told(self, signal: int) -> int:
        """Send it a signal; return the exit code."""
        self.process.send_signal(signal)
        return self.ended()

    def ended(self) -> int:
        """Wait until it has ended; return the exit code."""
        return self.process.wait(HANGS_AFTER)
