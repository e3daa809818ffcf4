"""The tutorial and the rules in a language of the tests, which has each sentence of the program in brackets."""

import re
from collections.abc import Iterator

import pytest

from gipfbot.languages import say, say_name, speaking
from gipfbot.match.study import begin_practice
from gipfbot.rules import BASIC, start
from gipfbot.rules.powers import POWERS
from gipfbot.ui.learning.lessons import LESSONS, lesson_label, lesson_study, lesson_text
from gipfbot.ui.learning.play_on import WHOLE_GAME_TITLE
from gipfbot.ui.learning.rule_pages import topic_text
from gipfbot.ui.learning.rule_topics import all_topics, find_topics, topic_groups
from gipfbot.ui.learning.topics import topic_steps
from gipfbot.ui.records.study_texts import practice_heading, study_label
from gipfbot.values import StoredStudy, StudyBrief
from tests.support.marked_language import marked_language

POWER_NAMES = {power.name for power in POWERS.values()}


@pytest.fixture(autouse=True)
def brackets() -> Iterator[None]:
    with speaking(marked_language(longer=True)):
        yield


def words_outside(text: str) -> list[str]:
    """Return the words of a text that are in no sentence of the program, and brackets that are within others."""
    outside = re.sub("⟦[^⟦⟧]*⟧", "", re.sub("⟨[^⟨⟩⟦⟧]*⟩", "", text))
    return [word for word in re.findall(r"\w{2,}|[⟦⟧]", outside) if word not in POWER_NAMES]


@pytest.mark.parametrize("name", all_topics())
def test_a_page_is_said(name: str) -> None:
    for step in topic_steps(all_topics()[name]):
        for text in (topic_text(all_topics()[name], step.said), step.picture.caption, *step.picture.players):
            assert words_outside(text) == []


@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_a_lesson_is_said(number: int) -> None:
    lesson = LESSONS[number]
    answered = *lesson.answers.values(), *lesson.misses.values(), lesson.again
    for text in (lesson_text(number, ""), lesson_label(number), *map(say, answered), *lesson_study(lesson).names):
        assert words_outside(text) == []


def test_groups_of_pages_have_titles_to_say() -> None:
    assert [words_outside(say(title)) for title in topic_groups()] == [[], [], []]


@pytest.mark.parametrize(
    ("text", "name"),
    [("⟦push a piece in", "push"), ("a piece in ëë", "push"), ("⟦Your reserve is", "reserve"), ("push", "push")],
)
def test_a_typed_text_finds_its_page_in_the_language_that_is_spoken(text: str, name: str) -> None:
    assert find_topics(text) == [name]


def test_title_of_a_practice_is_said_when_it_is_shown() -> None:
    """It is stored in English. A title that a person typed stays."""
    stored = StoredStudy(begin_practice(start(BASIC)), 7, WHOLE_GAME_TITLE, level=1)
    assert say_name(WHOLE_GAME_TITLE) in practice_heading(stored)
    practice = StudyBrief(1, None, ("White", "Black"), WHOLE_GAME_TITLE, "basic", 0, level=1)
    assert say_name(WHOLE_GAME_TITLE) in study_label(practice)
    assert not {"⟦", "⟨"} & {*study_label(practice._replace(level=None)).split(" · ")[1]}
