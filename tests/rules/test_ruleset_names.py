"""Names of rule sets with potentials (R7.1): how they are read, refused and said in words."""

import re

import pytest

from gipfbot.rules import BASIC, OVERBOARD, RULESETS, STANDARD, TOURNAMENT, ruleset_named
from gipfbot.rules.ruleset_names import ruleset_words, with_potentials

KNOWN = "Z (ZÈRTZ), P (PÜNCT)"


@pytest.mark.parametrize("name", RULESETS)
def test_a_plain_name_is_its_rule_set(name: str) -> None:
    assert ruleset_named(name) is RULESETS[name]


def test_a_name_adds_potentials_to_an_official_version() -> None:
    found = ruleset_named("tournament+Z3P6")
    assert (found.name, found.potentials) == ("tournament+Z3P6", (("Z", 3), ("P", 6)))
    assert found == with_potentials(TOURNAMENT, (("Z", 3), ("P", 6)))
    assert (found.setup, found.gipf_enters) == (TOURNAMENT.setup, True)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("basic+Q3", f"There is no potential Q: the potentials are {KNOWN}."),
        ("basic+Z2", "Each player gets 3 to 6 ZÈRTZ-potentials, not 2 (R7.1)."),
        ("basic+P7", "Each player gets 3 to 6 PÜNCT-potentials, not 7 (R7.1)."),
        ("basic+P3Z3", f"Potentials stand in the order {KNOWN}, and each once."),
        ("basic+Z3Z3", f"Potentials stand in the order {KNOWN}, and each once."),
        ("overboard+Z3", "There are no potentials in Overboard (R8.6)."),
        ("chess", "There is no rule set chess: the rule sets are basic, standard, tournament, overboard."),
        ("chess+Z3", "There is no rule set chess: the rule sets are basic, standard, tournament, overboard."),
        *(
            (f"basic+{added}", "Behind the + stand potentials, each with its number, such as Z3 or Z3P6.")
            for added in ("", "Z", "z3", "Z3,P3", "3")
        ),
    ],
)
def test_another_name_is_refused_with_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        ruleset_named(name)


def test_without_potentials_nothing_is_refused() -> None:
    assert with_potentials(OVERBOARD, ()).potentials == ()


def test_the_limits_of_the_numbers_belong_to_them() -> None:
    assert with_potentials(BASIC, (("Z", 3), ("P", 6))).potentials == (("Z", 3), ("P", 6))
    assert with_potentials(STANDARD, (("P", 3),)).name == "standard+P3"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("basic", "Basic"),
        ("standard+Z3", "Standard with 3 ZÈRTZ"),
        ("tournament+Z6P6", "Tournament with 6 ZÈRTZ and 6 PÜNCT"),
        ("tournament+Q6", "Tournament with 6 Q"),
    ],
)
def test_a_name_is_said_in_words(name: str, words: str) -> None:
    assert ruleset_words(name) == words
