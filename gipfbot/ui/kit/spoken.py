"""Who reads what: a person reads their language, and everybody on a server reads the server's.

A person's language is that of their Discord, unless they have chosen another. A server's is the one that its managers
have chosen. Without one, it is that of the server's Discord, unless that is the English one, which most servers have
without a choice; then that of the manager who first opened its settings.

The languages in which the bot writes are stored, because it also writes when nobody acts: to people, and in channels.
They are written only when they change, and read once for each person and server, as long as `known_languages` holds
them. What people have chosen is read at the start: a form is opened, and trouble is told, before anything can be read.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, suppress

from discord import Locale

from gipfbot.languages import Language, language_named, speak, speaking
from gipfbot.service.settings.servers import language_to_note
from gipfbot.service.settings.setting_rows import AS_DISCORD
from gipfbot.values import DatabaseTrouble, OutboxRow, Person, ServerLanguage

from .client import AppClient, Interaction
from .respond import PERSON, person_of

WRITTEN, THERE = "written", "there"  # what `known_languages` keeps: of people, of servers
USUAL = Locale.american_english  # of servers that have chosen none


def speak_to(interaction: Interaction) -> None:
    """Speak the language of the person who acts from now on, as far as it is known. Nothing is read."""
    speak(_language_of(interaction))


def _language_of(interaction: Interaction) -> Language:
    return language_named(interaction.client.chosen_languages.get(interaction.user.id, interaction.locale.value))


@asynccontextmanager
async def spoken_to(interaction: Interaction) -> AsyncIterator[None]:
    """Speak the language of the person who acts, and note it after the `with` block if it is new.

    That of their server is noted before, because messages to it may follow at once.
    """
    server = interaction.guild_id
    await learn_chosen(interaction)
    is_read = PERSON in interaction.extras
    if server:
        await _note_server(interaction, server)
    speak_to(interaction)
    before = _kept(interaction)
    yield
    await note_person(interaction)
    # Another process may have stored a choice since this one read it.
    if not is_read and PERSON in interaction.extras and _kept(interaction) == before:
        _keep(interaction, interaction.extras[PERSON])


async def note_person(interaction: Interaction) -> None:
    """Write to the person who acts in their language from now on. Nothing is noted after `forget_person`."""
    known, user = interaction.client.known_languages, interaction.user.id
    if known.find(user, WRITTEN) not in (None, (spoken := _language_of(interaction)).code):
        with suppress(DatabaseTrouble):  # the store has logged it, and the person has their answer
            await interaction.client.app.users.note_language(user, spoken)
            known.keep(user, WRITTEN, spoken.code)


async def learn_chosen(interaction: Interaction) -> None:
    """Read the languages of the person who acts, unless they are known, and speak theirs from now on."""
    if PERSON in interaction.extras or interaction.client.known_languages.find(interaction.user.id, WRITTEN) is None:
        _keep(interaction, await person_of(interaction))
        speak_to(interaction)


def _kept(interaction: Interaction) -> tuple[str | None, ...]:
    known, user, chosen = interaction.client.known_languages, interaction.user.id, interaction.client.chosen_languages
    return chosen.get(user), known.find(user, WRITTEN), known.find(interaction.guild_id or 0, THERE)


def _keep(interaction: Interaction, person: Person) -> None:
    bot, user = interaction.client, interaction.user.id
    _keep_chosen(bot, user, bot.app.users.kind.read(person.settings).language)
    bot.known_languages.keep(user, WRITTEN, language_named(person.language).code)
    if interaction.guild_id:
        _keep_server(bot, interaction.guild_id, person.there)


def _keep_chosen(bot: AppClient, user: int, code: str) -> None:
    if code == AS_DISCORD:
        bot.chosen_languages.pop(user, None)
    else:
        bot.chosen_languages[user] = code


def language_name(code: str) -> str:
    """Return the name of a language in that language, such as `Deutsch`."""
    locale = language_named(code).locale
    return str(locale.get_language_name(locale))


def keep_chosen(interaction: Interaction, code: str) -> None:
    """Keep the language that the person who acts has chosen, and speak it from now on."""
    _keep_chosen(interaction.client, interaction.user.id, code)
    speak_to(interaction)


async def _note_server(interaction: Interaction, server: int, manager: Language | None = None) -> None:
    await note_preferred(interaction.client, server, interaction.guild_locale or USUAL, manager)


async def note_manager(interaction: Interaction, server: int) -> None:
    """Write on a server in the language of the manager who opens its settings, unless it has one."""
    await _note_server(interaction, server, _language_of(interaction))


async def note_preferred(bot: AppClient, server: int, locale: Locale, manager: Language | None = None) -> None:
    """Write on a server in the language of its Discord, unless its managers have chosen one.

    If that is the usual one, the `manager` who first opened its settings decides.
    """
    preferred = None if locale is USUAL else language_named(locale.value)
    known = await _language_on(bot, server)
    if language_to_note(known, preferred, manager) != known:
        with suppress(DatabaseTrouble):  # the store has logged it, and the next press tries again
            _keep_server(bot, server, await bot.app.servers.note_language(server, preferred, manager))


async def written_on(bot: AppClient, server: int) -> Language:
    """Return the language in which the bot writes on a server."""
    return language_named((await _language_on(bot, server)).written)


async def _language_on(bot: AppClient, server: int) -> ServerLanguage:
    if (kept := bot.known_languages.find(server, THERE)) is None:
        _keep_server(bot, server, known := await bot.app.servers.language(server))
        return known
    return ServerLanguage(*(part or None for part in kept.split("/")))


def _keep_server(bot: AppClient, server: int, language: ServerLanguage) -> None:
    bot.known_languages.keep(server, THERE, "/".join(part or "" for part in language))


def forget_person(interaction: Interaction) -> None:
    """Forget the languages of the person who acts: nothing is stored about them. They are read at the next request."""
    _keep_chosen(interaction.client, interaction.user.id, AS_DISCORD)
    interaction.client.known_languages.forget(interaction.user.id, WRITTEN)


def speaking_to(interaction: Interaction) -> AbstractContextManager[None]:
    """Speak the language of the person who acts within the `with` block, such as beside what everybody reads."""
    return speaking(_language_of(interaction))


def forget_server(bot: AppClient, server: int) -> None:
    """Forget the language of a server, because its managers have changed the setting. It is read at its next use."""
    bot.known_languages.forget(server, THERE)


def language_of_message(bot: AppClient, row: OutboxRow) -> Language:
    """Return the language in which a message is posted."""
    return language_named(row.language if bot.app.kinds[row.kind].direct else row.language_there)


@asynccontextmanager
async def spoken_here(interaction: Interaction) -> AsyncIterator[None]:
    """Speak what everybody reads who sees the pressed message, within the `with` block."""
    here = interaction.guild_id
    with speaking(await written_on(interaction.client, here) if here else _language_of(interaction)):
        yield


@asynccontextmanager
async def spoken_on(bot: AppClient, server: int | None, person: int) -> AsyncIterator[None]:
    """Speak what everybody on a server reads, within the `with` block. Outside servers, only `person` reads it."""
    if server is None:
        language = language_named((await bot.app.users.person(person)).language)
    else:
        language = await written_on(bot, server)
    with speaking(language):
        yield
