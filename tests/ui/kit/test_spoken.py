"""Who reads what: a person reads their language, and everybody on a server reads the server's."""

import pytest
from discord import Locale
from sqlalchemy import text, update

from gipfbot.store import servers, tables, users
from gipfbot.ui.kit.spoken import written_on
from gipfbot.ui.lobby.welcome import greet_new_servers
from tests.support.games import PLAYED
from tests.support.spoken_words import languages_of
from tests.ui.counted_statements import statements_of
from tests.ui.locales import locales_sent
from tests.ui.opened_message import OpenedMessage
from tests.ui.read_texts import message_texts
from tests.ui.studying import playing
from tests.ui.table import bot_handle, look_for_answers, thought
from tests.ui.world import World, deliver, full_custom_id, labels, private, sought, told

pytestmark = pytest.mark.looks_every(60)
LANGUAGES_OF = "users.language", "servers.language"


async def languages_stored(world: World) -> tuple[str | None, str | None]:
    """Return the languages in which the bot writes to Bob, and on the server."""
    async with world.store.reading() as db:
        bob, club = await users.load_person(db, world.bob.id), await servers.language_of_server(db, world.guild.id)
    return bob.language, club.written


async def test_a_german_on_an_english_server_reads_german_alone(world: World) -> None:
    game = await world.begin()
    with locales_sent({world.bob.id: "de"}, {}):
        assert "Deine Partien" in told(await world.bob.slash(world.channel, "gipf games"))
        assert "Your games" in told(await world.ann.slash(world.channel, "gipf games"))
        await world.ann.slash(world.channel, "move", game="#a1", notation="c2")
        assert (await world.game(game)).turn_number == 1
    assert "your turn" in world.board().content
    assert "Zug" not in world.board().content
    assert await languages_stored(world) == ("de", None)


async def test_a_german_server_reads_german_and_an_english_person_english(world: World) -> None:
    await world.begin()
    with locales_sent({}, {world.guild.id: "de"}):
        await world.ann.slash(world.channel, "move", game="#a1", notation="c2")
        assert "Your games" in told(await world.ann.slash(world.channel, "gipf games"))
    assert "am Zug" in world.board().content
    assert await languages_stored(world) == (None, "de")


async def test_a_refusal_and_suggestions_are_in_the_persons_language(world: World) -> None:
    await world.begin()
    with locales_sent({world.ann.id: "de"}, {}):
        refused = told(await world.ann.slash(world.channel, "move", game="#a1", notation="z9"))
        assert "Erwartet" in refused or "kein" in refused, refused
        choices = await world.ann.autocomplete(world.channel, "gipf board", "game", "")
        assert [choice["name"] for choice in choices] == ["#a1 gegen Bob"]


async def test_a_direct_message_is_in_the_language_of_its_person(world: World) -> None:
    """They have acted before; the message is caused by somebody else."""
    await playing(world, *PLAYED[:2])
    with locales_sent({world.cara.id: "de"}, {}):
        await world.cara.slash(world.channel, "gipf follow", game="#a1")
    await world.ann.slash(world.channel, "move", game="#a1", notation=PLAYED[2])
    await deliver(world)
    news = [message for message in world.cara.user.dm_channel.history() if message.author.bot]
    assert "Ann spielte b1 → b2" in news[0].content


async def test_a_language_costs_statements_only_when_it_changes(world: World) -> None:
    await world.begin()
    for _ in range(2):
        usual = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
    with locales_sent({world.bob.id: "de"}, {world.guild.id: "de"}):
        changed = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
        again = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
    assert sum("language" in statement for statement in changed if statement.startswith("UPDATE")) > 0
    assert len(again) == len(usual)


async def test_a_choice_outlives_discords_language(world: World) -> None:
    await world.bot.app.users.change(world.bob.id, {"language": "de"})
    assert "Du hast keine" in told(await world.bob.slash(world.channel, "gipf games"))
    assert await languages_stored(world) == ("de", None)


async def test_an_unknown_language_is_english(world: World) -> None:
    with locales_sent({world.bob.id: "fr"}, {world.guild.id: "fr"}):
        assert "You have no" in told(await world.bob.slash(world.channel, "gipf games"))
    assert await languages_stored(world) == (None, None)


async def test_a_server_without_a_language_gets_that_of_its_manager(world: World) -> None:
    await world.let_manage(world.bob)
    with locales_sent({world.bob.id: "de"}, {}):
        assert "Einstellungen" in told(await world.bob.slash(world.channel, "gipf-server settings"))
    assert await languages_stored(world) == ("de", "de")


async def test_an_english_person_reads_english_about_a_game_on_a_german_server(world: World) -> None:
    await playing(world, *PLAYED[:2])
    with locales_sent({}, {world.guild.id: "de"}):
        await world.cara.slash(world.channel, "gipf follow", game="#a1")
        await world.ann.slash(world.channel, "move", game="#a1", notation=PLAYED[2])
        await deliver(world)
    news = [message for message in world.cara.user.dm_channel.history() if message.author.bot]
    assert "Ann played b1 → b2" in news[0].content


async def test_a_private_answer_to_a_public_press_is_in_the_persons_language(world: World) -> None:
    with locales_sent({world.bob.id: "de"}, {}):
        seek = await sought(world)
        taken = await world.bob.click(seek, custom_id=full_custom_id(seek, "challenge"))
    assert "Du spielst Partie" in told(taken)
    assert "looks for a game" in seek.content


async def test_the_first_manager_decides_and_a_later_one_does_not(world: World) -> None:
    await world.let_manage(world.ann, world.bob)
    with locales_sent({world.bob.id: "de"}, {}):
        await world.ann.slash(world.channel, "gipf-server settings")
        await world.bob.slash(world.channel, "gipf-server settings")
    assert await languages_stored(world) == ("de", None)


async def test_a_servers_discord_that_goes_back_to_english_takes_the_bot_along(world: World) -> None:
    for locale, written in (("de", "de"), ("en-US", None)):
        with locales_sent({}, {world.guild.id: locale}):
            await world.ann.slash(world.channel, "gipf games")
        assert await languages_stored(world) == (None, written)


async def test_what_the_first_manager_decided_outlives_discords_changes(world: World) -> None:
    await world.let_manage(world.bob)
    with locales_sent({world.bob.id: "de"}, {}):
        await world.bob.slash(world.channel, "gipf-server settings")
    for locale, written in (("fr", None), ("en-US", "de")):
        with locales_sent({}, {world.guild.id: locale}):
            await world.ann.slash(world.channel, "gipf games")
        assert (await languages_stored(world))[1] == written


async def test_a_new_german_server_is_welcomed_in_german(world: World) -> None:
    club = world.bot.get_guild(world.guild.id)
    assert club
    club.preferred_locale = Locale.german
    async with world.store.transaction() as db:
        await servers.save_departure(db, club.id, 0)
    await greet_new_servers(world.bot, [club])
    assert (await languages_stored(world))[1] == "de"
    assert "GIPF ist da" in world.public()[-1].content


async def test_choices_made_in_another_process_are_spoken_after_the_next_request(world: World) -> None:
    await world.bob.slash(world.channel, "gipf games")
    await world.bot.app.users.change(world.bob.id, {"language": "de"})
    await world.bot.app.servers.change(world.guild.id, {"language": "de"})
    await world.bob.slash(world.channel, "gipf-me settings")
    assert "Du hast keine" in told(await world.bob.slash(world.channel, "gipf games"))
    assert (await written_on(world.bot, world.guild.id)).code == "de"


async def test_a_stored_language_that_is_gone_is_as_discords(world: World) -> None:
    async with world.store.transaction() as db:
        await users.set_setting(db, world.bob.id, "language", "xx")
        await users.set_language(db, world.bob.id, "xx")
        await servers.save_server_settings(db, world.guild.id, {"language": "xx"})
        await servers.set_language(db, world.guild.id, "xx")
    assert "You have no" in told(await world.bob.slash(world.channel, "gipf games"))
    with locales_sent({world.bob.id: "de"}, {world.guild.id: "de"}):
        assert "Du hast keine" in told(await world.bob.slash(world.channel, "gipf games"))
    assert await languages_stored(world) == ("de", "de")


async def test_a_servers_choice_can_be_taken_back(world: World) -> None:
    await world.let_manage(world.ann)
    for code, written in (("de", "de"), ("discord", None)):
        await world.ann.slash(world.channel, "gipf-server settings", language=code)
        assert await languages_stored(world) == (None, written)


async def test_nothing_is_noted_of_somebody_of_whom_nothing_is_stored(world: World) -> None:
    with locales_sent({world.bob.id: "de"}, {}):
        assert "nichts gespeichert" in told(await world.bob.slash(world.channel, "gipf-me privacy delete"))
    assert await languages_stored(world) == (None, None)


async def test_a_draw_answered_in_direct_messages_is_in_the_language_of_their_person(world: World) -> None:
    """Another person has woken the bot, which is to answer both."""
    with locales_sent({world.ann.id: "de"}, {}), pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.bot.house_loop, "wake", lambda: None)
        for person, offer in ((world.ann.user, "Remis anbieten"), (world.bob.user, "Offer a draw")):
            await person.slash("gipf challenge", opponent=bot_handle(world), rules="overboard", colour="white")
            asked = private(await person.slash("move", notation="draw"))
            await person.click(asked, label=offer)
    world.bot.house_loop.wake()
    await thought(world)
    answers = [person.user.dm_channel.history()[-1].content for person in (world.ann, world.bob)]
    assert ["abgelehnt" in answer for answer in answers] == [True, False]
    assert "was declined" in answers[1]


async def test_the_first_board_in_direct_messages_is_in_the_language_of_their_person(world: World) -> None:
    with locales_sent({world.ann.id: "de"}, {}):
        await world.ann.user.slash("gipf challenge", opponent=bot_handle(world), colour="black")
    assert "überlegt" in world.ann.user.dm_channel.history()[0].content


async def test_after_a_restart_a_form_is_in_the_chosen_language(world: World) -> None:
    """It opens before anything can be read."""
    await world.begin()
    await world.bob.slash(world.channel, "gipf-me settings", language="de")
    note = private(await world.bob.slash(world.channel, "move", notation="note"))
    damaged = text("""'{"language"'""")  # of somebody else
    async with world.store.transaction() as db:
        await users.set_setting(db, world.cara.id, "language", "en")
        await db.execute(update(tables.users).where(tables.users.c.id == world.cara.id).values(settings=damaged))
    await world.restart()
    form = await world.bob.click(note, label="Notiz schreiben")
    assert "Notiz" in str(form.modal)


async def test_late_answers_of_the_bot_are_in_the_language_of_who_waits(world: World) -> None:
    """They are shown by one task, which the first of them has begun."""
    desks = list[OpenedMessage]()
    with locales_sent({world.ann.id: "de"}, {}), pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.bot.house_loop, "wake", lambda: None)
        for person in (world.ann, world.bob):
            page = await person.slash(world.channel, "gipf challenge", opponent=bot_handle(world), colour="black")
            desks.append(OpenedMessage(person, page))
            await desks[-1].press(labels(desks[-1].message)[0])
    assert ["überlegt" in desks[0].text, "is thinking" in desks[1].text] == [True, True]
    world.bot.house_loop.wake()
    await thought(world)
    await look_for_answers(world)
    assert ["spielte" in desks[0].text, "played" in desks[1].text] == [True, True]
    assert [languages_shown(desk) for desk in desks] == [{"de"}, {"en"}]


async def test_a_language_that_changes_amid_a_desk_changes_all_of_it(world: World) -> None:
    await world.begin()
    desk = OpenedMessage(world.ann, await world.ann.slash(world.channel, "move"))
    for locale, shown, label in (("de", "de", "a2"), ("en-GB", "en", "→ b3")):
        assert languages_shown(desk) == {"de": {"en"}, "en": {"de"}}[shown], "until they press"
        with locales_sent({world.ann.id: locale}, {}):
            await desk.press(label)
        assert languages_shown(desk) == {shown}


def languages_shown(opened: OpenedMessage) -> frozenset[str]:
    """Return the languages of all that stands on a private message."""
    return languages_of(*(text for _, text in message_texts(opened.message.components)))
