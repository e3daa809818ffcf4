"""A server can have the commands without the bot: whatever needs the bot asks to invite it, and nothing fails."""

import re

import pytest
from simcord.results import InteractionResult

from gipfbot.ui.kit import texts
from tests.support.paths import HOUSE
from tests.ui.forged import answered_text, direct_forger, message_text
from tests.ui.stored_rows import stored_rows
from tests.ui.studying import playing
from tests.ui.world import FOR_EVER, World, told

from .access_table import COMMANDS_TABLE, COMPONENTS
from .club import STATES, Club, club, use_command
from .slash_commands import slash_commands

pytestmark = pytest.mark.looks_every(60)
# What needs the bot on the server: what it posts there, and what only a member of the server can know.
NEEDS_BOT = {
    *("gipf challenge", "Challenge to GIPF", "gipf seeks", "gipf live", "gipf leaderboard"),
    *("gipf-server settings", "gipf-server stats", "gipf-server status"),
    *("game_board", "listed_game", "gipf board"),  # an unreachable game would go on here
    *("post_seek", "terms", "post_terms", "find_opponent", "challenge", "rematch", "nudge", "make_request", "live"),
    *("bot_rematch", "play_in_channel", "move_to_channel", "seekers", "show"),
    *("leaderboard", "leaderboard_pool", "leaderboard_me"),
    *("gipf-tournament new", "gipf-tournament list", "gipf-tournament show", "gipf-tournament stop"),
    *("tournament_join", "stop_tournament"),
    *("set_up", "server_page", "server_switch", "server_choice"),
}


async def leave_commands_alone(world: World) -> None:
    """Leave the server nothing of the bot but its commands."""
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id)})
    await world.env.settle()
    assert world.bot.get_guild(world.guild.id) is None
    for path in (f"/guilds/{world.guild.id}*", "/channels/*"):
        world.fail("*", path, 403, 50001, times=FOR_EVER)


def invitation(world: World) -> str:
    """Return the link that invites the bot to the server, as the guide for hosts has it."""
    guide = (HOUSE / "docs" / "hosting.md").read_text(encoding="utf-8")
    (link,) = re.findall(r"https://discord.com/oauth2/authorize[^`]*", guide)
    return f"[invite the bot]({link.replace('=ID&', f'={world.bot.application_id}&')}&guild_id={world.guild.id})"


def _answer(result: InteractionResult) -> str:
    """Return what a command or a press was answered with. Beside a new message, the pressed one is no answer."""
    return "\n".join(map(message_text, result.followups)) or answered_text(result)


async def answers(known: Club, person: str) -> dict[str, str]:
    """Return what a person is told by each command and component of the tables, in all states."""
    found, sender = dict[str, str](), known.senders[person]
    with stored_rows(known.world) as rows:
        before = rows.all()
        for row in (*COMPONENTS, *COMMANDS_TABLE):
            for state in (state for state in STATES if getattr(row, state)):
                use, values = known.fill(row.use, state), [known.fill(value, state) for value in row.values]
                if row in COMMANDS_TABLE:
                    answer = await use_command(known, person, use, values)
                else:
                    answer = await sender.send(use, *values, form=row.form)
                said = _answer(answer)
                assert answer.modal or said, use
                assert texts.SOMETHING_WENT_WRONG not in said, use
                name = row.use.partition(":")[0]
                found[name] = f"{found.get(name, '')}\n{said}"
                await known.world.env.settle()
                rows.restore(before)
    return found


async def test_whatever_needs_the_bot_asks_to_invite_it(world: World) -> None:
    """All else works on, such as the help, puzzles, and games on other servers. No error is logged."""
    known = await club(world)
    await world.let_use_server_commands(world.ann, world.bob)
    await leave_commands_alone(world)
    asked = set[str]()
    for person in ("mover", "other"):
        found = await answers(known, person)
        asked |= {name for name, said in found.items() if invitation(world) in said}
        assert {name for name, said in found.items() if "oauth2" in said} <= asked
    assert asked == NEEDS_BOT


async def test_suggestions_need_no_bot(world: World) -> None:
    """They fail for nobody, and none of them asks for an invitation."""
    await playing(world, "a2-c2")
    await leave_commands_alone(world)
    suggested = 0
    for command in slash_commands():
        for option in (option for option in command.parameters if option.autocomplete):
            for person in (world.ann, world.cara):
                found = await person.autocomplete(world.channel, command.qualified_name, option.display_name, "")
                suggested += len(found)
    assert suggested


async def test_game_elsewhere_asks_to_invite_the_bot_there(world: World) -> None:
    """In direct messages, the sentence would say otherwise that the player may not write in that channel."""
    await playing(world, "a2-c2", "f1-d2")
    serial, bob = (await world.game()).turn_serial, await direct_forger(world, world.bob)
    await leave_commands_alone(world)
    world.heal()
    world.fail("*", f"/guilds/{world.guild.id}*", 403, 50001, times=FOR_EVER)
    said = answered_text(await bob.send(f"make_request:takeback:1:{serial}"))
    assert "isn't on that server" in said
    assert invitation(world) in said


async def test_server_that_discord_cannot_show_is_not_asked_to_invite_the_bot(world: World) -> None:
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.env.settle()
    assert "oauth2" not in told(await world.ann.slash(world.channel, "gipf seeks"))
