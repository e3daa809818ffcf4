"""`replay`: play a record, print its positions, and draw the last one."""

import io
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageSequence

from gipfbot.notation import parse_position, read_record
from gipfbot.rules import PUSHES, Colour, Kind, Piece, Push
from gipfbot.tools import records
from render import Ghost, Marks, Picture, png
from render.replay import FIRST, LAST, REPLAY_PACES
from tests.support.paths import EXAMPLE, RECORDS
from tests.tools.helpers import read_output

CAPTURED = Ghost("f6", Piece(Colour.WHITE, Kind.GIPF), captured=True)
LINES = (RECORDS / "example.positions").read_text(encoding="utf-8").splitlines()


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[str], str]:
    return read_output(capsys, records.run_replay([*argv]))


def sheet(folder: Path, text: str) -> str:
    path = folder / "game.turns"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_position_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """There is one line per turn, for a pipe into `turns`. The result goes to the standard error."""
    assert run(capsys, EXAMPLE) == (0, LINES, "Result: 1-0, as the file says.\n")


def test_replay_stops_after_the_given_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, EXAMPLE, "--ply", "5") == (0, LINES[:5], "")
    assert run(capsys, EXAMPLE, "--ply", "0") == (0, [], "")
    assert run(capsys, EXAMPLE, "--ply", "41") == (0, LINES, "Result: 1-0, as the file says.\n")


@pytest.mark.parametrize(
    ("text", "argv", "first", "said"),
    [
        ("c2", [], "standard", "No rule set named: played as Standard."),
        ("Ge8", [], "tournament", "No rule set named: played as Tournament, since it begins with a GIPF-piece."),
        ("c2", ["--rules", "basic"], "basic", ""),
        ('[Rules "basic"]\nc2', [], "basic", ""),
        ("; Rules: basic\nc2", ["--rules", "standard"], "standard",
         "The record says Basic; it is played as Standard, as you chose."),
        ("Basic White-Black c2", [], "basic", ""),
    ],
)  # fmt: skip
def test_the_rule_set_is_the_given_one_or_the_files(
    text: str, argv: list[str], first: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The default is Standard."""
    file = sheet(tmp_path, text)
    code, lines, besides = run(capsys, file, *argv)
    assert (code, lines[0].split()[0], besides) == (0, first, f"{file}: {said}\n" if said else "")


def test_the_rules_end_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, said = run(capsys, str(RECORDS / "standard-228.turns"))
    result = parse_position(lines[-1]).result
    assert result
    assert (code, said) == (0, f"Result: {result.score} by={result.by}.\n")


def test_a_file_may_say_another_result_than_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (RECORDS / "standard-228.turns").read_text(encoding="utf-8")
    file = sheet(tmp_path, f"{text} void")
    code, _, said = run(capsys, file)
    warning = f"{file}: The record says void, but by the rules the result is 1-0.\n"
    assert (code, said) == (0, f"{warning}Result: 1-0 by=gipf.\n")
    assert run(capsys, sheet(tmp_path, f"{text} 1-0"))[2] == "Result: 1-0 by=gipf.\n"


def test_an_unfinished_game_has_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, sheet(tmp_path, "c2 *"), "--rules", "basic")[2] == ""


def test_an_unreadable_file_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        records.run_replay([sheet(tmp_path, '[Rules "Foo"]\nc2')])
    assert "Expected a rule set (basic, standard, tournament, overboard), but found “Foo”." in capsys.readouterr().err


def test_the_first_bad_turn_stops_the_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The positions before it are printed. The sentence names the move, the side, the text and the reason."""
    file = sheet(tmp_path, "; Rules: basic\n1. c2 d2\n2. e1-e3 e1-e3\n3. b3")
    code, lines, said = run(capsys, file)
    assert (code, len(lines)) == (1, 3)
    assert said.startswith(f"{file}: 2… e1-e3 (Black): From e1, the new piece stops on the first spot")
    assert "on e4: write e1-e4. (R3.2)" in said
    assert said.count("\n") == 1
    assert run(capsys, sheet(tmp_path, "Basic 1. c2 d2 2. e1-e3 e1-e3 1-0"), "--ply", "3") == (0, lines, "")


def test_a_record_may_be_in_either_notation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Warnings go to the standard error."""
    mended, printed = RECORDS / "article-mended.gipf", RECORDS / "article-printed.gipf"
    assert run(capsys, str(mended)) == (0, LINES, "Result: 1-0, as the file says.\n")
    text = printed.read_text(encoding="utf-8").replace("18. h6 ", "18. h6* ")
    file = sheet(tmp_path, text)
    star = f"{file}: 16… i1* has a star too many: i1 has only one direction.\n"
    assert run(capsys, file) == (0, LINES, f"{star}Result: 1-0, as the file says.\n")
    code, lines, said = run(capsys, str(printed))
    assert (code, lines) == (1, [*LINES[:34], *lines[34:]])
    assert len(lines) == 36
    assert said.splitlines()[1].startswith(f"{printed}: 19. h6*Xc4 (White): ")


def test_turns_come_from_the_standard_input_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeff; Rules: basic\nc2 d2".encode())))
    code, lines, _ = run(capsys, "-")
    assert (code, len(lines)) == (0, 2)


@pytest.mark.parametrize("ply", ["0", "1", "12", "41"])
def test_the_board_that_is_reached_is_drawn(ply: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "board.png"
    assert run(capsys, EXAMPLE, "--ply", ply, "--png", str(out), "--size", "300")[0] == 0
    data = out.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 300


def test_the_last_push_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The marks include the moved pieces and the pieces removed afterwards."""
    out = tmp_path / "board.png"
    run(capsys, EXAMPLE, "--ply", "34", "--png", str(out), "--size", "300")
    ghosts = *(Ghost(spot, Piece(Colour.BLACK, Kind.BASIC)) for spot in ("f2", "f3", "f5", "f7")), CAPTURED
    marks = Marks(PUSHES["g1", "f2", Kind.BASIC], ("e3", "f2"), ghosts=ghosts)
    caption = "17… g1-e3;xf2,f3,f5,Gf6*,f7"
    assert out.read_bytes() == png(Picture(parse_position(LINES[33]), ("White", "Black"), caption, marks), size=300)


def test_the_board_before_a_bad_turn_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "board.png"
    assert run(capsys, sheet(tmp_path, "; Rules: basic\nc2 nonsense"), "--png", str(out))[0] == 1
    assert out.exists()


def test_the_whole_game_is_drawn_as_a_moving_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It keeps the last turn, the width, the colours and the pace of the options."""
    out, board = tmp_path / "game.gif", tmp_path / "board.png"
    options = ("--ply", "3", "--size", "200", "--theme", "night", "--pace", "fast")
    assert run(capsys, EXAMPLE, *options, "--gif", str(out), "--png", str(board))[0] == 0
    with Image.open(out) as film, Image.open(board) as last:
        assert film.format == "GIF"
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
        assert ImageChops.difference(film.convert("RGB"), last.convert("RGB")).getbbox() is None
    pace = REPLAY_PACES["fast"]
    assert sum(durations) == 10 * (FIRST + 3 * pace.push + 2 * pace.board + LAST)


def test_names_in_the_file_stand_on_the_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "board.png"
    named = '[White "Ann"]\n[Black "Bob"]\n[Rules "Basic"]\n\n1. c2 *\n'
    assert run(capsys, sheet(tmp_path, named), "--png", str(out), "--size", "300")[0] == 0
    step = read_record(named).turns[0]
    (push,) = step.actions
    assert isinstance(push, Push)
    marks = Marks(push, ("c2",))
    assert out.read_bytes() == png(Picture(step.after, ("Ann", "Bob"), "1. c2", marks), size=300)


BAD = [
    (["{folder}/none"], "none cannot be read: No such file or directory."),
    (["{folder}"], "cannot be read: Is a directory."),
    (["{folder}/bytes"], "bytes is no text."),
    (["{folder}/large"], "large is larger than 64 KiB."),
    (["{folder}/empty"], "/empty is empty."),
    (["{folder}/remark"], "/remark: Expected a turn such as 1. e2, but the text ends."),
    (["{folder}/good", "--png", "{folder}/none/board.png"], "board.png cannot be written: No such file or directory."),
    (["{folder}/good", "--ply", "-1"], "'-1' is not a whole number from 0 to 100000"),
    (["{folder}/good", "--size", "199"], "'199' is not a whole number from 200 to 2000"),
    (["{folder}/good", "--gif", "{folder}/none/game.gif"], "game.gif cannot be written: No such file or directory."),
    (["{folder}/good", "--theme", "pink"], "argument --theme: invalid choice: 'pink'"),
    (["{folder}/good", "--pace", "brisk"], "argument --pace: invalid choice: 'brisk'"),
    (
        ["{folder}/good", "--rules", "chess"],
        "argument --rules: There is no rule set chess",
    ),
    (["bad\0name"], "cannot be read"),
    ([], "the following arguments are required: file"),
]


@pytest.mark.parametrize(("argv", "sentence"), BAD)
def test_bad_input_gets_one_sentence(
    argv: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\x01")
    (tmp_path / "large").write_bytes(b" " * (64 * 1024 + 1))
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    (tmp_path / "remark").write_text("; nothing\n", encoding="utf-8")
    (tmp_path / "good").write_text("; Rules: basic\nc2", encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        records.run_replay([word.format(folder=tmp_path) for word in argv])
    said = capsys.readouterr().err
    assert caught.value.code == 2
    assert said.startswith("gipfbot replay: ")
    assert said.count("\n") == 1
    assert sentence in said
