"""`make update`: bring a checkout to the newest version, and back to the one before if the bot is not healthy then.

`gipfbot update` says what to do for each way of hosting. Only the standard library is used here, because the packages
are exchanged meanwhile. What `gipfbot.watchdog` tells systemd says whether the bot is healthy.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .installation import HOME, IN_CHECKOUT, newest_published, oldest_version_on, started_as, version_numbers
from .watchdog import HEALTHY, OPENING, WAITING

HEALTHY_SECONDS, SECONDS_A_SHARD = 60, 10  # what a new version has, and more for each shard
LOOK_SECONDS, START_SECONDS = 1, 60  # between two looks at a service, and until it must have begun
FORGOTTEN_SECONDS = 3600  # after which nobody calls again to let an update go on that was cut off
ORIGIN = "origin"
VENV, SIDE = ".venv-run", ".update"  # the packages of the bot, and the folder of the version that does not run
STAMPS = ".complete", ".postgres"  # what `make install` leaves in the former
COMMIT = "commit"  # the file in it that names the commit for which they were installed
# What else an installation makes.
COMPILED = "*.so", "gipfbot/**/*.so", "gipfbot/**/compiled.sha256"
MIGRATIONS, VERSION_FILE, HOSTING = "gipfbot/store/migrations/versions", "gipfbot/installation.py", "docs/hosting"
BEGUN, FAILED, DONE = "begun", "failed", "done"
UNITS = "gipfbot.service", "gipfbot@*.service"
READABLE = 0o022  # the umask under which the service, another user, can read what is made
OF_MAKE = "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"  # what one make tells another in its environment
LOSE_TURNS = "make update LOSE_TURNS=yes"


class Stopped(Exception):
    """The update ends here; the message says why, and what to do. `code` is the exit code, 2 if nothing was changed."""

    def __init__(self, said: str, code: int = 1) -> None:
        super().__init__(said)
        self.code = code


class LastUpdate(NamedTuple):
    """The last update: the commit before it, its version, the backup made then, the services, and how it went."""

    before: str
    target: str
    backup: str
    units: list[str]
    state: str


class Look(NamedTuple):
    """What systemd says about a service."""

    active: str
    sub: str
    status: str

    @property
    def is_excused(self) -> bool:
        """Whether this time does not count: while tables change, and during an outage of Discord."""
        return self.status.startswith(WAITING) or (self.status.startswith(OPENING) and self.sub != "auto-restart")


class Checkout:
    """A checkout from which a bot runs, with the packages of its version in `.venv-run`."""

    def __init__(self, home: Path) -> None:
        self.home, self.side = home, home / SIDE

    def is_at(self, place: str) -> bool:
        """Return whether the checkout is at a place, by whatever name."""
        return Path(place).resolve() == self.home.resolve()

    def run(self, *command: str | Path, at: Path | None = None) -> None:
        """Run a command in the checkout, or at another place. Raises Stopped if it fails."""
        environment = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
        try:
            subprocess.run(command, cwd=at or self.home, env=environment, umask=READABLE, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Stopped(f"`{' '.join(map(str, command))}` has failed.") from error

    def git(self, *words: str | Path) -> str:
        """Run git in the checkout and return what it says. Raises Stopped if it fails."""
        command = "git", "-C", self.home, *words
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, umask=READABLE, check=False)
        if done.returncode:
            raise Stopped(f"`git {' '.join(map(str, words))}` has failed.", 2)
        return done.stdout.strip()

    def commit(self, name: str = "HEAD") -> str:
        """Return a commit by its name, such as a tag."""
        return self.git("rev-parse", "--verify", f"{name}^{{commit}}")

    def has(self, commit: str) -> bool:
        """Return whether what the checkout holds came after this commit."""
        command = "git", "-C", self.home, "merge-base", "--is-ancestor", commit, "HEAD"
        return subprocess.run(command, check=False).returncode == 0

    def version(self, commit: str = "HEAD") -> str:
        """Return the version of a commit."""
        found = re.search(r'^VERSION = "([\d.]+)"', self.git("show", f"{commit}:{VERSION_FILE}"), re.MULTILINE)
        return found[1] if found else "0"

    def name(self, commit: str = "HEAD") -> str:
        """Return the version of a commit, with its revision unless it is the published one of that version."""
        version, commit = self.version(commit), self.commit(commit)
        is_published = f"v{version}" in self.git("tag", "--points-at", commit).splitlines()
        return version if is_published else f"{version} ({self.git('rev-parse', '--short', commit)})"

    def tables(self, commit: str) -> str:
        """Return the number of the newest migration of a commit."""
        pattern = r'^(down_)?revision = "(.+)"'
        files = self.git("grep", "-h", "--extended-regexp", pattern, commit, "--", f"{MIGRATIONS}/*.py")
        found = re.findall(pattern, files, re.MULTILINE)
        below = {number for is_below, number in found if is_below}
        return max((number for is_below, number in found if not is_below and number not in below), default="")

    def runs_on(self, commit: str, tables: str) -> bool:
        """Return whether the version of a commit may run on tables whose newest migration has this number."""
        oldest = oldest_version_on(tables)
        return tables == self.tables(commit) or (bool(oldest) and oldest <= version_numbers(self.version(commit)))

    def require_unchanged(self) -> None:
        """Raise Stopped if somebody has changed what git keeps, or if the bot does not run from here."""
        if changed := self.git("status", "--porcelain", "--untracked-files=no"):
            right = "take them back with `git checkout`, or keep them aside with `git stash`"
            raise Stopped(f"These files were changed here, so nothing is updated: {right}.\n{changed}", 2)
        own = "rev-list", "--count", "HEAD", "--not", f"--remotes={ORIGIN}", "--tags"
        if (number := self.git(*own)) != "0":
            right = "publish them, or go back with `git checkout`"
            raise Stopped(f"This checkout has commits of its own ({number}), so nothing is updated: {right}.", 2)
        if not (self.home / VENV).is_dir():
            raise Stopped(f"There is no {VENV}, so no bot runs from here.\n{all_ways()}", 2)

    def require_room(self, commit: str) -> None:
        """Raise Stopped if a file that git does not keep is in the way of a commit's."""
        others = {*self.git("ls-files", "--others").splitlines()}
        if found := others.intersection(self.git("ls-tree", "-r", "--name-only", commit).splitlines()):
            raise Stopped(f"These files are in the way of the new version: move them. {', '.join(sorted(found))}", 2)

    def prepare(self, commit: str) -> None:
        """Install another version in a folder beside, while this one runs. Raises Stopped."""
        self.drop_side()
        self.git("worktree", "add", "--quiet", "--force", "--detach", self.side, commit)
        self.install(self.side, commit)
        (self.home / VENV / COMMIT).write_text(self.commit())

    def install(self, place: Path, commit: str) -> None:
        """Let `make install` bring the packages of a commit, and compile what the bot imports. Raises Stopped."""
        more = ["POSTGRES=yes"] if (self.home / VENV / ".postgres").exists() else []
        self.run("make", "install", f"PYTHON={sys.executable}", *more, at=place)
        self.run(place / VENV / "bin" / "python", "-c", "import gipfbot.app", at=place)
        (place / VENV / COMMIT).write_text(commit)

    def drop_side(self) -> None:
        """Remove the folder of the version that does not run."""
        shutil.rmtree(self.side, ignore_errors=True)
        self.git("worktree", "prune")

    def take(self, commit: str) -> None:
        """Put the files of a commit here, and its packages if they are in the folder beside."""
        if self.commit() == commit:
            return
        self.git("checkout", "--quiet", "--detach", commit)
        beside = self.side / VENV / COMMIT
        if beside.exists() and beside.read_text() == commit:
            self._exchange()
        if not any((self.home / VENV / stamp).exists() for stamp in STAMPS):
            self.install(self.home, commit)
        self.run(self.home / VENV / "bin" / "python", "-c", "import gipfbot.app")

    def _exchange(self) -> None:
        """Exchange what the installations here and in the folder beside have made."""
        aside = self.side / "aside"
        for name in sorted({*self._made(self.home), *self._made(self.side)}):
            for source, target in (
                (self.home / name, aside),
                (self.side / name, self.home / name),
                (aside, self.side / name),
            ):
                if source.exists():
                    source.rename(target)
        for stamp in STAMPS:  # they are newer than the files of their commit
            with suppress(FileNotFoundError):
                os.utime(self.home / VENV / stamp)

    def _made(self, place: Path) -> Iterator[str]:
        yield VENV
        for pattern in COMPILED:
            yield from (str(path.relative_to(place)) for path in place.glob(pattern))


class Services:
    """The services of systemd that run from a checkout. `wait` waits for some seconds."""

    def __init__(self, checkout: Checkout, say: Callable[[str], None], wait: Callable[[float], None]) -> None:
        self._checkout, self._say, self._wait = checkout, say, wait
        self.tables = ""  # the newest migration that a bot has named after its start

    def found(self) -> list[str]:
        """Return the units that run, or try to; empty if there is no systemd, or if none is of this checkout."""
        with suppress(OSError, subprocess.CalledProcessError):
            listed = self._ask("list-units", "--plain", "--no-legend", *UNITS)
            names = [line.split()[0] for line in listed.splitlines() if line.strip()]
            return [name for name in names if self._checkout.is_at(self._shown(name, "WorkingDirectory")[0])]
        return []

    def _ask(self, *words: str) -> str:
        command = "systemctl", *words
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def _shown(self, unit: str, *names: str) -> list[str]:
        said = self._ask("show", f"--property={','.join(names)}", unit).splitlines()
        found = dict(line.split("=", 1) for line in said if "=" in line)
        return [found.get(name, "") for name in names]

    def look(self, unit: str) -> Look:
        """Return what a service is doing."""
        return Look(*self._shown(unit, "ActiveState", "SubState", "StatusText"))

    def stop(self, *units: str) -> None:
        """Stop services, and wait for their end."""
        self._checkout.run("systemctl", "stop", *units)

    def start(self, unit: str) -> str:
        """Start a service. Return why it is not healthy in time; empty if it is."""
        with suppress(subprocess.TimeoutExpired):  # what becomes of it is looked at
            subprocess.run(("systemctl", "start", unit), timeout=START_SECONDS, check=False)
        counted, shards, said = 0, 1, ""
        while counted < HEALTHY_SECONDS + SECONDS_A_SHARD * shards:
            look = self.look(unit)
            if look.status not in (said, ""):
                said = look.status
                self._say(f"{unit}: {said}")
            self.tables, shards = _named("tables", said) or self.tables, int(_named("shards", said) or shards)
            if look.status.startswith(HEALTHY):
                return ""
            if look.active in ("failed", "inactive"):
                return f"{unit} has ended: {said or _nothing_said(unit)}"
            counted += 0 if look.is_excused else LOOK_SECONDS
            self._wait(LOOK_SECONDS)
        return f"{unit} was not healthy after {counted} s: {said or _nothing_said(unit)}"


def _nothing_said(unit: str) -> str:
    return f"look at `journalctl -u {unit}`"


def _named(what: str, status: str) -> str:
    found = re.search(rf"\b{what}=([\w.]+)", status)
    return found[1] if found else ""


def print_line(sentence: str) -> None:
    """Print a line at once: what the programs say stands between the lines."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


class Update:
    """One run of `make update`."""

    def __init__(
        self,
        home: Path = HOME,
        say: Callable[[str], None] = print_line,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.checkout, self.say = Checkout(home), say
        self.services = Services(self.checkout, say, wait)
        self.units = list[str]()  # the services that are started anew
        self.note = home / "last-update"  # the file about the last update; git says where it is

    def run(self, wanted: str = "", *, lose_turns: bool = False) -> None:
        """Update to the version of a tag, or else to the newest. Raises Stopped.

        `lose_turns` allows a way back that restores the backup.
        """
        here = self.checkout
        here.require_unchanged()
        self.note = here.home / here.git("rev-parse", "--git-path", "last-update")
        units = self.services.found()
        if units and os.geteuid() != 0:
            raise Stopped(f"{', '.join(units)} can only be restarted by root: sudo make update", 2)
        here.git("fetch", "--quiet", "--tags", ORIGIN)
        target, last = self._target(wanted), self._last_update(units)
        if last and lose_turns and self._leads_back(last, target if wanted else ""):
            self._go_back(last, restores=True)
            return
        known = last.units if last and last.state != DONE else []
        self.units = units or known
        if last is None or last.state == DONE or last.before == here.commit():
            if not self._is_news(target, is_wanted=bool(wanted)):
                self.say(f"{here.name()} is there already: nothing to update.")
                return
            self._require_tables(target)
            last = LastUpdate(here.commit(), target, "", self.units, BEGUN)
        else:
            self.say(f"The last update was not completed, and goes on. Its backup is {last.backup}.")
        self._announce(last, target, lose_turns=lose_turns)
        here.require_room(target)
        backup = last.backup or self._back_up()
        self._begin(LastUpdate(last.before, target, backup, self.units, BEGUN), lose_turns=lose_turns)

    def _target(self, wanted: str) -> str:
        """Return the tag of the version to take."""
        refs = self.checkout.git("for-each-ref", "--format=%(refname)", "refs/tags")
        if wanted and f"refs/tags/{wanted}" not in refs.split():
            raise Stopped(f"There is no version {wanted}: `git tag` lists them, such as v0.2.0.", 2)
        newest = newest_published(refs)
        if not newest and not wanted:
            raise Stopped(f"No version was published yet where this checkout comes from ({ORIGIN}).", 2)
        return wanted or f"v{newest}"

    def _is_news(self, target: str, *, is_wanted: bool) -> bool:
        """Return whether a version is not here yet. Unless the host wants it, it must not be older."""
        here = self.checkout
        if is_wanted:
            return here.commit() != here.commit(target)
        return not here.has(target) and version_numbers(here.version(target)) >= version_numbers(here.version())

    def _leads_back(self, last: LastUpdate, wanted: str) -> bool:
        """Return whether turns may be lost for the way back from the last update, not for a new update."""
        if not wanted:
            return last.state == FAILED
        here = self.checkout
        is_before = last.state != BEGUN and last.before == here.commit(wanted)
        return is_before and not here.runs_on(last.before, here.tables("HEAD"))

    def _require_tables(self, target: str) -> None:
        """Raise Stopped if a version cannot run on the tables that there are."""
        here = self.checkout
        if not here.runs_on(target, tables := here.tables("HEAD")):
            right = "restore a backup from before it was updated, as docs/hosting.md says"
            right = f"{right}; right after an update, `{LOSE_TURNS} TO={target}` does"
            raise Stopped(f"{here.name(target)} cannot run on the present tables ({tables}): {right}.", 2)

    def _announce(self, last: LastUpdate, target: str, *, lose_turns: bool) -> None:
        """Say what becomes of the turns if the new version is not healthy."""
        here, before = self.checkout, last.before
        old, new, tables = here.name(before), here.name(target), here.tables(target)
        self.say(f"From {old} to {new}.{'' if last.backup else ' A backup is made first.'}")
        if not self.units:
            lost = f"cannot run on the tables of {new} ({tables}): then going back means to restore the backup"
            way = "can run on its tables, if you go back" if here.runs_on(before, tables) else lost
            self.say(f"No service of systemd runs from here, so you start the bot anew yourself. {old} {way}.")
            return
        if here.runs_on(before, tables):
            self.say(f"If {new} is not healthy in time, {old} comes back. No turn is lost.")
            return
        then = f"{old} comes back" if lose_turns else f"it stays, and only `{LOSE_TURNS}` goes back"
        lost = "by restoring the backup: what is played after it is lost then"
        self.say(
            f"{old} cannot run on the tables of {new} ({tables}). If {new} is not healthy in time, {then}, {lost}."
        )

    def _tool(self, *words: str) -> tuple[int, str]:
        """Run a command of the bot, as the service if there is one. Return its exit code and output."""
        home = self.checkout.home
        command = [str(home / VENV / "bin" / "python"), "bot.py"]
        if self.units:
            command = [shutil.which("gipfbot") or str(home / HOSTING / "gipfbot")]
        done = subprocess.run((*command, *words), cwd=home, stdout=subprocess.PIPE, text=True, check=False)
        self.say(done.stdout.rstrip())
        return done.returncode, done.stdout

    def _back_up(self) -> str:
        """Back up to the folder of the settings. Return the file."""
        code, said = self._tool("backup")
        if code not in (0, 1) or not said:
            raise Stopped("There is no new backup, so nothing is updated.", 2)
        return said.splitlines()[0].partition(": ")[0]

    def _begin(self, update: LastUpdate, *, lose_turns: bool) -> None:
        """Take a version. If it is not healthy, go back, or stop if that would lose turns."""
        here, commit = self.checkout, self.checkout.commit(update.target)
        if here.commit() != commit:
            try:
                here.prepare(commit)
            except Stopped as error:
                here.drop_side()
                raise Stopped(f"{error} The version that runs was not touched.", 2) from error
        self._write_note(update)
        if not update.units:
            here.take(commit)
            self._finish(update)
            self.say(f"{here.name()} is there. If a bot runs from here, stop it, and start it again: make run")
            return
        if fault := self._start(commit, update.units):
            self.say(f"{here.name(commit)} is not healthy. {fault}.")
            restores = not here.runs_on(update.before, self.services.tables or here.tables(update.before))
            if restores and not lose_turns:
                self._write_note(update._replace(state=FAILED))
                old, lost = here.name(update.before), f"the backup {update.backup}, and loses what was played since"
                stays = f"{old} cannot run on its tables, so {here.name(commit)} stays"
                raise Stopped(f"{stays}. To go back: `{LOSE_TURNS}` restores {lost}.")
            self._go_back(update, restores=restores)
            raise Stopped(f"The update to {update.target} failed. `journalctl -u {update.units[0]}` says more.")
        self._finish(update)
        self.say(f"{here.name()} runs and is healthy.")

    def _start(self, commit: str, units: Sequence[str]) -> str:
        """Start services with the files of a commit, one after the other. Return why one is not healthy, else empty."""
        for unit in units:
            self.services.stop(unit)
            try:
                self.checkout.take(commit)
            except Stopped as error:
                return str(error).rstrip(".")
            if fault := self.services.start(unit):
                return fault
        return ""

    def _go_back(self, update: LastUpdate, *, restores: bool) -> None:
        """Let the version before the update run again. Raises Stopped if that fails."""
        here, old = self.checkout, self.checkout.name(update.before)
        self.units = update.units
        if restores:
            self._write_note(update._replace(state=FAILED))
            self.say(f"{old} comes back with the backup {update.backup}. What was played since is lost.")
            if update.units:
                self.services.stop(*update.units)
            here.take(update.before)
            if self._tool("restore", update.backup)[0]:
                started = f", then `systemctl start {' '.join(update.units)}`" if update.units else ""
                raise Stopped(f"{old} is there, but the backup is not restored: do so by hand{started}.")
            self._write_note(update._replace(state=DONE))  # a later call must not restore it once more
        if fault := self._start(update.before, update.units):
            raise Stopped(f"{old} is there again, but not healthy either. {fault}.")
        here.take(update.before)
        here.drop_side()
        self.note.unlink(missing_ok=True)
        self.say(f"{old} runs again." if update.units else f"{old} is there again. Start it: make run")

    def _finish(self, update: LastUpdate) -> None:
        """Note that the new version is there, and say what else the host may have to do."""
        here = self.checkout
        here.drop_side()
        self._write_note(update._replace(state=DONE))
        self.say("CHANGELOG.md says what is new.")
        changed = here.git("diff", "--name-only", update.before, "HEAD", "--", HOSTING).splitlines()
        if files := [name for name in changed if Path(name).name.startswith("gipfbot")]:
            self.say(f"If the bot is a service, `sudo make service` copies what is new of it: {', '.join(files)}.")
        tag = self.checkout.git("tag", "--points-at", update.before).splitlines()
        if tag and here.runs_on(update.before, here.tables("HEAD")):
            self.say(f"To go back: make update TO={tag[0]}")

    def _last_update(self, units: Sequence[str]) -> LastUpdate | None:
        """Return the last update; None if nothing is known.

        One that failed, or was cut off long ago, is over as soon as its services are healthy: somebody has helped them.
        """
        last = self._read_note()
        if last is None or last.state == DONE or not units:
            return last
        is_over = last.state == FAILED or time.time() - self.note.stat().st_mtime > FORGOTTEN_SECONDS
        is_well = is_over and all(self.services.look(unit).status.startswith(HEALTHY) for unit in units)
        return last._replace(state=DONE) if is_well else last

    def _read_note(self) -> LastUpdate | None:
        with suppress(OSError, ValueError, TypeError):
            return LastUpdate(*json.loads(self.note.read_bytes()))
        return None

    def _write_note(self, update: LastUpdate) -> None:
        self.note.write_text(json.dumps(update), encoding="utf-8")


CHECKOUT = """A checkout, as a service or not:
  sudo make update            (without sudo, if it is no service)
  It backs up, brings the newest version, and starts the service anew. If the bot is not healthy then, the version
  before comes back. To go back later: sudo make update TO=v0.2.0"""
CONTAINER = """A container, with COMPOSE_FILE in .env, as docs/hosting.md says:
  docker compose exec backup python bot.py backup --to backups
  git fetch --tags && git checkout v0.3.0            (the newest of `git tag`)
  REVISION=$(git rev-parse HEAD) docker compose up --detach --build
  To go back: check out the version before, then the last line again."""
BY_PIP = """Installed by pip or uv from ADDRESS, with [bot,postgres] for PostgreSQL:
  gipfbot backup
  pip install --upgrade 'gipfbot[bot] @ git+ADDRESS@v0.3.0'            (by uv: uv tool install, and the same)
  Stop the bot, and start it again. To go back: the same with the version before."""
TABLES = (
    "An older version runs on newer tables if they allow it; else it says so, and changes nothing: see docs/hosting.md."
)


def all_ways() -> str:
    """Return what to do for each way of hosting, the way of this copy first."""
    in_container = any(Path(sign).exists() for sign in ("/.dockerenv", "/run/.containerenv"))
    own = CHECKOUT if IN_CHECKOUT else CONTAINER if in_container else BY_PIP
    return "\n".join(sorted((CHECKOUT, CONTAINER, BY_PIP), key=lambda way: way != own)) + f"\n{TABLES}"


def run_update(argv: Sequence[str]) -> int:
    """Print what to do for each way of hosting. Return the exit code."""
    if argv:
        sys.stderr.write(f"usage: {started_as()} update\n")
        return 2
    sys.stdout.write(f"{all_ways()}\n")
    return 0


def main(argv: list[str]) -> int:
    """Update the checkout. Return the exit code: 1 if it failed, 2 if nothing was changed."""
    parser = ArgumentParser("make update", description="Update this checkout and its service.")
    parser.add_argument("--to", default="", help="the tag of a version, instead of the newest")
    parser.add_argument("--lose-turns", action="store_true", help="restore the backup if there is no other way back")
    given = parser.parse_args(argv)
    try:
        Update().run(given.to, lose_turns=given.lose_turns)
    except Stopped as error:
        sys.stderr.write(f"{error}\n{'Nothing was changed.' if error.code == 2 else ''}".rstrip() + "\n")
        return error.code
    except OSError as error:
        sys.stderr.write(f"{error.filename or 'A file'} cannot be used ({error.strerror}).\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Cut off. `make update` goes on from here.\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
