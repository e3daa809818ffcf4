"""`convert`: read a record and write it in another notation."""

import io
import sys
from pathlib import Path

import pytest

from gipfbot import __main__ as bot
from gipfbot.notation import read_record
from tests.support.paths import EXAMPLE, RECORDS
from tests.tools.helpers import read_output

MENDED, PRINTED = str(RECORDS / "article-mended.gipf"), str(RECORDS / "article-printed.gipf")
HEADERS = ["[Rules \"Tournament\"]", '[Result "1-0"]', ""]  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[str], str]:
    return read_output(capsys, bot.main(["convert", *argv]))


def turns_of(file: str) -> list[str]:
    """Return the lines of a file that contain turns."""
    return [line.replace("–", "-") for line in Path(file).read_text(encoding="utf-8").splitlines() if line[0].isdigit()]


def test_the_article_is_written_in_official_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, MENDED, "-", "--notation", "official") == (0, [*HEADERS, *turns_of(EXAMPLE)], "")


def test_the_example_is_written_as_in_the_article(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The output file may exist already. The comments of the record are kept.

    The article leaves the row's code out at turn 17, although rows cross there.
    """
    out = tmp_path / "out.gipf"
    out.write_text("old", encoding="utf-8")
    assert run(capsys, EXAMPLE, str(out), "--notation", "julio974") == (0, [], "")
    assert turns_of_text(out) == [line.replace("g1*Xf6", "g1*Xff6") for line in turns_of(MENDED)]
    assert (
        read_record(out.read_text(encoding="utf-8")).comments
        == read_record(Path(EXAMPLE).read_text(encoding="utf-8")).comments
    )


def turns_of_text(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]


def test_a_broken_record_is_written_up_to_its_fault(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, said = run(capsys, PRINTED, "-", "--notation", "official")
    assert code == 1
    assert lines[-1] == "18. h5 a3-e7 *"
    warning, fault, kept = said.splitlines()
    assert warning == f"{PRINTED}: 16… i1* has a star too many: i1 has only one direction."
    assert fault.startswith(f"{PRINTED}: 19. h6*Xc4 (White): ")
    assert fault.endswith("If you replace 18. h6 with h6*, the rest can be read.")
    assert kept == f"{PRINTED}: The 36 turns before it are written."


@pytest.mark.parametrize(
    ("text", "said"),
    [("c2 nonsense", "The turn before it is in {out}."), ("c2 d2 nonsense", "The 2 turns before it are in {out}.")],
)
def test_the_message_says_how_much_was_written(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, out = tmp_path / "game", tmp_path / "out.gipf"
    game.write_text(f"Basic {text}", encoding="utf-8")
    code, _, besides = run(capsys, str(game), str(out), "--notation", "official")
    assert (code, besides.splitlines()[-1]) == (1, f"{game}: {said.format(out=out)}")
    assert out.read_text(encoding="utf-8").split()[-2:] == [text.split()[-2], "*"]


def test_a_record_without_a_good_turn_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file keeps its old content."""
    game, out = tmp_path / "game", tmp_path / "out.gipf"
    game.write_text("Basic nonsense", encoding="utf-8")
    out.write_text("old", encoding="utf-8")
    for name in (str(out), "-"):
        code, lines, said = run(capsys, str(game), name, "--notation", "official")
        fault, kept = said.splitlines()
        assert (code, lines, kept) == (1, [], f"{game}: Nothing was written.")
        assert fault.startswith(f"{game}: 1. nonsense (White): ")
    assert out.read_text(encoding="utf-8") == "old"


def test_a_game_without_turns_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has no turns, but none of them is bad."""
    game = tmp_path / "game"
    game.write_text('[White "ann"] [Rules "Basic"]', encoding="utf-8")
    assert run(capsys, str(game), "-", "--notation", "official")[:2] == (
        0, ['[White "ann"]', '[Rules "Basic"]', '[Result "*"]', "", "*"],
    )  # fmt: skip


def test_the_reserves_may_be_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """This works from the standard input too, even beside a file of that name, and with a given rule set."""
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("no record", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeffBasic\r\nc2! d2 {so}\r\n".encode())))
    code, lines, said = run(capsys, "-", "-", "--notation", "julio974", "--reserve", "--rules", "standard")
    assert (code, lines[-1]) == (0, "1. c2 (11)! d2 (11) {so} *")
    assert said == "-: The record says Basic; it is played as Standard, as you chose.\n"
    assert lines[0] == '[Rules "Standard"]'


BAD = [
    (["{folder}/game", "{folder}/game", "--notation", "official"], "game is also the input: give another output file"),
    (["{folder}/game", "{folder}/link", "--notation", "official"], "link is also the input: give another output file"),
    (["{folder}/none", "-", "--notation", "official"], "none cannot be read: No such file or directory."),
    (["{folder}/game", "{folder}", "--notation", "official"], "cannot be written: Is a directory."),
    (["{folder}/game", "-"], "the following arguments are required: --notation"),
    (["{folder}/game", "-", "--notation", "english"], "argument --notation: invalid choice: 'english'"),
    (
        ["{folder}/game", "-", "--notation", "official", "--rules", "chess"],
        "argument --rules: There is no rule set chess",
    ),
    (
        ["{folder}/prose", "-", "--notation", "official"],
        "Expected a rule set (basic, standard, tournament, overboard), but",
    ),
    (["{folder}/empty", "-", "--notation", "official"], "/empty is empty."),
    (
        ["{folder}/remark", "-", "--notation", "official"],
        "/remark: Expected a turn such as 1. e2, but the text ends.",
    ),
    (["bad\0name", "{folder}/out", "--notation", "official"], "cannot be read"),
]


@pytest.mark.parametrize(("argv", "sentence"), BAD)
def test_bad_input_gets_one_sentence(
    argv: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written."""
    (tmp_path / "game").write_text("Basic c2", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "game")
    (tmp_path / "prose").write_text("; Rules: chess\n1. e4", encoding="utf-8")
    (tmp_path / "empty").write_text("\ufeff \n", encoding="utf-8")
    (tmp_path / "remark").write_text("{no turns}", encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        bot.main(["convert", *(word.format(folder=tmp_path) for word in argv)])
    said = capsys.readouterr()
    assert caught.value.code == 2
    assert said.out == ""
    assert said.err.startswith("gipfbot convert: ")
    assert said.err.count("\n") == 1
    assert sentence in said.err
    assert (tmp_path / "game").read_text(encoding="utf-8") == "Basic c2"
