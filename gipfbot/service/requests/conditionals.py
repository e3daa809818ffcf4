"""Answers left in advance, as their owner leaves, sees and withdraws them; nobody else ever sees them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gipfbot import match
from gipfbot.match import Game, Refused, Turn, Why
from gipfbot.match.conditionals import (
    MOST_CONDITIONALS,
    ConditionalLine,
    can_coexist,
    check_conditional,
    read_conditional,
)
from gipfbot.match.study import Actions, drop_tried, study_game
from gipfbot.notation import OFFICIAL, Notation
from gipfbot.service.play.turn import require_game
from gipfbot.store import Connection, OutboxRow, Store, StoredGame, StoredStudy, conditionals, games


@dataclass(frozen=True)
class PlayerConditionals:
    """What a player has left in a game: his lines from the present position, and how many have lapsed since.

    `new` is the line that he has just left, and `replaced` how many others made way for it.
    """

    stored: StoredGame
    lines: tuple[ConditionalLine, ...]
    discarded: int = 0
    added: ConditionalLine | None = None
    replaced: int = 0

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.stored.game


@dataclass(frozen=True)
class DiscardedConditionals:
    """Lines of a player that have lapsed, the turn that came instead, and his answer to it, if there was one."""

    game: Game
    user: int
    turn: Turn
    lines: tuple[ConditionalLine, ...]
    own_turn: Turn | None


class Conditionals:
    """What players leave in advance. `now` tells UTC seconds.

    Raises Refused, and changes nothing then, where one may not.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def conditionals_of(self, game_id: int, by: int) -> PlayerConditionals:
        """Return what a player has left in a game."""
        async with self.store.reading() as db:
            return await _player_conditionals(db, await _own_game(db, game_id, by), by)

    async def add_typed_line(
        self, game_id: int, by: int, text: str, notation: Notation = OFFICIAL, turn_serial: int | None = None
    ) -> PlayerConditionals:
        """Return what a player has left with this line, which he has typed. Raises BrokenRecord, too.

        `serial` is that of the game for which a button was drawn.
        """
        async with self.store.transaction() as db:
            stored = await _own_game(db, game_id, by, turn_serial)
            return await self._add_line(db, stored, by, read_conditional(stored.game, by, text, notation))

    async def add_line_from_study(self, study: StoredStudy) -> PlayerConditionals:
        """Return what the owner of a study of his game has left with the line that he has tried in it."""
        async with self.store.transaction() as db:
            stored = await _game_of_tried_line(db, study)
            return await self._add_line(db, stored, study.user, study.study.tried)

    async def may_add_from_study(self, study: StoredStudy) -> bool:
        """Return whether what was tried in a study can be left as a line in its game."""
        if study.game is None or not study.study.tried or study.study.draft:
            return False
        async with self.store.reading() as db:
            try:
                await _game_of_tried_line(db, study)
            except Refused:
                return False
        return True

    async def _add_line(
        self, db: Connection, stored: StoredGame, by: int, turns: Sequence[Actions]
    ) -> PlayerConditionals:
        game = stored.game
        known = await _lines_of_player(db, game.id, by)
        lines = [line for line in known if line.turn_number == game.turn_number]
        staying = [line for line in lines if can_coexist(game.position, line.turns, turns)]
        if len(staying) >= MOST_CONDITIONALS:
            raise Refused(Why.TOO_MANY_CONDITIONALS)
        await conditionals.delete_lines(db, [line for line in known if line not in staying])
        await conditionals.add_conditional_line(db, game.id, by, game.turn_number, turns, self.now())
        now_are = await _lines_of_player(db, game.id, by)
        return PlayerConditionals(stored, tuple(now_are), added=now_are[-1], replaced=len(lines) - len(staying))

    async def withdraw_line(self, game_id: int, by: int, line_id: int, turn_serial: int) -> PlayerConditionals:
        """Return what a player has left in a game without this line, on a button drawn for this serial of it."""
        async with self.store.transaction() as db:
            stored = await _own_game(db, game_id, by, turn_serial)
            gone = [known for known in (await _player_conditionals(db, stored, by)).lines if known.id == line_id]
            if not gone:
                raise Refused(Why.NO_CONDITIONAL)
            await conditionals.delete_lines(db, gone)
            return await _player_conditionals(db, stored, by)

    async def discarded_conditionals(self, owed: OutboxRow) -> DiscardedConditionals | None:
        """Return what a direct message that is owed has to tell; None where it is past."""
        id, number, user = owed.payload["game"], owed.payload["turn_number"], owed.channel
        async with self.store.reading() as db:
            lines = [line for line in await _lines_of_player(db, id, user) if line.turn_number == number - 1]
            if not lines:
                return None
            game = (await require_game(db, id)).game
            if game.taken_back != owed.payload["taken_back"]:
                return None  # the turn with this number may be another by now
            played = [turn.actions for turn in await games.turns_of(db, id)]
        _, turn = match.replay_turns(game.ruleset, played[:number])
        _, last = match.replay_turns(game.ruleset, played[: number + 1])
        if turn is None:
            return None
        return DiscardedConditionals(game, user, turn, tuple(lines), None if last == turn else last)


async def _own_game(db: Connection, game_id: int, by: int, turn_serial: int | None = None) -> StoredGame:
    """Return a game of this person, whose button was drawn for this serial of it. Raises Refused."""
    stored = await require_game(db, game_id)
    match.check_player(stored.game, by)
    if turn_serial not in (None, stored.game.turn_serial):
        raise Refused(Why.STALE)
    return stored


async def _player_conditionals(db: Connection, stored: StoredGame, by: int) -> PlayerConditionals:
    known = await _lines_of_player(db, stored.game.id, by)
    lines = tuple(line for line in known if line.turn_number == stored.game.turn_number)
    return PlayerConditionals(stored, lines, len(known) - len(lines))


async def _lines_of_player(db: Connection, game_id: int, by: int) -> list[ConditionalLine]:
    """Return the lines of a player in a game, oldest first, those that have lapsed among them."""
    return [line for line in await conditionals.conditional_lines(db, game_id) if line.user == by]


async def _game_of_tried_line(db: Connection, study: StoredStudy) -> StoredGame:
    """Return the game of a study. Raises Refused where what was tried is no line from the position as it stands."""
    assert study.game is not None
    stored = await _own_game(db, study.game, study.user)
    if study_game(drop_tried(study.study)).position != stored.game.position:
        raise Refused(Why.STALE)
    check_conditional(stored.game, study.user, study.study.tried)
    return stored
