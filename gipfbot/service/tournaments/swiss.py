"""Swiss tournaments: in each round players with about as many points meet, and nobody meets anybody twice."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from gipfbot.engines.pairing import Floated, PairedPlayer, PairingFailed, pair_swiss
from gipfbot.match.tournament import Outcome, TieBreak
from gipfbot.rules import Colour
from gipfbot.values.tournaments import Entry, Pairing, Played

from .kinds import Begun, TournamentKind, by_lot

FEWEST_PLAYERS, MOST_PLAYERS = 8, 64
ONLY_SEASON = 1
PAIR = 2


async def begin_round(played: Played, _before: Played | None, ratings: Mapping[int, int]) -> Begun | None:
    """Return the pairings of the next round; None if those who are left cannot be paired.

    Before the first round the entries are numbered by their ratings, then by lot. Raises NoAnswer, and PairingFailed
    for the first round, which any eight players can play.
    """
    tournament, present = played.tournament, [each for each in played.entries if each.left_at is None]
    if len(present) < PAIR:
        return None
    numbers = {} if tournament.begun else _numbered(present, ratings)
    players = _players(played, present, numbers, ratings)
    met = [(each.white, each.black) for each in played.pairings if each.black is not None]
    try:
        pairs = await pair_swiss(players, met, tournament.begun + 1, tournament.rounds)
    except PairingFailed:
        if not tournament.begun:
            raise
        return None
    return Begun(numbers, [_pairing(tournament.begun + 1, white, black) for white, black in pairs])


def _pairing(number: int, white: int, black: int | None) -> Pairing:
    return Pairing(ONLY_SEASON, number, white, black, outcome=Outcome.BYE if black is None else None)


def _numbered(entries: Iterable[Entry], ratings: Mapping[int, int]) -> dict[int, tuple[int | None, int]]:
    order = sorted(by_lot([*entries]), key=lambda each: -ratings[each.seat.user])
    return {each.id: (None, number) for number, each in enumerate(order, 1)}


def _players(
    played: Played, present: Iterable[Entry], numbers: Mapping[int, tuple[int | None, int]], ratings: Mapping[int, int]
) -> list[PairedPlayer]:
    """Return the players of the next round with the rounds that they have played. All of these are decided."""
    history = _histories(played)
    return [
        PairedPlayer(
            id=each.id,
            number=each.number or numbers[each.id][1],
            rating=ratings[each.seat.user],
            points=history[each.id].points,
            colours=history[each.id].colours,
            floats=history[each.id].floats,
            byes=history[each.id].colours.count(None),
        )
        for each in present
    ]


@dataclass
class _History:
    """The rounds of a player, with their colour in each; None in a bye."""

    points: int = 0  # in halves
    colours: list[Colour | None] = field(default_factory=list)
    floats: list[Floated] = field(default_factory=list)


def _histories(played: Played) -> dict[int, _History]:
    found = {each.id: _History() for each in played.entries}
    for _, games in groupby(zip(played.pairings, played.encounters(), strict=True), key=lambda each: each[0].round):
        before = {entry: history.points for entry, history in found.items()}
        for _, each in games:
            sides = ((each.white, Colour.WHITE), (each.black, Colour.BLACK))
            for entry, colour in sides:
                if entry is not None:
                    opponent = each.opponent(entry)
                    found[entry].points += each.points(entry)
                    found[entry].colours.append(None if opponent is None else colour)
                    found[entry].floats.append(_floated(before[entry], before[opponent or entry]))
    return found


def _floated(own: int, opponents: int) -> Floated:
    return Floated.NO if own == opponents else Floated.DOWN if own > opponents else Floated.UP


SWISS = TournamentKind("swiss", TieBreak.BUCHHOLZ, FEWEST_PLAYERS, MOST_PLAYERS, False, 1, begin_round)
