"""Records that lack a turn, or have one too many: they say so, and no other turn is blamed for it."""

from random import Random

import pytest

from gipfbot.notation import JULIO974, NOTATIONS, OFFICIAL, Notation, read_record, turn_text
from gipfbot.notation.repairs import Repair
from gipfbot.rules import ruleset_named
from tests.notation.golden import example_record, long_game
from tests.notation.helpers import EACH_COURSE
from tests.support.effort import amount

LENGTHS = 5, 7, 9, 13, 21, 40

SAID = [
    ("1. b4 d8-f7 2... e1-e3 3. c2", "A turn of White is missing before 2… e1-e3."),
    ("1... e1-e4", "A turn of White is missing before 1… e1-e4."),
    ("1. c2 2. d2 e2 3. d2 f2", "A turn is missing between 1. and 2."),
    ("1. b4 d8-f7 2. e1-e3 3. c2 c3", "A turn is missing between 2. and 3."),
    ("1. c2 1... d2 2. e1-e3 3. f2 3... c2", "A turn is missing between 2. and 3."),
    ("1. c2 d2 3. c2 f2 4. b2", "Two turns are missing between 1. and 3."),
    ("1. c2 d2 c6 2. c2", "There is a turn too many between 1. and 2."),
    ("2. b2 b2", "Two turns are missing before 2."),
]


@pytest.mark.parametrize(("text", "sentence"), SAID)
def test_numbers_say_what_is_missing(text: str, sentence: str) -> None:
    """The repair that was suggested is gone, and so are the turns like the one that stands in the wrong place."""
    broken = read_record(f"Basic {text}").broken
    assert broken
    assert (broken.missing, broken.repair, broken.similar) == (sentence, None, ())
    assert str(broken).endswith(sentence)


@pytest.mark.parametrize("joined", ["c2,g2", "c2-g2", "C2g2", "b1-b3,g2"])
def test_two_turns_in_one_word_are_not_said_to_lack_a_turn(joined: str) -> None:
    broken = read_record(f"Basic 1. {joined} 2. d2 f2").broken
    assert broken
    assert broken.missing == f"“{joined}” may be more than one turn: put a blank between them."


def test_a_word_that_is_no_turn_is_not_one_too_many() -> None:
    broken = read_record("Basic 1. c2 d2 good 2. e1-e3").broken
    assert str(broken) == "2. good (White): Expected a push such as e2 or e1-e4, but found “good”."
    later = read_record("Basic 1. c2 d2 c6 2. good").broken
    assert later
    assert later.missing == "There is a turn too many between 1. and 2."


def test_a_number_that_comes_again_is_not_said_to_lack_a_turn() -> None:
    record = read_record("Basic 1. c2 d2 2. e1-e3 f2 2. c6 g2")
    assert record.warnings == ("Move number 2 where 3 was expected: is a turn too many?",)


@pytest.mark.parametrize("text", ["1. c2 c2 2. d2", "1. c2 d2 3. c2 f2 3. b2", "1. c2 c2", "c2 c2 c6"])
def test_right_or_contradictory_numbers_say_nothing(text: str) -> None:
    broken = read_record(f"Basic {text}").broken
    assert broken
    assert broken.missing is None


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("1. b4 2. c2 3. d2 4. e1-e3", False),
        ("1 b4\n2 c2\n3 d2", False),
        ("1) b4 2) c2 3) d2", False),
        ("1. b4 2. c2", True),
        ("1. b4 2. c2 4. d2", True),
        ("1. b4 2. c2 e1-e3 3. d2", True),
    ],
)
def test_turns_that_are_all_counted_lack_none(text: str, asks: bool) -> None:
    """Some programs count the turns of both players together."""
    warnings = read_record(f"Basic {text}").warnings
    assert warnings == (("Move number 2 where 1 was expected: is a turn missing?",) if asks else ())


def test_a_gap_behind_the_unplayable_turn_is_not_named() -> None:
    broken = read_record("Basic 1. c2 c2 2. d2 f2 3. e1-e3 4. b5 b4").broken
    assert broken
    assert (broken.missing, broken.repair) == (None, None)


def sheet(texts: list[str], gone: int, style: str) -> str:
    """Return a record of these turns without the turn `gone`, which is counted from 0.

    In the style `kept` its move number stays, in `cut` it goes as well. In `dots` Black's turn says that it is one, and
    in `each` every turn has a number. In `plain` no turn has.
    """
    words = list[str]()
    for at, text in enumerate(texts):
        number = f"{at // 2 + 1}."
        if at == gone:
            words += [number] if style == "kept" and at % 2 == 0 else []
            continue
        dots = at % 2 == 1 and (style == "each" or (style == "dots" and gone == at - 1))
        numbered = style != "plain" and (at % 2 == 0 or dots)
        words += [number + ".." * dots] * numbered + [text]
    return " ".join(words)


@pytest.mark.parametrize("style", ["kept", "cut", "dots", "each", "plain"])
@pytest.mark.parametrize("rules", EACH_COURSE)
def test_a_missing_turn_blames_no_other(rules: str, style: str) -> None:
    """Any turn but the last is left out of random games, in both notations."""
    for seed in range(amount(test=8, long=200)):
        rng = Random(seed)
        played = long_game(ruleset_named(rules), seed, rng.choice(LENGTHS))
        gone = rng.randrange(len(played) - 1)
        for notation in NOTATIONS.values():
            texts = [turn_text(position, actions, notation) for position, actions in played]
            broken = read_record(sheet(texts, gone, style), rules).broken
            assert broken is None or broken.repair is None, (seed, notation.name, str(broken))


@pytest.mark.parametrize(("notation", "slip", "right"), [(OFFICIAL, "h6-h5", "h6-f6"), (JULIO974, "h6", "h6*")])
def test_numbers_that_fit_leave_the_repair(notation: Notation, slip: str, right: str) -> None:
    """Also beside a number that is wrong alone."""
    numbered = sheet(example_record(notation, {35: slip}).split("\n")[1:], -1, "cut")
    for text in (numbered, numbered.replace(" 7. ", " 70. ")):
        broken = read_record(f"Tournament {text}").broken
        assert broken
        assert (broken.repair, broken.missing) == (Repair(35, slip, right), None)
