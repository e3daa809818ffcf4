"""Rounds of tournaments, paired by the library in a process of its own."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from gipfbot.engines import pairing
from gipfbot.engines.pairing import Floated, NoAnswer, PairedPlayer, PairingFailed, pair_league, pair_swiss
from gipfbot.rules import Colour


class Swiss:
    """A tournament whose games are decided by lot."""

    def __init__(self, players: int, seed: int) -> None:
        self.random, self.met = Random(seed), set[tuple[int, int]]()
        self.players = {each: PairedPlayer(10 * each, each, 1500, 0, (), (), 0) for each in range(1, players + 1)}

    async def play_round(self, number: int, rounds: int) -> list[tuple[int, int | None]]:
        """Pair and play a round. Return the pairs."""
        pairs = await pair_swiss([*self.players.values()], self.met, number, rounds)
        before = {each.id: each.points for each in self.players.values()}
        for white, black in pairs:
            if black is None:
                self._note(white, 2, None, Floated.NO)
                continue
            self.met.add((white, black))
            points = self.random.choice([0, 1, 2])
            gap = before[white] - before[black]
            floats = [Floated.DOWN, Floated.UP] if gap > 0 else [Floated.UP, Floated.DOWN] if gap else [Floated.NO] * 2
            self._note(white, points, Colour.WHITE, floats[0])
            self._note(black, 2 - points, Colour.BLACK, floats[1])
        return pairs

    def _note(self, player: int, points: int, colour: Colour | None, floated: Floated) -> None:
        old = self.players[player // 10]
        done = old.points + points, (*old.colours, colour), (*old.floats, floated), old.byes + (colour is None)
        self.players[player // 10] = PairedPlayer(old.id, old.number, old.rating, *done)


@pytest.mark.parametrize("players", range(4, 9))
async def test_each_meets_each_once_and_colours_are_even(players: int) -> None:
    ids = [100 + each for each in range(players)]
    rounds = await pair_league(ids)
    assert len(rounds) == players - 1 + players % 2
    games = [pair for pairs in rounds for pair in pairs]
    assert sorted(tuple(sorted(pair)) for pair in games) == [*combinations(ids, 2)]
    assert all(len({player for pair in pairs for player in pair}) == 2 * len(pairs) for pairs in rounds)
    whites = [sum(white == each for white, _ in games) for each in ids]
    assert max(whites) - min(whites) <= 1


@pytest.mark.parametrize("players", [8, 13])
async def test_nobody_meets_anybody_twice_and_an_odd_player_has_a_bye(players: int) -> None:
    swiss, rounds = Swiss(players, players), players // 2
    byes = list[int]()
    for number in range(1, rounds + 1):
        pairs = await swiss.play_round(number, rounds)
        byes += [white for white, black in pairs if black is None]
    assert len(swiss.met) == rounds * (players // 2)
    assert len(byes) == len({*byes}) == (rounds if players % 2 else 0)


async def test_players_of_equal_points_meet() -> None:
    swiss = Swiss(8, 0)
    await swiss.play_round(1, 3)
    points = {each.id: each.points for each in swiss.players.values()}
    pairs = await swiss.play_round(2, 3)
    assert sum(abs(points[white] - points[black]) for white, black in pairs if black) <= 2


async def test_a_round_that_cannot_be_paired_is_refused() -> None:
    swiss = Swiss(3, 0)
    for number in range(1, 4):
        await swiss.play_round(number, 4)
    with pytest.raises(PairingFailed):
        await swiss.play_round(4, 4)


async def test_an_answer_that_pairs_somebody_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(**_: object) -> list[tuple[int, int | None]]:
        return [(10, 20), (10, 30)]

    monkeypatch.setattr(pairing, "_ask", answer)
    with pytest.raises(PairingFailed, match="each player once"):
        await Swiss(4, 0).play_round(1, 2)


async def test_a_library_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "LIBRARY", "this")  # prints its text and reads nothing
    monkeypatch.setattr(pairing, "PATIENCE", 0)
    monkeypatch.setattr(pairing, "_BERGER", {})
    with pytest.raises(NoAnswer, match="no answer"):
        await pair_league([1, 2, 3, 4])


async def test_a_library_that_is_gone_or_stopped_says_nothing_about_the_round(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pairing, "LIBRARY", "stopped_library")
    monkeypatch.setattr(pairing, "_BERGER", {})
    with pytest.raises(NoAnswer, match="not installed"):
        await pair_league([1, 2, 3, 4])
    (tmp_path / "stopped_library.py").write_text("import os; os.abort()")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(NoAnswer, match="ended with -6"):
        await pair_league([1, 2, 3, 4])
    (tmp_path / "stopped_library.py").write_text("import not_there")
    with pytest.raises(NoAnswer, match="ended with 1: ModuleNotFoundError"):
        await pair_league([1, 2, 3, 4])


@pytest.mark.parametrize("missing", ["LIBRARY", "LIBRARYS_OWN"])
def test_both_libraries_are_needed(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    assert pairing.has_library()
    monkeypatch.setattr(pairing, missing, "not_installed")
    assert not pairing.has_library()
