"""Spectators: follows of games and players, which channels followers see, and guesses."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Executable, Row, and_, bindparam, case, delete, func, insert, or_, select, update

from gipfbot.match import Status
from gipfbot.match.guess import EXACT_POINTS, PUSH_POINTS
from gipfbot.rules import Action
from gipfbot.values import Follow, Guess, GuessScore, LostReason, News, named_both, named_player

from .database import READ_ERRORS, Connection, log_once, read_each
from .game_rows import HOUSE, SEAT_COLUMNS, actions_text, names_in, parse_actions, read_house, with_seats
from .tables import channel_checks, follows, games, guesses, seats

_WITH_GAME = with_seats(follows, follows.c.game, isouter=True).outerjoin(games, games.c.id == follows.c.game)
_HOLDS = follows.c.lost.is_(None)
# Built once, because each turn needs them.
_FOR_NEWS = (
    select(follows).where(follows.c.news.in_(bindparam("wanted", expanding=True)), _HOLDS).order_by(follows.c.id)
)
_OF_GAME = _FOR_NEWS.where(follows.c.game == bindparam("in_game")).limit(bindparam("most"))
_OF_PLAYERS = _FOR_NEWS.where(follows.c.player.in_(bindparam("players", expanding=True))).limit(bindparam("most"))
_FOLLOWERS = select(_OF_GAME.subquery()).union_all(select(_OF_PLAYERS.subquery()))
MANY = 1 << 31  # more than the number of follows

# Built once, because each turn needs it.
_GUESSED = (
    select(guesses.c.actions)
    .where(guesses.c.game == bindparam("in_game"), guesses.c.turn_serial == bindparam("shown_turn_serial"))
    .distinct()
)


async def add_follow(db: Connection, new: Follow, now: int) -> int:
    """Store a follow; return its id. The id in `new` is ignored."""
    values = {"user": new.user, "game": new.game, "player": new.player, "name": new.name, "news": new.news}
    query = insert(follows).values(**values, lost=new.lost, created_at=now).returning(follows.c.id)
    follow_id: int = (await db.execute(query)).scalar_one()
    return follow_id


async def load_follow(db: Connection, follow_id: int) -> Follow | None:
    """Return a follow that has not ended, or None."""
    return await _find_follow(db, follows.c.id == follow_id)


async def follow_of_game(db: Connection, user: int, game: int) -> Follow | None:
    """Return a person's follow of a game, or None."""
    return await _find_follow(db, and_(follows.c.user == user, follows.c.game == game))


async def follow_of_player(db: Connection, user: int, player: int) -> Follow | None:
    """Return a person's follow of a player, or None."""
    return await _find_follow(db, and_(follows.c.user == user, follows.c.player == player))


async def _find_follow(db: Connection, which: ColumnElement[bool]) -> Follow | None:
    found = await _load_follows(db, and_(which, _HOLDS))
    return found[0] if found else None


async def _load_follows(db: Connection, which: ColumnElement[bool]) -> list[Follow]:
    query = select(follows, *SEAT_COLUMNS, HOUSE).select_from(_WITH_GAME).where(which).order_by(follows.c.id)
    return read_each(db, await db.execute(query), "follow", _read_named)


async def _read_follows(db: Connection, query: Executable, given: dict[str, Any] | None = None) -> list[Follow]:
    return read_each(db, await db.execute(query, given), "follow", _read_follow)


def _read_follow(row: Row[Any]) -> Follow:
    lost = None if row.lost is None else LostReason(row.lost)
    name = row.name if row.player is None else named_player(row.player, row.name)
    return Follow(row.id, row.user, row.game, row.player, name, News(row.news), lost)


def _read_named(row: Row[Any]) -> Follow:
    """Return the follow of a row, with the names of its game's players as a Sentence."""
    follow = _read_follow(row)
    return follow if row.white_user is None else replace(follow, name=named_both(*names_in(row, read_house(row.house))))


async def follows_of(db: Connection, user: int) -> list[Follow]:
    """Return a person's current follows, oldest first. Follows of games that have ended are left out."""
    stands = or_(follows.c.game.is_(None), games.c.status == Status.RUNNING)
    return await _load_follows(db, and_(follows.c.user == user, _HOLDS, stands))


async def take_lost_follows(db: Connection, user: int) -> list[Follow]:
    """Delete a person's follows that have ended without their doing. Return them, oldest first."""
    lost = await _load_follows(db, and_(follows.c.user == user, follows.c.lost.is_not(None)))
    if lost:
        await db.execute(delete(follows).where(follows.c.id.in_([follow.id for follow in lost])))
    return lost


async def followers(
    db: Connection, game: int, players: Collection[int], news: Collection[News], limit: int | None
) -> list[Follow]:
    """Return the follows of a game for this news, oldest first, at most `limit`; then as many of these players."""
    given = {"in_game": game, "players": [*players], "wanted": [*news], "most": MANY if limit is None else limit}
    found = await _read_follows(db, _FOLLOWERS, given)
    return sorted(found, key=lambda follow: (follow.game is None, follow.id))


async def count_followers(db: Connection, game: int, news: News) -> int:
    """Return how many people follow a game for this news."""
    which = follows.c.game == game, follows.c.news == news, _HOLDS
    return (await db.execute(select(func.count()).where(*which))).scalar_one()


async def set_news(db: Connection, follow_id: int, news: News) -> None:
    """Save which news a follower gets."""
    await db.execute(update(follows).where(follows.c.id == follow_id).values(news=news))


async def lose_follow(db: Connection, follow_id: int, reason: LostReason) -> None:
    """Save that a follow has ended without the follower's doing."""
    await db.execute(update(follows).where(follows.c.id == follow_id, _HOLDS).values(lost=reason))


async def lose_all_follows(db: Connection, user: int, reason: LostReason) -> None:
    """Save that all follows of a person have ended without their doing."""
    await db.execute(update(follows).where(follows.c.user == user, _HOLDS).values(lost=reason))


async def lose_follows_by(db: Connection, user: int, player: int) -> None:
    """Save that a person's follows of a player, and of this player's games, have become impossible."""
    plays = select(seats.c.game).where(seats.c.game == follows.c.game, seats.c.user == player).exists()
    which = and_(follows.c.user == user, or_(follows.c.player == player, plays), _HOLDS)
    await db.execute(update(follows).where(which).values(lost=LostReason.IMPOSSIBLE))


async def lose_follows_of(db: Connection, player: int) -> None:
    """Save that all follows of a player have become impossible."""
    await db.execute(update(follows).where(follows.c.player == player, _HOLDS).values(lost=LostReason.IMPOSSIBLE))


async def delete_follow(db: Connection, follow_id: int) -> None:
    """Delete a follow."""
    await db.execute(delete(follows).where(follows.c.id == follow_id))


async def known_check(db: Connection, user: int, channel: int, since: int) -> bool | None:
    """Return whether a person saw a channel at the last check. None if there was no check at `since` or later."""
    which = channel_checks.c.user == user, channel_checks.c.channel == channel, channel_checks.c.checked_at >= since
    sees: bool | None = await db.scalar(select(channel_checks.c.sees).where(*which))
    return sees


async def save_check(db: Connection, user: int, channel: int, now: int, *, sees: bool) -> None:
    """Save whether a person sees a channel."""
    which, values = and_(channel_checks.c.user == user, channel_checks.c.channel == channel), {"checked_at": now}
    changed = await db.execute(update(channel_checks).where(which).values(**values, sees=sees))
    if not changed.rowcount:
        await db.execute(insert(channel_checks).values(user=user, channel=channel, **values, sees=sees))


async def save_guess(db: Connection, guess: Guess, now: int) -> None:
    """Save a person's guess of a turn. It replaces their earlier one.

    Does not check whether the turn has been played.
    """
    which = guesses.c.game == guess.game, guesses.c.turn_serial == guess.turn_serial, guesses.c.user == guess.user
    values = {"actions": actions_text(guess.actions), "guessed_at": now}
    if not (await db.execute(update(guesses).where(*which).values(values))).rowcount:
        key = {"game": guess.game, "turn_serial": guess.turn_serial, "user": guess.user}
        await db.execute(insert(guesses).values(**key, **values))


async def guesses_of(db: Connection, user: int, game: int, turn_serials: Collection[int]) -> dict[int, Guess]:
    """Return a person's own guesses of these turns, by turn serial. Guesses that cannot be read are left out."""
    which = and_(guesses.c.game == game, guesses.c.turn_serial.in_(turn_serials), guesses.c.user == user)
    found = dict[int, Guess]()
    for row in await db.execute(select(guesses).where(which)):
        try:
            found[row.turn_serial] = Guess(game, row.turn_serial, user, parse_actions(row.actions), row.points)
        except READ_ERRORS as error:
            log_once(db, f"guess in game {game}", error)
    return found


async def guessed_turns(db: Connection, game: int, turn_serial: int) -> dict[str, tuple[Action, ...]]:
    """Return the different guesses of a turn, by their codes. Call this only once the turn is played."""
    codes = await db.scalars(_GUESSED, {"in_game": game, "shown_turn_serial": turn_serial})
    return {text: parse_actions(text) for text in codes}


async def set_points(db: Connection, game: int, turn_serial: int, actions: str, points: int) -> None:
    """Save the points of all guesses of a turn that have these actions, by their codes."""
    which = guesses.c.game == game, guesses.c.turn_serial == turn_serial, guesses.c.actions == actions
    await db.execute(update(guesses).where(*which).values(points=points))


async def guess_score(db: Connection, user: int) -> GuessScore:
    """Return how well a person has guessed. Guesses whose turns have not been played do not count."""
    points = guesses.c.points
    counts = (func.coalesce(func.sum(case((points == value, 1), else_=0)), 0) for value in (EXACT_POINTS, PUSH_POINTS))
    query = select(func.count(), *counts, func.coalesce(func.sum(points), 0))
    row = (await db.execute(query.where(guesses.c.user == user, points.is_not(None)))).one()
    return GuessScore(*row)
