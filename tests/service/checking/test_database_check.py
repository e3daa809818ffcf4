"""The check of a database finds each thing that does not follow from the turns, and nothing in a sound one."""

import shutil
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from gipfbot.match import TIME_CONTROLS, Refused, RequestState, Terms
from gipfbot.rules import OVERBOARD, STANDARD, TOURNAMENT, Ruleset, legal, with_potentials
from gipfbot.service.checking import database_check
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store
from gipfbot.store.database_file import file_url
from tests.rules.generate import row_seeking
from tests.store.write_database import ENDS_AT, Club
from tests.support.migrations import NEWEST_DATABASE
from tests.support.people import ANN, BOB
from tests.support.times import DAY, HOUR
from tests.year.living import quick_store

from .spoilt import change

RENAMED = 9_000_000_000_000_000_000


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Return a copy of a database in which a club has done something of everything."""
    return Path(shutil.copy(NEWEST_DATABASE, tmp_path / "club.sqlite3"))


async def found(path: Path, now: int = ENDS_AT) -> list[str]:
    store = Store.open_to_read(file_url(path))
    try:
        return [sentence async for sentence in DatabaseCheck(store, lambda: now).differences()]
    finally:
        await store.close()


async def test_nothing_differs_in_a_sound_database(club: Path) -> None:
    assert await found(club) == []


async def test_games_of_many_batches_are_all_checked(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_check, "BATCH", 4)
    store = Store.open_to_read(file_url(club))
    check = DatabaseCheck(store, lambda: ENDS_AT)
    assert [sentence async for sentence in check.differences()] == []
    assert (check.checked.games, check.checked.turns, check.checked.ratings) == (25, 41, 4)
    await store.close()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        # The turns.
        ("turns SET text = 'e9' WHERE game = 10 AND turn_number = 2", "#j1: the text of turn 2 is stored as 'e9', but"),
        ("turns SET position_hash = 'ab' WHERE game = 3 AND turn_number = 9", "#c1: the hash of the position after"),
        ("turns SET colour = 0 WHERE game = 3 AND turn_number = 2", "#c1: the colour of turn 2 is stored as 'White'"),
        ("turns SET by = 77 WHERE game = 3 AND turn_number = 2", "#c1: the player of turn 2 is stored as 77, but"),
        ("turns SET actions = 'e5' WHERE game = 10 AND turn_number = 2", "#j1: turn 2, stored as "),
        ("turns SET turn_number = 99 WHERE game = 10 AND turn_number = 7", "#j1: the number of turn 7 is stored as 99"),
        # What follows from them.
        ("games SET turn_number = 1 WHERE id = 12", "#l1: the number of turns is stored as 1, but it must be 2"),
        ("games SET taken_back = 1 WHERE id = 10", "#j1: the number of turns taken back is stored as 1, but"),
        ("games SET position = (SELECT previous FROM games WHERE id = 12) WHERE id = 12", "#l1: the position is"),
        ("games SET previous = position WHERE id = 12", "#l1: the position before the last turn is stored as "),
        ("games SET pool = 'basic' WHERE id = 10", "#j1: the pool is stored as 'basic', but it must be 'tournament'"),
        ("games SET waiting_seat = 0 WHERE id = 10", "#j1: who has to move is stored as (0, 1"),
        ("games SET waiting_user = 77 WHERE id = 10", "#j1: who has to move is stored as (1, 77), but"),
        ("games SET waiting_user = 77 WHERE id = 3", "#c1: who has to move is stored as (None, 77), but"),
        ("games SET waiting_since = NULL WHERE id = 12", "#l1: since when it waits is stored as None, but"),
        # How it ended.
        ("games SET result = '1-0' WHERE id = 3", "#c1: the result is stored as '1-0 by gipf', but it must be '0-1 by"),
        ("games SET reason = 'reserve' WHERE id = 3", "#c1: the result is stored as '0-1 by reserve', but it must be"),
        ("games SET status = 'running' WHERE id = 3", "#c1: the status is stored as 'running', but it must be 'over'"),
        ("games SET reason = 'gipf' WHERE id = 4", "#d1: it is stored as over by 'gipf', but its last turn does not"),
        ("games SET reason = 'old' WHERE id = 4", "#d1: it is stored as over by 'old', but its last turn does not"),
        ("games SET result = '0-1' WHERE id = 4", "#d1: it is stored as resigned, but its loser has not resigned"),
        ("games SET reason = 'agreement' WHERE id = 4", "#d1: it is stored as ended by agreement, but nothing says"),
        ("games SET result = '1-0' WHERE id = 12", "#l1: the result is stored as '1-0 by None', but it must be 'None"),
        ("games SET ended_at = 1 WHERE id = 12", "#l1: it is stored as running, but when it ended as 1"),
        ("games SET ended_at = NULL WHERE id = 7", "#g1: it is stored as over, but when it ended as None"),
        ("games SET status = 'cancelled' WHERE id = 12", "#l1: it is stored as cancelled, but both players have moved"),
        # The unfinished turn.
        ("draft SET action = '+Pa1a2' WHERE game = 14", "#n1: its unfinished turn cannot be played"),
        ("draft SET action = '?' WHERE game = 14", "#n1: its unfinished turn cannot be played"),
        ("draft SET step = 4 WHERE game = 14", "#n1: its unfinished turn cannot be played"),
        ("draft SET game = 4 WHERE game = 14", "#d1: its unfinished turn cannot be played"),
        # The clock.
        ("games SET white_bank = 7, black_bank = 7 WHERE id = 12", "#l1: a clock is stored, but it has none"),
        ("games SET deadline_at = 7 WHERE id = 7", "#g1: a clock is stored, but it has none"),
        ("games SET flagged = 1 WHERE id = 12", "#l1: a clock is stored, but it has none"),
        ("games SET white_bank = NULL WHERE id = 9", "#i1: it has a time limit, but no clock is stored"),
        ("games SET deadline_at = NULL WHERE id = 10", "#j1: the clock must run or be paused, but is stored with"),
        ("games SET paused_left = 7 WHERE id = 10", "#j1: the clock must run or be paused, but is stored with"),
        ("games SET paused_left = -7 WHERE id = 20", "#t1: the paused clock is stored with -7 s left"),
        ("games SET flagged = 1 WHERE id = 20", "#t1: the player to move is flagged, but no grace runs"),
        ("games SET white_bank = -7 WHERE id = 10", "#j1: White is stored with -7 s"),
        ("games SET white_bank = 7 WHERE id = 21", "#u1: the time at the start is stored as (7, 259200)"),
        ("games SET black_bank = 7 WHERE id = 10", "#j1: the waiting player's time after turn 7 is stored as 7, but"),
        ("games SET white_bank = 9999999 WHERE id = 10", "#j1: the time of its player after turn 7 is stored"),
        ("turns SET white_bank = 7 WHERE game = 10 AND turn_number = 3", "#j1: the waiting player's time after"),
        ("turns SET black_bank = -7 WHERE game = 10 AND turn_number = 3", "#j1: the time after turn 2 is stored as ("),
        ("turns SET white_bank = NULL WHERE game = 10 AND turn_number = 3", "#j1: the time at the start of turn 3 is"),
        ("turns SET white_bank = 7 WHERE game = 12 AND turn_number = 1", "#l1: the time at the start of turn 1 is"),
        # What cannot be read.
        ("games SET ruleset = '[]' WHERE id = 8", "#h1: it cannot be read, so the bot leaves it as it is ("),
        ("games SET terms = '[]' WHERE id = 8", "#h1: it cannot be read, so the bot leaves it as it is ("),
        ("games SET status = 'lost' WHERE id = 8", "#h1: it cannot be read, so the bot leaves it as it is ("),
        ("games SET position = 'basic w' WHERE id = 8", "#h1: it cannot be read, so the bot leaves it as it is ("),
        ("seats SET game = 999999 WHERE game = 8 AND colour = 0", "#h1: a player is missing"),
        # Beside the games.
        ("ratings SET rating = 9999 WHERE games = 1", "rows of ratings that are not what the games give: 8; gipfbot"),
        ("rated_results SET counts = 0", "rows of ratings that are not what the games give: 2; gipfbot ratings"),
        ("rated_results SET points = 1 - points", "rows of results that are not what the games give: 4; gipfbot"),
        ("standings SET rating = 9999", "rows of standings that are not what the games give: 8; gipfbot ratings"),
        ("standing_steps SET players = 99 WHERE step < 0", "rows of steps that are not what the games give: 8"),
        ("explored_turns SET white = 99", "counts of the explorer that are not what the games give: 15"),
    ],
)  # fmt: skip
async def test_each_broken_thing_is_named(statement: str, sentence: str, club: Path) -> None:
    change(club, f"UPDATE {statement}")
    sentences = await found(club)
    assert [each for each in sentences if each.startswith(sentence)], sentences
    games = {each.partition(":")[0] for each in sentences if each.startswith("#")}
    assert len(games) == sentence.startswith("#"), "other games are as sound as before"


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("turns WHERE game = 10 AND turn_number = 7", "#j1: it cannot be read, so the bot leaves it as it is ("),
        ("turns WHERE game = 10 AND turn_number = 3", "#j1: the number of turn 3 is stored as 4, but it must be 3"),
        ("events WHERE game = 4", "#d1: it is stored as resigned, but its loser has not resigned"),
        ("events WHERE game = 6", "#f1: it is stored as ended by repetition, but nothing says that this happened"),
        ("events WHERE game = 10", "#j1: the number of turns taken back is stored as 2, but it must be 0"),
        ("rated_results", "rows of results that are not what the games give: 2; gipfbot ratings --rebuild mends them"),
    ],
)
async def test_each_missing_thing_is_named(statement: str, sentence: str, club: Path) -> None:
    change(club, f"DELETE FROM {statement}")
    sentences = await found(club)
    assert [each for each in sentences if each.startswith(sentence)], sentences


async def test_a_deletion_under_way_is_no_difference(club: Path) -> None:
    """Some rows of a game have the person's id, and some have the pseudonym already."""
    bob = 1_000_000_000_000_000_002
    rows = f"VALUES ({bob}, {RENAMED}, 1, 0, 0, 0)"
    change(club, f"UPDATE seats SET user = {RENAMED} WHERE user = {bob} AND game = 10")
    assert len(await found(club)) > 1
    change(club, f"INSERT INTO deletions (user, pseudonym, began_at, games_done, rows_left, challenges_left) {rows}")
    assert await found(club) == []


async def test_standings_that_only_time_has_changed_are_no_difference(club: Path) -> None:
    """The bot lists these players anew by itself, at its next sweep."""
    assert await found(club, ENDS_AT + 1000 * 24 * 3600) == []


async def test_time_carried_over_from_a_void_game_is_no_difference(club: Path) -> None:
    """A game that follows a void one does not begin with the starting time (R6.3)."""
    change(club, "UPDATE games SET white_bank = 7 WHERE id = 21")
    assert len(await found(club)) == 1
    change(club, """UPDATE events SET data = '{"next": 21}' WHERE kind = 'void'""")
    assert await found(club) == []


async def live_on(club: Club, game_id: int, rng: Random) -> None:
    """Let a player act at random and time pass. Up to six turns of a game are taken back."""
    game = await club.game(game_id)
    assert game.asked is not None
    user, action = game.seats[game.asked].user, row_seeking(game.current, legal(game.current), rng)
    await club.app.games.play_actions(game_id, user, [action], sure=True)
    await club.live(rng.choice((1, HOUR, HOUR, HOUR, 2 * DAY)))
    await club.app.flag_watch.check_flags()
    if game.taken_back < 6:
        with suppress(Refused):
            asked = await club.app.requests.make(TAKEBACK, game_id, rng.choice((ANN, BOB)).user)
            await club.app.requests.settle(asked.request.id, rng.choice((ANN, BOB)).user, RequestState.ACCEPTED)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [OVERBOARD, with_potentials(STANDARD, (("Z", 3), ("P", 3))), TOURNAMENT])
@pytest.mark.usefixtures("untraced")
async def test_nothing_differs_after_long_games_with_clocks(rules: Ruleset, tmp_path: Path) -> None:
    """Time passes, flags fall, turns are taken back; in Overboard the opponent's clock runs inside a turn."""
    path, rng, ended = tmp_path / "year.sqlite3", Random(5), set[str]()
    async with quick_store(tmp_path) as store:
        club = Club(store)
        for pace in ("1", "saving"):
            game_id = await club.begin(rules, Terms(TIME_CONTROLS[pace], weekends=False, rated=True))
            for _ in range(25):
                if (await club.game(game_id)).asked is not None:
                    await live_on(club, game_id, rng)
            assert await found(path, club.now) == []
            ended.add((await club.game(game_id)).status)
        await club.app.explorer.count_ended()
        assert await found(path, club.now) == []
    assert ended == {"running", "over"}
