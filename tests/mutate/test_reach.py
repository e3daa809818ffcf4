from .changes import Change
from .reach import COLLECTED, IMPORTED, Reach

ROWS = "gipfbot.rules.rows"
REACH = Reach(
    {
        IMPORTED: {ROWS: [1, 2]},
        COLLECTED: {ROWS: [12]},
        "a.py::fast": {ROWS: [11, 12]},
        "a.py::slow": {ROWS: [11]},
        "b.py::other": {"gipfbot.rules.engine": [11]},
    },
    {"a.py::fast": 1.0, "a.py::slow": 5.0, "b.py::other": 2.0},
)


def change(first: int, last: int) -> Change:
    return Change(ROWS, "has_row", "", "", first, last)


def test_the_tests_that_reach_a_line_are_tried_the_fastest_first() -> None:
    assert REACH.tests(change(11, 11), budget=10) == ["a.py::fast", "a.py::slow"]
    assert REACH.tests(change(10, 12), budget=5) == ["a.py::fast"]
    assert REACH.tests(change(20, 21), budget=10) == []


def test_the_only_test_of_a_line_is_tried_beyond_the_budget() -> None:
    assert REACH.tests(change(11, 11), budget=0.5) == ["a.py::fast"]


def test_what_runs_at_the_import_is_tried_with_all_tests_first_those_of_its_module() -> None:
    assert REACH.tests(change(2, 2), budget=20) == ["a.py::fast", "a.py::slow", "b.py::other"]


def test_the_nearest_file_has_the_most_tests_of_the_module() -> None:
    assert REACH.nearest(ROWS, ["b.py::other", "a.py::slow"]) == ["a.py::slow"]
    assert REACH.nearest("gipfbot.rules.images", ["b.py::other"]) == []
