"""Compare a stored game with what its turns give: position, turn number, result, draft, and who has to move."""

from collections.abc import Iterator
from itertools import chain

from gipfbot.match import Game, Seat, Status, Terms
from gipfbot.match.ratings import pool_of
from gipfbot.notation import parse_action_code, position_text
from gipfbot.rules import Action, Colour, Position, Reason, Result, Ruleset, legal, play
from gipfbot.store.game_rows import WholeGame, read_game
from gipfbot.store.games import VOID
from gipfbot.store.unreadable import READ_ERRORS

from .clock_check import clock_faults
from .replayed import People, Replayed, differs, replay_stored

ON_THE_BOARD = (Reason.GIPF, Reason.RESERVE)  # how a turn ends a game
WINNERS = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}
RESIGN, TAKEBACK, DRAWN = "resign", "takeback", "draw_accepted"  # kinds of events


def game_differences(game: WholeGame, people: People, *, carries_time: bool) -> list[str]:
    """Return a sentence for each stored thing of a game that its turns do not give.

    `people` returns the id under which a person is stored. `carries_time` says whether the game began with the time
    left of a void one (R6.3).
    """
    try:
        ruleset, terms = Ruleset.from_data(game.row.ruleset), Terms.from_data(game.row.terms)
        status = Status(game.row.status)
    except READ_ERRORS as error:
        return [_unreadable(error)]
    replayed = replay_stored(game, ruleset, people)
    found = [*_reading_faults(game), *replayed.faults]
    if replayed.broken:
        return found
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
        return [*found, "its unfinished turn cannot be played"]
    asked = _game(game, ruleset, replayed.position, actions, status).asked
    found += _waiting_faults(game, people, asked)
    found += clock_faults(game, terms, replayed, asked, carries_time=carries_time)
    return found


def _unreadable(error: Exception) -> str:
    return f"it cannot be read, so the bot leaves it as it is ({type(error).__name__}: {error})"


def _reading_faults(game: WholeGame) -> Iterator[str]:
    try:
        read_game(game.row, ())
    except READ_ERRORS as error:
        yield _unreadable(error)


def _expected_result(game: WholeGame, after: Position, status: Status) -> Result | None:
    """Return how a game ended: by its last turn, or else as it is stored; None if it has no result."""
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
    """Yield what is missing of the event that ended a game otherwise than by a turn."""
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
