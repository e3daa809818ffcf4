"""Messages that a channel refuses, or that the bot cannot build: none is lost for good."""

from collections.abc import Callable

import pytest
from sqlalchemy import select, text, update

from gipfbot.match import Clock, Terms
from gipfbot.service.clock.undeliverable import RETRY_PATIENCE
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import outbox, tables
from gipfbot.ui.delivery.delivery import MOST_OWN_FAULTS, MOST_TRIES
from gipfbot.values import OutboxRow
from tests.support.routes import MESSAGES
from tests.support.stores import refusing
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .house import House, PowerCut, said


async def refused_turn(house: House, terms: Terms = THREE_DAYS) -> int:
    """Return a game in which Bob is to move. Its channel has refused the board."""
    game_id = await house.begin(terms=terms, thread=False)
    await house.discord.deny(house.channel, "send_messages")
    assert not await house.play(game_id)
    return game_id


async def looks(house: House, seconds: int) -> None:
    """Let time pass, and the bot retry what is due."""
    house.clock.moved += seconds
    await house.bot.app.undeliverable.retry_due_boards()
    await house.sweep()


def tries(house: House) -> int:
    """Return how many posts were tried in the channel."""
    return sum(call.path == f"/channels/{house.channel.id}/messages" for call in house.discord.called("POST", MESSAGES))


async def clock(house: House, game_id: int) -> Clock:
    found = (await house.game(game_id)).clock
    assert found
    return found


# ── The channel takes nothing ──


async def test_refused_board_is_told_by_dm_and_posted_later(house: House) -> None:
    """The message has a button that opens the desk. The clock runs, as the player knows."""
    game_id = await refused_turn(house)
    await house.sweep()
    dm = house.discord.dm(house.discord.user("bob"))
    (letter,) = dm.messages
    assert letter.content.startswith("It's your turn in #a1 vs Ann · due <t:")
    assert "/gipf board" in letter.content
    assert f"message_desk:{game_id}" in str(letter.json())
    assert (await clock(house, game_id)).deadline
    assert (await house.stored(game_id)).unreachable
    await looks(house, HOUR)
    await house.discord.deny(house.channel)
    await looks(house, HOUR - 60)
    assert said(house.channel)[1:] == ["board 0"]
    await looks(house, 120)
    await looks(house, DAY)
    assert said(house.channel)[1:] == ["board 0", "board 1"]
    assert not (await house.stored(game_id)).unreachable
    assert len(dm.messages) == 1


async def test_refused_board_is_retried_ever_more_rarely_but_daily(house: House) -> None:
    await refused_turn(house)
    first = tries(house)
    for _ in range(4 * 24):
        await looks(house, HOUR)
    assert 7 <= tries(house) - first <= 9
    before = tries(house)
    await looks(house, DAY)
    assert tries(house) == before + 1


async def test_a_later_turn_replaces_the_refused_board(house: House) -> None:
    game_id = await refused_turn(house)
    await house.discord.deny(house.channel)
    assert await house.play(game_id)
    await looks(house, DAY)
    assert said(house.channel)[1:] == ["board 0", "board 2"]


async def test_a_relocated_game_is_not_retried(house: House) -> None:
    game_id = await refused_turn(house)
    attic = await house.discord.add_channel("attic")
    await house.bot.delivery.deliver((await house.app.venues.relocate(game_id, house.home(attic))).owed)
    await house.discord.deny(house.channel)
    await looks(house, DAY)
    assert (said(attic), said(house.channel)[1:]) == (["board 1"], ["board 0"])


async def test_only_the_newest_of_two_refused_boards_is_posted_later(house: House) -> None:
    """Only its player gets a direct message."""
    game_id = await house.begin(terms=THREE_DAYS, thread=False)
    house.discord.fail_next("POST", MESSAGES, status=401, times=99)
    for _ in range(2):
        assert not await house.play(game_id)
    house.discord.forgive()
    await house.discord.deny(house.channel, "send_messages")
    await house.sweep(60)
    letters = [len(house.discord.dm(house.discord.user(name)).messages) for name in ("ann", "bob")]
    assert letters == [1, 0]
    await house.discord.deny(house.channel)
    await looks(house, HOUR)
    await looks(house, DAY)
    assert said(house.channel)[1:] == ["board 0", "board 2"]


async def test_a_result_board_is_retried_but_not_for_ever(house: House) -> None:
    game_id = await house.begin(thread=False)
    await house.discord.deny(house.channel, "send_messages")
    await house.bot.delivery.deliver((await house.app.games.cancel_game(game_id, house.seats()[0].user)).owed)
    await looks(house, HOUR)
    await house.discord.deny(house.channel)
    await looks(house, 2 * HOUR)
    assert said(house.channel)[1:] == ["board 0", "end"]
    assert "was cancelled by Ann" in house.channel.last().content
    other = await house.begin(thread=False)
    await house.discord.deny(house.channel, "send_messages")
    await house.bot.delivery.deliver((await house.app.games.cancel_game(other, house.seats()[0].user)).owed)
    for _ in range(2):
        await looks(house, RETRY_PATIENCE)
    before = tries(house)
    await looks(house, RETRY_PATIENCE)
    assert tries(house) == before


# ── Nor do direct messages ──


async def test_clock_pauses_if_the_player_can_be_told_nowhere(house: House) -> None:
    """Whether closed direct messages are known or found out now. Told at last, the player has all their time."""
    house.discord.user("bob").dms_open = False
    game_id = await refused_turn(house)
    left = 3 * DAY
    for known in (False, True):
        await house.sweep()
        standing = await clock(house, game_id)
        assert (standing.deadline, left - (standing.paused_left or 0) < 60) == (None, True), known
        await looks(house, DAY)
    await house.discord.deny(house.channel)
    await looks(house, DAY)
    deadline = (await clock(house, game_id)).deadline
    assert deadline
    assert left - 120 < deadline - house.clock() <= left
    assert f"<t:{deadline}:R>" in house.channel.last().content


async def test_opening_dms_gets_the_message_and_starts_the_clock(house: House) -> None:
    bob = house.discord.user("bob")
    bob.dms_open = False
    game_id = await refused_turn(house)
    await house.sweep()
    bob.dms_open = True
    await house.bot.app.reminders.note_dms_open(bob.id)
    await looks(house, HOUR)
    assert len(house.discord.dm(bob).messages) == 1
    assert (await clock(house, game_id)).deadline


async def test_a_paused_clock_resumes_after_two_weeks(house: House) -> None:
    """Nobody can hold a game up by closing their direct messages and the channel."""
    house.discord.user("bob").dms_open = False
    game_id = await refused_turn(house)
    await house.sweep()
    await looks(house, RETRY_PATIENCE - HOUR)
    assert (await clock(house, game_id)).deadline is None
    await looks(house, DAY)
    assert (await clock(house, game_id)).deadline


async def test_vacation_keeps_the_clock_paused_when_the_board_is_posted(house: House) -> None:
    game_id = await refused_turn(house)
    await house.bot.app.vacations.start_vacation(house.seats()[1].user, 10)
    await house.discord.deny(house.channel)
    await looks(house, HOUR)
    assert said(house.channel)[-1] == "board 1"
    assert "is on vacation until" in house.channel.last().content
    assert (await clock(house, game_id)).deadline is None


# ── Nobody tried, or what failed is on our side ──


async def test_downtime_does_not_count_as_a_try(house: House) -> None:
    house.discord.fail_next("POST", MESSAGES, status=401, times=2)
    offered = house.channel.messages
    game_id = await house.begin(thread=False)
    assert offered == []
    await house.restart(25 * HOUR)
    assert not (await house.stored(game_id)).unreachable
    house.discord.forgive()
    await house.sweep(HOUR)
    assert said(house.channel)[-1] == "board 0"


async def test_a_day_of_failures_makes_the_game_unreachable(house: House) -> None:
    """The game stays in its thread, as nothing is wrong with that."""
    game_id = await house.begin()
    thread = house.thread()
    house.discord.fail_next("POST", MESSAGES, status=401, times=99)
    await house.play(game_id)
    for _ in range(MOST_TRIES + 2):
        assert not (await house.stored(game_id)).unreachable
        await house.sweep(HOUR + 60)
        if (await house.stored(game_id)).unreachable:
            break
    assert (await house.stored(game_id)).unreachable
    assert (await house.stored(game_id)).venue == house.home(thread)
    house.discord.forgive()
    await looks(house, DAY)
    assert said(thread) == ["board 1"]
    assert said(house.channel)[1:] == ["board 0"]


async def spoil(house: House, game_id: int) -> dict[str, object]:
    """Make the owed board of a game unreadable; return what it was."""
    async with house.store.transaction() as db:
        owed = tables.outbox.c.game == game_id, tables.outbox.c.done_at.is_(None)
        before: dict[str, object] = (await db.scalars(select(tables.outbox.c.payload).where(*owed))).one()
        await db.execute(update(tables.outbox).where(*owed).values(payload={**before, "position": "mush"}))
    return before


async def spoilt_turn(house: House) -> tuple[int, dict[str, object]]:
    """Return a game in a thread whose newest board cannot be read, and its payload."""
    game_id = await house.begin()
    done = await house.app.games.play_typed(game_id, house.mover(await house.game(game_id)), "a2-c2")
    before = await spoil(house, game_id)
    async with house.store.transaction() as db:
        await outbox.retry_later(db, done.owed[0].id, house.clock())
    return game_id, before


async def test_a_message_that_cannot_be_built_is_put_off(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """For example if the database was locked while the message was built."""
    game_id, before = await spoilt_turn(house)
    await house.sweep()
    async with house.store.transaction() as db:
        await db.execute(update(tables.outbox).where(tables.outbox.c.done_at.is_(None)).values(payload=before))
    await house.sweep(60)
    assert said(house.thread()) == ["board 1"]
    assert not (await house.stored(game_id)).unreachable
    assert "cannot be posted" in caplog.text
    caplog.clear()


async def test_a_message_that_cannot_be_built_is_given_up_alone(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Its player gets a direct message. The game stays in its thread."""
    game_id, _ = await spoilt_turn(house)
    for _ in range(MOST_OWN_FAULTS - 2):  # and one that was never made
        await house.sweep(HOUR)
    assert house.discord.dm(house.discord.user("bob")).messages == []
    await house.sweep(HOUR)
    assert len(house.discord.dm(house.discord.user("bob")).messages) == 1
    stored = await house.stored(game_id)
    assert (stored.unreachable, stored.venue) == (False, house.home(house.thread()))
    assert await house.play(game_id)
    assert said(house.thread()) == ["board 2"]
    caplog.clear()


async def test_an_invalid_message_does_not_leave_the_thread(house: House, caplog: pytest.LogCaptureFixture) -> None:
    game_id = await house.begin()
    house.discord.fail_next("POST", MESSAGES, status=400, code=50035)
    assert not await house.play(game_id)
    assert not (await house.stored(game_id)).unreachable
    assert await house.play(game_id)
    assert said(house.thread()) == ["board 2"]
    assert said(house.channel)[1:] == ["board 0"]
    assert "does not take message" in caplog.text
    caplog.clear()


async def broken_payload(house: House, game_id: int) -> None:
    """Make the owed message unreadable."""
    async with house.store.transaction() as db:
        await db.execute(text("UPDATE outbox SET payload = '{' WHERE game = :id"), {"id": game_id})


async def broken_giving_up(house: House, game_id: int) -> None:
    """Make the owed message unreadable at its last try, and make giving it up fail, too."""
    async with house.store.transaction() as db:
        await db.execute(text("UPDATE outbox SET payload = '{}', attempts = 99 WHERE game = :id"), {"id": game_id})
        for statement in fails(game_id, "dropped"):
            await db.execute(text(statement))


def fails(game_id: int, column: str) -> list[str]:
    """Return what lets each change of a column fail in what is owed for a game."""
    only = f"NEW.game = {game_id} AND NEW.{column} IS NOT NULL"
    return refusing(f"fails{game_id}", f"UPDATE OF {column}", "outbox", "broken", only)


@pytest.mark.parametrize("breaks", [pytest.param(broken_payload, marks=pytest.mark.sqlite), broken_giving_up])
async def test_a_broken_row_keeps_no_other_from_being_posted(
    house: House, caplog: pytest.LogCaptureFixture, breaks: Callable[[House, int], object]
) -> None:
    """It is tried once in a sweep."""
    ids = [await house.begin(thread=False) for _ in range(6)]
    for game_id in ids:
        await house.app.games.play_typed(game_id, house.seats()[0].user, "a2-c2")
    async with house.store.transaction() as db:
        await outbox.release_leases(db)
    for game_id in ids[:5]:
        await breaks(house, game_id)  # type: ignore[misc]
    caplog.clear()
    await house.sweep()
    assert said(house.channel)[-1] == "board 1"
    assert caplog.text.count("cannot be posted") == 5
    caplog.clear()


async def test_a_row_that_cannot_be_leased_is_left_for_later(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried once in a sweep, and keeps no other from being posted."""
    games = [await house.begin(thread=False) for _ in range(2)]
    for game in games:
        await house.app.games.play_typed(game, house.seats()[0].user, "a2-c2")
    async with house.store.transaction() as db:
        await outbox.release_leases(db)
    lease = house.app.outbox.lease_row

    async def lease_most(row: int, *, in_lane: bool) -> OutboxRow | None:
        leased = await lease(row, in_lane=in_lane)
        if leased and leased.game == games[0]:
            raise ValueError("a bad moment")
        return leased

    monkeypatch.setattr(house.app.outbox, "lease_row", lease_most)
    await house.sweep()
    assert said(house.channel)[-1] == "board 1"
    assert caplog.text.count("is left for later") == 1
    caplog.clear()


async def test_messages_of_an_unreadable_game_wait_for_it(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """However long: the log names the game once, and other messages go their way."""
    broken, sound = await house.begin(thread=False), await house.begin(thread=False)
    asked = [
        await house.app.requests.make(TAKEBACK, game_id, await played_by(house, game_id)) for game_id in (broken, sound)
    ]
    async with house.store.transaction() as db:
        await db.execute(text("UPDATE games SET position = 'x' || position WHERE id = :id"), {"id": broken})
    for _ in range(2 * MOST_OWN_FAULTS):
        await house.sweep(HOUR)
    assert [await posted(house, each.request.id) for each in asked] == [False, True]
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        f"game {broken} cannot be read and is left as it is"
    ]
    async with house.store.transaction() as db:
        await db.execute(text("UPDATE games SET position = substr(position, 2) WHERE id = :id"), {"id": broken})
    await house.sweep(HOUR)
    assert await posted(house, asked[0].request.id)
    caplog.clear()


async def test_messages_that_only_a_newer_version_knows_are_left_to_it(
    house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process runs beside this one during an upgrade, and posts them however often this one has tried."""
    game_id = await house.begin(thread=False)
    user = await played_by(house, game_id)
    with monkeypatch.context() as older:
        older.delitem(house.current_builders(), TAKEBACK)
        asked = await house.app.requests.make(TAKEBACK, game_id, user)
        for _ in range(2 * MOST_OWN_FAULTS):
            await house.sweep(HOUR)
        assert not await posted(house, asked.request.id)
    assert "only a newer version knows such a message" in caplog.text
    await house.sweep(HOUR)
    assert await posted(house, asked.request.id)


async def played_by(house: House, game_id: int) -> int:
    """Let a turn be played; return whose it was."""
    user = house.mover(await house.game(game_id))
    await house.app.games.play_typed(game_id, user, "a2-c2")
    return user


async def posted(house: House, request: int) -> bool:
    """Return whether the message of a takeback was posted."""
    async with house.store.reading() as db:
        return await outbox.posted_message(db, f"takeback:{request}") is not None


# ── Posted, and not noted ──


@pytest.mark.parametrize(("away", "leaves"), [(1000, False), (2 * HOUR, False), (1000, True)])
async def test_a_board_whose_text_has_changed_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch, away: int, leaves: bool
) -> None:
    """By now it would tell of credited time, or of a vacation."""
    game_id = await house.begin(terms=THREE_DAYS, thread=False)
    done = await house.app.games.play_typed(game_id, house.mover(await house.game(game_id)), "a2-c2")
    house.dies(monkeypatch, before="note_delivered")
    with pytest.raises(PowerCut):
        await house.bot.delivery.deliver(done.owed)
    if leaves:
        await house.bot.app.vacations.start_vacation(house.seats()[1].user, 9)
    await house.restart(away)
    assert said(house.channel)[1:3] == ["board 0", "board 1"]
    assert said(house.channel).count("board 1") == 1
