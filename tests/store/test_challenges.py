"""Stored challenges and open seeks."""

from dataclasses import replace

import pytest

from gipfbot.match import REQUEST_LIFETIME, Challenge, RequestState, Seat, Side, accept_challenge, decline_challenge
from gipfbot.rules import BASIC, PRESETS
from gipfbot.store import Store, challenges
from gipfbot.values import Stale, StoredChallenge, Venue
from tests.store.helpers import MESSAGE, added
from tests.support.people import ANN, BOB, CARA, CLUB, HOME
from tests.support.times import NOW


async def offered(store: Store, by: Seat, to: Seat | None, home: Venue = HOME, now: int = NOW) -> StoredChallenge:
    async with store.transaction() as db:
        offer = Challenge(0, by, to, replace(BASIC, pieces=14), Side.BLACK, now + REQUEST_LIFETIME)
        return await challenges.add_challenge(db, offer, home)


async def loaded(store: Store, challenge_id: int) -> StoredChallenge | None:
    async with store.reading() as db:
        return await challenges.load_challenge(db, challenge_id)


@pytest.mark.parametrize("to", [BOB, None], ids=["challenge", "seek"])
@pytest.mark.parametrize("home", [HOME, Venue(1, 6, 5), Venue(None, 5)], ids=["server", "thread", "private"])
async def test_a_challenge_is_loaded_as_it_was_stored(store: Store, to: Seat | None, home: Venue) -> None:
    new = await offered(store, ANN, to, home)
    assert new == await loaded(store, new.challenge.id)
    assert (new.challenge.by, new.challenge.to, new.challenge.side) == (ANN, to, Side.BLACK)
    assert (new.challenge.state, new.challenge.expires_at) == (RequestState.OPEN, NOW + REQUEST_LIFETIME)
    assert new.challenge.ruleset != PRESETS["basic"]
    assert (new.venue, new.message, new.game) == (home, None, None)


async def test_an_unknown_challenge_is_none(store: Store) -> None:
    assert await loaded(store, 1) is None


async def test_a_challenge_keeps_its_message_and_its_game(store: Store) -> None:
    new, game = await offered(store, ANN, BOB), await added(store)
    accepted, _ = accept_challenge(new.challenge, BOB, NOW, white_by_lot=True)
    async with store.transaction() as db:
        await challenges.set_challenge_message(db, new.challenge.id, MESSAGE)
        await challenges.save_challenge(db, accepted, game=game.id)
    assert await loaded(store, new.challenge.id) == StoredChallenge(accepted, HOME, MESSAGE, game.id)


async def test_only_the_first_answer_counts(store: Store) -> None:
    """For example if one person declines a challenge while the other withdraws it."""
    new = await offered(store, ANN, BOB)
    async with store.transaction() as db:
        await challenges.save_challenge(db, decline_challenge(new.challenge, BOB.user, NOW))
    with pytest.raises(Stale):
        async with store.transaction() as db:
            await challenges.save_challenge(db, replace(new.challenge, state=RequestState.WITHDRAWN))
    stored = await loaded(store, new.challenge.id)
    assert stored
    assert stored.challenge.state is RequestState.DECLINED


async def test_only_open_seeks_of_the_server_are_listed(store: Store) -> None:
    first, second = await offered(store, ANN, None), await offered(store, BOB, None)
    private = await offered(store, ANN, None, Venue(None, 5))
    taken, _ = await offered(store, ANN, None), await offered(store, ANN, BOB)
    async with store.transaction() as db:
        await challenges.save_challenge(db, replace(taken.challenge, state=RequestState.ACCEPTED))
        assert await challenges.open_seeks(db, CLUB) == [first, second]
        assert await challenges.open_seeks(db, CLUB + 1) == []
        assert await challenges.open_seeks(db, None) == [private]


async def test_open_challenges_by_and_to_a_person_are_listed(store: Store) -> None:
    by, to = await offered(store, ANN, BOB), await offered(store, CARA, ANN)
    over, _ = await offered(store, ANN, CARA), await offered(store, BOB, CARA)
    async with store.transaction() as db:
        await challenges.save_challenge(db, replace(over.challenge, state=RequestState.DECLINED))
        assert await challenges.challenges_of(db, ANN.user) == [by, to]


async def test_only_unposted_challenges_leave_a_thread(store: Store) -> None:
    """A posted challenge is answered where its message stands."""
    thread = Venue(CLUB, 7, 5)
    posted, waiting, closed = [await offered(store, ANN, None, thread) for _ in range(3)]
    elsewhere = await offered(store, ANN, None, Venue(CLUB, 8, 5))
    async with store.transaction() as db:
        await challenges.set_challenge_message(db, posted.challenge.id, MESSAGE)
        await challenges.save_challenge(db, replace(closed.challenge, state=RequestState.WITHDRAWN))
        await challenges.move_challenges_to_parent(db, 7, 5)
    found = [await loaded(store, each.challenge.id) for each in (posted, waiting, closed, elsewhere)]
    assert [each.venue for each in found if each] == [thread, Venue(CLUB, 5), thread, elsewhere.venue]


async def test_only_open_challenges_past_their_time_are_expired(store: Store) -> None:
    late, later = await offered(store, ANN, BOB, now=NOW + 1), await offered(store, ANN, None, now=NOW)
    await offered(store, ANN, BOB, now=NOW + 2)
    async with store.transaction() as db:
        assert await challenges.expired_challenges(db, NOW + REQUEST_LIFETIME + 1, 10) == [later, late]
        assert await challenges.expired_challenges(db, NOW + REQUEST_LIFETIME + 1, 1) == [later]
        await challenges.save_challenge(db, replace(later.challenge, state=RequestState.EXPIRED))
        assert await challenges.expired_challenges(db, NOW + REQUEST_LIFETIME + 1, 10) == [late]
