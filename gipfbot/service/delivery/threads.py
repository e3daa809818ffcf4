"""Threads of games. A thread is made from the game's first board, and left if it accepts no more messages."""

from collections.abc import Sequence
from enum import StrEnum

from gipfbot.store import Connection, challenges, due, games, outbox
from gipfbot.values import THREAD, OutboxRow, SettledRow, StoredGame, Venue

from .outcomes import when_delivered, when_needless
from .still_needed import still_needs

NO_THREAD = "no_thread"  # the kind of the notice that no thread can be made
LEFT_THREAD = "left_thread"  # the kind of the notice that games have left their thread, and of a due row


class ThreadTrouble(StrEnum):
    """The reason why a thread cannot be made or used."""

    FULL = "full"
    LOCKED = "locked"
    FORBIDDEN = "forbidden"
    GONE = "gone"
    UNFIT = "unfit"  # the channel is of a kind that has no threads
    OTHER = "other"


# Troubles that make games leave their thread.
LEAVING_TROUBLES = {ThreadTrouble.FULL, ThreadTrouble.LOCKED, ThreadTrouble.FORBIDDEN, ThreadTrouble.GONE}


async def owe_thread(db: Connection, stored: StoredGame, now: int) -> None:
    """Queue the making of a game's thread, if its terms ask for a thread and no board has been posted yet.

    Does nothing in a private channel, or if the game is already in a thread.
    """
    game, venue = stored.game, stored.venue
    if game.terms.thread and stored.board_message is None and venue.server is not None and venue.parent is None:
        await outbox.owe(db, _thread_key(game.id, venue.channel), THREAD, venue.channel, {}, now, game.id)


def _thread_key(game: int, channel: int) -> str:
    return f"{THREAD}:{game}:{channel}"


async def rematch_venue(db: Connection, stored: StoredGame) -> Venue:
    """Return the venue for a rematch of this game.

    It is the game's venue, or the parent channel if a thread was made for this game.
    """
    venue = stored.venue
    if venue.parent is None:
        return venue
    made = await outbox.posted_message(db, _thread_key(stored.game.id, venue.parent))
    return Venue(venue.server, venue.parent) if made and made[1] == venue.channel else venue


@when_delivered(THREAD)
async def move_into_thread(db: Connection, owed: OutboxRow, thread: int, now: int) -> None:
    """Move a game and its queued messages into the thread that was made for it, unless the game has been relocated."""
    assert owed.game is not None
    venue = await games.load_venue(db, owed.game)
    if venue == Venue(venue.server, owed.channel):
        await games.set_venue(db, owed.game, Venue(venue.server, thread, owed.channel))
        await outbox.redirect_owed(db, owed.channel, thread, now, owed.game)


@when_needless(THREAD)
async def forget_thread(db: Connection, owed: OutboxRow, _: int) -> None:
    """Delete the outbox row of a thread that was not made, so that the thread can be queued again.

    A thread is not made if its game is over, or has no board to make the thread from.
    """
    await outbox.delete_row(db, owed.id)


async def forgo_thread(db: Connection, owed: OutboxRow, reason: str, trouble: ThreadTrouble, now: int) -> None:
    """Keep a game in its channel, because its thread cannot be made. Queue a notice there."""
    await outbox.drop_row(db, owed.id, reason, now)
    payload = {"game": owed.game, "why": trouble}
    await outbox.owe(db, f"{NO_THREAD}:{owed.game}", NO_THREAD, owed.channel, payload, now, owed.game)


async def leave_thread(
    db: Connection, thread: int, trouble: ThreadTrouble, now: int, game: int | None = None
) -> list[int] | None:
    """Move all games of a thread to its parent channel, and queue one notice there.

    Return the ids of the running games, or None if no game was played in this thread. The notice names the running
    games, and `game` if it is given.
    """
    parent, running = await games.move_games_to_parent(db, thread)
    if parent is None:
        return None
    await challenges.move_challenges_to_parent(db, thread, parent)
    await outbox.redirect_owed(db, thread, parent, now)
    if named := sorted({*running, *([game] if game else [])}):
        payload = {"games": named, "why": trouble}
        await outbox.owe(db, leaving_key(thread, now), LEFT_THREAD, parent, payload, now, game)
    return running


def leaving_key(thread: int, now: int) -> str:
    """Return the key of the notice that games have left a thread, and of the due row for their boards."""
    return f"{LEFT_THREAD}:{thread}:{now}"


@still_needs(LEFT_THREAD)
async def notices_with_boards_left(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the notices whose payload names games that still have to be posted in the parent channel."""
    left = await due.unfinished_keys(db, [row.key for row in rows])
    return {row.id for row in rows if row.key in left}
