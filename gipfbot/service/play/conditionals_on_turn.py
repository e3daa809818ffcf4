"""Play or discard conditional turns after a turn, or inside one, in the transaction of what was played."""

from dataclasses import dataclass

from gipfbot.match import Game, Performed
from gipfbot.match.conditionals import (
    ConditionalLine,
    is_line_due,
    line_after_reply,
    line_fits,
    perform_conditional,
)
from gipfbot.store import Connection, conditionals, outbox, users

CONDITIONAL = "conditional"  # marks a turn as entered by a conditional line
DISCARDED = "discarded"  # the kind of a direct message
DISCARDED_BY_TAKEBACK = "discarded_by_takeback"  # the kind of a direct message


@dataclass(frozen=True)
class PlayerTurn:
    """A player's action in a game: the game after it, and `how` it was entered, such as "buttons" or "typed"."""

    by: int
    after: Performed
    how: str


async def take_conditional_turn(db: Connection, game: Game, player_turn: PlayerTurn, now: int) -> PlayerTurn | None:
    """Return the other player's conditional reply to what a player did, or None if they have none that can be played.

    `game` is the game as it was saved. In Overboard the reply may be an answer inside the turn (R8.4). Discard the
    lines of the other player that do not fit. If the reply cannot be played, discard all their lines. If any line is
    discarded, queue a notice to the other player. Delete the lines of the player who acted, unless that was itself a
    conditional turn.
    """
    if game.asked is None:
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
    if await users.dms_shut(db, line.user):
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
        if not await users.dms_shut(db, user):
            key = f"{DISCARDED_BY_TAKEBACK}:{game.id}:{game.version}:{user}"
            await outbox.owe(db, key, DISCARDED_BY_TAKEBACK, user, {"game": game.id}, now)
    await conditionals.delete_lines_of_game(db, game.id)
