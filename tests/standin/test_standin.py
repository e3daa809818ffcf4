"""The stand-in, tried with a tiny real client of discord.py."""

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.support.paths import HOUSE
from tests.support.routes import MESSAGES

from . import StandIn, Upload
from .tiny_bot import PICTURE, TinyBot


@asynccontextmanager
async def running(server: StandIn, patch: pytest.MonkeyPatch) -> AsyncIterator[TinyBot]:
    patch.setattr(Route, "BASE", server.api_url)
    patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
    bot = TinyBot()
    task = asyncio.create_task(bot.start(server.token))
    try:
        await server.wait_for(lambda: bot.get_channel(server.general.id))
        yield bot
    finally:
        await bot.close()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with StandIn() as server:
        yield server


@pytest.fixture
async def bot(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TinyBot]:
    async with running(server, monkeypatch) as bot:
        yield bot
    assert server.violations == []


@asynccontextmanager
async def process(server: StandIn) -> AsyncIterator[asyncio.subprocess.Process]:
    words = ("-m", "tests.standin.tiny_bot", server.api_url, server.gateway_url, server.token)
    child = await asyncio.create_subprocess_exec(sys.executable, *words, cwd=HOUSE)
    try:
        await server.ready()
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
        await server.gone()


def place(bot: TinyBot, server: StandIn) -> discord.TextChannel:
    channel = bot.get_channel(server.general.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_bot_logs_in_and_gets_ready(server: StandIn, bot: TinyBot) -> None:
    await bot.wait_until_ready()
    assert server.gateway.intents == discord.Intents(guilds=True).value
    assert [guild.name for guild in bot.guilds] == ["The club"]
    mine = place(bot, server).permissions_for(bot.guilds[0].me)
    assert mine.send_messages
    assert not mine.manage_messages


async def test_a_wrong_token_is_refused(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", server.api_url)
    async with TinyBot() as stranger:
        with pytest.raises(discord.LoginFailure):
            await stranger.login("wrong")


async def test_synced_commands_have_ids_and_keep_them(server: StandIn, bot: TinyBot) -> None:
    first = {command.name: command.id for command in await bot.tree.fetch_commands()}
    again = {command.name: command.id for command in await bot.tree.sync()}
    assert first == again
    assert set(first) == {"gipf", "Greet"}


async def test_a_private_deferral_is_filled_with_a_picture(server: StandIn, bot: TinyBot) -> None:
    ann, bob = server.user("ann"), server.user("bob")
    drawn = await server.slash(ann, server.general, "gipf draw", who=bob, size=5)
    await drawn.answered()
    assert (drawn.deferred, drawn.ephemeral, drawn.text) == (True, True, "drawn")
    (picture,) = drawn.messages[0].attachments
    assert (picture.data, picture.filename, picture.description) == (PICTURE, "board.png", "for bob, 5")
    assert server.general.messages == []
    async with aiohttp.ClientSession() as session, session.get(picture.url) as response:
        assert await response.read() == PICTURE


@pytest.mark.parametrize(("path", "values"), [("gipf", {}), ("gipf draw", {}), ("gipf move", {"notation": "a\nb"})])
async def test_a_command_that_cannot_be_typed_is_refused(
    server: StandIn, bot: TinyBot, path: str, values: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"needs|typed"):
        await server.slash(server.user("ann"), server.general, path, **values)


async def test_a_dynamic_button_updates_its_message(server: StandIn, bot: TinyBot) -> None:
    ann = server.user("ann")
    await (await server.slash(ann, server.general, "gipf door")).answered()
    message = server.general.last()
    for _ in range(2):
        await (await server.press(ann, message, "TryAgain")).answered()
    assert [revision.content for revision in message.revisions] == ["a door", "knocked 1", "knocked 2"]
    assert message.custom_ids == ["knock:2", "pick"]
    stale = await server.press(ann, message, "TryAgain", seen=message.revisions[0])
    await stale.answered()
    assert message.content == "knocked 1"


async def test_a_select_sends_its_values(server: StandIn, bot: TinyBot) -> None:
    ann = server.user("ann")
    await (await server.slash(ann, server.general, "gipf door")).answered()
    await server.choose(ann, server.general.last(), "pick", ["One"])
    await server.wait_for(lambda: len(bot.heard) == 2)
    assert bot.heard[-1].data is not None
    assert bot.heard[-1].data.get("values") == ["1"]


async def test_autocomplete_offers_choices(server: StandIn, bot: TinyBot) -> None:
    choices = await server.autocomplete(server.user("ann"), server.general, "gipf move", focused="notation", value="g1")
    assert [choice["value"] for choice in choices] == ["g1-g2", "g1-f2"]


async def test_a_modal_is_opened_and_sent(server: StandIn, bot: TinyBot) -> None:
    opened = await (await server.slash(server.user("ann"), server.general, "gipf note")).answered()
    sent = await (await server.submit(opened, Text="it is late")).answered()
    assert (sent.text, sent.ephemeral) == ("noted: it is late", True)


async def test_a_menu_command_works_in_direct_messages(server: StandIn, bot: TinyBot) -> None:
    ann, bob = server.user("ann"), server.user("bob", locale="de")
    greeted = await (await server.user_command(bob, server.dm(bob), "Greet", ann)).answered()
    assert greeted.text == "hello ann"
    assert bot.heard[0].locale is discord.Locale.german


async def test_a_repeated_nonce_returns_the_first_message(server: StandIn, bot: TinyBot) -> None:
    channel = place(bot, server)
    first = await channel.send("one", nonce="outbox-1")
    again = await channel.send("two", nonce="outbox-1")
    assert (again.id, again.content, len(server.general.messages)) == (first.id, "one", 1)
    server.age_messages(server.world.nonce_window)
    assert (await channel.send("three", nonce="outbox-1")).id != first.id
    await channel.send("four", nonce="outbox-2")
    assert [message.content async for message in channel.history()] == ["four", "three", "one"]


async def test_an_edit_keeps_adds_and_removes_attachments(server: StandIn, bot: TinyBot) -> None:
    names = ("a.txt", "b.txt", "c.txt")
    a, b, c = (discord.File(io.BytesIO(name.encode()), name) for name in names)
    message = await place(bot, server).send("one", files=[a, b])
    await message.edit(content="two")
    await message.edit(attachments=[message.attachments[1], c])
    shown = [[file.data.decode() for file in revision.attachments] for revision in server.general.last().revisions]
    assert shown == [["a.txt", "b.txt"], ["a.txt", "b.txt"], ["b.txt", "c.txt"]]
    await message.edit(attachments=[])
    assert (server.general.last().content, server.general.last().attachments) == ("two", ())


async def test_a_call_with_a_lost_answer_took_effect(server: StandIn, bot: TinyBot) -> None:
    channel = place(bot, server)
    server.fail_next("POST", MESSAGES, after_accepting=True)
    with pytest.raises(aiohttp.ClientError):
        await channel.send("one", nonce="outbox-1")
    assert [message.content for message in server.general.messages] == ["one"]
    await channel.send("one", nonce="outbox-1")
    assert [call.status for call in server.called("POST", MESSAGES)] == [None, 200]
    assert len(server.general.messages) == 1


async def test_a_call_that_fails_before_accepting_has_no_effect(server: StandIn, bot: TinyBot) -> None:
    channel = place(bot, server)
    server.fail_next("POST", MESSAGES)
    server.fail_next("POST", MESSAGES, status=403, code=50013)
    server.fail_next("POST", MESSAGES, status=429, times=2)
    with pytest.raises(aiohttp.ClientError):
        await channel.send("one")
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("two")
    assert refused.value.code == 50013
    await channel.send("three")
    assert [message.content for message in server.general.messages] == ["three"]
    assert [call.status for call in server.called("POST", MESSAGES)] == [None, 403, 429, 429, 200]
    assert [call.payload["content"] for call in server.invalid_requests] == ["two", "three", "three"]


async def test_a_held_call_is_dropped_with_its_client(server: StandIn, bot: TinyBot) -> None:
    gate = server.hold("POST", MESSAGES)
    file = discord.File(io.BytesIO(PICTURE), "board.png")
    sending = asyncio.create_task(place(bot, server).send("never", file=file))
    await gate.reached()
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    await server.wait_for(lambda: server.called("POST", MESSAGES)[-1].gone, what="the client to leave")
    gate.release()
    await place(bot, server).send("later")
    assert [message.content for message in server.general.messages] == ["later"]


@pytest.mark.parametrize("code", [None, 4000])
async def test_a_dropped_gateway_resumes_with_the_missed_events(
    server: StandIn, bot: TinyBot, code: int | None
) -> None:
    await server.drop_gateway(code)
    missed = await server.slash(server.user("ann"), server.general, "gipf move", notation="g1")
    await missed.answered()
    assert (server.gateway.identified, server.gateway.resumed) == (1, 1)
    later = await server.slash(server.user("ann"), server.general, "gipf move", notation="g2")
    await later.answered()
    assert later.sockets == 1
    assert len(bot.heard) == 2


async def test_a_restarted_bot_identifies_again(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    for life in (1, 2):
        async with running(server, monkeypatch):
            await (await server.slash(server.user("ann"), server.general, "gipf move", notation=str(life))).answered()
    unheard = await server.slash(server.user("ann"), server.general, "gipf move", notation="3")
    assert unheard.sockets == 0
    assert [message.content for message in server.general.messages] == ["1", "2"]
    assert server.gateway.identified == 2


@pytest.mark.parametrize("after_accepting", [False, True])
async def test_a_process_killed_while_posting_posts_once(server: StandIn, after_accepting: bool) -> None:
    gate = server.hold("POST", MESSAGES, after_accepting=after_accepting)
    async with process(server) as first:
        lost = await server.slash(server.user("ann"), server.general, "gipf post")
        await gate.reached()
        first.kill()
    gate.release()
    async with process(server):
        await (await server.slash(server.user("ann"), server.general, "gipf post")).answered()
    assert not lost.complete
    assert [message.content for message in server.general.messages] == ["owed"]
    assert [call.status for call in server.called("POST", MESSAGES)] == [None, 200]


async def test_a_second_acknowledgement_is_40060(server: StandIn, bot: TinyBot) -> None:
    bot.slow.set()
    await server.slash(server.user("ann"), server.general, "gipf late")
    await server.wait_for(lambda: bot.errors)
    assert (bot.errors[0].status, bot.errors[0].code) == (400, 40060)


async def test_a_late_acknowledgement_is_10062(server: StandIn, bot: TinyBot) -> None:
    late = await server.slash(server.user("ann"), server.general, "gipf late")
    server.age_tokens(server.world.ack_window)
    bot.slow.set()
    await server.wait_for(lambda: bot.errors)
    assert (bot.errors[0].status, bot.errors[0].code, late.answer) == (404, 10062, None)


async def test_an_old_token_is_50027(server: StandIn, bot: TinyBot) -> None:
    await (await server.slash(server.user("ann"), server.general, "gipf move", notation="g1")).answered()
    server.age_tokens()
    with pytest.raises(discord.HTTPException) as refused:
        await bot.heard[0].edit_original_response(content="too late")
    assert (refused.value.status, refused.value.code) == (401, 50027)


async def test_channels_refuse_with_discords_errors(server: StandIn, bot: TinyBot) -> None:
    channel, ann = place(bot, server), server.user("ann", dms_open=False)
    for denied, code in (("send_messages", 50013), ("view_channel", 50001)):
        await server.deny(server.general, denied)
        with pytest.raises(discord.Forbidden) as refused:
            await channel.send("no")
        assert refused.value.code == code
    with pytest.raises(discord.Forbidden) as shut:
        await (await bot.fetch_user(ann.id)).send("no")
    assert shut.value.code == 50007
    with pytest.raises(discord.NotFound) as unknown:
        await bot.fetch_channel(1)
    assert unknown.value.code == 10003


async def test_edits_of_old_messages_are_capped(server: StandIn, bot: TinyBot) -> None:
    server.world.old_edits_allowed, server.world.retry_after = 1, 0.001
    message = await place(bot, server).send("one")
    server.age_messages()
    await message.edit(content="two")
    with pytest.raises(discord.HTTPException) as capped:
        await message.edit(content="three")
    assert (capped.value.status, capped.value.code, server.general.last().content) == (429, 30046, "two")


async def test_an_archived_thread_wakes_unless_locked(server: StandIn, bot: TinyBot) -> None:
    thread = await place(bot, server).create_thread(name="a game", type=discord.ChannelType.public_thread)
    mine = server.channel(thread.id)
    await server.archive(mine)
    with pytest.raises(ValueError, match="archived"):
        await server.slash(server.user("ann"), mine, "gipf move", notation="g1")
    await thread.send("awake")
    assert not mine.archived
    await server.archive(mine, locked=True)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.send("asleep")
    assert refused.value.code == 50083
    server.world.thread_limit = 0
    with pytest.raises(discord.HTTPException) as full:
        await place(bot, server).create_thread(name="another", type=discord.ChannelType.public_thread)
    assert full.value.code == 160006


async def test_a_message_becomes_one_thread_which_takes_its_id(server: StandIn, bot: TinyBot) -> None:
    message = await place(bot, server).send("a game")
    thread = await message.create_thread(name="a game", auto_archive_duration=10080)
    assert (thread.id, server.channel(thread.id).parent) == (message.id, server.general)
    with pytest.raises(discord.HTTPException) as refused:
        await message.create_thread(name="again")
    assert refused.value.code == 160004
    inside = await thread.send("a move")
    with pytest.raises(discord.HTTPException) as within:
        await bot.http.start_thread_with_message(thread.id, inside.id, name="deeper", auto_archive_duration=60)
    assert within.value.code == 50024


async def test_a_locked_or_unwakeable_thread_refuses_posts(server: StandIn, bot: TinyBot) -> None:
    thread = await place(bot, server).create_thread(name="a game", type=discord.ChannelType.public_thread)
    mine = server.channel(thread.id)
    await server.archive(mine)
    server.world.thread_limit = 0
    with pytest.raises(discord.HTTPException) as full:
        await thread.send("awake?")
    server.world.thread_limit = 1
    await thread.send("awake")
    await server.lock(mine)
    with pytest.raises(discord.Forbidden) as locked:
        await thread.send("still there?")
    assert (full.value.code, locked.value.code, len(mine.messages)) == (160006, 160005, 1)


async def test_broken_limits_are_refused_and_listed(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(server, monkeypatch) as bot:
        channel, view = place(bot, server), discord.ui.View()
        view.add_item(discord.ui.Button(label="x" * 81))
        for content, shown in (("x" * 2001, None), ("x", view)):
            with pytest.raises(discord.HTTPException) as refused:
                await channel.send(content, view=shown or discord.ui.View())
            assert refused.value.code == 50035
        with pytest.raises(discord.HTTPException):
            await bot.http.request(Route("GET", "/voice/regions"))
    path = f"POST /channels/{server.general.id}/messages"
    assert server.violations == [
        f"{path}: content: Must be 2000 or fewer in length.",
        f"{path}: components.0.components.0.label: Must be 80 or fewer in length.",
        "not modelled: GET /voice/regions",
    ]


async def test_a_file_given_to_nobody_is_not_an_option(server: StandIn, bot: TinyBot) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        await server.slash(server.user("ann"), server.general, "gipf draw", who=Upload("a.txt", b""))
