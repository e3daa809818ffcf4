"""What keeps the open database from being read or written: told once to the log, and to those who ask."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from gipfbot.values import DatabaseTrouble, Trouble

log = logging.getLogger(__name__)
WHAT_HAPPENS = {
    Trouble.FULL: "The bot goes on, and saves again as soon as there is room: make some.",
    Trouble.READ_ONLY: "The bot goes on, and saves again as soon as the file and its folder can be written.",
    Trouble.LOCKED: "The bot goes on, and saves again as soon as that program, which may copy or show it, is done.",
    Trouble.DAMAGED: "Stop the bot, keep the database, and restore a backup that `bot.py check` finds sound.",
    Trouble.BUSY: "The bot goes on, and saves again as soon as one is free: look at what keeps the database busy.",
    Trouble.UNREACHABLE: "The bot goes on, and saves again as soon as the server answers: look at it.",
    Trouble.NO_WRITES: "The bot goes on, and saves again as soon as the server takes writes.",
    Trouble.FAILING: "The bot goes on as well as it can: look at the disk.",
}
LASTING = (Trouble.DAMAGED,)  # what a later success does not disprove


class Troubles:
    """The trouble of one database. `current` is None while all is well.

    A trouble is logged when it begins and when it is over, however often it is met in between. Nothing is noted while
    the database is being opened: then the trouble ends the program with a sentence.
    """

    def __init__(self, database: str) -> None:
        self.database = database
        self.current: Trouble | None = None
        self.is_opening = False
        self.count, self.last_said = 0, ""  # statements that failed since the start, and why the last did

    def note(self, trouble: Trouble, error: BaseException) -> None:
        """Note that a statement has failed for this reason."""
        if self.is_opening:
            return
        self.count, self.last_said = self.count + 1, trouble.value
        if self.current not in (trouble, *LASTING):
            self.current = trouble
            said = str(error).partition("\n")[0] or type(error).__name__  # the other lines are hints
            why = f"{trouble.value} ({said})"
            log.error("%s cannot be used: %s. %s", self.database, why, WHAT_HAPPENS[trouble])

    def note_saved(self) -> None:
        """Note that something was saved."""
        if self.current is not None and self.current not in LASTING:
            self.current = None
            log.warning("%s can be used again", self.database)


_OPEN = WeakValueDictionary[str, Troubles]()  # by the name of the database


def troubles_of(name: str) -> Troubles:
    """Return the troubles of the database with this name. All that is open on one database shares them."""
    found = _OPEN.get(name)
    if found is None:
        found = _OPEN[name] = Troubles(name)
    return found


@contextmanager
def opening(name: str) -> Iterator[None]:
    """Note no troubles while a database is opened, or by a command: they end the program with a sentence."""
    troubles = troubles_of(name)
    before, troubles.is_opening = troubles.is_opening, True
    try:
        yield
    finally:
        troubles.is_opening = before


def noted_trouble(name: str, trouble: Trouble | None, error: BaseException) -> DatabaseTrouble | None:
    """Note the trouble behind an error of a database, and return it. None if the error has another reason."""
    if trouble is None:
        return None
    troubles_of(name).note(trouble, error)
    return DatabaseTrouble(trouble, name)
