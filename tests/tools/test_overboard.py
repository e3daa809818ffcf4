"""`turns`, `replay` and `convert` with Overboard, as its players use them."""

import json
from pathlib import Path

import pytest

from gipfbot.notation import NOTATIONS, read_record
from gipfbot.tools import records
from gipfbot.tools.positions import turns_json
from tests.support.paths import GAMES
from tests.tools.helpers import read_output

GAME = GAMES / "overboard-12.txt"
LAST = "overboard w W=b4,Gb5,d2,Ge2,Gh5 B=Gb2,b3,Ge8,Gh2 reserve=16-17 captured=0-0"
# Black's push completes a row of White's, in which two GIPF-pieces stand.
OWNERS_ROW = "overboard b W=d4,Ge3,e5,Ge6,Gh5 B=e2,e7,e8,Gb2,Gh2 reserve=16-15 captured=0-0"


def test_replay_prints_an_overboard_game_and_its_agreed_draw(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, said = read_output(capsys, records.run_replay([str(GAME), "--rules", "overboard"]))
    assert (code, len(lines), lines[-1]) == (0, 12, LAST)
    assert said.endswith("Result: 1/2-1/2, as the file says.\n")


@pytest.mark.parametrize("notation", NOTATIONS)
def test_convert_keeps_an_overboard_game(notation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.gipf"
    arguments = [str(GAME), str(out), "--rules", "overboard", "--notation", notation]
    assert records.run_convert(arguments) == 0
    written = read_record(out.read_text(encoding="utf-8"))
    told = read_record(GAME.read_text(encoding="utf-8"), "overboard")
    assert [step.after for step in written.turns] == [step.after for step in told.turns]
    assert (written.rules, written.result, written.warnings) == (told.rules, "1/2-1/2", ())


def test_turns_lists_the_owners_answers_in_the_movers_turn() -> None:
    found = json.loads("".join(turns_json(OWNERS_ROW)))["turns"]
    answers = {text.partition(";")[2].split(";")[0] for text in found if text.startswith("a4-b4;")}
    assert {"xe4*,e5*", "xGe3*,e4*,e5*", "xe4*,e5*,Ge6*", "xGe3*,e4*,e5*,Ge6*"} <= answers
    both = found["a4-b4;xGe3*,e4*,e5*,Ge6*"]
    assert both == "overboard w W=Gh5 B=Gb2,b4,e2,e7,e8,Gh2 reserve=18-14 captured=0-0"
