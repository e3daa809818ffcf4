"""A bot that never connects: its posts are recorded without pictures. All else of the bot is real.

`Wall` takes the place of Discord. It remembers what it needs to answer as Discord does. A bot that is started again can
use the same `Wall`.
"""

import math
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord

from gipfbot.service.app import App
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.kit.pictures import BOARD_WIDTH, Painter
from render import CLASSIC, Described, Theme

BOT = 1  # the bot's own id
REMEMBERED = 30  # the newest messages of a place, which can still be found
NONCE_HOLDS = 300  # seconds in which a nonce is known again
DMS_SHUT = 50007
PING, MENTION = re.compile("<@([0-9]+)>"), re.compile("<@&([0-9]+)>")


@dataclass(frozen=True)
class SentMessage:
    """A posted message. `at` is in UTC seconds.

    `place` is the id of a channel, or the id of a person if the message is `direct`.
    """

    id: int
    at: int
    place: int
    direct: bool
    text: str
    pinged: frozenset[int]
    custom_ids: tuple[str, ...]  # the custom_ids of its buttons
    nonce: str
    mentioned: frozenset[int] = frozenset()  # roles

    @property
    def content(self) -> str:
        """The text, under the name that discord.py gives it."""
        return self.text

    @property
    def author(self) -> SimpleNamespace:
        """The bot, which posts every message."""
        return SimpleNamespace(id=BOT)

    @property
    def components(self) -> tuple[SimpleNamespace, ...]:
        """The buttons of the message, in one row."""
        return (SimpleNamespace(children=[SimpleNamespace(custom_id=each) for each in self.custom_ids]),)


@dataclass
class Wall:
    """A stand-in for Discord that records every post. `now` returns true UTC seconds; `note` gets each message once.

    The people in `dms_shut` accept no direct messages. `before` is called with the place before each post. `after` is
    called with the place after each new message. A post with a known nonce makes no new message.
    """

    now: Callable[[], int]
    note: Callable[[SentMessage], None]
    dms_shut: set[int] = field(default_factory=set)
    refused: dict[int, set[int]] = field(default_factory=dict)  # when direct messages to each of them failed
    before: Callable[[int], None] = lambda _: None
    after: Callable[[int], None] = lambda _: None
    count: int = 0
    places: dict[tuple[int, bool], deque[SentMessage]] = field(default_factory=dict)

    def post(
        self, place: int, direct: bool, text: str, allowed: Iterable[int], custom_ids: tuple[str, ...], nonce: str
    ) -> SentMessage:
        """Post a message and return it. If a recent message has the same nonce, return that message instead.

        `allowed` are the people and roles that it may notify.

        Raises discord.Forbidden if the person accepts no direct messages.
        """
        if direct and place in self.dms_shut:
            self.refused.setdefault(place, set()).add(self.now())
            raise discord.Forbidden(
                _http_response(403, "Forbidden"), {"code": DMS_SHUT, "message": "Cannot send messages"}
            )
        self.before(place)
        there = self.places.setdefault((place, direct), deque(maxlen=REMEMBERED))
        known = [sent for sent in there if sent.nonce == nonce and self.now() - sent.at < NONCE_HOLDS]
        if known:
            return known[0]
        self.count += 1
        new = discord.utils.time_snowflake(datetime.fromtimestamp(self.now(), UTC)) + self.count
        pinged, mentioned = (frozenset(map(int, named.findall(text))) & {*allowed} for named in (PING, MENTION))
        sent = SentMessage(new, self.now(), place, direct, text, pinged, custom_ids, nonce, mentioned)
        there.append(sent)
        self.note(sent)
        self.after(place)
        return sent


def _http_response(status: int, reason: str) -> Any:
    return SimpleNamespace(status=status, reason=reason)


@dataclass
class Place:
    """A channel or a person's direct messages, with the methods that the bot uses."""

    wall: Wall
    id: int
    direct: bool = False

    async def send(
        self, text: str, *, nonce: str, allowed_mentions: discord.AllowedMentions, view: Any, **_: object
    ) -> SentMessage:
        """Post a message here and return it."""
        people: Any = allowed_mentions.users
        roles: Any = allowed_mentions.roles
        does = tuple(child.custom_id for child in view.children) if view else ()
        return self.wall.post(self.id, self.direct, text, [each.id for each in (*people, *roles)], does, nonce)

    async def history(
        self, *, limit: int, after: discord.abc.Snowflake | None, before: discord.abc.Snowflake | None
    ) -> AsyncIterator[SentMessage]:
        """Yield at most `limit` messages posted here: the oldest first after the message `after`, else the newest."""
        first, last = after.id if after else 0, before.id if before else math.inf
        found = [sent for sent in self.wall.places.get((self.id, self.direct), ()) if first < sent.id < last]
        for sent in (found if after else found[::-1])[:limit]:
            yield sent

    def get_partial_message(self, _: int) -> "Place":
        """Return this place as a stand-in for one of its messages. Edits change nothing."""
        return self

    async def edit(self, **_: object) -> None:
        """Change nothing."""


class BlankPainter(Painter):
    """A painter that draws nothing."""

    async def png(
        self, picture: Described, theme: Theme = CLASSIC, width: int = BOARD_WIDTH, person: int | None = None
    ) -> bytes:
        """Return an empty file."""
        return b""


class RecordingBot(GipfBot):
    """The bot with a `Wall` in place of Discord."""

    def __init__(self, app: App, wall: Wall) -> None:
        super().__init__(app)
        self.wall, self.painter, self.connected = wall, BlankPainter(), True
        self._connection.user = SimpleNamespace(id=BOT)  # type: ignore[assignment]  # it never logs in
        self.http.start_thread_with_message = self._thread  # type: ignore[method-assign,assignment]

    async def _thread(self, _: int, message: int, **__: object) -> dict[str, int]:
        return {"id": message}

    async def create_dm(self, user: discord.abc.Snowflake) -> Place:  # type: ignore[override]
        """Return a person's direct messages as a `Place`."""
        return Place(self.wall, user.id, direct=True)

    def get_partial_messageable(self, channel_id: int, **_: object) -> Place:  # type: ignore[override]
        """Return a channel as a `Place`."""
        return Place(self.wall, channel_id)

    async def sweep_once(self) -> None:
        """Run one sweep: the work that the running bot does every few seconds. Post all that is owed then."""
        await self.sweep.coro(self)
        await self.delivery.finish_sweep()
