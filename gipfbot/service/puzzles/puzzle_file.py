"""Files of puzzles: one a line, with its own turns, its position line, and the turns that solve it.

The bot ships such a file, so that there are puzzles before any game has ended.
"""

from functools import cache
from pathlib import Path

from gipfbot.match import position_after
from gipfbot.match.puzzle import Puzzle
from gipfbot.notation import parse_position, parse_turn, position_text, turn_text

SHIPPED = Path(__file__).with_name("shipped_puzzles.txt")  # by `python bot.py puzzles --to`; see docs/tools.md
_BETWEEN = " | "


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of text, without its end."""
    position, texts = puzzle.position, list[str]()
    for actions in puzzle.line:
        texts.append(turn_text(position, actions))
        position = position_after(position, actions)
    return _BETWEEN.join((str(puzzle.own_turns), position_text(puzzle.position), " ".join(texts)))


def parse_puzzle_line(text: str) -> Puzzle:
    """Return the puzzle in a line of text. Raises ValueError for another text. Does not prove the puzzle again."""
    own_turns, line, turns = text.split(_BETWEEN)
    begin = position = parse_position(line)
    solution = []
    for written in turns.split():
        solution.append(parse_turn(position, written))
        position = position_after(position, solution[-1])
    return Puzzle(begin, int(own_turns), tuple(solution))


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the bot."""
    return tuple(map(parse_puzzle_line, SHIPPED.read_text(encoding="utf-8").splitlines()))
