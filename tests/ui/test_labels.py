"""The check that holds for each message in these tests.

No two of its buttons, selects or options say the same, and each select's name can be read.
"""

from typing import Any

import pytest

from gipfbot.ui.kit.components import (
    Button,
    ChannelSelect,
    ListedText,
    PrivateRow,
    RoleSelect,
    Select,
    build_layout,
    build_view,
)
from gipfbot.ui.kit.texts import number_repeats

from .distinct_labels import nameless_selects, note_repeated_labels, repeated_labels

TWO_ROWS = ListedText("one", Button("Move", "1")), (Button("Move", "2"), Button("Board", "3"))


@pytest.fixture
def labels_differ(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the labels that the check finds, in place of the fixture that lets a test fail for them."""
    return note_repeated_labels(monkeypatch)


@pytest.mark.parametrize(
    ("rows", "repeated"),
    [
        (TWO_ROWS, ["Move"]),
        ((ListedText("one", Button("Move #a1", "1")), (Button("Move #b1", "2"),)), []),
        ((Select("Game", "1", (("Ann", "1"), ("Ann", "2"))),), ["Ann"]),
        ((Select("Game", "1", (("Ann", "1"),)), Select("Game", "2", (("Ann", "1"),))), ["Game"]),
    ],
)
def test_equal_labels_are_found(rows: tuple[PrivateRow, ...], repeated: list[str], labels_differ: list[str]) -> None:
    assert repeated_labels(build_layout("", (), rows)) == repeated
    assert labels_differ == repeated


def test_equal_labels_of_a_public_message_are_found(labels_differ: list[str]) -> None:
    assert repeated_labels(build_view([(Button("Accept", "1"), Button("Accept", "2"))])) == ["Accept"]
    assert labels_differ == ["Accept"]


@pytest.mark.parametrize(
    ("select", "texts"),
    [
        (Select("Theme", "1", (("Theme: Night", "1"), ("Theme: Wood", "2")), "1"), []),
        (Select("Pool", "1", (("Standard", "1"),)), []),
        (Select("Pool", "1", (("Standard", "1"), ("Basic", "2")), "2"), ["**Pool**"]),
        (ChannelSelect("Results", "1"), []),
        (ChannelSelect("Results", "1", 7), ["**Results**"]),
        (RoleSelect("Who may challenge", "1", 7), ["**Who may challenge**"]),
    ],
)
def test_name_of_a_select_stays_when_something_is_chosen(select: PrivateRow, texts: list[str]) -> None:
    layout: Any = build_layout("", (), (select,))
    assert [item["content"] for item in layout.to_components() if "content" in item] == texts
    assert nameless_selects(layout) == []


def test_hidden_name_of_a_select_is_found(labels_differ: list[str]) -> None:
    """Also in a public message, where no text can stand above a select."""
    select = Select("Pool", "1", (("Standard", "1"),), "1")
    assert nameless_selects(build_view([select])) == ["Pool"]
    assert labels_differ == ["Pool"]


def test_equal_labels_are_numbered() -> None:
    assert number_repeats(["Ann", "Bob", "Ann", "Ann"]) == ["Ann", "Bob", "Ann (2)", "Ann (3)"]
    assert number_repeats([]) == []
