"""The pictures of tournaments as they stand, which are told in words here."""

from dataclasses import replace

import pytest

from gipfbot.match import UNTIMED, Seat
from gipfbot.match.tournament import Outcome
from gipfbot.rules import BASIC
from gipfbot.service.tournaments.kinds import tournament_kinds
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.ui.tournaments.table_cards import ON_PAGE, stage_text, table_card, table_pages, winner_card
from gipfbot.values.tournaments import Entry, Pairing, Played, Tournament, TournamentState
from render import Moves, alt_text
from tests.support.people import ANN, HOME
from tests.support.times import NOW

SPRING = Tournament(1, "league", "Spring League", HOME, ANN, BASIC, UNTIMED, 0, 0, NOW, TournamentState.RUNNING, 2)
SWISS = replace(SPRING, kind="swiss", name="Autumn Cup", rounds=5, begun=3)


def shown(tournament: Tournament, *sizes: int, left: int | None = None) -> Shown:
    """Return a tournament with divisions of these sizes. Of two players, the one with the smaller id has won.

    The ids of players count from 1 through all divisions.
    """
    entries, pairings = list[Entry](), list[Pairing]()
    for division, size in enumerate(sizes, 1):
        ids = range(len(entries) + 1, len(entries) + size + 1)
        entries += [
            Entry(each, 2, Seat(100 + each, f"P{each}"), each, division, each, NOW if each == left else None)
            for each in ids
        ]
        pairings += [
            Pairing(2, 1, one, other, 7, 1, Outcome.WHITE) for one in ids for other in ids if one < other <= one + 2
        ]
    played = Played(tournament, entries, pairings)
    return Shown(played, tournament_kinds()[tournament.kind].tables(played), ())


def test_a_table_has_its_numbers_and_marks_the_row_of_its_reader() -> None:
    card = table_card(shown(SPRING, 4), 1, 1, 102)
    assert alt_text(card) == (
        "Spring League. Season 2. "
        "1. P1: points 2, games 2, won 2, half 0, lost 0, tie-break 3. "
        "2. P2 (you): points 2, games 3, won 2, half 0, lost 1, tie-break 1. "
        "3. P3: points 1, games 3, won 1, half 0, lost 2, tie-break 0. "
        "4. P4: points 0, games 2, won 0, half 0, lost 2, tie-break 0."
    )
    assert card.tie_break == "SB"


def test_places_that_lead_up_and_down_are_marked() -> None:
    """Between divisions of 6 and more it is two places, else one. Nobody leaves the ends of the league."""
    found = shown(SPRING, 7, 6, 5)
    up, down = Moves.UP, Moves.DOWN
    assert [[row.moves for row in table_card(found, division, 1).rows] for division in (1, 2, 3)] == [
        [None] * 5 + [down] * 2,
        [up, up, None, None, None, down],
        [up, None, None, None, None],
    ]
    assert table_card(found, 2, 1).note == "Season 2 · division 2 of 3"


def test_who_has_left_is_marked() -> None:
    assert [row.has_left for row in table_card(shown(SPRING, 4, left=2), 1, 1).rows] == [False, True, False, False]


@pytest.mark.parametrize(("players", "pages"), [(4, 1), (ON_PAGE, 1), (ON_PAGE + 1, 2), (64, 4)])
def test_a_long_table_has_pages(players: int, pages: int) -> None:
    found = shown(SWISS, players)
    assert table_pages(found, 1) == pages
    cards = [table_card(found, 1, page) for page in range(1, pages + 1)]
    assert [row.place for card in cards for row in card.rows] == [*range(1, players + 1)]
    assert {card.note for card in cards} == {
        f"Round 3 of 5 · page {page} of {pages}" if pages > 1 else "Round 3 of 5" for page in range(1, pages + 1)
    }
    assert cards[0].tie_break == "Bh"


@pytest.mark.parametrize(("division", "page"), [(0, 0), (-1, 1), (99, 99)])
def test_beyond_the_ends_the_nearest_page_is_shown(division: int, page: int) -> None:
    found = shown(SPRING, 4, 4)
    nearest = table_card(found, 1 if division < 1 else 2, 1)
    assert table_card(found, division, page) == nearest


def test_before_the_start_there_are_no_rows() -> None:
    found = Shown(Played(replace(SPRING, begun=0), (), ()), (), ())
    assert (table_card(found, 1, 1).rows, table_card(found, 1, 1).note) == ((), "Not begun yet")
    assert table_pages(found, 1) == 1
    assert winner_card(found) is None


@pytest.mark.parametrize(
    ("tournament", "said"),
    [
        (replace(SPRING, begun=0, state=TournamentState.CALLED_OFF, ended_at=NOW), "Called off"),
        (replace(SPRING, starts_at=NOW), "Season 2 is over"),
        (replace(SPRING, state=TournamentState.CALLED_OFF, ended_at=NOW), "Season 2 is over"),
        (replace(SPRING, state=TournamentState.STOPPED, ended_at=NOW), "Stopped in season 2"),
        (replace(SWISS, state=TournamentState.OVER, begun=5, ended_at=NOW), "Over after 5 of 5 rounds"),
        (replace(SWISS, state=TournamentState.STOPPED, ended_at=NOW), "Stopped in round 3 of 5"),
    ],
)
def test_a_table_says_where_its_tournament_stands(tournament: Tournament, said: str) -> None:
    assert stage_text(tournament) == said


def test_the_winner_is_that_of_the_first_division() -> None:
    card = winner_card(shown(SPRING, 4, 4))
    assert card
    assert alt_text(card) == "P1 wins Spring League. Winner of season 2. 1. P1: 2. 2. P2: 2. 3. P3: 1."
    cup = winner_card(shown(replace(SWISS, state=TournamentState.OVER), 8))
    assert cup
    assert cup.note == "Winner after 3 rounds"
