"""`make release`: check that version, changes and migrations agree, build what is published, and tag the commit.

`python -m tests.release --check` only checks. Nothing is pushed: the last lines say what to publish.
"""

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from tests.support.paths import HOUSE

MIGRATIONS, DATABASES = "gipfbot/store/migrations/versions", "tests/data/databases"


class Release(NamedTuple):
    """The release of a checkout's version."""

    house: Path

    @property
    def version(self) -> str:
        """The version that stands in the program."""
        (found,) = re.findall(r'^VERSION = "(\d+\.\d+\.\d+)"', self._read("gipfbot/installation.py"), re.MULTILINE)
        return str(found)

    @property
    def tag(self) -> str:
        """The name of the tag."""
        return f"v{self.version}"

    def _read(self, name: str) -> str:
        return (self.house / name).read_text(encoding="utf-8")

    def git(self, *words: str | Path) -> str:
        """Run git in the checkout and return what it says."""
        command = "git", "-C", self.house, *words
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def faults(self, today: date) -> Iterator[str]:
        """Yield a sentence for each thing that keeps this version from being released."""
        if self.git("status", "--porcelain"):
            yield "Some files are not committed: commit them, or remove them."
        if self.git("tag", "--list", self.tag):
            at = self.git("rev-parse", "--short", f"{self.tag}^{{commit}}")
            right = "raise VERSION in gipfbot/installation.py, and begin a section in CHANGELOG.md"
            yield f"The tag {self.tag} is there already, at {at}: {right}."
        wanted = f"## {self.version} - {today}"
        found = re.findall(r"^## .+$", self._read("CHANGELOG.md"), re.MULTILINE)
        if found[:1] != [wanted]:
            said = f"is `{found[0]}`" if found else "is missing"
            yield f"The newest heading of CHANGELOG.md {said}: it must be `{wanted}`, with the day of the release."
        yield from self._faults_of_migrations()

    def _faults_of_migrations(self) -> Iterator[str]:
        written = "\n".join(path.read_text(encoding="utf-8") for path in (self.house / MIGRATIONS).glob("*.py"))
        for number in sorted(re.findall(r'^revision = "(.+)"', written, re.MULTILINE)):
            if not (self.house / DATABASES / f"{number}.sqlite3").exists():
                yield f"The migration {number} has no database in {DATABASES}: CONTRIBUTING.md says how to write it."
        for before in self.git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-creatordate").split()[:1]:
            changed = "diff", "--name-only", "--no-renames", "--diff-filter=a", before, "HEAD", "--", MIGRATIONS
            for name in self.git(*changed).split():
                yield f"{name} was released with {before} and has changed: take it back, and add another migration."

    def build(self, folder: Path) -> list[Path]:
        """Write the wheel and the source archive into a folder. Both know the revision. Return their paths."""
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as name:
            place = Path(name)
            archive = self._archive(folder, place)
            with tarfile.open(archive) as packed:
                packed.extractall(place, filter="data")
            return [self._wheel(folder, place / archive.name.removesuffix(".tar.gz")), archive]

    def _archive(self, folder: Path, place: Path) -> Path:
        """Pack the committed files, and one that names the commit."""
        (place / "revision").write_text(f"{self.git('rev-parse', '--short=12', 'HEAD')}\n", encoding="utf-8")
        top, archive = f"gipfbot-{self.version}", folder / f"gipfbot-{self.version}.tar.gz"
        named = f"--prefix={top}/gipfbot/", f"--add-file={place / 'revision'}", f"--prefix={top}/"
        self.git("archive", "--format=tar.gz", f"--output={archive}", *named, "HEAD")
        return archive

    def _wheel(self, folder: Path, source: Path) -> Path:
        """Build the wheel from the unpacked archive, so that nothing compiled is in it."""
        alone = "--no-build-isolation", "--no-deps", "--no-index"
        pip = sys.executable, "-m", "pip", "wheel", "--quiet", *alone, "--wheel-dir", folder, source
        subprocess.run(pip, check=True)
        wheel = folder / f"gipfbot-{self.version}-py3-none-any.whl"
        with ZipFile(wheel) as packed:
            assert "gipfbot/revision" in packed.namelist(), "the wheel does not know its revision"
        return wheel

    def make(self) -> Iterator[str]:
        """Build, tag, and yield the lines that say what to publish."""
        files = self.build(self.house / "dist")
        self.git("tag", "--annotate", self.tag, "--message", f"GIPF bot {self.version}")
        yield f"{self.tag} is tagged at {self.git('rev-parse', '--short=12', 'HEAD')}. Publish it:"
        yield f"  git push origin {self.tag}"
        for path in files:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            yield f"  {path.relative_to(self.house)}  {path.stat().st_size:,} bytes  sha256 {digest}"
        yield f"with the section {self.version} of CHANGELOG.md as its notes."
        yield f"To take the tag back before it is pushed: git tag --delete {self.tag}"


def main(argv: list[str], house: Path = HOUSE) -> int:
    """Check, then release unless `--check` is given. Return 1, and change nothing, if something is in the way."""
    release = Release(house)
    if faults := [*release.faults(datetime.now(UTC).date())]:
        sys.stderr.writelines(f"{fault}\n" for fault in (*faults, "Nothing was built or tagged."))
        return 1
    if argv != ["--check"]:
        sys.stdout.writelines(f"{line}\n" for line in release.make())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
