"""Messages whose rows are gone: none comes a second time, and none that waits for its game is lost with a channel."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from inspect import iscoroutinefunction
from typing import Any

import pytest
from sqlalchemy import select, update

from gipfbot.match import Refused
from gipfbot.notation import IllegalTurn
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.delivery.venues import LEFT_THREAD, NO_THREAD
from gipfbot.service.privacy.retention import ROW_SECONDS
from gipfbot.store import tables
from gipfbot.ui.background import Sweep
from tests.support.times import DAY

from .house import House, PowerCut
from .posts import POSTS

Post = Callable[[House], Awaitable[None]]
# When a game moves to another channel, a new board comes there. These have nothing to say beside it.
LOST_WITH_CHANNEL = {BOARD, CHANNEL_REMINDER, NUDGE, NO_THREAD, LEFT_THREAD}
of_each_kind = pytest.mark.parametrize(("kind", "post", "number"), POSTS, ids=[post.__name__ for _, post, _ in POSTS])


@of_each_kind
async def test_a_message_does_not_come_again_once_its_row_is_gone(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: str, post: Post, number: int
) -> None:
    """Whether the bot looks again for what is due, or somebody asks again for what made it due."""
    calls = await recorded(house, monkeypatch, post)
    assert calls, f"let {post.__name__} queue its message by a service, as people and sweeps do"
    gone, now = await forget(house), house.app.now() + ROW_SECONDS + DAY
    monkeypatch.setattr(house.app.showing, "now", lambda: now)  # which looks at the age of the private message
    for call in (*calls, Sweep(house.bot).do_due_work, house.sweep):
        with suppress(Refused, IllegalTurn):
            await call()
    again = gone & await keys(house)
    assert not again, f"{again} came again: say by @{kind.upper()}.still_needs how long its row is needed"


async def recorded(house: House, patch: pytest.MonkeyPatch, post: Post) -> list[Callable[[], Awaitable[object]]]:
    """Let a message be posted. Return the calls of services that have queued messages, to be made again."""
    calls = list[Callable[[], Awaitable[object]]]()

    def recording(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(*given: Any, **named: Any) -> Any:
            before = await keys(house)
            done = await method(*given, **named)
            if await keys(house) - before:
                calls.append(partial(method, *given, **named))
            return done

        return call

    with patch.context() as recordings:
        for service, name, method in methods(house):
            recordings.setattr(service, name, recording(method))
        await post(house)
    return calls


def methods(house: House) -> Iterator[tuple[object, str, Callable[..., Awaitable[Any]]]]:
    """Yield all public coroutines of the services, but for those that note what Discord answered to a post."""
    for service in (each for each in vars(house.app).values() if each is not house.app.outbox):
        for name in dir(type(service)):
            if not name.startswith("_") and iscoroutinefunction(method := getattr(service, name)):
                yield service, name, method


async def forget(house: House) -> set[str]:
    """Let retention delete all settled rows that nothing needs, as if they were old. Return their keys."""
    outbox = tables.outbox.c
    async with house.store.transaction() as db:
        old = update(tables.outbox).where(outbox.done_at.is_not(None))
        await db.execute(old.values(done_at=outbox.done_at - ROW_SECONDS - DAY))
    before = await keys(house)
    for _ in range(2):
        await house.app.retention.finish_pass()
    return before - await keys(house)


async def keys(house: House) -> set[str]:
    """Return the keys of all rows."""
    async with house.store.reading() as db:
        return {*(await db.scalars(select(tables.outbox.c.key)))}


@of_each_kind
async def test_a_message_that_waits_goes_with_its_game(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: str, post: Post, number: int
) -> None:
    with monkeypatch.context() as patch:
        house.dies_at(patch, kind, number, posted=False)
        with pytest.raises(PowerCut):
            await post(house)
    outbox = tables.outbox.c
    waiting = select(outbox.game).where(outbox.kind == kind, outbox.done_at.is_(None), outbox.game.is_not(None))
    async with house.store.reading() as db:
        found = [*await db.scalars(waiting)]
    attic = house.home(await house.discord.add_channel("attic"))
    for game in found:
        await house.deliver(await house.app.venues.relocate(game, attic))
    await house.sweep(60)
    async with house.store.reading() as db:
        lost = [*await db.scalars(select(outbox.key).where(outbox.kind == kind, outbox.dropped == "relocated"))]
    owe_again = f"owe it again in a function marked by @{kind.upper()}.when_requeued"
    or_say = "or add it to LOST_WITH_CHANNEL in tests/delivery/test_rows_gone.py"
    assert not lost or kind in LOST_WITH_CHANNEL, f"{lost} is lost: {owe_again}, {or_say}"
    assert lost or kind not in LOST_WITH_CHANNEL, f"{kind} is not lost: take it out of LOST_WITH_CHANNEL"
