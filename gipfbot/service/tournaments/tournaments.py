"""Tournaments as people use them: opening, joining and leaving one, seeing how it stands, and stopping it.

What goes on by itself is in `course`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gipfbot.engines.pairing import has_library
from gipfbot.match import DAY, Refused, Seat, Why, check_level
from gipfbot.match.courses import course_of
from gipfbot.match.game import Game, clean_name
from gipfbot.match.tournament import MOST_AT_ONCE, Standing
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.kit.message_kinds import lease_for_caller
from gipfbot.store import Connection, Store, due, game_lists, games, tournaments
from gipfbot.values import DEFAULT_LIMITS, Limits, OutboxRow
from gipfbot.values.tournaments import Entry, Pairing, PartOf, Played, Tournament, TournamentState

from .course import NOBODY, NOT_SET, due_key, remind_key
from .kinds import TournamentKind, tournament_kinds
from .news import What, owe_news

MOST_OPEN = 10  # tournaments of a server that are open or run
MOST_OVER = 10  # of those that are over, in a list
MOST_ROUNDS = 32
LONGEST_NAME = 60
DAYS_BEFORE = range(1, 31)  # from the opening to the start
BITS_OF_LOT = 30  # so many that two players hardly ever draw the same


@dataclass(frozen=True)
class Shown:
    """A tournament as it stands: its season, the table of each division, and who takes part in the next season.

    Before its start there are no tables, and `entered` are those who have joined.
    """

    played: Played
    tables: Sequence[Sequence[Standing]]
    entered: Sequence[Entry]

    @property
    def tournament(self) -> Tournament:
        """The tournament itself."""
        return self.played.tournament

    def entry_of(self, user: int) -> Entry | None:
        """Return a person's entry in the season that is shown, None if they have none or have left."""
        return next((each for each in self.played.entries if each.seat.user == user and each.left_at is None), None)

    def has_entered(self, user: int) -> bool:
        """Return whether a person takes part in the season that begins next."""
        return any(each.seat.user == user for each in self.entered)


class Tournaments:
    """Tournaments of all servers. `now` returns UTC seconds, and `draw_lot` a side of a coin.

    Each method raises Refused, and changes nothing, if something cannot be done. Whether a person may open or stop one,
    or sees its channel, is not checked.
    """

    def __init__(
        self, store: Store, now: Callable[[], int], draw_lot: Callable[[], bool], limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.store, self.now, self.draw_lot, self.limits = store, now, draw_lot, limits

    async def open(self, new: Tournament, house: Seat | None = None) -> tuple[Tournament, tuple[OutboxRow, ...]]:
        """Open a tournament. Return it with its id, and the outbox rows that the caller has to deliver.

        `house` is the seat of the bot if that takes part, at the level that the terms name; then nothing is rated.
        """
        kind = _kind_of(new)
        terms = replace(new.terms, rated=new.terms.rated and house is None)
        new = replace(new, name=clean_name(new.name, "")[:LONGEST_NAME], terms=terms)
        self._check_new(new, kind)
        async with self.store.transaction() as db:
            if len(await _going_on(db, new.venue.server or 0)) >= MOST_OPEN:
                raise Refused(Why.TOO_MANY_TOURNAMENTS, most=MOST_OPEN)
            opened = replace(new, id=await tournaments.add_tournament(db, new))
            if house:
                await tournaments.add_entry(db, opened.id, opened.joins, house, self._draw(), self.now())
            await self._plan_start(db, opened)
            row = await owe_news(db, opened, What.OPENED, self.now())
            return opened, await lease_for_caller(db, row, self.now())

    def _check_new(self, new: Tournament, kind: TournamentKind) -> None:
        if not has_library():
            raise Refused(Why.NO_TOURNAMENTS)
        if not course_of(new.ruleset).rated:
            raise Refused(Why.NOT_IN_TOURNAMENTS)
        if kind.seasons == bool(new.rounds) or not 0 <= new.rounds <= MOST_ROUNDS:
            raise Refused(Why.NOT_OFFERED, option="rounds", value=new.rounds)
        if not new.name:
            raise Refused(Why.NOT_OFFERED, option="name", value=new.name)
        if new.terms.house:
            check_level(new.terms.house.level)

    async def _plan_start(self, db: Connection, opened: Tournament) -> None:
        before = min(DAY, (opened.starts_at - self.now()) // 2)
        await due.schedule(db, remind_key(opened), TOURNAMENT, opened.starts_at - before, NOBODY)
        await due.schedule(db, due_key(opened.id, "start"), TOURNAMENT, opened.starts_at, NOBODY)

    def _draw(self) -> int:
        return sum(self.draw_lot() << bit for bit in range(BITS_OF_LOT))

    async def on_server(self, server: int) -> list[Tournament]:
        """Return the tournaments of a server that are open or run, then the newest that are over.

        Those that this version does not know are left out.
        """
        async with self.store.reading() as db:
            going = await _going_on(db, server)
            return going + _known(await tournaments.tournaments_on(db, server, (TournamentState.OVER,), MOST_OVER))

    async def show(self, tournament: int) -> Shown:
        """Return how a tournament stands."""
        async with self.store.reading() as db:
            return await self._shown(db, await _require(db, tournament))

    async def _shown(self, db: Connection, found: Tournament) -> Shown:
        kind, played = _kind_of(found), await tournaments.load_played(db, found, found.season)
        if not found.begun:
            return Shown(replace(played, entries=()), (), played.entries)
        entered = [] if found.rounds else await tournaments.entries_of(db, found.id, found.joins)
        return Shown(played, kind.tables(played), entered)

    async def join(self, tournament: int, seat: Seat) -> Shown:
        """Let a person take part: in a league in the season that begins next. Return how the tournament stands then."""
        async with self.store.transaction() as db:
            found = await _require(db, tournament)
            if found.state not in tournaments.GOES_ON:
                raise Refused(Why.TOURNAMENT_OVER)
            if found.rounds and found.begun:
                raise Refused(Why.TOURNAMENT_STARTED)
            entered = await tournaments.entries_of(db, tournament, found.joins)
            if seat.user in {each.seat.user for each in entered}:
                raise Refused(Why.TOURNAMENT_JOINED)
            if len(entered) >= _kind_of(found).most:
                raise Refused(Why.TOURNAMENT_FULL, most=_kind_of(found).most)
            await self._check_room(db, seat.user)
            await tournaments.add_entry(db, tournament, found.joins, seat, self._draw(), self.now())
            return await self._shown(db, found)

    async def _check_room(self, db: Connection, user: int) -> None:
        """Raise Refused unless a person has room for the games of one more tournament."""
        ahead = {tournament for tournament, entry in await tournaments.entered_in(db, user) if entry.number is None}
        most = self.limits.running_games
        if await game_lists.count_running_anywhere(db, user) + MOST_AT_ONCE * (len(ahead) + 1) > most:
            raise Refused(Why.TOURNAMENT_NO_ROOM, most=most, room=MOST_AT_ONCE)

    async def leave(self, tournament: int, user: int) -> Shown:
        """Let a person leave, also the next season. They lose what is left. Return how the tournament stands then."""
        async with self.store.transaction() as db:
            found = await _require(db, tournament)
            if found.state not in tournaments.GOES_ON:
                raise Refused(Why.TOURNAMENT_OVER)
            own = [entry for of, entry in await tournaments.entered_in(db, user) if of == tournament]
            if not any(entry.left_at is None for entry in own):
                raise Refused(Why.NOT_IN_TOURNAMENT)
            for entry in own:
                await self._leave(db, found, entry)
            return await self._shown(db, found)

    async def _leave(self, db: Connection, tournament: Tournament, entry: Entry) -> None:
        if entry.number is None:
            await tournaments.delete_entry(db, entry.id)
        elif tournament.starts_at == NOT_SET:  # else the season is over, and they have played all of it
            await tournaments.note_left(db, entry.id, self.now())
            await due.schedule(db, due_key(tournament.id, f"left:{entry.id}"), TOURNAMENT, self.now(), NOBODY)

    async def games_of(self, tournament: int, user: int) -> list[Pairing]:
        """Return a person's pairings in the season that runs or ran last. Most have a game."""
        async with self.store.reading() as db:
            found = await _require(db, tournament)
            played = await tournaments.load_played(db, found, found.season)
        own = {each.id for each in played.entries if each.seat.user == user}
        return [each for each in played.pairings if own & {each.white, each.black}]

    async def part_of(self, game: Game) -> PartOf | None:
        """Return the tournament that a game belongs to, with its season or round; None for any other game.

        Also None if the tournament cannot be read.
        """
        if game.terms.tournament is None:
            return None
        async with self.store.reading() as db:
            found = await tournaments.load_tournament(db, game.terms.tournament)
            pairing = await _pairing_of(db, game.id)
        if found is None or pairing is None:
            return None
        season, number = (None, pairing.round) if found.rounds else (pairing.season, None)
        return PartOf(found.name, season, number)

    async def stop(self, tournament: int) -> Tournament:
        """Stop a tournament. Its running games go on as games like any other, and change no rating."""
        async with self.store.transaction() as db:
            found = await _require(db, tournament)
            if found.state not in tournaments.GOES_ON:
                raise Refused(Why.TOURNAMENT_OVER)
            stopped = replace(found, state=TournamentState.STOPPED, starts_at=NOT_SET, ended_at=self.now())
            await tournaments.save_tournament(db, found, stopped)
            await tournaments.note_called_off(db, tournament, found.joins, self.now())
            for pairing in await tournaments.pairings_of(db, tournament, found.season):
                if pairing.game and not pairing.outcome:
                    await games.change_terms(db, pairing.game, tournament=None, rated=False)
            await owe_news(db, stopped, What.STOPPED, self.now())
        return stopped


async def _going_on(db: Connection, server: int) -> list[Tournament]:
    return _known(await tournaments.tournaments_on(db, server, tournaments.GOES_ON))


def _known(found: Sequence[Tournament]) -> list[Tournament]:
    """Return those of a kind that this version has."""
    return [each for each in found if each.kind in tournament_kinds()]


def _kind_of(tournament: Tournament) -> TournamentKind:
    if tournament.kind not in tournament_kinds():
        raise Refused(Why.NOT_OFFERED, option="kind", value=tournament.kind)
    return tournament_kinds()[tournament.kind]


async def _pairing_of(db: Connection, game: int) -> Pairing | None:
    """Return the pairing of a game, also of a void one that others have followed (R6.3)."""
    wanted: int | None = game
    while wanted is not None:
        if found := await tournaments.pairing_of_game(db, wanted):
            return found[1]
        wanted = await games.next_game(db, wanted)
    return None


async def _require(db: Connection, tournament: int) -> Tournament:
    found = await tournaments.load_tournament(db, tournament)
    if found is None or not _known([found]):
        raise Refused(Why.NO_TOURNAMENT)
    return found
