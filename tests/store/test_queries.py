"""The cost of a turn does not grow with the database: every query uses a key or an index."""

import ast
import re
from typing import Any

import pytest
from sqlalchemy import Engine, event

from gipfbot.match.ratings import Standing
from gipfbot.store import Connection, Store, explorer, game_lists, standings
from tests.store.helpers import added
from tests.support.paths import HOUSE
from tests.support.people import ANN, CLUB, HALL
from tests.support.times import NOW

from .acts import ACTS, Act, look_at_profile, look_at_server
from .statements import statements_of

pytestmark = pytest.mark.sqlite


async def plan(db: Connection, act: Act) -> list[str]:
    """Return the steps of SQLite's plans for the statements of an act. Bulk statements are left out."""
    steps = []
    for statement, parameters in await statements_of(db, act):
        steps += [row.detail for row in await db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    return steps


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_no_query_reads_a_whole_table(store: Store, act: Act) -> None:
    await added(store)
    async with store.transaction() as db:
        steps = await plan(db, act)
    assert any(step.startswith("SEARCH") for step in steps)
    read = [step for step in steps if "SCAN" in step or "AUTOMATIC" in step]
    found = re.compile(r"SCAN (CONSTANT ROW|anon_\d|\(subquery-\d\))")  # what the statement itself has, or has found
    assert [step for step in read if not found.fullmatch(step)] == []


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_no_statement_is_written_anew_each_time(store: Store, act: Act) -> None:
    """SQLAlchemy keeps what it has compiled, unless a part of a statement says nothing of itself. That costs 5 ms."""
    await added(store)
    anew = list[str]()

    def note(_: object, __: object, statement: str, ___: object, context: Any, ____: object) -> None:
        if context.compiled and context.cache_hit.name == "NO_CACHE_KEY" and "SAVEPOINT" not in statement:
            anew.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    async with store.transaction() as db:
        await act(db)
    event.remove(Engine, "before_cursor_execute", note)
    assert anew == []


def test_each_query_is_in_an_act() -> None:
    """Found by the functions of the store that take a connection."""
    tree = ast.parse((HOUSE / "tests/store/acts.py").read_text(encoding="utf-8"))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    called = {f"{node.value.id}.{node.attr}" for node in attributes if isinstance(node.value, ast.Name)}
    left_out = {name for names in NOT_IN_ACTS.values() for name in names.split()}
    for name in sorted(queries() - called - left_out):
        pytest.fail(
            f"call {name} in an act of tests/store/acts.py, or say in NOT_IN_ACTS there why its plan is not read"
        )
    for name in sorted(left_out - (queries() - called)):
        pytest.fail(f"take {name} out of NOT_IN_ACTS in {HERE}: it is in an act, or is gone")


HERE = "tests/store/test_queries.py"
# Functions of the store that are in no act, by the reason.
NOT_IN_ACTS = {
    "They read whole tables: to check the database, to count anew, or after a restore.": (
        "explorer.all_counted explorer.explored_between explorer.lines_of games.games_after_void game_rows.all_games "
        "game_rows.load_whole_games game_rows.pseudonyms_in_use puzzles.all_ratings puzzles.save_all_ratings "
        "puzzles.all_results ratings.all_results ratings.all_months ratings.fill_ratings ratings.games_with_result "
        "standings.all_standings standings.all_steps standings.fill_standings outbox.posted_ids "
        "timelines.people_among postgres_restore.has_replaced"
    ),
    "They read all that is still owed or to be done: at a start, or after a downtime or a restore.": (
        "due.unfinished_rows due.postpone_kind outbox.release_leases outbox.doubt_owed"
    ),
    "It reads the settings of all people, once at a start.": "users.settings_with",
    "Their tables have few rows.": (
        "meta.keys_with_value meta.forget_values timelines.has_written_file timelines.note_written_file "
        "deletions.running_deletions servers.present_servers servers.count_present_servers"
    ),
    "It reads in the order of the ids, and ends at the first few that fit.": "puzzles.draw_for_day",
    "For an insert, SQLite's plan names each table that refers to the row.": "games.add_game",
    "They ask no table of ours, or insert only.": (
        "moving.insert_each moving.unreadable_row timelines.last_ids timelines.raise_ids"
    ),
    "They need a process with shards of its own, as in `tests/store/test_shards.py`.": (
        "shard_heartbeats.begin shard_heartbeats.note_alive shard_heartbeats.silent_shards "
        "shard_heartbeats.load_heartbeat shard_heartbeats.save_heartbeat shard_heartbeats.clocks_of_shard "
        "shard_heartbeats.shift_heartbeats shard_heartbeats.values_and_heartbeat shard_heartbeats.silent_games"
    ),
}


def queries() -> set[str]:
    """Return the public coroutines of the store that take a connection, each with its module."""
    found = set[str]()
    for path in (HOUSE / "gipfbot" / "store").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AsyncFunctionDef) and "db" in [each.arg for each in node.args.args]:
                found |= {f"{path.stem}.{node.name}"} if not node.name.startswith("_") else set()
    return found


async def test_a_page_and_a_place_read_only_their_leaderboard(store: Store) -> None:
    """The sums over its steps are read once more; they are few."""
    await added(store)
    async with store.transaction() as db:
        entry = Standing("basic", CLUB, ANN.user, False, -1500, 1500.0, 0.0, 5, 24000, NOW)
        await standings.replace_standings(db, [], [entry])
        steps = await plan(db, lambda db: standings.standings_page(db, "basic", CLUB, 0, 10, NOW))
        steps += await plan(db, lambda db: standings.place_of(db, "basic", CLUB, ANN.user, NOW))
    searched = [step for step in steps if step.startswith("SEARCH")]
    found = sum(" ix_standings_order " in step for step in searched)
    assert found == 3, "a page, those who are better in a step, and those who are equal"
    read_steps = [step for step in searched if " standing_steps " in step]
    assert len(read_steps) == 4, "wide steps and the steps of one of them, twice"
    assert all("pool=? AND server=? AND provisional=?" in step or "(provisional" in step for step in read_steps), steps
    read = [step for step in steps if step.startswith("SCAN")]
    assert read
    assert all(re.match(r"SCAN (CONSTANT|anon_\d|\(subquery-\d\))", step) for step in read), steps


USED = [
    ("what is over", "outbox", "ix_outbox_full_done_at"),
    ("what is over", "outbox", "ix_outbox_emptied_done_at"),
    ("what is over", "due", "ix_due_done_at"),
    ("what is over", "challenges", "ix_challenges_state_expires_at"),
    ("what is over", "requests", "ix_requests_state_created_at"),
    ("what is over", "vacations", "ix_vacations_ended_at"),
    ("what is over", "arrivals", "ix_arrivals_left_at"),
    ("what is over", "former_pairs", "ix_former_pairs_over_at"),
    ("whether anything is over", "outbox", "ix_outbox_full_done_at"),
    ("whether anything is over", "outbox", "ix_outbox_emptied_done_at"),
    ("whether anything is over", "due", "ix_due_done_at"),
    ("whether anything is over", "challenges", "ix_challenges_state_expires_at"),
    ("whether anything is over", "requests", "ix_requests_state_created_at"),
    ("whether anything is over", "vacations", "ix_vacations_ended_at"),
    ("whether anything is over", "arrivals", "ix_arrivals_left_at"),
    ("whether anything is over", "former_pairs", "ix_former_pairs_over_at"),
    ("an export", "challenges", "ix_challenges_by_user_to_user_expires_at"),
    ("an export", "due", "ix_due_user"),
    ("an export", "memberships", "ix_memberships_user"),
    ("a deletion", "rated_results", "ix_rated_results_late_user_ended_at"),
    ("a deletion", "due", "ix_due_user"),
    ("a deletion", "memberships", "ix_memberships_user"),
    ("a deletion", "blocks", "ix_blocks_blocked"),
    ("a deletion", "studies", "ix_studies_game"),
    ("a sweep for the explorer", "games", "ix_games_ended_at"),
    ("an analysis", "analyses", "ix_analyses_state_created_at"),
    ("an analysis", "analyses", "ix_analyses_expires_at"),
    ("an analysis", "analysis_askers", "ix_analysis_askers_game"),
    ("a rated result", "rated_results", "ix_rated_results_user_pool_month"),
    ("a rated result", "rated_results", "ix_rated_results_late_user_ended_at"),
    ("a rated result", "seats", "ix_seats_user"),
    ("a rated result", "former_pairs", "ix_former_pairs_hashed_pair_pool_month"),
    ("a rated result", "rated_results", "ix_rated_results_user_pool_server_counts_ended_at"),
    ("a leaderboard", "standings", "ix_standings_changes_at"),
    ("a puzzle", "games", "ix_games_uncut_ended_at"),
    ("a puzzle", "puzzles", "ix_puzzles_rating"),
    ("a puzzle", "puzzles", "ix_puzzles_own_turns_rating"),
    ("a puzzle", "puzzle_days", "ix_puzzle_days_puzzle_server_day"),
    ("a puzzle", "puzzle_tries", "ix_puzzle_tries_user_puzzle"),
    ("a puzzle", "puzzle_tries", "ix_puzzle_tries_user_month"),
    ("a puzzle", "puzzle_tries", "ix_puzzle_tries_puzzle_month"),
    ("a deletion", "puzzle_tries", "ix_puzzle_tries_user_month"),
    ("a profile", "own", "ix_seats_user"),
    ("the figures of a server", "follows", "ix_follows_game"),
    ("the health", "outbox", "ix_outbox_not_before_id"),
    ("the health", "games", "ix_games_server_channel"),
    ("a new venue", "games", "ix_games_channel"),
    ("waiting games", "games", "ix_games_waiting_user_waiting_since"),
    ("following", "follows", "ix_follows_user"),
    ("a guess", "guesses", "ix_guesses_user"),
    ("following", "follows", "ix_follows_game"),
    ("blocking", "follows", "ix_follows_user"),
    ("blocking", "follows", "ix_follows_player"),
    ("news", "follows", "ix_follows_game"),
    ("news", "follows", "ix_follows_player"),
    ("games to watch", "games", "ix_games_server_waiting_since"),
    ("games to choose", "games", "ix_games_server_waiting_since"),
    ("the number of games", "games", "ix_games_waiting_user_waiting_since"),
    ("challenges of a person", "challenges", "ix_challenges_by_user_state"),
    ("a challenge", "challenges", "ix_challenges_by_user_state"),
    ("a challenge", "challenges", "ix_challenges_by_user_to_user_expires_at"),
    ("challenges of a person", "challenges", "ix_challenges_to_user_state"),
    ("studies of a person", "studies", "ix_studies_user_expires_at"),
    ("a study", "studies", "ix_studies_user_expires_at"),
    ("expired studies", "studies", "ix_studies_expires_at"),
    ("a look at the games", "seats", "ix_seats_user"),
    ("a look at the games", "due", "ix_due_game"),
    ("reminders", "due", "ix_due_at"),
    ("what is due", "due", "ix_due_at"),
    ("what is due", "former_pings", "ix_former_pings_expires_at"),
    ("what is due", "challenges", "ix_challenges_state_expires_at"),
    ("what is due", "requests", "ix_requests_state_created_at"),
    ("what is due", "studies", "ix_studies_expires_at"),
    ("what is due", "analyses", "ix_analyses_state_created_at"),
    ("what is due", "analyses", "ix_analyses_expires_at"),
    ("what is due", "standings", "ix_standings_changes_at"),
    ("what is due", "games", "ix_games_ended_at"),
    ("reminders", "seats", "ix_seats_user"),
    ("vacation", "vacations", "ix_vacations_user_since"),
    ("due posts", "outbox", "ix_outbox_not_before_id"),
    ("due posts", "earlier", "ix_outbox_game_id"),
    ("posts by channel", "outbox", "ix_outbox_not_before_id"),
    ("a turn", "earlier", "ix_outbox_game_id"),
    ("a turn", "turns", "ix_turns_game_position_hash"),
    ("a tournament", "tournaments", "ix_tournaments_state_server"),
    ("a tournament", "tournament_entries", "ix_tournament_entries_tournament_season_user"),
    ("a tournament", "tournament_pairings", "ix_tournament_pairings_game"),
]


@pytest.mark.parametrize(("act", "table", "index"), USED)
async def test_a_query_uses_its_index(store: Store, act: str, table: str, index: str) -> None:
    """Some indexes hold only rows that are owed or open, so that a million settled rows cost nothing."""
    await added(store)
    async with store.transaction() as db:
        steps = await plan(db, ACTS[act])
    assert any(step.startswith(f"SEARCH {table} USING") and f" {index} " in step for step in steps), steps


async def test_a_profile_reads_the_games_of_its_player_only(store: Store) -> None:
    """So it costs the same among a million games as among a thousand."""
    await added(store)
    async with store.transaction() as db:
        steps = await plan(db, look_at_profile)
    games_read = [step for step in steps if step.startswith("SEARCH games ")]
    assert len(games_read) == 12
    assert {*games_read} == {"SEARCH games USING INTEGER PRIMARY KEY (rowid=?)"}


async def test_explorer_reads_the_turns_of_one_position(store: Store) -> None:
    """The start of a rule set is in every game, but only its different turns have a row."""
    async with store.transaction() as db:
        steps = await plan(db, lambda db: explorer.turns_from(db, -7))
    assert steps == ["SEARCH explored_turns USING PRIMARY KEY (position=?)"]


async def test_sweep_for_the_explorer_reads_in_the_order_of_its_index(store: Store) -> None:
    """So a million games that were counted cost nothing."""
    await added(store)
    async with store.transaction() as db:
        first, *others = await plan(db, lambda db: explorer.games_to_count(db, NOW, 50))
    assert first == "SEARCH games USING INDEX ix_games_ended_at (ended_at<?)"
    assert [step for step in others if "TEMP B-TREE" in step] == []


async def test_figures_of_a_server_read_its_games_only(store: Store) -> None:
    """What has ended is counted in an index alone, in its order. Turns and seats are found by their games."""
    await added(store)
    async with store.transaction() as db:
        steps = await plan(db, look_at_server)
    running = "games USING INDEX ix_games_server_waiting_since (server=?"
    ended = "SEARCH games USING COVERING INDEX ix_games_server_pool_result_ended_at_level (server=?)"
    assert sum(step.startswith(("SEARCH games USING COVERING", f"SEARCH {running}")) for step in steps) == 5, steps
    assert steps.count(ended) == 2
    assert [step for step in steps if " turns " in step] == [
        "SEARCH turns USING INDEX sqlite_autoindex_turns_1 (game=?)"
    ]
    assert not any(" ix_seats_user " in step for step in steps), "not all games of the person who asks"


async def test_live_games_come_in_the_order_of_their_index(store: Store) -> None:
    """So a page costs the same among 10,000 running games as among 1,000."""
    await added(store)
    async with store.transaction() as db:
        steps = await plan(db, lambda db: game_lists.listed_of_others(db, CLUB, [HALL], ANN.user, 9))
    assert len(steps) == 3  # the games, and both seats
    assert [step for step in steps if "TEMP B-TREE" in step] == []


async def test_what_is_over_comes_in_the_order_of_its_index(store: Store) -> None:
    """So a batch reads no more rows than it looks at, however many are over."""
    await added(store)
    async with store.transaction() as db:
        steps = await plan(db, ACTS["what is over"])
    assert [step for step in steps if "TEMP B-TREE" in step] == []
    assert sum("USING INDEX ix_outbox_" in step and "done_at>? AND done_at<?" in step for step in steps) == 2, steps
