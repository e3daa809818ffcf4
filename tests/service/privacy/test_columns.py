"""Every column is either in the export and the deletion of a person's data, or holds nothing about people.

The table is written by hand. Each new column needs a decision, and this test fails until it has one.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Column

from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.reminders import NUDGE
from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.privacy.plain_words import EVENTS, PLANNED, REASONS
from gipfbot.service.requests.draws import DRAW
from gipfbot.store import Store, tables
from gipfbot.store.column_info import End, Instead, end_of, path_of, personal_columns, table_info
from gipfbot.values import FORMER_NAME, News
from tests.service.helpers import play_on
from tests.service.privacy.stored_values import every_value
from tests.store.write_database import Club, fill_database
from tests.support.people import ANN, BOB, CARA, DAN
from tests.support.times import DAY, NOW

PEOPLE = ANN, BOB, CARA
ROW, RENAMED, KEPT = (
    "the row is deleted",
    "the pseudonym or “a former player” takes its place",
    "stays with the pseudonym",
)


class Fate(NamedTuple):
    """What becomes of a column: its place in the export, or why it has none; and its end in a deletion."""

    exported: str
    end: str


NOT_PERSONAL = {
    "meta": "the bot's own values",
    "servers": "a server's settings; ids in it are of channels and roles",
    "arrivals": "when the bot joined a server",
    "standing_steps": "how many players a step has",
    "puzzles": "positions, without the games that they are from",
    "puzzle_days": "which puzzle a server had when",
    "analyses": "what was found of a finished game; it names nobody",
    "shard_beats": "when the processes of the bot ran; it names nobody",
    "explored_turns": "how often a turn was played in all games",
}
COLUMNS = {
    "users.id": Fate("your_discord_id", ROW),
    "users.settings": Fate("settings", ROW),
    "users.seen_at": Fate("last_changed_settings_at", ROW),
    "users.dm_state": Fate("direct_messages", ROW),
    **{
        f"games.{column}": Fate(f"games.{name}", KEPT)
        for column, name in {
            "id": "game",
            "ruleset": "rules",
            "terms": "terms",
            "pool": "rating_pool",
            "level": "level_of_the_bot",
            "server": "server_id",
            "channel": "channel_id",
            "parent": "channel_of_the_thread_id",
            "unreachable": "cannot_be_posted_because",
            "status": "state",
            "result": "result",
            "reason": "result_reason",
            "position": "position",
            "previous": "position_before_the_last_turn",
            "turn_number": "turns_played",
            "taken_back": "turns_taken_back",
            "version": "times_changed",
            "waiting_since": "waits_since",
            "board_turn_serial": "newest_board.turn",
            "board_channel": "newest_board.channel_id",
            "board_message": "newest_board.message_id",
            "created_at": "began_at",
            "changed_at": "last_changed_at",
            "ended_at": "ended_at",
            "origin": "from_challenge_number",
            "white_bank": "clock.white_seconds",
            "black_bank": "clock.black_seconds",
            "deadline_at": "clock.deadline",
            "paused_left": "clock.paused_with_seconds",
            "credited": "clock.seconds_credited",
            "flagged": "clock.over_time",
        }.items()
    },
    "games.explored_at": Fate("no: when the explorer counted it", KEPT),
    "games.cut_at": Fate("no: when it was looked through for puzzles", KEPT),
    "games.waiting_seat": Fate("games.waits_for", KEPT),
    "games.waiting_user": Fate("games.waits_for", RENAMED),
    "seats.game": Fate("games.game", KEPT),
    "seats.colour": Fate("games.your_colour", KEPT),
    "seats.user": Fate("games.opponent.discord_id", RENAMED),
    "seats.name": Fate("games.your_name", RENAMED),
    "seats.quiet": Fate("games.your_reminders_are_off", ROW),
    "seats.quiet_turn_serial": Fate("games.your_reminders_are_off_for_turn", ROW),
    "seats.note": Fate("games.your_note", ROW),
    "seats.listed_turn_number": Fate("games.your_list_showed_it_with.turns", ROW),
    "seats.listed_taken_back": Fate("games.your_list_showed_it_with.turns_taken_back", ROW),
    "turns.game": Fate("games.game", KEPT),
    "turns.turn_number": Fate("games.turns.number", KEPT),
    "turns.colour": Fate("games.turns.colour", KEPT),
    "turns.text": Fate("games.turns.turn", KEPT),
    "turns.actions": Fate("no: the same as the text", KEPT),
    "turns.by": Fate("games.turns.played_by", RENAMED),
    "turns.how": Fate("games.turns.entered_by", KEPT),
    "turns.expected": Fate("no: what the bot expected after its own turn", KEPT),
    "turns.position_hash": Fate("games.turns.position_fingerprint", KEPT),
    "turns.played_at": Fate("games.turns.played_at", KEPT),
    "turns.white_bank": Fate("games.turns.white_seconds_before", KEPT),
    "turns.black_bank": Fate("games.turns.black_seconds_before", KEPT),
    "draft.game": Fate("games.game", KEPT),
    "draft.step": Fate("no: the order of the actions", KEPT),
    "draft.action": Fate("games.your_unfinished_turn.turn", KEPT),
    "draft.by": Fate("no: only the person's own actions are in the export", RENAMED),
    "draft.at": Fate("games.your_unfinished_turn.begun_at", KEPT),
    "events.game": Fate("games.game", KEPT),
    "events.seq": Fate("no: the order of the events", KEPT),
    "events.kind": Fate("games.events.event", KEPT),
    "events.by": Fate("games.events.by", RENAMED),
    "events.at": Fate("games.events.at", KEPT),
    "events.data": Fate("games.events.turns", RENAMED),
    "challenges.id": Fate("challenges.challenge_number", KEPT),
    "challenges.server": Fate("challenges.server_id", KEPT),
    "challenges.channel": Fate("challenges.channel_id", KEPT),
    "challenges.parent": Fate("challenges.channel_of_the_thread_id", KEPT),
    "challenges.message": Fate("challenges.message_id", KEPT),
    "challenges.by_user": Fate("challenges.made_by", RENAMED),
    "challenges.by_name": Fate("challenges.your_name", RENAMED),
    "challenges.to_user": Fate("challenges.other_player.discord_id", RENAMED),
    "challenges.to_name": Fate("challenges.other_player.name", RENAMED),
    "challenges.ruleset": Fate("challenges.rules", KEPT),
    "challenges.terms": Fate("challenges.terms", KEPT),
    "challenges.side": Fate("challenges.colour_of_the_challenger", KEPT),
    "challenges.state": Fate("challenges.state", KEPT),
    "challenges.expires_at": Fate("challenges.ends_at", KEPT),
    "challenges.rematch_of": Fate("challenges.rematch_of", KEPT),
    "challenges.takes_left": Fate("challenges.places_left", KEPT),
    "challenges.game": Fate("challenges.led_to", KEPT),
    "studies.user": Fate("your_discord_id", ROW),
    **{
        f"studies.{column}": Fate(f"studies.{name}", ROW)
        for column, name in {
            **{name: name for name in ("title", "result", "notes", "turns")},
            "reason": "result_reason",
            "fault": "what_the_record_stops_at",
            "place": "turns_before_the_position_shown",
            "version": "times_changed",
            "id": "study",
            "game": "game",
            "ruleset": "rules",
            "tried": "turns_you_tried",
            "draft": "unfinished_turn",
            "created_at": "made_at",
            "expires_at": "kept_until",
            "begin": "begins_at_position",
            "level": "level_of_the_bot_that_answers",
        }.items()
    },
    "studies.white": Fate("studies.white", RENAMED),  # in others' studies of the person's games
    "studies.black": Fate("studies.black", RENAMED),
    "analysis_askers.user": Fate("your_discord_id", ROW),
    "analysis_askers.game": Fate("analyses_awaited.game", ROW),
    "analysis_askers.asked_at": Fate("analyses_awaited.asked_at", ROW),
    "vacations.user": Fate("your_discord_id", ROW),
    "vacations.id": Fate("vacations.vacation_number", ROW),
    "vacations.since": Fate("vacations.from", ROW),
    "vacations.until": Fate("vacations.until", ROW),
    "vacations.ended_at": Fate("vacations.ended_at", ROW),
    "takebacks.id": Fate("games.takeback_requests.request_number", KEPT),
    "takebacks.game": Fate("games.game", KEPT),
    "takebacks.by": Fate("games.takeback_requests.asked_by", RENAMED),
    "takebacks.turn_number": Fate("games.takeback_requests.from_turn", KEPT),
    "takebacks.turns": Fate("games.takeback_requests.turns", KEPT),
    "takebacks.turn_serial": Fate("no: which version of the game it is about", KEPT),
    "takebacks.state": Fate("games.takeback_requests.state", KEPT),
    "takebacks.created_at": Fate("games.takeback_requests.asked_at", KEPT),
    "takebacks.expires_at": Fate("games.takeback_requests.ends_at", KEPT),
    "conditionals.id": Fate("no: the order of the lines", ROW),
    "conditionals.game": Fate("games.game", ROW),
    "conditionals.user": Fate("no: only the person's own are in the export", ROW),
    "conditionals.turn_number": Fate("games.your_conditional_turns.after_turn", ROW),
    "conditionals.drafted": Fate("no: how much of the turn the line knows", ROW),
    "conditionals.turns": Fate("games.your_conditional_turns.turns", ROW),
    "conditionals.created_at": Fate("games.your_conditional_turns.made_at", ROW),
    "follows.id": Fate("follows.follow_number", ROW),
    "follows.user": Fate("your_discord_id", ROW),
    "follows.game": Fate("follows.game", ROW),
    "follows.player": Fate("follows.player_discord_id", RENAMED),  # in others' follows of the person
    "follows.name": Fate("follows.name", RENAMED),
    "follows.news": Fate("follows.you_are_told_of", ROW),
    "follows.lost": Fate("follows.ended_because", ROW),
    "follows.created_at": Fate("follows.since", ROW),
    "guesses.game": Fate("guesses.game", ROW),
    "guesses.turn_serial": Fate("guesses.after_turns", ROW),
    "guesses.user": Fate("your_discord_id", ROW),
    "guesses.actions": Fate("guesses.guess", ROW),
    "guesses.points": Fate("guesses.points", ROW),
    "guesses.guessed_at": Fate("guesses.guessed_at", ROW),
    "channel_checks.user": Fate("your_discord_id", ROW),
    "channel_checks.channel": Fate("channels_checked.channel_id", ROW),
    "channel_checks.sees": Fate("channels_checked.you_see_it", ROW),
    "channel_checks.checked_at": Fate("channels_checked.checked_at", ROW),
    "puzzle_tries.user": Fate("your_discord_id", RENAMED),
    "puzzle_tries.id": Fate("puzzles.try_number", KEPT),
    "puzzle_tries.puzzle": Fate("puzzles.puzzle", KEPT),
    "puzzle_tries.server": Fate("puzzles.server_id", ROW),
    "puzzle_tries.played": Fate("puzzles.turns", ROW),
    "puzzle_tries.draft": Fate("puzzles.unfinished_turn", ROW),
    "puzzle_tries.version": Fate("puzzles.times_changed", KEPT),
    "puzzle_tries.solved": Fate("puzzles.solved_by_the_first_try", KEPT),
    "puzzle_tries.tried_at": Fate("puzzles.tried_at", KEPT),
    "puzzle_tries.month": Fate("puzzles.rated_in_month", KEPT),
    "blocks.user": Fate("your_discord_id", ROW),
    "blocks.blocked": Fate("blocks.you_block.discord_id", RENAMED),  # in others' blocks of the person
    "blocks.name": Fate("blocks.you_block.name", RENAMED),
    "blocks.created_at": Fate("blocks.since", ROW),
    "deletions.user": Fate("your_discord_id", ROW),
    "deletions.pseudonym": Fate("no: it would tell which former player they were", ROW),
    "deletions.began_at": Fate("deletions.begun_at", ROW),
    "deletions.games_done": Fate("no: how far the deletion has got", ROW),
    "deletions.rows_left": Fate("no: how far the deletion has got", ROW),
    "deletions.challenges_left": Fate("no: how far the deletion has got", ROW),
    "former_pings.id": Fate("no: the order of the rows", ROW),
    "former_pings.trace": Fate("no: nobody can tell from it who somebody was", KEPT),
    "former_pings.to_user": Fate("no: their challenges say as much", ROW),
    "former_pings.expires_at": Fate("no: their challenges say as much", ROW),
    "due.id": Fate("no: the reference tells as much", KEPT),
    "due.key": Fate("planned.reference", ROW),
    "due.kind": Fate("planned.what", KEPT),
    "due.game": Fate("planned.game", KEPT),
    "due.user": Fate("your_discord_id", RENAMED),
    "due.at": Fate("planned.at", KEPT),
    "due.leased_by": Fate("no: which process does it", KEPT),
    "due.done_at": Fate("planned.done_at", KEPT),
    "outbox.id": Fate("no: the reference tells as much", KEPT),
    "outbox.key": Fate("messages.reference", RENAMED),
    "outbox.mark": Fate("no: a random text", KEPT),
    "outbox.kind": Fate("messages.message", KEPT),
    "outbox.channel": Fate("messages.channel_id", ROW),
    "outbox.game": Fate("messages.game", KEPT),
    "outbox.payload": Fate("messages.says", RENAMED),
    "outbox.attempts": Fate("no: how often it was tried", KEPT),
    "outbox.not_before": Fate("no: when it is tried again", KEPT),
    "outbox.leased_by": Fate("no: which process delivers it", KEPT),
    "outbox.leased_until": Fate("no: who delivers it", KEPT),
    "outbox.first_tried_at": Fate("no: when it was tried first", KEPT),
    "outbox.message": Fate("messages.message_id", KEPT),
    "outbox.created_at": Fate("messages.made_at", KEPT),
    "outbox.done_at": Fate("messages.settled_at", KEPT),
    "outbox.dropped": Fate("messages.not_delivered_because", KEPT),
    "outbox.emptied_at": Fate("no: when it lost its payload", KEPT),
    "rated_results.game": Fate("rated_results.game", KEPT),
    "rated_results.user": Fate("your_discord_id", RENAMED),
    "rated_results.opponent": Fate("rated_results.opponent_discord_id", RENAMED),
    "rated_results.pool": Fate("rated_results.pool", KEPT),
    "rated_results.month": Fate("rated_results.month", KEPT),
    "rated_results.server": Fate("rated_results.server_id", KEPT),
    "rated_results.ended_at": Fate("rated_results.ended_at", KEPT),
    "rated_results.points": Fate("rated_results.your_points", KEPT),
    "rated_results.late_user": Fate("rated_results.lost_on_time_by", RENAMED),
    "rated_results.counts": Fate("rated_results.counts", KEPT),
    "ratings.user": Fate("your_discord_id", RENAMED),
    "ratings.last_at": Fate("ratings.last_game_ended_at", KEPT),
    **{
        f"ratings.{name}": Fate(f"ratings.{name}", KEPT)
        for name in (
            *("pool", "month", "start_rating", "start_deviation", "start_volatility", "rating", "deviation"),
            *("volatility", "games", "wins", "won_in_a_row", "last_game"),
        )
    },
    "standings.user": Fate("your_discord_id", RENAMED),
    "standings.server": Fate("leaderboards.server_id", KEPT),
    **{
        f"standings.{name}": Fate(f"leaderboards.{name}", KEPT)
        for name in ("pool", "provisional", "rating", "games", "month", "changes_at")
    },
    "standings.step": Fate("leaderboards.order", KEPT),
    "standings.uncertainty": Fate("leaderboards.order_among_equals", KEPT),
    "memberships.user": Fate("your_discord_id", RENAMED),
    "memberships.server": Fate("servers.server_id", KEPT),
    "memberships.is_member": Fate("servers.you_are_a_member", KEPT),
    "memberships.asked_at": Fate("servers.discord_was_asked_at", KEPT),
}


def said_by_info(column: Column[Any]) -> Fate:
    """Return what the info of a column says, in the words of the table."""
    end, path = end_of(column), path_of(column)
    kept = {End.KEPT: KEPT, End.ROW: ROW, End.OWNER: ROW}.get(end, RENAMED) if isinstance(end, End) else ROW
    if isinstance(end, Instead) and end.value == FORMER_NAME:
        kept = RENAMED
    if end is End.PLAYER and table_info(column.table).end is End.ROW:  # renamed first, and then deleted
        kept = ROW
    return Fate(path or f"no: {column.info['reason']}", kept)


def test_infos_say_what_the_table_says() -> None:
    columns = personal_columns(tables.metadata)
    assert {f"{column.table.name}.{column.name}": said_by_info(column) for column in columns} == COLUMNS


PERSONAL_ENDS = ROW, RENAMED
INTERNAL = (
    "key",
    "row",
    "kind",
    "version",
    "step",
    "how",
    "text",
    "bank",
    "turn_serial",
    "fault",
    "grace",
    "terms",
    "lost",
)
IDS_AND_NAMES = {word for person in PEOPLE for word in (str(person.user), person.name)}


def names_people(value: object) -> bool:
    return any(word in str(value) for word in IDS_AND_NAMES)


def all_columns() -> set[str]:
    return {
        f"{table.name}.{column.name}"
        for table in tables.metadata.sorted_tables
        if table.name not in NOT_PERSONAL
        for column in table.columns
    }


def test_every_column_is_listed() -> None:
    assert {*COLUMNS} == all_columns()
    assert {*NOT_PERSONAL} <= {*tables.metadata.tables}


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of every entry of an export."""
    yield path
    if isinstance(value, dict):
        for name, part in value.items():
            yield from paths(part, f"{path}.{name}" if path else name)
    if isinstance(value, list):
        for part in value:
            yield from paths(part, path)


@pytest.fixture
async def app(store: Store) -> App:
    """Return the services over a database with something in every table, also of what people rarely do."""
    await fill_database(store)
    club = Club(store)
    club.now = NOW + 100 * DAY
    app = club.app
    game = await club.begin(BASIC)
    await play_on(app, game, "c2", "g2")
    await app.notes.set_note(game, ANN.user, "mine")
    await app.follows.follow_game(DAN.user, game, News.EACH_TURN)
    await app.guesses.guess(DAN.user, game, 2, "d2")
    await play_on(app, game, "d2")
    async with store.transaction() as db:
        stored = tables.metadata.tables
        seats, games, studies, outbox, challenges, vacations = (
            stored[name] for name in ("seats", "games", "studies", "outbox", "challenges", "vacations")
        )
        await db.execute(seats.update().where(seats.c.user == ANN.user).values(quiet_turn_serial=1))
        await db.execute(seats.update().values(listed_turn_number=1, listed_taken_back=1))
        await db.execute(games.update().values(parent=1, unreachable="gone", flagged=True, paused_left=1, level=3))
        begin = "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0"
        await db.execute(studies.update().values(reason="resign"))
        await db.execute(studies.update().where(studies.c.tried == "").values(begin=begin, level=1))
        await db.execute(outbox.update().values(dropped="refused"))
        await db.execute(challenges.update().values(parent=1, rematch_of=1, message=1))
        await db.execute(vacations.update().values(ended_at=1))
    return create_app(store, lambda: club.now, lambda: True)


async def test_the_export_has_what_the_table_says(app: App) -> None:
    found = set[str]()
    for person in (*PEOPLE, DAN):
        found |= {*paths(export_data(await app.exports.collect(person.user)))}
    wanted = {column: fate.exported for column, fate in COLUMNS.items() if not fate.exported.startswith("no: ")}
    missing = {column: path for column, path in wanted.items() if path not in found}
    assert missing == {"deletions.began_at": "deletions.begun_at"}, "Eve's runs"


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every plain value of an export, with the name of its entry."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, name)
    else:
        yield name, value


async def test_the_export_speaks_plain_words(app: App) -> None:
    """No codes, no times and ids as bare numbers, no internal names."""
    kinds = {kind.name for kind in app.kinds.values()}
    for person in (*PEOPLE, DAN):
        data = export_data(await app.exports.collect(person.user))
        assert {message["message"] for message in data.get("messages", ())} <= kinds
        assert {planned["what"] for planned in data.get("planned", ())} <= {*PLANNED.values()}
        events = [event for game in data.get("games", ()) for event in game.get("events", ())]
        assert {event["event"] for event in events} <= {*EVENTS.values()}
        reasons = {game.get("result_reason") for game in data.get("games", ())}
        assert reasons <= {*REASONS.values(), None}
        for name, value in leaves(data):
            assert not isinstance(value, int | float) or abs(value) < 10**9, (name, value)
            assert not re.fullmatch("[a-z]+(_[a-z]+)+", str(value)), (name, value)
            assert name not in INTERNAL, (name, value)


async def test_columns_that_name_people_are_not_kept_as_they_are(app: App) -> None:
    """The table is right about what holds an id or a name."""
    async with app.games.store.reading() as db:
        naming = {column async for column, value in every_value(db) if names_people(value)}
    assert {column for column in naming if column not in COLUMNS or COLUMNS[column].end not in PERSONAL_ENDS} == set()


async def test_payloads_that_name_people_are_of_known_kinds(app: App) -> None:
    table = tables.metadata.tables["outbox"]
    async with app.games.store.reading() as db:
        rows = (await db.execute(table.select())).all()
    assert {row.kind for row in rows} >= {kind for kind in app.kinds.values() if kind.people} - {NUDGE, DRAW}
    for row in rows:
        naming = {key for key, value in row.payload.items() if names_people(value)}
        assert naming <= {*app.kinds[row.kind].people}, row.kind
