"""Write a database that later versions must be able to read: `python -m tests.store.write_database`.

The file has rows in every table, is named after the newest migration, and is the same at each run. Run this whenever a
migration is added. Never write the file of a released version again.
"""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import patch

from sqlalchemy import delete, insert

from gipfbot.languages import load_language
from gipfbot.match import (
    TIME_CONTROLS,
    UNTIMED,
    Game,
    RequestState,
    Seat,
    Side,
    Status,
    Terms,
    perform,
    position_hash,
    read_typed_turn,
)
from gipfbot.match.analysis import FoundTurn
from gipfbot.match.puzzle import puzzle_study
from gipfbot.match.ratings import month_of
from gipfbot.match.study import Study, begin_practice, perform_in_study, study_game
from gipfbot.match.tournament import Outcome, bank_for_game
from gipfbot.notation import read_record
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Ruleset, legal, start
from gipfbot.service.app import App, create_app
from gipfbot.service.clock import downtime
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.puzzles import making
from gipfbot.service.puzzles.making import shipped_puzzles
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.service.settings.puzzle_channel import DAILY_PUZZLE
from gipfbot.store import Store, analyses, hashed_ids, puzzles, shard_heartbeats, tables, tournaments, watching
from gipfbot.values import NO_LIMITS, THREAD, AnalysisState, HiddenUse, LostReason, News, Nickname, OutboxRow, Venue
from gipfbot.values.tournaments import Pairing, Tournament, TournamentState
from tests.rules.generate import row_seeking
from tests.support.games import E1
from tests.support.migrations import NEWEST_DATABASE
from tests.support.people import ANN, BOB, CARA, CLUB, EVE, HALL, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR, NOW

STARRED = replace(CARA, name="Cara *é*")
ATTIC, CORNER, SEEKERS = HALL + 1, HALL + 2, HALL + 3
SAVING_WORKDAYS = Terms(TIME_CONTROLS["saving"], weekends=False, grace=0)
RECORD = '[Event "A cup"]\n[White "Ann"]\n[Black "Zoe"]\n1. c2 g2! {well} 2. b3 b4 1-0'
ENDS_AT = 1_803_978_000  # the time of the last event


GERMAN = load_language("de")


class Club:
    """A club whose members play, with a clock that the script moves."""

    def __init__(self, store: Store) -> None:
        self.store, self.now, self.messages = store, NOW, HALL
        self.app: App = create_app(store, lambda: self.now, lambda: True, limits=NO_LIMITS)

    async def live(self, seconds: int) -> None:
        """Post what is owed, and let time pass while the bot runs."""
        await self.deliver()
        self.now += seconds
        async with self.store.transaction() as db:
            await downtime.note_alive(db, self.now)

    async def deliver(self, kind: str | None = None) -> None:
        """Post what is owed, of one kind or of all."""
        while rows := [row for row in await self.leased() if kind in (None, row.kind)]:
            for row in rows:
                await self._post(row)
            await self.app.outbox.release_leases()

    async def leased(self) -> list[OutboxRow]:
        """Lease all rows that can be posted now, and return them."""
        await self.app.outbox.release_leases()
        rows = [await self.app.outbox.lease_row(row_id) for row_id in await self.app.outbox.deliverable_rows()]
        return [row for row in rows if row]

    async def _post(self, row: OutboxRow) -> None:
        """Post a row; a thread gets the id of the message that it is made from."""
        self.messages += row.kind != THREAD
        await self.app.outbox.note_delivered(row, self.messages)

    async def begin(
        self, rules: Ruleset, terms: Terms = UNTIMED, venue: Venue = HOME, white: Seat = ANN, black: Seat = BOB
    ) -> int:
        """Begin a game and return its id."""
        offered, _ = await self.app.lobby.challenge(white, black, rules, Side.WHITE, venue, terms)
        return (await self.app.lobby.accept_challenge(offered.challenge.id, black))[1].game.id

    async def game(self, game_id: int) -> Game:
        return (await self.app.games.game(game_id)).game

    async def play(self, game_id: int, turns: int = 1000, *, seed: int = 0, into_turn: bool = False) -> None:
        """Play so many turns, or until the game ends; with `into_turn`, stop at an unfinished turn."""
        rng, game = Random(seed), await self.game(game_id)
        until = game.turn_number + turns
        while game.asked is not None and game.turn_number < until and not (into_turn and game.draft):
            user, action = game.seats[game.asked].user, row_seeking(game.current, legal(game.current), rng)
            game = (await self.app.games.play_actions(game_id, user, [action])).game
        await self.deliver()


async def fill_database(store: Store) -> None:
    """Let a club do something of everything."""
    club = Club(store)
    await _set_up(club)
    await _arrive(club)
    await _claim(club)
    await _end_games(club)
    await _take_back(club)
    await _leave_conditionals(club)
    await _study(club)
    await _go_elsewhere(club)
    await _challenge(club)
    await _go_on_vacation(club)
    await _owe(club)
    await _look_at_games(club)
    await _rename(club)
    await _follow(club)
    await _solve_puzzles(club)
    await _block(club)
    await _hold_tournaments(club)
    await _delete_data(club)
    await club.app.explorer.count_ended()
    await _analyse(club)
    await _run_shards(club)


async def _set_up(club: Club) -> None:
    app = club.app
    await app.flag_watch.check_flags()
    await app.synced_commands.note_commands("0" * 64, {"gipf": 1})
    terms = {"rules": "basic", "pace": "3", "vacation": 20, "cap": 40}
    await app.servers.change(CLUB, {**terms, "theme": "night", "seekers": SEEKERS})
    await app.users.change(ANN.user, {"notation": "julio974"})
    await app.users.note_language(ANN.user, GERMAN)
    await app.servers.note_language(CLUB, GERMAN)
    await app.reminders.set_wish(ANN.user, "50%")
    await app.digests.set_plan(BOB.user, 8, "Europe/Berlin")


async def _arrive(club: Club) -> None:
    """Let the bot join two servers long ago, and be removed from one of them."""
    for server in (CLUB, CLUB + 1):
        await club.app.arrivals.note_arrival(server, NOW - 2 * DAY, [HALL])
    await club.app.arrivals.note_departure(CLUB + 1)


async def _claim(club: Club) -> None:
    """Leave two games: one was won by a claim, in the other the warning still runs."""
    won, claimed = await club.begin(STANDARD), await club.begin(TOURNAMENT)
    for game_id in (won, claimed):
        await club.play(game_id, 2)
        await club.app.games.play_actions(game_id, ANN.user, [legal((await club.game(game_id)).current)[0]])
    await club.live(31 * DAY)
    await club.app.win_claims.claim_win(won, ANN.user)
    await club.live(8 * DAY)
    await club.app.win_claims.settle_due_win_claims()
    await club.app.win_claims.claim_win(claimed, ANN.user)
    await club.deliver()


async def _end_games(club: Club) -> None:
    """End games in each way: on the board, resigned, cancelled, void, on time; leave one in its grace."""
    won, resigned = await club.begin(TOURNAMENT), await club.begin(STANDARD, Terms(rated=True))
    cancelled, void = [await club.begin(BASIC) for _ in range(2)]
    late = await club.begin(STANDARD, THREE_DAYS)
    await club.play(won, seed=7)
    await club.play(resigned, 5)
    await club.app.games.resign(resigned, BOB.user)
    await club.app.leaderboards.note_members(CLUB, {ANN.user: True})
    await club.app.games.cancel_game(cancelled, ANN.user)
    await _repeat(club, void)
    await club.live(DAY)
    grace = await club.begin(STANDARD, THREE_DAYS)
    await club.live(2 * DAY + HOUR)
    await club.app.flag_watch.check_flags()
    await club.live(13 * HOUR)
    await club.app.flag_watch.check_flags()
    await club.live(11 * HOUR)
    await club.app.flag_watch.check_flags()
    assert (await club.game(late)).status is Status.OVER
    assert (await club.game(grace)).status is Status.RUNNING


async def _repeat(club: Club, game_id: int) -> None:
    """Make a game void by a repetition: its third turn counts as the third time of its position (R6.3)."""
    await club.play(game_id, 2)
    before = (await club.app.games.game(game_id)).game
    after = perform(before, ANN.user, read_typed_turn(before, ANN.user, "b4")).turn
    assert after
    assert before.asked is not None
    row = {"game": game_id, "colour": 0, "text": "", "actions": "", "by": 0, "how": "", "played_at": 0}
    rows = [{**row, "turn_number": number, "position_hash": position_hash(after.after)} for number in (-1, -2)]
    async with club.store.transaction() as db:
        await db.execute(insert(tables.turns), rows)
    await club.app.games.play_typed(game_id, ANN.user, "b4")
    async with club.store.transaction() as db:
        await db.execute(delete(tables.turns).where(tables.turns.c.turn_number < 0))


async def _take_back(club: Club) -> None:
    """Request three takebacks: one is accepted, one is declined, one stays open."""
    game_id, app = await club.begin(TOURNAMENT, SAVING_WORKDAYS), club.app
    await club.play(game_id, 6)
    await app.requests.settle(
        (await app.requests.make(TAKEBACK, game_id, ANN.user)).request.id, BOB.user, RequestState.ACCEPTED
    )
    await club.play(game_id, 3)
    await app.requests.settle(
        (await app.requests.make(TAKEBACK, game_id, ANN.user)).request.id, BOB.user, RequestState.DECLINED
    )
    await app.requests.make(TAKEBACK, game_id, BOB.user)
    await club.deliver()


async def _leave_conditionals(club: Club) -> None:
    """Leave conditionals: some wait, one is played, one is discarded."""
    waiting, played, discarded = [await club.begin(BASIC) for _ in range(3)]
    for game_id in (waiting, played, discarded):
        await club.app.conditionals.add_typed_line(game_id, BOB.user, "c2 g2 b3 b4")
    await club.app.games.play_typed(played, ANN.user, "c2")
    await club.app.games.play_typed(discarded, ANN.user, "b4")
    await club.deliver()


async def _study(club: Club) -> None:
    """Begin three studies: a record with notes, one that breaks, a game in the middle of a turn.

    Begin a practice, and a guess in that game.
    """
    app = club.app
    await app.studies.add_study(ANN.user, read_record(RECORD, "basic"))
    broken = read_record("1. c2 g2 2. c2 a9", "standard")
    await app.studies.add_study(ANN.user, broken)
    game_id = await club.begin(STANDARD)
    await club.play(game_id, into_turn=True)
    await app.notes.set_note(game_id, ANN.user, "Take the *middle* row.")
    stored, _ = await app.studies.study_of_game(game_id, ANN.user)
    await app.studies.change(stored.study.id, ANN.user, stored.study.version, _try_into_turn)
    await app.studies.begin_hidden((await app.games.game(game_id)).game, CARA.user, HiddenUse.GUESS)
    practice = await app.practices.begin(ANN.user, "Four in a row", begin_practice(start(BASIC)), 5)
    played = await app.studies.change(practice.study.id, ANN.user, 0, _try_first_turn)
    await app.practices.answer(played)


def _try_first_turn(study: Study) -> Study:
    return perform_in_study(study, [legal(study_game(study).current)[0]])


def _try_into_turn(study: Study) -> Study:
    """Return a study with turns tried and another turn begun."""
    rng = Random(2)
    while not (study.tried and study.draft):
        position = study_game(study).current
        study = perform_in_study(study, [row_seeking(position, legal(position), rng)])
    return study


async def _analyse(club: Club) -> None:
    """Leave three analyses of ended games: one is done, one has failed, and Ann waits for one."""
    ended = sorted(game.id for game in await club.app.studies.ended_games(ANN.user, 50))
    for game_id, state in zip(ended, AnalysisState, strict=False):
        turns = (await club.game(game_id)).turn_number
        async with club.store.transaction() as db:
            new = await analyses.add_analysis(db, game_id, turns, club.now, club.now + 30 * DAY)
            places = turns if state is AnalysisState.DONE else min(1, turns)
            best = FoundTurn((E1,), -30, ((E1,), (E1,)))
            await analyses.save_found(db, new, replace(new, state=state, found=((), *[(best,)] * places)))
            if state is AnalysisState.RUNNING:
                await analyses.add_asker(db, ANN.user, game_id, club.now)


async def _go_elsewhere(club: Club) -> None:
    """Begin games in a thread, without the thread asked for, in an unreachable channel, and in private."""
    own = Terms(TIME_CONTROLS["7"], thread=True)
    await club.begin(STANDARD, own)
    await club.deliver()
    await club.begin(STANDARD, own)
    await club.deliver("challenge")
    await club.deliver("board")
    (thread,) = await club.leased()
    await club.app.outbox.note_channel_refusal(thread, "Forbidden")
    await club.begin(BASIC, venue=Venue(None, CORNER))
    await club.deliver()
    await club.begin(BASIC, THREE_DAYS, venue=Venue(CLUB, ATTIC))
    await club.deliver("challenge")
    (board,) = await club.leased()
    await club.app.outbox.note_channel_refusal(board, "Forbidden")


async def _challenge(club: Club) -> None:
    """Make challenges and seeks, open and closed."""
    lobby = club.app.lobby
    seek, _ = await lobby.challenge(STARRED, None, TOURNAMENT, Side.LOT, HOME, SAVING_WORKDAYS, takers=3)
    await lobby.accept_challenge(seek.challenge.id, BOB)
    declined, _ = await lobby.challenge(ANN, STARRED, STANDARD, Side.BLACK, HOME)
    await lobby.decline_challenge(declined.challenge.id, STARRED.user)
    withdrawn, _ = await lobby.challenge(ANN, STARRED, STANDARD, Side.BLACK, HOME)
    await lobby.withdraw_challenge(withdrawn.challenge.id, ANN.user)
    await lobby.challenge(ANN, STARRED, BASIC, Side.LOT, Venue(CLUB, CORNER, HALL), THREE_DAYS)
    ended = (await club.app.studies.ended_games(ANN.user, 50))[-1]
    await lobby.rematch(ended.id, ANN)
    await club.deliver()


async def _go_on_vacation(club: Club) -> None:
    """Let Bob's vacation end and Cara's begin, which pauses her clock."""
    app = club.app
    await app.vacations.start_vacation(BOB.user, 2)
    await club.live(DAY)
    await app.vacations.end_vacation(BOB.user)
    await club.begin(STANDARD, THREE_DAYS, white=STARRED)
    await club.deliver()
    await app.vacations.start_vacation(STARRED.user, 5)
    await club.deliver()


async def _owe(club: Club) -> None:
    """Leave reminders off, posted and refused, a nudge, a digest, and a challenge and a board that are still owed."""
    app, (off, off_now, played, late) = club.app, [await club.begin(STANDARD, THREE_DAYS) for _ in range(4)]
    await club.deliver()
    await app.reminders.turn_off_for_game(ANN.user, off)
    await app.reminders.turn_off_for_turn(ANN.user, off_now, 0)
    await app.games.play_typed(played, ANN.user, "c2")
    await club.live(2 * DAY)
    await app.reminders.owe_due_reminders()
    await app.digests.owe_due_digests()
    await app.reminders.nudge(played, ANN.user, 1)
    (refused,) = [row for row in await club.leased() if row.key == f"reminder:{late}:0"]
    await app.outbox.note_dm_refusal(refused, "Forbidden", shut=True)
    await club.deliver()
    await club.begin(TOURNAMENT, THREE_DAYS)
    await app.outbox.retry_later((await club.leased())[0])


async def _look_at_games(club: Club) -> None:
    """Let Ann look at her list of games."""
    await club.app.games.note_listed(ANN.user, await club.app.games.running_games(ANN.user), [])


async def _follow(club: Club) -> None:
    """Let Cara follow a game and two players, and guess a turn. One follow has ended: a message was refused."""
    ended = await club.app.follows.follow_player(STARRED.user, ANN, News.EACH_TURN)
    await club.app.follows.follow_player(STARRED.user, BOB, News.RESULT)
    await club.app.follows.follow_game(STARRED.user, 23, News.EACH_TURN)
    async with club.store.transaction() as db:
        await watching.lose_follow(db, ended.id, LostReason.REFUSED)
    await club.app.guesses.guess(STARRED.user, 23, 1, "g2")


async def _solve_puzzles(club: Club) -> None:
    """Post a puzzle of the day. Leave one tried, and one with an unfinished turn."""
    app = club.app
    with patch.object(making, "shipped_puzzles", lambda: shipped_puzzles()[:3]):
        await app.servers.change(CLUB, {"puzzles": HALL})
        await app.daily_puzzles.owe_due_puzzles()
        await club.deliver(DAILY_PUZZLE)
        opened = await app.puzzles.open_next(ANN.user, CLUB)
        await app.puzzles.play(opened, opened.stored.puzzle.line[0])
        await app.puzzles.give_up(opened.stored.id, ANN.user, CLUB)
        begun = await app.puzzles.open_next(BOB.user, CLUB, 2)
    async with club.store.transaction() as db:
        draft = begun.stored.puzzle.line[0][:1]
        await puzzles.save_board(db, begun.entered, puzzle_study(begun.stored.puzzle, (), draft))


async def _block(club: Club) -> None:
    """Let Bob block two people, and unblock one."""
    for blocked in (STARRED, EVE):
        await club.app.blocks.block(BOB.user, blocked)
    await club.app.blocks.unblock(BOB.user, EVE.user)


async def _hold_tournaments(club: Club) -> None:
    """Open a league, whose first season runs, and a Swiss tournament, which Ann and Cara have joined."""
    what = HOME, ANN, BASIC, Terms(bank_for_game(10), vacation=7, takebacks=False)
    league = Tournament(0, "league", "A cup", *what, rounds=0, starts_at=club.now, created_at=club.now - DAY)
    swiss = Tournament(0, "swiss", "An open", *what, rounds=4, starts_at=club.now + 7 * DAY, created_at=club.now)
    async with club.store.transaction() as db:
        for new, seats in ((league, (ANN, BOB, STARRED)), (swiss, (ANN, STARRED))):
            tournament = await tournaments.add_tournament(db, new)
            for lot, seat in enumerate(seats):
                await tournaments.add_entry(db, tournament, 1, seat, lot, club.now)
        ann, bob, cara = (entry.id for entry in await tournaments.entries_of(db, 1, 1))
        await tournaments.number_entries(db, {ann: (1, 1), bob: (1, 2), cara: (1, 3)})
        begun = replace(league, id=1)
        await tournaments.save_tournament(db, begun, replace(begun, state=TournamentState.RUNNING, begun=1))
        first, bye = Pairing(1, 1, ann, bob), Pairing(1, 1, cara, None, outcome=Outcome.BYE)
        await tournaments.add_pairings(db, 1, [first, bye, Pairing(1, 2, bob, cara)], club.now)
        await tournaments.note_game(db, 1, first, 1)


async def _rename(club: Club) -> None:
    """Let Cara have another name for a while."""
    for name in ("Zoë", STARRED.name):
        await club.app.users.rename(CARA.user, Nickname(CLUB, name))


async def _delete_data(club: Club) -> None:
    """Let Eve challenge Bob and delete her data. The deletion stops at its beginning, as by a crash.

    Two rated games of hers with Bob had counted in this month.
    """
    await club.app.lobby.challenge(EVE, BOB, BASIC, Side.LOT, HOME)
    await club.deliver(CHALLENGE)
    await club.app.deletions.begin(EVE.user)
    async with club.store.transaction() as db:
        for _ in range(2):
            await hashed_ids.add_to_pair(db, (EVE.user, BOB.user), "standard", month_of(club.now))


async def _run_shards(club: Club) -> None:
    """Note when two shards last ran, as several processes do. The clocks of one are being credited."""
    runs = {"count": 2, "shard": 0, "alive_at": club.now, "credit_until": None, "last_game": None}
    credited = {"count": 2, "shard": 1, "alive_at": club.now - HOUR, "credit_until": club.now, "last_game": 3}
    async with club.store.transaction() as db:
        await db.execute(insert(shard_heartbeats.shard_heartbeats), [runs, credited])


async def write_database(target: Path) -> None:
    """Write the database to a new file."""
    marks, pseudonyms = patch("secrets.token_hex", _steady_marks(Random(1))), patch("secrets.randbelow", lambda _: 1)
    with tempfile.TemporaryDirectory() as folder, marks, pseudonyms:
        store = await Store.open_database(f"sqlite+aiosqlite:///{folder}/club.sqlite3")
        await fill_database(store)
        await store.close()
        with closing(sqlite3.connect(f"{folder}/club.sqlite3")) as db:
            db.executescript("PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM")
            db.execute("VACUUM INTO ?", (str(target),))


def _steady_marks(rng: Random) -> object:
    return lambda length: rng.randbytes(length).hex()


if __name__ == "__main__":
    NEWEST_DATABASE.unlink(missing_ok=True)
    NEWEST_DATABASE.parent.mkdir(exist_ok=True)
    asyncio.run(write_database(NEWEST_DATABASE))
