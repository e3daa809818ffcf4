"""Slash commands with options that Discord does not let people send: each is refused in a sentence.

Nothing changes, and nothing is logged as an error. Free texts, which people may send, are tried as well.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import discord
import pytest
from discord import AppCommandOptionType as Kind, app_commands

from gipfbot.match import Refused, Side, Why
from gipfbot.rules import STANDARD
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.refusal_texts import refusal_text
from gipfbot.values import Venue
from tests.support.games import PLAYED

from .forged import Forger, forger, formatted_text
from .hostile import CODE, assert_harmless
from .slash_commands import slash_commands
from .stored_rows import StoredRows, stored_rows
from .studying import playing
from .world import World, deliver, seat

pytestmark = pytest.mark.looks_every(60)
LONG = "x" * 6000
HOSTILE = "\x00\x1b[2J\u202e\u200b\r\n#h @everyone <@1> **x** [a](https://e.org) ``` discord.gg/e"
ENORMOUS = 10**30
WRONG_TYPES: tuple[Any, ...] = (["x"], {"x": 1}, None, 1.5)
WRONG_VALUES: dict[Kind, tuple[Any, ...]] = {
    Kind.string: (7, True),
    Kind.integer: ("seven", "7", True, -1, -ENORMOUS, ENORMOUS),
    Kind.boolean: ("maybe", 0, 1),
    **dict.fromkeys((Kind.user, Kind.channel, Kind.role), ("x", "-5", "1", str(ENORMOUS), 1)),
}
OUT_OF_CHOICE = ("", "wood ", LONG, HOSTILE)
FREE_TEXTS = (LONG, HOSTILE, "#a999999999999999999999", "#c1", "-1", "\u0663")
# Whatever is typed as a note is stored, and "-1" is a time zone, one hour west. A tournament may have any name.
FREELY_KEPT = {"gipf-me reminders zone", "gipf-tournament new name"}
NOT_OFFERED = re.compile(
    r"`[^`\n]+` cannot be chosen (for \*\*\w+\*\*|here); nothing was changed. Choose a value that Discord offers\."
)


class Try(NamedTuple):
    """An option of a command, and a forged value. `refused` says that the command may not be run with it."""

    command: str
    option: str
    sort: int
    value: Any
    refused: bool


def forged_tries(command: app_commands.Command[Any, ..., Any]) -> Iterator[Try]:
    """Yield forged values for each option of a command."""
    for option in command.parameters:
        wrong = [*WRONG_TYPES, *WRONG_VALUES[option.type]]
        if option.choices:
            wrong += OUT_OF_CHOICE if option.type is Kind.string else [99]
        for value in wrong:
            yield Try(command.qualified_name, option.display_name, option.type.value, value, refused=True)
        if option.type is Kind.string and not option.choices:
            for text in FREE_TEXTS:
                too_long = option.max_value is not None and len(text) > option.max_value
                yield Try(command.qualified_name, option.display_name, option.type.value, text, too_long)


def filled(world: World, command: app_commands.Command[Any, ..., Any], forged: str) -> list[dict[str, Any]]:
    """Return what a command needs besides the forged option."""
    known = {"game": "#a1", "days": 3, "player": str(world.bob.id)}
    return [
        {"name": option.display_name, "type": option.type.value, "value": known[option.display_name]}
        for option in command.parameters
        if option.required and option.display_name != forged
    ]


@pytest.fixture
async def ann(world: World) -> Forger:
    """Ann manages the server. She plays #a1, where she is to move, and #b1; she does not see #c1, a game of others."""
    await playing(world, *PLAYED[:2])
    await playing(world, PLAYED[0])
    hidden = world.guild.create_text_channel("hidden")
    app, here = world.bot.app, Venue(world.guild.id, hidden.id)
    offered, _ = await app.lobby.challenge(seat(world.bob), seat(world.cara), STANDARD, Side.WHITE, here)
    await app.lobby.accept_challenge(offered.challenge.id, seat(world.cara))
    place = world.bot.get_channel(hidden.id)
    assert isinstance(place, discord.TextChannel)
    await place.set_permissions(await place.guild.fetch_member(world.ann.id), view_channel=False)
    role = world.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    world.env.backend.get_guild(world.guild.id).members[world.ann.id].role_ids.append(role.id)
    await deliver(world)
    return await forger(world, world.ann, world.channel)


@pytest.fixture
def rows(world: World) -> Iterator[StoredRows]:
    with stored_rows(world) as found:
        yield found


async def test_forged_options_change_nothing(world: World, ann: Forger, rows: StoredRows) -> None:
    before = rows.seen_values()
    for command in slash_commands():
        for each in forged_tries(command):
            forged = {"name": each.option, "type": each.sort, "value": each.value}
            said = formatted_text(await ann.command(each.command, [*filled(world, command, each.option), forged]))
            await world.env.settle()
            assert bool(NOT_OFFERED.fullmatch(said.strip())) == each.refused, (each, said)
            assert said.strip(), each
            assert texts.SOMETHING_WENT_WRONG not in said, each
            assert_harmless(CODE.sub("", said))
            after = rows.seen_values()
            assert after == before or f"{each.command} {each.option}" in FREELY_KEPT, (each, said)
            before = after


async def test_unknown_commands_and_options_are_refused(ann: Forger, rows: StoredRows) -> None:
    """Discord may also show a person an older version of the commands."""
    before = rows.seen_values()
    extra = {"name": "colour", "type": 3, "value": "white"}
    tries: list[tuple[str, list[dict[str, Any]]]] = [
        *(("gipf-learn analyse", options) for options in ([extra],)),
        *(("move", [extra]), ("gipf rematch", [{"name": "game", "type": 3, "value": "#a1"}])),
        *((name, []) for name in ("gipf", "gipf duel", "gipf-me block", "gipf help page", "fly", "gipf-me vacation")),
    ]
    for name, options in tries:
        said = formatted_text(await ann.command(name, options))
        assert said.strip() == refusal_text(Refused(Why.COMMAND_CHANGED)), name
    unknown = await ann.command("", [], name="Challenge to GIPF", type=2, target_id="7")
    assert NOT_OFFERED.fullmatch(formatted_text(unknown).strip())
    assert rows.seen_values() == before
