"""The record of one interaction: what a person did, and all answers of the bot."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from .errors import Json
from .messages import Message
from .people import User
from .places import Channel

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
REPLY, DEFER_REPLY, DEFER_UPDATE, UPDATE, CHOICES, SHOW_MODAL = 4, 5, 6, 7, 8, 9

ANSWERS: dict[int, set[int]] = {
    COMMAND: {REPLY, DEFER_REPLY, SHOW_MODAL},
    COMPONENT: {REPLY, DEFER_REPLY, DEFER_UPDATE, UPDATE, SHOW_MODAL},
    AUTOCOMPLETE: {CHOICES},
    MODAL: {REPLY, DEFER_REPLY, DEFER_UPDATE, UPDATE},
}

T = TypeVar("T")
PATIENCE = 300  # seconds; only a bot that hangs takes as long


async def eventually(predicate: Callable[[], T], what: str) -> T:
    """Wait until the predicate holds and return its value. Raise TimeoutError with `what` if it never does.

    What takes long is looked at more seldom, because each look costs processor time.
    """
    began = time.monotonic()
    while not (value := predicate()):
        waited = time.monotonic() - began
        if waited > PATIENCE:
            raise TimeoutError(f"still waiting after {PATIENCE} s: {what}")
        await asyncio.sleep(min(max(waited / 10, 0.005), 0.05))
    return value


@dataclass
class Interaction:
    """One interaction. `answer` is the callback type of the acknowledgement, None before it comes.

    `original` is the message of `@original`: the reply, or after an update the message with the button.
    `sockets` counts the gateway connections it was sent over. 0 means that no bot was connected.
    """

    id: int
    token: str
    type: int
    what: str
    user: User
    channel: Channel
    payload: Json
    source: Message | None = None
    age: float = 0.0  # seconds since the person acted; a test sets them
    sockets: int = 0
    answer: int | None = None
    sent_at: float = field(default_factory=time.perf_counter)
    answered_at: float | None = None  # when it was acknowledged
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[Json] | None = None
    modal: Json | None = None

    @property
    def deferred(self) -> bool:
        """Whether it was acknowledged with a deferral."""
        return self.answer in (DEFER_REPLY, DEFER_UPDATE)

    @property
    def ephemeral(self) -> bool:
        """Whether the reply is private."""
        return self.original is not None and self.original.ephemeral

    @property
    def complete(self) -> bool:
        """Whether the person sees an answer: it is acknowledged, and "thinking ..." is gone."""
        return self.answer is not None and not (self.original and self.original.loading and not self.original.deleted)

    @property
    def messages(self) -> list[Message]:
        """The original and the follow-ups that still exist."""
        made = ([self.original] if self.original else []) + self.followups
        return [message for message in made if not message.deleted]

    @property
    def text(self) -> str:
        """The texts of all messages."""
        return "\n".join(message.text for message in self.messages)

    async def acknowledged(self) -> "Interaction":
        """Wait for the first answer, even a deferral."""
        await eventually(lambda: self.answer is not None, f"acknowledgement of {self}")
        return self

    async def answered(self) -> "Interaction":
        """Wait until the person sees an answer. A deferred update (type 6) is complete once acknowledged."""
        await eventually(lambda: self.complete, f"answer to {self}")
        return self

    async def followed_up(self) -> Message:
        """Wait for the first follow-up and return it. After a deferred update it is the answer."""
        await eventually(lambda: self.followups, f"a follow-up to {self}")
        return self.followups[0]

    def __str__(self) -> str:
        return f"{self.what!r} by {self.user.name} (answer {self.answer}, sent to {self.sockets} gateway sockets)"
