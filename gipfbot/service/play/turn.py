"""Begin games and play turns. One transaction saves the game, clock, reminder, boards and conditionals.

Each task of the house player is a due row, which survives crashes and restores with its game. The row is bound to a
version of the game, so it is never mistaken for a newer one.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gipfbot import match
from gipfbot.match import Game, Performed, Seat, Terms, Turn
from gipfbot.match.conditionals import (
    ConditionalLine,
    is_line_due,
    line_after_reply,
    line_fits,
    perform_conditional,
)
from gipfbot.rules import ByColour, Colour, Position, Ruleset, start
from gipfbot.service.clock import downtime, reminders
from gipfbot.service.clock.vacations import begin_in_vacation
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.service.settings.vacation_days import decider_away_until, vacations_in_game
from gipfbot.service.watching.guesses import score_guesses
from gipfbot.store import Connection, conditionals, due, games, outbox, users
from gipfbot.values import StoredGame, Venue
from gipfbot.values.games import CONDITIONAL, CUT, Related

HOUSE = "house"  # the kind of the due row
BY_STAND_IN = "stand-in"  # how a turn was entered: from here on, the bot's own search replaces the game's engine
BY_FALLBACK = "fallback"  # the same: no engine gave an answer, so it is the first turn that the rules allow

DISCARDED = MessageKind("discarded", "note that plans were dropped", direct=True)
DISCARDED_BY_TAKEBACK = MessageKind(
    "discarded_by_takeback", "note that plans were dropped with turns taken back", direct=True
)

VOIDING_REPETITIONS = 3  # a game is void when a position occurs this often (R6.3)
RestartGame: TypeAlias = Callable[[Connection, StoredGame], Awaitable[StoredGame | None]]


async def begin_game(
    db: Connection,
    ruleset: Ruleset,
    seats: ByColour[Seat],
    venue: Venue,
    terms: Terms,
    now: int,
    bank: ByColour[int] | None = None,
    origin: int | None = None,
) -> StoredGame:
    """Add a new game, and return it. Its clock runs, unless White is on vacation or the house player.

    `bank` is time carried over from another game, in seconds. `origin` is the id of the challenge that led to this
    game.
    """
    known = await vacations_in_game(db, [seat.user for seat in seats], now)
    away = [await begin_in_vacation(db, known[seat.user], terms, now) for seat in seats]
    paused = terms.time_control is not None and away[Colour.WHITE] is not None
    what = ruleset, seats, venue, await downtime.clock_now(db, now), terms, bank
    stored = await games.add_game(db, *what, paused=paused, origin=origin)
    await reminders.plan_first_reminder(db, stored.game, now)
    await plan_house_turn(db, stored.game, now)
    on_vacation = any(vacations and vacations[-1].ended_at is None for vacations in known.values())
    nothing = Related(has_guesses=False, has_vacation=on_vacation, has_owed=False)
    return replace(stored, related=nothing)


async def plan_house_turn(db: Connection, game: Game, now: int) -> None:
    """Plan a decision of the house player, if the game waits for one. Remove its other plans in this game."""
    if game.terms.house:
        await due.unschedule_in_game(db, HOUSE, game.id, "")
        if game.house_decides and game.asked is not None:
            await schedule_house(db, game, now)


async def schedule_house(db: Connection, game: Game, now: int) -> None:
    """Schedule the house player to check a game: it may have to play a turn, or to answer a draw offer."""
    assert game.terms.house
    await due.schedule(db, house_key(game), HOUSE, now, game.terms.house.user, game.id)


def house_key(game: Game) -> str:
    """Return the key of the house player's due row for this version of a game."""
    return f"{HOUSE}:{game.id}:{game.version}"


@dataclass(frozen=True)
class PlayerTurn:
    """A player's action in a game: the game after it, and `how` it was entered, such as "buttons" or "typed"."""

    by: int
    after: Performed
    how: str


async def take_conditional_turn(
    db: Connection, stored: StoredGame, player_turn: PlayerTurn, now: int
) -> PlayerTurn | None:
    """Return the other player's conditional reply to a player's action; None if no reply can be played.

    `stored` is the game as it was saved. In Overboard the reply may be an answer inside the turn (R8.4). Discard the
    lines of the other player that do not fit. If the reply cannot be played, discard all their lines. If any line is
    discarded, queue a notice to the other player. Delete the lines of the player who acted, unless that was itself a
    conditional turn.
    """
    game = stored.game
    if game.asked is None or not stored.has_lines:
        return None
    lines = await conditionals.conditional_lines(db, game.id)
    if player_turn.how != CONDITIONAL:
        await conditionals.delete_lines(db, [line for line in lines if line.user == player_turn.by])
    due = [line for line in lines if line.user != player_turn.by and is_line_due(line, player_turn.after)]
    fitting = [line for line in due if line_fits(line, player_turn.after)]
    after = perform_conditional(game, fitting)
    if after is None:
        fitting = []
    for line in fitting:
        assert after
        await conditionals.advance_line(db, line, line_after_reply(line, after.game))
    if len(fitting) < len(due):
        await _owe_discard_notice(db, game, player_turn.after, due[0], now)
    return PlayerTurn(due[0].user, after, CONDITIONAL) if after else None


async def _owe_discard_notice(db: Connection, game: Game, done: Performed, line: ConditionalLine, now: int) -> None:
    """Queue a notice that `done` has discarded lines, `line` among them.

    No notice is queued if the owner of the lines accepts no direct messages.
    """
    if await users.dms_shut(db, line.user, now):
        return
    turn = done.turn
    payload = {
        "game": game.id,
        "turn_number": turn.turn_number if turn else game.turn_number + 1,
        "taken_back": game.taken_back,
        "drafted": line.drafted,
        "played": len(turn.actions if turn else game.draft),
    }
    await outbox.owe(db, f"{DISCARDED}:{game.id}:{game.version}", DISCARDED, line.user, payload, now)


async def discard_conditionals(db: Connection, game: Game, now: int) -> None:
    """Delete all conditional lines of a game after a takeback, and queue a notice to their owners.

    No notice is queued for an owner who accepts no direct messages.
    """
    for user in {line.user for line in await conditionals.conditional_lines(db, game.id)}:
        if not await users.dms_shut(db, user, now):
            key = f"{DISCARDED_BY_TAKEBACK}:{game.id}:{game.version}:{user}"
            await outbox.owe(db, key, DISCARDED_BY_TAKEBACK, user, {"game": game.id}, now)
    await conditionals.delete_lines_of_game(db, game.id)


async def play_turn(
    db: Connection, before: StoredGame, player_turn: PlayerTurn, now: int, restart: RestartGame
) -> GameUpdate:
    """Save a player's actions, and the conditional turns that follow. Return the game after all of them.

    `restart` begins a new game if this one becomes void by repetition (R6.3), or returns None if none follows.
    """
    if player_turn.after.game is before.game:
        return GameUpdate(before)
    turn = player_turn.after.turn
    game = await _with_clock_moved(db, player_turn, before, now)
    restarted = None
    if await _is_repeated(db, game, turn):
        restarted = await restart(db, before.with_game(game, now))
        follows = {"next": restarted.game.id} if restarted else {}
        await games.add_event(db, game.id, games.VOID, None, now, follows)
        game = match.void_game(game)
    ratings = await save_and_rate(db, before, game, turn, by=player_turn.by, how=player_turn.how, now=now)
    if turn and before.related.has_guesses:
        await score_guesses(db, before.game, turn)
    stored = before.with_game(game, now)
    if player_turn.after.decided is None:
        return GameUpdate(stored)
    await reminders.plan_reminder(db, game)
    await plan_house_turn(db, game, now)
    reply = await take_conditional_turn(db, stored, player_turn, now)
    if turn is None and reply:  # nobody is asked, so no board is posted for this decision
        return await play_turn(db, stored, reply, now, restart)
    details = _board_details(player_turn, reply, restarted) | {"ratings": ratings}
    if game.clock is None and before.game.clock:
        details["credited"] = before.game.clock.credited
    owed = await owe_board(db, stored, now, by=player_turn.by, **details)
    if restarted:
        owed += await owe_board(db, restarted, now, by=player_turn.by)
    if reply is None:
        return GameUpdate(stored, owed, turn)
    later = await play_turn(db, stored, reply, now, restart)
    followed = (later.turn, *later.conditional_turns) if later.turn else ()  # it may ask the opponent first (R8.4)
    return GameUpdate(later.stored, owed + later.owed, turn, followed)


async def _is_repeated(db: Connection, game: Game, turn: Turn | None) -> bool:
    """Return whether the position of this game occurs for the third time, which makes the game void (R6.3)."""
    if turn is None or game.asked is None:
        return False
    return await count_repetitions(db, turn.after, game.id) >= VOIDING_REPETITIONS


def _board_details(player_turn: PlayerTurn, reply: PlayerTurn | None, restarted: StoredGame | None) -> dict[str, Any]:
    """Return the fields of BoardMessage that the game itself does not hold, for the board after a turn.

    A turn that the opponent's conditional answer completes (R8.4) is not itself a conditional turn.
    """
    turn, decided = player_turn.after.turn, player_turn.after.decided
    house = player_turn.after.game.terms.house
    return {
        "stands_in_for": (house and player_turn.how == BY_STAND_IN and house.engine) or None,
        "by_rules": player_turn.how == BY_FALLBACK,
        "was_cut": player_turn.how == CUT,
        "was_conditional": player_turn.how == CONDITIONAL and (turn is None or turn.colour is decided),
        "conditional_follows": reply is not None,
        "followed_by": restarted and restarted.game.id,
    }


async def _with_clock_moved(db: Connection, player_turn: PlayerTurn, before: StoredGame, now: int) -> Game:
    """Return the game after a player's actions. If that player is done, the clock of the next one to decide starts.

    If the next player is on vacation, their clock is paused instead. `before` is the game before the actions.
    """
    after = player_turn.after
    if after.decided is None or after.game.terms.time_control is None:
        return after.game
    paused = bool(await decider_away_until(db, before, after.game, now))
    owes = before.related.has_owed
    game, clock_now = await downtime.credit_until_now(db, after.game, after.decided, now, owes=owes)
    return match.advance_clock(replace(after, game=game), clock_now, paused=paused).game


async def count_repetitions(db: Connection, after: Position, game_id: int) -> int:
    """Return how often the position after a turn has occurred in the game, this time included (R6.3).

    Return 1 if the turn ended the game.
    """
    if after.result:
        return 1
    reached = match.position_hash(after)
    stood_first = reached == match.position_hash(start(after.rules))
    return stood_first + await games.count_occurrences(db, game_id, reached) + 1
