"""Every reader reads or refuses any text, in time proportional to its length.

The checks of the readers are in `readers`. `make fuzz` tries more texts.
"""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, strategies as st

from gipfbot.notation import NOTATIONS, position_text, turn_text
from gipfbot.rules import Action, Position, legal, play
from tests.notation.helpers import along
from tests.notation.readers import (
    DRAFTS,
    READERS,
    Draft,
    a_conditional,
    a_part,
    a_turn,
    offers,
)
from tests.support.calls import count_calls
from tests.support.effort import amount, examples

# ── Texts ──

SIGNS = [
    *"abcdefghiG123456789xX;,-–*() ",
    "²",
    "٣",
    "😀",
    "İ",
    "\udc80",
    "\x00",
    "\u202e",
    "\n",
    "\n;x",
    "\n> ",
    "White wins",
    "e1 e3",
]
WORDS = """
    b2 c2 e2 Ge2 gg3 e5 a1 e1 i3 a2* b1* e1-e4 x X ;x ,e4 ,Gf3* X5 Xa* Xe3 Xgg3 xgg3 ; XX (5) 1. 1... {a} ! +/- 1-0
    [Rules "Basic"]
    i3>h3 -> → n :xGf3 e2. (16 (3)
    1) e1e3 ×b2 ``` $1 !!! (or ) {open 1:0 [FEN"x"] × \u2212 \u200b \\*
    standard w W= B=Ge8 reserve=12-12 captured=0-0 dealt=e,b* step=after Ge1e2 xb*:e4f4
    Zc2 Pa1-c3 Zc1* Zc3>c6 Pc3>c4+1 >c4+2 + > zc6 pc4* pass c4[G] pc4[P] left=Z2P6-Z0P5 tournament+Z6P6 overboard
    rows=we2-e5/ends,bb5-e5 /gipf asked=w by=agreement
    """.split()


def _rest(position: Position, rng: Random) -> tuple[Action, ...]:
    """Return a random rest of the turn."""
    actions, mover = [], position.mover
    while position.mover is mover and not position.result:
        actions.append(rng.choice(legal(position)))
        position = play(position, actions[-1])
    return tuple(actions)


def _canonical(draft: Draft) -> list[str]:
    """Return right texts for a draft: rests of the turn in both notations, and the position's line."""
    position, rng = along(*draft), Random(1)
    turns = [_rest(position, rng) for _ in range(6)]
    return [turn_text(position, turn, notation) for turn in turns for notation in NOTATIONS.values()] + [
        position_text(position)
    ]


CANONICAL = [(draft, text) for draft in DRAFTS for text in _canonical(draft) if text]
SIGN = st.one_of(st.sampled_from(SIGNS), st.sampled_from(WORDS))


@st.composite
def changed(draw: st.DrawFn) -> tuple[Draft, str]:
    """Draw a right text with a few characters left out, inserted, doubled or in the other case."""
    draft, text = draw(st.sampled_from(CANONICAL))
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        last = min(last, first + 3)
        part = text[first:last]
        text = text[:first] + draw(st.sampled_from(["", part * 2, part.swapcase()]) | SIGN) + text[last:]
    return draft, text


ANYTHING = st.one_of(st.text(max_size=40), st.lists(SIGN, max_size=14).map("".join))
INPUTS = st.one_of(st.tuples(st.sampled_from(DRAFTS), ANYTHING), changed())


@pytest.mark.parametrize("reader", READERS)
def test_any_text_is_read_or_refused(reader: Callable[[Draft, str], None]) -> None:
    """It is refused with one of the kinds of error. What is read is legal, and is read again from its text."""

    @examples(test=20, long=120)
    @given(INPUTS)
    def check(given: tuple[Draft, str]) -> None:
        reader(*given)

    check()


@pytest.mark.parametrize("reader", [a_turn, a_part])
def test_a_right_text_is_read(reader: Callable[[Draft, str], None]) -> None:
    for draft, text in CANONICAL:
        reader(draft, text)


# ── Length ──

LONG: dict[str, Callable[[int], str]] = {
    "a list": lambda size: "x" + "e2,b2," * size,
    "commas": lambda size: "x" + "," * size,
    "bare lists": lambda size: "e2" + ";x" * size,
    "bare lists in front": lambda size: "x;" * size + "e2",
    "groups": lambda size: "e2" + "X" * size,
    "groups in front": lambda size: "X" * size + ";e2",
    "rows": lambda size: "c2" + "Xe" * size,
    "spots": lambda size: "Xe2" * size + ";b2",
    "stars": lambda size: "e1" + "*" * size,
    "letters": lambda size: "Gg" * size,
    "pushes": lambda size: "e1-e4" * size,
    "blanks": lambda size: "e2" + " " * size,
    "brackets": lambda size: "e2" + "(" * size,
    "digits": lambda size: f"e2({'9' * size})",
    "not of this world": lambda size: "😀\udc80" * size,
    "remarks": lambda size: "e2 (or " * size,
    "remarks in a row": lambda size: "e2 (a) " * size,
    "lines of removals": lambda size: "\n;x" * size,
    "open comments": lambda size: "{\n" * size,
    "squares": lambda size: "[9" * size,
    "dots and spots": lambda size: "e1 e3 " * (size // 4),
    "quote signs": lambda size: "> " * size,
    "fences": lambda size: "```\n" * size,
    "turns": lambda size: "1. e1-e3 e9-e7 " * (size // 4),
    "numbers": lambda size: "1. " * size,
    "comments": lambda size: "{a}" * size,
    "braces": lambda size: "{" * size,
    "headers": lambda size: '[A "b"]\n' * size,
    "quotes": lambda size: '[A "' * size,
    "marks": lambda size: "e2 ! " * size,
    "results": lambda size: "1-0 " * size,
    "fields": lambda size: "standard w " + "W=c2 " * size,
    "pieces": lambda size: f"standard w W={'c2,' * size} B= reserve=1-1 captured=0-0",
    "dashes": lambda size: "e1 " + "-" * size + " e2" + "=" * size,
    "spaced pushes": lambda size: "e1 - e3, " * (size // 2),
    "steps": lambda size: "x; " * size + "e2" + "; x" * size,
    "lines": lambda size: f"standard w W= B= reserve=18-18 captured=0-0 dealt={'e,' * size}e",
}
SIZE = amount(test=60, long=300)
STEP = amount(test=15, long=9)  # of the drafts, one in so many is tried


def calls(reader: Callable[[Draft, str], None], draft: Draft, text: str) -> int:
    """Return how many functions a reader calls, built-in ones included. The caches are filled before."""
    reader(draft, text)
    return count_calls(lambda: reader(draft, text))


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_the_work_grows_no_faster_than_the_text(text: Callable[[int], str]) -> None:
    """Every reader makes at most twice the calls for twice the length."""
    for reader in READERS:
        for draft in DRAFTS[::STEP] if reader in (a_turn, a_part, offers, a_conditional) else DRAFTS[:1]:
            once, twice = (calls(reader, draft, text(size)) for size in (SIZE, 2 * SIZE))
            assert twice <= 2 * once + 200, (reader.__name__, draft)


def test_faster_growth_would_be_noticed() -> None:
    """A reader that compares every character with every other makes four times the calls."""

    def slow(draft: Draft, text: str) -> None:
        for sign in text:
            for other in text:
                sign.startswith(other)

    once, twice = (calls(slow, DRAFTS[0], "x" * size) for size in (50, 100))
    assert twice > 3 * once
