"""The demo as a process of its own."""

import subprocess
import sys
from typing import NamedTuple

DEMO = [sys.executable, "bot.py", "demo", "--no-browser"]
HANGS_AFTER = 300  # seconds; only a run that hangs takes as long


class Demo(NamedTuple):
    """A running demo and the address of its page."""

    process: "subprocess.Popen[str]"
    address: str

    def told(self, signal: int) -> int:
        """Send the demo a signal; return its exit code."""
        self.process.send_signal(signal)
        return self.ended()

    def ended(self) -> int:
        """Wait until the demo has ended; return its exit code."""
        return self.process.wait(HANGS_AFTER)
