"""The tools play, list and convert games with potentials."""

import json
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from gipfbot.notation import parse_position, read_record
from gipfbot.rules import Use
from gipfbot.tools import records
from gipfbot.tools.positions import turns_json
from gipfbot.ui.kit.pictures import describe_actions
from render import Marks, Picture, png
from render.replay import BETWEEN

GAME = '[Rules "Tournament+Z3P3"]\n\n1. Gd2 Ge8 2. Zc2 Pd7 3. Pb2 b5 4. Zc2>e2 h5 *\n'


@pytest.fixture
def game(tmp_path: Path) -> str:
    """Return the name of a file with a game."""
    file = tmp_path / "game.gipf"
    file.write_text(GAME, encoding="utf-8")
    return str(file)


def test_replay_prints_the_lines_of_a_game(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert records.run_replay([game]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last == ("tournament+Z3P3 w W=Pb2,Gd2 B=b5,Pd7,Ge8,h5 reserve=15-13 captured=0-0 left=Z2P2-Z0P0")


def test_replay_draws_the_board_after_a_use(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "board.png"
    assert records.run_replay([game, "--ply", "7", "--png", str(out), "--size", "300"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    step = read_record(GAME).turns[6]
    marks = Marks.of_turn(describe_actions(step.before, step.actions))
    assert isinstance(marks.act, Use)
    shown = Picture(parse_position(line), ("White", "Black"), f"4. {step.text}", marks)
    assert out.read_bytes() == png(shown, size=300)


def test_replay_shows_a_use_in_motion(game: str, tmp_path: Path) -> None:
    """The turn of the use has as many frames as those of pushes, and three for the row that it makes."""
    out = tmp_path / "game.gif"
    assert records.run_replay([game, "--gif", str(out), "--size", "200"]) == 0
    with Image.open(out) as film:
        assert len([*ImageSequence.Iterator(film)]) == 1 + 8 * (BETWEEN[0] + 1) + 3


@pytest.mark.parametrize("notation", ["official", "julio974"])
def test_convert_keeps_the_game(game: str, notation: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert records.run_convert([game, "-", "--notation", notation]) == 0
    written = capsys.readouterr().out
    assert '[Rules "Tournament+Z3P3"]' in written
    assert "Zc2>e2" in written
    assert read_record(written).end == read_record(GAME).end


def test_turns_lists_uses_and_what_they_lead_to() -> None:
    line = "standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8 reserve=15-14 captured=0-0 left=P2-P3"
    found = json.loads("".join(turns_json(line)))["turns"]
    assert found["Pd3>d4+2"] == ("standard+P3 b W=Gb5,d3,Gd4[G] B=Ge8 reserve=13-14 captured=0-0 left=P2-P3")
    assert "Pd3>d4+1" in found


def test_a_position_line_with_potentials_is_a_record() -> None:
    line = "standard+Z3 w W=Gb5 B=Ge8 reserve=16-16 captured=0-0 left=Z3-Z3"
    assert read_record(line).begin.rules.name == "standard+Z3"
