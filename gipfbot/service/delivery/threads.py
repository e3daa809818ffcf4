"""A game's own thread: made from its first board, and left for its channel where nothing can be posted any more."""

from enum import StrEnum

from gipfbot.store import Connection, OutboxRow, StoredGame, Venue, challenges, games, outbox
from gipfbot.values.outbox import THREAD

NO_THREAD = "no_thread"  # what is said where none can be made
LEFT_THREAD = "left_thread"  # what is said where one takes nothing any more


class ThreadTrouble(StrEnum):
    """What stands against a thread."""

    FULL = "full"
    LOCKED = "locked"
    FORBIDDEN = "forbidden"
    GONE = "gone"
    UNFIT = "unfit"  # a channel of this kind has none
    OTHER = "other"


LEAVING_TROUBLES = {
    ThreadTrouble.FULL,
    ThreadTrouble.LOCKED,
    ThreadTrouble.FORBIDDEN,
    ThreadTrouble.GONE,
}  # why a thread is left


async def owe_thread(db: Connection, stored: StoredGame, now: int) -> None:
    """Owe a game its thread, where it is to have one, right after its first board; after that change nothing."""
    game, home = stored.game, stored.venue
    if game.terms.thread and stored.board_message is None and home.server is not None and home.parent is None:
        await outbox.owe(db, _thread_key(game.id, home.channel), THREAD, home.channel, {}, now, game.id)


def _thread_key(game: int, channel: int) -> str:
    return f"{THREAD}:{game}:{channel}"


async def rematch_venue(db: Connection, stored: StoredGame) -> Venue:
    """Return where a rematch of a game belongs: to the channel of a thread that was made for this game alone."""
    home = stored.venue
    made = None if home.parent is None else await outbox.posted_message(db, _thread_key(stored.game.id, home.parent))
    return Venue(home.server, home.parent) if home.parent and made and made[1] == home.channel else home


async def move_into_thread(db: Connection, owed: OutboxRow, thread: int | None, now: int) -> None:
    """Let a game and what it owes go on in the thread that was made.

    Without a thread there was no board to make it from: it can be owed again.
    """
    assert owed.game is not None
    if thread is None:
        await outbox.delete_row(db, owed.id)
        return
    venue = await games.load_venue(db, owed.game)
    if venue == Venue(venue.server, owed.channel):
        await games.set_venue(db, owed.game, Venue(venue.server, thread, owed.channel))
        await outbox.redirect_owed(db, owed.channel, thread, now, owed.game)


async def forgo_thread(db: Connection, owed: OutboxRow, reason: str, trouble: ThreadTrouble, now: int) -> None:
    """Let a game whose thread cannot be made stay in its channel, and owe a word about it there."""
    await outbox.drop_row(db, owed.id, reason, now)
    payload = {"game": owed.game, "why": trouble}
    await outbox.owe(db, f"{NO_THREAD}:{owed.game}", NO_THREAD, owed.channel, payload, now, owed.game)


async def leave_thread(
    db: Connection, thread: int, trouble: ThreadTrouble, now: int, game: int | None = None
) -> list[int] | None:
    """Let all games of a thread go on in its channel with what is owed there, and say so once.

    Return those that run, None where no game is played in such a thread. `game` is one of which it is said, too.
    """
    parent, running = await games.move_games_to_parent(db, thread)
    if parent is None:
        return None
    await challenges.move_challenges_to_parent(db, thread, parent)
    await outbox.redirect_owed(db, thread, parent, now)
    if told := sorted({*running, *([game] if game else [])}):
        payload = {"games": told, "why": trouble}
        await outbox.owe(db, f"{LEFT_THREAD}:{thread}:{now}", LEFT_THREAD, parent, payload, now, game)
    return running
