"""Replay a stored game from its turns, and say what does not fit the rules."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from gipfbot.match import position_hash
from gipfbot.match.explorer import play_whole_turn
from gipfbot.notation import turn_text
from gipfbot.rules import Action, Colour, Position, Ruleset, play, start
from gipfbot.store.game_rows import WholeGame, parse_actions
from gipfbot.store.unreadable import READ_ERRORS

People = Callable[[int], int]  # returns the id under which a person is stored


@dataclass
class Replayed:
    """A game after its turns: the position, the one before the last turn, and the hashes of all positions.

    `faults` are sentences about turns. If a turn could not be played, `broken` is True, and the replay ends before it.
    """

    position: Position
    before: Position | None = None
    hashes: list[str] = field(default_factory=list)
    answered: list[bool] = field(default_factory=list)  # of each turn, whether the opponent decided in it (R8.4)
    faults: list[str] = field(default_factory=list)
    broken: bool = False


def replay_stored(game: WholeGame, ruleset: Ruleset, people: People) -> Replayed:
    """Return a game replayed from its stored turns."""
    replayed = Replayed(start(ruleset))
    replayed.hashes.append(position_hash(replayed.position))
    for number, row in enumerate(game.turns, 1):
        before = replayed.position
        try:
            actions = parse_actions(row.actions)
            after = play_whole_turn(before, actions)
            text, answered = turn_text(before, actions), _is_answered(before, actions)
        except READ_ERRORS as error:
            replayed.faults.append(f"turn {number}, stored as {row.text!r}, cannot be played: {error}")
            replayed.broken = True
            break
        replayed.position, replayed.before = after, before
        replayed.hashes.append(position_hash(after))
        replayed.answered.append(answered)
        replayed.faults += _turn_faults(game, number, before, text, replayed.hashes[-1], people)
    return replayed


def _is_answered(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the opponent decided something in a turn (R8.4)."""
    position = before
    for action in actions:
        if position.decider is not before.mover:
            return True
        position = play(position, action)
    return False


def _turn_faults(
    game: WholeGame, number: int, before: Position, text: str, reached: str, people: People
) -> Iterator[str]:
    """Yield what is stored of a turn in another way than the replay has it."""
    row = game.turns[number - 1]
    players = (game.row.white_user, game.row.black_user)
    if row.turn_number != number:
        yield differs(f"the number of turn {number}", row.turn_number, number)
    if row.colour != before.mover:
        yield differs(f"the colour of turn {number}", _colour_name(row.colour), _colour_name(before.mover))
    elif people(row.by) != people(players[before.mover]):
        yield differs(f"the player of turn {number}", row.by, players[before.mover])
    if row.text != text:
        yield differs(f"the text of turn {number}", row.text, text)
    if row.position_hash != reached:
        yield differs(f"the hash of the position after turn {number}", row.position_hash, reached)


def _colour_name(colour: int) -> str:
    return Colour(colour).name.capitalize() if colour in tuple(Colour) else str(colour)


def differs(what: str, stored: object, expected: object) -> str:
    """Return the sentence on a stored value that is not the expected one."""
    return f"{what} is stored as {stored!r}, but it must be {expected!r}"
