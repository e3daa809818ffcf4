"""Check a game: replay it from its turns, and compare what is stored."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

from gipfbot.match import Game, Seat, Status, Terms, TimeControl, position_hash
from gipfbot.match.explorer import play_whole_turn
from gipfbot.match.ratings import pool_of
from gipfbot.notation import parse_action_code, position_text, turn_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Result, Ruleset, legal, play, start
from gipfbot.store.database import READ_ERRORS
from gipfbot.store.game_rows import PlayedRow, StoredRow, WholeGame, parse_actions, read_game
from gipfbot.store.games import TAKEBACK, VOID

People = Callable[[int], int]  # returns the id under which a person is stored

Bank = ByColour[int]

ON_THE_BOARD = (Reason.GIPF, Reason.RESERVE)  # how a turn ends a game
WINNERS = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}
RESIGN, DRAWN = "resign", "draw_accepted"  # kinds of events


class PlayedTurn(NamedTuple):
    """What the row of a turn must be, as its game is replayed: `player` is the id that stands for the person."""

    number: int
    colour: Colour
    player: int
    text: str
    reached: str  # the hash of the position after it


@dataclass
class Replayed:
    """A game replayed: its turns, and the position before each and after the last.

    `faults` are sentences about turns. If a turn could not be played, `broken` is True, and the replay ends before it.
    """

    positions: list[Position] = field(default_factory=list)
    turns: list[tuple[Action, ...]] = field(default_factory=list)
    answered: list[bool] = field(default_factory=list)  # for each turn: whether the opponent decided in it (R8.4)
    faults: list[str] = field(default_factory=list)
    broken: bool = False

    @property
    def position(self) -> Position:
        """The position after the last turn."""
        return self.positions[-1]

    @property
    def before(self) -> Position | None:
        """The position before the last turn; None if there is no turn."""
        return self.positions[-2] if self.turns else None


def replay_stored(game: WholeGame, ruleset: Ruleset, people: People) -> Replayed:
    """Return a game replayed from its stored turns."""
    replayed, after = Replayed(), start(ruleset)
    replayed.positions.append(after)
    players = game.row.white_user, game.row.black_user
    for number, row in enumerate(game.turns, 1):
        before = after
        try:
            actions = parse_actions(row.actions)
            after = play_whole_turn(before, actions)
            text, answered = turn_text(before, actions), _is_answered(before, actions)
        except READ_ERRORS as error:
            replayed.faults.append(f"turn {number}, stored as {row.text!r}, cannot be played: {error}")
            replayed.broken = True
            break
        replayed.positions.append(after)
        replayed.turns.append(actions)
        replayed.answered.append(answered)
        expected = PlayedTurn(number, before.mover, people(players[before.mover]), text, position_hash(after))
        if expected != (row.turn_number, row.colour, people(row.by), row.text, row.position_hash):
            replayed.faults += _turn_faults(row, expected, people)
    return replayed


def _is_answered(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the opponent decided something in a turn (R8.4)."""
    position = before
    for action in actions if before.rules.asks_opponent else ():
        if position.decider is not before.mover:
            return True
        position = play(position, action)
    return False


def _turn_faults(row: PlayedRow, expected: PlayedTurn, people: People) -> Iterator[str]:
    """Yield a sentence for each stored value of a turn that differs from the replay."""
    number, colour, player, text, reached = expected
    if row.turn_number != number:
        yield differs(f"the number of turn {number}", row.turn_number, number)
    if row.colour != colour:
        yield differs(f"the colour of turn {number}", _colour_name(row.colour), _colour_name(colour))
    elif people(row.by) != player:
        yield differs(f"the player of turn {number}", row.by, player)
    if row.text != text:
        yield differs(f"the text of turn {number}", row.text, text)
    if row.position_hash != reached:
        yield differs(f"the hash of the position after turn {number}", row.position_hash, reached)


def _colour_name(colour: int) -> str:
    return Colour(colour).name.capitalize() if colour in tuple(Colour) else str(colour)


def differs(what: str, stored: object, expected: object) -> str:
    """Return the sentence on a stored value that is not the expected one."""
    return f"{what} is stored as {stored!r}, but it must be {expected!r}"


def clock_faults(
    game: WholeGame, terms: Terms, replayed: Replayed, asked: Colour | None, *, carries_time: bool
) -> Iterator[str]:
    """Yield a sentence for each impossible value of a game's clock.

    `asked` is the colour of the player who has to decide; None if the game has ended. `carries_time` says whether the
    game began with the time left of a void one (R6.3).
    """
    timed = terms.time_control is not None
    for number, row in enumerate(game.turns, 1):
        if (row.white_bank is None, row.black_bank is None) != (not timed, not timed):
            yield f"the time at the start of turn {number} is stored as {_noted(row)}, against its terms"
            return
    if terms.time_control is None or asked is None:
        if _noted(game.row) != (None, None) or _running(game) != (None, None) or game.row.flagged:
            yield "a clock is stored, but it has none"
    elif None in _noted(game.row):
        yield "it has a time limit, but no clock is stored"
    else:
        yield from _state_faults(game, terms, replayed.position.mover, asked)
    if terms.time_control:
        yield from _bank_faults(game, terms.time_control, replayed, asked, carries_time=carries_time)


def _noted(row: StoredRow | PlayedRow) -> tuple[int | None, int | None]:
    return row.white_bank, row.black_bank


def _running(game: WholeGame) -> tuple[int | None, int | None]:
    return game.row.deadline_at, game.row.paused_left


def _state_faults(game: WholeGame, terms: Terms, mover: Colour, asked: Colour) -> Iterator[str]:
    """Yield a sentence for each impossible value of a clock that runs or is paused."""
    row, (deadline, paused_left) = game.row, _running(game)
    if (deadline is None) is (paused_left is None):
        yield f"the clock must run or be paused, but is stored with deadline {deadline} and {paused_left} s left"
    if row.flagged and deadline is None:
        yield "the player to move is flagged, but no grace runs"
    if paused_left is not None and paused_left < 0:
        yield f"the paused clock is stored with {paused_left} s left"
    for colour in Colour:
        time = (row.white_bank, row.black_bank)[colour]
        held = colour is mover and asked is not mover and -time <= terms.grace
        if time < 0 and not held:
            yield f"{colour.name.capitalize()} is stored with {time} s"


def _bank_faults(
    game: WholeGame, control: TimeControl, replayed: Replayed, asked: Colour | None, *, carries_time: bool
) -> Iterator[str]:
    """Yield a sentence for each time noted at a turn that cannot follow from the time before it. None is missing."""
    noted = [(row.white_bank or 0, row.black_bank or 0) for row in game.turns]
    is_between_turns = asked is not None and not game.draft and None not in _noted(game.row)
    banks: list[Bank] = [*noted, (game.row.white_bank, game.row.black_bank)] if is_between_turns else noted
    if banks and not carries_time and banks[0] != (control.first, control.first):
        yield differs("the time at the start", banks[0], (control.first, control.first))
    least = _with_increment(0, control)
    for number, (before, after) in enumerate(pairwise(banks), 1):
        mover = replayed.positions[number - 1].mover
        other, most = mover.other, _with_increment(before[mover], control)
        if min(after) < 0:
            yield f"the time after turn {number} is stored as {after}"
        elif not replayed.answered[number - 1]:
            if after[other] != before[other]:
                yield differs(f"the waiting player's time after turn {number}", after[other], before[other])
            if not least <= after[mover] <= most:
                found = f"the time of its player after turn {number} is stored as {after[mover]} s"
                yield f"{found}, but it must be {least} to {most} s"


def _with_increment(time: int, control: TimeControl) -> int:
    return max(time, min(control.cap, time + control.increment))


def check_game(game: WholeGame, people: People, *, carries_time: bool) -> tuple[list[str], Replayed]:
    """Return a sentence for each stored value of a game that does not follow from its turns; and the game replayed.

    `people` returns the id under which a person is stored. `carries_time` says whether the game began with the time
    left of a void one (R6.3). A game that cannot be read is not replayed at all.
    """
    try:
        ruleset, terms = Ruleset.from_data(game.row.ruleset), Terms.from_data(game.row.terms)
        status = Status(game.row.status)
    except READ_ERRORS as error:
        return [_unreadable(error)], Replayed()
    replayed = replay_stored(game, ruleset, people)
    found = [*_reading_faults(game, _known_lines(game, status, replayed)), *replayed.faults]
    if replayed.broken:
        return found, replayed
    result = _expected_result(game, replayed.position, status)
    checks = (
        _row_faults(game, ruleset, status, replayed),
        _result_faults(game, status, replayed.position.result, result),
        _ending_faults(game, people, result),
        _position_faults(game, replayed, result),
    )
    found += chain.from_iterable(checks)
    actions = _drafted(game, replayed.position, status)
    if actions is None:
        return [*found, "its unfinished turn cannot be played"], replayed
    asked = _game(game, ruleset, replayed.position, actions, status).asked
    found += _waiting_faults(game, people, asked)
    found += clock_faults(game, terms, replayed, asked, carries_time=carries_time)
    return found, replayed


def _unreadable(error: Exception) -> str:
    return f"it cannot be read, so the bot leaves it as it is ({type(error).__name__}: {error})"


def _known_lines(game: WholeGame, status: Status, replayed: Replayed) -> dict[str, Position]:
    """Return the last two positions of a game that has ended, by their lines. To read these would take long.

    A running game is read as the bot reads it.
    """
    if status is Status.RUNNING or replayed.broken:
        return {}
    last = replayed.position._replace(result=_expected_result(game, replayed.position, status))
    return {position_text(position): position for position in (last, replayed.before) if position}


def _reading_faults(game: WholeGame, known: dict[str, Position]) -> Iterator[str]:
    try:
        read_game(game.row, with_draft=False, known=known)
    except READ_ERRORS as error:
        yield _unreadable(error)


def _expected_result(game: WholeGame, after: Position, status: Status) -> Result | None:
    """Return the result that the last turn gives, or else the stored result; None if there is none."""
    if after.result or status is not Status.OVER:
        return after.result
    reason = game.row.reason
    return Result(WINNERS.get(game.row.result), Reason(reason)) if reason in tuple(Reason) else None


def _row_faults(game: WholeGame, ruleset: Ruleset, status: Status, replayed: Replayed) -> Iterator[str]:
    row, back = game.row, sum(len(event.data["turns"]) for event in game.events if event.kind == TAKEBACK)
    if row.turn_number != len(game.turns):
        yield differs("the number of turns", row.turn_number, len(game.turns))
    if row.taken_back != back:
        yield differs("the number of turns taken back", row.taken_back, back)
    if row.pool != pool_of(ruleset):
        yield differs("the pool", row.pool, pool_of(ruleset))
    if (row.ended_at is None) is not (status is Status.RUNNING):
        yield f"it is stored as {status}, but when it ended as {row.ended_at}"
    if status is Status.CANCELLED and len(game.turns) > 1:
        yield "it is stored as cancelled, but both players have moved"


def _result_faults(game: WholeGame, status: Status, by_turns: Result | None, result: Result | None) -> Iterator[str]:
    row = game.row
    if by_turns and status is not Status.OVER:
        yield differs("the status", str(status), str(Status.OVER))
    if not by_turns and status is Status.OVER and (result is None or result.by in ON_THE_BOARD):
        yield f"it is stored as over by {row.reason!r}, but its last turn does not end it"
    stored, expected = (row.result, row.reason), (result and result.score, result and str(result.by))
    if stored != expected:
        yield differs("the result", " by ".join(map(str, stored)), " by ".join(map(str, expected)))


def _ending_faults(game: WholeGame, people: People, result: Result | None) -> Iterator[str]:
    """Yield a sentence if the game did not end by a turn, but no event for its end is stored."""
    kinds = {event.kind: event for event in game.events}
    if result is None:
        return
    if result.by is Reason.RESIGN:
        loser = None if result.winner is None else (game.row.black_user, game.row.white_user)[result.winner]
        resigned = [people(event.by) for event in game.events if event.kind == RESIGN and event.by is not None]
        if loser is None or people(loser) not in resigned:
            yield "it is stored as resigned, but its loser has not resigned"
    missing = {Reason.REPETITION: VOID, Reason.AGREEMENT: DRAWN}.get(result.by)
    if missing and missing not in kinds:
        yield f"it is stored as ended by {result.by}, but nothing says that this happened"


def _position_faults(game: WholeGame, replayed: Replayed, result: Result | None) -> Iterator[str]:
    row, expected = game.row, position_text(replayed.position._replace(result=result))
    if row.position != expected:
        yield differs("the position", row.position, expected)
    before = position_text(replayed.before) if replayed.before else None
    if before and row.previous != before:
        yield differs("the position before the last turn", row.previous, before)


def _drafted(game: WholeGame, turn_start: Position, status: Status) -> tuple[Action, ...] | None:
    """Return the actions of the unfinished turn; None if they cannot be played."""
    if game.draft and status is not Status.RUNNING:
        return None
    actions, position = list[Action](), turn_start
    for step, row in enumerate(game.draft):
        try:
            action = parse_action_code(row.action)
        except READ_ERRORS:
            return None
        if row.step != step or action not in legal(position):
            return None
        actions.append(action)
        position = play(position, action)
    return tuple(actions) if position.mover is turn_start.mover else None


def _game(game: WholeGame, ruleset: Ruleset, position: Position, actions: tuple[Action, ...], status: Status) -> Game:
    seats = Seat(game.row.white_user, ""), Seat(game.row.black_user, "")
    return Game(game.row.id, ruleset, seats, position, actions, len(game.turns), status=status)


def _waiting_faults(game: WholeGame, people: People, asked: Colour | None) -> Iterator[str]:
    row = game.row
    user = None if asked is None else (row.white_user, row.black_user)[asked]
    stored = None if row.waiting_user is None else people(row.waiting_user)
    if (row.waiting_seat, stored) != (asked, user if user is None else people(user)):
        yield differs("who has to move", (row.waiting_seat, row.waiting_user), (asked and int(asked), user))
    if (row.waiting_since is None) is not (asked is None):
        yield differs("since when it waits", row.waiting_since, "a time" if asked is not None else None)
