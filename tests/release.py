"""`make release`: check that version, changes and migrations agree, build what is published, and tag the commit.

`python -m tests.release --check` only checks. Nothing is pushed: the last lines say what to publish. `--build` is
`make dist`: it only builds, for a machine that publishes what was tagged.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from tests.support.paths import HOUSE

ORIGIN_SECONDS = 30  # for the answer of the repository that this one is from
ANY_DAY = r"\d{4}-\d\d-\d\d"
MIGRATIONS, DATABASES = "gipfbot/store/migrations/versions", "tests/data/databases"


def unpack(archive: Path, place: Path) -> None:
    """Unpack a source archive into a folder."""
    subprocess.run(("tar", "--extract", f"--file={archive}", f"--directory={place}"), check=True)


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
        if at := self._commit_of_tag() or self._commit_at_origin():
            right = "raise VERSION in gipfbot/installation.py, and begin a section in CHANGELOG.md"
            yield f"The tag {self.tag} is there already, at {at}: {right}."
        yield from self._faults_of_heading(str(today))
        yield from self._faults_of_migrations()

    def faults_of_tag(self, tag: str) -> Iterator[str]:
        """Yield a sentence for each thing that keeps a tag from being published."""
        if tag != self.tag:
            yield f"The tag of this version is {self.tag}, not {tag}: VERSION in gipfbot/installation.py says so."
        elif self._commit_of_tag() != self.git("rev-parse", "--short=12", "HEAD"):
            yield f"{tag} is not at the commit that is checked out: check it out."
        yield from self._faults_of_heading()

    def _commit_of_tag(self) -> str:
        """Return the commit of the tag, shortened; empty without the tag."""
        return self.git("tag", "--list", self.tag) and self.git("rev-parse", "--short=12", f"{self.tag}^{{commit}}")

    def _commit_at_origin(self) -> str:
        """Return the commit of the tag where this repository is from. Empty without the tag, or if nobody answers."""
        asked = "git", "-C", self.house, "ls-remote", "origin", f"refs/tags/{self.tag}*"
        alone = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": "ssh -o BatchMode=yes"}
        with suppress(subprocess.TimeoutExpired):
            done = subprocess.run(asked, env=alone, capture_output=True, text=True, check=False, timeout=ORIGIN_SECONDS)
            found = dict(line.split("\t")[::-1] for line in done.stdout.splitlines())
            name = f"refs/tags/{self.tag}"
            return found.get(f"{name}^{{}}", found.get(name, ""))[:12]
        return ""

    def _faults_of_heading(self, day: str = "") -> Iterator[str]:
        """Yield a sentence unless the newest heading of the changes has this version, and this day or any."""
        found = re.findall(r"^## .+$", self._read("CHANGELOG.md"), re.MULTILINE)
        if not found or not re.fullmatch(f"## {self.version} - {day or ANY_DAY}", found[0]):
            said = f"is `{found[0]}`" if found else "is missing"
            wanted = f"## {self.version} - {day or 'DAY'}"
            yield f"The newest heading of CHANGELOG.md {said}: it must be `{wanted}`, with the day of the release."

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
            unpack(archive, place)
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
        self._try_wheel(wheel)
        return wheel

    def _try_wheel(self, wheel: Path) -> None:
        """Install the wheel alone, and see that its command works."""
        with tempfile.TemporaryDirectory() as name:
            venv.create(name)
            alone = "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"
            install = "-m", "pip", "--python", f"{name}/bin/python", "install", "--quiet", *alone, wheel
            subprocess.run([sys.executable, *install], check=True)
            for words, wanted in (("--version",), f"gipfbot {self.version} ("), (("perft", "--depth", "1"), "1 "):
                done = subprocess.run(
                    [f"{name}/bin/gipfbot", *words], cwd=name, stdout=subprocess.PIPE, text=True, check=False
                )
                assert (done.returncode, done.stdout[: len(wanted)]) == (0, wanted), f"the wheel says {done.stdout}"

    def notes(self) -> str:
        """Return what has changed in this version, by the newest section of the changes."""
        return re.split(r"^## .+\n", self._read("CHANGELOG.md"), flags=re.MULTILINE)[1].strip() + "\n"

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

    def build_only(self) -> Iterator[str]:
        """Build into the folder `dist`, also the notes of the release. Yield the paths."""
        files = self.build(self.house / "dist")
        files.append(self.house / "dist" / "notes.md")
        files[-1].write_text(self.notes(), encoding="utf-8")
        yield from (str(path.relative_to(self.house)) for path in files)


def main(argv: Sequence[str], house: Path = HOUSE, today: date | None = None) -> int:
    """Check, then release or build, as the options say. Return 1, and change nothing, if something is in the way.

    Without a day it is this one, in UTC.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.release")
    parser.add_argument("--check", action="store_true", help="only check whether a release can be made")
    parser.add_argument("--build", action="store_true", help="only build, without a tag")
    parser.add_argument("--tag", help="with --build: check that what is built is this tag")
    options, release = parser.parse_args(argv), Release(house)
    faults: Iterable[str] = release.faults(today or datetime.now(UTC).date())
    if options.build:
        faults = release.faults_of_tag(options.tag) if options.tag else ()
    if faults := [*faults]:
        sys.stderr.writelines(f"{fault}\n" for fault in (*faults, "Nothing was built or tagged."))
        return 1
    if not options.check:
        lines = release.build_only() if options.build else release.make()
        sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
