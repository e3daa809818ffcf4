"""What players have left in advance, as turns are played: done in the transaction of the turn."""

from dataclasses import dataclass

from gipfbot.match import Game, Performed, Turn
from gipfbot.match.conditionals import conditional_fits, perform_conditional
from gipfbot.store import Connection, conditionals, outbox, users

CONDITIONAL = "conditional"  # how such a turn came
DISCARDED = "discarded"  # direct messages
DISCARDED_BY_TAKEBACK = "discarded_by_takeback"


@dataclass(frozen=True)
class PlayerTurn:
    """What a player does in a game: the game after it, and by which way it came."""

    by: int
    after: Performed
    how: str


async def take_conditional_turn(
    db: Connection, game: Game, turn: Turn, player_turn: PlayerTurn, now: int
) -> PlayerTurn | None:
    """Return what the next player had left in advance to a turn that was just played, None where nothing fits.

    What else he had left for this turn lapses, and he is told. What had lapsed of the one who played is forgotten, when
    he has been here himself.
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
    """Owe a player a word that answers of his have lapsed with this turn; one who shut his messages sees it later."""
    if not await users.dms_shut(db, user):
        payload = {"game": game.id, "turn_number": turn.turn_number, "taken_back": game.taken_back}
        await outbox.owe(db, f"{DISCARDED}:{game.id}:{game.version}", DISCARDED, user, payload, now)


async def discard_conditionals(db: Connection, game: Game, now: int) -> None:
    """Drop all that was left in advance in a game of which turns were taken back, and owe whoever left it a word."""
    for user in {line.user for line in await conditionals.conditional_lines(db, game.id)}:
        if not await users.dms_shut(db, user):
            key = f"{DISCARDED_BY_TAKEBACK}:{game.id}:{game.version}:{user}"
            await outbox.owe(db, key, DISCARDED_BY_TAKEBACK, user, {"game": game.id}, now)
    await conditionals.delete_lines_of_game(db, game.id)
