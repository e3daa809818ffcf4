"""A private message that a person has opened, and presses the buttons of."""

from dataclasses import dataclass, field

import simcord
from simcord.results import InteractionResult

from .private_message import PrivateMessage
from .world import private


@dataclass
class OpenedMessage:
    """A private message of the bot. `last` is the answer to the last press."""

    person: simcord.MemberActor
    last: InteractionResult
    message: PrivateMessage = field(init=False)

    def __post_init__(self) -> None:
        self.message = private(self.last)

    @property
    def text(self) -> str:
        """What the message says."""
        return self.message.content

    async def press(self, label: str) -> None:
        """Press a button."""
        self.last = await self.person.click(self.message, label=label)
        assert self.last.acknowledged, f"{label} was not answered"
