"""Fair turns in a channel: one message at a time, and everybody in rotation.

Rows that a lane has found in the outbox wait here beside rows whose cause was saved just now. So nobody's messages hold
up another's in the same channel, however many there are.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, takewhile
from types import TracebackType
from typing import NamedTuple

from gipfbot.values import DueMessage

LATELY_SECONDS = 60  # for which a turn counts for the person who has caused the message
MOST_IN_ROW = 4  # turns in a row of messages that give way to nobody, while one waits that does


class Turn:
    """The turn of a message to be posted. It lasts until `end` is called, or until the end of a `with` block.

    `give_back` ends a turn that was not used, because the message gave way: it does not count for its person.
    """

    def __init__(self, end: Callable[[], None], give_back: Callable[[], None]) -> None:
        self.end, self.give_back = end, give_back

    def __enter__(self) -> None:
        """Do nothing more: the turn has begun."""

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.end()


class _LastTurn(NamedTuple):
    number: int
    at: float


NEVER = _LastTurn(0, 0)


@dataclass(eq=False)
class _Waiting:
    message: DueMessage
    admitted: asyncio.Future[None]
    before: tuple[_LastTurn, int] = NEVER, 0  # the person's last turn and the channel's turns in a row before its own

    @property
    def is_for_people(self) -> bool:
        return self.message.gives_way is None


@dataclass
class _Channel:
    waiting: list[_Waiting] = field(default_factory=list)
    posting: _Waiting | None = None
    in_row: int = 0  # turns in a row, up to the last one, that gave way to nobody
    timer: asyncio.TimerHandle | None = None  # until what gives way may be posted again


class FairTurns:
    """Gives turns to messages, in each channel one at a time.

    Boards between people go before those of games against the bot, but for each fifth turn. Among equals the person
    goes first whose last turn was longest ago. `people_until` returns until when what Discord still takes in a channel
    is left to people, on the loop's clock. Until then, messages that give way to people wait.
    """

    def __init__(self, people_until: Callable[[int], float] = lambda _: 0) -> None:
        self._people_until, self._channels = people_until, dict[int, _Channel]()
        self._numbers = count(1)
        self._last = dict[tuple[int, int | None], _LastTurn]()  # of each person in each channel, the latest last

    def in_order(self, messages: Iterable[DueMessage]) -> list[DueMessage]:
        """Return messages of a channel in the order in which they get their turns, if no others come."""
        in_place = sorted(messages, key=self._place)
        found = [message for message in in_place if message.gives_way is None]
        for number, other in enumerate((message for message in in_place if message.gives_way is not None), 1):
            found.insert(number * (MOST_IN_ROW + 1) - 1, other)
        return found

    def _place(self, message: DueMessage) -> tuple[int, int, int, int]:
        """Return the place of a message among equals."""
        old = asyncio.get_running_loop().time() - LATELY_SECONDS
        for whose in [*takewhile(lambda whose: self._last[whose].at < old, self._last)]:
            del self._last[whose]
        last = self._last.get((message.channel, message.caused_by), NEVER)
        return message.rank, last.number, message.since, message.id

    def is_busy(self, channel: int) -> bool:
        """Return whether a message is being posted in a channel, or waits for its turn there."""
        return channel in self._channels

    def is_free(self, message: DueMessage) -> bool:
        """Return whether a message would get its turn at once."""
        until = 0 if message.gives_way is None else self._people_until(message.channel)
        return not self.is_busy(message.channel) and until <= asyncio.get_running_loop().time()

    async def wait(self, message: DueMessage, seconds: float | None = None) -> Turn | None:
        """Wait for the turn of a person's next message, at most so many seconds. Return None if it has not come."""
        mine = _Waiting(message._replace(rank=1), asyncio.get_running_loop().create_future())
        self._channels.setdefault(message.channel, _Channel()).waiting.append(mine)
        self._admit(message.channel)
        try:
            await asyncio.wait({mine.admitted}, timeout=seconds)
        except asyncio.CancelledError:
            self._end(mine)
            raise
        if mine.admitted.done():
            return Turn(partial(self._end, mine), partial(self._give_back, mine))
        self._end(mine)
        return None

    def _end(self, mine: _Waiting) -> None:
        """End a turn, or a wait for one, unless that is done already. Let the next message have its turn."""
        channel = self._channels.get(mine.message.channel)
        if channel and channel.posting is mine:
            channel.posting = None
        elif channel and mine in channel.waiting:
            channel.waiting.remove(mine)
        self._admit(mine.message.channel)

    def _give_back(self, mine: _Waiting) -> None:
        channel = self._channels.get(mine.message.channel)
        if channel and channel.posting is mine:
            self._last[mine.message.channel, mine.message.caused_by], channel.in_row = mine.before
        self._end(mine)

    def _admit(self, channel_id: int) -> None:
        """Give the next message its turn, if the channel is free."""
        channel = self._channels.get(channel_id)
        if channel is None or channel.posting:
            return
        if channel.timer:
            channel.timer.cancel()
            channel.timer = None
        loop, until = asyncio.get_running_loop(), self._people_until(channel_id)
        if not channel.waiting:
            del self._channels[channel_id]
        elif may := [each for each in channel.waiting if until <= loop.time() or each.message.gives_way is None]:
            self._begin(channel, may)
        else:
            channel.timer = loop.call_at(until, self._admit, channel_id)

    def _begin(self, channel: _Channel, may: Sequence[_Waiting]) -> None:
        """Begin the turn of the first of these messages."""
        others_first = channel.in_row >= MOST_IN_ROW
        first = min(may, key=lambda each: (each.is_for_people is others_first, *self._place(each.message)))
        whose = first.message.channel, first.message.caused_by
        channel.waiting.remove(first)
        first.before = self._last.get(whose, NEVER), channel.in_row
        channel.posting, channel.in_row = first, channel.in_row + 1 if first.is_for_people else 0
        self._last.pop(whose, None)
        self._last[whose] = _LastTurn(next(self._numbers), asyncio.get_running_loop().time())
        first.admitted.set_result(None)
