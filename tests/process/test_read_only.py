"""A disk that is read-only, at the start and after an error of the file system while people play.

Rights do not bind root, and open files keep a mount from being made read-only. So these tests mount real file systems.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.standin import StandIn
from tests.support.mounts import NAMESPACE, WITHOUT, can_mount
from tests.support.paths import HOUSE
from tests.support.stores import database_url

from .running import HURRIED, Bot
from .table import Table

DISK_BYTES = 20_000_000
has_disks = os.geteuid() == 0 and Path("/dev/loop-control").exists() and shutil.which("mkfs.ext4") is not None


class Disk:
    """An ext4 file system in a file, which becomes read-only after an error, as that of many machines does.

    All goes through one device. One that `mount` makes lives on for a moment after the end, with what it remembers.
    """

    def __init__(self, folder: Path) -> None:
        image, self.path = folder / "disk.image", folder / "disk"
        self.path.mkdir()
        with image.open("wb") as file:
            file.truncate(DISK_BYTES)
        self.device = Path(_run("losetup", "--find", "--show", image).strip())
        _run("mkfs.ext4", "-q", "-F", self.device)
        self.mount()

    def mount(self) -> None:
        """Mount the file system."""
        _run("mount", "-o", "errors=remount-ro", self.device, self.path)

    def remove(self) -> None:
        """Unmount the file system, and free the device."""
        _run("umount", self.path)
        _run("losetup", "--detach", self.device)

    def sync(self) -> None:
        """Write to the disk what is only in memory, as happens by itself after some seconds."""
        _run("sync", "--file-system", self.path)

    def fail(self) -> None:
        """Let the file system find an error. Files that are open cannot be written any more, either."""
        Path(f"/sys/fs/ext4/{self.device.name}/trigger_fs_error").write_text("a test")

    def mend(self) -> None:
        """Repair the file system and mount it again."""
        _run("umount", self.path)
        repaired = subprocess.run(["e2fsck", "-f", "-y", self.device], check=False, capture_output=True, text=True)
        assert repaired.returncode <= 1, repaired.stdout  # 1: all faults are repaired
        self.mount()


def _run(*words: str | Path) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path)
    yield disk
    disk.remove()


@pytest.mark.skipif(not can_mount, reason=WITHOUT)
async def test_a_read_only_disk_at_the_start_is_one_sentence(bot: Bot) -> None:
    before = bot.database.read_bytes()
    folder = bot.folder / "disk"
    folder.mkdir()
    bot.database = bot.database.rename(folder / bot.database.name)
    mounted = f"mount --bind {folder} {folder}; mount -o remount,bind,ro {folder}"
    environment = {"PATH": os.environ["PATH"], **bot.settings, "GIPFBOT_DATABASE_URL": database_url(bot.database)}
    process = await asyncio.create_subprocess_exec(
        *(*NAMESPACE, "sh", "-ec", f"{mounted}; exec {sys.executable} {HOUSE / 'bot.py'}"),
        cwd=bot.folder,
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert said.decode().startswith(
        f"GIPFBOT_DATABASE_URL points into the folder {folder}, which cannot be written (Read-only"
    )
    assert (process.returncode, said.count(b"\n")) == (2, 1)
    assert bot.database.read_bytes() == before


@pytest.mark.skipif(not has_disks, reason="only root can make a disk, with mkfs.ext4 and a loop device")
async def test_a_disk_that_becomes_read_only_is_told(disk: Disk, bot: Bot, discord: StandIn, table: Table) -> None:
    """The turn is refused whole, and those before it are on the disk. The host repairs it, and the game goes on."""
    bot.database = Path(shutil.move(bot.database, disk.path))
    disk.sync()
    bot.settings["GIPFBOT_DATABASE_URL"] = database_url(bot.database)
    bot.expect("the file or its disk is read-only", "the end could not be noted")
    await bot.start(HURRIED)
    await table.play(3)
    disk.fail()
    refused = await (await table.send(4)).answered()
    assert "Nothing was saved" in refused.text
    assert len(bot.rows("SELECT text FROM turns")) == 3
    assert await bot.end() == 0
    disk.mend()
    assert len(bot.rows("SELECT text FROM turns")) == 3
    await bot.start(HURRIED)
    await table.play(4, 5)
