"""Follow a game or a player: direct messages on each turn, or on results only.

Messages to followers are owed when the board has been posted, so they never overtake it. Followers see only games whose
channel they see. Discord is asked about that when somebody begins to follow, and at most once a day after that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gipfbot.match import Game, Refused, Seat, Why, check_running
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, board_of
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.kit.message_kinds import MessageKind, rows_of_standing_turns
from gipfbot.service.settings.users import check_not_blocked, load_user_settings
from gipfbot.store import Connection, Store, games, outbox, users, watching
from gipfbot.values import (
    Follow,
    Guess,
    LostReason,
    News,
    OutboxRow,
    SettledRow,
    StoredGame,
    Venue,
    named_both,
)

FOLLOWED = MessageKind("followed", "news of what you follow", direct=True)
MOST_FOLLOWS = 50  # of one person
MOST_FOLLOWERS = 100  # who are told of each turn of one game
_OVER = "over"  # the name of the state of a game that has ended
CHECK_SECONDS = 24 * 3600  # after which Discord is asked again whether a follower sees a channel


@dataclass(frozen=True)
class FollowNews:
    """News for a follower: the game as it is now, and the turns that were just taken back.

    `sees` says whether the follower sees the game's channel; None if Discord has to be asked again. `guess` is the
    follower's guess of the turn that the news is about; None if they made none, or if no turn was played.
    """

    follow: Follow
    stored: StoredGame
    turns_taken_back: tuple[str, ...]
    sees: bool | None
    guess: Guess | None


class Follows:
    """Operations on follows. Each raises Refused, and changes nothing, if it is not possible. `now` is in UTC seconds.

    Does not check whether a person sees a game.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def follow_game(self, user: int, game_id: int, news: News) -> Follow:
        """Let a person who sees a running game follow it, or change what they are told of it."""
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            if stored.game.colour_of(user) is not None:
                raise Refused(Why.FOLLOWS_OWN_GAME)
            check_running(stored.game, Why.WATCHED_OVER)
            await check_not_blocked(db, user, [seat.user for seat in stored.game.seats])
            known = await watching.follow_of_game(db, user, game_id)
            if news is News.EACH_TURN and (known is None or known.news is not news):
                await _check_followers(db, game_id)
            await watching.save_check(db, user, _checked_channel(stored.venue), self.now(), sees=True)
            name = named_both(*(seat.name for seat in stored.game.seats))
            return await self._save(db, known or Follow(0, user, game_id, None, name, news), news)

    async def follow_player(self, user: int, player: Seat, news: News) -> Follow:
        """Let a person follow a player, or change what they are told."""
        if user == player.user:
            raise Refused(Why.FOLLOWS_SELF)
        async with self.store.transaction() as db:
            await check_not_blocked(db, user, [player.user])
            await _check_takes_followers(db, player.user)
            known = await watching.follow_of_player(db, user, player.user)
            return await self._save(db, known or Follow(0, user, None, player.user, player.name, news), news)

    async def set_followers(self, user: int, allowed: bool) -> None:
        """Let a person choose whether others may follow them. If not, all follows of them end."""
        async with self.store.transaction() as db:
            await users.set_settings(db, user, {"followers": allowed}, self.now())
            if not allowed:
                await watching.lose_follows_of(db, user)

    async def _save(self, db: Connection, follow: Follow, news: News) -> Follow:
        """Save a follow, which is new if its id is 0."""
        if follow.id:
            await watching.set_news(db, follow.id, news)
        elif len(await watching.follows_of(db, follow.user)) >= MOST_FOLLOWS:
            raise Refused(Why.TOO_MANY_FOLLOWS, most=MOST_FOLLOWS)
        follow_id = follow.id or await watching.add_follow(db, follow, self.now())
        found = await watching.load_follow(db, follow_id)
        assert found
        return found

    async def unfollow_game(self, user: int, game: int) -> Follow | None:
        """Let a person stop following a game. Return the follow that has ended; None if there was none."""
        async with self.store.transaction() as db:
            return await _delete_found(db, await watching.follow_of_game(db, user, game))

    async def unfollow_player(self, user: int, player: int) -> Follow | None:
        """Let a person stop following a player. Return the follow that has ended; None if there was none."""
        async with self.store.transaction() as db:
            return await _delete_found(db, await watching.follow_of_player(db, user, player))

    async def unfollow(self, user: int, follow_id: int) -> Follow | None:
        """End a follow of this person. Return it; None if they have none with this id."""
        async with self.store.transaction() as db:
            found = await watching.load_follow(db, follow_id)
            return await _delete_found(db, found if found and found.user == user else None)

    async def follows_of(self, user: int) -> list[Follow]:
        """Return what a person follows, oldest first."""
        async with self.store.reading() as db:
            return await watching.follows_of(db, user)

    async def follow_of_game(self, user: int, game: int) -> Follow | None:
        """Return a person's follow of a game, or None."""
        async with self.store.reading() as db:
            return await watching.follow_of_game(db, user, game)

    async def take_lost(self, user: int) -> list[Follow]:
        """Return a person's follows that have ended without their doing, and forget them."""
        async with self.store.transaction() as db:
            return await watching.take_lost_follows(db, user)

    async def news_to_tell(self, owed: OutboxRow) -> FollowNews | None:
        """Return the news in an owed message. None if the follow has ended, or if the game has gone on since."""
        async with self.store.reading() as db:
            follow = await watching.load_follow(db, owed.payload["follow"])
            if follow is None:
                return None
            stored = await require_game(db, owed.payload["game"])
            if _state_key(stored.game.turn_serial, over=stored.game.asked is None) != owed.payload["state"]:
                return None
            channel, since = _checked_channel(stored.venue), self.now() - CHECK_SECONDS
            sees = await watching.known_check(db, owed.channel, channel, since)
            guess = await _scored_guess(db, owed.channel, stored.game)
            return FollowNews(follow, stored, tuple(owed.payload["taken_back"]), sees, guess)

    async def note_check(self, news: FollowNews, *, sees: bool) -> None:
        """Save whether a follower sees the channel of a game. If not, their follow of the game ends."""
        async with self.store.transaction() as db:
            channel = _checked_channel(news.stored.venue)
            await watching.save_check(db, news.follow.user, channel, self.now(), sees=sees)
            if not sees and news.follow.game is not None:
                await watching.lose_follow(db, news.follow.id, LostReason.HIDDEN)


async def _scored_guess(db: Connection, user: int, game: Game) -> Guess | None:
    """Return a person's scored guess of the last turn. None also if the game has ended without a turn."""
    if game.asked is None and (game.last is None or game.last.after.result is None):
        return None
    last = game.turn_serial - 1
    found = (await watching.guesses_of(db, user, game.id, (last,))).get(last)
    return found if found and found.points is not None else None


async def _check_takes_followers(db: Connection, player: int) -> None:
    if not (await load_user_settings(db, player)).followers:
        raise Refused(Why.NOT_POSSIBLE)


async def _check_followers(db: Connection, game: int) -> None:
    if await watching.count_followers(db, game, News.EACH_TURN) >= MOST_FOLLOWERS:
        raise Refused(Why.TOO_MANY_FOLLOWERS, game=game, most=MOST_FOLLOWERS)


async def _delete_found(db: Connection, found: Follow | None) -> Follow | None:
    if found:
        await watching.delete_follow(db, found.id)
    return found


def _checked_channel(venue: Venue) -> int:
    """Return the channel that a follower must see. For a thread, this is its parent channel."""
    return venue.channel if venue.parent is None else venue.parent


def _state_key(turn_serial: int, *, over: bool) -> str:
    """Return the name of a game's state. Followers are told once of each turn serial, and once of the end."""
    return _OVER if over else str(turn_serial)


@BOARD.when_delivered
async def owe_news(db: Connection, owed: OutboxRow, _: int, now: int) -> None:
    """Owe the direct messages to the followers of a game whose board has just been posted."""
    board = board_of(owed)
    followers = await _followers(db, board) if _is_news(board) else None
    if not followers:
        return
    state = _state_key(board.turn_serial, over=board.over)
    key = f"{FOLLOWED}:{board.game}:{state}"
    told = await outbox.payloads_by_channel(db, f"{key}:", f"{key};")  # `;` follows `:` in the order of keys
    payload = {"game": board.game, "state": state, "taken_back": board.turns_taken_back}
    payloads = {user: {**payload, "follow": follow} for user, follow in followers.items() if user not in told}
    await outbox.owe_each(db, key, FOLLOWED, payloads, now)


def _is_news(board: BoardMessage) -> bool:
    """Return whether followers are told of a board: a complete turn, turns taken back, or the end."""
    happened = board.turn_number > 0 or bool(board.turns_taken_back)
    return board.over or (happened and not board.within_turn and not board.conditional_follows)


async def _followers(db: Connection, board: BoardMessage) -> dict[int, int]:
    """Return who is told of a board, each with the id of their follow. Followers of the game come first.

    A person whom one of the players blocks is left out, also if they follow the other player.
    """
    news, limit = ((News.EACH_TURN, News.RESULT), None) if board.over else ((News.EACH_TURN,), MOST_FOLLOWERS)
    found = await watching.followers(db, board.game, board.seats, news, limit)
    if not found:
        return {}
    blocks = await users.blocks_among(db, board.seats, [follow.user for follow in found])
    untold = {*board.seats, *(follower for _, follower in blocks)}
    by_user = dict[int, int]()
    for follow in found:
        if follow.user not in untold:
            by_user.setdefault(follow.user, follow.id)
    return dict([*by_user.items()][:limit])


@FOLLOWED.when_delivered
async def forget_told_result(db: Connection, owed: OutboxRow, _: int, __: int) -> None:
    """Delete the follow of a game whose result was told."""
    await _forget_if_over(db, owed)


@FOLLOWED.when_needless
async def forget_needless_result(db: Connection, owed: OutboxRow, _: int) -> None:
    """Delete the follow of a game whose result need not be told."""
    await _forget_if_over(db, owed)


async def _forget_if_over(db: Connection, owed: OutboxRow) -> None:
    found = await watching.load_follow(db, owed.payload["follow"])
    if found and found.game is not None and owed.payload["state"] == _state_key(0, over=True):
        await watching.delete_follow(db, found.id)


@FOLLOWED.when_dm_refused
async def lose_refused_follow(db: Connection, owed: OutboxRow, now: int) -> None:
    """End a follow whose message was refused. If the person takes no direct messages at all, end all their follows."""
    if await users.dms_shut(db, owed.channel, now):
        await watching.lose_all_follows(db, owed.channel, LostReason.SHUT)
    else:
        await watching.lose_follow(db, owed.payload["follow"], LostReason.REFUSED)


@FOLLOWED.still_needs
async def news_of_this_state(db: Connection, rows: Sequence[SettledRow]) -> set[int]:
    """Return the news of games whose state is the same. If a board is posted again, nobody is told twice.

    A game that has ended gets another board only if its venue took no messages.
    """
    told = {row.id: row.key.split(":")[1:3] for row in rows}
    ends = {row: int(game) for row, (game, state) in told.items() if state == _OVER}
    turns = {row: (int(game), int(state)) for row, (game, state) in told.items() if row not in ends}
    unreachable = await games.unreachable_games(db, {*ends.values()})
    return await rows_of_standing_turns(db, turns) | {row for row, game in ends.items() if game in unreachable}
