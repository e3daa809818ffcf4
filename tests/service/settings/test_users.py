"""Settings of a person, and blocks: what a blocked person cannot do any more, and what goes on."""

from dataclasses import dataclass

from gipfbot.match import Seat, Side, Why
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.service.settings.setting_rows import switch
from gipfbot.service.settings.users import MOST_BLOCKS, Users, UserSettings
from gipfbot.store import Connection, Store
from gipfbot.values import LostReason, News
from tests.service.helpers import Host, assert_refused, basic_game_after, begin_game, begun, offered, play_on
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, DAN, HOME
from tests.support.times import DAY


async def test_what_follows_from_a_setting_is_done_with_it(store: Store, host: Host) -> None:
    seen = []

    async def note(_: Connection, user: int, value: bool, now: int) -> None:
        seen.append((user, value, now))

    @dataclass(frozen=True, kw_only=True)
    class OwnSettings(UserSettings):
        loud: bool = switch(False, then=note)

    await Users(store, lambda: host.now, OwnSettings).change(ANN.user, {"theme": "night", "loud": True})
    assert seen == [(ANN.user, True, host.now)]


async def test_blocked_person_cannot_challenge(app: App) -> None:
    assert await app.blocks.block(ANN.user, BOB)
    await assert_refused(Why.NOT_POSSIBLE, app.lobby.challenge(BOB, ANN, STANDARD, Side.LOT, HOME))
    assert await app.lobby.challenges_of(ANN.user) == []
    await app.blocks.unblock(ANN.user, BOB.user)
    await app.lobby.challenge(BOB, ANN, STANDARD, Side.LOT, HOME)


async def test_blocked_person_learns_nothing_from_crossing_challenges(app: App) -> None:
    await offered(app, BOB)
    await app.blocks.block(ANN.user, BOB)
    await assert_refused(Why.NOT_POSSIBLE, app.lobby.challenge(BOB, ANN, STANDARD, Side.LOT, HOME))


async def test_blocked_person_cannot_ask_for_a_rematch(app: App) -> None:
    game = (await begin_game(app)).game.id
    await app.games.resign(game, BOB.user)
    await app.blocks.block(ANN.user, BOB)
    await assert_refused(Why.NOT_POSSIBLE, app.lobby.rematch(game, BOB))
    await assert_refused(Why.BLOCKED_BY_YOU, app.lobby.rematch(game, ANN))


async def test_blocked_person_cannot_take_a_seek(app: App) -> None:
    seek = await offered(app, None)
    await app.blocks.block(ANN.user, BOB)
    await assert_refused(Why.NOT_POSSIBLE, app.lobby.accept_challenge(seek, BOB))
    assert await app.games.running_games(ANN.user) == []
    await app.lobby.accept_challenge(seek, CARA)


async def test_blocker_begins_no_game_with_the_blocked(app: App) -> None:
    """They are told whom they block."""
    challenge = await offered(app, BOB)
    await app.blocks.block(BOB.user, ANN)
    facts = await assert_refused(Why.BLOCKED_BY_YOU, app.lobby.accept_challenge(challenge, BOB))
    assert facts == {"name": ANN.name}
    await assert_refused(Why.BLOCKED_BY_YOU, app.lobby.challenge(BOB, ANN, STANDARD, Side.LOT, HOME))


async def test_blocked_person_cannot_follow(app: App) -> None:
    game = await basic_game_after(app, 1)
    await app.blocks.block(ANN.user, CARA)
    await assert_refused(Why.NOT_POSSIBLE, app.follows.follow_player(CARA.user, ANN, News.RESULT))
    await assert_refused(Why.NOT_POSSIBLE, app.follows.follow_game(CARA.user, game, News.RESULT))
    await app.follows.follow_player(CARA.user, BOB, News.RESULT)
    await app.follows.follow_game(DAN.user, game, News.RESULT)


async def test_block_ends_the_follows_of_the_blocked(app: App) -> None:
    game = await basic_game_after(app, 1)
    for person in (CARA, DAN):
        await app.follows.follow_player(person.user, ANN, News.RESULT)
        await app.follows.follow_player(person.user, BOB, News.RESULT)
        await app.follows.follow_game(person.user, game, News.RESULT)
    await app.blocks.block(ANN.user, CARA)
    assert [follow.player for follow in await app.follows.follows_of(CARA.user)] == [BOB.user]
    assert [follow.lost for follow in await app.follows.take_lost(CARA.user)] == [LostReason.IMPOSSIBLE] * 2
    assert len(await app.follows.follows_of(DAN.user)) == 3


async def test_blocked_person_cannot_nudge(app: App, host: Host) -> None:
    game = await begun(app)
    host.passes(DAY)
    stored = await app.games.game(game)
    assert await app.reminders.may_nudge(stored, BOB.user)
    await app.blocks.block(ANN.user, BOB)
    assert not await app.reminders.may_nudge(stored, BOB.user)
    await assert_refused(Why.NOT_POSSIBLE, app.reminders.nudge(game, BOB.user, 0))


async def test_running_games_of_the_blocked_go_on(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.blocks.block(ANN.user, BOB)
    await play_on(app, game, *TURNS[2:4])
    assert (await app.games.game(game)).game.turn_number == 4


async def test_blocks_are_listed_and_ended(app: App, host: Host) -> None:
    assert await app.blocks.block(ANN.user, CARA)
    host.passes(1)
    assert await app.blocks.block(ANN.user, BOB)
    assert not await app.blocks.block(ANN.user, BOB)
    assert await app.blocks.blocks_of(ANN.user) == [CARA, BOB]
    assert await app.blocks.unblock(ANN.user, CARA.user) == CARA
    assert await app.blocks.unblock(ANN.user, CARA.user) is None
    assert await app.blocks.blocks_of(ANN.user) == [BOB]
    assert await app.blocks.blocks_of(BOB.user) == []


async def test_nobody_blocks_themselves(app: App) -> None:
    await assert_refused(Why.BLOCKS_SELF, app.blocks.block(ANN.user, ANN))
    assert await app.blocks.blocks_of(ANN.user) == []


async def test_blocks_are_limited(app: App) -> None:
    for user in range(100, 100 + MOST_BLOCKS):
        await app.blocks.block(ANN.user, Seat(user, str(user)))
    facts = await assert_refused(Why.TOO_MANY_BLOCKS, app.blocks.block(ANN.user, BOB))
    assert facts == {"most": MOST_BLOCKS}
    assert not await app.blocks.block(ANN.user, Seat(100, "100")), "blocked before"
