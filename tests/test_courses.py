"""A course of a turn is one row in each room's table, and nothing else outside `rules` asks for it."""

import ast
import re
from collections.abc import Iterator

import pytest

from gipfbot.match.courses import COURSES as GAMES
from gipfbot.notation.courses import COURSES as TURNS
from gipfbot.rules.engine import COURSES
from gipfbot.rules.rulesets import OFFICIAL_COURSE, RULESETS
from gipfbot.search.translate import WEIGHTS_OF_COURSES
from gipfbot.ui.kit.texts import COURSES as TEXTS
from render.words import LOST_VERBS
from tests.support.modules import house, within

OTHERS = {*COURSES}
ASKS = re.compile("course|resolving|[A-Z]+_COURSE").fullmatch
# Where a row for a course stands, and the courses that need one. In two of these rooms the official course has its code
# in place.
TABLES = {
    "gipfbot.notation.courses": ({*TURNS}, OTHERS),
    "gipfbot.search.translate": ({*WEIGHTS_OF_COURSES}, OTHERS),
    "gipfbot.match.courses": ({*GAMES}, {OFFICIAL_COURSE, *OTHERS}),
    "gipfbot.ui.kit.texts": ({*TEXTS}, {OFFICIAL_COURSE, *OTHERS}),
    "render.words": ({*LOST_VERBS}, {OFFICIAL_COURSE, *OTHERS}),
}


def asked(source: str) -> Iterator[int]:
    """Yield the line of each expression that asks for a course: of a rule set, by its name, or by what it resolves."""
    for node in ast.walk(ast.parse(source)):
        names = [name.name for name in node.names] if isinstance(node, ast.ImportFrom) else []
        names += [node.attr] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.stmt | ast.expr) and any(map(ASKS, names)):
            yield node.lineno


def test_only_the_tables_ask_for_a_course() -> None:
    found = [
        f"{module}:{line} asks for the course: let a row of {', '.join(TABLES)} say it, or ask a fact of the rules"
        for module, source in house().items()
        if not within(module, "gipfbot.rules") and module not in TABLES
        for line in asked(source)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    ["a = rules.course", "a = here.resolving is None", "from gipfbot.rules.rulesets import OVERBOARD_COURSE"],
)
def test_a_question_for_the_course_is_found(line: str) -> None:
    assert [*asked(f"b = 1\n{line}\n")] == [2]


@pytest.mark.parametrize("module", TABLES)
def test_a_table_has_a_row_for_each_course(module: str) -> None:
    rows, needed = TABLES[module]
    assert rows == needed, f"give the table in {module} a row for {', '.join(needed - rows)}"


def test_every_rule_set_has_a_known_course() -> None:
    assert {rules.course for rules in RULESETS.values()} == {OFFICIAL_COURSE, *OTHERS}
