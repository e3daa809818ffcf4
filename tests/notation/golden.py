"""Golden games: tests/data/records has sheets of turns, and for each sheet the position line after every turn.

If a change is meant to alter the lines, write them again with

    python -m tests.notation.golden

and look at the difference. With the argument `games`, the random games are drawn and written again too.
"""

import sys
from pathlib import Path
from random import Random

from gipfbot.notation import OFFICIAL, Notation, position_text, read_record, turn_text
from gipfbot.rules import OVERBOARD, Action, Ruleset, legal, play, ruleset_named, start
from tests.notation.helpers import Game, game
from tests.rules.boards_of_overboard import seek_rows
from tests.rules.generate_loaded import power_seeking
from tests.support.paths import RECORDS

SEEDS = {
    "basic": (255, 75, 285),
    "standard": (228, 16, 76),
    "tournament": (243, 74, 38),
}  # with many removals
# With potentials and in Overboard: a seed and the most turns. An Overboard game goes on until a draw is agreed.
MORE_SEEDS = {
    "standard+Z3": (2, 200),
    "standard+P3": (8, 200),
    "tournament+Z6P6": (6, 200),
    "basic+Z6": (1, 200),
    "overboard": (32, 60),
}


def sheets() -> list[Path]:
    """Return the paths of all sheets."""
    return sorted(RECORDS.glob("*.turns"))


def positions(sheet: Path) -> str:
    """Return the position line after each turn of a sheet, line by line."""
    record = read_record(sheet.read_text(encoding="utf-8"))
    assert not record.broken, record.broken
    assert not record.warnings, f"{sheet.name}: {record.warnings}"
    return "".join(f"{position_text(step.after)}\n" for step in record.turns)


def long_game(rules: Ruleset, seed: int, most: int) -> Game:
    """Return a random game in which the players seek rows and uses: for each turn the position and its actions."""
    rng, position, turns = Random(seed), start(rules), Game()
    choose = seek_rows if rules == OVERBOARD else power_seeking
    while position.result is None and len(turns) < most:
        before, actions = position, list[Action]()
        while position.mover is before.mover and position.result is None:
            actions.append(choose(position, legal(position), rng))
            position = play(position, actions[-1])
        turns.append((before, tuple(actions)))
    return turns


def random_sheet(rules: str, seed: int, turns: Game) -> str:
    """Return a random game as a sheet, in canonical long notation with the mover's reserve after each turn."""
    texts = [turn_text(position, actions, reserve=True) for position, actions in turns]
    rows = [f"{n // 2 + 1}. {'  '.join(texts[n : n + 2])}\n" for n in range(0, len(texts), 2)]
    end = "1/2-1/2\n" if turns[-1][0].rules.agreed_draw else ""
    head = f'[Rules "{rules}"]\n' if "+" in rules else ""
    return "".join([head, f"; A random game that seeks rows, seed {seed}. Rules: {rules}.\n", *rows, end])


def example_record(notation: Notation = OFFICIAL, slips: dict[int, str] | None = None) -> str:
    """Return the article's game with a turn on each line; `slips` replaces turns by number."""
    record = read_record((RECORDS / "example.turns").read_text(encoding="utf-8"))
    texts = {step.turn_number: turn_text(step.before, step.actions, notation) for step in record.turns}
    return "\n".join(["Tournament", *(texts | (slips or {})).values()])


def main(argv: list[str]) -> None:
    """Write the position lines; with `games`, write the random games first."""
    if argv == ["games"]:
        for rules, seeds in SEEDS.items():
            for seed in seeds:
                (RECORDS / f"{rules}-{seed}.turns").write_text(
                    random_sheet(rules, seed, game(rules, seed)), encoding="utf-8"
                )
        for rules, (seed, most) in MORE_SEEDS.items():
            text = random_sheet(rules, seed, long_game(ruleset_named(rules), seed, most))
            (RECORDS / f"{rules.replace('+', '-')}-{seed}.turns").write_text(text, encoding="utf-8")
    for sheet in sheets():
        sheet.with_suffix(".positions").write_text(positions(sheet), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
