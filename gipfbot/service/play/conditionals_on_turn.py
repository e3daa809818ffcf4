"""Play or discard conditional turns after a turn, in the transaction of that turn."""

from dataclasses import dataclass

from gipfbot.match import Game, Performed, Turn
from gipfbot.match.conditionals import conditional_fits, perform_conditional
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


async def take_conditional_turn(
    db: Connection, game: Game, turn: Turn, player_turn: PlayerTurn, now: int
) -> PlayerTurn | None:
    """Return the next player's conditional reply to `turn`, or None if they have none that can be played.

    Discard the lines of the next player that do not fit `turn`. If the reply cannot be played, discard all their lines.
    If any line is discarded, queue a notice to the next player. Delete the lines of the player who played `turn`,
    unless `turn` was itself a conditional turn.
    """
    if game.asked is None:
        return None
    lines = await conditionals.conditional_lines(db, game.id)
    if player_turn.how != CONDITIONAL:
        await conditionals.delete_lines(db, [line for line in lines if line.user == player_turn.by])
    waiting = [line for line in lines if line.turn_number == turn.turn_number - 1]
    fitting = [line for line in waiting if conditional_fits(line, turn)]
    after = perform_conditional(game, fitting)
    if after is None:
        fitting = []
    user = game.seats[game.asked].user
    for line in fitting:
        await conditionals.advance_line(db, line)
    if len(fitting) < len(waiting):
        await _owe_discard_notice(db, game, turn, user, now)
    return PlayerTurn(user, after, CONDITIONAL) if after else None


async def _owe_discard_notice(db: Connection, game: Game, turn: Turn, user: int, now: int) -> None:
    """Queue a notice to `user` that a turn has discarded lines of theirs, unless they accept no direct messages."""
    if not await users.dms_shut(db, user):
        payload = {"game": game.id, "turn_number": turn.turn_number, "taken_back": game.taken_back}
        await outbox.owe(db, f"{DISCARDED}:{game.id}:{game.version}", DISCARDED, user, payload, now)


async def discard_conditionals(db: Connection, game: Game, now: int) -> None:
    """Delete all conditional lines of a game after a takeback, and queue a notice to their owners.

    No notice is queued for an owner who accepts no direct messages.
    """
    for user in {line.user for line in await conditionals.conditional_lines(db, game.id)}:
        if not await users.dms_shut(db, user):
            key = f"{DISCARDED_BY_TAKEBACK}:{game.id}:{game.version}:{user}"
            await outbox.owe(db, key, DISCARDED_BY_TAKEBACK, user, {"game": game.id}, now)
    await conditionals.delete_lines_of_game(db, game.id)
