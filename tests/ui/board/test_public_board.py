"""Public boards are short, and turns are numbered as in a record."""

from dataclasses import replace

import pytest

from gipfbot.match import Clock, Game, new_game, perform
from gipfbot.match.game import lose_game
from gipfbot.rules import BASIC, PUSHES, Colour, Kind, Reason, Result
from gipfbot.service.delivery.board_message import (
    BoardMessage,
    TurnBefore,
    new_board_message,
    pack_board,
    unpack_board,
)
from gipfbot.ui.board import public_board
from gipfbot.ui.kit.texts import pair_number, turn_place
from tests.rules.loaded import act, at
from tests.support.games import E1
from tests.support.people import ANN, BOB
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, NOW
from tests.ui.positions import FORCED

ROW_TO_MAKE = "standard w W=b2,b3,Gb4,Ge2 B=Ge8,Gh2 reserve=12-14 captured=0-0"
CLOCK = Clock((DAY, DAY), NOW, credited=DAY)
NEW = replace(new_game(1, BASIC, (ANN, BOB), THREE_DAYS), clock=CLOCK)
TAKING = perform(replace(NEW, position=FORCED), ANN.user, [PUSHES["g1", "g2", Kind.BASIC]]).game


def _won(reason: Reason) -> BoardMessage:
    return replace(new_board_message(lose_game(TAKING, Colour.BLACK, reason)), credited=DAY)


def _void() -> BoardMessage:
    void = lose_game(TAKING, Colour.WHITE, Reason.REPETITION)
    void = replace(void, position=void.position._replace(result=Result(None, Reason.REPETITION)))
    return replace(new_board_message(void), followed_by=2)


def _flagged(game: Game) -> BoardMessage:
    return replace(new_board_message(game), flagged=True)


SHOWN = {
    "begun": new_board_message(NEW),
    "first removes": new_board_message(replace(NEW, position=FORCED)),
    "played": new_board_message(TAKING),
    "flagged": _flagged(TAKING),
    "bank": replace(new_board_message(TAKING), bank=DAY),
    "conditional": replace(new_board_message(TAKING), was_conditional=True),
    "answered at once": replace(new_board_message(TAKING), conditional_follows=True),
    "taken back": replace(new_board_message(TAKING), turns_taken_back=("e2", "c2")),
    "cancelled": new_board_message(NEW, cancelled_by=Colour.WHITE),
    "time": _won(Reason.TIME),
    "reserve": _won(Reason.RESERVE),
    "void": _void(),
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_public_board_has_at_most_three_lines_and_a_small_one(shown: BoardMessage) -> None:
    lines = public_board.board_message_text(shown).splitlines()
    assert 1 <= len([line for line in lines if not line.startswith("-# Also written `")]) <= 3
    assert [line for line in lines[:-1] if line.startswith("-#")] == []
    assert not any("reserve," in line for line in lines)


def test_board_says_the_turn_what_left_and_the_deadline() -> None:
    first, turn, deadline, recorded = public_board.board_message_text(SHOWN["played"]).splitlines()
    assert first == f"<@{BOB.user}> your turn · game #a1 vs Ann · Ann played g1 → g2 and removed a row · Bob is Black"
    assert turn == "**1. White:** g1 → g2 · 4 back to White, 1 captured from Black"
    assert deadline.startswith("Bob: due <t:")
    assert recorded == "-# Also written `xd2,d3,d4,d5,d6*;g1-g3`"


def test_a_newcomers_board_has_no_notation() -> None:
    shown = new_board_message(replace(TAKING, terms=replace(TAKING.terms, newcomer=True)))
    assert public_board.board_message_text(shown) == "\n".join(
        public_board.board_message_text(SHOWN["played"]).splitlines()[:-1]
    )
    assert public_board.board_caption(shown) == "#a1 · 1. White g1 → g2"


def test_board_names_the_last_turns_that_have_no_board() -> None:
    """Those of boards that gave way to it, in the line on its own turn."""
    turns = tuple(TurnBefore(number, text) for number, text in enumerate(("c2", "b6-b4;xb2*", "d2", "e2"), 1))
    for number, told in ((1, "c2"), (3, "c2 / b6-b4;xb2\\* / d2"), (4, "… / b6-b4;xb2\\* / d2 / e2")):
        shown = replace(SHOWN["played"], turns_before=turns[:number])
        lines = public_board.board_message_text(unpack_board(shown.game, pack_board(shown))).splitlines()
        usual = public_board.board_message_text(SHOWN["played"]).splitlines()
        assert lines == [usual[0], f"{usual[1]} · before that: {told}", *usual[2:]]


def test_a_newcomers_board_has_no_notation_of_turns_without_a_board_or_taken_back() -> None:
    turns = TurnBefore(1, "e1-e3", (E1,)), TurnBefore(2, "d2")  # the second was packed by an older version
    shown = replace(SHOWN["played"], newcomer=True, turns_before=turns)
    read = unpack_board(shown.game, pack_board(shown))
    assert " · before that: e1 → e2 / d2" in public_board.board_message_text(read)
    for back, told in ((("e2", "c2"), "the last 2 turns were"), (("e2",), "the last turn was")):
        shown = replace(SHOWN["taken back"], newcomer=True, turns_taken_back=back)
        first, *_ = public_board.board_message_text(shown).splitlines()
        assert first.endswith(f" · {told} taken back (you both agreed)")


@pytest.mark.parametrize("kind", ["taken back", "cancelled", "time", "reserve"])
def test_board_without_a_turn_of_its_own_names_turns_that_have_no_board(kind: str) -> None:
    shown = replace(SHOWN[kind], turns_before=(TurnBefore(1, "c2"), TurnBefore(2, "d2")))
    lines = public_board.board_message_text(shown).splitlines()
    told = "before that: c2 / d2" if shown.tells_turn else "Played before that: c2 / d2"
    assert lines[1].endswith(told)
    assert len(lines) <= 4


def test_board_after_a_restore_says_from_when_the_backup_is() -> None:
    """The first line stays the push notification."""
    shown = replace(SHOWN["played"], restored_from=1795403700)
    first, told, *others = public_board.board_message_text(unpack_board(shown.game, pack_board(shown))).splitlines()
    assert told == "The bot was restored from a backup of <t:1795403700:f>. Any turns played after that are lost."
    assert [first, *others] == public_board.board_message_text(SHOWN["played"]).splitlines()


def test_board_says_that_the_rules_alone_have_played() -> None:
    shown = replace(SHOWN["played"], by_rules=True)
    first, told, *others = public_board.board_message_text(unpack_board(shown.game, pack_board(shown))).splitlines()
    assert told == "The bot's engine gave no answer, so the bot played the first turn that the rules allow."
    assert [first, *others] == public_board.board_message_text(SHOWN["played"]).splitlines()


def test_board_says_that_time_ended_the_search() -> None:
    shown = replace(SHOWN["played"], was_cut=True)
    first, told, *others = public_board.board_message_text(unpack_board(shown.game, pack_board(shown))).splitlines()
    assert told == "The bot had to stop thinking after 60 seconds, so this turn may be weaker than its level."
    assert [first, *others] == public_board.board_message_text(SHOWN["played"]).splitlines()


def test_row_to_remove_first_is_named_in_the_first_line() -> None:
    first = public_board.board_message_text(SHOWN["first removes"]).splitlines()[0]
    assert " · first remove d2–d5 · " in first


def test_turns_are_numbered_as_in_a_record() -> None:
    assert [turn_place(number) for number in (1, 2, 13, 14)] == ["1. White", "1. Black", "7. White", "7. Black"]
    assert [pair_number(number) for number in (0, 1, 2, 3)] == [0, 1, 1, 2]
    assert public_board.board_caption(replace(SHOWN["played"], turn_number=14)).startswith("#a1 · 7. Black ")
    assert " wins #a1 in 7 turns · " in public_board.board_message_text(replace(SHOWN["reserve"], turn_number=14))


def test_the_count_of_removed_pieces_leaves_out_used_potentials() -> None:
    """They are in no reserve and nobody captures them (R7.5). A loaded piece counts as one."""
    before = at("standard+Z6P3 w W=Gb5,e2,Ze3,ze4,pe5[P] B=Ze6,ze7,Gf7")
    assert (
        public_board.removed_pieces_count(before, (act("e: e2 e3 e4 e5 e6 e7"),))
        == "2 back to White, 1 captured from Black"
    )
    said = public_board.row_removed_text(before, (act("e: e2 e3 e4 e5 e6 e7"),))
    assert said == "A row came off: 2 back to White, 1 captured from Black. Captured: e6."
