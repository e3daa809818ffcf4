"""Sentences about faults: their English text, and what they keep."""

import pickle

import pytest

from gipfbot.rules import Colour, ruleset_named, ruleset_words
from gipfbot.rules.ruleset_names import WrongRuleset
from gipfbot.rules.sentences import AllOf, OneOf, Sentence


def test_a_sentence_is_its_english_text() -> None:
    said = Sentence("{player} can put {numbers}.", player=Colour.BLACK, numbers=OneOf(["+1", "+2"]))
    assert said == "Black can put +1 or +2."
    assert (said.template, said.rule) == ("{player} can put {numbers}.", "")
    assert said.facts == {"player": Colour.BLACK, "numbers": ("+1", "+2")}


def test_the_rule_stands_before_the_full_stop() -> None:
    assert Sentence("There are no draws.", rule="R6.3") == "There are no draws (R6.3)."


def test_facts_are_written_as_they_are() -> None:
    assert Sentence("{text}: {count} of {rows}", text="{x}", count=2000, rows=AllOf(["a", "b", "c"])) == (
        "{x}: 2,000 of a and b and c"
    )
    assert Sentence("{none} and {{") == "{none} and {{"
    with pytest.raises(KeyError):
        Sentence("{spot} and {other}", spot="e2")


def test_advice_is_what_may_be_written() -> None:
    said = Sentence("{spot}: {turn} or {others}", spot="e2", others=OneOf(["b", "c"]), turn=OneOf(["a"]))
    assert said.advice == ("b", "c", "a")


def test_a_sentence_survives_another_process() -> None:
    said = Sentence("{text} by {player}", text="{", player=Colour.WHITE)
    read = pickle.loads(pickle.dumps(said))
    assert (read, read.template, read.facts) == (said, said.template, said.facts)


def test_a_rule_set_with_potentials_has_a_name_in_words() -> None:
    words = ruleset_words("tournament+Z6P6")
    assert words == "Tournament with 6 ZÈRTZ and 6 PÜNCT"
    assert isinstance(words, Sentence)
    assert words.facts == {"rules": "Tournament", "potentials": ("6 ZÈRTZ", "6 PÜNCT")}


def test_a_wrong_rule_set_keeps_its_sentence() -> None:
    with pytest.raises(WrongRuleset) as caught:
        ruleset_named("tournament+Z9")
    assert str(caught.value) == "Each player gets 3 to 6 ZÈRTZ-potentials, not 9 (R7.1)."
    assert caught.value.sentence.facts["number"] == "9"
