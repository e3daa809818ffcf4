"""The venue of a game: the boards owed to it, its thread, and its move to another channel."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypedDict

from gipfbot.service.kit.loaded_games import GameUpdate, require_game
from gipfbot.service.kit.message_kinds import Followups, MessageKind, MessageKinds, owe_to_caller
from gipfbot.service.settings.servers import settings_at_venue
from gipfbot.service.settings.vacation_days import decider_away_until
from gipfbot.store import Connection, Store, challenges, due, games, outbox
from gipfbot.values import PLAYER_LEFT, THREAD, GivesWay, OutboxRow, SettledRow, StoredGame, Venue

from .board_message import (
    BOARD,
    BoardMessage,
    OwedBoard,
    board_key,
    new_board_message,
    pack_board,
    packed_turn_serial,
    with_turns_before,
)

THREAD_KIND = MessageKind(THREAD, "thread of a game", is_message=False)
NO_THREAD = MessageKind("no_thread", "note that no thread could be made")
LEFT_THREAD = MessageKind("left_thread", "note that games have left their thread")  # and the kind of a due row

# Called with (db, game, now) before the messages queued for the old channel are dropped.
before_relocation = Followups[[Connection, StoredGame, int]]()


class _Order(TypedDict):
    by: int | None
    gives_way: GivesWay | None


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


@THREAD_KIND.when_delivered
async def move_into_thread(db: Connection, owed: OutboxRow, thread: int, now: int) -> None:
    """Move a game and its queued messages into the thread that was made for it, unless the game has been relocated."""
    assert owed.game is not None
    venue = await games.load_venue(db, owed.game)
    if venue == Venue(venue.server, owed.channel):
        await games.set_venue(db, owed.game, Venue(venue.server, thread, owed.channel))
        await outbox.redirect_owed(db, owed.channel, thread, now, owed.game)


@THREAD_KIND.when_needless
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


@LEFT_THREAD.still_needs
async def notices_with_boards_left(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the notices whose payload names games that still have to be posted in the parent channel."""
    left = await due.unfinished_keys(db, [row.key for row in rows])
    return {row.id for row in rows if row.key in left}


async def owe_board(
    db: Connection, stored: StoredGame, now: int, reposted_at: int | None = None, *, by: int | None, **details: Any
) -> tuple[OutboxRow, ...]:
    """Queue the board of a game, and lease its row for the caller, who then has to deliver it.

    Return a tuple with the row. The tuple is empty if earlier messages of the game have to be delivered first. In a
    game against the bot, older boards give way to it. `by` is the person whose act causes it. `details` are fields of
    BoardMessage that the game itself does not hold. `reposted_at` is the time in UTC seconds if this version of the
    game already has a board, and None if it has none. The time gives the new board its own key.
    """
    board = await with_server_style(db, stored, replace(new_board_message(stored.game), **details), now)
    if board.house is not None and stored.related.has_owed:
        board = with_turns_before(board, await outbox.give_way(db, board.game, now))
    what, order = (BOARD, stored.venue.channel, pack_board(board)), _order(stored, board, by)
    owed = await owe_to_caller(db, _board_key(stored, reposted_at), *what, now, stored.game.id, **order)
    await owe_thread(db, stored, now)
    older = (stored.board_channel, stored.board_message) if stored.board_channel and stored.board_message else None
    return tuple(
        OwedBoard(**vars(row), board=board, older=older) if row.created_at == now else row  # else an earlier row
        for row in owed
    )


async def enqueue_board(
    db: Connection,
    stored: StoredGame,
    board: BoardMessage,
    now: int,
    reposted_at: int | None = None,
    *,
    by: int | None,
) -> int:
    """Queue a board of a game. Return the id of the board's outbox row.

    If no board of the game has been posted yet and its terms ask for a thread, also queue the thread. `by` is the
    person whose act causes the board. `reposted_at` is the time in UTC seconds if this version of the game already has
    a board, and None if it has none. The time gives the new board its own key.
    """
    key, packed = _board_key(stored, reposted_at), pack_board(await with_server_style(db, stored, board, now))
    what = BOARD, stored.venue.channel, packed
    row = await outbox.owe(db, key, *what, now, stored.game.id, **_order(stored, board, by))
    await owe_thread(db, stored, now)
    return row


def _order(stored: StoredGame, board: BoardMessage, by: int | None) -> _Order:
    """Return what decides when a board is posted. The house player's boards are caused by the person it plays with."""
    house = stored.game.house_colour
    return {"by": by if house is None else stored.game.seats[house.other].user, "gives_way": board.gives_way}


def _board_key(stored: StoredGame, reposted_at: int | None) -> str:
    key = board_key(stored.game)
    return key if reposted_at is None else f"{key}:{reposted_at}:{stored.venue.channel}"


async def with_server_style(db: Connection, stored: StoredGame, board: BoardMessage, now: int) -> BoardMessage:
    """Return the board in its server's style, with the end of any vacation of the player to move."""
    settings = await settings_at_venue(db, stored)
    until = await decider_away_until(db, stored, stored.game, now)
    return replace(board, theme=settings.theme, flipped=settings.below == "black", vacation_until=until)


@BOARD.when_delivered
async def note_board_message(db: Connection, owed: OutboxRow, message: int, _: int) -> None:
    """Store the message as the newest board of its game."""
    assert owed.game is not None
    await games.set_board_message(db, owed.game, packed_turn_serial(owed.payload), owed.channel, message)


class Venues:
    """Operations on the venues of games. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], kinds: MessageKinds) -> None:
        self.store, self.now, self.kinds = store, now, kinds

    async def note_unreachable(self, game_id: int, reason: str) -> None:
        """Store that a game's venue takes no messages, with the reason."""
        async with self.store.transaction() as db:
            await games.set_unreachable(db, game_id, reason)

    async def note_player_back(self, game_id: int) -> None:
        """Store that the player who had left is back. A game that is unreachable for another reason stays so."""
        async with self.store.transaction() as db:
            await games.set_reachable(db, game_id, PLAYER_LEFT)

    async def relocate(self, game_id: int, venue: Venue) -> GameUpdate:
        """Move a game to another venue, and queue its board there. Drop the messages queued for the old venue."""
        async with self.store.transaction() as db:
            await before_relocation.run(db, await require_game(db, game_id), self.now())
            await outbox.drop_rows_of_game(db, game_id, "relocated", self.now())
            await games.set_venue(db, game_id, venue)
            stored = await require_game(db, game_id)
            owed = await owe_board(db, stored, self.now(), reposted_at=self.now(), by=None)
            await self.kinds.requeue(db, stored, self.now())
        return GameUpdate(stored, owed)
