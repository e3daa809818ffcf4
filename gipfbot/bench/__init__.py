"""`python bot.py bench`: how fast everything is on this machine, and whether that is fast enough.

One module measures one group of figures and says how. Limits that depend on the machine are ratios of figures of one
run. What uses one thread and no file is measured in processor time, the rest by the clock on the wall: what else the
machine does then counts too.
"""

from .command import run_bench

__all__ = ["run_bench"]
