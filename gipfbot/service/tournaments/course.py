"""Let tournaments go on by themselves: begin and end their games, rounds and seasons.

A step is one transaction. It reads where the tournament stands, so it does not matter what a crash, another process or
an older version has left. A round or a season is paired outside of a transaction; it is begun only if no other process
has begun it meanwhile.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from gipfbot.engines.pairing import NoAnswer, PairingFailed
from gipfbot.match import DAY, Refused
from gipfbot.match.ratings import pool_of
from gipfbot.match.tournament import MOST_GAMES, Outcome, most_rounds, outcome_of
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.play.games import Games
from gipfbot.service.play.turn import begin_game
from gipfbot.store import Connection, Store, due, game_lists, games, ratings, tournaments
from gipfbot.values import DueRow, Stale, is_former_player
from gipfbot.values.tournaments import Pairing, Played, Tournament, TournamentState

from .kinds import Begun, TournamentKind, tournament_kinds
from .news import What, owe_news, tell_players

log = logging.getLogger(__name__)
UNRATED = 1500  # the rating of a player without one
AGAIN_SECONDS = 600  # until what has failed is tried again
GAMES_AT_ONCE = 4  # games that begin in one transaction: other writers wait meanwhile
NOBODY = 0  # whom the due rows concern
NOT_SET = 0  # when the next season begins, while one is played
BETWEEN_SEASONS = 7 * DAY  # in which players say whether they stay
WEEK = "week"  # what due rows are for, besides going on and reminding
# Called with a server and people. Returns those who have left it, as far as Discord can tell.
FindGone: TypeAlias = Callable[[int | None, Collection[int]], Awaitable[Collection[int]]]


async def nobody_gone(_server: int | None, _users: Collection[int]) -> Collection[int]:
    """Return that nobody has left a server."""
    return ()


def due_key(tournament: int, what: str) -> str:
    """Return the key of a due row that lets a tournament go on."""
    return f"{TOURNAMENT}:{tournament}:{what}"


def remind_key(tournament: Tournament) -> str:
    """Return the key of the due row that reminds those who have joined of the start, or of the next season's."""
    return due_key(tournament.id, f"remind:{tournament.joins}")


class TournamentCourse:
    """Lets tournaments go on. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], own_games: Games) -> None:
        self.store, self.now, self.games = store, now, own_games

    async def look_at_all(self) -> None:
        """Let all tournaments go on at the next sweep: an older version may have left results and rounds open."""
        async with self.store.transaction() as db:
            for tournament in await tournaments.ids_going_on(db):
                key = due_key(tournament, f"start of the bot at {self.now()}")
                await due.schedule(db, key, TOURNAMENT, self.now(), NOBODY)

    async def go_on_with_due(self, find_gone: FindGone = nobody_gone) -> None:
        """Let each tournament go on that has something to do. What fails for one is due again after AGAIN_SECONDS."""
        async with self.store.reading() as db:
            rows = await due.ready_rows(db, TOURNAMENT, self.now())
        for tournament in dict.fromkeys(map(_tournament_of, rows)):
            own = [row for row in rows if _tournament_of(row) == tournament]
            try:
                await self._do_due(tournament, own, find_gone)
            except Stale as stale:
                log.info("%s: another process has gone on with it", stale)
            except (NoAnswer, PairingFailed) as fault:
                log.error("tournament %s is tried again later: no pairing (%s)", tournament, fault)
                await self._put_off(own)
            except Exception:
                log.exception("tournament %s is tried again later", tournament)
                await self._put_off(own)

    async def _put_off(self, rows: Collection[DueRow]) -> None:
        async with self.store.transaction() as db:
            for row in rows:
                await due.postpone(db, row.key, self.now() + AGAIN_SECONDS)

    async def _do_due(self, tournament: int, rows: Collection[DueRow], find_gone: FindGone) -> None:
        await self.go_on(tournament, find_gone)
        async with self.store.transaction() as db:
            played = await self._load(db, tournament)
            for row in rows:
                if await due.finish_row(db, row.id, self.now()) and played:
                    await self._tell(db, played, row)

    async def _tell(self, db: Connection, played: Played, row: DueRow) -> None:
        """Remind those who have joined of the start, or say what a week of a season has brought."""
        tournament, what = played.tournament, row.key.split(":")[2]
        if row.key == remind_key(tournament) and tournament.starts_at != NOT_SET:
            joined = await tournaments.entries_of(db, tournament.id, tournament.joins)
            await tell_players(db, tournament, joined, What.SOON, self.now())
        elif what == WEEK and tournament.starts_at == NOT_SET and row.key == _week_key(tournament, _number_of(row)):
            await owe_news(db, tournament, What.WEEK, self.now(), str(_number_of(row)))
            await self._plan_week(db, tournament, _number_of(row) + 1)

    async def _plan_week(self, db: Connection, tournament: Tournament, number: int) -> None:
        await due.schedule(db, _week_key(tournament, number), TOURNAMENT, self.now() + 7 * DAY, NOBODY)

    async def go_on(self, tournament: int, find_gone: FindGone = nobody_gone) -> None:
        """Let a tournament go on until it waits for its players or for a time."""
        await self._resign_for_leavers(tournament)
        while any(
            [
                await self._enter_results(tournament),
                await self._begin_games(tournament),
                await self._go_further(tournament, find_gone),
            ]
        ):
            pass

    async def _resign_for_leavers(self, tournament: int) -> None:
        """Resign the running games of players who have left."""
        async with self.store.reading() as db:
            played = await self._load(db, tournament)
        gone = {each.id: each.seat.user for each in played.entries if each.left_at is not None} if played else {}
        for pairing in played.pairings if played and gone else ():
            leaver = gone.get(pairing.white) or gone.get(pairing.black or 0)
            if leaver and pairing.game and not pairing.outcome and not is_former_player(leaver):
                with suppress(Refused):  # the game has ended meanwhile
                    await self.games.resign(pairing.game, leaver)

    async def _load(self, db: Connection, tournament: int) -> Played | None:
        """Return a tournament that goes on, with its season; None if it is over or cannot be read."""
        found = await tournaments.load_tournament(db, tournament)
        if found is None or found.state not in tournaments.GOES_ON or found.kind not in tournament_kinds():
            return None
        return await tournaments.load_played(db, found, found.season)

    async def _enter_results(self, tournament: int) -> bool:
        """Enter results that no transaction has entered, and the losses of players who have left."""
        async with self.store.transaction() as db:
            played = await self._load(db, tournament)
            undecided = [each for each in played.pairings if each.outcome is None] if played else []
            ended = await games.ended_among(db, [each.game for each in undecided if each.game])
            to_decide = [each for each in undecided if each.game is None or each.game in ended]
            return any([played and await self._decide(db, played, each) for each in to_decide])

    async def _decide(self, db: Connection, played: Played, pairing: Pairing) -> bool:
        """Decide a pairing whose game has ended, or which is not played because somebody has left."""
        tournament, now = played.tournament, self.now()
        if pairing.game is None:
            gone = [each.id for each in played.entries if each.left_at is not None]
            outcome = _without_game(pairing, gone)
            if outcome:
                await tournaments.decide_pairing(db, tournament.id, pairing, outcome, now)
            return outcome is not None
        if pairing.games < MOST_GAMES and (follows := await games.next_game(db, pairing.game)):
            # An older version has begun it, which knows neither tournaments nor games without takebacks.
            await games.change_terms(db, follows, tournament=tournament.id, takebacks=tournament.terms.takebacks)
            await tournaments.note_game(db, tournament.id, pairing, follows)
            return True
        stored = await games.load_game(db, pairing.game)
        ended = stored and outcome_of(stored.game, pairing.games)
        if ended:
            await tournaments.decide_pairing(db, tournament.id, pairing, ended[0], now, late=ended[1])
        return bool(ended)

    async def _begin_games(self, tournament: int) -> bool:
        """Begin the games that can begin, at most GAMES_AT_ONCE of them."""
        async with self.store.transaction() as db:
            played = await self._load(db, tournament)
            ready = _ready(played, tournament_kinds()[played.tournament.kind]) if played else []
            for pairing in ready[:GAMES_AT_ONCE]:
                assert played
                await self._begin_game(db, played, pairing)
            return bool(ready)

    async def _begin_game(self, db: Connection, played: Played, pairing: Pairing) -> None:
        tournament, now = played.tournament, self.now()
        seats = {each.id: each.seat for each in played.entries}
        assert pairing.black is not None
        players = seats[pairing.white], seats[pairing.black]
        users = {player.user for player in players}
        known = await game_lists.people_with_results(db, users)
        house = tournament.terms.house if tournament.terms.house and tournament.terms.house.user in users else None
        new = known.any_game != users
        terms = replace(tournament.terms, tournament=tournament.id, newcomer=new, house=house)
        begun = await begin_game(db, tournament.ruleset, players, tournament.venue, terms, now)
        await tournaments.note_game(db, tournament.id, pairing, begun.game.id)
        await owe_board(db, begun, now, by=None)

    async def _go_further(self, tournament: int, find_gone: FindGone) -> bool:
        """Begin the next round or season if its time has come, or end the tournament."""
        async with self.store.reading() as db:
            played = await self._load(db, tournament)
        if played is None or any(each.outcome is None for each in played.pairings):
            return False
        kind, starts_at = tournament_kinds()[played.tournament.kind], played.tournament.starts_at
        if kind.seasons or not played.tournament.begun:
            if starts_at == NOT_SET:
                return await self._end_season(played, kind)
            return starts_at <= self.now() and await self._begin_season(played, kind, find_gone)
        return await self._begin_next(played, None, kind)

    async def _end_season(self, played: Played, kind: TournamentKind) -> bool:
        """Set when the next season begins. Return False: until then nothing more is to be done."""
        tournament, starts_at, tables = played.tournament, self.now() + BETWEEN_SEASONS, kind.tables(played)

        async def save(db: Connection) -> None:
            after = replace(tournament, starts_at=starts_at)
            await tournaments.save_tournament(db, tournament, after)
            await tournaments.note_places(db, tables)
            key = due_key(tournament.id, f"season:{tournament.begun + 1}")
            await due.schedule(db, key, TOURNAMENT, starts_at, NOBODY)
            await due.schedule(db, remind_key(after), TOURNAMENT, starts_at - DAY, NOBODY)
            await owe_news(db, after, What.SEASON_OVER, self.now())
            await tell_players(db, after, kind.asked_to_stay(played), What.STAY, self.now())
            await self._enter_house(db, played)

        await self._unless_gone_on(tournament, save)
        return False

    async def _enter_house(self, db: Connection, played: Played) -> None:
        """Let the bot take part in the next season if it has in this one. It draws no new lot."""
        tournament, house = played.tournament, played.tournament.terms.house
        for each in played.entries:
            if house and each.seat.user == house.user:
                await tournaments.add_entry(db, tournament.id, tournament.joins, each.seat, each.lot, self.now())

    async def _begin_season(self, before: Played, kind: TournamentKind, find_gone: FindGone) -> bool:
        """Begin a season, or the first round; call it off if there are too few players."""
        tournament = before.tournament
        new = await self._still_there(tournament, find_gone)
        if len(new.entries) < kind.fewest:
            await self._end_unplayed(new)
            return True  # unless somebody has just joined, there is nothing more to do
        return await self._begin_next(new, before if tournament.begun else None, kind)

    async def _still_there(self, tournament: Tournament, find_gone: FindGone) -> Played:
        """Return a season that has not begun. The entries of those who have left the server are deleted."""
        async with self.store.reading() as db:
            entries = await tournaments.entries_of(db, tournament.id, tournament.joins)
        house = tournament.terms.house
        people = [each.seat.user for each in entries if not house or each.seat.user != house.user]
        gone = await find_gone(tournament.venue.server, people)
        if gone:
            async with self.store.transaction() as db:
                for each in entries:
                    if each.seat.user in gone:
                        await tournaments.delete_entry(db, each.id)
        return Played(tournament, [each for each in entries if each.seat.user not in gone], [])

    async def _begin_next(self, played: Played, before: Played | None, kind: TournamentKind) -> bool:
        """Begin a season or round, or end the tournament after its last round. Return whether it goes on."""
        tournament = played.tournament
        is_last = not kind.seasons and 0 < tournament.rounds <= tournament.begun
        known = await self._ratings(tournament, [each.seat.user for each in played.entries])
        begun = None if is_last else await kind.begin(played, before, known)
        if begun is None:
            await self._end(played)
            return False
        await self._save_begun(played, begun, kind)
        return True

    async def _save_begun(self, played: Played, begun: Begun, kind: TournamentKind) -> None:
        """Store a season or round that begins."""
        before = played.tournament
        after = replace(before, state=TournamentState.RUNNING, begun=before.begun + 1, starts_at=NOT_SET)
        if not kind.seasons:
            after = replace(after, rounds=min(before.rounds, most_rounds(len(played.entries))))

        async def save(db: Connection) -> None:
            await tournaments.save_tournament(db, before, after)
            await _check_entries(db, played)
            await tournaments.number_entries(db, begun.numbers)
            await tournaments.add_pairings(db, before.id, begun.pairings, self.now())
            await owe_news(db, after, What.BEGUN, self.now())
            if kind.seasons:
                await self._plan_week(db, after, 1)

        await self._unless_gone_on(before, save)

    async def _end_unplayed(self, new: Played) -> None:
        """End a tournament whose next season, or whose start, too few have joined."""
        tournament, now = new.tournament, self.now()
        after = replace(tournament, state=TournamentState.CALLED_OFF, starts_at=NOT_SET, ended_at=now)

        async def save(db: Connection) -> None:
            await tournaments.save_tournament(db, tournament, after)
            await _check_entries(db, new)
            await tournaments.note_called_off(db, tournament.id, tournament.joins, now)
            await owe_news(db, after, What.CALLED_OFF, now)

        await self._unless_gone_on(tournament, save)

    async def _end(self, played: Played) -> None:
        """End a tournament after its last round."""
        tournament, now = played.tournament, self.now()
        after = replace(tournament, state=TournamentState.OVER, starts_at=NOT_SET, ended_at=now)

        async def save(db: Connection) -> None:
            await tournaments.save_tournament(db, tournament, after)
            await tournaments.note_places(db, tournament_kinds()[tournament.kind].tables(played))
            await owe_news(db, after, What.OVER, now)

        await self._unless_gone_on(tournament, save)

    async def _unless_gone_on(self, tournament: Tournament, save: Callable[[Connection], Awaitable[None]]) -> None:
        """Save in a transaction, unless the tournament has changed meanwhile, as when another process has gone on."""
        try:
            async with self.store.transaction() as db:
                await save(db)
        except Stale as stale:
            log.info("tournament %s has changed meanwhile: %s", tournament.id, stale)

    async def _ratings(self, tournament: Tournament, users: Collection[int]) -> Mapping[int, int]:
        pool = pool_of(tournament.ruleset)
        found = dict.fromkeys(users, UNRATED)
        async with self.store.reading() as db:
            for user in users:
                newest = (await ratings.newest_months(db, user)).get(pool)
                found[user] = round(newest.rating.value) if newest else UNRATED
        return found


async def _check_entries(db: Connection, seen: Played) -> None:
    """Raise Stale if somebody has joined or left a season since its entries were read."""
    tournament = seen.tournament
    if await tournaments.entries_of(db, tournament.id, tournament.joins) != seen.entries:
        raise Stale(f"entries of tournament {tournament.id}")


def _tournament_of(row: DueRow) -> int:
    return int(row.key.split(":")[1])


def _week_key(tournament: Tournament, number: int) -> str:
    return due_key(tournament.id, f"{WEEK}:{tournament.begun}:{number}")


def _number_of(row: DueRow) -> int:
    """Return the number of a week, from 1."""
    return int(row.key.split(":")[-1])


def _without_game(pairing: Pairing, gone: Collection[int]) -> Outcome | None:
    """Return how a pairing without a game ends if one of the two has left; None if both are there."""
    if pairing.black in gone:
        return Outcome.HALF if pairing.white in gone else Outcome.WHITE
    return Outcome.BLACK if pairing.white in gone else None


def _ready(played: Played, kind: TournamentKind) -> list[Pairing]:
    """Return the pairings whose games can begin now, in their order. Nobody gets too many at once."""
    running, ready = Counter[int | None](), list[Pairing]()
    for each in played.pairings:
        if each.game is not None and each.outcome is None:
            running.update((each.white, each.black))
    for each in played.pairings:
        busy = max(running[each.white], running[each.black]) >= kind.most_at_once
        if each.game is None and each.outcome is None and not busy:
            ready.append(each)
            running.update((each.white, each.black))
    return ready
