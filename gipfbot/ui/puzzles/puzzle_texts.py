"""The texts around puzzles."""

from collections.abc import Sequence

from gipfbot.match import position_after, replay_turns
from gipfbot.match.puzzle import Puzzle
from gipfbot.match.study import Actions
from gipfbot.notation import OFFICIAL, Notation, turn_text
from gipfbot.ui.kit.texts import escape_turn, join_lines
from gipfbot.values import PuzzleSolvers, StoredPuzzle

SOLVE_LABEL, STEPS_LABEL = "Solve it", "Step through it"
GIVE_UP_LABEL, AGAIN_LABEL = "Give up", "Try again"
SOLUTION_LABEL, NEXT_PUZZLE_LABEL, BACK_LABEL, NEXT_STEP_LABEL = "Solution", "Next puzzle", "Back", "Next"
LEVEL_WORDS = {1: "one", 2: "two", 3: "three"}
LEVEL_NAMES = {2: "Win in two", 3: "Win in three"}
STALE_PUZZLE = "That button was out of date. Here's the puzzle as it stands."
SOLVED = "**Solved!**"
NOT_COUNTED = "Only your first try counts, so your rating stays."
SOLUTION_POSTED = "Its solution was posted on your server before, so it isn't rated."
MOST_NAMED = 20  # solvers in one message


def puzzle_heading(stored: StoredPuzzle, *, is_daily: bool = False) -> str:
    """Return the first line of a puzzle."""
    name = "Puzzle of the day" if is_daily else f"Puzzle {stored.id}"
    return f"**{name} · {_mover(stored.puzzle)} wins in {_words(stored.puzzle.own_turns)}**"


def puzzle_caption(puzzle: Puzzle) -> str:
    """Return what stands below the picture of a puzzle."""
    return f"{_mover(puzzle)} wins in {_words(puzzle.own_turns)}"


def _mover(puzzle: Puzzle) -> str:
    return str(puzzle.position.mover)


def _words(own_turns: int) -> str:
    return LEVEL_WORDS.get(own_turns, str(own_turns))


def task_text(puzzle: Puzzle, *, is_first: bool, is_unrated: bool = False) -> str:
    """Return what the person has to do at the beginning of a puzzle. `is_unrated` is about their first try."""
    turn = f"You play {_mover(puzzle)}. Only one turn forces a win within {_words(puzzle.own_turns)} turns of yours."
    if is_unrated:
        return join_lines(turn, f"Find it. {SOLUTION_POSTED}")
    return join_lines(turn, "Find it. Only your first try counts." if is_first else "This try doesn't count any more.")


def goes_on_text(puzzle: Puzzle, played: Sequence[Actions], notation: Notation) -> str:
    """Return that a turn was right, and what the opponent answers. `played` ends with that answer."""
    *_, right, answer = turn_texts(puzzle, played, notation)
    left = puzzle.own_turns - len(played) // 2
    return f"**{right}** is right. The opponent answers **{answer}**.\nWin {_within(left)}."


def _within(own_turns: int) -> str:
    return "with your next turn" if own_turns == 1 else f"within {_words(own_turns)} turns"


def failed_text(puzzle: Puzzle, tried: Sequence[Actions], answer: Actions, notation: Notation) -> str:
    """Return why a turn was wrong. It is the last of `tried`; `answer` refutes it, and is empty if none is needed."""
    texts = turn_texts(puzzle, (*tried, answer) if answer else tried, notation)
    left = puzzle.own_turns - (len(tried) + 1) // 2
    if answer and _is_over(puzzle, (*tried, answer)):
        return f"**{texts[-2]}** fails: your opponent answers **{texts[-1]}** and wins."
    if answer:
        return f"**{texts[-2]}** fails: after **{texts[-1]}** you can't win {_within(left)} any more."
    return f"**{texts[-1]}** doesn't win."


def _is_over(puzzle: Puzzle, played: Sequence[Actions]) -> bool:
    position, _ = replay_turns(puzzle.position.rules, played, puzzle.position)
    return position.result is not None


def rated_text(rated: tuple[int, int] | None, *, is_unrated: bool = False) -> str:
    """Return how a person's puzzle rating has changed, or why it has not though this was their first try."""
    if rated is None:
        return SOLUTION_POSTED if is_unrated else ""
    before, after = rated
    return f"Your puzzle rating: {before} → **{after}**"


def turn_texts(puzzle: Puzzle, played: Sequence[Actions], notation: Notation = OFFICIAL) -> list[str]:
    """Return turns from the position of a puzzle as texts."""
    position, texts = puzzle.position, list[str]()
    for actions in played:
        texts.append(escape_turn(turn_text(position, actions, notation)))
        position = position_after(position, actions)
    return texts


def solution_text(stored: StoredPuzzle, step: int, notation: Notation) -> str:
    """Return the solution of a puzzle, with the turn of a step in bold; step 0 is before the first."""
    texts = turn_texts(stored.puzzle, stored.puzzle.line, notation)
    shown = " · ".join(f"**{text}**" if number == step else text for number, text in enumerate(texts, 1))
    return join_lines(puzzle_heading(stored), f"Solution: {shown}", "The opponent's answers are the best defence.")


def daily_text(stored: StoredPuzzle) -> str:
    """Return the public message of a puzzle of the day."""
    heading = puzzle_heading(stored, is_daily=True)
    return join_lines(heading, "Only one first turn forces it. The solution comes tomorrow.")


def posted_solution_text(stored: StoredPuzzle, solvers: PuzzleSolvers) -> str:
    """Return the public message with a solution and its solvers."""
    line = " · ".join(turn_texts(stored.puzzle, stored.puzzle.line))
    heading = f"**The last puzzle of the day: {_mover(stored.puzzle)} won in {_words(stored.puzzle.own_turns)}**"
    return join_lines(heading, f"Solution: **{line}**", _solvers_text(solvers))


def _solvers_text(solvers: PuzzleSolvers) -> str:
    if not solvers.tried:
        return "Nobody tried it."
    if not solvers.solvers:
        return f"{solvers.tried} tried it. Nobody solved it on the first try."
    named = ", ".join(f"<@{user}>" for user in solvers.solvers[:MOST_NAMED])
    others = len(solvers.solvers) - MOST_NAMED
    more = f" and {others} more" if others > 0 else ""
    return f"Solved on the first try by {named}{more}: {len(solvers.solvers)} of {solvers.tried} who tried."
