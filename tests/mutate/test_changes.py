import ast
from textwrap import dedent

from .changes import Change, around, differing, draw, is_nested

SOURCE = dedent(
    """\
    TABLE = (1, 2)

    class Row:
        length = 4

        @property
        def due(self):
            def inner():
                return True
            return inner()

    def has_row(own):
        return own > 3
    """
)


def changes(module: str, count: int) -> list[Change]:
    return [Change(module, "", "", "", 1, 1, number) for number in range(count)]


def test_a_line_belongs_to_the_outermost_function_around_it() -> None:
    tree = ast.parse(SOURCE)
    names = [around(tree, line) for line in range(1, 14)]
    assert names == [
        "",
        "",
        "Row",
        "Row",
        "Row",
        "Row",
        "Row.due",
        "Row.due",
        "Row.due",
        "Row.due",
        "",
        *["has_row"] * 2,
    ]


def test_a_function_inside_another_is_told() -> None:
    tree = ast.parse(SOURCE)
    assert [line for line in range(1, 14) if is_nested(tree, line)] == [8, 9]


def test_only_the_lines_that_differ_are_told_without_indents() -> None:
    assert differing("a\n  b(\n    1,\n  )\nc", "a\n  b(\n    2,\n  )\nc") == ("1,", "2,")
    assert differing("if a:\n  b\n  c", "if a:\n  c") == ("b", "")


def test_each_room_is_drawn_in_proportion() -> None:
    both = [
        *changes("gipfbot.rules.rows", 100),
        *changes("gipfbot.match.game", 50),
        *changes("gipfbot.match.clock", 50),
    ]
    drawn = draw(both, 40, seed=1)
    assert [sum(change.room == room for change in drawn) for room in ("gipfbot.rules", "gipfbot.match")] == [20, 20]
    assert len({*drawn}) == 40


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    all_changes = changes("gipfbot.rules.rows", 100)
    assert draw(all_changes, 10, seed=1) == draw(all_changes, 10, seed=1) != draw(all_changes, 10, seed=2)


def test_no_more_are_drawn_than_there_are() -> None:
    assert draw(changes("gipfbot.rules.rows", 3), 10, seed=1) == changes("gipfbot.rules.rows", 3)
