"""How a restored database is recognised, and what is known of the time that is lost."""

from dataclasses import dataclass

from gipfbot.store.life_file import CopyNote, Forgotten, LifeFile
from gipfbot.store.lives import Life

UNSEEN_IDS = 1000  # ids of a table that may be given out between two writings of the life file


@dataclass(frozen=True)
class Evidence:
    """What the start finds: the database's own life, its life file, and a note if the database is a copy."""

    life: Life | None
    file: LifeFile | None
    note: CopyNote | None
    has_lost_file: bool = False  # whether this process had a life file in this life, and no other runs
    # The lives of which the database knows that they have ended while this process may have been away.
    former_lives: frozenset[str] = frozenset()

    def shows_restore(self, here: dict[str, int]) -> bool:
        """Return whether the database is older than what this bot has last written.

        `here` are the last ids that the database has given out, by table. Without a life and a life file, it was never
        used by a version that knows of lives. A life whose file is gone came from elsewhere, without the file. But with
        several processes, each has a file of its own. This one may be new, or may have missed a restore that another
        has noticed.
        """
        if self.note or self.life is None:
            return bool(self.note or self.file)
        if self.file is None:
            return self.has_lost_file and self.life.instead_of != ""
        if self.file.life in self.former_lives:
            return False
        if self.file.life != self.life.token:
            return self.life.instead_of != self.file.life
        is_behind = any(last > here.get(table, 0) for table, last in self.file.sequences.items())
        return self.file.beats > self.life.beats or is_behind

    @property
    def ended_lives(self) -> set[str]:
        """The tokens of the lives that a restore ends."""
        return {token for token in (self.life and self.life.token, self.file and self.file.life) if token}

    @property
    def known_ids(self) -> dict[str, int] | None:
        """The last ids that were given out in the lost time, by table; None if nobody knows."""
        known = [each.sequences for each in (self.file, self.note) if each and each.sequences]
        tables = {table for each in known for table in each}
        return {table: max(each.get(table, 0) for each in known) for table in tables} if known else None

    @property
    def unseen_ids(self) -> int:
        """How many ids of a table may have been given out besides the known ones."""
        is_exact = (self.note and self.note.sequences) or (self.file and self.file.is_final)
        return 0 if is_exact else UNSEEN_IDS

    @property
    def asked_deletions(self) -> set[Forgotten]:
        """Who has asked for the deletion of their data, as far as it is known outside the database."""
        return {asked for each in (self.file, self.note) if each for asked in each.deleted}

    def last_moment(self, alive_at: int) -> int:
        """Return the last moment that the restored database knows. `alive_at` is its last sign of life."""
        copied_at = self.note.copied_at if self.note else None
        return copied_at or max(alive_at, self.life.alive_at if self.life else 0)
