from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import HOUSE

from .accepted import LIST, BrokenList, outdated, read_reasons, reason_for
from .changes import Change

LISTED = """
[[accepted]]
module = "gipfbot.rules.rows"
within = "has_row"
was = "pairs = own & own >> 8"
now = ["pairs = own & own << 8", "pairs = own & own >> 9"]
reason = "equivalent: the same pairs, named by their other piece"

[[accepted]]
module = "gipfbot.rules.rows"
within = ""
was = '''
A = (
    1,
)
'''
now = "A = None"
reason = "only speed"
"""
CHANGE = Change("gipfbot.rules.rows", "has_row", "pairs = own & own >> 8", "pairs = own & own << 8", 36, 36, 5)


def test_a_listed_survivor_has_its_reason_wherever_it_stands_in_the_file() -> None:
    reasons = read_reasons(LISTED)
    assert reason_for(CHANGE, reasons) == "equivalent: the same pairs, named by their other piece"
    assert reason_for(CHANGE._replace(first=90, last=90, number=77), reasons) == reason_for(CHANGE, reasons)


def test_lines_are_compared_without_their_indents() -> None:
    assert (
        reason_for(Change("gipfbot.rules.rows", "", "A = (\n1,\n)", "A = None", 1, 3), read_reasons(LISTED))
        == "only speed"
    )


def test_a_reason_may_speak_of_all_changes_of_a_line_or_of_a_class() -> None:
    of_line = LISTED.replace('now = "A = None"', "")
    assert reason_for(Change("gipfbot.rules.rows", "", "A = (\n1,\n)", "A = ()", 1, 3), read_reasons(of_line))
    names = """accepted = [{module = "gipfbot.rules.pending", within = "Asked", reason = "names"}]"""
    change = Change("gipfbot.rules.pending", "Asked", 'PUSH = "push"', 'PUSH = "PUSH"', 1, 1)
    assert reason_for(change, read_reasons(names)) == "names"
    assert reason_for(change._replace(within="Question"), read_reasons(names)) is None


@pytest.mark.parametrize(
    "other",
    [
        {"module": "gipfbot.rules.engine"},
        {"within": "cores"},
        {"was": "pairs = None"},
        {"now": "pairs = own & own >> 1"},
    ],
)
def test_another_change_has_no_reason(other: dict[str, Any]) -> None:
    assert reason_for(CHANGE._replace(**other), read_reasons(LISTED)) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[accepted]", "no TOML"),
        (LISTED.replace('within = "has_row"\n', ""), "needs module, within and reason"),
        (LISTED.replace('was = "pairs = own & own >> 8"\n', ""), "has now, but not was"),
        (LISTED.replace('reason = "only speed"', 'reason = " "'), "has no reason"),
        (LISTED.replace('now = "A = None"', "now = 3"), "needs module, within and reason"),
        (LISTED + 'place = "x"', "and no more"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BrokenList, match=sentence):
        read_reasons(text)


def test_a_reason_is_outdated_once_its_lines_are_gone() -> None:
    first, second = read_reasons(LISTED)
    sources = {"gipfbot.rules.rows": "def has_row(own):\n    pairs = own & own >> 8\nA = (1,)"}
    assert outdated([first, second], sources.__getitem__) == [second]


def test_the_list_of_this_house_can_be_read_and_is_up_to_date() -> None:
    def source(module: str) -> str:
        return Path(HOUSE, *module.split(".")).with_suffix(".py").read_text(encoding="utf-8")

    assert outdated(read_reasons(LIST.read_text(encoding="utf-8")), source) == []
