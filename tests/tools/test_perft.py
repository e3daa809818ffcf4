"""`perft`: counts of full turns (rules.md section 9)."""

import pytest

from gipfbot.tools import positions

KNOWN = {
    "basic": "1 42 30 24\n2 1764 924 558\n",
    "standard": "1 42 30 30\n2 1764 924 876\n",
    "standard+Z3": "1 84 60 60\n2 7056 3696 3504\n",
    "tournament+Z6P6": "1 42 18 18\n2 1764 348 336\n",
    "tournament": "1 42 18 18\n2 1764 348 336\n",
}


@pytest.mark.parametrize("rules", KNOWN)
def test_perft_prints_the_known_counts(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert positions.run_perft(["--rules", rules, "--depth", "2"]) == 0
    assert capsys.readouterr().out == KNOWN[rules]


def test_a_position_keeps_the_rule_set_of_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = "tournament w W= B= reserve=18-18 captured=0-0 opening=wb"
    assert positions.run_perft(["--position", line, "--depth", "1"]) == 0
    assert capsys.readouterr().out == "1 42 18 18\n"


def test_a_finished_position_has_no_turns(capsys: pytest.CaptureFixture[str]) -> None:
    line = "standard b W=Gb5 B=h2 reserve=16-15 captured=0-2 result=1-0 by=gipf"
    assert positions.run_perft(["--position", line, "--depth", "2"]) == 0
    assert capsys.readouterr().out == "1 0 0 0\n2 0 0 0\n"


INSIDE = "basic w W=e2,e3,e4,e5 B= reserve=11-15 captured=0-0 step=after"
START = "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"
BAD = [
    (["--rules", "chess"], "argument --rules: There is no rule set chess: the rule sets are basic, standard"),
    (["--rules", "tournament+Z99"], "argument --rules: Each player gets 3 to 6 ZÈRTZ-potentials, not 99 (R7.1)."),
    (["--rules", "basic+Q3"], "argument --rules: There is no potential Q: the potentials are Z (ZÈRTZ), P (PÜNCT)."),
    (["--depth", "0"], "argument --depth: '0' is not a whole number from 1 to 20"),
    (["--depth", "two"], "argument --depth: 'two' is not a whole number"),
    (["--depth", "٢"], "is not a whole number"),
    (["--depth", "9" * 5000], "is not a whole number"),
    (["--position", "standard"], "--position: Expected a rule set, w or b, and the pieces, but the text ends."),
    (["--position", INSIDE], "--position: The position is inside a turn: give one at the start of a turn. (R3)"),
    (["--position", START, "--rules", "tournament"], "--position is for standard, but --rules says tournament"),
    (["more"], "unrecognized arguments: more"),
]


def test_a_position_may_name_its_rule_set_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert positions.run_perft(["--rules", "standard", "--depth", "1", "--position", START]) == 0
    assert capsys.readouterr().out == "1 42 30 30\n"


@pytest.mark.parametrize(("argv", "sentence"), BAD)
def test_bad_arguments_get_one_sentence(argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        positions.run_perft(argv)
    said = capsys.readouterr()
    assert caught.value.code == 2
    assert said.err.startswith("gipfbot perft: ")
    assert sentence in said.err
    assert (said.out, said.err.count("\n"), len(said.err) < 300) == ("", 1, True)
