"""The file that counts the runs of the bot that have failed since it last ran well. It lies beside the heartbeat."""

import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gipfbot.store.database_file import file_beside, write_in_place

ENDING = ".failed"  # of the file's name
LONGEST = 300  # characters of the sentence


class FailedRuns(NamedTuple):
    """How many runs have failed since `since`, in UTC seconds, and the exit code and the sentence of the last."""

    number: int
    since: int
    code: int
    said: str


def read_failed_runs(heartbeat: Path) -> FailedRuns | None:
    """Return what the file counts; None if there is none, or if it makes no sense."""
    with suppress(OSError, ValueError, TypeError):
        number, since, code, said = json.loads(file_beside(heartbeat, ENDING).read_bytes())
        return FailedRuns(int(number), int(since), int(code), str(said))
    return None


def note_failed_run(heartbeat: Path, code: int, said: str, now: int) -> None:
    """Count one more run that has failed. Does nothing if the file cannot be written."""
    known = read_failed_runs(heartbeat)
    runs = FailedRuns(known.number + 1 if known else 1, known.since if known else now, code, said[:LONGEST])
    write_in_place(file_beside(heartbeat, ENDING), json.dumps(runs, ensure_ascii=False))


def take_failed_runs(heartbeat: Path) -> FailedRuns | None:
    """Return what the file counts, and delete it: the bot runs well."""
    runs = read_failed_runs(heartbeat)
    file_beside(heartbeat, ENDING).unlink(missing_ok=True)
    return runs
