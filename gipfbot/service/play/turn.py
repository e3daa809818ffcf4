"""A turn as it is played, in one transaction: the game and its clock after it, what becomes due, the boards it owes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gipfbot import match
from gipfbot.match import Game, Refused, Turn, Why
from gipfbot.rules import start
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.delivery import threads
from gipfbot.service.settings.servers import load_server_settings, vacation_ends
from gipfbot.store import Connection, OutboxRow, StoredGame, Venue, games, outbox
from gipfbot.store.outbox import LEASE_SECONDS

from . import board_message
from .conditionals_on_turn import CONDITIONAL, PlayerTurn, take_conditional_turn

VOIDING_REPETITIONS = 3  # a position that stands so often makes the game void (R6.3)
RestartGame: TypeAlias = Callable[[Connection, Game, Venue], Awaitable[StoredGame]]


@dataclass(frozen=True)
class GameUpdate:
    """A game after somebody did something in it, and what is now the caller's to deliver.

    `turn` is what he completed, `then` are the turns that had been left in advance and followed at once.
    """

    stored: StoredGame
    owed: tuple[OutboxRow, ...] = ()
    turn: Turn | None = None
    conditional_turns: tuple[Turn, ...] = ()

    @property
    def game(self) -> Game:
        """The game as it now stands."""
        return self.stored.game


async def play_turn(
    db: Connection, before: StoredGame, player_turn: PlayerTurn, now: int, restart: RestartGame
) -> GameUpdate:
    """Return the game after what a player does, and after all that was left in advance to his turn.

    `begin_again` returns the game that follows one that is void.
    """
    if player_turn.after.game is before.game:
        return GameUpdate(before)
    turn, again = player_turn.after.turn, None
    game = await _with_clock_moved(db, player_turn, before.venue.server, now)
    if turn and game.asked is not None and await count_repetitions(db, turn, game.id) >= VOIDING_REPETITIONS:
        again = await restart(db, game, before.venue)
        await games.add_event(db, game.id, games.VOID, None, now, {"next": again.game.id})
        game = match.void_game(game)
    await games.save_game(db, before.game, game, turn, by=player_turn.by, how=player_turn.how, now=now)
    stored = before.with_game(game, now)
    if turn is None:
        return GameUpdate(stored)
    await reminders.plan_reminder(db, game)
    follows = await take_conditional_turn(db, game, turn, player_turn, now)
    told: dict[str, Any] = {
        "was_conditional": player_turn.how == CONDITIONAL,
        "conditional_follows": follows is not None,
    }
    if game.clock is None and before.game.clock:
        told["credited"] = before.game.clock.credited
    owed = await owe_board(db, stored, now, **told, followed_by=again and again.game.id)
    if again:
        owed += await owe_board(db, again, now)
    if follows is None:
        return GameUpdate(stored, owed, turn)
    then = await play_turn(db, stored, follows, now, restart)
    assert then.turn
    return GameUpdate(then.stored, owed + then.owed, turn, (then.turn, *then.conditional_turns))


async def _with_clock_moved(db: Connection, player_turn: PlayerTurn, server: int | None, now: int) -> Game:
    """Return the game after what a player does, with its clock moved on; that of one on vacation stands."""
    after = player_turn.after
    if after.turn is None or after.game.terms.time_control is None:
        return after.game
    others = [seat.user for seat in after.game.seats if seat.user != player_turn.by]
    paused = bool(await vacation_ends(db, others, server))
    in_time = replace(after, game=await downtime.credit_downtime(db, after.game, after.turn.colour, now))
    return match.advance_clock(in_time, await downtime.clock_now(db, now), paused=paused).game


async def count_repetitions(db: Connection, turn: Turn, game_id: int) -> int:
    """Return how often the position after this turn has stood, this time included."""
    if turn.after.result:
        return 1
    hash = match.position_hash(turn.after)
    first = hash == match.position_hash(start(turn.after.rules))
    return first + await games.count_occurrences(db, game_id, hash) + 1


async def require_game(db: Connection, game_id: int) -> StoredGame:
    """Return a game. Raises Refused where there is none."""
    stored = await games.load_game(db, game_id)
    if stored is None:
        raise Refused(Why.NO_GAME)
    return stored


async def owe_board(
    db: Connection, stored: StoredGame, now: int, reposted_at: int | None = None, **details: Any
) -> tuple[OutboxRow, ...]:
    """Write down a board that is owed; return it claimed, or nothing where others of its game go first.

    `told` is what the game does not tell of itself; `again` is as for `enqueue_board`.
    """
    board = replace(board_message.new_board_message(stored.game), **details)
    return await lease_for_caller(db, await enqueue_board(db, stored, board, now, reposted_at), now)


async def enqueue_board(
    db: Connection, stored: StoredGame, board: board_message.BoardMessage, now: int, reposted_at: int | None = None
) -> int:
    """Return the outbox row of a board that is owed; `again` is when, if it is not the first of this version."""
    game, packed = stored.game, board_message.pack_board(await with_server_style(db, stored, board))
    key = f"board:{game.id}:{game.version}" + ("" if reposted_at is None else f":{reposted_at}:{stored.venue.channel}")
    row = await outbox.owe(db, key, board_message.BOARD, stored.venue.channel, packed, now, game.id)
    await threads.owe_thread(db, stored, now)
    return row


async def with_server_style(
    db: Connection, stored: StoredGame, board: board_message.BoardMessage
) -> board_message.BoardMessage:
    """Return a board of a game as its server wants it to look, with until when the player to move is on vacation."""
    mover, server = stored.game.seats[stored.game.position.mover].user, stored.venue.server
    looks = await load_server_settings(db, server)
    until = (await vacation_ends(db, [mover], server)).get(mover)
    return replace(board, theme=looks.theme, flipped=looks.below == "black", vacation_until=until)


async def lease_for_caller(db: Connection, row_id: int, now: int) -> tuple[OutboxRow, ...]:
    """Return a row of the outbox, which is now the caller's to deliver, or nothing where it cannot be now."""
    row = await outbox.lease(db, row_id, now, LEASE_SECONDS)
    return (row,) if row else ()
