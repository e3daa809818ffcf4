"""Practice: a study of a position that a person plays on, and in which the bot answers. Pure."""

from dataclasses import replace

from gipfbot.rules import Colour, Position

from .errors import Refused, Why
from .game import forced_removals, position_after
from .study import Actions, Study, step_back, study_game

MOST_PRACTICES = 5  # that one person may have; they are no studies of theirs
PERSON_NAME, BOT_NAME = "You", "Bot"


def begin_practice(position: Position, played: Actions = (), *, own_turn: bool = False) -> Study:
    """Return a practice from this position, at the start of a turn, after the first actions `played` of the turn.

    The person plays the colour that decides there. If these actions end the turn, the practice begins after it. With
    `own_turn`, that turn is the person's own, and the bot has to answer it. Raises Refused if the game is over.
    """
    draft = (*played, *forced_removals(position, played)) if played else ()
    after = position_after(position, draft)
    if after.result:
        raise Refused(Why.OVER)
    if after.mover is position.mover:
        return replace(_practice_at(position), draft=draft)
    return replace(_practice_at(position), tried=(draft,)) if own_turn else _practice_at(after)


def _practice_at(position: Position) -> Study:
    names = (PERSON_NAME, BOT_NAME) if position.decider is Colour.WHITE else (BOT_NAME, PERSON_NAME)
    return Study(0, position.rules, names, (), start_position=position)


def practice_colour(study: Study) -> Colour:
    """Return the colour of the person in a practice."""
    assert study.start_position, "a study in which the bot answers begins at a position"
    return study.start_position.decider


def bot_decides(study: Study) -> bool:
    """Return whether the bot has to decide something in a practice."""
    return study_game(study).asked == practice_colour(study).other


def take_back_own(study: Study) -> Study:
    """Return the practice before the last turn of the person, with the bot's answer taken back, too."""
    study = step_back(study)
    while bot_decides(study):
        study = step_back(study)
    return study
