"""Measure the real process under load: many turns a second, in a database of a million games.

`tests/process/load.py` does it in a process of its own, with a stand-in for Discord and its people.
"""

import json
import subprocess
import sys
from collections.abc import Iterator

from .figures import Counts, Figure

# The figures of the program with their units, and the most that each may be. It prints the rest of what it finds.
LIMITS: dict[str, tuple[str, float | None]] = {
    "start": ("s", 2.5),
    "acknowledged_p99": ("ms", None),
    "acknowledged_of_idle": ("times", 10),
    "behind": ("s", 2),
    "lost": ("turns", 0),
    "refused": ("requests", 0),
    "memory": ("MiB", 200),
    "memory_of_start": ("times", 1.3),
    "turn": ("yards", None),
    "saturated": ("boards a yard", None),
    "most_rate": ("turns/s", None),
}


def load_figures(counts: Counts) -> Iterator[Figure]:
    """Yield how long people wait at 24 turns a second, the memory, and the rate at which they wait too long.

    Raises subprocess.CalledProcessError if the program fails. Its own lines go to the standard error.
    """
    size = f"--running={counts.running}", f"--ended={counts.many}", f"--seconds={counts.loaded}"
    command = (sys.executable, "-m", "tests.process.load", *size)
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
    for name, (unit, most) in LIMITS.items():
        yield Figure(f"load.{name}", float(found[name]), unit, at_most=most)
