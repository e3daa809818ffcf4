"""A person who acts too fast is refused at once, without a query, and is told when it works again."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import pytest

from gipfbot.store import Connection
from gipfbot.ui.kit.per_person import TokenBuckets
from gipfbot.values import DEFAULT_LIMITS
from tests.support.times import NOW
from tests.ui.world import World, challenged, private, told

pytestmark = pytest.mark.looks_every(60)
TOO_FAST = f"That was a lot at once, so nothing was done this time. Try again <t:{NOW + 1}:R>."


class Clock:
    """The bot's clock, which stands still until a test moves it."""

    def __init__(self, world: World) -> None:
        self.now = NOW
        world.bot.app = replace(world.bot.app, now=lambda: self.now)
        limits = DEFAULT_LIMITS
        world.bot.interaction_buckets = TokenBuckets(limits.interaction_burst, limits.interactions_per_minute)
        world.bot.suggestion_buckets = TokenBuckets(limits.suggestion_burst, limits.suggestions_per_minute)


def forbid_queries(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every use of the database fail, which is logged as an error and fails the test."""

    def fail() -> AbstractAsyncContextManager[Connection]:
        raise AssertionError("the database was asked")

    for name in ("reading", "transaction"):
        monkeypatch.setattr(world.store, name, fail)


async def test_sixty_presses_in_a_second_meet_the_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time told it works again. Meanwhile nobody else is refused."""
    message, clock = await challenged(world), Clock(world)
    said = [told(await world.cara.click(message, label="Decline")) for _ in range(60)]
    allowed = DEFAULT_LIMITS.interaction_burst
    assert all(text.startswith("This challenge is for Bob") for text in said[:allowed])
    assert said[allowed:] == [TOO_FAST] * (60 - allowed)
    assert told(await world.ann.click(message, label="Decline")).startswith("This is your own challenge")
    with monkeypatch.context() as patch:
        forbid_queries(world, patch)
        assert told(await world.cara.click(message, label="Decline")) == TOO_FAST
        assert told(await world.cara.slash(world.channel, "gipf games")) == TOO_FAST
        assert told(await world.cara.user.slash("gipf games")) == TOO_FAST, "also in direct messages"
    clock.now += 1
    assert told(await world.cara.click(message, label="Decline")).startswith("This challenge is for Bob")


async def test_commands_and_forms_meet_the_same_limit(world: World) -> None:
    Clock(world)
    world.bot.interaction_buckets = TokenBuckets(3, per_minute=60)
    opened, other = [await world.ann.slash(world.channel, "gipf import") for _ in range(2)]
    assert "Nothing to import" in told(await world.ann.submit_modal(opened, {"text": ""}))
    assert told(await world.ann.slash(world.channel, "move", notation="draw")) == TOO_FAST
    menu = await world.ann.context_menu(world.channel, "Challenge to GIPF", world.bob)
    assert told(menu) == TOO_FAST
    assert told(await world.ann.submit_modal(other, {"text": ""})) == TOO_FAST
    assert world.public() == []


async def test_suggestions_have_a_limit_of_their_own(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond it nothing is suggested. Commands go on."""
    await world.begin()
    clock = Clock(world)
    world.bot.suggestion_buckets = TokenBuckets(2, per_minute=60)

    async def suggested() -> list[Any]:
        return [*await world.ann.autocomplete(world.channel, "gipf board", "game", "")]

    assert all([await suggested(), await suggested()])
    with monkeypatch.context() as patch:
        forbid_queries(world, patch)
        assert await suggested() == []
    assert world.env.http_requests[-1].json == {"type": 8, "data": {"choices": []}}, "Discord was not answered"
    assert "#a1" in private(await world.ann.slash(world.channel, "gipf games")).content
    clock.now += 1
    assert await suggested()
