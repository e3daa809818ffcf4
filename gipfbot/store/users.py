"""People, by their Discord ids: their settings, and whom they block."""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import BigInteger, Text, bindparam, cast, delete, exists, func, insert, or_, select, update

from gipfbot.match import Seat
from gipfbot.values import Nickname, Person, ServerLanguage, named_player

from .database import Connection
from .due import UNTOLD
from .hashed_ids import KEY_COLUMN, with_hashed_ids
from .names import HAS_OTHER_NAME, name_parameters
from .servers import LANGUAGE
from .tables import blocks, due, follows, games, seats, servers, users

SHUT = "shut"
SHUT_SECONDS = 30 * 24 * 3600
# Built once, because each turn needs them.
_SETTINGS = select(users.c.settings).where(users.c.id == bindparam("user"))
_HAS_LOST_FOLLOWS = exists().where(follows.c.user == bindparam("user"), follows.c.lost.is_not(None))
_HAS_UNTOLD = exists().where(due.c.user == bindparam("user"), due.c.kind == UNTOLD)
_LANGUAGE = select(users.c.language).where(users.c.id == bindparam("user"))
_THERE = servers.c.id == bindparam("on_server", type_=BigInteger)
_PERSON = select(
    _SETTINGS.scalar_subquery().label("settings"),
    _LANGUAGE.scalar_subquery().label("language"),
    _HAS_LOST_FOLLOWS.label("has_lost_follows"),
    _HAS_UNTOLD.label("has_untold_games"),
    *(select(part).where(_THERE).scalar_subquery().label(f"{part.name}_there") for part in LANGUAGE),
)
_NAMED_PERSON = _PERSON.add_columns(HAS_OTHER_NAME.label("is_renamed"))
_CHOICES = (
    select(users.c.settings, seats.c.quiet, seats.c.quiet_turn_serial)
    .select_from(seats.outerjoin(users, users.c.id == seats.c.user))
    .where(seats.c.game == bindparam("in_game"), seats.c.user == bindparam("player"))
)
_BLOCKS_BY = select(blocks.c.user, blocks.c.blocked, blocks.c.name, KEY_COLUMN).where(
    blocks.c.user.in_(bindparam("users", expanding=True))
)


async def load_person(db: Connection, user: int, server: int | None = None, nickname: Nickname | None = None) -> Person:
    """Return what each request reads about the person who acts, and the language of the server on which they do.

    With a `nickname`, also whether they have another name in a running game or open challenge of that server.
    """
    query, named = (_NAMED_PERSON, name_parameters(user, *nickname)) if nickname else (_PERSON, {})
    row = (await db.execute(query, {"user": user, "on_server": server, **named})).one()
    there = ServerLanguage(row.chosen_there, row.written_there, row.manager_there)
    known = row.settings or {}, row.language, row.has_lost_follows, row.has_untold_games, there
    return Person(*known, bool(nickname and row.is_renamed))


async def settings_of_user(db: Connection, user: int) -> dict[str, Any]:
    """Return a person's settings by name; empty for an unknown person."""
    return await db.scalar(_SETTINGS, {"user": user}) or {}


async def settings_with(db: Connection, key: str) -> dict[int, dict[str, Any]]:
    """Return the settings of each person who has set this one. Damaged settings are left out."""
    written = cast(users.c.settings, Text)
    rows = await db.execute(select(users.c.id, written).where(written.contains(f'"{key}"', autoescape=True)))
    found = dict[int, dict[str, Any]]()
    for user, text in rows:
        with suppress(ValueError):
            found[user] = json.loads(text)
    return found


async def set_setting(db: Connection, user: int, key: str, value: Any) -> None:
    """Set one of a person's settings to a JSON value. Does not check whether the key is known."""
    await set_settings(db, user, {key: value})


async def set_settings(
    db: Connection, user: int, changes: Mapping[str, Any], seen_at: int | None = None
) -> dict[str, Any]:
    """Set some of a person's settings to JSON values. Return all. Does not check whether the keys are known.

    With `seen_at`, also save that the person was active then.
    """
    known = await db.scalar(_SETTINGS, {"user": user})
    settings = {**(known or {}), **changes}
    values = {"settings": settings, **({} if seen_at is None else {"seen_at": seen_at})}
    if known is None:
        await db.execute(insert(users).values({"id": user, **values}))
    else:
        await db.execute(update(users).where(users.c.id == user).values(values))
    return settings


async def set_language(db: Connection, user: int, code: str | None) -> None:
    """Save the language in which the bot writes to a person; None for English."""
    if not (await db.execute(update(users).where(users.c.id == user).values(language=code))).rowcount and code:
        await db.execute(insert(users).values(id=user, settings={}, language=code))


async def dms_shut_at(db: Connection, user: int) -> int | None:
    """Return when this person was last found to accept no direct messages; None if they are not known for it.

    In UTC seconds; 0 if no time was saved.
    """
    shut_at = select(func.coalesce(users.c.dms_shut_at, 0)).where(users.c.id == user, users.c.dm_state == SHUT)
    found: int | None = await db.scalar(shut_at)
    return found


async def dms_shut(db: Connection, user: int, now: int) -> bool:
    """Return whether this person is known to accept no direct messages. After SHUT_SECONDS one is tried again."""
    at = await dms_shut_at(db, user)
    return at is not None and now < at + SHUT_SECONDS


async def set_dms_shut(db: Connection, user: int, at: int | None) -> None:
    """Save when this person was found to accept no direct messages (UTC seconds); None if they accept them."""
    values = {"dm_state": None if at is None else SHUT, "dms_shut_at": at}
    if not (await db.execute(update(users).where(users.c.id == user).values(values))).rowcount:
        await db.execute(insert(users).values(id=user, settings={}, **values))


async def choices_in_game(db: Connection, user: int, game: int) -> tuple[dict[str, Any], bool, int | None]:
    """Return a player's settings by name, and whether they want no reminders of a game or of one turn of it.

    The turn is named by its serial. The serial is None if there is no such turn. The turn may be long over.
    """
    row = (await db.execute(_CHOICES, {"in_game": game, "player": user})).one()
    return row.settings or {}, row.quiet, row.quiet_turn_serial


async def quiet_games(db: Connection, user: int) -> dict[int, bool]:
    """Return a table of the games of which this person wants no reminders now, even games that have ended.

    The table maps the game's id to True if the choice is for the whole game, and to False if it is only for the current
    turn.
    """
    this_turn = seats.c.quiet_turn_serial == games.c.turn_number + 2 * games.c.taken_back
    off = seats.c.user == user, or_(seats.c.quiet, this_turn)
    rows = await db.execute(select(seats.c.game, seats.c.quiet).join(games).where(*off))
    return {row.game: row.quiet for row in rows}


async def quiet_of_seats(
    db: Connection, user: int, games_played: Collection[int]
) -> dict[int, tuple[bool, int | None]]:
    """Return what `choices_in_game` returns beside the settings, for each of these games of a player, by game."""
    mine = seats.c.user == user, seats.c.game.in_(games_played)
    rows = await db.execute(select(seats.c.game, seats.c.quiet, seats.c.quiet_turn_serial).where(*mine))
    return {row.game: (row.quiet, row.quiet_turn_serial) for row in rows}


async def set_quiet(db: Connection, user: int, game: int) -> None:
    """Save that this person wants no reminders of a game."""
    await _update_seat(db, user, game, quiet=True)


async def set_quiet_turn(db: Connection, user: int, game: int, turn_serial: int) -> None:
    """Save that this person wants no reminders of one turn of a game, by the turn's serial."""
    await _update_seat(db, user, game, quiet_turn_serial=turn_serial)


async def end_quiet(db: Connection, user: int, game: int) -> None:
    """Save that this person wants reminders of a game again, also of the current turn."""
    await _update_seat(db, user, game, quiet=False, quiet_turn_serial=None)


async def _update_seat(db: Connection, user: int, game: int, **values: Any) -> None:
    await db.execute(update(seats).where(seats.c.game == game, seats.c.user == user).values(values))


async def carry_over_choices(db: Connection, game: int, next_game: int) -> None:
    """Copy the players' reminder settings and notes from a game to the game that follows it."""
    rows = await db.execute(select(seats.c.user, seats.c.quiet, seats.c.note).where(seats.c.game == game))
    for row in rows.all():
        same = seats.c.game == next_game, seats.c.user == row.user
        await db.execute(update(seats).where(*same).values(quiet=row.quiet, note=row.note))


async def end_all_quiet(db: Connection, user: int) -> None:
    """Save that this person wants reminders of all their games and turns again."""
    off = seats.c.user == user, or_(seats.c.quiet, seats.c.quiet_turn_serial.is_not(None))
    await db.execute(update(seats).where(*off).values(quiet=False, quiet_turn_serial=None))


async def set_note(db: Connection, user: int, game: int, note: str | None) -> None:
    """Save this person's private note on a game; None deletes it."""
    await _update_seat(db, user, game, note=note)


async def add_block(db: Connection, user: int, blocked: Seat, now: int) -> None:
    """Store that a person blocks a player. Does not check whether they do so already."""
    await db.execute(insert(blocks).values(user=user, blocked=blocked.user, name=blocked.name, created_at=now))


async def delete_block(db: Connection, user: int, blocked: int) -> None:
    """Delete a person's block. `blocked` is the stored id, which `blocks_among` returns."""
    await db.execute(delete(blocks).where(blocks.c.user == user, blocks.c.blocked == blocked))


async def blocks_of(db: Connection, user: int) -> list[Seat]:
    """Return the players whom a person blocks, the first blocked first."""
    order = blocks.c.created_at, blocks.c.blocked
    rows = await db.execute(select(blocks).where(blocks.c.user == user).order_by(*order))
    return [Seat(row.blocked, named_player(row.blocked, row.name)) for row in rows]


async def count_blocks(db: Connection, user: int) -> int:
    """Return how many players a person blocks."""
    return (await db.execute(select(func.count()).where(blocks.c.user == user))).scalar_one()


async def blocks_among(db: Connection, users: Collection[int], people: Collection[int]) -> dict[tuple[int, int], Seat]:
    """Return which of these users block which of these people: the blocked player, by the ids of both.

    A person who has deleted their data since is found, too: the player has the stored id and name.
    """
    rows = (await db.execute(_BLOCKS_BY, {"users": [*users]})).all()
    known = with_hashed_ids(rows[0].hash_key, people) if rows else {}
    return {
        (row.user, known[row.blocked]): Seat(row.blocked, named_player(row.blocked, row.name))
        for row in rows
        if row.blocked in known
    }
