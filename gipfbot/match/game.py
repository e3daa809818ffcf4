"""One game between two people. Pure: each action of a player gives the next game, or is refused.

The actions of an unfinished turn are the draft. When the engine passes the turn to the other player, the draft becomes
one turn.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache, wraps
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple, ParamSpec, TypeVar

from gipfbot.characters import cut_text, keep_signs
from gipfbot.notation import OFFICIAL, Notation, NotationError, action_code, position_text, read_turn_part, turn_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Result, Ruleset, legal, play, start
from gipfbot.rules.pending import Question, question

from .clock import UNTIMED, Clock, Terms
from .errors import Refused, Why

P = ParamSpec("P")
Reading = TypeVar("Reading")

NAMELESS = "Player"  # replaces a name of which nothing is left
LONGEST_NAME = 80  # characters; Discord's names have at most 32
# Letters and signs that look like nothing, beside the categories of controls and formats.
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\ufe0e\ufe0f"


def remember_reading(read: Callable[P, Reading]) -> Callable[P, Reading]:
    """Cache the recent results and errors of a pure function that reads a text. Use it as a decorator.

    All arguments must be hashable.
    """

    @lru_cache(maxsize=64)
    def outcome(*args: P.args, **kwargs: P.kwargs) -> tuple[Reading | None, NotationError | Refused | None]:
        try:
            return read(*args, **kwargs), None
        except (NotationError, Refused) as fault:
            return None, fault

    @wraps(read)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> Reading:
        found, fault = outcome(*args, **kwargs)  # type: ignore[arg-type]  # hashable, which a ParamSpec cannot say
        if fault:
            raise fault.with_traceback(None)
        return found  # type: ignore[return-value]  # None only beside a fault

    return remembered


def clean_name(name: str, nameless: str = NAMELESS) -> str:
    """Return a name without invisible characters, line ends, and signs that change the direction of text.

    A letter keeps its first three marks, and emoji of several signs stay whole. `nameless` replaces a name of which
    nothing is left.
    """
    kept = keep_signs(name, lambda sign: sign.isspace() or _is_visible(sign))
    tidy = cut_text(" ".join(_few_marks(kept).split()), LONGEST_NAME).strip()
    return tidy or nameless


def drop_controls(text: str) -> str:
    """Return a text without controls and signs that change the direction of text. Line ends and tabs stay."""
    return keep_signs(text, lambda sign: sign in "\n\t" or unicodedata.category(sign) not in ("Cc", "Cf"))


def _is_visible(sign: str) -> bool:
    return sign not in _BLANKS and unicodedata.category(sign)[0] != "C"


def _few_marks(text: str) -> str:
    """Return a text in which at most three combining marks follow each other."""
    kept, marks = [], 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign)[0] == "M" else 0
        if marks <= 3:
            kept.append(sign)
    return "".join(kept)


@dataclass(frozen=True)
class Seat:
    """One of the two players of a game: their Discord id, and their name at the start of the game."""

    user: int
    name: str


class Status(StrEnum):
    """The state of a game."""

    RUNNING = "running"
    OVER = "over"  # the position carries the result
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Turn:
    """A turn that was played, and the positions before and after it.

    >>> from gipfbot.rules import BASIC, PUSHES, Kind
    >>> _, turn = replay_turns(BASIC, [[PUSHES["a1", "b2", Kind.BASIC]]])
    >>> turn.turn_number, turn.colour.name, turn.text
    (1, 'WHITE', 'a1-c3')
    """

    turn_number: int  # counts the turns of both players, from 1
    colour: Colour
    text: str  # in official notation
    actions: tuple[Action, ...]
    before: Position
    after: Position


class Moment(NamedTuple):
    """When a game stood as a person saw it. It comes again only in the same position: a turn that was started over.

    `begun` is a check number of the unfinished turn that the person saw, 0 if they saw none.

    >>> str(Moment(5, 0, 217))
    '5.0.217'
    """

    turn_number: int
    taken_back: int
    begun: int

    def __str__(self) -> str:
        return ".".join(map(str, self))


@dataclass(frozen=True)
class Game:
    """A game at one moment. `version` rises with every change, so a button with an older version is stale.

    >>> from gipfbot.rules import STANDARD
    >>> game = new_game(7, STANDARD, (Seat(1, "Ann"), Seat(2, "Bob")))
    >>> game.turn_number, game.version, game.status.name, game.clock
    (0, 0, 'RUNNING', None)
    """

    id: int
    ruleset: Ruleset
    seats: ByColour[Seat]
    position: Position  # at the start of the current turn
    draft: tuple[Action, ...] = ()
    turn_number: int = 0  # turns played
    version: int = 0
    status: Status = Status.RUNNING
    last: Turn | None = None
    terms: Terms = UNTIMED
    clock: Clock | None = None  # None if there is no time control, or if the game has ended
    taken_back: int = 0  # turns taken back so far

    @property
    def turn_serial(self) -> int:
        """The serial of the current turn. It never repeats within a game: turns and takebacks only raise it."""
        return self.turn_number + 2 * self.taken_back

    @property
    def current(self) -> Position:
        """The position after the draft, and after the forced removals that follow the draft."""
        return position_after(self.position, (*self.draft, *self.forced))

    @property
    def forced(self) -> tuple[Action, ...]:
        """The forced removals that follow the draft. The player is not asked about them."""
        return forced_removals(self.position, self.draft)

    @property
    def question(self) -> Question | None:
        """The question for the player who has to decide. None if the game has ended."""
        return question(self.current) if self.status is Status.RUNNING else None

    @property
    def decider(self) -> Colour:
        """The colour of the player who has to decide, or who would be next if the game has ended."""
        return self.current.decider

    @property
    def asked(self) -> Colour | None:
        """The colour of the player who has to decide. None if the game has ended."""
        return self.decider if self.status is Status.RUNNING else None

    @property
    def answering(self) -> bool:
        """Whether the player who has to decide answers a question in the opponent's turn (R8.4)."""
        return self.decider is not self.position.mover

    @property
    def hand_overs(self) -> int:
        """How often the decision has passed from one player to the other within the current turn (R8.4)."""
        deciders, position = [self.position.mover], self.position
        for action in (*self.draft, *self.forced):
            position = play(position, action)
            deciders.append(position.decider)
        return sum(one is not other for one, other in pairwise(deciders))

    @property
    def public_actions(self) -> tuple[Action, ...]:
        """The actions of the current turn that everybody may see: those up to the last hand-over (R8.4).

        What a player has begun since is left out, with the forced removals that led back to the same player. Empty if
        the decision has not passed to the other player.
        """
        public, position, actor = 0, self.position, self.position.mover
        played = (*self.draft, *self.forced)
        for number, action in enumerate(played, 1):
            asked = question(position)
            actor = actor if asked and asked.forced == action else position.decider
            position = play(position, action)
            following = question(position)
            if position.decider is not actor and not (following and following.forced):
                public = number
        return played[:public]

    @property
    def may_start_over(self) -> bool:
        """Whether the player who has to decide has begun something of this turn that nobody else has seen."""
        return bool(self.draft) and replace(self, draft=self.public_actions).current != self.current

    @property
    def handed_over(self) -> bool:
        """Whether the opponent has decided something in the current turn, or has to do so now (R8.4)."""
        return self.hand_overs > 0

    def actions_seen_by(self, user: int) -> tuple[Action, ...]:
        """Return the actions of the current turn that a person knows: all of them only if they have to decide now."""
        decides = self.asked is not None and self.seats[self.asked].user == user
        return (*self.draft, *self.forced) if decides else self.public_actions

    def moment_for(self, user: int) -> Moment | None:
        """Return when the game stands as it does, as far as this person sees it. None once it has ended.

        The version also rises when the other player begins their turn, of which this person must not learn.
        """
        if self.asked is None:
            return None
        return Moment(self.turn_number, self.taken_back, _check_number(self.actions_seen_by(user)))

    def has_played(self, colour: Colour | None) -> bool:
        """Return whether this player has played a turn that could be taken back."""
        return self.turn_number > (self.position.mover is colour)

    @property
    def house_colour(self) -> Colour | None:
        """The colour of the house player; None in a game between two people."""
        return self.colour_of(self.terms.house.user) if self.terms.house else None

    @property
    def house_decides(self) -> bool:
        """Whether the house player has to decide, or would be next in a game that has ended."""
        return self.terms.house is not None and self.decider is self.house_colour

    @property
    def may_cancel(self) -> bool:
        """Whether the game may still be cancelled: until both players have moved, but never in a tournament."""
        return self.turn_number < 2 and self.terms.tournament is None

    def colour_of(self, user: int) -> Colour | None:
        """Return the colour that a person plays. None if they do not play in this game."""
        return next((colour for colour in Colour if self.seats[colour].user == user), None)


@dataclass(frozen=True)
class Performed:
    """A game after a player's actions. `turn` is the turn that the actions completed; None if it is unfinished.

    `decided` is the colour of the player who acted, if they are done: the turn is complete, or their opponent now has
    to decide (R8.4). It is None while they still have to decide.

    >>> from gipfbot.rules import BASIC, PUSHES, Kind
    >>> game = new_game(7, BASIC, (Seat(1, "Ann"), Seat(2, "Bob")))
    >>> done = perform(game, 1, [PUSHES["a1", "b2", Kind.BASIC]])
    >>> done.turn.text, done.decided.name, done.game.turn_number
    ('a1-c3', 'WHITE', 1)
    """

    game: Game
    turn: Turn | None = None
    decided: Colour | None = None


def new_game(game_id: int, ruleset: Ruleset, seats: ByColour[Seat], terms: Terms = UNTIMED) -> Game:
    """Return a game at its start. Its clock does not run yet."""
    return Game(game_id, ruleset, seats, start(ruleset), terms=terms)


def position_after(position: Position, actions: Sequence[Action]) -> Position:
    """Return the position after these actions. Does not check that they are legal."""
    for action in actions:
        position = play(position, action)
    return position


def replay_turns(
    ruleset: Ruleset, turns: Sequence[Sequence[Action]], begin: Position | None = None
) -> tuple[Position, Turn | None]:
    """Return the position after these turns, played from the start, and the last turn (None without turns).

    If `begin` is given, they are played from there. Turns are numbered as in a record: if Black begins, the first turn
    has the number 2. Does not check that the turns are legal. Recent replays are cached.
    """
    return _remembered_replay(ruleset, tuple(tuple(actions) for actions in turns), begin)


@lru_cache(maxsize=64)  # a long game takes some milliseconds, and the answer to one press needs it several times
def _remembered_replay(
    ruleset: Ruleset, turns: tuple[tuple[Action, ...], ...], begin: Position | None
) -> tuple[Position, Turn | None]:
    return _replay(ruleset, turns, begin)


def _replay(
    ruleset: Ruleset, turns: tuple[tuple[Action, ...], ...], begin: Position | None
) -> tuple[Position, Turn | None]:
    before = position = begin or start(ruleset)
    skipped = int(position.mover is Colour.BLACK)
    for actions in turns:
        before, position = position, position_after(position, actions)
    if not turns:
        return position, None
    last = turns[-1]
    return position, Turn(skipped + len(turns), before.mover, turn_text(before, last), last, before, position)


def forced_removals(turn_start: Position, draft: tuple[Action, ...] = ()) -> tuple[Action, ...]:
    """Return the forced removals of a turn that follow a draft. The player is not asked about them."""
    position, forced = position_after(turn_start, draft), []
    while position.mover is turn_start.mover and (asked := question(position)) and asked.forced:
        forced.append(asked.forced)
        position = play(position, asked.forced)
    return tuple(forced)


def perform(game: Game, by: int, actions: Sequence[Action], version: int | None = None) -> Performed:
    """Return the game after the next actions of the player `by`. Without actions, nothing changes.

    Forced removals before, between and after the actions are done for the player. `version` is the game's version on
    the button that was pressed; None without a button. Raises Refused if the game is over, if `version` is old, if it
    is not this player's turn, or if an action is illegal or for the other player to decide.
    """
    check_turn(game, by, version)
    draft, colour = game.draft, check_player(game, by)
    for action in actions:
        draft = _extend_draft(game.position, draft, action, colour)
    if not actions:
        return Performed(game)
    draft += forced_removals(game.position, draft)
    changed = replace(game, draft=draft, version=game.version + 1)
    if _has_passed(game.position, draft):
        return _complete_draft(changed, colour)
    return Performed(changed, decided=None if changed.decider is colour else colour)


def start_turn_over(game: Game, by: int, version: int | None = None) -> Game:
    """Return the game without what the player `by` has begun and nobody else has seen. What is public stays (R3.5).

    `version` is as in `perform`. Raises Refused if the game is over, if `version` is old, if it is not this player's
    turn, or if they have begun nothing.
    """
    check_turn(game, by, version)
    if not game.may_start_over:
        raise Refused(Why.NOT_POSSIBLE)
    return replace(game, draft=game.public_actions, version=game.version + 1)


def _extend_draft(turn_start: Position, draft: tuple[Action, ...], action: Action, by: Colour) -> tuple[Action, ...]:
    """Return the draft with the next action of a player. An action that is forced may also be the opponent's."""
    following = forced_removals(turn_start, draft)
    if action in following[:1]:
        return (*draft, action)
    for forced in ((), following):
        now = position_after(turn_start, (*draft, *forced))
        if now.mover is turn_start.mover and now.decider is by and action in legal(now):
            return (*draft, *forced, action)
    raise Refused(Why.ILLEGAL)


def _has_passed(turn_start: Position, draft: tuple[Action, ...]) -> bool:
    return position_after(turn_start, draft).mover is not turn_start.mover


def _complete_draft(game: Game, by: Colour) -> Performed:
    after = position_after(game.position, game.draft)
    mover, number = game.position.mover, game.turn_number + 1
    turn = Turn(number, mover, turn_text(game.position, game.draft), game.draft, game.position, after)
    status = Status.OVER if after.result else Status.RUNNING
    return Performed(replace(game, position=after, draft=(), turn_number=number, status=status, last=turn), turn, by)


@remember_reading
def read_typed_turn(game: Game, by: int, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of a turn that a player has typed, or of the rest of a turn. `notation` is the player's own.

    Raises Refused if this player does not have to decide now. Raises ParseError, IllegalTurn or OpenTurn for the text.
    """
    check_turn(game, by)
    return read_turn_part(game.position, game.draft, text, notation)


def check_turn(game: Game, by: int, version: int | None = None) -> None:
    """Raise Refused unless this person has to decide now in a running game.

    Also raises Refused if `version`, the game's version on a pressed button, is old. None stands for no button.
    """
    colour = check_running_player(game, by)
    if version is not None and version != game.version:
        raise Refused(Why.STALE)
    if colour is not game.asked:
        name = game.seats[colour.other].name
        raise Refused(Why.NOT_YOUR_TURN, game=game.id, waiting_for=name, decision=game.answering)


def _check_number(actions: Sequence[Action]) -> int:
    """Return a number below 2**24 that tells apart the beginnings of a turn; 0 if nothing has begun."""
    codes = ";".join(map(action_code, actions))
    return int.from_bytes(blake2b(codes.encode(), digest_size=3).digest()) if codes else 0


def check_moment(game: Game, by: int, at: Moment | None) -> None:
    """Raise Refused if what this person sees of a game has changed since the moment `at`."""
    if at != game.moment_for(by):
        raise Refused(Why.STALE)


def check_running(game: Game, why: Why = Why.OVER) -> None:
    """Raise Refused for this reason if the game has ended."""
    if game.status is not Status.RUNNING:
        raise Refused(why)


def check_player(game: Game, user: int) -> Colour:
    """Return the colour that a person plays. Raises Refused if they do not play in this game."""
    colour = game.colour_of(user)
    if colour is None:
        raise Refused(Why.NOT_A_PLAYER)
    return colour


def check_running_player(game: Game, user: int) -> Colour:
    """Return the colour that a person plays. Raises Refused if they do not play in this game, or if it has ended."""
    colour = check_player(game, user)
    check_running(game)
    return colour


def resign_game(game: Game, by: int) -> Game:
    """Return the game after a player has resigned, which they may do at either player's turn (R6.5).

    Raises Refused if they do not play in this game, or if it has ended.
    """
    colour = check_running_player(game, by)
    return lose_game(game, colour, Reason.RESIGN)


def lose_game(game: Game, colour: Colour, reason: Reason) -> Game:
    """Return the game as lost by this player, for a reason such as time or resignation.

    Does not check that the game is running.
    """
    return _end_game(game, Result(colour.other, reason))


def cancel_game(game: Game, by: int) -> Game:
    """Return the game after a player has cancelled it.

    Raises Refused if they do not play in this game, if it has ended, if it belongs to a tournament, or if both players
    have moved.
    """
    check_running_player(game, by)
    if not game.may_cancel:
        raise Refused(Why.TOO_LATE_TO_CANCEL if game.terms.tournament is None else Why.TOURNAMENT_NOT_CANCELLED)
    return replace(game, status=Status.CANCELLED, draft=(), version=game.version + 1, clock=None)


def void_game(game: Game) -> Game:
    """Return the game as void by repetition (R6.3). Does not check that the position occurs for the third time."""
    return _end_game(game, Result(None, Reason.REPETITION))


def agree_draw(game: Game) -> Game:
    """Return the game as drawn by agreement (R8.5). Does not check that its rules know this, or that both agreed."""
    return _end_game(game, Result(None, Reason.AGREEMENT))


def _end_game(game: Game, result: Result) -> Game:
    position = game.position._replace(result=result)
    return replace(game, position=position, draft=(), status=Status.OVER, version=game.version + 1, clock=None)


def position_code(position: Position) -> str:
    """Return the first 8 digits of a position's hash, for the `custom_id` of a button about a turn that led to it."""
    return position_hash(position)[:8]


def position_hash(position: Position) -> str:
    """Return the hash of a position at the start of a turn, as 32 hexadecimal digits.

    Equal hashes within a game mean a repetition (R6.3).
    """
    unended = position if position.result is None else position._replace(result=None)
    return blake2b(position_text(unended).encode(), digest_size=16).hexdigest()
