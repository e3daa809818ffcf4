"""A kind of message that only this file defines works like those of the product, and no other test knows it."""

from collections.abc import Sequence

import pytest
from sqlalchemy import select

from gipfbot.service.app import App, message_kinds
from gipfbot.service.kit.message_kinds import MessageKind, MessageKinds
from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.privacy.retention import PAYLOAD_SECONDS, ROW_SECONDS
from gipfbot.store import Connection, outbox, tables
from gipfbot.ui.bot import message_builders
from gipfbot.ui.kit.outbox_messages import MessageBuilder, OutboxMessage, outbox_message
from gipfbot.values import OutboxRow, SettledRow, StoredGame
from tests.support.times import DAY

from .house import House


class Pokes:
    """Two kinds of a test, one to a channel and one to a person, and what has followed on their rows."""

    def __init__(self, house: House) -> None:
        self.house, self.followed, self.is_needed = house, list[str](), False
        self.poke = MessageKind("poke", "poke in a channel", people=("guest",))
        self.whisper = MessageKind("whisper", "poke in private", direct=True)
        self.poke.still_needs(self._needed)
        self.poke.when_requeued(self._requeue)
        for kind in (self.poke, self.whisper):
            for event in ("when_delivered", "when_needless", "when_dropped", "when_dm_refused"):
                getattr(kind, event)(self._noting(event))

    def builders(self) -> list[MessageBuilder]:
        """Return what builds the messages of both kinds."""
        return [outbox_message(self.poke)(_build), outbox_message(self.whisper)(_build)]

    async def owe(self, kind: MessageKind, channel: int, says: str, game: int | None = None) -> None:
        """Queue a message of a kind that says something about Ann, and let the bot deliver what is due."""
        payload = {"says": says, "guest": self.house.seats()[0].user}
        async with self.house.store.transaction() as db:
            await outbox.owe(db, f"{kind}:{says}", kind, channel, payload, self.house.clock(), game)
        await self.house.sweep()

    def _noting(self, event: str) -> object:
        async def note(_: Connection, row: OutboxRow, *__: int) -> None:
            self.followed.append(f"{event} {row.key}")

        return note

    async def _needed(self, _: Connection, rows: Sequence[SettledRow]) -> set[int]:
        return {row.id for row in rows if self.is_needed}

    async def _requeue(self, db: Connection, stored: StoredGame, now: int) -> None:
        await outbox.requeue_dropped(db, "poke:hey", stored.venue.channel, now)


async def _build(_: App, row: OutboxRow) -> OutboxMessage | None:
    return OutboxMessage(row.payload["says"]) if row.payload["says"] else None


@pytest.fixture
async def pokes(house: House) -> Pokes:
    """Let the next bot know the kinds of this file, too."""
    own = Pokes(house)
    house.kinds = MessageKinds([*message_kinds().values(), own.poke, own.whisper])
    house.builders = [*message_builders(), *own.builders()]
    await house.restart()
    return own


async def rows_of(house: House, kind: str) -> list[tuple[dict[str, object], int | None]]:
    """Return the payloads and messages of the rows of a kind."""
    wanted = select(tables.outbox.c.payload, tables.outbox.c.message).where(tables.outbox.c.kind == kind)
    async with house.store.reading() as db:
        return [(row.payload, row.message) for row in await db.execute(wanted)]


async def test_it_is_delivered_to_a_channel_or_a_person(house: House, pokes: Pokes) -> None:
    ann = house.discord.user("ann")
    await pokes.owe(pokes.poke, house.channel.id, "hey")
    await pokes.owe(pokes.whisper, ann.id, "psst")
    await pokes.owe(pokes.poke, house.channel.id, "")
    assert [house.channel.last().content, house.discord.dm(ann).last().content] == ["hey", "psst"]
    assert pokes.followed == ["when_delivered poke:hey", "when_delivered whisper:psst", "when_needless poke:"]


async def test_a_refused_one_is_queued_again_elsewhere(house: House, pokes: Pokes) -> None:
    game = await house.begin(thread=False)
    house.discord.user("bob").dms_open = False
    await house.discord.deny(house.channel, "send_messages")
    await pokes.owe(pokes.poke, house.channel.id, "hey", game)
    await pokes.owe(pokes.whisper, house.discord.user("bob").id, "psst")
    assert pokes.followed == ["when_dropped poke:hey", "when_dm_refused whisper:psst"]
    attic = await house.discord.add_channel("attic")
    await house.deliver(await house.app.venues.relocate(game, house.home(attic)))
    assert attic.last().content == "hey"
    assert pokes.followed[2:] == ["when_delivered poke:hey"]


async def test_it_is_kept_as_long_as_it_is_needed(house: House, pokes: Pokes) -> None:
    await pokes.owe(pokes.poke, house.channel.id, "hey")
    pokes.is_needed = True
    for seconds in (PAYLOAD_SECONDS + DAY, ROW_SECONDS):
        house.clock.moved += seconds
        await house.app.retention.finish_pass()
        assert [payload["says"] for payload, _ in await rows_of(house, "poke")] == ["hey"]
    pokes.is_needed = False
    await house.app.retention.finish_pass()
    assert await rows_of(house, "poke") == []


async def test_an_export_names_it_and_a_deletion_takes_the_person_out(house: House, pokes: Pokes) -> None:
    ann = house.seats()[0].user
    await house.begin(thread=False)
    await pokes.owe(pokes.poke, house.channel.id, "hey")
    await pokes.owe(pokes.whisper, ann, "psst")
    data = export_data(await house.app.exports.collect(ann))
    own = [each for each in data["messages"] if each["reference"].startswith(("poke", "whisper"))]
    called = [(each["message"], each["to"]) for each in own]
    assert called == [("poke in a channel", "a channel"), ("poke in private", "you")]
    assert own[0]["says"]["says"] == "hey"
    await house.app.deletions.begin(ann)
    await house.app.deletions.finish(ann)
    ((payload, _),) = await rows_of(house, "poke")
    assert payload["says"] == "hey"
    assert payload["guest"] != ann
    assert await rows_of(house, "whisper") == []


async def test_no_other_bot_knows_it(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """It is left to the version that does."""
    assert not {"poke", "whisper"} & message_kinds().keys()
    assert not {"poke", "whisper"} & {builder.kind for builder in message_builders()}
    own = Pokes(house)
    await own.owe(own.poke, house.channel.id, "hey")
    assert await rows_of(house, "poke") == [({"says": "hey", "guest": house.seats()[0].user}, None)]
    assert own.followed == []
    assert "only a newer version knows such a message" in caplog.text
    caplog.clear()
