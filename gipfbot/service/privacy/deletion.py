"""Delete all that is stored about a person: first the rows that are theirs alone, then shared rows in batches.

The first transaction makes the person a former player: a pseudonym takes the place of their id wherever games and
ratings are looked up. If the person acts after that, they begin anew. Each batch saves how far it got, so that a
deletion is resumed after a crash.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from gipfbot import match
from gipfbot.match import Status
from gipfbot.service.clock import reminders
from gipfbot.service.clock.vacations import GAME_LISTS, VACATION
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.delivery.venues import enqueue_board
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.service.kit.message_kinds import MessageKind, MessageKinds
from gipfbot.store import Connection, Store, challenges, deletions, game_lists, games, hashed_ids, timelines
from gipfbot.values import FORMER_NAME, StoredChallenge, StoredMessage

RESIGNED_AT_ONCE = 1  # games in one transaction: each changes ratings and owes a board
RENAMED_AT_ONCE = 20  # games in one transaction
CHALLENGES_AT_ONCE = 50
ROWS_AT_ONCE = 500  # rows of the outbox that one query looks through
REWRITTEN_AT_ONCE = 50  # rows of the outbox in one transaction
MOST_STEPS = 25  # batches of one pass of the sweep, so that other work is not held up


def rename_in_payload(kind: MessageKind, payload: Mapping[str, Any], user: int, pseudonym: int) -> dict[str, Any]:
    """Return a payload with a person replaced by their pseudonym. Payloads of vacations are left as they are."""
    renamed = dict(payload)
    for key in kind.people:
        if payload.get(key) == user:
            renamed[key] = pseudonym
    if "seats" in kind.people and (seats := payload.get("seats")):
        renamed["seats"] = [pseudonym if seat == user else seat for seat in seats]
        both = zip(seats, payload["names"], strict=True)
        renamed["names"] = [FORMER_NAME if seat == user else name for seat, name in both]
    return renamed


def vacation_in_key(key: str) -> int:
    """Return the id of the vacation that an outbox row of this key announces."""
    return int(key.split(":")[1])


def games_in_vacation(payload: Mapping[str, Any]) -> set[int]:
    """Return the ids of the games that the announcement of a vacation names."""
    return {entry[0] for name in GAME_LISTS for entry in payload.get(name, ())}


def rename_on_vacation(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the announcement of a former player's own vacation without their name."""
    return {**payload, "name": FORMER_NAME}


def rename_opponent(payload: Mapping[str, Any], played: Collection[int]) -> dict[str, Any]:
    """Return the announcement of another person's vacation, without the name of an opponent in the games `played`."""
    lists = {name: payload[name] for name in GAME_LISTS if name in payload}
    named = {
        name: [[game, FORMER_NAME if game in played else opponent, *rest] for game, opponent, *rest in entries]
        for name, entries in lists.items()
    }
    return {**payload, **named}


class Deletions:
    """Operations that delete a person's data. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], kinds: MessageKinds) -> None:
        self.store, self.now, self.kinds = store, now, kinds

    async def stored_about(self, user: int) -> bool:
        """Return whether anything is stored about a person."""
        async with self.store.reading() as db:
            return await deletions.is_known(db, user)

    async def count_running(self, user: int) -> int:
        """Return how many running games a person would resign."""
        async with self.store.reading() as db:
            running, unreadable = await game_lists.running_and_unreadable_games(db, user)
            return len(running) + len(unreadable)

    async def begin(self, user: int) -> list[StoredChallenge] | None:
        """Begin to delete a person's data. Return the challenges that this closes, without the person's name.

        Lists and commands no longer find anything of theirs. `resume_all` does the rest. Return None, and change
        nothing, if the deletion has begun already.
        """
        async with self.store.transaction() as db:
            is_known = await deletions.is_known(db, user)
            closed = await self.begin_within(db, user)
            if is_known and closed is not None:
                await timelines.remember_deletion(db, user, self.now())
        if closed is not None:
            await self._take_step(user)
        return closed

    async def begin_within(self, db: Connection, user: int) -> list[StoredChallenge] | None:
        """Do what `begin` does, in an open transaction. Does not store that the person has asked for it."""
        if await deletions.load_deletion(db, user):
            return None
        pseudonym = await deletions.draw_pseudonym(db)
        new = await deletions.add_deletion(db, user, pseudonym, self.now())
        closed = await self._close_challenges(db, new)
        await deletions.rename_player(db, user, pseudonym, self.now())
        return closed

    async def _close_challenges(self, db: Connection, known: deletions.Deletion) -> list[StoredChallenge]:
        """Close the open challenges by and to a person, and return them without the name."""
        closed = await deletions.close_challenges(db, known.user)
        if closed:
            await deletions.rename_challenges(db, known, closed, self.now())
        return await challenges.load_challenges(db, closed) if closed else []

    async def finish(self, user: int) -> None:
        """Finish the deletion of a person's data."""
        while await self._take_step(user):
            pass

    async def resume_all(self) -> None:
        """Continue the unfinished deletions, by at most MOST_STEPS batches.

        Also forget the hashed ids that are no longer needed.
        """
        async with self.store.reading() as db:
            running = await deletions.running_deletions(db)
        async with self.store.transaction() as db:
            await hashed_ids.forget_pings(db, self.now())
        steps = 0
        for known in running:
            while steps < MOST_STEPS and await self._take_step(known.user):
                steps += 1

    async def _take_step(self, user: int) -> bool:
        """Do the next batch of a person's deletion. Return False if nothing is left to do."""
        async with self.store.transaction() as db:
            known = await deletions.load_deletion(db, user)
            if known is None:
                return False
            new = await self._do_batch(db, known)
            await (deletions.save_progress(db, new) if new else deletions.end_deletion(db, known))
            return new is not None

    async def _do_batch(self, db: Connection, known: deletions.Deletion) -> deletions.Deletion | None:
        """Do the next batch of a deletion. Return its new progress; None if nothing was left.

        After a crash, own rows that the person has added since the beginning are deleted, too. Games are done in the
        order of their ids, because results of the same second count in this order.
        """
        if known.games_done < 0:
            await deletions.delete_own_rows(db, known.user, known.pseudonym)
            return known._replace(games_done=0)
        if known.challenges_left:
            return await self._rename_challenges(db, known)
        if found := _first_batch(await deletions.games_to_rename(db, known, RENAMED_AT_ONCE)):
            await deletions.rename_in_games(db, known, [*found])
            for game in (game for game, is_running in found.items() if is_running):
                await self._resign(db, game, known.pseudonym)
            return known._replace(games_done=max(found))
        return await self._rename_in_outbox(db, known) if known.rows_left else None

    async def _rename_challenges(self, db: Connection, known: deletions.Deletion) -> deletions.Deletion:
        ids = await deletions.challenges_to_rename(db, known, CHALLENGES_AT_ONCE)
        await deletions.rename_challenges(db, known, ids, self.now())
        return known._replace(challenges_left=min(ids) - 1 if ids else 0)

    async def _resign(self, db: Connection, game_id: int, former: int) -> None:
        """Resign a game for a former player, and queue its last board. An unreadable game stays unchanged."""
        before = await readable_game(db, game_id)
        if before is None or before.game.status is not Status.RUNNING:
            return
        stored = before.with_game(match.resign_game(before.game, former), self.now())
        ratings = await save_and_rate(db, before, stored.game, by=former, now=self.now())
        await games.add_event(db, game_id, "resign", former, self.now())
        await reminders.plan_reminder(db, stored.game)
        board = replace(new_board_message(stored.game), ratings=ratings)
        await enqueue_board(db, stored, board, self.now(), by=former)

    async def _rename_in_outbox(self, db: Connection, known: deletions.Deletion) -> deletions.Deletion:
        """Rename the person in the newest remaining rows of the outbox. Delete direct messages to them."""
        first = max(0, known.rows_left - ROWS_AT_ONCE)
        found = await deletions.messages_about(db, known.user, [VACATION], first + 1, known.rows_left)
        rows = found[-REWRITTEN_AT_ONCE:]
        await deletions.delete_messages(db, [row.id for row in rows if row.channel == known.user])
        await deletions.rewrite_messages(
            db,
            {
                row.id: (_renamed_key(known, row.key), await self._renamed_payload(db, known, row))
                for row in rows
                if row.channel != known.user
            },
        )
        return known._replace(rows_left=first if len(rows) == len(found) else rows[0].id - 1)

    async def _renamed_payload(self, db: Connection, known: deletions.Deletion, row: StoredMessage) -> dict[str, Any]:
        if row.kind != VACATION or not row.payload:
            return rename_in_payload(self.kinds[row.kind], row.payload, known.user, known.pseudonym)
        if await deletions.is_vacation_of(db, known.pseudonym, vacation_in_key(row.key)):
            return rename_on_vacation(row.payload)
        played = await deletions.games_among(db, known.pseudonym, games_in_vacation(row.payload))
        return rename_opponent(row.payload, played)


def _first_batch(found: dict[int, bool]) -> dict[int, bool]:
    """Return the games for one transaction, with at most RESIGNED_AT_ONCE running ones."""
    running = [game for game, is_running in found.items() if is_running][:RESIGNED_AT_ONCE]
    if len(running) < RESIGNED_AT_ONCE:
        return found
    return {game: is_running for game, is_running in found.items() if game <= running[-1]}


def _renamed_key(known: deletions.Deletion, key: str) -> str:
    return key.replace(f":{known.user}", f":{known.pseudonym}")
