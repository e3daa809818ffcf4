"""Two people who play in a channel."""

from tests.standin import Channel, Interaction, Message, StandIn
from tests.support.games import OPENING, turn_counted


class Table:
    """Ann and Bob in the channel `general`."""

    def __init__(self, discord: StandIn) -> None:
        self.discord, self.channel = discord, discord.general
        self.ann, self.bob, self.cara = (discord.user(name) for name in ("ann", "bob", "cara"))

    async def begin(self, **terms: object) -> None:
        """Let Ann challenge Bob and Bob accept; wait for the first board."""
        challenge = await self.discord.slash(self.ann, self.channel, "gipf challenge", opponent=self.bob, **terms)
        await challenge.answered()
        boards = len(self.boards())
        await (await self.discord.press(self.bob, self.channel.last(), "Accept")).answered()
        await self.discord.wait_for(lambda: len(self.boards()) > boards, what="the first board")

    async def send(self, number: int) -> Interaction:
        """Let the right player type that turn of the opening, without waiting for anything."""
        who = (self.bob, self.ann)[number % 2]
        return await self.discord.slash(who, self.channel, "move", notation=OPENING[number - 1])

    async def play(self, *numbers: int) -> None:
        """Play turns of the opening, and wait for the board after each."""
        for number in numbers:
            await (await self.send(number)).answered()
            await self.posted(number)

    async def posted(self, number: int) -> Message:
        """Wait for the board after that turn; fail if it is posted twice."""
        await self.discord.wait_for(lambda: self.boards(number), f"the board after turn {number}")
        (board,) = self.boards(number)
        return board

    def boards(self, number: int | None = None, channel: Channel | None = None) -> list[Message]:
        """Return the board messages in a channel: all, or those after that turn."""
        found = [message for message in (channel or self.channel).messages if message.attachments]
        return found if number is None else [message for message in found if turns_shown(message) == number]


def playable(desk: Message) -> list[str]:
    """Return the components of a desk that play on in this turn."""
    return [name for name in desk.custom_ids if name.startswith("desk:")]


def turns_shown(board: Message) -> int:
    """Return after how many turns a board was posted."""
    return max(map(turn_counted, board.content.splitlines()))
