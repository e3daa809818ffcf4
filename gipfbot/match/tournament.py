"""Tournaments: points, standings, divisions, and how long a round can take. Pure.

Points are counted in halves: a win and a bye are 2, a draw is 1.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from gipfbot.rules import Colour, Reason

from .clock import DAY, TimeControl
from .game import Game, Status

WIN, HALF = 2, 1  # in halves of a point
FEWEST_PLAYERS = 4
MOST_GAMES = 3  # of one pairing: a void game is played again, but not a third time
MOST_AT_ONCE = 3  # games of one tournament that a player has at once
PAUSED_AT_MOST = 7 * DAY  # by vacations of one player, in one game
DIVISION_SIZES = range(4, 9)
USUAL_SIZE = 6  # of a division
SMALL_DIVISION = 6  # below so many players only one goes up and one goes down
BANKS = 5, 10, 20  # days for a whole game


class Outcome(StrEnum):
    """How a pairing ended."""

    WHITE = "white"  # White has won
    BLACK = "black"
    HALF = "half"  # half a point each
    BYE = "bye"  # White had no opponent in this round


class TieBreak(StrEnum):
    """What counts between players whose points and direct encounters are equal."""

    SONNEBORN_BERGER = "sonneborn-berger"  # the points of those whom one has beaten, and half of those of a draw
    BUCHHOLZ = "buchholz"  # the points of all opponents


class Entrant(NamedTuple):
    """A player of a tournament. `lot` was drawn once, at their entry."""

    player: int
    lot: int


class Encounter(NamedTuple):
    """A pairing that has ended. `black` is None in a bye. `late` says that the loser lost on time."""

    white: int
    black: int | None
    outcome: Outcome
    late: bool = False

    def points(self, player: int) -> int:
        """Return a player's points of it, in halves. Does not check that they play in it."""
        if self.outcome is Outcome.HALF:
            return HALF
        return WIN if (self.outcome is Outcome.BLACK) is (player == self.black) else 0

    def opponent(self, player: int) -> int | None:
        """Return the opponent of a player, None in a bye. Does not check that they play in it."""
        return self.black if player == self.white else self.white


@dataclass(frozen=True)
class Standing:
    """A player's place in a table. Points are in halves, the tie-break in quarters of a point."""

    place: int
    player: int
    played: int
    won: int
    halves: int
    lost: int
    lost_late: int  # of `lost`, those on time
    points: int
    direct: int
    tie_break: int


def outcome_of(game: Game, number: int) -> tuple[Outcome, bool] | None:
    """Return how a pairing ends by the last of its games, and whether the loser lost on time; None while that runs.

    It is the game with this `number` of the pairing, from 1. After each void game the colours are swapped (R6.3).
    A void game that none follows is half a point each. So are a cancelled game and a draw, from older versions.
    """
    result = game.position.result
    if game.status is Status.RUNNING:
        return None
    if result is None or result.winner is None:
        return Outcome.HALF, False
    first = (result.winner is Colour.WHITE) is (number % 2 == 1)
    return Outcome.WHITE if first else Outcome.BLACK, result.by is Reason.TIME


def bank_for_game(days: int) -> TimeControl:
    """Return the time control with so many days for a whole game, to which nothing is added."""
    return TimeControl(days * DAY, 0, days * DAY)


def longest_game(control: TimeControl, grace: int) -> int:
    """Return the most seconds that a game of a tournament can take.

    Each player uses up their bank, their grace and a whole vacation. Time that a downtime costs is added to it.
    """
    return 2 * (control.first + grace + PAUSED_AT_MOST)


def longest_season(players: int, control: TimeControl, grace: int) -> int:
    """Return the most seconds that a division of so many players can take to play each against each.

    While a game waits, one of its two players has three others, of the `2 * (players - 2)` that the two have in all.
    """
    if players - 1 <= MOST_AT_ONCE:
        return longest_game(control, grace)
    return longest_game(control, grace) * (MOST_AT_ONCE + 2 * (players - 2)) // MOST_AT_ONCE


def division_sizes(players: int) -> list[int]:
    """Return the sizes of the divisions for so many players, the largest first. They differ by one at most.

    Expects at least four players. The sizes are as near to six as can be.
    """
    count = max(1, round(players / USUAL_SIZE))
    size, larger = divmod(players, count)
    return [size + 1] * larger + [size] * (count - larger)


def cut_into_divisions(players: Sequence[int]) -> list[list[int]]:
    """Return the divisions of these players, who are in order, the first for the first division."""
    rest = iter(players)
    return [[next(rest) for _ in range(size)] for size in division_sizes(len(players))]


def order_next_season(tables: Sequence[Sequence[int]], stay: Iterable[int], new: Iterable[int]) -> list[int]:
    """Return the players of the next season in order, to be cut into divisions.

    `tables` are the players of each division by their places. Some go up and down, see `count_moving`. Then those who
    do not `stay` are left out, and those who are `new` come last.
    """
    order = [list(table) for table in tables]
    for upper, lower in zip(range(len(order)), range(1, len(order)), strict=False):
        moving = count_moving(len(tables[upper]), len(tables[lower]))
        up, down = tables[lower][:moving], tables[upper][-moving:]
        order[upper] = [player for player in order[upper] if player not in down] + [*up]
        order[lower] = [*down] + [player for player in order[lower] if player not in up]
    staying = {*stay}
    return [player for table in order for player in table if player in staying] + [*new]


def count_moving(upper: int, lower: int) -> int:
    """Return how many players go up, and how many go down, between two divisions of these sizes."""
    return 1 if min(upper, lower) < SMALL_DIVISION else 2


def most_rounds(players: int) -> int:
    """Return the most rounds of a Swiss tournament with so many players, so that nobody runs out of opponents."""
    return players // 2


def rank(entrants: Iterable[Entrant], encounters: Sequence[Encounter], tie_break: TieBreak) -> list[Standing]:
    """Return the table of a division or of a tournament, the first place first.

    Points decide, then those of the games among the players with equal points if each of them has met each, then the
    tie-break, then fewer losses on time, then the lot.
    """
    lots = {each.player: each.lot for each in entrants}
    played = {player: [each for each in encounters if player in (each.white, each.black)] for player in lots}
    points = {player: sum(each.points(player) for each in own) for player, own in played.items()}
    direct = _direct_points(points, played)
    rows = [_row(player, played[player], points, direct[player], tie_break) for player in lots]
    rows.sort(key=lambda row: (-row.points, -row.direct, -row.tie_break, row.lost_late, lots[row.player]))
    return [replace(row, place=place) for place, row in enumerate(rows, 1)]


def _direct_points(points: Mapping[int, int], played: Mapping[int, Sequence[Encounter]]) -> dict[int, int]:
    """Return for each player the points of their games against those with equal points; 0 if some have not met."""
    direct = dict.fromkeys(points, 0)
    for value in {*points.values()}:
        tied = {player for player in points if points[player] == value}
        among = {player: [each for each in played[player] if each.opponent(player) in tied] for player in tied}
        if all({each.opponent(player) for each in own} == tied - {player} for player, own in among.items()):
            direct |= {player: sum(each.points(player) for each in own) for player, own in among.items()}
    return direct


def _row(
    player: int, own: Sequence[Encounter], points: Mapping[int, int], direct: int, tie_break: TieBreak
) -> Standing:
    got = [each.points(player) for each in own]
    late = sum(each.late for each, gained in zip(own, got, strict=True) if not gained)
    return Standing(
        place=0,
        player=player,
        played=len(own),
        won=got.count(WIN),
        halves=got.count(HALF),
        lost=got.count(0),
        lost_late=late,
        points=points[player],
        direct=direct,
        tie_break=sum(_worth(player, each, points, tie_break) for each in own),
    )


def _worth(player: int, each: Encounter, points: Mapping[int, int], tie_break: TieBreak) -> int:
    """Return what an encounter adds to a player's tie-break, in quarters of a point.

    A bye counts as an opponent with the player's own points for Buchholz, and not at all for Sonneborn-Berger.
    """
    opponent = each.opponent(player)
    if tie_break is TieBreak.SONNEBORN_BERGER:
        return 0 if opponent is None else each.points(player) * points[opponent]
    return 2 * points[player if opponent is None else opponent]
