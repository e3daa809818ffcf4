"""A naive recount of all tournaments, from their games alone: nothing of the bot's own reckoning is used.

`recount` reads the tables as they are stored. Its `faults` say what is stuck, played twice, begun twice, or counted in
another way than here.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

Read: TypeAlias = Callable[[str], list[Any]]  # called with a query of several columns
Table: TypeAlias = tuple[int, int, int]  # a tournament, a season, and a division, which is 0 if there is none
GOING_ON = "open", "running"
MOST_GAMES = 3
WINS = {"white": (2, 0), "black": (0, 2), "half": (1, 1), "bye": (2, 0)}  # the halves of a point of both


class StoredTournament(NamedTuple):
    """A row of a tournament."""

    id: int
    kind: str
    state: str
    begun: int


class StoredEntry(NamedTuple):
    """A row of an entry."""

    id: int
    tournament: int
    season: int
    user: int
    lot: int
    division: int | None
    number: int | None
    place: int | None
    left_at: int | None


class StoredPairing(NamedTuple):
    """A row of a pairing."""

    tournament: int
    season: int
    round: int
    white: int
    black: int | None
    game: int | None
    games: int
    outcome: str | None
    late: bool


class StoredGame(NamedTuple):
    """What counts of a game: its players, White first, and how it has ended."""

    id: int
    status: str
    result: str | None
    reason: str | None
    white: int
    black: int
    tournament: int | None


@dataclass
class Recount:
    """The stored rows, the tables by this recount, and all that is wrong."""

    tournaments: list[StoredTournament]
    entries: dict[int, StoredEntry]
    pairings: list[StoredPairing]
    games: dict[int, StoredGame]
    before: dict[int, int]  # by the game that follows a void one, that game
    due: set[int]  # tournaments with something that is due, now or later
    tables: dict[Table, list[int]] = field(default_factory=dict)  # entries in the order of their places
    faults: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Recount everything."""
        for each in self.tournaments:
            mine = [pairing for pairing in self.pairings if pairing.tournament == each.id]
            self._check_stuck(each, mine)
            self._check_begun(each, mine)
            self._check_games(each, mine)
            self._count(each, mine)

    def _blame(self, tournament: StoredTournament, *what: object) -> None:
        self.faults.append(" ".join(map(str, (*tournament, ":", *what))))

    def _check_stuck(self, tournament: StoredTournament, mine: Iterable[StoredPairing]) -> None:
        runs = any(each.game and not each.outcome and self.games[each.game].status == "running" for each in mine)
        if tournament.state in GOING_ON and not runs and tournament.id not in self.due:
            self._blame(tournament, "is stuck")
        if tournament.state == "over" and any(each.outcome is None for each in mine):
            self._blame(tournament, "is over, but not played")

    # Who meets whom

    def _check_begun(self, tournament: StoredTournament, mine: Iterable[StoredPairing]) -> None:
        """Check that each season or round up to the last that was begun is there once, and no other."""
        is_league, mine = tournament.kind == "league", list(mine)
        begun = {each.season if is_league else each.round for each in mine}
        if begun != {*range(1, tournament.begun + 1)}:
            self._blame(tournament, "has begun", begun)
        met = Counter((each.season, frozenset(_both(each))) for each in mine if each.black)
        if again := [pair for pair, times in met.items() if times > 1]:
            self._blame(tournament, "pairs twice", again)
        in_round = Counter((each.season, each.round, entry) for each in mine for entry in _both(each))
        if busy := [entry for entry, times in in_round.items() if times > 1]:
            self._blame(tournament, "lets somebody play twice in a round", busy)
        if is_league and {*met} != (wanted := {*self._each_with_each(tournament)}):
            self._blame(tournament, "pairs", {*met} ^ wanted, "otherwise than each with each")

    def _each_with_each(self, tournament: StoredTournament) -> Iterator[tuple[int, frozenset[int]]]:
        for (of, season, _), members in self._members().items():
            if of == tournament.id:
                yield from ((season, frozenset(pair)) for pair in combinations(members, 2))

    def _members(self) -> dict[Table, list[int]]:
        found = defaultdict[Table, list[int]](list)
        for each in self.entries.values():
            if each.number is not None:
                found[each.tournament, each.season, each.division or 0].append(each.id)
        return found

    # What they play

    def _check_games(self, tournament: StoredTournament, mine: Iterable[StoredPairing]) -> None:
        chains = {each: self._chain(each) for each in mine}
        played = [game for chain in chains.values() for game in chain]
        own = {game.id for game in self.games.values() if game.tournament == tournament.id}
        if len({*played}) < len(played) or not own <= {*played}:
            self._blame(tournament, "has games that belong to no pairing or to two", own - {*played})
        for each, chain in chains.items():
            if len(chain) != each.games or len(chain) > MOST_GAMES:
                self._blame(tournament, each, "has the games", chain)
            else:
                self._check_chain(tournament, each, [self.games[game] for game in chain])

    def _chain(self, pairing: StoredPairing) -> list[int]:
        """Return the games of a pairing, the first one first."""
        chain = list[int]()
        game = pairing.game
        while game is not None:
            chain.insert(0, game)
            game = self.before.get(game)
        return chain

    def _check_chain(self, tournament: StoredTournament, pairing: StoredPairing, chain: list[StoredGame]) -> None:
        for number, game in enumerate(chain):
            seats = [self.entries[entry].user for entry in _both(pairing)]
            if [game.white, game.black] != (seats if number % 2 == 0 else seats[::-1]):
                self._blame(tournament, pairing, "is played by others or with other colours:", game)
            if number < len(chain) - 1 and game.result != "void":
                self._blame(tournament, pairing, "is played again after", game)
        wanted = self._outcome(pairing, chain)
        if (pairing.outcome, bool(pairing.late)) != wanted and tournament.state != "stopped":
            self._blame(tournament, pairing, "has ended otherwise:", wanted)

    def _outcome(self, pairing: StoredPairing, chain: list[StoredGame]) -> tuple[str | None, bool]:
        """Return how a pairing has ended by its games alone; without a game, by who has left."""
        if pairing.black is None:
            return "bye", False
        if not chain:
            return self._without_game(pairing), False
        last = chain[-1]
        if last.status == "running":
            return None, False
        if last.result not in ("1-0", "0-1"):
            return "half", False
        winner = last.white if last.result == "1-0" else last.black
        return ("white" if winner == self.entries[pairing.white].user else "black"), last.reason == "time"

    def _without_game(self, pairing: StoredPairing) -> str | None:
        """Return how a pairing without a game has ended; None while the tournament has not gone on since.

        If both have left, it may have been decided before the second did.
        """
        white, black = [self.entries[entry].left_at for entry in _both(pairing)]
        if pairing.outcome is None or (white is None and black is None):
            return None
        if white is None or black is None:
            return "white" if white is None else "black"
        return pairing.outcome if pairing.outcome in ("half", "white" if black < white else "black") else "half"

    # The tables

    def _count(self, tournament: StoredTournament, mine: Iterable[StoredPairing]) -> None:
        mine = [each for each in mine if each.outcome]
        for table, members in self._members().items():
            if table[0] != tournament.id:
                continue
            order = self.tables[table] = _order(tournament, [self.entries[entry] for entry in members], mine)
            placed = sorted((self.entries[entry] for entry in members), key=lambda entry: entry.place or 0)
            if any(entry.place for entry in placed) and [entry.id for entry in placed] != order:
                self._blame(tournament, "has given the places", placed, "but they are", order)


def _both(pairing: StoredPairing) -> list[int]:
    return [entry for entry in (pairing.white, pairing.black) if entry is not None]


def _order(tournament: StoredTournament, members: list[StoredEntry], mine: list[StoredPairing]) -> list[int]:
    """Return entries in the order of their places."""
    met = {each.id: list[tuple[int | None, int, bool]]() for each in members}  # opponents, halves of a point, late
    for each in mine:
        sides = (each.white, each.black), (each.black, each.white)
        for (entry, opponent), gained in zip(sides, WINS[each.outcome or ""], strict=True):
            if entry in met:
                met[entry].append((opponent, gained, bool(each.late) and not gained))
    points = {entry: sum(gained for _, gained, _ in games) for entry, games in met.items()}

    def key(entry: StoredEntry) -> tuple[int, ...]:
        games = met[entry.id]
        equal = {other for other in points if points[other] == points[entry.id]}
        complete = all({opponent for opponent, *_ in met[one]} >= equal - {one} for one in equal)
        direct = sum(gained for opponent, gained, _ in games if opponent in equal) if complete else 0
        if tournament.kind == "league":
            finer = sum(gained * points[opponent] for opponent, gained, _ in games if opponent)
        else:
            finer = sum(points[opponent or entry.id] for opponent, *_ in games)
        return -points[entry.id], -direct, -finer, sum(late for *_, late in games), entry.lot

    return [each.id for each in sorted(members, key=key)]


def _parsed(stored: Any) -> dict[str, Any]:
    """Return JSON as SQLite stores it, or as PostgreSQL gives it."""
    found: dict[str, Any] = json.loads(stored) if isinstance(stored, str) else stored or {}
    return found


def recount(read: Read) -> Recount:
    """Return a recount of all tournaments."""
    terms = dict(read("SELECT id, terms FROM games"))
    of = {game: _parsed(said).get("tournament") for game, said in terms.items()}
    played = """SELECT games.id, status, result, reason, white."user", black."user" FROM games
        JOIN seats AS white ON white.game = games.id AND white.colour = 0
        JOIN seats AS black ON black.game = games.id AND black.colour = 1"""
    events = read("SELECT game, data FROM events WHERE kind = 'void'")
    void = [(game, _parsed(data)) for game, data in events]
    unfinished = read("SELECT key, at FROM due WHERE kind = 'tournament' AND done_at IS NULL")
    entries = """SELECT id, tournament, season, "user", lot, division, number, place, left_at FROM tournament_entries"""
    pairings = "SELECT tournament, season, round, white, black, game, games, outcome, late FROM tournament_pairings"
    found = Recount(
        [StoredTournament(*row) for row in read("SELECT id, kind, state, begun FROM tournaments ORDER BY id")],
        {row[0]: StoredEntry(*row) for row in read(entries)},
        [StoredPairing(*row) for row in read(pairings)],
        {row[0]: StoredGame._make((*row, of[row[0]])) for row in read(played)},
        {data["next"]: game for game, data in void if "next" in data},
        {int(key.split(":")[1]) for key, _ in unfinished},
    )
    found.check()
    return found
