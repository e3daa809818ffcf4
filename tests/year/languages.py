"""The languages of people and clubs. Each message is in one of them; the notebook reads it in English."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from gipfbot.languages import ENGLISH, Language, language_named, speaking, spoken_language
from gipfbot.service.app import App
from gipfbot.ui.kit.components import build_view
from gipfbot.ui.kit.outbox_messages import MessageBuilder, OutboxMessage
from gipfbot.ui.kit.picture_words import spoken_words
from gipfbot.values import OutboxRow
from render import alt_text
from tests.support.marked_language import marked_language, read_marks
from tests.support.spoken_words import LOCALES, languages_of
from tests.ui.read_texts import bare_words, message_texts

from .messages import LONGEST
from .people import Person, place_of

NAMES = ("Gipfbot",)  # those of people end in numbers, which no word does
LONGER = marked_language(longer=True)
# Discord's limits, by the part of a message.
LONGEST_TEXTS = {"content": LONGEST, "label": 80, "placeholder": 150, "option's label": 100, "alt text": 1024}


def languages_by_place(people: Iterable[Person], spared: Collection[int]) -> dict[int, Language]:
    """Return the languages of people and of the channels of their clubs, by id. Those of `spared` are English."""
    places = {place for person in people for place in (person.user, place_of(person))}
    return {
        place: ENGLISH if place in spared else language_named(LOCALES[place % len(LOCALES)]) for place in sorted(places)
    }


def in_one_language(builder: MessageBuilder, languages: Mapping[int, Language], spoken: Counter[str]) -> MessageBuilder:
    """Return what builds the same messages in English.

    Each is built first in its own language, and counted there, then in a longer language, which marks its sentences.
    """

    async def build(app: App, row: OutboxRow) -> OutboxMessage | None:
        language, message = spoken_language(), await builder.build(app, row)
        if message is None:
            return None
        assert language == languages[row.channel], (language, row)
        texts = [*_texts(message)]
        assert languages_of(*texts) <= {language.code}, texts
        spoken[language.code] += 1
        with speaking(LONGER):
            longer = await builder.build(app, row)
            assert longer, row
            wrong = [text for text in _texts(longer) if bare_words(text, NAMES) or read_marks(text).cut]
            assert not wrong, wrong
        with speaking(ENGLISH):
            return await builder.build(app, row)

    return replace(builder, build=build)


def _texts(message: OutboxMessage) -> Iterator[str]:
    """Yield what people read of a message, and the alt text of its picture. Fail if one is too long for Discord."""
    view = build_view(message.rows)
    described = [("alt text", alt_text(message.picture, spoken_words()))] if message.picture else []
    for part, text in (*message_texts(view.to_components() if view else (), message.text), *described):
        assert len(text) <= LONGEST_TEXTS[part], (part, text)
        yield text
