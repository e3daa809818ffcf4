"""`make mutate`: change the rules and the match in a thousand places, and see whether a test fails each time."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Sequence

from .accepted import LIST, BrokenList, Reason, outdated, read_reasons, reason_for
from .changes import Change, draw
from .making import modules, mutations_of, source_of
from .reach import load, update
from .trials import FILE, Outcome, Trials, Tried, collect, killed_before, note

KILLED = {Outcome.KILLED, Outcome.TIMEOUT}
SETTLED = {*KILLED, Outcome.ACCEPTED}


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201 - a tool answers by printing


def options(arguments: Sequence[str]) -> Namespace:
    """Return what the command line asks for."""
    parser = ArgumentParser("python -m tests.mutate", description="Change the code, and see if a test fails.")
    parser.add_argument("--seed", type=int, default=16, help="draws the sample (16)")
    parser.add_argument("--count", type=int, default=1000, help="mutants in the sample (1000)")
    parser.add_argument("--only", action="append", help="try those of the sample in this module, such as rules.rows")
    parser.add_argument("--budget", type=float, default=12, help="seconds of tests for a mutant (12)")
    parser.add_argument("--processes", type=int, default=2, help="mutants at a time (2)")
    parser.add_argument("--resume", action="store_true", help="leave out what the runs before have killed")
    return parser.parse_args(arguments)


def in_child(work: Callable[[], None]) -> None:
    """Do something in a process of its own, so that nothing of it stays in this one."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(process, 0)[1]:
        raise SystemExit("The tests must pass before mutants are tried.")


def told(tried: Tried) -> str:
    """Return what to print about a survivor."""
    change = tried.change
    where = f"{change.module}:{change.first}, {change.within or 'beside functions'}"
    lines = [f"{where}: {tried.outcome}, {tried.tests} tests"]
    lines += [f"  - {line}" for line in change.was.splitlines()] + [f"  + {line}" for line in change.now.splitlines()]
    return "\n".join(lines)


def table(all_tried: Sequence[Tried]) -> list[str]:
    """Return the lines with the numbers of each module, of each room and of all."""
    counts = dict[str, Counter[Outcome]]()
    for tried in all_tried:
        for row in (tried.change.module, tried.change.room, "all"):
            counts.setdefault(row, Counter())[tried.outcome] += 1
    lines = [f"{'':30}" + "".join(f"{outcome:>20}" for outcome in Outcome)]
    rows = [*sorted(counts.keys() - {"all"}), *({"all"} & counts.keys())]
    return lines + [f"{row:30}" + "".join(f"{counts[row][outcome]:20}" for outcome in Outcome) for row in rows]


def score(all_tried: Sequence[Tried]) -> str:
    """Return the last line."""
    counts, total = Counter(tried.outcome for tried in all_tried), len(all_tried)
    killed, accepted = sum(counts[outcome] for outcome in KILLED), counts[Outcome.ACCEPTED]
    return (
        f"Killed {killed} of {total} mutants: {per_cent(killed, total)}. {accepted} may survive, with a reason; "
        f"{total - killed - accepted} survived without one. Of those that can be told: "
        f"{per_cent(killed, total - accepted)}."
    )


def per_cent(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f} %"


def run(asked: Namespace, reasons: Sequence[Reason]) -> list[Tried]:
    """Try the sample, or a part of it. Return how each mutant fared."""
    everything = [pair for module in modules() for pair in mutations_of(module)]
    found = {change.place: (change, place) for change, place in everything}
    drawn = draw([change for change, _ in found.values()], asked.count, asked.seed)
    wanted = {change.place: change for change in drawn if not asked.only or change.module.endswith(tuple(asked.only))}
    if not asked.resume:
        FILE.unlink(missing_ok=True)
    done = [tried for tried in killed_before() if tried.change.place in wanted]
    left = wanted.keys() - {tried.change.place for tried in done}
    say(f"{len(found)} mutants, {len(drawn)} drawn by seed {asked.seed}, {len(left)} to be tried.")

    def tell(tried: Tried) -> None:
        note(tried)
        done.append(tried)
        if tried.outcome not in SETTLED:
            say(told(tried))

    def is_accepted(change: Change) -> bool:
        return reason_for(change, reasons) is not None

    left_over = [found[change.place] for change in wanted.values() if change.place in left]
    if left_over:
        collect(Trials(left_over, load()[1], asked.budget, asked.processes, is_accepted, tell))
    return done


def main(arguments: Sequence[str]) -> int:
    """Run, and return the exit code: 1 if a mutant survived without a reason, or a reason is outdated."""
    asked = options(arguments)
    try:
        reasons = read_reasons(LIST.read_text(encoding="utf-8"))
    except BrokenList as error:
        raise SystemExit(str(error)) from None
    in_child(update)
    tried = run(asked, reasons)
    old = outdated(reasons, source_of)
    for reason in old:
        say(f"accepted.toml speaks of lines that are no more: {reason.module}, {reason.within}: {reason.was}")
    for line in [*table(tried), score(tried)]:
        say(line)
    return int(bool(old) or any(one.outcome not in SETTLED for one in tried))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
