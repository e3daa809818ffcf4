"""What deletion, export and retention of personal data do to each column.

Each table declares it for its rows: `Table(info=personal(…))` or `not_personal()`. In a table with something about
people, each column declares it too, such as `Column(info=exported(…))`.
"""

from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Column, MetaData, Table

Info: TypeAlias = dict[Any, Any]  # as SQLAlchemy keeps it
OWN_ID = "your_discord_id"  # the export entry of the columns by which a person's rows are found


class End(Enum):
    """What the deletion of a person's data does to a column."""

    KEPT = "it stays"
    ROW = "it goes with its row"
    OWNER = "it holds the id of the person whose row this is: all their rows are deleted"
    PLAYER = "it holds a person's id: the pseudonym takes its place at once"
    IN_GAME = "it holds a person's id: the pseudonym takes its place, in a batch of their games"
    RENAMED = "it holds a person's id: a statement of its own puts the pseudonym or the hashed id in its place"
    REWRITTEN = "it may name the person: a function of its own takes them out"


HOLD_IDS = End.OWNER, End.PLAYER, End.IN_GAME, End.RENAMED


class Instead(NamedTuple):
    """A column's new value once the pseudonym has replaced the id in `of`, another column of the row."""

    value: object
    of: str = "user"


class Form(Enum):
    """How an export writes a value."""

    PLAIN = "as it is"
    IF_ANY = "as it is, but not at all if it is empty or false"
    TIME = "as a text, from UTC seconds"
    ID = "as a text, so that no program rounds it"
    PERSON = "as a text; not at all for a former player"
    WHO = "as “you” or “opponent”"
    GAME = "by its name"
    MONTH = "as year and month"
    COLOUR = "in a word"
    RULES = "by their name"
    TERMS = "in words"
    REASON = "in words, why a game ended"
    BROKEN = "in words, where and why a record breaks"


class ColumnInfo(NamedTuple):
    """What deletion, export and retention do to a column."""

    entry: str | None  # in its table's section of an export; None for the column's name, empty if not exported
    form: Form | None  # None if a function of its own writes the entry; `entry` is its whole path then
    end: End | Instead | None  # None for that of its table
    kept_for: int = 0  # seconds, if it is emptied before its row is deleted


class TableInfo(NamedTuple):
    """What deletion, export and retention do to the rows of a table."""

    section: str | None  # the section of an export with their entries; None if nothing in them is about people
    end: End  # of the columns without an `end` of their own
    over: str = ""  # the column with the time at which a row is over
    kept_for: int = 0  # the seconds for which a row is kept after that


def exported(entry: str | None = None, form: Form = Form.PLAIN, end: End | Instead | None = None) -> Info:
    """Return the info of a column that is exported under this name."""
    return {ColumnInfo: ColumnInfo(entry, form, end)}


def written_in(path: str, end: End | Instead | None = None, kept_for: int = 0) -> Info:
    """Return the info of a column that a separate function exports. `path` is the whole path of its entry."""
    return {ColumnInfo: ColumnInfo(path, None, end, kept_for)}


def own_id(end: End) -> Info:
    """Return the info of the column that holds the person to whom a row belongs."""
    return written_in(OWN_ID, end)


def not_exported(_reason: str, end: End | Instead | None = None) -> Info:
    """Return the info of a column that is not exported. The reason is for readers of the code."""
    return {ColumnInfo: ColumnInfo("", None, end)}


def personal(section: str, end: End = End.KEPT, over: str = "", kept_for: int = 0) -> Info:
    """Return the info of a table with something about people."""
    return {TableInfo: TableInfo(section, end, over, kept_for)}


def not_personal(over: str = "", kept_for: int = 0) -> Info:
    """Return the info of a table that holds nothing about people. Its columns need no info."""
    return {TableInfo: TableInfo(None, End.KEPT, over, kept_for)}


def info_of(column: Column[Any]) -> ColumnInfo:
    """Return the info of a column. Raises LookupError if it has none."""
    found: ColumnInfo | None = column.info.get(ColumnInfo)
    if found is None:
        raise LookupError(
            f"say what becomes of {column} in its table: info=exported(…), written_in(…) or not_exported(…)"
        )
    return found


def table_info(table: Table) -> TableInfo:
    """Return the info of a table. Raises LookupError if it has none."""
    found: TableInfo | None = table.info.get(TableInfo)
    if found is None:
        raise LookupError(f"say what becomes of the rows of {table} in it: info=personal(…) or not_personal()")
    return found


def section_of(table: Table) -> str:
    """Return the export section that holds the rows of a table; empty for the top of the export, or no section."""
    return table_info(table).section or ""


def end_of(column: Column[Any]) -> End | Instead:
    """Return what a deletion does to a column."""
    return info_of(column).end or table_info(column.table).end


def path_of(column: Column[Any]) -> str:
    """Return the whole path of a column's entry in an export, with dots between the names. Empty if it has none."""
    info = info_of(column)
    if info.form is None:
        return info.entry or ""
    return f"{section_of(column.table)}.{info.entry or column.name}".removeprefix(".")


def personal_columns(metadata: MetaData) -> list[Column[Any]]:
    """Return the columns of all tables with something about people."""
    return [column for table in metadata.tables.values() if table_info(table).section is not None for column in table.c]


def columns_with(metadata: MetaData, *ends: End) -> list[Column[Any]]:
    """Return the columns to which a deletion does one of these things."""
    return [column for column in personal_columns(metadata) if end_of(column) in ends]


def columns_with_people(metadata: MetaData) -> list[Column[Any]]:
    """Return the columns that together hold every stored person: those with a person's id that begin an index."""
    return [column for column in columns_with(metadata, *HOLD_IDS) if _begins_an_index(column)]


def _begins_an_index(column: Column[Any]) -> bool:
    keys = [[*index.columns] for index in column.table.indexes] + [[*column.table.primary_key.columns]]
    return any(key[0] is column for key in keys)


def own_columns(metadata: MetaData) -> list[Column[Any]]:
    """Return the columns by which a person's rows are found, one per table."""
    return [column for column in personal_columns(metadata) if info_of(column).entry == OWN_ID]
