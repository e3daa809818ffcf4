"""Private games on a real database: nothing of them goes to a channel, and what their player is told instead."""

from collections.abc import Sequence

import pytest
from sqlalchemy import select

from gipfbot.match import Refused, RequestKind, Side
from gipfbot.rules import OVERBOARD, legal
from gipfbot.service.app import App, message_kinds
from gipfbot.service.clock.reminders import REMINDER, WEEK, WEEKLY
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.store import outbox, tables, users
from gipfbot.values import NOWHERE, PRIVATE_VENUE
from tests.service.helpers import Host
from tests.service.house.helpers import BOT, act, begin
from tests.support.people import ANN, BOB, CLUB
from tests.support.times import DAY

KINDS = sorted(message_kinds().values())


async def rows(app: App) -> list[tuple[str, int]]:
    """Return the kind and the target of all rows of the outbox."""
    async with app.games.store.reading() as db:
        found = await db.execute(select(tables.outbox.c.kind, tables.outbox.c.channel).order_by(tables.outbox.c.id))
        return [(row.kind, row.channel) for row in found]


async def owed_in_each_way(app: App, kind: MessageKind, target: int, game: int) -> Sequence[object]:
    """Owe a message of a kind in each of the ways there are. Return what the outbox gives its callers."""
    async with app.games.store.transaction() as db:
        later = await outbox.owe(db, f"{kind}:a", kind, target, {}, 0, game)
        at_once = await owe_to_caller(db, f"{kind}:b", kind, target, {}, 0, game, by=ANN.user)
        await outbox.owe_each(db, f"{kind}:c", kind, {target: {}}, 0)
        return later, *at_once


@pytest.mark.parametrize("kind", KINDS)
async def test_no_kind_of_message_goes_to_a_channel(app: App, kind: MessageKind) -> None:
    game = (await begin(app, venue=PRIVATE_VENUE)).game.id
    assert await rows(app) == []
    assert await owed_in_each_way(app, kind, (await app.games.game(game)).venue.channel, game) == (0,)
    assert await rows(app) == []
    if kind.direct:
        await owed_in_each_way(app, kind, ANN.user, game)
        assert await rows(app) == [(kind, ANN.user)] * 3


async def test_a_whole_game_owes_nothing(app: App, host: Host) -> None:
    begun = await begin(app, venue=PRIVATE_VENUE, ruleset=OVERBOARD)
    for _ in range(3):
        game = (await app.games.game(begun.game.id)).game
        assert game.asked is not None
        update = await app.games.play_actions(game.id, ANN.user, legal(game.current)[:1])
        assert update.owed == ()
        await act(app)
        host.passes(DAY)
    await app.requests.make(RequestKind.DRAW, begun.game.id, ANN.user)
    await act(app)
    await app.requests.make(RequestKind.TAKEBACK, begun.game.id, ANN.user)
    await app.games.resign(begun.game.id, ANN.user)
    rematch, owed = await app.lobby.rematch(begun.game.id, ANN)
    assert owed == ()
    assert rematch.game
    assert (await app.games.game(rematch.game)).venue == PRIVATE_VENUE
    assert await rows(app) == []


async def test_the_game_after_a_repetition_is_private(app: App) -> None:
    begun = await begin(app, venue=PRIVATE_VENUE)
    async with app.games.store.transaction() as db:
        following = await app.games._restart_game(db, begun.stored)
    assert following
    assert following.venue == PRIVATE_VENUE


async def test_it_is_on_no_server(app: App) -> None:
    await begin(app, venue=PRIVATE_VENUE)
    assert await app.live.listed_of_others(CLUB, [1, NOWHERE], BOB.user, 10) == []
    await app.servers.change(CLUB, {"cap": 1})
    await begin(app)
    with pytest.raises(Refused):
        await begin(app)
    await begin(app, venue=PRIVATE_VENUE)
    with pytest.raises(Refused):
        await app.lobby.check_cap(CLUB, ANN.user)


async def test_one_reminder_a_turn_after_a_week(app: App, host: Host) -> None:
    game = (await begin(app, venue=PRIVATE_VENUE)).game
    for turns in (1, 2):
        for _ in range(100):
            host.passes(DAY)
            if WEEKLY in await app.what_is_due(app.now()):
                await app.reminders.owe_weekly_reminders()
        assert await rows(app) == [(REMINDER, ANN.user)] * turns
        asked = (await app.games.game(game.id)).game
        await app.games.play_actions(game.id, ANN.user, legal(asked.current)[:1])
        await act(app)


async def test_shut_direct_messages_leave_it_to_the_next_command(app: App, host: Host) -> None:
    game = (await begin(app, venue=PRIVATE_VENUE)).game
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, app.now() + 100 * DAY)
    for _ in range(30):
        host.passes(DAY)
        await app.reminders.owe_weekly_reminders()
    assert await rows(app) == []
    assert (await app.users.person(ANN.user)).has_untold_games
    assert [each.game.id for each in (await app.untold.take(ANN.user, WEEK)).waiting] == [game.id]
    assert not (await app.users.person(ANN.user)).has_untold_games


async def test_a_turn_that_was_played_is_not_told(app: App, host: Host) -> None:
    game = (await begin(app, venue=PRIVATE_VENUE)).game
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, app.now() + 100 * DAY)
    host.passes(8 * DAY)
    await app.reminders.owe_weekly_reminders()
    await app.games.play_actions(game.id, ANN.user, legal(game.current)[:1])
    await act(app)
    assert await app.untold.take(ANN.user, WEEK) == ((), ())


async def test_an_end_by_the_bot_is_told_once(app: App) -> None:
    for seen in (False, True):
        game = (await begin(app, Side.WHITE, venue=PRIVATE_VENUE)).game
        await app.games.resign(game.id, BOT.user)
        if seen:
            await app.untold.note_seen(game.id)
        over, _ = await app.untold.take(ANN.user, WEEK)
        assert [each.game.id for each in over] == ([] if seen else [game.id])
        assert await app.untold.take(ANN.user, WEEK) == ((), ())


async def test_a_public_end_is_not_noted(app: App) -> None:
    game = (await begin(app)).game
    await app.games.resign(game.id, BOT.user)
    assert not (await app.users.person(ANN.user)).has_untold_games


async def test_ten_private_games_at_most(app: App) -> None:
    first = (await begin(app, venue=PRIVATE_VENUE)).game.id
    for _ in range(9):
        await begin(app, venue=PRIVATE_VENUE)
    with pytest.raises(Refused) as refusal:
        await begin(app, venue=PRIVATE_VENUE)
    assert refusal.value.facts == {"most": 10, "game": first}
    await begin(app)
    await app.games.resign(first, ANN.user)
    await app.lobby.rematch(first, ANN)
    with pytest.raises(Refused):
        await begin(app, venue=PRIVATE_VENUE)
