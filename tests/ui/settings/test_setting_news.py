"""The public message on changed settings, and what the manager reads of it before."""

import simcord

from gipfbot.service.settings.servers import GATHER_SECONDS, TOLD_SETTINGS
from gipfbot.ui.settings.setting_news import HEADINGS
from tests.ui.world import World, buttons, deliver

from .panel import Panel


async def test_players_read_what_changed(world: World, boss: simcord.MemberActor) -> None:
    """It pings nobody, not even the role that it names."""
    role, hall = world.guild.create_role("regulars"), world.guild.create_text_channel("hall")
    first = {"rules": "basic", "pace": "3", "threads": True, "channel": hall, "vacation": 7}
    panel = Panel(boss, await boss.slash(world.channel, "gipf-server settings", **first))
    told = f"Players are told in <#{hall.id}> in a few minutes, in one message with what else you change."
    assert panel.message.note.splitlines()[-1] == told
    rest = {"challengers": role, "cap": 3, "theme": "night"}
    await boss.slash(world.channel, "gipf-server settings", **rest)
    assert world.public(hall) == []
    await world.env.advance_time(GATHER_SECONDS)
    await deliver(world)
    (message,) = world.public(hall)
    assert message.content.splitlines() == [
        "**GIPF settings for this server have changed**",
        "For new games, running ones stay as they are:",
        "- Rules: Standard (3 GIPF-pieces each) → **Basic (no GIPF-pieces)**",
        "- Pace: no time limit → **3 days for each turn**",
        "- Vacation: 30 days a year → **7 days a year**",
        "- A thread for each game: if the challenger wants it → **on**",
        f"- Channel for games: where the command is used → **<#{hall.id}>**",
        "From now on:",
        f"- Who may challenge: everybody → **<@&{role.id}>**",
        "- Games per person: any number → **at most 3**",
    ]
    assert world.pings(message) == set()
    assert buttons(message) == ["Find an opponent"]
    assert world.public() == []


def test_each_told_setting_has_a_heading() -> None:
    assert [name for names in HEADINGS.values() for name in names] == [*TOLD_SETTINGS]
