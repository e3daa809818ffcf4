"""Challenges and open seeks, up to the start of a game, and how many of them a person may have."""

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, replace

from gipfbot import match
from gipfbot.match import DAY, REQUEST_LIFETIME, UNTIMED, Challenge, Refused, RequestState, Seat, Side, Terms, Why
from gipfbot.match.courses import course_of
from gipfbot.rules import ByColour, Ruleset
from gipfbot.service.delivery import venues
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.kit.loaded_games import GameUpdate, require_game
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.service.play.turn import begin_game
from gipfbot.service.settings.servers import ServerSettings, load_server_settings
from gipfbot.service.settings.users import check_may_play
from gipfbot.store import Connection, Store, challenges, game_lists, games
from gipfbot.values import DEFAULT_LIMITS, Limits, OutboxRow, StoredChallenge, StoredGame, Venue, is_former_player

CHALLENGE = MessageKind("challenge", "challenge")
MOST_MENTIONS = 3  # of the role for seeks, on a server within a day
MOST_PRIVATE = 10  # private games of one person


@dataclass(frozen=True)
class OwedChallenge(OutboxRow):
    """The row of a challenge's message, together with what the message shows."""

    stored: StoredChallenge
    theme: str  # of the server


async def check_new_challenge(db: Connection, new: Challenge, limits: Limits, now: int) -> None:
    """Raise Refused if a challenge that is not stored yet would exceed a limit. Does not check running games."""
    before = await challenges.earlier_challenges(db, new.by.user, new.to.user if new.to else None, now)
    if new.to:
        _check_between(before, new.by.user, new.to, limits, now)
    elif before.seeks >= limits.open_seeks:
        raise Refused(Why.TOO_MANY_SEEKS, most=limits.open_seeks)
    if before.made >= limits.open_challenges:
        raise Refused(Why.TOO_MANY_CHALLENGES, most=limits.open_challenges)


def _check_between(before: challenges.EarlierChallenges, by: int, to: Seat, limits: Limits, now: int) -> None:
    """Raise Refused if one of two people waits for the other's answer, or if `by` has pinged the other too often.

    Closed challenges are pings, too.
    """
    for theirs in (challenge for challenge in before.between if challenge.by.user != by):
        raise Refused(Why.CHALLENGES_CROSS, name=theirs.by.name, challenge=theirs.id)
    if len(before.between) >= limits.challenges_to_one:
        raise Refused(Why.CHALLENGE_PENDING, name=to.name, challenge=before.between[0].id)
    most = limits.pings_a_day
    if len(before.pings) >= most:
        again_at = before.pings[most - 1] - REQUEST_LIFETIME + DAY  # every challenge has the same lifetime
        if now < again_at:
            raise Refused(Why.TOO_MANY_PINGS, name=to.name, most=most, at=again_at)


class Lobby:
    """Challenges and open seeks. `now` returns UTC seconds. `draw_lot` returns whether a challenger gets White.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it, or would exceed `limits`.
    """

    def __init__(
        self, store: Store, now: Callable[[], int], draw_lot: Callable[[], bool], limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.store, self.now, self.draw_lot, self.limits = store, now, draw_lot, limits

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
        """Add a challenge, or an open seek if `to` is None.

        If its terms leave open whether the game is rated, that is decided now, for a seek when somebody takes it.
        Return the challenge or seek, and the outbox rows that the caller has to deliver.
        """
        async with self.store.transaction() as db:
            if to:
                await check_may_play(db, by.user, to)
                terms = await _decide_rating(db, terms, ruleset, (by, to))
            new = Challenge(0, by, to, ruleset, side, self._expires_at(), terms=terms, takes_left=takers)
            return await self._add_challenge(db, new, venue, await load_server_settings(db, venue.server))

    async def challenge_house(
        self, by: Seat, house: Seat, ruleset: Ruleset, side: Side, venue: Venue, terms: Terms, takers: int = 1
    ) -> GameUpdate:
        """Begin a game against the house player, which accepts at once. `terms.house` says at which level it plays.

        Such a game is never rated. The limits on challenges do not apply; those on running games do.
        """
        assert terms.house
        match.check_level(terms.house.level)
        terms = replace(terms, rated=False, rated_if_finished=False)
        new = Challenge(0, by, house, ruleset, side, self._expires_at(), terms=terms, takes_left=takers)
        match.check_takers(new)
        async with self.store.transaction() as db:
            settings = await load_server_settings(db, venue.server)
            return (await self._begin_against_house(db, new, venue, settings))[1]

    async def _begin_against_house(
        self, db: Connection, new: Challenge, venue: Venue, settings: ServerSettings
    ) -> tuple[StoredChallenge, GameUpdate]:
        """Add a challenge to the house player, and accept it. No message of the challenge is owed."""
        assert new.to
        await self._check_games(db, venue, settings, [new.by], new.by.user)
        if venue.is_private:
            await _check_private_games(db, new.by.user)
        added = await challenges.add_challenge(db, new, venue)
        accepted, seats = match.accept_challenge(added.challenge, new.to, self.now(), self.draw_lot())
        return await self._begin(db, replace(added, challenge=accepted), seats, settings, new.by.user)

    def _expires_at(self) -> int:
        return self.now() + REQUEST_LIFETIME

    async def _add_challenge(
        self, db: Connection, challenge: Challenge, venue: Venue, settings: ServerSettings
    ) -> tuple[StoredChallenge, tuple[OutboxRow, ...]]:
        match.check_takers(challenge)
        await check_new_challenge(db, challenge, self.limits, self.now())
        players = [challenge.by, *([challenge.to] if challenge.to else [])]
        await self._check_games(db, venue, settings, players, challenge.by.user)
        role = None if challenge.to else await self._role_to_mention(db, venue, settings)
        new = await challenges.add_challenge(db, challenge, venue, role)
        challenge_id = new.challenge.id
        key, payload = f"{CHALLENGE}:{challenge_id}", {"challenge": challenge_id}
        rows = await owe_to_caller(db, key, CHALLENGE, venue.channel, payload, self.now(), by=challenge.by.user)
        return new, tuple(OwedChallenge(**vars(row), stored=new, theme=settings.theme) for row in rows)

    async def _role_to_mention(self, db: Connection, venue: Venue, settings: ServerSettings) -> int | None:
        """Return the role that a new seek mentions. None if none is set, or if the day's mentions are used up."""
        if settings.seekers is None or await challenges.count_mentions(db, venue.server, self.now()) >= MOST_MENTIONS:
            return None
        return settings.seekers

    async def _check_games(
        self, db: Connection, venue: Venue, settings: ServerSettings, players: Collection[Seat], by: int
    ) -> None:
        """Raise Refused if one of these players has as many running games as the host or the server allows.

        The refusal names that player, unless it is `by`, the player who asks. Open challenges do not count.
        """
        plays = await game_lists.count_running(db, [player.user for player in players], venue.server)
        asked = sorted(players, key=lambda player: player.user != by)
        named = [(None if player.user == by else player.name, *plays[player.user]) for player in asked]
        most = self.limits.running_games
        for name, anywhere, _ in named:
            if anywhere >= most:
                raise Refused(Why.TOO_MANY_RUNNING, name=name, most=most)
        for name, _, here in named:
            _check_cap(settings.cap, here, name)

    async def check_cap(self, server: int, user: int) -> None:
        """Raise Refused if a person has as many running games on a server as it allows."""
        async with self.store.reading() as db:
            cap = (await load_server_settings(db, server)).cap
            _, plays = (await game_lists.count_running(db, [user], server))[user]
        _check_cap(cap, plays)

    async def rematch(self, game_id: int, by: Seat) -> tuple[StoredChallenge, tuple[OutboxRow, ...]]:
        """Challenge the opponent to another game with colours swapped.

        If the opponent has already asked for a rematch, accept their challenge instead and begin the game. Against the
        house player it begins at once. Return the challenge, and the outbox rows that the caller has to deliver.
        """
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            to, side = match.propose_rematch(stored.game, by.user)
            if is_former_player(to.user):
                raise Refused(Why.OPPONENT_GONE)
            if follows := await games.next_game(db, game_id):
                raise Refused(Why.REMATCH_BEGUN, game=follows)
            asked = await challenges.rematch_challenge_of(db, game_id)
            if asked and asked.game:
                raise Refused(Why.REMATCH_BEGUN, game=asked.game)
            if asked and asked.challenge.state is RequestState.OPEN and asked.challenge.expires_at > self.now():
                if asked.challenge.by.user == by.user:
                    raise Refused(Why.REMATCH_ASKED, name=to.name)
                accepted, update = await self._accept_challenge(db, asked, by)
                return accepted, update.owed
            return await self._add_rematch(db, stored, by, to, side)

    async def rematch_venue(self, stored: StoredGame) -> Venue:
        """Return where a rematch of a game would be posted."""
        async with self.store.reading() as db:
            return await venues.rematch_venue(db, stored)

    async def _add_rematch(
        self, db: Connection, stored: StoredGame, by: Seat, to: Seat, side: Side
    ) -> tuple[StoredChallenge, tuple[OutboxRow, ...]]:
        await check_may_play(db, by.user, to)
        game, venue = stored.game, await venues.rematch_venue(db, stored)
        settings = await load_server_settings(db, venue.server)
        wanted = game.terms.thread if settings.threads is None else settings.threads
        terms = replace(game.terms, thread=wanted and venue.parent is None)
        if terms.rated_if_finished:
            terms = await _decide_rating(db, replace(terms, rated=settings.rated), game.ruleset, (by, to))
        new = Challenge(0, by, to, game.ruleset, side, self._expires_at(), terms=terms, rematch_of=game.id)
        if terms.house:
            begun, update = await self._begin_against_house(db, new, venue, settings)
            return begun, update.owed
        return await self._add_challenge(db, new, venue, settings)

    async def accept_challenge(self, challenge_id: int, by: Seat) -> tuple[StoredChallenge, GameUpdate]:
        """Accept a challenge, and begin its game. Return the challenge and the game.

        The challenge returned is still open if other people may accept it, too.
        """
        async with self.store.transaction() as db:
            return await self._accept_challenge(db, await _require_challenge(db, challenge_id), by)

    async def _accept_challenge(
        self, db: Connection, pending: StoredChallenge, by: Seat
    ) -> tuple[StoredChallenge, GameUpdate]:
        accepted, seats = match.accept_challenge(pending.challenge, by, self.now(), self.draw_lot())
        await check_may_play(db, by.user, accepted.by)
        if pending.game and (before := await game_lists.game_from_challenge(db, accepted.id, by.user)):
            raise Refused(Why.TAKEN_ALREADY, game=before)
        settings = await load_server_settings(db, pending.venue.server)
        await self._check_games(db, pending.venue, settings, seats, by.user)
        return await self._begin(db, replace(pending, challenge=accepted), seats, settings, by.user)

    async def _begin(
        self, db: Connection, accepted: StoredChallenge, seats: ByColour[Seat], settings: ServerSettings, by: int
    ) -> tuple[StoredChallenge, GameUpdate]:
        """Save a challenge that `by` has accepted, and begin its game. `settings` are those of the server."""
        challenge, venue = accepted.challenge, accepted.venue
        what = challenge.ruleset, seats, venue, await _terms_at_beginning(db, challenge, seats)
        stored = await begin_game(db, *what, self.now(), origin=challenge.id)
        await challenges.save_challenge(db, challenge, game=stored.game.id)
        stored = replace(stored, related=replace(stored.related, server_settings=asdict(settings)))
        owed = await owe_board(db, stored, self.now(), by=by)
        return replace(accepted, game=stored.game.id), GameUpdate(stored, owed)

    async def decline_challenge(self, challenge_id: int, by: int) -> StoredChallenge:
        """Decline a challenge, and return it."""
        async with self.store.transaction() as db:
            pending = await _require_challenge(db, challenge_id)
            closed = match.decline_challenge(pending.challenge, by, self.now())
            await challenges.save_challenge(db, closed)
            return replace(pending, challenge=closed)

    async def withdraw_challenge(self, challenge_id: int, by: int) -> StoredChallenge:
        """Withdraw a challenge for the person who made it, and return it."""
        async with self.store.transaction() as db:
            pending = await _require_challenge(db, challenge_id)
            closed = match.withdraw_challenge(pending.challenge, by, self.now())
            await challenges.save_challenge(db, closed)
            return replace(pending, challenge=closed)

    async def stored_challenge(self, challenge_id: int) -> StoredChallenge:
        """Return a challenge as it is stored now. Does not check who asks."""
        async with self.store.reading() as db:
            return await _require_challenge(db, challenge_id)

    async def challenge_to_post(self, owed: OutboxRow) -> OwedChallenge:
        """Return the row of a challenge's message with what it shows.

        That is what the transaction has written that leased the row for its caller; for any other row, what is stored
        now.
        """
        if isinstance(owed, OwedChallenge):
            return owed
        async with self.store.reading() as db:
            stored = await _require_challenge(db, owed.payload["challenge"])
            settings = await load_server_settings(db, stored.venue.server)
        return OwedChallenge(**vars(owed), stored=stored, theme=settings.theme)

    async def open_seeks(self, server: int | None) -> list[StoredChallenge]:
        """Return the open seeks of a server, oldest first."""
        async with self.store.reading() as db:
            found = await challenges.open_seeks(db, server)
        return [seek for seek in found if seek.challenge.expires_at > self.now()]

    async def challenges_of(self, user: int) -> list[StoredChallenge]:
        """Return the open challenges and seeks that a person made, or that are for them, oldest first."""
        async with self.store.reading() as db:
            found = await challenges.challenges_of(db, user)
        return [stored for stored in found if stored.challenge.expires_at > self.now()]

    async def expire_challenges(self, limit: int = 50) -> list[StoredChallenge]:
        """Close the challenges whose time is over, at most `limit`, and return them."""
        async with self.store.transaction() as db:
            late = await challenges.expired_challenges(db, self.now(), limit)
            closed = [replace(stored, challenge=match.expire_challenge(stored.challenge)) for stored in late]
            for stored in closed:
                await challenges.save_challenge(db, stored.challenge)
        return closed


def _check_cap(cap: int | None, plays: int, name: str | None = None) -> None:
    """Raise Refused if somebody plays as many games on a server as it allows. None as `name` is who asks."""
    if cap is not None and plays >= cap:
        raise Refused(Why.TOO_MANY_GAMES, name=name, cap=cap, plays=plays)


async def _check_private_games(db: Connection, user: int) -> None:
    """Raise Refused if a person has as many private games as anybody may have. It names one that they could resign."""
    private = await game_lists.private_games(db, user)
    if len(private) >= MOST_PRIVATE:
        raise Refused(Why.TOO_MANY_PRIVATE, most=MOST_PRIVATE, game=private[0])


async def _decide_rating(db: Connection, terms: Terms, ruleset: Ruleset, players: Collection[Seat]) -> Terms:
    """Return the terms with whether a game of these two is rated.

    If that was left open, it is if both have finished a game between people. Overboard never is.
    """
    users, is_open = {player.user for player in players}, terms.rated and terms.rated_if_finished
    both = is_open and (await game_lists.people_with_results(db, users)).between_people == users
    return _with_rating(terms, ruleset, both_finished=both)


def _with_rating(terms: Terms, ruleset: Ruleset, *, both_finished: bool) -> Terms:
    may_be = terms.rated and course_of(ruleset).rated
    return replace(terms, rated=may_be and (both_finished or not terms.rated_if_finished))


async def _terms_at_beginning(db: Connection, challenge: Challenge, seats: ByColour[Seat]) -> Terms:
    """Return the terms of a challenge's game, with what its players decide: who is new, and if a seek's is rated."""
    terms = challenge.terms
    users = {player.user for player in seats if terms.house is None or player.user != terms.house.user}
    known = await game_lists.people_with_results(db, users)
    terms = replace(terms, newcomer=known.any_game != users)
    both = known.between_people == users
    return terms if challenge.to else _with_rating(terms, challenge.ruleset, both_finished=both)


@CHALLENGE.when_delivered
async def note_challenge_message(db: Connection, owed: OutboxRow, message: int, _: int) -> None:
    """Store the id of the message that shows a challenge."""
    await challenges.set_challenge_message(db, owed.payload["challenge"], message)


@CHALLENGE.when_dropped
async def close_unseen_challenge(db: Connection, owed: OutboxRow, now: int) -> None:
    """Close a challenge whose message was dropped, because nobody can see it. It is no ping and no mention."""
    await challenges.close_unseen(db, owed.payload["challenge"], now)


async def _require_challenge(db: Connection, challenge_id: int) -> StoredChallenge:
    stored = await challenges.load_challenge(db, challenge_id)
    if stored is None:
        raise Refused(Why.NO_CHALLENGE)
    return stored
