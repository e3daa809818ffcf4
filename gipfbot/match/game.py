"""One game between two people. Pure: a game and what a person does give the next game, or a refusal.

Decide by action, commit by turn: the actions of the unfinished turn are a draft, and become one turn when the engine
passes the turn on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b

from gipfbot.notation import OFFICIAL, Notation, position_text, read_turn_part, turn_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Result, Ruleset, legal, play, start
from gipfbot.rules.pending import Question, question

from .clock import UNTIMED, Clock, Terms
from .errors import Refused, Why


@dataclass(frozen=True)
class Seat:
    """A player of a game: the Discord id, and the name at the start of the game."""

    user: int
    name: str


class Status(StrEnum):
    """What has become of a game."""

    RUNNING = "running"
    OVER = "over"  # the position carries the result
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Turn:
    """A turn that was played: its number from 1 (both players together), the notation, and where it led."""

    turn_number: int
    colour: Colour
    text: str
    actions: tuple[Action, ...]
    before: Position
    after: Position


@dataclass(frozen=True)
class Game:
    """A game as it stands. `version` goes up with every change, so that what was drawn for an older one is known."""

    id: int
    ruleset: Ruleset
    seats: ByColour[Seat]
    position: Position  # at the start of the turn
    draft: tuple[Action, ...] = ()
    turn_number: int = 0  # turns played
    version: int = 0
    status: Status = Status.RUNNING
    last: Turn | None = None
    terms: Terms = UNTIMED
    clock: Clock | None = None  # without a pace there is none
    taken_back: int = 0  # turns taken back so far

    @property
    def turn_serial(self) -> int:
        """What a turn is asked under: it rises with each turn and with each one taken back, and never comes again."""
        return self.turn_number + 2 * self.taken_back

    @property
    def current(self) -> Position:
        """The position after the draft, and after the removals then due that leave no choice."""
        return position_after(self.position, (*self.draft, *self.forced))

    @property
    def forced(self) -> tuple[Action, ...]:
        """The removals without a choice that follow the draft: nobody is asked about them."""
        return _forced_removals(self.position, self.draft)

    @property
    def question(self) -> Question | None:
        """What is asked now; None when the game has ended."""
        return question(self.current) if self.status is Status.RUNNING else None

    @property
    def asked(self) -> Colour | None:
        """The player whose decision is pending, None when the game has ended."""
        return self.current.decider if self.status is Status.RUNNING else None

    @property
    def may_cancel(self) -> bool:
        """Whether it can still be called off: not both have moved."""
        return self.turn_number < 2

    def colour_of(self, user: int) -> Colour | None:
        """Return the colour this person plays, or None."""
        return next((colour for colour in Colour if self.seats[colour].user == user), None)


@dataclass(frozen=True)
class Performed:
    """A game after an answer, and the turn that it completed, if it did."""

    game: Game
    turn: Turn | None = None


def new_game(game_id: int, ruleset: Ruleset, seats: ByColour[Seat], terms: Terms = UNTIMED) -> Game:
    """Return a game at its start; its clock does not run yet."""
    return Game(game_id, ruleset, seats, start(ruleset), terms=terms)


def position_after(position: Position, actions: Sequence[Action]) -> Position:
    """Return the position after these actions, which are not checked."""
    for action in actions:
        position = play(position, action)
    return position


def replay_turns(ruleset: Ruleset, turns: Sequence[Sequence[Action]]) -> tuple[Position, Turn | None]:
    """Return the position after these turns from the start of a game, and the last of them; none is checked."""
    before = position = start(ruleset)
    for actions in turns:
        before, position = position, position_after(position, actions)
    if not turns:
        return position, None
    last = tuple(turns[-1])
    return position, Turn(len(turns), before.mover, turn_text(before, last), last, before, position)


def _forced_removals(turn_start: Position, draft: tuple[Action, ...]) -> tuple[Action, ...]:
    position, forced = position_after(turn_start, draft), []
    while position.mover is turn_start.mover and (asked := question(position)) and asked.forced:
        forced.append(asked.forced)
        position = play(position, asked.forced)
    return tuple(forced)


def perform(game: Game, by: int, actions: Sequence[Action], version: int | None = None) -> Performed:
    """Return the game after a player's next actions, each of which has to be legal.

    Removals that leave no choice are played for him, before, between and after them. Without actions nothing changes.
    `version` is that of the game his answer was drawn for. Raises Refused: over, not a player, stale, not his turn, or
    illegal.
    """
    check_turn(game, by, version)
    draft = game.draft
    for action in actions:
        draft = _extend_draft(game.position, draft, action)
    if not actions:
        return Performed(game)
    draft += _forced_removals(game.position, draft)
    changed = replace(game, draft=draft, version=game.version + 1)
    return _complete_draft(changed) if _has_passed(game.position, draft) else Performed(changed)


def _extend_draft(turn_start: Position, draft: tuple[Action, ...], action: Action) -> tuple[Action, ...]:
    for forced in ((), _forced_removals(turn_start, draft)):
        now = position_after(turn_start, (*draft, *forced))
        if now.mover is turn_start.mover and action in legal(now):
            return (*draft, *forced, action)
    raise Refused(Why.ILLEGAL)


def _has_passed(turn_start: Position, draft: tuple[Action, ...]) -> bool:
    return position_after(turn_start, draft).mover is not turn_start.mover


def _complete_draft(game: Game) -> Performed:
    after = position_after(game.position, game.draft)
    mover, number = game.position.mover, game.turn_number + 1
    turn = Turn(number, mover, turn_text(game.position, game.draft), game.draft, game.position, after)
    status = Status.OVER if after.result else Status.RUNNING
    return Performed(replace(game, position=after, draft=(), turn_number=number, status=status, last=turn), turn)


def read_typed_turn(game: Game, by: int, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions that a typed turn, or the remaining part of one, means now; `notation` is the player's own.

    Raises Refused as `perform` does, and the three kinds of NotationError.
    """
    check_turn(game, by)
    return read_turn_part(game.position, game.draft, text, notation)


def check_turn(game: Game, by: int, version: int | None = None) -> None:
    """Raise Refused unless this person is asked now, about the version his answer was drawn for."""
    colour = check_running_player(game, by)
    if version is not None and version != game.version:
        raise Refused(Why.STALE)
    if colour is not game.asked:
        raise Refused(Why.NOT_YOUR_TURN, waiting_for=game.seats[colour.other].name)


def check_running(game: Game) -> None:
    """Raise Refused when the game has ended."""
    if game.status is not Status.RUNNING:
        raise Refused(Why.OVER)


def check_player(game: Game, user: int) -> Colour:
    """Return the colour that a person plays; raise Refused where he does not."""
    colour = game.colour_of(user)
    if colour is None:
        raise Refused(Why.NOT_A_PLAYER)
    return colour


def check_running_player(game: Game, user: int) -> Colour:
    """Return the colour that a person plays in a game that runs; raise Refused where he does not, or it has ended."""
    colour = check_player(game, user)
    check_running(game)
    return colour


def resign_game(game: Game, by: int) -> Game:
    """Return the game given up by a player, at whoever's turn (R6.5). Raises Refused."""
    colour = check_running_player(game, by)
    return lose_game(game, colour, Reason.RESIGN)


def lose_game(game: Game, colour: Colour, reason: Reason) -> Game:
    """Return the game lost by a player for another reason than a turn; that it runs is not checked."""
    return _end_game(game, Result(colour.other, reason))


def cancel_game(game: Game, by: int) -> Game:
    """Return the game called off, which either side may do before both have moved. Raises Refused."""
    check_running_player(game, by)
    if not game.may_cancel:
        raise Refused(Why.TOO_LATE_TO_CANCEL)
    return replace(game, status=Status.CANCELLED, draft=(), version=game.version + 1, clock=None)


def void_game(game: Game) -> Game:
    """Return the game void by repetition (R6.3); that the position stands for the third time is not checked."""
    return _end_game(game, Result(None, Reason.REPETITION))


def _end_game(game: Game, result: Result) -> Game:
    position = game.position._replace(result=result)
    return replace(game, position=position, draft=(), status=Status.OVER, version=game.version + 1, clock=None)


def position_hash(position: Position) -> str:
    """Return the digest by which equal positions at the start of a turn are known (R6.3): 32 hexadecimal digits."""
    return blake2b(position_text(position._replace(result=None)).encode(), digest_size=16).hexdigest()
