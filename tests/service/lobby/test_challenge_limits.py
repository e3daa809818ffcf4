"""How many challenges and games one person may have, how often they may ping another, and that races change nothing."""

import asyncio
from collections.abc import Awaitable, Sequence

import pytest

from gipfbot.match import REQUEST_LIFETIME, Refused, RequestState, Seat, Side, Why
from gipfbot.rules import STANDARD
from gipfbot.service.app import App, create_app
from gipfbot.store import Store
from gipfbot.values import Limits, StoredChallenge, Venue
from tests.service.helpers import Host, assert_refused, begin_game, offered, refused, why_refused
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, ELSEWHERE, EVE, HOME
from tests.support.times import DAY, HOUR

ROLE = 10**18 + 99
OTHERS = [Seat(10**18 + 100 + at, f"Other {at}") for at in range(30)]


@pytest.fixture
def app(store: Store, host: Host) -> App:
    """Return all services with the limits that hold unless the host sets others, but for games: 2."""
    return create_app(store, lambda: host.now, lambda: True, limits=Limits(running_games=2))


async def back(app: App, to: Seat = ANN) -> int:
    """Return a challenge by Bob."""
    return (await app.lobby.challenge(BOB, to, STANDARD, Side.LOT, HOME))[0].challenge.id


async def sought(app: App, person: Seat, venue: Venue = HOME) -> StoredChallenge:
    """Return a new open seek."""
    return (await app.lobby.challenge(person, None, STANDARD, Side.LOT, venue))[0]


async def count_passed(works: Sequence[Awaitable[object]], why: Why) -> int:
    """Do all this at once. Return how much of it was not refused; all refusals must be for this reason."""
    done = await asyncio.gather(*works, return_exceptions=True)
    refusals = [result for result in done if isinstance(result, BaseException)]
    assert all(isinstance(refusal, Refused) and refusal.why is why for refusal in refusals), refusals
    return len(done) - len(refusals)


async def test_a_pair_has_one_open_challenge(app: App, host: Host) -> None:
    """On any server, in either direction, until it is answered, withdrawn or over."""
    first = await offered(app, BOB)
    pending = {"name": BOB.name, "challenge": first}
    assert await refused(offered(app, BOB, ELSEWHERE)) == (Why.CHALLENGE_PENDING, pending)
    assert await refused(back(app)) == (Why.CHALLENGES_CROSS, {"name": ANN.name, "challenge": first})
    await offered(app, CARA), await back(app, CARA)
    await app.lobby.withdraw_challenge(first, ANN.user)
    second = await offered(app, BOB)
    await app.lobby.decline_challenge(second, BOB.user)
    await back(app)
    host.passes(REQUEST_LIFETIME)
    await offered(app, BOB)


async def test_a_rematch_counts_as_a_challenge(app: App) -> None:
    game = (await begin_game(app)).game.id
    await app.games.resign(game, ANN.user)
    first = await offered(app, BOB)
    await assert_refused(Why.CHALLENGE_PENDING, app.lobby.rematch(game, ANN))
    await assert_refused(Why.CHALLENGES_CROSS, app.lobby.rematch(game, BOB))
    await app.lobby.withdraw_challenge(first, ANN.user)
    await app.lobby.rematch(game, BOB)
    await assert_refused(Why.CHALLENGES_CROSS, offered(app, BOB))
    assert (await app.lobby.rematch(game, ANN))[0].game


async def test_two_challenges_of_a_pair_at_once_are_one(app: App) -> None:
    assert await count_passed([offered(app, BOB) for _ in range(5)], Why.CHALLENGE_PENDING) == 1
    assert len(await app.lobby.challenges_of(BOB.user)) == 1


async def test_a_person_has_five_open_seeks(app: App, host: Host) -> None:
    assert await count_passed([offered(app, None) for _ in range(8)], Why.TOO_MANY_SEEKS) == 5
    assert await assert_refused(Why.TOO_MANY_SEEKS, offered(app, None, ELSEWHERE)) == {"most": 5}
    await app.lobby.challenge(CARA, None, STANDARD, Side.LOT, HOME)
    mine = [seek.challenge.id for seek in await app.lobby.challenges_of(ANN.user)]
    await app.lobby.withdraw_challenge(mine[0], ANN.user)
    await offered(app, None)
    await app.lobby.accept_challenge(mine[1], BOB)
    await offered(app, None)
    host.passes(REQUEST_LIFETIME)
    await offered(app, None)


async def test_a_person_has_twenty_open_challenges(app: App) -> None:
    """Seeks count, too. Challenges to the person do not."""
    await offered(app, None), await back(app)
    works = [offered(app, other) for other in OTHERS]
    assert await count_passed(works, Why.TOO_MANY_CHALLENGES) == 19
    assert await assert_refused(Why.TOO_MANY_CHALLENGES, offered(app, None)) == {"most": 20}
    await back(app, CARA)


async def test_a_person_at_the_most_games_begins_no_other(app: App) -> None:
    """The games of all servers count together."""
    first, _ = await begin_game(app), await begin_game(app, venue=ELSEWHERE)
    own, anns = {"name": None, "most": 2}, {"name": ANN.name, "most": 2}
    assert await refused(offered(app, CARA)) == (Why.TOO_MANY_RUNNING, own)
    assert await refused(offered(app, None)) == (Why.TOO_MANY_RUNNING, own)
    asked = app.lobby.challenge(CARA, ANN, STANDARD, Side.LOT, HOME)
    assert await refused(asked) == (Why.TOO_MANY_RUNNING, anns)
    await app.games.resign(first.game.id, BOB.user)
    seek = await offered(app, None)
    await app.lobby.rematch(first.game.id, BOB)
    await app.lobby.rematch(first.game.id, ANN)
    assert await refused(app.lobby.accept_challenge(seek, CARA)) == (Why.TOO_MANY_RUNNING, anns)
    assert len(await app.games.running_games(ANN.user)) == 2


async def test_accepting_at_once_keeps_to_the_most_games(app: App) -> None:
    """Neither the challenger nor the person who accepts gets more."""
    seeks = [await offered(app, None) for _ in range(4)]
    taken = [app.lobby.accept_challenge(seek, who) for seek, who in zip(seeks, (BOB, CARA, DAN, EVE), strict=True)]
    assert await count_passed(taken, Why.TOO_MANY_RUNNING) == 2
    theirs = [(await app.lobby.challenge(who, BOB, STANDARD, Side.LOT, HOME))[0] for who in OTHERS[:3]]
    accepts = [app.lobby.accept_challenge(each.challenge.id, BOB) for each in theirs]
    assert await count_passed(accepts, Why.TOO_MANY_RUNNING) == 1


async def test_a_rematch_keeps_to_the_most_games(app: App) -> None:
    ended = (await begin_game(app)).game.id
    await app.games.resign(ended, ANN.user)
    await app.lobby.rematch(ended, ANN)
    await begin_game(app, black=CARA), await begin_game(app, black=DAN)
    assert await refused(app.lobby.rematch(ended, BOB)) == (Why.TOO_MANY_RUNNING, {"name": ANN.name, "most": 2})


async def test_a_person_is_pinged_three_times_a_day(app: App, host: Host) -> None:
    """Withdrawn and declined challenges count. The refusal says when it works again."""
    first = host.now
    for _ in range(3):
        await app.lobby.withdraw_challenge(await offered(app, BOB), ANN.user)
        host.passes(HOUR)
    told = {"name": BOB.name, "most": 3, "at": first + DAY}
    assert await refused(offered(app, BOB)) == (Why.TOO_MANY_PINGS, told)
    assert await app.lobby.challenges_of(BOB.user) == []
    await offered(app, CARA)
    await app.lobby.decline_challenge(await back(app), ANN.user)
    host.now = first + DAY - 1
    await assert_refused(Why.TOO_MANY_PINGS, offered(app, BOB))
    host.passes(1)
    await app.lobby.decline_challenge(await offered(app, BOB), BOB.user)
    assert await refused(offered(app, BOB)) == (Why.TOO_MANY_PINGS, {**told, "at": first + HOUR + DAY})


async def test_rematches_ping_as_often_as_challenges(app: App) -> None:
    game = (await begin_game(app)).game.id
    await app.games.resign(game, ANN.user)
    for _ in range(2):
        again = (await app.lobby.rematch(game, ANN))[0].challenge.id
        await app.lobby.withdraw_challenge(again, ANN.user)
    await assert_refused(Why.TOO_MANY_PINGS, app.lobby.rematch(game, ANN))
    await app.lobby.rematch(game, BOB)


async def test_blocked_person_learns_nothing_from_limits(app: App) -> None:
    """They are told the same as always, whatever they have sent before."""
    for _ in range(3):
        await app.lobby.withdraw_challenge(await back(app), BOB.user)
    await app.blocks.block(ANN.user, BOB)
    assert await why_refused(back(app)) is Why.NOT_POSSIBLE
    await begin_game(app, black=CARA), await begin_game(app, black=CARA)
    assert await why_refused(back(app)) is Why.NOT_POSSIBLE


async def test_seeks_of_a_server_mention_its_role_three_times_a_day(app: App, host: Host) -> None:
    """Of all people together, also if a challenge is withdrawn. A challenge to somebody mentions nobody."""
    await app.servers.change(CLUB, {"seekers": ROLE})
    await app.servers.change(CLUB + 1, {"seekers": ROLE + 1})
    assert (await app.lobby.challenge(ANN, CARA, STANDARD, Side.LOT, HOME))[0].mentioned_role is None
    for person in (ANN, BOB, CARA):
        seek = await sought(app, person)
        assert seek.mentioned_role == ROLE
        await app.lobby.withdraw_challenge(seek.challenge.id, person.user)
        host.passes(HOUR)
    assert (await sought(app, DAN)).mentioned_role is None
    assert (await sought(app, DAN, ELSEWHERE)).mentioned_role == ROLE + 1
    host.passes(DAY - 3 * HOUR - 1)
    assert (await sought(app, EVE)).mentioned_role is None
    host.passes(1)
    assert (await sought(app, EVE)).mentioned_role == ROLE
    assert (await sought(app, EVE)).mentioned_role is None, "two more were mentioned less than a day ago"


async def test_challenge_that_discord_does_not_take_is_no_ping_and_no_mention(app: App) -> None:
    await app.servers.change(CLUB, {"seekers": ROLE})
    for opponent in (None, None, None, None, BOB, BOB, BOB, BOB):
        made, owed = await app.lobby.challenge(ANN, opponent, STANDARD, Side.LOT, HOME)
        assert made.mentioned_role == (None if opponent else ROLE)
        await app.outbox.give_up(owed[0], "AutoMod blocks it")
        assert (await app.lobby.stored_challenge(made.challenge.id)).challenge.state is RequestState.EXPIRED


async def test_seeks_of_two_processes_at_once_mention_three_times(app: App, store: Store, host: Host) -> None:
    await app.servers.change(CLUB, {"seekers": ROLE})
    other = create_app(store, lambda: host.now, lambda: True)
    found = await asyncio.gather(*(sought((app, other)[at % 2], person) for at, person in enumerate(OTHERS[:8])))
    assert [seek.mentioned_role for seek in found].count(ROLE) == 3
