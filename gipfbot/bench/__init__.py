"""`python bot.py bench`: how fast everything is on this machine, and whether that is fast enough.

One module measures one group of figures and says how. Every limit means the same on every machine. What takes time is
limited by a ratio to something measured in the same run, most often the yardstick. Figures in ms, seconds and games a
second are for people and have no limit. Limits in KiB and MiB are absolute, as sizes do not depend on the speed.

What uses one thread and no file is measured in processor time, the rest by the clock on the wall: what else the machine
does then counts too.
"""

from .command import run_bench

__all__ = ["run_bench"]
