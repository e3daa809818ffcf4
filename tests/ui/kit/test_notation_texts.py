"""Errors and warnings of the notation, said in the language that is spoken: by template and facts, never by `str()`."""

import ast
from collections.abc import Iterator
from gettext import NullTranslations
from string import Formatter
from typing import NamedTuple

import pytest
from babel import Locale

from gipfbot.languages import Language, speaking
from gipfbot.notation import NOTATIONS, NotationError, OpenTurn, parse_position, read_record, read_turn_part
from gipfbot.rules import Colour
from gipfbot.rules.sentences import AllOf, OneOf, Sentence
from gipfbot.ui.kit.notation_texts import error_text, sentence_text, warning_lines
from gipfbot.ui.kit.refusal_texts import turn_error_text
from gipfbot.ui.kit.texts import escape_sentence, escape_text
from tests.notation.helpers import at
from tests.notation.positions import APART, COLUMN, CROSSING, EMPTY, FAQ_9, FULL, KEEPER, OFFER, SETUP
from tests.support.marked_language import marked_language, read_marks
from tests.support.paths import HOUSE

ROOMS = "gipfbot/notation", "gipfbot/rules", "gipfbot/tools"
TEXTS = "e2 e5 e9 Ge1 Ge5 e1 c2X e1-e3 d1-d4 e1-f2 xe2 xGe2 xc2,c3 xb2;xb3 X5g3 Zc2>c5 hello e c2*x xb5*".split()
TEXTS += [*"x c2;c2 Xg3 - pass d1 Xg".split(), "", "c2 (3)", "1... c2"]
RECORDS = ["", "{Rules: foo} c2", '[FEN "x"]', '[Rules "basic+Z"] c2', '[Rules "overboard+Z3"]', '[Rules "basic+Z9"]']
LINES = ["basic", "basic w W=e2 B=", "foo w W= B=", "basic w W=e2,e2 B= reserve=1-1 captured=0-0"]


class Call(NamedTuple):
    """A sentence in the sources: where it stands, its template, and the names of its facts."""

    where: str
    template: str
    names: list[str]


def sentences_in_sources() -> Iterator[Call]:
    for path in (path for room in ROOMS for path in sorted((HOUSE / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Sentence":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    names = [word.arg or "**" for word in node.keywords if word.arg != "rule"]
                    yield Call(f"{path.name}:{node.lineno}", str(first.value), names)


CALLS = [*sentences_in_sources()]
TABLES = "missing_turns.py"  # its sentences are tables, filled later


def errors() -> list[NotationError]:
    """Return errors of many kinds, as they are raised."""
    found: list[NotationError] = []
    for line in (SETUP, EMPTY, FULL, COLUMN, CROSSING, APART, FAQ_9, KEEPER, OFFER):
        for text in TEXTS:
            for notation in NOTATIONS.values():
                try:
                    read_turn_part(at(line), (), text, notation)
                except NotationError as error:
                    found.append(error)
    for text in RECORDS:
        try:
            read_record(text)
        except NotationError as error:
            found.append(error)
    for text in LINES:
        try:
            parse_position(text)
        except NotationError as error:
            found.append(error)
    return found


ERRORS = errors()


def without_rules(error: NotationError) -> str:
    """Return the English text of an error as players read it: without the numbers of the rules behind its sentences."""
    said = str(error)
    for rule in (getattr(error, "rule", ""), *(sentence.rule for sentence in error.sentences)):
        said = said.replace(f" ({rule})", "") if rule else said
    return said


def test_each_sentence_gets_the_facts_that_its_template_names() -> None:
    assert len(CALLS) > 200
    for where, template, names in CALLS:
        if TABLES not in where:
            assert {name for _, name, *_ in Formatter().parse(template) if name} == {*names}, where


def test_each_sentence_says_in_english_what_its_text_is() -> None:
    for _, template, _ in CALLS:
        names = {name for _, name, *_ in Formatter().parse(template) if name}
        said = Sentence(template, **dict.fromkeys(names, "e1*_`"))
        assert sentence_text(said) == escape_sentence(str(said))


def test_errors_say_in_english_what_their_text_is() -> None:
    assert len({error.sentences[0].template for error in ERRORS}) > 25
    for error in ERRORS:
        assert error_text(error.with_near(())) == escape_sentence(without_rules(error))


def test_all_words_of_an_error_are_translated() -> None:
    """Facts are names, spots, numbers and quoted texts; sentences and names are keys of the catalogue."""
    with speaking(marked_language(strict=True)):
        for error in ERRORS:
            said = error_text(error)
            assert said.startswith("⟦"), said
            assert said.endswith("⟧"), said
            assert len(error.sentences) <= said.count("⟦") == said.count("⟧")
            assert not read_marks(said).nested, said
            if not isinstance(error, OpenTurn):
                assert turn_error_text(error).endswith("⟦Nothing was played.⟧")


def test_facts_are_said_in_the_language() -> None:
    catalogue = {"{player}: {rows} or {turns}": "{turns}, {rows} ({player})", "White": "Weiß", "a spot": "ein Feld"}

    class German(NullTranslations):
        def gettext(self, message: str) -> str:
            return catalogue.get(message, message)

    said = Sentence(
        "{player}: {rows} or {turns}",
        player=Colour.WHITE,
        rows=AllOf(["a1–d4", "b2–e5"]),
        turns=OneOf(["c2", "d2", "e2"]),
    )
    with speaking(Language("de", Locale("de"), German())):
        assert sentence_text(said) == "c2, d2 oder e2, a1–d4 und b2–e5 (Weiß)"
        named = Sentence("{what}: {count}", what=Sentence("a spot"), count=2000)
        assert sentence_text(named) == "ein Feld: 2.000"
    assert str(said) == "White: a1–d4 and b2–e5 or c2 or d2 or e2"


@pytest.mark.parametrize(("near", "shown"), [((), "e1-e3"), (("e1-e3",), "`e1-e3`"), (("e1",), "e1-e3")])
def test_advice_is_code_if_it_is_one_of_the_similar_turns(near: tuple[str, ...], shown: str) -> None:
    told = [Sentence("e1-e3_ is no turn: write {turn}.", turn=OneOf(["e1-e3"]))]
    error = NotationError("any", told, "x").with_near(near)
    assert error_text(error) == f"e1-e3\\_ is no turn: write {shown}."


def test_a_typed_text_cannot_look_like_advice() -> None:
    error = NotationError("any", [Sentence("“{text}”", text="\ue000e2\ue000 `")], "x").with_near(["e2"])
    assert error_text(error) == "“e2 \\`”"


def test_warnings_stand_on_lines_of_their_own_without_rules() -> None:
    warnings = [Sentence("No draws.", rule="R6.3"), Sentence("“{text}” was skipped.", text="#[x]")]
    assert warning_lines(warnings) == f"⚠ No draws.\n⚠ {escape_text('“#[x]” was skipped.')}"
