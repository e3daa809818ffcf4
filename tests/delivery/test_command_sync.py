"""Sending the commands to Discord: what it refuses, and what it takes too long for."""

from typing import Any

import pytest

from gipfbot.ui.commands import COMMANDS
from gipfbot.ui.kit.request_watch import FIRST_HOLD
from tests.support.languages import german, offer
from tests.support.steady_clock import Seconds

from .house import House

SYNCS = "PUT", "/applications/{app}/commands"
LAUNCH = {"id": "7", "name": "launch", "type": 4, "handler": 2, "description": "", "version": "3"}
LAUNCH |= {"name_localizations": {"de": "start"}}
GERMAN = {
    "Play GIPF by correspondence": "Spiel GIPF als Fernpartie",
    "Your colour (default: random)": "Deine Farbe (sonst: zufällig)",
    "White for me": "Weiß für mich",
    "{time} for each turn": "{time} pro Zug",
    ("{number} day", "{number} days"): ("{number} Tag", "{number} Tage"),
    "Challenge to GIPF": "Zu GIPF herausfordern",
}


async def test_the_entry_point_of_an_activity_is_kept(house: House) -> None:
    """Discord takes no list without it (50240). The bot's own commands are all there."""
    house.discord.world.commands[None] = [dict(LAUNCH)]
    await house.bot.pulse.coro(house.bot)
    known = house.discord.world.commands[None]
    assert [command["name"] for command in known] == [*(command.name for command in COMMANDS), "launch"]
    assert (known[-1]["id"], known[-1]["handler"], known[-1]["name_localizations"]) == ("7", 2, {"de": "start"})
    assert [call.status for call in house.discord.called(*SYNCS)] == [400, 200]
    assert "launch" not in house.bot.command_ids
    assert house.bot.command_ids["gipf games"]
    assert house.bot.are_commands_synced


@pytest.mark.parametrize("known", [[], [LAUNCH]], ids=["alone", "beside an entry point"])
async def test_translations_reach_discord(
    house: House, monkeypatch: pytest.MonkeyPatch, known: list[dict[str, Any]]
) -> None:
    offer(monkeypatch, german(GERMAN))
    house.discord.world.commands[None] = [dict(each) for each in known]
    await house.bot.pulse.coro(house.bot)
    gipf = named("gipf", house.discord.world.commands[None])
    challenge = named("challenge", gipf["options"])
    colour, pace = (named(name, challenge["options"]) for name in ("colour", "pace"))
    assert gipf["description_localizations"] == {"de": "Spiel GIPF als Fernpartie"}
    assert colour["description_localizations"] == {"de": "Deine Farbe (sonst: zufällig)"}
    assert named("White for me", colour["choices"])["name_localizations"] == {"de": "Weiß für mich"}
    assert named("3 days for each turn", pace["choices"])["name_localizations"] == {"de": "3 Tage pro Zug"}
    assert "name_localizations" not in named("no time limit", pace["choices"])
    menu = named("Challenge to GIPF", house.discord.world.commands[None])
    assert menu["name_localizations"] == {"de": "Zu GIPF herausfordern"}


def named(name: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the command, option or choice of this name."""
    return next(each for each in parts if each["name"] == name)


async def test_commands_are_sent_again_when_a_translation_changes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = []
    for choice, menu in (("Weiß", "Fordern"), ("Weiß", "Fordern"), ("Weiß für mich", "Fordern"), ("Weiß", "GIPF")):
        offer(monkeypatch, german({"White for me": choice, "Challenge to GIPF": menu}))
        house.bot.are_commands_synced = False
        await house.bot.pulse.coro(house.bot)
        sent.append(len(house.discord.called(*SYNCS)))
    assert sent == [1, 1, 2, 3]


@pytest.mark.parametrize("code", [40333, 0, 40006, 987654])
async def test_commands_that_are_blocked_are_sent_again(house: House, code: int) -> None:
    """In between, no request is made."""
    seconds = house.bot.watch.holds.steady = Seconds()
    house.discord.fail_next(*SYNCS, status=403, code=code)
    known = []
    for wait in (0, FIRST_HOLD, 0):
        await house.bot.pulse.coro(house.bot)
        known.append("gipf games" in house.bot.command_ids)
        seconds.now += wait
    assert known == [False, False, True]
    assert [call.status for call in house.discord.called(*SYNCS)] == [403, 200]


async def test_commands_that_meet_a_limit_are_sent_again(house: House) -> None:
    house.discord.fail_next(*SYNCS, status=429, times=5)  # discord.py's own tries
    known = []
    for _ in range(2):
        await house.bot.pulse.coro(house.bot)
        known.append("gipf games" in house.bot.command_ids)
    assert known == [False, True]
