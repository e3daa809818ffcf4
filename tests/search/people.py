"""Two players who stand for people, to place the levels: one who takes and saves, and one who looks two turns ahead.

    .venv/bin/python -m tests.search.people --games 100

prints what they score against the levels that they place, in Standard. Compile the search first (`make compile`).
"""

from argparse import ArgumentParser
from random import Random

from gipfbot.rules import STANDARD, Action, Position
from gipfbot.search.alpha_beta import Search
from gipfbot.search.threats import most_taken
from gipfbot.search.translate import actions_to, told_positions, tree_of
from gipfbot.search.tree import ENDED, GIPF, ME, ROW, YOU
from tests.search.matches import level_player, share
from tests.search.self_play import never

GIPF_WORTH = 3  # a GIPF-piece in basic pieces, as `most_taken` counts
ENDLESS = 1 << 50  # nodes


def take_and_save(position: Position, before: list[Position], seed: int) -> tuple[Action, ...]:
    """Take the most that can be taken; among such turns, leave the least to the opponent; else draw by lot.

    This is N. It looks at no more than what one row takes.
    """
    tree = tree_of(position)
    children = range(0, tree.children(0, 0, False), ROW)
    root, rows = tree.rows[0], tree.rows[1]

    def worth(child: int) -> tuple[int, int, int]:
        taken = _worth(root[YOU], root[GIPF]) - _worth(rows[child + ME], rows[child + GIPF])
        hangs = most_taken(rows[child + ME], rows[child + YOU], rows[child + GIPF])
        return -int(rows[child + ENDED]), taken, -int(hangs)

    best = max(map(worth, children))
    drawn = Random(1000 * seed + len(before)).choice([child for child in children if worth(child) == best])
    return actions_to(position, tree.key(1, drawn))[0]


def _worth(spots: int, gipf: int) -> int:
    return int(spots).bit_count() + (GIPF_WORTH - 1) * int(spots & gipf).bit_count()


def look_two_turns_ahead(position: Position, before: list[Position], seed: int) -> tuple[Action, ...]:
    """Choose the turn with the best position after the opponent's best answer, by the evaluation. This is C."""
    search = Search(ENDLESS, never, told_positions(position, before), quiet=False)
    return actions_to(position, search.best(tree_of(position), 2, 1, 0)[0].line[0])[0]


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    games = parser.parse_args().games
    for name, player, level, wanted in (
        ("N", take_and_save, 1, "40 to 85"),
        ("N", take_and_save, 4, "10 at most"),
        ("C", look_two_turns_ahead, 4, "more than 50"),
        ("C", look_two_turns_ahead, 6, "less than 50"),
    ):
        found = share(STANDARD, player, level_player(level), games)
        print(f"{name} scores {found:.0f} % against level {level} (wanted: {wanted})", flush=True)


if __name__ == "__main__":
    main()
