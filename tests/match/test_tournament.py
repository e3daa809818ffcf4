"""Points, standings, divisions, and how long a round can take."""

from random import Random

import pytest

from gipfbot.match.clock import DAY
from gipfbot.match.tournament import (
    DIVISION_SIZES,
    Encounter,
    Entrant,
    Outcome,
    TieBreak,
    bank_for_game,
    cut_into_divisions,
    division_sizes,
    longest_game,
    longest_season,
    most_rounds,
    order_next_season,
    rank,
)

ANN, BOB, CARA, DAVE, EVE, FINN = range(1, 7)


def entrants(*users: int) -> list[Entrant]:
    """Return these players, whose lots are in their order."""
    return [Entrant(user, lot) for lot, user in enumerate(users)]


def won(winner: int, loser: int, *, late: bool = False) -> Encounter:
    """Return a game that Black has lost."""
    return Encounter(winner, loser, Outcome.WHITE, late)


def places(users: list[Entrant], encounters: list[Encounter], tie_break: TieBreak) -> list[int]:
    """Return the players by their places."""
    return [row.player for row in rank(users, encounters, tie_break)]


@pytest.mark.parametrize("players", range(4, 65))
def test_divisions_hold_four_to_eight_and_differ_by_one_at_most(players: int) -> None:
    sizes = division_sizes(players)
    assert sum(sizes) == players
    assert all(size in DIVISION_SIZES for size in sizes)
    assert max(sizes) - min(sizes) <= 1
    assert cut_into_divisions(range(players))[0] == [*range(sizes[0])]
    assert [len(division) for division in cut_into_divisions(range(players))] == sizes


def test_two_go_up_and_two_go_down() -> None:
    tables = [[1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16], [21, 22, 23, 24, 25, 26]]
    everybody = [user for table in tables for user in table]
    assert order_next_season(tables, everybody, [31]) == [
        *(1, 2, 3, 4, 11, 12),
        *(5, 6, 13, 14, 21, 22),
        *(15, 16, 23, 24, 25, 26),
        31,
    ]


def test_one_goes_up_and_down_where_a_division_has_less_than_six() -> None:
    tables = [[1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15]]
    everybody = [user for table in tables for user in table]
    assert order_next_season(tables, everybody, []) == [1, 2, 3, 4, 5, 11, 6, 12, 13, 14, 15]


def test_who_does_not_stay_leaves_their_place_to_the_next() -> None:
    tables = [[1, 2, 3, 4, 5], [11, 12, 13, 14]]
    assert order_next_season(tables, [1, 3, 4, 5, 12, 13, 14], [21, 22]) == [1, 3, 4, 5, 12, 13, 14, 21, 22]


def test_points_come_first() -> None:
    games = [won(CARA, ANN), won(CARA, BOB), Encounter(ANN, BOB, Outcome.HALF)]
    assert [
        (row.place, row.player, row.points) for row in rank(entrants(ANN, BOB, CARA), games, TieBreak.BUCHHOLZ)
    ] == [
        (1, CARA, 4),
        (2, ANN, 1),
        (3, BOB, 1),
    ]


def test_the_games_of_the_tied_come_before_the_tie_break() -> None:
    # Bob has beaten Ann; Ann's other games are worth more.
    games = [won(BOB, ANN), won(ANN, CARA), won(CARA, DAVE), won(DAVE, BOB), won(CARA, EVE)]
    table = rank(entrants(ANN, BOB, CARA, DAVE, EVE), games, TieBreak.SONNEBORN_BERGER)
    by_user = {row.player: row for row in table}
    assert by_user[ANN].points == by_user[BOB].points == by_user[DAVE].points
    assert by_user[ANN].direct == by_user[BOB].direct == 0, "Ann and Dave have not met"
    assert [row.player for row in table if row.points == 2] == [ANN, BOB, DAVE]
    games = [won(BOB, ANN), won(ANN, CARA), won(CARA, DAVE), won(CARA, EVE), won(DAVE, BOB), won(DAVE, EVE)]
    table = rank(entrants(ANN, BOB, CARA, DAVE, EVE), games, TieBreak.SONNEBORN_BERGER)
    ann, bob = (next(row for row in table if row.player == user) for user in (ANN, BOB))
    assert (ann.points, bob.points) == (2, 2)
    assert ann.tie_break > bob.tie_break
    assert bob.place < ann.place


def test_sonneborn_berger_counts_whom_one_has_beaten() -> None:
    games = [won(ANN, CARA), won(BOB, DAVE), won(CARA, DAVE)]
    assert places(entrants(BOB, ANN, CARA, DAVE), games, TieBreak.SONNEBORN_BERGER)[0] == ANN
    halves = [Encounter(ANN, CARA, Outcome.HALF), Encounter(BOB, DAVE, Outcome.HALF), won(CARA, DAVE)]
    assert places(entrants(BOB, ANN, CARA, DAVE), halves, TieBreak.SONNEBORN_BERGER) == [CARA, ANN, BOB, DAVE]


def test_buchholz_counts_whom_one_has_lost_to() -> None:
    games = [won(CARA, ANN), won(DAVE, BOB), won(CARA, DAVE)]
    assert places(entrants(BOB, ANN, CARA, DAVE), games, TieBreak.BUCHHOLZ) == [CARA, DAVE, ANN, BOB]
    assert places(entrants(BOB, ANN, CARA, DAVE), games, TieBreak.SONNEBORN_BERGER)[2:] == [BOB, ANN]


def test_a_bye_is_a_point_and_an_opponent_with_ones_own_points() -> None:
    games = [Encounter(ANN, None, Outcome.BYE), won(BOB, CARA)]
    first, second, third = rank(entrants(ANN, BOB, CARA), games, TieBreak.BUCHHOLZ)
    assert (first.player, first.points, first.won, first.tie_break) == (ANN, 2, 1, 4)
    assert (second.player, second.tie_break) == (BOB, 0)
    assert (third.player, third.tie_break) == (CARA, 4)
    assert rank(entrants(ANN), games[:1], TieBreak.SONNEBORN_BERGER)[0].tie_break == 0


def test_fewer_losses_on_time_come_before_the_lot() -> None:
    games = [won(CARA, ANN, late=True), won(DAVE, BOB)]
    table = rank(entrants(ANN, BOB, CARA, DAVE), games, TieBreak.BUCHHOLZ)
    assert [row.player for row in table] == [CARA, DAVE, BOB, ANN]
    assert (table[3].lost, table[3].lost_late, table[2].lost_late) == (1, 1, 0)
    assert table[0].lost_late == 0, "the winner of a game that ended on time has lost nothing"


def test_the_lot_decides_at_the_end() -> None:
    assert places([Entrant(ANN, 3), Entrant(BOB, 1), Entrant(CARA, 2)], [], TieBreak.BUCHHOLZ) == [BOB, CARA, ANN]


@pytest.mark.parametrize("seed", range(20))
def test_all_points_are_those_of_the_games(seed: int) -> None:
    random = Random(seed)
    users = entrants(*range(1, 9))
    games = [
        Encounter(white, black, random.choice([Outcome.WHITE, Outcome.BLACK, Outcome.HALF]))
        for white in range(1, 9)
        for black in range(1, white)
    ]
    table = rank(users, games, TieBreak.SONNEBORN_BERGER)
    assert sum(row.points for row in table) == 2 * len(games)
    assert sum(row.won for row in table) == sum(row.lost for row in table)
    assert all(row.played == 7 == row.won + row.halves + row.lost for row in table)
    assert [row.place for row in table] == [*range(1, 9)]
    assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)
    # What somebody's opponents have got, weighed by what they got themselves, comes out the same from both sides.
    points = {row.player: row.points for row in table}
    assert sum(row.tie_break for row in table) == sum(
        game.points(game.white) * points[game.black or 0] + game.points(game.black or 0) * points[game.white]
        for game in games
    )


def test_a_game_takes_both_banks_and_vacations_at_most() -> None:
    control = bank_for_game(5)
    assert (control.first, control.increment, control.cap) == (5 * DAY, 0, 5 * DAY)
    assert longest_game(control, DAY) == 2 * (5 + 1 + 7) * DAY


def test_a_season_is_as_long_as_the_games_that_wait_for_others() -> None:
    control = bank_for_game(10)
    game = longest_game(control, DAY)
    assert longest_season(4, control, DAY) == game, "all three games of everybody run at once"
    assert [3 * longest_season(players, control, DAY) // game for players in (5, 6, 7, 8)] == [9, 11, 13, 15]


def test_a_swiss_tournament_has_rounds_for_half_its_players() -> None:
    assert [most_rounds(players) for players in (8, 9, 64)] == [4, 4, 32]
