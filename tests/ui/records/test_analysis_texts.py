"""The sentences of an analysis: what a turn costs, what was better, and a balance that agrees with both."""

import pytest

from gipfbot.match import positions_before
from gipfbot.match.analysis import MISTAKE_LOSS, WIN, FoundTurn, judge_game
from gipfbot.notation import OFFICIAL, parse_turn
from gipfbot.rules import BASIC
from gipfbot.ui.records.analysis_texts import EVEN, study_point_text

WHITE = parse_turn(positions_before(BASIC, ((),))[0], "c2")
BEFORE = positions_before(BASIC, (WHITE, ()))[1]
G2, D2, H3 = (parse_turn(BEFORE, text) for text in ("g2", "d2", "h3"))


def said(best: int, *, played: int | None = None, second: int = -WIN + 6, after: int | None = None) -> str:
    """Return what a study says of Black's turn g2, which has the score `best`. If it has `played`, d2 is the best turn.

    `after` is what the next search says of it, for Black; by default the same.
    """
    score = best if played is None else played
    first, other = (G2, D2) if played is None else (D2, H3)
    found = FoundTurn(first, best, (first,)), FoundTurn(other, second, (other,))
    positions = positions_before(BASIC, (WHITE, G2, ()))
    follows = FoundTurn(parse_turn(positions[2], "b4"), -(score if after is None else after), ())
    return study_point_text(judge_game(positions, (WHITE, G2), ((), found, (follows,))), 2, OFFICIAL)


@pytest.mark.parametrize(
    ("best", "outcome", "balance"),
    [
        (EVEN - 1, "keeps the balance", "even"),
        (1 - EVEN, "keeps the balance", "even"),
        (EVEN, "keeps Black about half a piece ahead", "Black +0.2"),
        (70, "keeps Black about half a piece ahead", "Black +0.7"),
        (-70, "leaves Black about half a piece behind", "White +0.7"),
        (100, "keeps Black about a piece ahead", "Black +1.0"),
        (1200, "keeps Black about 10 pieces ahead", "Black is winning"),
    ],
)
def test_only_good_turn_agrees_with_the_balance(best: int, outcome: str, balance: str) -> None:
    assert said(best) == f"It is the only good turn: it {outcome}. All others lose by force.\nBalance: {balance}."


def test_next_search_does_not_contradict_the_sentence() -> None:
    assert said(10, after=80) == said(10)


def test_marked_turn_never_leads_from_even_to_even() -> None:
    assert 2 * EVEN <= MISTAKE_LOSS


def test_great_loss_is_told_in_pieces_while_the_result_is_open() -> None:
    assert said(700, played=-350) == ("**d2** was better, by about 10½ pieces.\nBalance: White +3.5.")
    assert said(1500, played=700) == ("**d2** was better, by about 3 pieces.\nBalance: Black +7.0.")
    assert said(500, second=-600).startswith(
        "It is the only good turn: it keeps Black about 5 pieces ahead. The next best, **d2**, costs about 11 pieces."
    )


def test_decided_game_is_told_without_pieces() -> None:
    assert said(700, played=5 - WIN).startswith("It lets White win by force; **d2** would have kept Black about 7 ")
    assert said(WIN - 5, played=-350).startswith(
        "It misses a forced win; **d2** would have won by force in 3 own turns."
    )
    assert said(WIN - 5, second=-350) == (
        "It is the only good turn: it wins by force in 3 own turns. The next best, **d2**, misses the win.\n"
        "Balance: Black is winning."
    )
