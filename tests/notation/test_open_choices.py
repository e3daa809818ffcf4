"""A typed dot without a direction, which names two pushes."""

import pytest

from gipfbot.notation import JULIO974, OFFICIAL, bare_dot_pushes
from gipfbot.notation.typed_turns import parse_bare_dot
from gipfbot.rules import Kind
from tests.notation.helpers import at
from tests.notation.positions import EMPTY, SETUP


@pytest.mark.parametrize(
    "text", ["c1", " C1 ", "1. c1!", "c1 (11)", "c1 (11", "> c1 {why} (or d2)", "`c1`", "1... c1."]
)
def test_a_dot_is_bare_whatever_stands_around_it(text: str) -> None:
    assert parse_bare_dot(text) == (Kind.BASIC, "c1")
    assert [push.spot for push in bare_dot_pushes(at(SETUP), text, OFFICIAL)] == ["c2", "d2"]


@pytest.mark.parametrize("text", ["c1*", "c1X", "c1-c3", "c1c3", "c1 d2", "e1", "c2", "a1", "", "c1 c1", "(c1)"])
def test_a_text_that_says_more_is_no_bare_dot(text: str) -> None:
    assert parse_bare_dot(text) is None
    assert bare_dot_pushes(at(SETUP), text, OFFICIAL) == ()


def test_only_legal_pushes_are_meant() -> None:
    assert [(push.kind, push.spot) for push in bare_dot_pushes(at(EMPTY), "Gc1", OFFICIAL)] == [
        (Kind.GIPF, "c2"),
        (Kind.GIPF, "d2"),
    ]
    assert bare_dot_pushes(at(EMPTY), "c1", OFFICIAL) == ()
    closed = at("basic w W=e2,e4,e6,e8,d2,c2,g2,h2 B=e3,e5,e7,b2,f2")
    assert [push.spot for push in bare_dot_pushes(closed, "f1", OFFICIAL)] == ["f2"]


def test_a_reader_of_julio974_means_one_push_by_a_dot() -> None:
    assert bare_dot_pushes(at(SETUP), "c1", JULIO974) == ()
