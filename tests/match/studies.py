"""Studies of a Standard game, with turns tried in them."""

from gipfbot.match import position_after
from gipfbot.match.study import Actions, Study, perform_in_study, read_study_turn
from gipfbot.notation import parse_turn
from gipfbot.rules import STANDARD, Ruleset, start
from tests.support.games import PLAYED

CHOICE = 4  # the place before it


def turns_of(texts: tuple[str, ...], ruleset: Ruleset = STANDARD) -> tuple[Actions, ...]:
    """Return the actions of these turns."""
    position, turns = start(ruleset), []
    for text in texts:
        turns.append(parse_turn(position, text))
        position = position_after(position, turns[-1])
    return tuple(turns)


def study(place: int = 0, texts: tuple[str, ...] = PLAYED) -> Study:
    """Return a study of a Standard game between ann and bob."""
    return Study(12, STANDARD, ("ann", "bob"), turns_of(texts), place)


def tried(begun: Study, *texts: str) -> Study:
    """Return the study after these turns have been typed."""
    for text in texts:
        begun = perform_in_study(begun, read_study_turn(begun, text))
    return begun
