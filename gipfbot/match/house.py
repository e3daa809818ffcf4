"""The house player: the bot itself as an opponent, at one of eight levels. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from gipfbot.rules import Action, Position, Ruleset, legal, play, start
from gipfbot.rules.sentences import Sentence

from .errors import Refused, Why

LEVEL_NAMES = {
    1: Sentence("Beginner"),
    2: Sentence("Novice"),
    3: Sentence("Amateur"),
    4: Sentence("Capable"),
    5: Sentence("Seasoned"),
    6: Sentence("Skilled"),
    7: Sentence("Strong"),
    8: Sentence("Expert"),
}
HOUSE_LEVELS = len(LEVEL_NAMES)
RESIGNING_LEVELS = 5  # the lowest level that resigns
LOST_TURNS = 4  # a loss within so many turns of both players (two each) is a reason to resign
STANDS_WORSE = -50  # hundredths of a piece: the bot accepts a draw in a position this bad


@dataclass(frozen=True)
class House:
    """The house player of a game: its level, 1 to 8, and the user of its seat, which is the bot's.

    `engine` names the engine that was chosen to play for it; empty for the bot itself.
    """

    level: int
    user: int
    engine: str = ""


def house_name(engine: str, level: int) -> Sentence:
    """Return the name of the bot as a player of a level, or of the engine that plays instead: `GIPF Novice`."""
    return Sentence("{engine} {level}", engine=engine, level=LEVEL_NAMES[level])


def check_level(level: int) -> None:
    """Raise Refused for a level that does not exist."""
    if not 1 <= level <= HOUSE_LEVELS:
        raise Refused(Why.NOT_OFFERED, option="level", value=level)


def positions_before(
    ruleset: Ruleset, turns: Sequence[Sequence[Action]], begin: Position | None = None
) -> tuple[Position, ...]:
    """Return the positions at the start of these turns. Does not check that they are legal.

    They are played from `begin`, or from the start of a game if it is None. Raises ValueError if they cannot be played.
    It never raises StopIteration, which a thread could not pass on.
    """
    position, before = begin or start(ruleset), list[Position]()
    try:
        for actions in turns:
            before.append(position)
            for action in actions:
                position = play(position, action)
    except StopIteration as error:
        raise ValueError("the turns cannot be played from the start") from error
    return tuple(before)


def decide_plainly(position: Position) -> tuple[Action, ...]:
    """Return a legal decision of the player who is asked, without a search: always the first legal action.

    The decision is the rest of their turn, or their answer in the opponent's turn (R8.4).
    """
    decider, mover, actions = position.decider, position.mover, list[Action]()
    while position.result is None and (position.decider, position.mover) == (decider, mover):
        actions.append(legal(position)[0])
        position = play(position, actions[-1])
    return tuple(actions)
