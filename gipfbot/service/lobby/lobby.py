"""Challenges and open seeks, from the offer to the game that begins."""

from collections.abc import Callable
from dataclasses import replace

from gipfbot import match
from gipfbot.match import REQUEST_LIFETIME, UNTIMED, Challenge, Refused, RequestState, Seat, Side, Terms, Why
from gipfbot.rules import Ruleset
from gipfbot.service.delivery import threads
from gipfbot.service.play.beginning import begin_game
from gipfbot.service.play.turn import GameUpdate, lease_for_caller, owe_board, require_game
from gipfbot.service.settings.servers import check_game_cap
from gipfbot.store import Connection, OutboxRow, Store, StoredChallenge, Venue, challenges, game_lists, games, outbox

CHALLENGE = "challenge"  # the kind of its message


class Lobby:
    """Challenges and open seeks. `now` tells UTC seconds, `lot` draws whether a challenger gets White.

    Every method raises Refused, and changes nothing then, where the person may not do it.
    """

    def __init__(self, store: Store, now: Callable[[], int], lot: Callable[[], bool]) -> None:
        self.store, self.now, self.lot = store, now, lot

    async def challenge(
        self,
        by: Seat,
        to: Seat | None,
        ruleset: Ruleset,
        side: Side,
        venue: Venue,
        terms: Terms = UNTIMED,
        takers: int = 1,
    ) -> tuple[StoredChallenge, tuple[OutboxRow, ...]]:
        """Return a new challenge, or an open seek when `to` is None, and its message to be delivered."""
        offer = Challenge(0, by, to, ruleset, side, self._expiry(), terms=terms, takes_left=takers)
        async with self.store.transaction() as db:
            if to:
                await self._check_crossing(db, by.user, to.user, venue.server)
            return await self._add_challenge(db, offer, venue)

    async def _check_crossing(self, db: Connection, by: int, to: int, server: int | None) -> None:
        """Raise Refused where the one whom somebody is about to challenge has challenged him on this server."""
        for known in await challenges.challenges_of(db, by):
            offer, here = known.challenge, known.venue.server == server
            if here and offer.by.user == to and offer.expires_at > self.now():
                raise Refused(Why.CHALLENGES_CROSS, name=offer.by.name, challenge=offer.id)

    def _expiry(self) -> int:
        return self.now() + REQUEST_LIFETIME

    async def _add_challenge(
        self, db: Connection, challenge: Challenge, venue: Venue
    ) -> tuple[StoredChallenge, tuple[OutboxRow, ...]]:
        match.check_takers(challenge)
        await check_game_cap(
            db, venue.server, [challenge.by, *([challenge.to] if challenge.to else [])], challenge.by.user
        )
        new = await challenges.add_challenge(db, challenge, venue)
        id = new.challenge.id
        row = await outbox.owe(db, f"challenge:{id}", CHALLENGE, venue.channel, {"challenge": id}, self.now())
        return new, await lease_for_caller(db, row, self.now())

    async def rematch(self, game_id: int, by: Seat) -> tuple[StoredChallenge, tuple[OutboxRow, ...]]:
        """Return the challenge to another game after this one, colours swapped, and its message to be delivered.

        If the other player has already asked, it is his that is accepted, and the new game's board that is owed.
        """
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            to, side = match.propose_rematch(stored.game, by.user)
            if follows := await games.next_game(db, game_id):
                raise Refused(Why.REMATCH_BEGUN, game=follows)
            asked = await challenges.rematch_challenge_of(db, game_id)
            if asked and asked.game:
                raise Refused(Why.REMATCH_BEGUN, game=asked.game)
            if asked and asked.challenge.state is RequestState.OPEN and asked.challenge.expires_at > self.now():
                if asked.challenge.by.user == by.user:
                    raise Refused(Why.REMATCH_ASKED, name=to.name)
                accepted, done = await self._accept_challenge(db, asked, by)
                return accepted, done.owed
            rules, terms, venue = stored.game.ruleset, stored.game.terms, await threads.rematch_venue(db, stored)
            terms = replace(terms, thread=terms.thread and venue.parent is None)
            challenge = Challenge(0, by, to, rules, side, self._expiry(), terms=terms, rematch_of=game_id)
            return await self._add_challenge(db, challenge, venue)

    async def accept_challenge(self, challenge_id: int, by: Seat) -> tuple[StoredChallenge, GameUpdate]:
        """Return the accepted challenge, open while others may take it, and the game that begins."""
        async with self.store.transaction() as db:
            return await self._accept_challenge(db, await _require_challenge(db, challenge_id), by)

    async def _accept_challenge(
        self, db: Connection, pending: StoredChallenge, by: Seat
    ) -> tuple[StoredChallenge, GameUpdate]:
        accepted, seats = match.accept_challenge(pending.challenge, by, self.now(), self.lot())
        if before := await game_lists.game_from_challenge(db, accepted.id, by.user):
            raise Refused(Why.TAKEN_ALREADY, game=before)
        await check_game_cap(db, pending.venue.server, seats, by.user)
        terms, venue = accepted.terms, pending.venue
        stored = await begin_game(db, accepted.ruleset, seats, venue, terms, self.now(), origin=accepted.id)
        await challenges.save_challenge(db, accepted, game=stored.game.id)
        owed = await owe_board(db, stored, self.now())
        return replace(pending, challenge=accepted, game=stored.game.id), GameUpdate(stored, owed)

    async def decline_challenge(self, challenge_id: int, by: int) -> StoredChallenge:
        """Return the declined challenge."""
        async with self.store.transaction() as db:
            pending = await _require_challenge(db, challenge_id)
            closed = match.decline_challenge(pending.challenge, by, self.now())
            await challenges.save_challenge(db, closed)
            return replace(pending, challenge=closed)

    async def withdraw_challenge(self, challenge_id: int, by: int) -> StoredChallenge:
        """Return the withdrawn challenge."""
        async with self.store.transaction() as db:
            pending = await _require_challenge(db, challenge_id)
            closed = match.withdraw_challenge(pending.challenge, by, self.now())
            await challenges.save_challenge(db, closed)
            return replace(pending, challenge=closed)

    async def stored_challenge(self, challenge_id: int) -> StoredChallenge:
        """Return a challenge as it stands."""
        async with self.store.reading() as db:
            return await _require_challenge(db, challenge_id)

    async def open_seeks(self, server: int | None) -> list[StoredChallenge]:
        """Return the open seeks of a server, oldest first."""
        async with self.store.reading() as db:
            found = await challenges.open_seeks(db, server)
        return [seek for seek in found if seek.challenge.expires_at > self.now()]

    async def challenges_of(self, user: int) -> list[StoredChallenge]:
        """Return the open challenges by this person or to him, oldest first."""
        async with self.store.reading() as db:
            found = await challenges.challenges_of(db, user)
        return [offered for offered in found if offered.challenge.expires_at > self.now()]

    async def expire_challenges(self, limit: int = 100) -> list[StoredChallenge]:
        """Close challenges whose time is over; return them."""
        async with self.store.transaction() as db:
            late = await challenges.expired_challenges(db, self.now(), limit)
            closed = [replace(offered, challenge=match.expire_challenge(offered.challenge)) for offered in late]
            for offered in closed:
                await challenges.save_challenge(db, offered.challenge)
        return closed


async def _require_challenge(db: Connection, challenge_id: int) -> StoredChallenge:
    offered = await challenges.load_challenge(db, challenge_id)
    if offered is None:
        raise Refused(Why.NO_CHALLENGE)
    return offered
