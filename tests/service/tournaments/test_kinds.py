"""What a season and a round begin with."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

from gipfbot.match import UNTIMED, Seat
from gipfbot.match.tournament import Outcome
from gipfbot.rules import BASIC
from gipfbot.service.tournaments.kinds import Begun, tournament_kinds
from gipfbot.service.tournaments.league import LEAGUE, begin_season
from gipfbot.service.tournaments.swiss import SWISS, begin_round
from gipfbot.values.tournaments import Entry, Pairing, Played, Tournament
from tests.support.people import ANN, HOME
from tests.support.times import NOW

NO_RATINGS: dict[int, int] = {}


def tournament(begun: int = 0, rounds: int = 0) -> Tournament:
    return Tournament(1, "league", "Spring", HOME, ANN, BASIC, UNTIMED, rounds, NOW, NOW, begun=begun)


def entries(users: range, season: int = 1, first: int = 1) -> list[Entry]:
    """Return the entries of people; their ids begin with `first`, and their lots are the other way round."""
    found = zip(range(first, 99), users, strict=False)
    return [Entry(entry, season, Seat(user, f"P{user}"), lot=100 - entry) for entry, user in found]


def numbered(found: list[Entry], begun: Begun) -> list[Entry]:
    """Return these entries with their divisions and numbers."""
    return [
        each._replace(division=begun.numbers[each.id][0], number=begun.numbers[each.id][1])
        if each.id in begun.numbers
        else each
        for each in found
    ]


def decided(pairings: list[Pairing], seed: int) -> list[Pairing]:
    """Return these pairings with outcomes by lot."""
    random, ends = Random(seed), [Outcome.WHITE, Outcome.BLACK, Outcome.HALF]
    return [each if each.outcome else each._replace(outcome=random.choice(ends)) for each in pairings]


def test_both_kinds_are_found() -> None:
    assert tournament_kinds() == {"league": LEAGUE, "swiss": SWISS}


async def test_everybody_of_a_division_meets_everybody() -> None:
    found = entries(range(201, 214))
    begun = await begin_season(Played(tournament(), found, []), None, NO_RATINGS)
    divisions = Counter(division for division, _ in begun.numbers.values())
    assert sorted(divisions.values()) == [6, 7]
    for division in (1, 2):
        members = {entry for entry, (where, _) in begun.numbers.items() if where == division}
        met = [tuple(sorted((each.white, each.black or 0))) for each in begun.pairings if each.white in members]
        assert sorted(met) == [*combinations(sorted(members), 2)]
    assert {each.season for each in begun.pairings} == {1}
    assert [entry for entry, (division, number) in begun.numbers.items() if division == number == 1] == [13]


async def test_the_next_season_follows_the_tables() -> None:
    found = entries(range(201, 213))
    first = await begin_season(Played(tournament(), found, []), None, NO_RATINGS)
    before = Played(tournament(1), numbered(found, first), decided([*first.pairings], 1))
    upper, lower = [[row.player for row in table] for table in LEAGUE.tables(before)]
    users = {each.id: each.seat.user for each in found}
    stay = entries(range(201, 214), season=2, first=51)  # and one who is new
    second = await begin_season(Played(tournament(1), stay, []), before, NO_RATINGS)
    of_user = {each.seat.user: second.numbers[each.id][0] for each in stay}
    assert {of_user[users[entry]] for entry in (*upper[:4], *lower[:2])} == {1}
    assert {of_user[users[entry]] for entry in lower[2:]} == {2}
    assert of_user[213] == 2
    assert {each.season for each in second.pairings} == {2}


async def test_the_first_round_goes_by_ratings() -> None:
    found = entries(range(201, 209))
    ratings = {each.seat.user: 1500 + each.id for each in found}
    begun = await begin_round(Played(tournament(rounds=4), found, []), None, ratings)
    assert begun
    assert [begun.numbers[entry] for entry in range(8, 0, -1)] == [(None, number) for number in range(1, 9)]
    assert {frozenset((each.white, each.black)) for each in begun.pairings} == {
        frozenset((entry, entry - 4)) for entry in range(5, 9)
    }


async def test_rounds_follow_each_other_until_all_are_played_or_nobody_is_left_to_meet() -> None:
    found = entries(range(201, 210))
    ratings, now = dict.fromkeys(range(201, 210), 1500), Played(tournament(rounds=4), found, [])
    for number in range(1, 5):
        begun = await begin_round(now, None, ratings)
        assert begun
        assert {each.round for each in begun.pairings} == {number}
        byes = [each for each in begun.pairings if each.black is None]
        assert [each.outcome for each in byes] == [Outcome.BYE]
        done = [*now.pairings, *decided([*begun.pairings], number)]
        now = Played(replace(now.tournament, begun=number), numbered([*now.entries], begun), done)
    met = [frozenset((each.white, each.black)) for each in now.pairings if each.black]
    assert len({*met}) == len(met) == 16
    played = next(each for each in now.pairings if each.black)
    stay = {played.white}, {played.white, played.black}
    for staying in stay:
        left = [each if each.id in staying else each._replace(left_at=NOW) for each in now.entries]
        assert await begin_round(replace(now, entries=left), None, ratings) is None
