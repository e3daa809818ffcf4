"""Fair turns in a channel: who posts next."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gipfbot.ui.delivery.fair_turns import LATELY_SECONDS, FairTurns
from gipfbot.values import DueMessage, GivesWay
from tests.support.people import ANN, BOB, CARA
from tests.support.virtual_loop import loop_time, run_at_once

HERE, THERE = 1, 2
POST_SECONDS = 0.1  # that a post takes
TO_NEWER = GivesWay.TO_NEWER


class Posts:
    """Messages that wait for their turns, and what was posted, in order."""

    def __init__(self, turns: FairTurns | None = None) -> None:
        self.turns = turns or FairTurns()
        self.posted, self.at_once, self.numbers = list[str](), 0, 0
        self.tasks = list[asyncio.Task[None]]()

    async def owe(
        self, name: str, by: int | None, gives_way: GivesWay | None = None, channel: int = HERE, seconds: float = 1000
    ) -> None:
        """Let a message wait for its turn."""
        self.numbers += 1
        message = DueMessage(self.numbers, channel, by, gives_way, 0)
        self.tasks.append(asyncio.create_task(self._post(name, message, seconds)))
        await asyncio.sleep(0)

    async def _post(self, name: str, message: DueMessage, seconds: float) -> None:
        turn = await self.turns.wait(message, seconds)
        if turn is None:
            self.posted.append(f"no {name}")
            return
        with turn:
            await asyncio.sleep(POST_SECONDS)
            self.posted.append(name)

    async def all(self) -> list[str]:
        """Wait until all is posted."""
        await asyncio.gather(*self.tasks)
        assert not self.turns.is_busy(HERE)
        return self.posted


def posted(play: Callable[[Posts], Awaitable[None]], turns: FairTurns | None = None) -> list[str]:
    """Return what is posted in order."""

    async def run() -> list[str]:
        posts = Posts(turns)
        await play(posts)
        return await posts.all()

    return run_at_once(run())


def test_turns_go_round_among_three_people() -> None:
    async def play(posts: Posts) -> None:
        for name, by in (("a", ANN.user), ("b", BOB.user), ("c", CARA.user)):
            for number in range(3):
                await posts.owe(f"{name}{number}", by)

    assert posted(play) == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]


def test_newcomer_is_next_among_many_messages_of_one_person() -> None:
    async def play(posts: Posts) -> None:
        for number in range(20):
            await posts.owe(f"{number}", ANN.user, TO_NEWER)
        await asyncio.sleep(POST_SECONDS * 5.5)
        await posts.owe("newcomer", BOB.user)

    assert posted(play).index("newcomer") == 6, "one is being posted"


def test_board_between_people_comes_first_among_equals() -> None:
    async def play(posts: Posts) -> None:
        await posts.owe("being posted", None)
        await posts.owe("against the bot", ANN.user, GivesWay.TO_PEOPLE)
        await posts.owe("between people", BOB.user)

    assert posted(play) == ["being posted", "between people", "against the bot"]


def test_people_do_not_shut_out_those_who_play_the_bot() -> None:
    """Each fifth turn is theirs."""

    async def play(posts: Posts) -> None:
        for number in range(10):
            await posts.owe(f"{number}", ANN.user)
        for name, by in (("b", BOB.user), ("b2", BOB.user), ("c", CARA.user)):
            await posts.owe(name, by, TO_NEWER)

    assert posted(play) == ["0", "1", "2", "3", "b", "4", "5", "6", "7", "c", "8", "9", "b2"]


def test_rows_of_a_lane_are_sorted_as_they_get_their_turns() -> None:
    """First one of each person, then the second ones. Each fifth is of a game against the bot."""
    ann = [DueMessage(number, HERE, ANN.user, None, 0, number) for number in range(1, 6)]
    bob = [DueMessage(10 + number, HERE, BOB.user, TO_NEWER, 0, number) for number in (1, 2)]
    cara = DueMessage(20, HERE, CARA.user, None, 5)

    async def run() -> list[DueMessage]:
        return FairTurns().in_order([*bob, *ann, cara])

    assert run_at_once(run()) == [ann[0], cara, *ann[1:3], bob[0], *ann[3:], bob[1]]


def test_turn_is_forgotten_after_a_minute() -> None:
    async def play(posts: Posts) -> None:
        await posts.owe("early", ANN.user)
        await asyncio.sleep(LATELY_SECONDS + 1)
        await posts.owe("being posted", None)
        await posts.owe("first", ANN.user)
        await posts.owe("second", BOB.user)

    turns = FairTurns()
    assert posted(play, turns)[-2:] == ["first", "second"]
    assert len(turns._last) == 3


def test_messages_of_nobody_take_turns_like_those_of_one_person() -> None:
    async def play(posts: Posts) -> None:
        for number in range(5):
            await posts.owe(f"{number}", None)
        await posts.owe("ann", ANN.user)

    assert posted(play)[:3] == ["0", "ann", "1"]


def test_channels_do_not_wait_for_each_other() -> None:
    async def play(posts: Posts) -> None:
        for number in range(3):
            await posts.owe(f"{number}", ANN.user)
        await posts.owe("elsewhere", ANN.user, channel=THERE)

    assert posted(play)[:2] == ["0", "elsewhere"]


def test_message_without_a_turn_in_time_goes_without() -> None:
    async def play(posts: Posts) -> None:
        await posts.owe("first", ANN.user)
        await posts.owe("late", BOB.user, seconds=POST_SECONDS / 2)
        await posts.owe("second", CARA.user)

    assert posted(play) == ["no late", "first", "second"]


@pytest.mark.parametrize("admitted", [True, False])
def test_cancelled_message_holds_up_nobody(admitted: bool) -> None:
    async def play(posts: Posts) -> None:
        await posts.owe("first", ANN.user)
        await posts.owe("second", BOB.user)
        await posts.owe("third", CARA.user)
        cancelled = posts.tasks.pop(0 if admitted else 1)
        cancelled.cancel()

    assert posted(play) == (["second", "third"] if admitted else ["first", "third"])


def test_last_room_in_a_channel_is_left_to_people() -> None:
    """Until Discord takes more there."""

    async def play(posts: Posts) -> None:
        await posts.owe("against the bot", ANN.user, TO_NEWER)
        await posts.owe("against the bot, too", CARA.user, GivesWay.TO_PEOPLE)
        await asyncio.sleep(3)
        await posts.owe("between people", BOB.user)
        await posts.owe("of nobody", None)
        await asyncio.sleep(1)
        assert posts.posted == ["between people", "of nobody"]
        await asyncio.sleep(2)
        assert loop_time() == pytest.approx(6)

    turns = FairTurns(lambda channel: 5 if channel == HERE else 0)
    assert posted(play, turns) == ["between people", "of nobody", "against the bot", "against the bot, too"]
