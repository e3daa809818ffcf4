"""A game's own thread: made from its first board, and left for the parent channel if it accepts nothing any more."""

from enum import StrEnum

from gipfbot.store import Connection, challenges, games, outbox
from gipfbot.values import THREAD, OutboxRow, StoredGame, Venue

from .outcomes import when_delivered, when_needless

NO_THREAD = "no_thread"  # the notice that none can be made
LEFT_THREAD = "left_thread"  # the notice that games have left one


class ThreadTrouble(StrEnum):
    """Why a thread cannot be made or used."""

    FULL = "full"
    LOCKED = "locked"
    FORBIDDEN = "forbidden"
    GONE = "gone"
    UNFIT = "unfit"  # channels of this kind have no threads
    OTHER = "other"


# Troubles for which games leave their thread.
LEAVING_TROUBLES = {ThreadTrouble.FULL, ThreadTrouble.LOCKED, ThreadTrouble.FORBIDDEN, ThreadTrouble.GONE}


async def owe_thread(db: Connection, stored: StoredGame, now: int) -> None:
    """Owe a game its thread, if its terms ask for one and no board has been posted yet."""
    game, venue = stored.game, stored.venue
    if game.terms.thread and stored.board_message is None and venue.server is not None and venue.parent is None:
        await outbox.owe(db, _thread_key(game.id, venue.channel), THREAD, venue.channel, {}, now, game.id)


def _thread_key(game: int, channel: int) -> str:
    return f"{THREAD}:{game}:{channel}"


async def rematch_venue(db: Connection, stored: StoredGame) -> Venue:
    """Return where a rematch belongs: in the parent channel, if the game has a thread of its own."""
    venue = stored.venue
    if venue.parent is None:
        return venue
    made = await outbox.posted_message(db, _thread_key(stored.game.id, venue.parent))
    return Venue(venue.server, venue.parent) if made and made[1] == venue.channel else venue


@when_delivered(THREAD)
async def move_into_thread(db: Connection, owed: OutboxRow, thread: int, now: int) -> None:
    """Let a game and what it owes go on in the thread that was made, unless it has been relocated."""
    assert owed.game is not None
    venue = await games.load_venue(db, owed.game)
    if venue == Venue(venue.server, owed.channel):
        await games.set_venue(db, owed.game, Venue(venue.server, thread, owed.channel))
        await outbox.redirect_owed(db, owed.channel, thread, now, owed.game)


@when_needless(THREAD)
async def forget_thread(db: Connection, owed: OutboxRow, _: int) -> None:
    """Let a thread be owed again, as there was no board to make it from."""
    await outbox.delete_row(db, owed.id)


async def forgo_thread(db: Connection, owed: OutboxRow, reason: str, trouble: ThreadTrouble, now: int) -> None:
    """Let a game whose thread cannot be made stay in its channel, and owe a notice there."""
    await outbox.drop_row(db, owed.id, reason, now)
    payload = {"game": owed.game, "why": trouble}
    await outbox.owe(db, f"{NO_THREAD}:{owed.game}", NO_THREAD, owed.channel, payload, now, owed.game)


async def leave_thread(
    db: Connection, thread: int, trouble: ThreadTrouble, now: int, game: int | None = None
) -> list[int] | None:
    """Let all games of a thread go on in its parent channel, with one notice there; return those that run.

    The notice names them and `game`. Return None if no game is played in such a thread.
    """
    parent, running = await games.move_games_to_parent(db, thread)
    if parent is None:
        return None
    await challenges.move_challenges_to_parent(db, thread, parent)
    await outbox.redirect_owed(db, thread, parent, now)
    if named := sorted({*running, *([game] if game else [])}):
        payload = {"games": named, "why": trouble}
        await outbox.owe(db, f"{LEFT_THREAD}:{thread}:{now}", LEFT_THREAD, parent, payload, now, game)
    return running
