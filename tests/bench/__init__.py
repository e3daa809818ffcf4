"""`python bot.py bench`: measure how fast everything is on this machine, and whether that is fast enough.

Each group of figures has a module, which says how they are measured. Every limit means the same on every machine. A
limit on time is a ratio to something measured in the same run, most often the yardstick: a fixed loop in plain Python.
Figures in ms, seconds and games a second are for people and have no limit. Limits in KiB and MiB are absolute, because
sizes do not depend on the speed.

Work in one thread without files is measured in processor time. All other work is measured in real time, which includes
delays by other programs.
"""

from .command import run_bench

__all__ = ["run_bench"]
