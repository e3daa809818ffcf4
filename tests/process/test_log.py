"""What the bot logs: one line for each request, one for each message that fails, and nothing private."""

import json
import re
from typing import Any

import pytest

from gipfbot.installation import VERSION, revision
from gipfbot.store.schema import known_revisions
from tests.standin import Interaction, StandIn, User
from tests.support.routes import MESSAGES
from tests.support.stores import refusing

from .running import HURRIED, Bot
from .table import Table

NAME, USER_NAME = "Zephyrine Quux", "zephyrine quux"  # as people see it, and on the account
TYPED, NOTED, SUGGESTED, WRITTEN = "qqtyped", "qqnoted", "qqsuggested", "qqwritten"


def requests(bot: Bot) -> list[dict[str, Any]]:
    """Return the lines about requests in a JSON log."""
    lines = [json.loads(line) for line in bot.log.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "interaction"]


async def _say_all(discord: StandIn, table: Table, zoe: User) -> list[Interaction]:
    """Let people type, note, import and name what must not be logged. Some of it is refused, some of it fails."""
    done = [
        await discord.slash(table.ann, table.channel, "move", notation=TYPED),
        await discord.slash(table.ann, table.channel, "move", notation="note"),
        await discord.slash(table.ann, table.channel, "move", notation="note", game=NOTED),
        await discord.slash(table.ann, table.channel, "gipf board", game=TYPED),
        await discord.slash(table.ann, table.channel, "gipf if", turns=TYPED),
        await discord.slash(table.ann, table.channel, "gipf challenge", opponent=zoe),
        await discord.slash(zoe, table.channel, "gipf profile"),
        await discord.slash(zoe, table.channel, "gipf-me block add", player=table.ann),
        await discord.press(zoe, table.boards(2)[0], "Move"),
        await discord.user_command(zoe, table.channel, "Challenge to GIPF", table.bob),
    ]
    for typed in (SUGGESTED, "b1"):
        await discord.autocomplete(table.ann, table.channel, "move", focused="notation", value=typed)
    for each in done:
        await each.answered()
    form = await (await discord.press(table.ann, done[1].messages[0], "note:1")).answered()
    return [*done, form, await (await discord.submit(form, text=f"{WRITTEN} in a form")).answered()]


@pytest.mark.parametrize("form", ["people", "json"])
async def test_the_log_holds_nothing_private(bot: Bot, discord: StandIn, table: Table, form: str) -> None:
    """Not even with the most detailed log, when requests fail inside, and when Discord refuses what is posted."""
    zoe = discord.user(USER_NAME)
    bot.settings |= {"GIPFBOT_LOG_LEVEL": "DEBUG", "GIPFBOT_LOG_FORMAT": form}
    await bot.start(HURRIED)
    asked = await _say_all(discord, table, zoe)
    for name, does, table_name in (("broken", "UPDATE", "seats"), ("filled", "INSERT", "turns")):
        for statement in refusing(name, does, table_name, "no"):
            bot.change(statement)
    bot.expect("an interaction failed", "IntegrityError")
    noting = await (await discord.press(table.ann, asked[1].messages[0], "note:1")).answered()
    discord.fail_next("POST", MESSAGES, status=503, times=3)
    discord.fail_next("POST", "/webhooks/{app}/{token}", status=429, times=2)
    asked += [
        await discord.submit(noting, text=f"{NOTED} again"),
        await (await table.send(3)).answered(),
        await discord.slash(zoe, table.channel, "gipf challenge", opponent=table.cara),
    ]
    await discord.wait_for(lambda: "503" in bot.log, what="a line on the failing post")
    await discord.drop_gateway(4000)
    await discord.ready()
    assert await bot.end() == 0
    log = bot.log
    assert "an interaction failed" in log
    secrets = [discord.token, NAME, USER_NAME, TYPED, NOTED, SUGGESTED, WRITTEN, "Played **", "b1-b3"]
    assert [secret for secret in secrets if secret in log] == []
    assert [each.what for each in asked if f"{each.token}/" in log or f"{each.token} " in log] == []


async def test_each_request_has_one_line(bot: Bot, discord: StandIn, table: Table) -> None:
    """It says what was used, the game, the server, how long it took, and how it ended."""
    bot.settings |= {"GIPFBOT_LOG_FORMAT": "json", "GIPFBOT_INTERACTION_BURST": "6"}
    await bot.start()
    await table.play(3)
    refused = await (await discord.slash(table.ann, table.channel, "move", notation="b1-b3", game="#a1")).answered()
    assert "not your turn" in refused.text
    await (await discord.slash(table.bob, table.channel, "move", notation="nonsense")).answered()
    await (await discord.press(table.ann, table.channel.last(), "Move")).answered()
    board = table.channel.last()
    old = board.revisions[-1]
    for press in [await discord.press(table.cara, board, "Move", seen=old) for _ in range(7)]:
        await press.acknowledged()  # all are sent before: a slow machine must not make them a slow person's
    await discord.wait_for(lambda: len(requests(bot)) == 11, what="eleven lines")
    said = [(line["use"], line.get("game"), line["outcome"], line.get("why")) for line in requests(bot)]
    for line in (
        ("/move", 1, "answered", None),
        ("/move", 1, "refused", "not_your_turn"),
        ("/move", 1, "refused", "ParseError"),
        ("button board", 1, "refused", "not_your_turn"),
        ("button board", None, "too fast", None),
    ):
        assert line in said
    assert {line["server"] for line in requests(bot)} == {discord.guild.id}
    assert all(0 <= line["ms"] < 60_000 for line in requests(bot))


async def test_the_first_line_says_the_versions(bot: Bot) -> None:
    await bot.start()
    (first,) = [line for line in bot.log.splitlines() if "the bot starts" in line]
    built = f"version={VERSION}", f"revision={revision()}", f"schema={known_revisions()[0]}"
    for name in (*built, "python=3.", "discord_py=2.", "shards=1"):
        assert name in first


async def test_the_last_line_says_how_long_it_ran(bot: Bot, discord: StandIn, table: Table) -> None:
    """Even if repeated faults are counted at the end."""
    await bot.start(HURRIED)
    discord.fail_next("POST", MESSAGES, status=503, times=4)
    await (await table.send(3)).answered()
    await table.posted(3)
    assert await bot.end() == 0
    last = bot.log.splitlines()[-1]
    said = re.escape(f" INFO gipfbot.app: the bot has stopped version={VERSION} seconds=")
    assert re.search(rf"{said}[0-9]+$", last), last


async def test_a_start_says_nothing_of_voices(bot: Bot) -> None:
    """The bot does not talk: a host need not wonder about libraries that are missing for that."""
    await bot.start()
    assert [line for line in bot.log.splitlines() if " INFO " not in line] == []


async def test_a_message_that_fails_has_one_line(bot: Bot, discord: StandIn, table: Table) -> None:
    """It says why and when the next try is. The same reason again is counted, and said at the end."""
    await bot.start(HURRIED)
    discord.fail_next("POST", MESSAGES, status=503, times=4)
    await (await table.send(3)).answered()
    await table.posted(3)
    assert await bot.end() == 0
    said = [line for line in bot.log.splitlines() if "could not be posted" in line]
    assert len(said) == 2
    assert " WARNING gipfbot.ui.delivery.delivery: message " in said[0]
    assert "Discord answered 503 Service Unavailable; next try in 0 s game=1 " in said[0]
    assert "… and 3 more in the last hour" in said[1]
