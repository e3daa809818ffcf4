"""Fair play: the bot gives no help in a running game between people.

It neither shows nor answers what tells a player something about the position that stands there. A turn of its own that
has to wait for that is *held*: its due row names the game and the version for which it waits, and becomes due once that
game has gone on. A held row has no timer that looks for that: `store/due_work.py` asks for it with all else.
"""

from collections.abc import Callable, Iterable, Sequence

from gipfbot.match import DAY, Game
from gipfbot.match.fair_play import Positions
from gipfbot.rules import Position
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.message_kinds import MessageKind, owe_to_caller
from gipfbot.service.play.turn import house_key
from gipfbot.store import Store, due, game_lists, users
from gipfbot.values import OutboxRow, StandingPosition

HELD = MessageKind("held", "note that the bot waits for another game", direct=True)
LOOK_AGAIN_SECONDS = DAY  # for which a row is held at most; then the house player looks at it again


async def find_in_own_games(
    store: Store, aside: Aside, user: int, positions: Iterable[Position], *, to_play: bool = False
) -> StandingPosition | None:
    """Return the position of a running game of a person that these positions tell something about; None without one."""
    async with store.reading() as db:
        standing = await game_lists.standing_positions(db, user)
    return await aside.run(user, find_standing, standing, positions, to_play=to_play) if standing else None


def find_standing(
    standing: Sequence[StandingPosition], positions: Iterable[Position], *, to_play: bool = False
) -> StandingPosition | None:
    """Return where a game stands that is in `positions`, or one turn before one of them. None if there is none.

    With `to_play`, the bot is asked to play in these positions. Then the position that stands while the opponent has to
    decide does not count: what the bot plays there helps nobody. What follows it counts, for conditional turns are
    planned there.
    """
    known = Positions(positions)
    for each in standing:
        counts = each.is_own_turn or not to_play
        if (counts and known.has(each.position)) or known.has_next(each.position):
            return each
    return None


class HeldTurns:
    """Holds decisions of the house player that would help their opponent elsewhere. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside
        self._waited_for = set[int]()  # the games for which this process has held decisions

    async def hold(self, game: Game, key: str) -> tuple[OutboxRow, ...] | None:
        """Hold the house player's row with this key if its decision would help the opponent. Return None if not.

        Return the messages that the caller has to deliver: the opponent is told once for each row. Does not check that
        the house player is asked.
        """
        assert game.house_colour is not None
        user = game.seats[game.house_colour.other].user
        found = await find_in_own_games(self.store, self.aside, user, [game.position], to_play=True)
        if found is None:
            return None
        now, payload = self.now(), {"game": game.id, "version": game.version}
        async with self.store.transaction() as db:
            self._waited_for.add(found.game)
            is_new = await due.hold(db, key, now + LOOK_AGAIN_SECONDS, found.game, found.version)
            if not is_new or await users.dms_shut(db, user, now):
                return ()
            return await owe_to_caller(db, f"{HELD}:{game.id}:{game.version}", HELD, user, payload, now, by=user)

    async def release(self) -> None:
        """Make the held rows due whose other game has gone on. The house player looks at each of them anew."""
        async with self.store.transaction() as db:
            await due.release_held(db, self.now())

    async def go_on_after(self, game: int | None) -> bool:
        """Make the rows due that this process has held for a game which has just gone on. Return whether it held any.

        So nobody waits for a sweep. What other processes have held is found by the next one.
        """
        if game not in self._waited_for:
            return False
        self._waited_for.remove(game)
        await self.release()
        return True

    async def game_waited_for(self, game: Game) -> int | None:
        """Return the game for which the house player's decision is held; None if it is not held."""
        async with self.store.reading() as db:
            return await due.held_for(db, house_key(game))
