"""Golden games: tests/data/records has sheets of turns, and for each sheet the position line after every turn.

If a change is meant to alter the lines, write them again with

    python -m tests.notation.golden

and look at the difference. With the argument `games`, the random games are drawn and written again too.
"""

import sys
from pathlib import Path

from gipfbot.notation import position_text, read_record, turn_text
from tests.notation.helpers import game
from tests.support.paths import RECORDS

SEEDS = {
    "basic": (255, 75, 285),
    "standard": (228, 16, 76),
    "tournament": (243, 74, 38),
}  # with many removals


def sheets() -> list[Path]:
    """Return the paths of all sheets."""
    return sorted(RECORDS.glob("*.turns"))


def positions(sheet: Path) -> str:
    """Return the position line after each turn of a sheet, line by line."""
    record = read_record(sheet.read_text(encoding="utf-8"))
    assert not record.broken, record.broken
    assert not record.warnings, f"{sheet.name}: {record.warnings}"
    return "".join(f"{position_text(step.after)}\n" for step in record.turns)


def random_sheet(rules: str, seed: int) -> str:
    """Return a random game as a sheet, in canonical long notation with the mover's reserve after each turn."""
    turns = game(rules, seed)
    texts = [turn_text(position, actions, reserve=True) for position, actions in turns]
    rows = [f"{n // 2 + 1}. {'  '.join(texts[n : n + 2])}\n" for n in range(0, len(texts), 2)]
    return "".join([f"; A random game that seeks rows, seed {seed}. Rules: {rules}.\n", *rows])


def main(argv: list[str]) -> None:
    """Write the position lines; with `games`, write the random games first."""
    if argv == ["games"]:
        for rules, seeds in SEEDS.items():
            for seed in seeds:
                (RECORDS / f"{rules}-{seed}.turns").write_text(random_sheet(rules, seed), encoding="utf-8")
    for sheet in sheets():
        sheet.with_suffix(".positions").write_text(positions(sheet), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
