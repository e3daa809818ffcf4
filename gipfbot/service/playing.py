"""A turn as it is played, in one transaction: the game and its clock after it, what becomes due, the boards it owes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gipfbot import match
from gipfbot.match import Game, Refused, Turn, Why
from gipfbot.rules import start
from gipfbot.store import Connection, Home, Owed, Stored, games, outbox
from gipfbot.store.outbox import LEASE

from . import absence, boards, reminders, threads
from .answers import CONDITION, Answer, answer_to
from .servers import away, settings_of

THIRD_TIME = 3  # a position that stands so often makes the game void (R6.3)
BeginAgain: TypeAlias = Callable[[Connection, Game, Home], Awaitable[Stored]]


@dataclass(frozen=True)
class Done:
    """A game after somebody did something in it, and what is now the caller's to deliver.

    `turn` is what he completed, `then` are the turns that had been left in advance and followed at once.
    """

    stored: Stored
    owed: tuple[Owed, ...] = ()
    turn: Turn | None = None
    then: tuple[Turn, ...] = ()

    @property
    def game(self) -> Game:
        """The game as it now stands."""
        return self.stored.game


async def play(db: Connection, before: Stored, answer: Answer, now: int, begin_again: BeginAgain) -> Done:
    """Return the game after what a player does, and after all that was left in advance to his turn.

    `begin_again` returns the game that follows one that is void.
    """
    if answer.after.game is before.game:
        return Done(before)
    turn, again = answer.after.turn, None
    game = await _clocked(db, answer, before.home.server, now)
    if turn and game.asked is not None and await stands_again(db, turn, game.id) >= THIRD_TIME:
        again = await begin_again(db, game, before.home)
        await games.add_event(db, game.id, games.VOID, None, now, {"next": again.game.id})
        game = match.void_game(game)
    await games.save_game(db, before.game, game, turn, by=answer.by, how=answer.how, now=now)
    stored = before.become(game, now)
    if turn is None:
        return Done(stored)
    await reminders.plan(db, game)
    follows = await answer_to(db, game, turn, answer, now)
    told: dict[str, Any] = {"in_advance": answer.how == CONDITION, "answered": follows is not None}
    if game.clock is None and before.game.clock:
        told["given"] = before.game.clock.credited
    owed = await owe_board(db, stored, now, **told, followed_by=again and again.game.id)
    if again:
        owed += await owe_board(db, again, now)
    if follows is None:
        return Done(stored, owed, turn)
    then = await play(db, stored, follows, now, begin_again)
    assert then.turn
    return Done(then.stored, owed + then.owed, turn, (then.turn, *then.then))


async def _clocked(db: Connection, answer: Answer, server: int | None, now: int) -> Game:
    """Return the game after what a player does, with its clock moved on; that of one on vacation stands."""
    after = answer.after
    if after.turn is None or after.game.terms.time_control is None:
        return after.game
    others = [seat.user for seat in after.game.seats if seat.user != answer.by]
    paused = bool(await away(db, others, server))
    in_time = replace(after, game=await absence.made_good(db, after.game, after.turn.colour, now))
    return match.advance_clock(in_time, await absence.moment(db, now), paused=paused).game


async def stands_again(db: Connection, turn: Turn, id: int) -> int:
    """Return how often the position after this turn has stood, this time included."""
    if turn.after.result:
        return 1
    hash = match.position_hash(turn.after)
    first = hash == match.position_hash(start(turn.after.rules))
    return first + await games.occurrences(db, id, hash) + 1


async def game_of(db: Connection, id: int) -> Stored:
    """Return a game. Raises Refused where there is none."""
    stored = await games.load_game(db, id)
    if stored is None:
        raise Refused(Why.NO_GAME)
    return stored


async def owe_board(
    db: Connection, stored: Stored, now: int, again: int | None = None, **told: Any
) -> tuple[Owed, ...]:
    """Write down a board that is owed; return it claimed, or nothing where others of its game go first.

    `told` is what the game does not tell of itself; `again` is as for `write_board`.
    """
    board = replace(boards.board_of(stored.game), **told)
    return await claimed(db, await write_board(db, stored, board, now, again), now)


async def write_board(db: Connection, stored: Stored, board: boards.Board, now: int, again: int | None = None) -> int:
    """Return the outbox row of a board that is owed; `again` is when, if it is not the first of this version."""
    game, packed = stored.game, boards.pack(await dressed(db, stored, board))
    key = f"board:{game.id}:{game.version}" + ("" if again is None else f":{again}:{stored.home.channel}")
    row = await outbox.owe(db, key, boards.KIND, stored.home.channel, packed, now, game.id)
    await threads.owe(db, stored, now)
    return row


async def dressed(db: Connection, stored: Stored, board: boards.Board) -> boards.Board:
    """Return a board of a game as its server wants it to look, with until when the player to move is on vacation."""
    mover, server = stored.game.seats[stored.game.position.mover].user, stored.home.server
    looks = await settings_of(db, server)
    until = (await away(db, [mover], server)).get(mover)
    return replace(board, theme=looks.theme, flipped=looks.below == "black", away=until)


async def claimed(db: Connection, id: int, now: int) -> tuple[Owed, ...]:
    """Return a row of the outbox, which is now the caller's to deliver, or nothing where it cannot be now."""
    row = await outbox.claim(db, id, now, LEASE)
    return (row,) if row else ()
