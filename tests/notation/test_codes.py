"""The codes of actions, for drafts and buttons: `parse_action_code` reads what `action_code` writes."""

import pytest

from gipfbot.notation import ParseError, action_code, parse_action_code
from gipfbot.rules import PASS, legal
from tests.notation.helpers import at, crowded, game

CODES = [
    ("basic w W=e3 B=", 0, "a1b2"),
    ("tournament w W=Ge2 B= opening=wb", 0, "Ga1b2"),
    ("basic w W=e2,e3,e4,e5 B=", 0, "xe:e2e3e4e5"),
    ("basic w W=b2,c3,d4,e5 B=", 0, "x1*:b2c3d4e5"),
    ("tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2 step=after", -1, "-"),
]


@pytest.mark.parametrize(("line", "index", "code"), CODES)
def test_an_action_has_a_short_code(line: str, index: int, code: str) -> None:
    action = legal(at(line))[index]
    assert action_code(action) == code
    assert parse_action_code(code) == action


def test_every_action_is_read_from_its_code() -> None:
    for seed in range(3):
        for position, actions in game("tournament", seed):
            assert all(parse_action_code(action_code(action)) == action for action in (*actions, *legal(position)))
        assert all(parse_action_code(action_code(action)) == action for action in legal(crowded(seed)))
    assert parse_action_code("-") is PASS


@pytest.mark.parametrize("code", ["", "e2", "e1e3", "Xe:e2", "xz:e2", "xe:e1", "xe:e2e", "Ke1e2", "--", "xe:e9"])
def test_a_text_that_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ParseError, match="an action code"):
        parse_action_code(code)
