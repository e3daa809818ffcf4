"""The language of each message. Most are posted by a process that knows no server: no gateway has told it of any."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from gipfbot.languages import spoken_language
from gipfbot.service.app import App, message_kinds
from gipfbot.service.clock.vacations import VACATION
from gipfbot.store import servers
from gipfbot.ui.delivery.venues import goes_on_in_thread_text
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.outbox_messages import OutboxMessage
from gipfbot.values import OutboxRow

from .house import House
from .posts import POSTS


async def post_return(house: House) -> None:
    """The game is over, so the channel is told only because it was told of the vacation."""
    await house.announce_vacation()
    ann = house.seats()[0].user
    await house.deliver(await house.app.games.cancel_game(1, ann))
    _, owed = await house.app.vacations.end_vacation(ann)
    await house.bot.delivery.deliver(owed)


TO_ALL = [(kind, post) for kind, post, _ in POSTS if not message_kinds()[kind].direct] + [(VACATION, post_return)]


async def write_german(house: House) -> None:
    """Let the bot write German on the server, as its managers have chosen."""
    async with house.store.transaction() as db:
        await servers.save_server_settings(db, house.discord.guild.id, {"language": "de"})
        await servers.set_language(db, house.discord.guild.id, "de")


@pytest.mark.parametrize(("kind", "post"), TO_ALL, ids=[post.__name__ for _, post in TO_ALL])
async def test_what_everybody_reads_is_in_the_servers_language(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: str, post: Callable[[House], Awaitable[None]]
) -> None:
    await write_german(house)
    builders, spoken = house.current_builders(), set[str]()

    async def build(app: App, row: OutboxRow) -> OutboxMessage | None:
        spoken.add(spoken_language().code)
        return await builder.build(app, row)

    builder = builders[kind]
    monkeypatch.setitem(builders, kind, replace(builder, build=build))
    await post(house)
    assert spoken == {"de"}


async def test_the_first_board_leads_to_its_thread_in_the_servers_language(house: House) -> None:
    await write_german(house)
    await house.play(await house.begin())
    assert house.channel.last().content.startswith("Diese Partie geht in ihrem Thread weiter")


async def test_a_press_by_somebody_else_leaves_it_in_the_servers_language(house: House) -> None:
    """They read German. Their press confirms the second board, which strips the first one."""
    game, ann = await house.begin(), house.discord.user("ann")
    with house.noting_nothing():
        await house.play(game)
    ann.locale = "de"
    await house.connect()
    shown = await (await house.discord.press(ann, house.thread().last(), texts.MORE_LABEL)).followed_up()
    assert "Aufgeben" in str(shown.components)
    await house.discord.wait_for(lambda: house.channel.last().custom_ids == [], what="a board without buttons")
    assert house.channel.last().content == goes_on_in_thread_text(house.thread().id)
