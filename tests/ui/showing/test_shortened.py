"""Texts that are shown fit into one message: they are cut at a line, never within one."""

from gipfbot.ui.kit.texts import MESSAGE_LENGTH, shorten_lines


def test_text_is_cut_at_a_line() -> None:
    lines = [f"line {number}" for number in range(400)]
    cut = shorten_lines("\n".join(lines))
    *kept, last = cut.splitlines()
    assert MESSAGE_LENGTH - 20 < len(cut) <= MESSAGE_LENGTH
    assert (kept, last) == (lines[: len(kept)], "…")


def test_block_of_code_is_closed() -> None:
    cut = shorten_lines("\n".join(["**#a1**", "```", *(["1. e2 e3"] * 400), "```"]))
    assert len(cut) <= MESSAGE_LENGTH
    assert cut.splitlines()[-3:] == ["1. e2 e3", "```", "…"]


def test_text_that_fits_stays_and_one_long_line_is_cut() -> None:
    assert shorten_lines("a\n" * 100) == "a\n" * 100
    assert len(shorten_lines("x" * 3000)) == MESSAGE_LENGTH
