"""The texts of a practice: a position that a person plays on against the bot."""

from gipfbot.match.study import practice_colour, study_game
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Colour, Reason, play
from gipfbot.ui.kit.texts import escape_text, escape_turn, join_lines
from gipfbot.values import StoredStudy

START_OVER_LABEL = "Start over"
PRACTICE_BEGINS = "Play on from here: the bot answers. Only you see this, and there is no clock and no rating."
PRACTICE_MOVED_ON = "You have played on since then. Here is the current board."
BY_RULES = "The bot's engine was busy or failed, so the bot played the first turn that the rules allow."
BOT_THINKS = "The bot is thinking…"
NEXT_GAME_TEXT = "Next: **/gipf challenge** with a `level` plays a whole game against the bot."
ENDED_BY = {
    Reason.GIPF: {True: "the bot has no GIPF-piece left.", False: "you have no GIPF-piece left."},
    Reason.RESERVE: {True: "the bot has no piece left to push.", False: "you have no piece left to push."},
}


def practice_heading(stored: StoredStudy) -> str:
    """Return the first line of a practice: its title, the person's colour and the level of the bot."""
    colour = practice_colour(stored.study)
    return f"**Practice · {escape_text(stored.title)}** · you are {colour}, the bot plays at level {stored.level}"


def last_turns_text(stored: StoredStudy, notation: Notation) -> str:
    """Return the line on the last turn of each player: what the person has played, and what the bot has answered."""
    study, turns = stored.study, list[tuple[Colour, str]]()
    position = study.start_position
    assert position, "a practice begins at a position"
    for actions in study.tried:
        turns.append((position.mover, turn_text(position, actions, notation)))
        for action in actions:
            position = play(position, action)
    own = practice_colour(study)
    return " · ".join(f"{'You' if by is own else 'Bot'}: **{escape_turn(text)}**" for by, text in turns[-2:])


def practice_end_text(stored: StoredStudy) -> str:
    """Return how a practice has ended, and what comes next. Empty as long as it goes on."""
    result = study_game(stored.study).position.result
    if result is None:
        return ""
    if result.winner is None:
        return join_lines("This position stands for the third time, so nobody wins.", NEXT_GAME_TEXT)
    won = result.winner is practice_colour(stored.study)
    why = ENDED_BY.get(result.by, {}).get(won, "")
    said = "**You win!**" if won else "**The bot wins.**"
    return join_lines(f"{said} {why[:1].upper()}{why[1:]}".strip(), NEXT_GAME_TEXT)
