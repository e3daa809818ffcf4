"""The registry of outbox messages: each kind of row has a function that builds its message."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from gipfbot.service.app import App
from gipfbot.values import OutboxRow
from render import CLASSIC, Described, Theme

from . import texts
from .client import AppClient
from .components import Button, ComponentRow

MY_GAMES: tuple[ComponentRow, ...] = ((Button(texts.MY_GAMES_LABEL, "my_games"),),)


@dataclass(frozen=True)
class OutboxMessage:
    """A message about to be posted. `pinged` are the people that it notifies.

    It has at least one button. The bot finds a posted message again by the `custom_id` of its buttons.
    """

    text: str
    pinged: tuple[int, ...] = ()
    picture: Described | None = None
    rows: tuple[ComponentRow, ...] = MY_GAMES
    theme: Theme = CLASSIC

    def __post_init__(self) -> None:
        assert any(self.rows), "a message of the outbox needs a button"


MessageBuilder: TypeAlias = Callable[[App, OutboxRow], Awaitable[OutboxMessage | None]]
MessageGuard: TypeAlias = Callable[[AppClient, OutboxRow], Awaitable[bool]]
MESSAGE_BUILDERS: dict[str, MessageBuilder] = {}
MESSAGE_GUARDS: dict[str, MessageGuard] = {}
DIRECT_KINDS = set[str]()  # kinds of messages that go to a person, not to a channel


def outbox_message(
    kind: str, *, direct: bool = False, guard: MessageGuard | None = None
) -> Callable[[MessageBuilder], MessageBuilder]:
    """Return a decorator that registers a function to build the messages of this kind.

    `direct` messages go to a person, not to a channel. The function returns None if there is nothing to say any more.
    `guard` is asked first, and may ask Discord. If it returns False, there is nothing to say either.
    """

    def register(build: MessageBuilder) -> MessageBuilder:
        assert kind not in MESSAGE_BUILDERS, f"two functions make messages of the kind {kind}"
        MESSAGE_BUILDERS[kind] = build
        if direct:
            DIRECT_KINDS.add(kind)
        if guard:
            MESSAGE_GUARDS[kind] = guard
        return build

    return register
