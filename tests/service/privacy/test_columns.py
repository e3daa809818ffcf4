"""What the tables say of each column is true: what an export has of it, what a deletion does to it, when it goes.

A new column needs an info in its table, and a value in the database of these tests.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, Table, Text, select

from gipfbot.match import RequestState
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.reminders import NUDGE
from gipfbot.service.privacy.export_words import export_data
from gipfbot.service.privacy.plain_words import EVENTS, PLANNED, REASONS
from gipfbot.store import Store, retention, tables
from gipfbot.store.column_info import (
    HOLD_IDS,
    End,
    Instead,
    columns_with,
    end_of,
    not_personal,
    path_of,
    personal,
    personal_columns,
    table_info,
)
from gipfbot.values import News, is_former_player
from gipfbot.values.people import FIRST_HASHED_ID
from tests.service.helpers import delete_all, play_on
from tests.service.privacy.stored_values import every_value
from tests.store.write_database import Club
from tests.support.people import ANN, BOB, CARA, DAN
from tests.support.times import DAY, NOW

PEOPLE = ANN, BOB, CARA
FILL = (
    "give it a value in the fixture `app` of tests/service/privacy/test_columns.py, or in tests/store/write_database.py"
)
# Rows of a person that a deletion takes, although those of their kind stay.
GO_TOO: dict[str, Callable[[Any], bool]] = {
    "due": lambda row: row["game"] is None,
    "puzzle_tries": lambda row: row["solved"] is None,
    "tournament_entries": lambda row: row["number"] is None,
}
FORMER = "the pseudonym, or the hashed id"
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


def names(columns: Iterable[Column[Any]]) -> set[str]:
    return {f"{column.table.name}.{column.name}" for column in columns}


def test_every_table_and_column_says_what_becomes_of_it() -> None:
    """What it should say is in the error."""
    for column in personal_columns(tables.metadata):
        assert end_of(column)


def test_column_without_an_info_is_told_what_to_add() -> None:
    untold = Table("untold", MetaData(), Column("word", Text))
    with pytest.raises(LookupError, match=r"^say what becomes of the rows of untold in it: info=personal"):
        personal_columns(untold.metadata)
    untold.info.update(personal("words"))
    with pytest.raises(LookupError, match=r"^say what becomes of untold\.word in its table: info=exported"):
        columns_with(untold.metadata, End.OWNER)
    untold.info.update(not_personal())
    assert personal_columns(untold.metadata) == []


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
async def app(filled_store: Store) -> App:
    """Return the services over a database with something in every table, also of what people rarely do."""
    store, club = filled_store, Club(filled_store)
    club.now = NOW + 100 * DAY
    app = club.app
    game = await club.begin(BASIC)
    profile = {"what": "profile", "player": ANN.user, "against": BOB.user, "seats": [ANN.user, BOB.user]}
    shown = {**profile, "names": ["Ann", "Bob"]}
    await app.showing.show(CARA.user, 1, app.now(), f"profile:{ANN.user}:{BOB.user}", 77, shown)
    await play_on(app, game, "c2", "g2")
    await app.notes.set_note(game, ANN.user, "mine")
    await app.follows.follow_game(DAN.user, game, News.EACH_TURN)
    await app.guesses.guess(DAN.user, game, 2, "d2")
    await play_on(app, game, "d2")
    await app.blocks.block(CARA.user, ANN)
    async with store.transaction() as db:
        stored = tables.metadata.tables
        seats, games, studies, outbox, challenges, vacations = (
            stored[name] for name in ("seats", "games", "studies", "outbox", "challenges", "vacations")
        )
        await db.execute(seats.update().where(seats.c.user == ANN.user).values(quiet_turn_serial=1))
        await db.execute(seats.update().values(listed_turn_number=1, listed_taken_back=1))
        for person in PEOPLE:
            theirs = seats.update().where(seats.c.user == person.user)
            await db.execute(theirs.values(earlier_names=f"Young {person.name}"))
        await db.execute(games.update().values(parent=1, unreachable="gone", flagged=True, paused_left=1, level=3))
        begin = "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0"
        await db.execute(studies.update().values(reason="resign", hidden_for="plan", fault="It stops there."))
        await db.execute(studies.update().where(studies.c.tried == "").values(begin=begin, level=1))
        await db.execute(outbox.update().values(dropped="refused"))
        await db.execute(challenges.update().values(parent=1, rematch_of=1, message=1, mentioned_role=1))
        await db.execute(vacations.update().values(ended_at=1))
        opened, entries = stored["tournaments"], stored["tournament_entries"]
        await db.execute(opened.update().values(parent=1, ended_at=1, rounds=3))
        await db.execute(
            entries.update().where(entries.c.number.is_not(None)).values(called_off_at=1, left_at=1, place=1)
        )
        lost = stored["rated_results"].c.points == 0
        late = {"late_user": stored["rated_results"].c.user, "counts": False, "uncounted": "away"}
        await db.execute(stored["rated_results"].update().where(lost).values(late))
    return create_app(store, lambda: club.now, lambda: True)


async def test_exports_have_what_the_columns_say(app: App) -> None:
    found = set[str]()
    for person in (*PEOPLE, DAN):
        found |= {*paths(export_data(await app.exports.collect(person.user)))}
    said = {
        name: path
        for column in personal_columns(tables.metadata)
        for name in names([column])
        if (path := path_of(column))
    }
    missing = {name: path for name, path in said.items() if path not in found}
    del missing["deletions.began_at"]  # Eve's runs
    assert missing == {}, (
        f"No export has these entries. Load and write them in gipfbot/service/privacy. If that is done: {FILL}."
    )


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


async def test_columns_that_name_people_do_not_stay_as_they_are(app: App) -> None:
    may_name = {*columns_with(tables.metadata, *HOLD_IDS, End.ROW, End.REWRITTEN)}
    may_name |= {column for column in personal_columns(tables.metadata) if isinstance(end_of(column), Instead)}
    async with app.games.store.reading() as db:
        naming = {column async for column, value in every_value(db) if names_people(value)}
    assert naming - names(may_name) == set(), (
        "These columns hold an id or a name of a person, but their info says that a deletion keeps them. "
        "Choose another `End` of gipfbot/store/column_info.py; or `personal(…)`, if the table has `not_personal()`."
    )


async def personal_rows(app: App) -> dict[Table, list[dict[str, Any]]]:
    """Return all rows of the tables with something about people."""
    async with app.games.store.reading() as db:
        stored = {column.table for column in personal_columns(tables.metadata)}
        return {table: [dict(row._mapping) for row in await db.execute(select(table))] for table in stored}


def without_ids(value: object) -> object:
    """Return a value of a column, the same one for each person who has deleted their data."""
    return FORMER if isinstance(value, int) and (is_former_player(value) or value >= FIRST_HASHED_ID) else value


def foretell(table: Table, row: dict[str, Any], person: int) -> dict[str, Any] | None:
    """Return what the infos say that is left of a row after a deletion. None if it goes.

    What goes in other rows and what is written by a function of its own is left out.
    """
    ends = {column.name: end_of(column) for column in table.c}
    owners = [name for name, end in ends.items() if end in (End.OWNER, End.ROW)]
    if table_info(table).end is End.ROW:  # renamed at once, and deleted at the end
        owners += [name for name, end in ends.items() if end is End.PLAYER]
    if any(row[name] == person for name in owners):
        return None
    if table.name in GO_TOO and row["user"] == person and GO_TOO[table.name](row):
        return None
    told = {}
    for name, end in ends.items():
        if isinstance(end, Instead):
            told[name] = end.value if row[end.of] == person else row[name]
        elif end is End.KEPT or end in HOLD_IDS:
            told[name] = FORMER if row[name] == person else without_ids(row[name])
    return told


def unlike(told: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """Return the columns in which a foretold row differs from the one that is most like it."""
    different = [[name for name in told if row[name] != told[name]] for row in rows]
    return min(different, key=len, default=[*told])


async def test_deletions_do_what_the_columns_say(app: App) -> None:
    """Each row that is left, and each that goes, is foretold from the infos. Damaged games are not resigned."""
    async with app.games.store.transaction() as db:
        await db.execute(tables.games.update().values(position="damaged"))
        await db.execute(tables.challenges.update().values(state=RequestState.WITHDRAWN))
    tried = set[str]()
    for person in (*PEOPLE, DAN):
        before = await personal_rows(app)
        await delete_all(app, person.user)
        after = await personal_rows(app)
        for table, rows in before.items():
            tried |= names(column for column in table.c if any(row[column.name] == person.user for row in rows))
            foretold = [told for row in rows if (told := foretell(table, row, person.user)) is not None]
            checked = [column.name for column in table.c if end_of(column) not in (End.ROW, End.REWRITTEN)]
            left = [{name: without_ids(row[name]) for name in checked} for row in after[table]]
            for told in foretold:
                assert told in left, (
                    f"A deletion does not do to {table.name} what the infos say of {unlike(told, left)}."
                )
                left.remove(told)
            assert left == [] or table is tables.former_pings, f"The infos of {table.name} say that these rows go."
    untried = names(columns_with(tables.metadata, *HOLD_IDS)) - tried
    assert untried == set(), f"No deletion was tried on a person in such a column: {FILL}."


def test_rows_go_after_the_time_that_their_table_says() -> None:
    """`test_retention` says when."""
    timed = {table.name for table in tables.metadata.tables.values() if table_info(table).over}
    deleted = {aging.table.name for aging in retention.AGING} | {"outbox", "arrivals"}
    assert timed == deleted, "Add a table with `over` to AGING in gipfbot/store/retention.py, with the rows that stay."


async def test_payloads_that_name_people_are_of_known_kinds(app: App) -> None:
    table = tables.metadata.tables["outbox"]
    async with app.games.store.reading() as db:
        rows = (await db.execute(table.select())).all()
    assert {row.kind for row in rows} >= {kind for kind in app.kinds.values() if kind.people} - {NUDGE}
    for row in rows:
        naming = {key for key, value in row.payload.items() if names_people(value)}
        assert naming <= {*app.kinds[row.kind].people}, row.kind
