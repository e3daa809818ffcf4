"""A potential of our own is one row of the table of powers and a letter: nothing else knows it."""

import pytest

from gipfbot.notation import (
    JULIO974,
    OFFICIAL,
    completions,
    parse_position,
    parse_turn,
    position_text,
    read_record,
    record_text,
    turn_text,
)
from gipfbot.notation.action_codes import action_code, parse_action_code
from gipfbot.rules import legal, play, ruleset_named, start
from gipfbot.rules.pending import question
from gipfbot.rules.powers import POWERS, Power
from tests.rules.loaded import at, step_targets, then, uses


@pytest.fixture(autouse=True)
def _stepper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POWERS, "S", Power("STEP", step_targets))


def test_it_steps_onto_an_adjacent_vacancy() -> None:
    position = at("standard+S3 w W=Gb5,Se5 B=Ge6,Gh2")
    assert uses(position) == {"Se5>e4", "Se5>d5", "Se5>d4", "Se5>f4", "Se5>f5"}
    stepped = then(position, "Se5>e4")
    assert stepped.pieces()["e4"].kind == "s"
    asked = question(position)
    assert asked
    assert asked.uses[0].targets == ("d4", "d5", "e4", "f4", "f5")


def test_it_is_written_and_read_in_all_ways() -> None:
    position = then(start(ruleset_named("tournament+Z3S4")), "Gd1-d2", "Gd8-d7", "Sf1-f2", "Gb6-b5")
    assert parse_position(position_text(position)) == position
    for action in legal(position):
        assert parse_action_code(action_code(action)) == action
        for notation in (OFFICIAL, JULIO974):
            text = turn_text(position, (action,), notation)
            assert play(position, parse_turn(position, text, notation)[0]) == play(position, action)
    assert "Sf2>f3" in [one.text for one in completions(position, (), "sf2", 9)]


def test_a_record_of_it_is_read_back() -> None:
    text = '[Rules "Tournament+S3"]\n1. Gd2 Gd7 2. Sf2 Gb5 3. Sf2>f3 h5 *'
    for notation in (OFFICIAL, JULIO974):
        record = read_record(record_text(read_record(text), notation))
        assert record.broken is None
        assert len(record.turns) == 6
        assert record.end.pieces()["f3"].kind == "s"
