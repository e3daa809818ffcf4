"""What outlives a deletion, so that it protects others: blocks and pings keep a hashed id of the person."""

import hmac
from dataclasses import replace

from sqlalchemy import select

from gipfbot.match import Seat, Side, Why
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.store import Store, hashed_ids, meta, tables, users, watching
from gipfbot.values import FORMER_NAME, NO_LIMITS, Follow, News
from tests.service.helpers import Host, assert_refused, basic_game_after, begun, delete_all, deliver
from tests.service.privacy.stored_values import columns_naming
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, DAN, HOME
from tests.support.times import DAY, NOW


async def test_block_by_another_outlives_the_deletion(app: App) -> None:
    """It holds against the same person, whatever they call themself now, and until it is taken back."""
    await app.blocks.block(CARA.user, ANN)
    for _ in range(2):  # also after a second deletion
        await delete_all(app, ANN.user)
        await assert_refused(Why.NOT_POSSIBLE, app.lobby.challenge(ANN, CARA, BASIC, Side.LOT, HOME))
        await assert_refused(Why.NOT_POSSIBLE, app.follows.follow_player(ANN.user, CARA, News.RESULT))
        await assert_refused(Why.BLOCKED_BY_YOU, app.lobby.challenge(CARA, ANN, BASIC, Side.LOT, HOME))
        assert not await app.blocks.block(CARA.user, ANN), "they are blocked already"
        await app.lobby.challenge(ANN, DAN, BASIC, Side.LOT, HOME)  # nobody else blocks them
    anew = {"challenges.by_user", "challenges.by_name", "outbox.caused_by"}  # their challenge, which is still owed
    assert await columns_naming(app.games.store, ANN) <= anew
    assert [seat.name for seat in await app.blocks.blocks_of(CARA.user)] == [FORMER_NAME]
    assert await app.blocks.unblock(CARA.user, ANN.user)
    await app.lobby.challenge(ANN, CARA, BASIC, Side.LOT, HOME)


async def test_former_player_is_unblocked_from_the_list(app: App) -> None:
    await app.blocks.block(CARA.user, ANN)
    await delete_all(app, ANN.user)
    (listed,) = await app.blocks.blocks_of(CARA.user)
    assert listed.user != ANN.user
    assert await app.blocks.unblock(CARA.user, listed.user) == listed
    await app.lobby.challenge(ANN, CARA, BASIC, Side.LOT, HOME)


async def test_follower_who_begins_anew_is_told_nothing_of_a_player_who_blocks_them(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.blocks.block(ANN.user, CARA)
    await delete_all(app, CARA.user)
    await assert_refused(Why.NOT_POSSIBLE, app.follows.follow_game(CARA.user, game, News.EACH_TURN))
    async with app.games.store.transaction() as db:
        await watching.add_follow(db, Follow(0, CARA.user, game, None, "Ann vs Bob", News.EACH_TURN), NOW)
    await deliver(app, await app.games.play_typed(game, ANN.user, TURNS[2]))
    async with app.games.store.reading() as db:
        assert await db.scalar(select(tables.outbox.c.id).where(tables.outbox.c.channel == CARA.user)) is None


async def ping(app: App, to: Seat) -> None:
    """Let Ann challenge a person, and withdraw the challenge."""
    made, _ = await app.lobby.challenge(ANN, to, BASIC, Side.LOT, HOME)
    await app.lobby.withdraw_challenge(made.challenge.id, ANN.user)


async def test_pings_of_a_day_count_after_a_deletion(store: Store, host: Host) -> None:
    app = create_app(store, lambda: host.now, lambda: True, limits=replace(NO_LIMITS, pings_a_day=3))
    first = host.now
    for _ in range(2):
        await ping(app, BOB)
        host.passes(60)
        await delete_all(app, ANN.user)
        assert not await app.deletions.stored_about(ANN.user)
    await ping(app, BOB)
    assert (await assert_refused(Why.TOO_MANY_PINGS, ping(app, BOB)))["at"] == first + DAY
    await ping(app, CARA)
    host.now = first + DAY
    await ping(app, BOB)
    await assert_refused(Why.TOO_MANY_PINGS, ping(app, BOB))


async def test_hashed_ids_of_pings_go_after_a_day(app: App, host: Host) -> None:
    await ping(app, BOB)
    await app.lobby.challenge(ANN, None, BASIC, Side.LOT, HOME)
    host.passes(60)
    await ping(app, CARA)
    await delete_all(app, ANN.user)
    counts = []
    for seconds in (0, DAY - 60, 60):
        host.passes(seconds)
        await app.deletions.resume_all()
        counts.append(len(await stored_pings(app.games.store)))
    assert counts == [2, 1, 0]


async def test_pings_to_a_person_go_with_their_data(app: App) -> None:
    await ping(app, BOB)
    await delete_all(app, ANN.user)
    assert await stored_pings(app.games.store) == [BOB.user]
    await delete_all(app, BOB.user)
    assert await stored_pings(app.games.store) == []


async def stored_pings(store: Store) -> list[int]:
    """Return who was pinged by people who have deleted their data."""
    async with store.reading() as db:
        return [*await db.scalars(select(tables.former_pings.c.to_user))]


async def test_hashed_id_cannot_be_read_without_the_hosts_key(app: App) -> None:
    """Another key makes another hashed id of the same person."""
    found = []
    for key in ("00" * 32, "11" * 32):
        async with app.games.store.transaction() as db:
            await meta.save_value(db, hashed_ids.KEY, key)
            found.append(await hashed_ids.hash_id(db, ANN.user))
            assert hashed_ids.with_hashed_ids(key, [ANN.user]) == {ANN.user: ANN.user, found[-1]: ANN.user}
    expected = [hmac.digest(bytes([byte]) * 32, str(ANN.user).encode(), "sha256") for byte in (0x00, 0x11)]
    assert found == [2**62 + (int.from_bytes(digest[:8]) >> 2) for digest in expected]


async def test_each_host_has_a_key_of_their_own(app: App, store: Store) -> None:
    async with store.transaction() as db:
        key = await meta.load_value(db, hashed_ids.KEY)
        assert hashed_ids.with_hashed_ids(key, [ANN.user]) == {ANN.user: ANN.user}, "nobody was deleted"
        first = await hashed_ids.hash_id(db, ANN.user)
        key = await meta.load_value(db, hashed_ids.KEY)
        assert await hashed_ids.hash_id(db, ANN.user) == first
        assert await meta.load_value(db, hashed_ids.KEY) == key
    assert len(bytes.fromhex(key or "")) == 32


async def test_block_against_both_lives_becomes_one(app: App) -> None:
    """A block from before there were hashed ids, or from two processes at once, stands beside the hashed id."""
    await app.blocks.block(CARA.user, ANN)
    await delete_all(app, ANN.user)
    async with app.games.store.transaction() as db:
        await users.add_block(db, CARA.user, ANN, NOW)
    await delete_all(app, ANN.user)
    assert [seat.name for seat in await app.blocks.blocks_of(CARA.user)] == [FORMER_NAME]
    assert not await app.deletions.stored_about(ANN.user)


async def test_running_games_count_for_the_host_until_they_are_resigned(store: Store, host: Host) -> None:
    app = create_app(store, lambda: host.now, lambda: True, limits=replace(NO_LIMITS, running_games=2))
    for _ in range(2):
        await begun(app)
    await app.deletions.begin(ANN.user)
    assert await app.games.running_games(ANN.user) == []
    await assert_refused(Why.TOO_MANY_RUNNING, app.lobby.challenge(ANN, DAN, BASIC, Side.LOT, HOME))
    await app.deletions.finish(ANN.user)
    await app.lobby.challenge(ANN, DAN, BASIC, Side.LOT, HOME)
