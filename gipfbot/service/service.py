"""The use cases: each loads, asks `match`, and saves in one transaction together with the messages that it owes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gipfbot import match
from gipfbot.match import REQUEST_LIFETIME, UNTIMED, Challenge, Game, Refused, RequestState, Seat, Side, Terms, Why
from gipfbot.notation import NOTATIONS, OFFICIAL, Notation
from gipfbot.rules import Action, ByColour, Colour, Ruleset
from gipfbot.service.delivery.requeue import requeue_requests
from gipfbot.service.play.conditionals_on_turn import PlayerTurn
from gipfbot.service.play.turn import GameUpdate, enqueue_board, lease_for_caller, owe_board, play_turn, require_game
from gipfbot.service.settings.servers import check_game_cap, vacation_ends
from gipfbot.store import (
    Connection,
    GameBrief,
    OutboxRow,
    Stale,
    Store,
    StoredChallenge,
    StoredGame,
    Venue,
    challenges,
    games,
    meta,
    outbox,
    users,
)
from gipfbot.store.outbox import LEASE_SECONDS

from .clock import downtime, pause, reminders
from .delivery import threads

CHALLENGE = "challenge"


class Service:
    """Everything a person can do. `now` tells UTC seconds, `lot` draws whether a challenger gets White.

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
                done = await self._accept_challenge(db, asked, by)
                accepted = replace(asked.challenge, state=RequestState.ACCEPTED)
                return replace(asked, challenge=accepted, game=done.game.id), done.owed
            rules, terms, home = stored.game.ruleset, stored.game.terms, await threads.rematch_venue(db, stored)
            terms = replace(terms, thread=terms.thread and home.parent is None)
            offer = Challenge(0, by, to, rules, side, self._expiry(), terms=terms, rematch_of=game_id)
            return await self._add_challenge(db, offer, home)

    async def accept_challenge(self, challenge_id: int, by: Seat) -> tuple[StoredChallenge, GameUpdate]:
        """Return the accepted challenge, open while others may take it, and the game that begins."""
        async with self.store.transaction() as db:
            done = await self._accept_challenge(db, await _require_challenge(db, challenge_id), by)
        return await self.stored_challenge(challenge_id), done

    async def _accept_challenge(self, db: Connection, pending: StoredChallenge, by: Seat) -> GameUpdate:
        accepted, seats = match.accept_challenge(pending.challenge, by, self.now(), self.lot())
        if before := await games.game_from_challenge(db, accepted.id, by.user):
            raise Refused(Why.TAKEN_ALREADY, game=before)
        await check_game_cap(db, pending.venue.server, seats, by.user)
        stored = await self._begin_game(db, accepted.ruleset, seats, pending.venue, accepted.terms, origin=accepted.id)
        await challenges.save_challenge(db, accepted, game=stored.game.id)
        return GameUpdate(stored, await owe_board(db, stored, self.now()))

    async def _begin_game(
        self,
        db: Connection,
        ruleset: Ruleset,
        seats: ByColour[Seat],
        venue: Venue,
        terms: Terms,
        bank: ByColour[int] | None = None,
        origin: int | None = None,
    ) -> StoredGame:
        """Return a new game whose clock runs, unless White is on vacation; `saved` time is carried over."""
        paused = terms.time_control is not None and bool(
            await vacation_ends(db, [seats[Colour.WHITE].user], venue.server)
        )
        what = ruleset, seats, venue, await downtime.clock_now(db, self.now()), terms, bank
        stored = await games.add_game(db, *what, paused=paused, origin=origin)
        await reminders.plan_reminder(db, stored.game)
        return stored

    async def decline_challenge(self, challenge_id: int, by: int) -> StoredChallenge:
        """Return the declined challenge."""
        async with self.store.transaction() as db:
            offered = await _require_challenge(db, challenge_id)
            await challenges.save_challenge(db, match.decline_challenge(offered.challenge, by, self.now()))
        return await self.stored_challenge(challenge_id)

    async def withdraw_challenge(self, challenge_id: int, by: int) -> StoredChallenge:
        """Return the withdrawn challenge."""
        async with self.store.transaction() as db:
            offered = await _require_challenge(db, challenge_id)
            await challenges.save_challenge(db, match.withdraw_challenge(offered.challenge, by, self.now()))
        return await self.stored_challenge(challenge_id)

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

    async def game(self, game_id: int) -> StoredGame:
        """Return a game as it stands."""
        async with self.store.reading() as db:
            return await require_game(db, game_id)

    async def waiting_games(self, user: int) -> list[GameBrief]:
        """Return the games that wait for this person, the most urgent first."""
        async with self.store.reading() as db:
            return await games.waiting_games(db, user)

    async def running_games(self, user: int) -> list[GameBrief]:
        """Return all running games of this person, the most urgent first."""
        async with self.store.reading() as db:
            return await games.running_games(db, user)

    async def play_actions(
        self, game_id: int, by: int, actions: Sequence[Action], version: int | None = None, *, sure: bool = False
    ) -> GameUpdate:
        """Return the game after a player's next actions, chosen with buttons that were drawn for `version`.

        A turn that gives the game up, as it comes after the flag has fallen and does not win, is played only by
        whoever is `sure`.
        """
        return await self._play(game_id, by, lambda game: match.perform(game, by, actions, version), "buttons", sure)

    async def play_typed(
        self, game_id: int, by: int, text: str, notation: Notation = OFFICIAL, *, sure: bool = False
    ) -> GameUpdate:
        """Return the game after a typed turn, or as much of it as the text decides; `sure` is as for `play_turn`.

        Raises NotationError too.
        """
        return await self._play(
            game_id,
            by,
            lambda game: match.perform(game, by, match.read_typed_turn(game, by, text, notation)),
            "typed",
            sure,
        )

    async def preview_typed(
        self, game_id: int, by: int, text: str, notation: Notation = OFFICIAL
    ) -> tuple[StoredGame, tuple[Action, ...], match.Performed]:
        """Return the game as it stands, what a typed turn means, and the game after it. Raises NotationError too."""
        stored = await self.game(game_id)
        actions = match.read_typed_turn(stored.game, by, text, notation)
        return stored, actions, match.perform(stored.game, by, actions)

    async def user_settings(self, user: int) -> dict[str, Any]:
        """Return what a person has set."""
        async with self.store.reading() as db:
            return await users.settings_of_user(db, user)

    async def user_notation(self, user: int) -> Notation:
        """Return the notation that a person wants to read."""
        return notation_in_settings(await self.user_settings(user))

    async def set_setting(self, user: int, key: str, value: Any) -> None:
        """Keep a setting of a person."""
        async with self.store.transaction() as db:
            await users.note_seen(db, user, self.now())
            await users.set_setting(db, user, key, value)

    async def _play(
        self, game_id: int, by: int, perform: Callable[[Game], match.Performed], how: str, sure: bool
    ) -> GameUpdate:
        async with self.store.transaction() as db:
            before = await require_game(db, game_id)
            answered = perform(before.game)
            if match.loses_on_time(answered) and not sure:
                raise Refused(Why.LOSES_ON_TIME)
            return await play_turn(db, before, PlayerTurn(by, answered, how), self.now(), self._restart_game)

    async def _restart_game(self, db: Connection, void: Game, venue: Venue) -> StoredGame:
        """Return the game that follows one that is void: colours swapped, each with the time he has left (R6.3)."""
        saved = (void.clock.bank[1], void.clock.bank[0]) if void.clock else None
        seats = void.seats[1], void.seats[0]
        again = await self._begin_game(db, void.ruleset, seats, venue, void.terms, saved)
        await users.carry_over_choices(db, void.id, again.game.id)
        await reminders.plan_reminder(db, again.game)  # once more: he may want none of this game
        return again

    async def resign(self, game_id: int, by: int, version: int | None = None) -> GameUpdate:
        """Return the game given up by this player, who was asked about `version`."""
        return await self._end_game(game_id, by, match.resign_game, "resign", version)

    async def cancel_game(self, game_id: int, by: int, version: int | None = None) -> GameUpdate:
        """Return the game called off by this player, who was asked about `version`."""
        return await self._end_game(game_id, by, match.cancel_game, "cancel", version)

    async def _end_game(
        self, game_id: int, by: int, end: Callable[[Game, int], Game], kind: str, version: int | None
    ) -> GameUpdate:
        async with self.store.transaction() as db:
            before = await require_game(db, game_id)
            if version not in (None, before.game.version):
                raise Refused(Why.STALE)
            stored = before.with_game(end(before.game, by), self.now())
            await games.save_game(db, before.game, stored.game, by=by, now=self.now())
            await games.add_event(db, game_id, kind, by, self.now())
            await reminders.plan_reminder(db, stored.game)
            cancelled_by = stored.game.colour_of(by) if kind == "cancel" else None
            owed = await owe_board(db, stored, self.now(), cancelled_by=cancelled_by)
        return GameUpdate(stored, owed)

    async def note_unreachable(self, game_id: int, reason: str) -> None:
        """Note that a game cannot go on where it is."""
        async with self.store.transaction() as db:
            await games.set_unreachable(db, game_id, reason)

    async def relocate(self, game_id: int, venue: Venue) -> GameUpdate:
        """Move a game to another channel, and owe its board there; what was owed to the old one is dropped."""
        async with self.store.transaction() as db:
            game = (await require_game(db, game_id)).game
            if game.asked is not None and game.clock:  # what its old board has cost him is known by that alone
                await pause.save_clock_and_reminder(
                    db, await downtime.credit_downtime(db, game, game.position.mover, self.now())
                )
            await outbox.drop_rows_of_game(db, game_id, "relocated", self.now())
            await games.set_venue(db, game_id, venue)
            stored = await require_game(db, game_id)
            owed = await owe_board(db, stored, self.now(), reposted_at=self.now())
            await requeue_requests(db, stored, self.now())
        return GameUpdate(stored, owed)

    async def commands_synced(self, digest: str) -> bool:
        """Return whether Discord has been told these commands."""
        async with self.store.reading() as db:
            return await meta.load_value(db, "commands") == digest

    async def note_commands(self, digest: str) -> None:
        """Note that Discord has been told these commands."""
        async with self.store.transaction() as db:
            await meta.save_value(db, "commands", digest)


def notation_in_settings(settings: Mapping[str, Any]) -> Notation:
    """Return the notation that somebody with these settings wants to read."""
    return NOTATIONS.get(settings.get("notation", ""), OFFICIAL)


async def _require_challenge(db: Connection, challenge_id: int) -> StoredChallenge:
    offered = await challenges.load_challenge(db, challenge_id)
    if offered is None:
        raise Refused(Why.NO_CHALLENGE)
    return offered


__all__ = [
    "CHALLENGE",
    "LEASE_SECONDS",
    "GameBrief",
    "GameUpdate",
    "OutboxRow",
    "Service",
    "Stale",
    "StoredChallenge",
    "StoredGame",
    "Venue",
    "enqueue_board",
    "require_game",
]  # fmt: skip
