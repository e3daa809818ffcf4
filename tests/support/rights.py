"""Modes of files that bind root, too, and files that root gives away. So tests of both mean the same for every user."""

import os
from pathlib import Path
from typing import Any

import pytest

# Code with which a process gives up the right of root to read and write every file. Others do not have that right.
OBEY_MODES = """
import ctypes, os
if os.geteuid() == 0:
    libc, header, rights = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, rights) == 0
    for place in range(2):  # those in use, and those that it may use
        rights[place] &= ~0b110
    assert libc.capset(header, rights) == 0
"""
OTHER = 54321  # a user and a group without a name


class Given:
    """Notes to whom files are given by a bot that root runs. If root runs the test, they are."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.owners = dict[str, tuple[int, int]]()  # by the name of the file
        self._chown, self._is_root = os.chown, os.geteuid() == 0
        patch.setattr(os, "geteuid", lambda: 0)
        patch.setattr(os, "chown", self._note)

    def _note(self, path: Path, user: int, group: int, **options: Any) -> None:
        assert options == {"follow_symlinks": False}
        self.owners[path.name] = user, group
        if self._is_root:
            self._chown(path, user, group, **options)

    def change_owner(self, path: Path) -> tuple[int, int]:
        """Give a file to another user, if root runs the test. Return its owner."""
        if self._is_root:
            self._chown(path, OTHER, OTHER)
        found = path.stat()
        return found.st_uid, found.st_gid
