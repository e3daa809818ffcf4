"""The languages of people and clubs. Each message is in one of them; the notebook reads it in English."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from gipfbot.languages import ENGLISH, Language, language_named, speaking, spoken_language
from gipfbot.service.app import App
from gipfbot.ui.kit.outbox_messages import MessageBuilder, OutboxMessage
from gipfbot.values import OutboxRow
from tests.support.spoken_words import LOCALES, languages_of

from .messages import LONGEST
from .people import Person, place_of


def languages_by_place(people: Iterable[Person], spared: Collection[int]) -> dict[int, Language]:
    """Return the languages of people and of the channels of their clubs, by id. Those of `spared` are English."""
    places = {place for person in people for place in (person.user, place_of(person))}
    return {
        place: ENGLISH if place in spared else language_named(LOCALES[place % len(LOCALES)]) for place in sorted(places)
    }


def in_one_language(builder: MessageBuilder, languages: Mapping[int, Language], spoken: Counter[str]) -> MessageBuilder:
    """Return what builds the same messages in English. Each is built first in its own language, and counted there."""

    async def build(app: App, row: OutboxRow) -> OutboxMessage | None:
        language, message = spoken_language(), await builder.build(app, row)
        if message is None:
            return None
        texts = [*_texts(message)]
        assert language == languages[row.channel], (language, row)
        assert languages_of(*texts) <= {language.code}, texts
        assert len(message.text) <= LONGEST, message.text
        spoken[language.code] += 1
        with speaking(ENGLISH):
            return await builder.build(app, row)

    return replace(builder, build=build)


def _texts(message: OutboxMessage) -> Iterator[str]:
    """Yield what people read of a message, but for its picture."""
    yield message.text
    for row in message.rows:
        yield from (each.label for each in row) if isinstance(row, tuple) else (label for label, _ in row.options)
