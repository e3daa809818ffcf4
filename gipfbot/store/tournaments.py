"""Tournaments, the entries of their players, and their pairings.

A season and a round are begun at most once: the row of the tournament says what was begun last, and is changed only
from the value that was read.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, or_, select, update

from gipfbot.match import Seat, Terms
from gipfbot.match.tournament import Outcome, Standing
from gipfbot.rules import Ruleset
from gipfbot.values import Stale, Venue, named_player
from gipfbot.values.tournaments import Entry, Pairing, Played, Title, Tournament, TournamentState

from .database import Connection, read_each
from .tournament_tables import tournament_entries, tournament_pairings, tournaments

_t, _e, _p = tournaments.c, tournament_entries.c, tournament_pairings.c
GOES_ON = TournamentState.OPEN, TournamentState.RUNNING
_NUMBER = (
    update(tournament_entries)
    .where(_e.id == bindparam("entry"))
    .values(division=bindparam("in_division"), number=bindparam("with_number"))
)
_PLACE = update(tournament_entries).where(_e.id == bindparam("entry")).values(place=bindparam("at_place"))
_THEIRS = select(tournament_pairings).where(_p.game == bindparam("of_game"))


async def add_tournament(db: Connection, new: Tournament) -> int:
    """Store a tournament that nobody has joined. Return its id."""
    values = {
        "server": new.venue.server,
        "channel": new.venue.channel,
        "parent": new.venue.parent,
        "kind": new.kind,
        "name": new.name,
        "user": new.organiser.user,
        "by_name": new.organiser.name,
        "ruleset": new.ruleset.data(),
        "terms": new.terms.data(),
        "rounds": new.rounds,
        "state": new.state,
        "begun": new.begun,
        "starts_at": new.starts_at,
        "created_at": new.created_at,
    }
    added = await db.execute(insert(tournaments).values(values).returning(_t.id))
    return int(added.scalar_one())


async def load_tournament(db: Connection, tournament: int) -> Tournament | None:
    """Return a tournament, or None if there is none or it cannot be read."""
    found = await _load(db, select(tournaments).where(_t.id == tournament))
    return found[0] if found else None


async def tournaments_on(
    db: Connection, server: int, states: Collection[TournamentState], limit: int | None = None
) -> list[Tournament]:
    """Return the tournaments of a server in these states, the newest first, without those that cannot be read.

    Those that cannot be read count for the `limit`.
    """
    mine = _t.server == server, _t.state.in_(states)
    return await _load(db, select(tournaments).where(*mine).order_by(_t.id.desc()).limit(limit))


async def ids_going_on(db: Connection) -> list[int]:
    """Return the ids of all tournaments that are open or run."""
    return [*await db.scalars(select(_t.id).where(_t.state.in_(GOES_ON)).order_by(_t.id))]


async def _load(db: Connection, query: Any) -> list[Tournament]:
    return read_each(db, await db.execute(query), "tournament", _tournament)


def _tournament(row: Row[Any]) -> Tournament:
    return Tournament(
        id=row.id,
        kind=row.kind,
        name=row.name,
        venue=Venue(row.server, row.channel, row.parent),
        organiser=Seat(row.user, named_player(row.user, row.by_name)),
        ruleset=Ruleset.from_data(row.ruleset),
        terms=Terms.from_data(row.terms),
        rounds=row.rounds,
        starts_at=row.starts_at,
        created_at=row.created_at,
        state=TournamentState(row.state),
        begun=row.begun,
        ended_at=row.ended_at,
    )


async def save_tournament(db: Connection, before: Tournament, after: Tournament) -> None:
    """Save what changes in the course of a tournament.

    Raises Stale if another season or round was begun or ended since `before` was loaded, or if its state has changed.
    """
    same = _t.id == before.id, _t.begun == before.begun, _t.state == before.state, _t.starts_at == before.starts_at
    values = {name: getattr(after, name) for name in ("state", "begun", "starts_at", "ended_at", "rounds")}
    if not (await db.execute(update(tournaments).where(*same).values(values))).rowcount:
        raise Stale(f"tournament {before.id}, {before.state} {before.begun}")


async def load_played(db: Connection, tournament: Tournament, season: int) -> Played:
    """Return a tournament with the entries and pairings of a season, which is 1 in a Swiss tournament."""
    return Played(tournament, await entries_of(db, tournament.id, season), await pairings_of(db, tournament.id, season))


async def entries_of(db: Connection, tournament: int, season: int) -> list[Entry]:
    """Return the entries of a season, the first entered first."""
    theirs = _e.tournament == tournament, _e.season == season
    return [_entry(row) for row in await db.execute(select(tournament_entries).where(*theirs).order_by(_e.id))]


def _entry(row: Row[Any]) -> Entry:
    seat = Seat(row.user, named_player(row.user, row.name))
    return Entry(row.id, row.season, seat, row.lot, row.division, row.number, row.left_at)


async def add_entry(db: Connection, tournament: int, season: int, seat: Seat, lot: int, now: int) -> None:
    """Store that a person takes part in a season. Raises IntegrityError if they do so already."""
    values = {"tournament": tournament, "season": season, "user": seat.user, "name": seat.name, "lot": lot}
    await db.execute(insert(tournament_entries).values(values | {"entered_at": now}))


async def delete_entry(db: Connection, entry: int) -> None:
    """Delete an entry of a season that has not begun."""
    await db.execute(delete(tournament_entries).where(_e.id == entry, _e.number.is_(None)))


async def number_entries(db: Connection, numbers: Mapping[int, tuple[int | None, int]]) -> None:
    """Save the division and the number in the table of pairings of entries, by their ids."""
    rows = [{"entry": entry, "in_division": where, "with_number": number} for entry, (where, number) in numbers.items()]
    if rows:
        await db.execute(_NUMBER, rows)


async def note_places(db: Connection, tables: Iterable[Iterable[Standing]]) -> None:
    """Store at the end of a season the places of its players, who are named by their entries."""
    rows = [{"entry": row.player, "at_place": row.place} for table in tables for row in table]
    if rows:
        await db.execute(_PLACE, rows)


async def note_left(db: Connection, entry: int, now: int) -> None:
    """Store that a player has left a season that has begun."""
    await db.execute(update(tournament_entries).where(_e.id == entry, _e.left_at.is_(None)).values(left_at=now))


async def leave_tournaments(db: Connection, user: int, now: int) -> None:
    """Let a person leave all seasons that run, and delete their entries of those that have not begun."""
    theirs, going_on = _e.user == user, select(_t.id).where(_t.state.in_(GOES_ON))
    await db.execute(delete(tournament_entries).where(theirs, _e.number.is_(None)))
    runs = theirs, _e.left_at.is_(None), _e.place.is_(None), _e.tournament.in_(going_on)
    await db.execute(update(tournament_entries).where(*runs).values(left_at=now))


async def note_called_off(db: Connection, tournament: int, season: int, now: int) -> None:
    """Store that a season was called off before it began. Entries that have begun to play stay as they are."""
    theirs = _e.tournament == tournament, _e.season == season, _e.number.is_(None)
    await db.execute(update(tournament_entries).where(*theirs).values(called_off_at=now))


async def pairings_of(db: Connection, tournament: int, season: int) -> list[Pairing]:
    """Return the pairings of a season, round by round."""
    theirs = _p.tournament == tournament, _p.season == season
    query = select(tournament_pairings).where(*theirs).order_by(_p.round, _p.white)
    return [_pairing(row) for row in await db.execute(query)]


def _pairing(row: Row[Any]) -> Pairing:
    outcome = row.outcome and Outcome(row.outcome)
    return Pairing(row.season, row.round, row.white, row.black, row.game, row.games, outcome, row.late)


async def add_pairings(db: Connection, tournament: int, new: Sequence[Pairing], now: int) -> None:
    """Store pairings that have no game yet. Byes among them are decided."""
    rows = [
        {**each._asdict(), "tournament": tournament, "decided_at": None if each.outcome is None else now}
        for each in new
    ]
    if rows:
        await db.execute(insert(tournament_pairings), rows)


async def pairing_of_game(db: Connection, game: int) -> tuple[int, Pairing] | None:
    """Return the pairing that a game is the last of, and its tournament; None for any other game."""
    row = (await db.execute(_THEIRS, {"of_game": game})).one_or_none()
    return None if row is None else (row.tournament, _pairing(row))


async def note_game(db: Connection, tournament: int, pairing: Pairing, game: int) -> None:
    """Store that a game has begun for a pairing. Raises Stale if another has begun since the pairing was loaded."""
    same = *_same(tournament, pairing), _p.games == pairing.games, _p.outcome.is_(None)
    change = update(tournament_pairings).where(*same).values(game=game, games=pairing.games + 1)
    if not (await db.execute(change)).rowcount:
        raise Stale(f"pairing {pairing} of tournament {tournament}")


async def decide_pairing(
    db: Connection, tournament: int, pairing: Pairing, outcome: Outcome, now: int, *, late: bool = False
) -> None:
    """Store how a pairing has ended. Does nothing if that is known already."""
    same = *_same(tournament, pairing), _p.outcome.is_(None)
    await db.execute(update(tournament_pairings).where(*same).values(outcome=outcome, late=late, decided_at=now))


def _same(tournament: int, pairing: Pairing) -> tuple[Any, ...]:
    return (
        _p.tournament == tournament,
        _p.season == pairing.season,
        _p.round == pairing.round,
        _p.white == pairing.white,
    )


async def entered_in(db: Connection, user: int) -> list[tuple[int, Entry]]:
    """Return the entries of a person in tournaments that go on, each with its tournament.

    In a league, only those of the season that runs, and of the one that begins next.
    """
    plays = or_(_t.rounds > 0, _e.season == _t.begun, _e.number.is_(None))
    theirs = _e.user == user, _t.state.in_(GOES_ON), plays
    query = select(tournament_entries).join(tournaments).where(*theirs).order_by(_e.id)
    return [(row.tournament, _entry(row)) for row in await db.execute(query)]


async def titles_of(db: Connection, user: int, limit: int) -> list[Title]:
    """Return what a person has won, the newest first: Swiss tournaments, and seasons in the first division."""
    won = _e.user == user, _e.place == 1, func.coalesce(_e.division, 1) == 1
    query = select(_e.season, tournaments).select_from(tournament_entries.join(tournaments)).where(*won)
    return [
        Title(row.id, row.name, None if row.rounds else row.season, Venue(row.server, row.channel, row.parent))
        for row in await db.execute(query.order_by(_e.id.desc()).limit(limit))
    ]
