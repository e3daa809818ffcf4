"""Build messages from rows of the outbox: each kind of message has a function that builds it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from io import BytesIO
from typing import NamedTuple, TypeAlias

import discord

from gipfbot.languages import say
from gipfbot.service.app import App
from gipfbot.service.kit.message_kinds import MessageKind, MessageKinds
from gipfbot.values import OutboxRow
from render import CLASSIC, Described, Theme
from render.replay import Replay

from . import texts
from .client import AppClient
from .components import Button, ComponentRow


def my_games_row() -> tuple[ComponentRow, ...]:
    """Return a tuple with the row of the button that lists a person's games."""
    return ((Button(say(texts.MY_GAMES_LABEL), "my_games"),),)


class Attachment(NamedTuple):
    """A file of a message. `description` is the alt text of a picture."""

    name: str
    data: bytes
    description: str | None = None

    def file(self) -> discord.File:
        """Return it to be sent once."""
        return discord.File(BytesIO(self.data), self.name, description=self.description)


# Returns what draws the file of a row; None if the row needs none.
Draw: TypeAlias = Callable[[AppClient, OutboxRow], Callable[[], Awaitable[Attachment]] | None]


@dataclass(frozen=True)
class OutboxMessage:
    """A message about to be posted. `pinged` are the people that it notifies, and `role` the role.

    `attached` is a file beside the picture.

    It has at least one button. The bot finds a posted message again by the `custom_id` of its buttons.
    """

    text: str
    pinged: tuple[int, ...] = ()
    picture: Described | None = None
    rows: tuple[ComponentRow, ...] = field(default_factory=my_games_row)
    theme: Theme = CLASSIC
    role: int | None = None
    attached: Attachment | None = None
    film: Replay | None = None  # the last turns, if the picture is a result card that shows them in motion

    def __post_init__(self) -> None:
        assert any(self.rows), "a message of the outbox needs a button"


@dataclass(frozen=True)
class MessageBuilder:
    """Builds the messages of a kind. `build` returns None if the message is no longer needed.

    `guard` is called first, and may ask Discord. If it returns False, no message is built. `draw` makes a file that
    takes longer than a try to post may. The message gets it.
    """

    kind: MessageKind
    build: Callable[[App, OutboxRow], Awaitable[OutboxMessage | None]]
    guard: Callable[[AppClient, OutboxRow], Awaitable[bool]] | None = None
    draw: Draw | None = None


def outbox_message(
    kind: MessageKind, guard: Callable[[AppClient, OutboxRow], Awaitable[bool]] | None = None, draw: Draw | None = None
) -> Callable[[Callable[[App, OutboxRow], Awaitable[OutboxMessage | None]]], MessageBuilder]:
    """Return a decorator that makes a function the builder for this kind of message."""
    return lambda build: MessageBuilder(kind, build, guard, draw)


def by_kind(builders: Iterable[MessageBuilder], kinds: MessageKinds) -> dict[str, MessageBuilder]:
    """Return the builders by kind. Raises ValueError unless each kind of message has exactly one builder."""
    found = dict[str, MessageBuilder]()
    for builder in builders:
        name = f"{builder.build.__module__}.{builder.build.__qualname__}"
        if kinds.get(builder.kind) is not builder.kind:
            raise ValueError(f"{name} builds messages of the kind {builder.kind}, which the service does not define")
        if found.setdefault(builder.kind, builder) is not builder:
            raise ValueError(f"{name} is the second function that builds messages of the kind {builder.kind}")
    if missing := [kind for kind in kinds.values() if kind.is_message and kind not in found]:
        raise ValueError(f"nothing builds messages of the kind {missing[0]}: add an @outbox_message to its room of ui")
    return found
