"""A turn as it is played, in one transaction: the game and its clock after it, what becomes due, the boards it owes."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

from gipfbot import match
from gipfbot.match import Game, Turn
from gipfbot.rules import start
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.delivery.owed_boards import owe_board
from gipfbot.service.kit.game_update import GameUpdate
from gipfbot.service.settings.servers import vacation_ends
from gipfbot.store import Connection, StoredGame, Venue, games

from .conditionals_on_turn import CONDITIONAL, PlayerTurn, take_conditional_turn

VOIDING_REPETITIONS = 3  # a position that stands so often makes the game void (R6.3)
RestartGame: TypeAlias = Callable[[Connection, Game, Venue], Awaitable[StoredGame]]


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
