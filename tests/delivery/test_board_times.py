"""How long a turn waits for its board on Discord, as the figures say."""

import pytest

from gipfbot.ui.bot import GipfBot
from gipfbot.ui.delivery import delivery

from .house import LONG, House


def timed(bot: GipfBot) -> tuple[float, float]:
    """Return how many boards were timed, and the sum of their seconds."""
    found = bot.figures.registry.get_sample_value
    return found("gipfbot_board_seconds_count") or 0, found("gipfbot_board_seconds_sum") or 0


async def test_each_board_of_a_turn_is_timed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first board of a game follows no turn."""
    game = await house.begin(thread=False)
    assert timed(house.bot)[0] == 0
    for number in range(1, 4):
        assert await house.play(game)
        assert timed(house.bot)[0] == number
    assert 0 < timed(house.bot)[1] < LONG
    assert isinstance(house.bot.delivery, delivery.Delivery)
    assert house.bot.delivery._saved_at == {}


async def test_time_of_a_board_includes_the_tries_that_failed(house: House) -> None:
    """The process knows better than the outbox, which keeps whole seconds, when the turn was saved."""
    game = await house.begin(thread=False)
    house.discord.fail_next("POST", "/channels/{id}/messages", status=503)
    assert not await house.play(game)
    assert timed(house.bot)[0] == 0
    await house.sweep(60)
    number, seconds = timed(house.bot)
    assert (number, 0 < seconds < 60) == (1, True)


async def test_board_of_an_earlier_run_is_timed_by_the_outbox(house: House) -> None:
    game = await house.begin(thread=False)
    house.discord.fail_next("POST", "/channels/{id}/messages", status=503)
    assert not await house.play(game)
    await house.restart(LONG)
    assert timed(house.bot) == (1, LONG)


async def test_only_the_newest_rows_are_remembered(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "MOST_TIMED", 2)
    for _ in range(3):
        game = await house.begin(thread=False)
        house.discord.fail_next("POST", "/channels/{id}/messages", status=503)
        assert not await house.play(game)
    assert isinstance(house.bot.delivery, delivery.Delivery)
    assert len(house.bot.delivery._saved_at) == 2
