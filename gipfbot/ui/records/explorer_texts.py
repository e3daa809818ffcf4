"""The texts of the explorer: what was played next from a position, and how these games ended."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.match.explorer import EXPLORED_TURNS
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import ruleset_words
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.records.explorer import ExplorerView, NextTurn
from gipfbot.ui.kit.texts import escape_text, escape_turn, join_lines, short_turn, shorten_text
from gipfbot.values import ExploredTurn, ListedGame

from .study_texts import last_turn_text

BACK_LABEL, NEXT_RECORDED_LABEL = "Back", "Next turn"
IN_RECORD = "played here"
GAME_ENDS = "The game ends here, so no turn follows."
TOO_LATE = f"The explorer knows only the first {EXPLORED_TURNS} turns of each game. Go back to see what it knows."
UNKNOWN_POSITION = "No finished game has gone on from this position yet."
LONGEST_EXPLORED_TURN, LONGEST_TURN_LABEL = 60, 20  # characters


def explorer_text(view: ExplorerView, game: Game, notation: Notation) -> str:
    """Return what stands above the turns: the position, and in how many games it went on. `game` is the one shown."""
    last = last_turn_text(game, notation)
    where = f"after **{escape_turn(last)}**" if last else "the start"
    heading = f"**Explorer** · {ruleset_words(game.ruleset.name)} · {where}"
    return join_lines(heading, _games_text(view))


def _games_text(view: ExplorerView) -> str:
    if view.position.result:
        return GAME_ENDS
    if not view.games:
        return TOO_LATE if view.is_too_late else UNKNOWN_POSITION
    return f"Played next, in {finished_games_text(view.games)}:"


def finished_games_text(number: int) -> str:
    """Return a number of finished games in words."""
    return f"{number} finished game{'' if number == 1 else 's'}"


def explorer_caption(game: Game, notation: Notation) -> str:
    """Return the caption in the picture of a position of the explorer."""
    return f"Explorer · {last_turn_text(game, notation) or 'the start'}"


def next_turn_line(view: ExplorerView, turn: NextTurn, notation: Notation) -> str:
    """Return the line of a turn: in how many games it was played, and how they ended."""
    text = shorten_text(turn_text(view.position, turn.actions, notation), LONGEST_EXPLORED_TURN)
    games = f"{turn.counted.games} game{'' if turn.counted.games == 1 else 's'}"
    parts = f"**{escape_turn(text)}**", IN_RECORD if turn.in_record else "", games, results_text(turn.counted)
    return " · ".join(filter(None, parts))


def next_turn_label(view: ExplorerView, turn: NextTurn, notation: Notation) -> str:
    """Return the label of the button that goes on to the position after a turn."""
    return f"▶ {shorten_text(short_turn(turn_text(view.position, turn.actions, notation)), LONGEST_TURN_LABEL)}"


def results_text(counted: ExploredTurn) -> str:
    """Return how games ended, such as `White won 62 %, Black won 38 %`. What never happened is left out."""
    numbers = counted.white, counted.drawn, counted.black
    shares = zip(("White won", "drawn", "Black won"), _per_cents(numbers), numbers, strict=True)
    return ", ".join(f"{how} {share} %" for how, share, number in shares if number)


def _per_cents(numbers: Sequence[int]) -> list[int]:
    """Return the shares of numbers in whole per cent, which come to 100. Does not check that there are any."""
    whole = [100 * number // sum(numbers) for number in numbers]
    missing = 100 - sum(whole)
    largest = sorted(range(len(numbers)), key=lambda at: -(100 * numbers[at] % sum(numbers)))[:missing]
    return [share + (at in largest) for at, share in enumerate(whole)]


def other_turns_text(view: ExplorerView) -> str:
    """Return the line about the turns that are not shown. Empty if all are shown."""
    if not view.other_turns:
        return ""
    games = view.games - sum(turn.counted.games for turn in view.next_turns)
    turns = f"{view.other_turns} other turn{'' if view.other_turns == 1 else 's'}"
    return f"And {turns}, in {finished_games_text(games)}."


def newest_games_text(games: Sequence[ListedGame]) -> str:
    """Return the line that names the newest games. Empty if there are none."""
    named = (f"**{game_name(game.id)}** {escape_text(game.names[0])} vs {escape_text(game.names[1])}" for game in games)
    return f"Newest games: {' · '.join(named)}" if games else ""


def replay_game_label(game: int) -> str:
    """Return the label of the button that replays one of the newest games."""
    return f"Replay {game_name(game)}"
