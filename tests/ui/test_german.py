"""In German nobody reads an English word, whatever they press and whichever command they give.

The crawler also reads a language of the tests, which has each sentence of the program in brackets. So what no sentence
says is found, even if it lacks nothing but its translation; and so is a sentence that is a fact of another.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial

import pytest

from gipfbot import languages
from gipfbot.languages import ENGLISH, Language, load_language, read_catalogue
from gipfbot.ui.kit.interactions import KINDS
from tests.support.marked_language import FACT_IN_TEMPLATE, marked_language, read_marks
from tests.support.paths import HOUSE

from .crawled_club import HOURS, crawl, crawled_club
from .crawler import Crawler, Said, kind_of
from .locales import locales_sent
from .read_texts import bare_words, words_of
from .stored_rows import stored_rows
from .world import World

pytestmark = pytest.mark.looks_every(60 * 24)
SOME, ALL = 120, 20_000  # steps of the crawler
ENGLISH_WORDS = frozenset((HOUSE / "tests/data/english_words.txt").read_text(encoding="utf-8").split())
ON_THE_DEMO_PAGE = "*Viewing as*"  # a label of the simulated Discord, which is in English
LISTED_STUDY = re.compile(r"⟨study ⦃\d+⦄⟩ · [^;\n]*…")
# What the host is told is in English, as the state itself is. A second division and a second page of a table take more
# players than the club has.
UNREACHED = {"host_state", "standings_division", "standings_page"}


@pytest.fixture(autouse=True)
def labels_differ() -> None:
    """Do not compare labels: brackets make long ones longer, and they are shortened then."""


@asynccontextmanager
async def crawled(world: World, language: Language, most: int) -> AsyncIterator[Crawler]:
    """Yield a crawler that has gone through a club in a language."""
    with stored_rows(world) as rows, pytest.MonkeyPatch.context() as patch:
        crawler = await crawled_club(world, rows)
        patch.setattr(languages, "languages", lambda: {"en": ENGLISH, language.code: language})
        people = {person.id: language.code for person in crawler.people}
        with locales_sent(people, {world.guild.id: language.code}):
            await crawl(crawler, most, hours=HOURS if most == ALL else 0)
        yield crawler


def cut_off(said: Said) -> bool:
    """Return whether a part of a sentence is missing. In a list of studies each may lack the end of its title.

    `tests/render/test_longer.py` looks at pictures.
    """
    text = LISTED_STUDY.sub("", said.text) if said.part == "content" else said.text
    return read_marks(text).cut


def english_words(text: str, names: Iterable[str]) -> list[str]:
    """Return the English words of a text."""
    return [word for word in words_of(text, names) if word.lower() in ENGLISH_WORDS]


@pytest.mark.parametrize(
    ("language", "wrong_words"),
    [
        (marked_language, bare_words),
        (partial(marked_language, longer=True), bare_words),
        (lambda: load_language("de"), english_words),
    ],
    ids=["brackets", "longer", "german"],
)
@pytest.mark.parametrize("most", [SOME, pytest.param(ALL, marks=pytest.mark.slow)])
async def test_nobody_reads_english_in_german(
    world: World, language: Callable[[], Language], wrong_words: Callable[[str, Iterable[str]], list[str]], most: int
) -> None:
    async with crawled(world, language(), most) as crawler:
        assert not crawler.faults
        assert not [said for said in crawler.said if said.part != "picture" and cut_off(said)]
        wrong = {
            f"{kind_of(said.where)}, {said.part}: {words} in {said.text!r}"
            for said in crawler.said
            if (words := wrong_words(said.text, crawler.names))
        }
        assert not wrong, "\n".join(sorted(wrong))
        assert most == SOME or {*KINDS} - {*crawler.pressed} <= UNREACHED


def test_german_sentences_have_no_english_word() -> None:
    assert len(ENGLISH_WORDS) == 500
    wrong = dict[str, set[str]]()
    for message in read_catalogue("de"):
        forms = (message.string or "",) if isinstance(message.string, str | None) else message.string
        for text in forms if message.id else ():
            template = FACT_IN_TEMPLATE.sub(" ", text).replace(ON_THE_DEMO_PAGE, " ")
            if words := {word.lower() for word in words_of(template)} & ENGLISH_WORDS:
                wrong[text] = words
    assert not wrong
