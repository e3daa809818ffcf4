"""Fold repeated faults: the first is logged at once, the others of the same hour are counted and said once."""

import logging
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

FOLD_SECONDS = 3600
MOST_FAULTS_KEPT = 10_000
FOLD_BY = "fold"  # an attribute of records, from `extra`: what else makes two faults the same


@dataclass
class _Fault:
    """A fault that was logged: its first record, when it was, and how many more there were since then."""

    first: logging.LogRecord
    text: str
    at: float
    more: int = 0


class Folding(logging.Filter):
    """Lets a warning or an error pass once in FOLD_SECONDS, and counts the others. All below a warning passes.

    `steady` returns the seconds of a clock that nobody can set.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._steady = steady
        self._faults = dict[Hashable, _Fault]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged now."""
        if record.levelno < logging.WARNING or getattr(record, "says_count", False):
            return True
        key, now = _fault_key(record), self._steady()
        known = self._faults.get(key)
        if known and now - known.at < FOLD_SECONDS:
            known.more += 1
            return False
        if known:
            self._say_count(self._faults.pop(key))
        if len(self._faults) >= MOST_FAULTS_KEPT:
            self.say_counts(everything=True)
        self._faults[key] = _Fault(_without_error(record), record.getMessage(), now)
        return True

    def say_counts(self, *, everything: bool = False) -> None:
        """Log how many more there were of each fault whose hour is over, or of `everything`."""
        now = self._steady()
        for key, fault in [*self._faults.items()]:
            if everything or now - fault.at >= FOLD_SECONDS:
                del self._faults[key]
                self._say_count(fault)

    def _say_count(self, fault: _Fault) -> None:
        if fault.more:
            text = f"{fault.text} … and {fault.more} more in the last hour"
            said = logging.makeLogRecord({**fault.first.__dict__, "msg": text, "args": (), "says_count": True})
            said.created = time.time()
            logging.getLogger(said.name).handle(said)


def _fault_key(record: logging.LogRecord) -> Hashable:
    """Return what two records of the same fault share.

    Errors of one kind at one place are the same fault, whatever they are about. Other records must say the same.
    """
    by = getattr(record, FOLD_BY, None)
    if by is not None:
        return record.name, record.msg, by
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return record.name, record.getMessage()
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return record.name, record.msg, type(error), (trace.tb_frame.f_code, trace.tb_lineno) if trace else None


def _without_error(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy that keeps neither the error nor the frames of its traceback in memory."""
    return logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})


def say_folded(*, everything: bool = False) -> None:
    """Log the counts of all folded faults whose hour is over; at the end of the program, of `everything`."""
    for handler in logging.getLogger().handlers:
        for each in handler.filters:
            if isinstance(each, Folding):
                each.say_counts(everything=everything)
