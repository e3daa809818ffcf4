"""Who plays whom in a round of a tournament, by the library `caissify-pairings` in a process of its own.

The library needs up to some seconds for 64 players. It reads one request as JSON and writes one answer, then it ends.
"""

import asyncio
import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec

from gipfbot.rules import Colour

LIBRARY, LIBRARYS_OWN = "caissify_pairings", "networkx"  # the library imports the other one when it pairs
PATIENCE = 120  # seconds for an answer; a small and busy machine takes a minute
_BERGER: dict[int, list[list[tuple[int, int]]]] = {}  # the tables that were asked for, by the number of players
_COLOURS = {Colour.WHITE: "white", Colour.BLACK: "black", None: "none"}


class Floated(StrEnum):
    """Whether a player's opponent in a round had another number of points before it."""

    UP = "up"  # the opponent had more
    DOWN = "down"
    NO = "none"


class PairingFailed(Exception):
    """The library has left somebody unpaired, or paired them twice or again."""


class NoAnswer(Exception):
    """The library is not there, broken, was stopped, or took too long. Another try may succeed."""


@dataclass(frozen=True)
class PairedPlayer:
    """A player of a Swiss tournament and their rounds so far. `points` are in halves.

    `colours` and `floats` have a value for each round; of one without an opponent they are None and NO.
    """

    id: int
    number: int  # in the table of pairings, from 1
    rating: int
    points: int
    colours: Sequence[Colour | None]
    floats: Sequence[Floated]
    byes: int


def has_library() -> bool:
    """Return whether the library is installed here."""
    return None not in (find_spec(LIBRARY), find_spec(LIBRARYS_OWN))


async def pair_league(ids: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Return the rounds in which each of these players meets each, by Berger's tables: pairs of White and Black.

    In an odd number, one player has no game in each round. Raises PairingFailed and NoAnswer.
    """
    size = len(ids)
    if size not in _BERGER:
        _BERGER[size] = await _berger_table(size)
    return [[(ids[white - 1], ids[black - 1]) for white, black in pairs] for pairs in _BERGER[size]]


async def _berger_table(size: int) -> list[list[tuple[int, int]]]:
    players = [_data(PairedPlayer(number, number, 0, 0, (), (), 0)) for number in range(1, size + 1)]
    asked = range(1, size + size % 2)
    rounds = [await _ask(system="round_robin", players=players, round_number=each) for each in asked]
    return [[(white, black) for white, black in pairs if black is not None] for pairs in rounds]


async def pair_swiss(
    players: Sequence[PairedPlayer], met: Collection[tuple[int, int]], number: int, rounds: int
) -> list[tuple[int, int | None]]:
    """Return the pairs of White and Black in the next round by the Dutch system; Black is None in a bye.

    `met` are the pairs that have met, and `number` is that of the next of so many `rounds`. Raises PairingFailed,
    also if no two who have not met are left, and NoAnswer.
    """
    data = [_data(each) for each in players]
    pairs = await _ask(system="dutch", players=data, previous_pairings=[*met], round_number=number, total_rounds=rounds)
    _check(pairs, {each.id for each in players}, met)
    return pairs


def _data(player: PairedPlayer) -> dict[str, object]:
    return {
        "id": player.id,
        "score": player.points / 2,
        "rating": player.rating,
        "starting_number": player.number,
        "color_hist": [_COLOURS[each] for each in player.colours],
        "float_history": [*player.floats],
        "bye_count": player.byes,
    }


def _check(
    pairs: Sequence[tuple[int, int | None]], expected: Collection[int], met: Collection[tuple[int, int]]
) -> None:
    """Raise PairingFailed unless everybody is paired once, at most one has a bye, and nobody meets anybody again."""
    paired = [player for pair in pairs for player in pair if player is not None]
    again = {frozenset(pair) for pair in met} & {frozenset(pair) for pair in pairs}
    if sorted(paired) != sorted(expected) or len(paired) < 2 * len(pairs) - 1 or again:
        raise PairingFailed("the library has not paired each player once with somebody they had not met")


async def _ask(**request: object) -> list[tuple[int, int | None]]:
    if not has_library():
        raise NoAnswer(f"{LIBRARY} is not installed")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        LIBRARY,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            said, complaint = await process.communicate(json.dumps(request).encode())
    except TimeoutError:
        raise NoAnswer(f"no answer within {PATIENCE} seconds") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:  # what it cannot pair it leaves unpaired
        last_line = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoAnswer(f"it has ended with {process.returncode}: {last_line}")
    return [(pair["white_id"], pair["black_id"]) for pair in json.loads(said)]
