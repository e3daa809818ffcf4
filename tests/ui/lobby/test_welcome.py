"""The bot's arrival on a server: one welcome, where it may post, with buttons that lead on; and its removal."""

from collections.abc import Mapping
from typing import Any

import discord
import pytest
import simcord
from simcord.backend import serializers
from sqlalchemy import delete, update

from gipfbot.service.lobby.arrivals import WELCOME_WITHIN
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.store import tables
from gipfbot.ui.kit import texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.settings import server
from gipfbot.values import DatabaseTrouble, Trouble
from tests.ui.world import World, buttons, custom_ids, labels, private, told

LABELS = [
    lobby_texts.SET_UP_LABEL,
    texts.HOW_TO_PLAY_LABEL,
    texts.TUTORIAL_LABEL,
    lobby_texts.FIND_OPPONENT_LABEL,
    lobby_texts.PLAY_BOT_LABEL,
]


async def invite(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    *channels: str,
    system: str = "",
    shut: tuple[str, ...] = (),
    secret: tuple[str, ...] = (),
    quiet: tuple[str, ...] = (),
    refusing: str = "",
) -> tuple[simcord.GuildHandle, dict[str, simcord.ChannelHandle]]:
    """Invite the bot to another server with these channels, and return both.

    `system` names the channel for Discord's own messages. The bot may not write in the channels `shut`. Only the bot
    sees those in `secret`, and only the bot writes in those in `quiet`. Discord refuses one post in `refusing`.
    """
    backend, bot = world.env.backend, world.bot.user
    assert bot

    def overwrites(guild: simcord.GuildHandle, name: str) -> dict[Any, discord.PermissionOverwrite]:
        everybody = discord.PermissionOverwrite()
        everybody.update(view_channel=False if name in secret else None, send_messages=False if name in quiet else None)
        own = discord.PermissionOverwrite(view_channel=True, send_messages=name not in shut)
        return {guild.default_role: everybody, bot: own}

    with monkeypatch.context() as patch:  # Discord shows a server and its channels at once
        patch.setattr(backend, "emit", lambda *_, **__: None)
        guild = world.env.create_guild("Other")
        made = {name: guild.create_text_channel(name, overwrites=overwrites(guild, name)) for name in channels}
        backend.get_guild(guild.id).system_channel_id = made[system].id if system else None
    if refusing:
        world.fail("POST", f"/channels/{made[refusing].id}/messages", 403, 50013)
    shown = dict(serializers.guild_create_payload(backend, backend.get_guild(guild.id)))
    del shown["unavailable"]  # so Discord tells of a server that is new to the bot
    backend.emit("GUILD_CREATE", shown)
    await world.env.settle()
    return guild, made


def greeted(world: World, channels: Mapping[str, simcord.ChannelHandle]) -> list[str]:
    """Return the names of the channels in which the bot has posted, once for each message."""
    return [name for name, channel in channels.items() for _ in world.public(channel)]


async def test_an_invitation_is_greeted_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    guild, channels = await invite(world, monkeypatch, "hall", "lobby")
    (message,) = world.public(channels["hall"])
    assert message.content == lobby_texts.WELCOME_TEXT
    assert buttons(message) == LABELS
    assert len(message.attachments) == 1
    assert world.pings(message) == set()
    await world.restart()
    seen = world.bot.get_guild(guild.id)
    assert seen
    world.bot.dispatch("guild_join", seen)
    await world.env.settle()
    assert greeted(world, channels) == ["hall"]
    assert world.public() == []


async def test_a_server_that_cannot_be_noted_is_greeted_in_the_next_sweep(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is away when the bot is invited, and when it connects again."""

    async def fail(*_: object) -> None:
        raise DatabaseTrouble(Trouble.UNREACHABLE)

    with monkeypatch.context() as patch:
        patch.setattr(world.bot.app.arrivals, "new_servers", fail)
        _, channels = await invite(world, monkeypatch, "hall")
        await world.bot.on_ready()
    assert greeted(world, channels) == []
    await world.bot.sweep.coro(world.bot)
    assert greeted(world, channels) == ["hall"]


@pytest.mark.parametrize(
    ("system", "shut", "chosen"),
    [("b", (), "b"), ("b", ("b",), "a"), ("", ("a", "b"), "c"), ("", ("a", "b", "c"), "")],
    ids=["system channel", "system channel shut", "only one open", "none open"],
)
async def test_the_welcome_goes_where_the_bot_may_post(
    world: World, monkeypatch: pytest.MonkeyPatch, system: str, shut: tuple[str, ...], chosen: str
) -> None:
    _, channels = await invite(world, monkeypatch, "a", "b", "c", system=system, shut=shut)
    assert greeted(world, channels) == [*chosen]


async def test_a_channel_for_everybody_is_preferred(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("secret", "news", "talk")
    _, channels = await invite(world, monkeypatch, *names, secret=("secret",), quiet=("news",))
    assert greeted(world, channels) == ["talk"]


async def test_a_refusing_channel_leaves_the_welcome_to_the_next(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _, channels = await invite(world, monkeypatch, "a", "b", refusing="a")
    await world.bot.delivery.sweep()
    assert greeted(world, channels) == ["b"]


async def test_an_invitation_while_the_bot_was_off_is_greeted(world: World) -> None:
    async with world.store.transaction() as db:
        await db.execute(delete(tables.arrivals))
    await world.restart()
    assert [message.content for message in world.public()] == [lobby_texts.WELCOME_TEXT]
    await world.restart()
    assert len(world.public()) == 1


async def test_an_old_server_is_not_greeted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after the update that brought the welcome."""
    async with world.store.transaction() as db:
        await db.execute(delete(tables.arrivals))
    now = world.bot.app.now()
    monkeypatch.setattr("gipfbot.app.utc_now", lambda: now + WELCOME_WITHIN + 60)
    await world.restart()
    assert world.public() == []


async def test_set_up_shows_managers_the_settings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    guild, channels = await invite(world, monkeypatch, "hall")
    role = guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    boss = guild.add_member(world.env.create_user("boss"), roles=[role])
    guest = guild.add_member(world.env.create_user("guest"))
    (message,) = world.public(channels["hall"])
    shown = private(await boss.click(message, label=lobby_texts.SET_UP_LABEL))
    assert shown.content == server.server_settings_text(ServerSettings(), "terms", ())
    assert labels(shown)[:3] == [*server.PAGE_LABELS.values()]
    await boss.click(shown, label="Places")
    await boss.click(shown, label="Thread for each game: challengers choose")
    assert shown.note == "Thread for each game: challengers choose → always."
    assert told(await guest.click(message, label=lobby_texts.SET_UP_LABEL)) == texts.ONLY_FOR_MANAGERS
    taught = private(await guest.click(message, label=texts.HOW_TO_PLAY_LABEL))
    assert taught.content == told(await guest.slash(channels["hall"], "gipf help"))
    assert labels(taught)[:4] == [texts.TUTORIAL_LABEL, texts.RULES_LABEL, lobby_texts.PLAY_BOT_LABEL, "Play"]
    assert greeted(world, channels) == ["hall"]
    assert buttons(world.public(channels["hall"])[0]) == LABELS


async def test_tutorial_of_the_welcome_is_private_and_goes_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows each person the lesson that they have reached. The welcome stays as it is."""
    guild, channels = await invite(world, monkeypatch, "hall")
    eve, guest = (guild.add_member(world.env.create_user(name)) for name in ("eve", "guest"))
    await world.bot.app.users.change(eve.id, {"lesson": 2})
    (message,) = world.public(channels["hall"])
    for person, lesson in ((eve, 3), (guest, 1)):
        shown = private(await person.click(message, label=texts.TUTORIAL_LABEL))
        assert shown.content.startswith(f"**Tutorial {lesson} of 4")
    assert [buttons(each) for each in world.public(channels["hall"])] == [LABELS]


async def test_find_an_opponent_leads_to_a_seek_and_to_a_game(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    guild, channels = await invite(world, monkeypatch, "hall")
    eve, guest = (guild.add_member(world.env.create_user(name)) for name in ("eve", "guest"))
    (message,) = world.public(channels["hall"])
    nobody = private(await eve.click(message, label=lobby_texts.FIND_OPPONENT_LABEL))
    assert (nobody.content, labels(nobody)) == (
        lobby_texts.NO_OPEN_SEEKS,
        [lobby_texts.POST_SEEK_LABEL, lobby_texts.OTHER_TERMS_LABEL],
    )
    assert "Your open challenge is" in told(await eve.click(nobody, label=lobby_texts.POST_SEEK_LABEL))
    found = private(await guest.click(message, label=lobby_texts.FIND_OPPONENT_LABEL))
    assert labels(found) == ["1 · Play against eve", lobby_texts.POST_SEEK_LABEL, lobby_texts.OTHER_TERMS_LABEL]
    assert "You play game #a1 against eve" in told(await guest.click(found, label="1 · Play against eve"))
    assert any(each.startswith("board:1:") for each in custom_ids(world.public(channels["hall"])[-1]))


async def test_games_of_a_server_without_the_bot_are_unreachable(world: World) -> None:
    game_id = await world.begin()
    world.env.backend.remove_guild(world.guild.id)
    await world.env.settle()
    assert (await world.stored(game_id)).unreachable
    assert world.bot.app.now() - (await departed_at(world) or 0) < 60


async def departed_at(world: World) -> int | None:
    """Return when the bot was removed from its server."""
    async with world.store.reading() as db:
        found: int | None = (await db.execute(tables.arrivals.select())).one().left_at
    return found


async def test_games_are_reachable_again_when_the_bot_returns(world: World) -> None:
    game_id = await world.begin()
    await world.bot.app.arrivals.note_departure(world.guild.id)
    assert (await world.stored(game_id)).unreachable
    await world.bot.app.arrivals.note_arrival(world.guild.id, world.bot.app.now(), [])
    assert not (await world.stored(game_id)).unreachable


async def test_a_removal_while_the_bot_was_off_is_noted(world: World) -> None:
    async with world.store.transaction() as db:
        await db.execute(update(tables.arrivals).values(server=world.guild.id + 1))
    await world.restart()
    async with world.store.reading() as db:
        rows = (await db.execute(tables.arrivals.select().order_by(tables.arrivals.c.server))).all()
    assert [(row.server - world.guild.id, row.left_at is None) for row in rows] == [(0, True), (1, False)]
