"""Conditional turns: listing, adding and withdrawing a player's lines. Only their owner can see them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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
from gipfbot.service.kit.loaded_games import require_game, require_own_game
from gipfbot.store import Connection, Store, conditionals, games
from gipfbot.values import OutboxRow, StoredGame, StoredStudy


@dataclass(frozen=True)
class PlayerConditionals:
    """A player's conditional turns in a game."""

    stored: StoredGame
    lines: tuple[ConditionalLine, ...]  # the lines from the current position
    discarded: int = 0  # the number of lines that the last turn discarded
    added: ConditionalLine | None = None  # the line just added
    replaced: int = 0  # the number of lines that the added line replaced

    @property
    def game(self) -> Game:
        """The game of these conditional turns."""
        return self.stored.game


@dataclass(frozen=True)
class DiscardedConditionals:
    """Conditional lines of a player that a turn of the opponent discarded.

    `turn` is the turn of the opponent. `own_turn` is the player's turn after it; None if they have not played since.
    """

    game: Game
    user: int
    turn: Turn
    lines: tuple[ConditionalLine, ...]
    own_turn: Turn | None


class Conditionals:
    """Operations on conditional turns. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def conditionals_of(self, game_id: int, by: int) -> PlayerConditionals:
        """Return a player's conditional turns in a game."""
        async with self.store.reading() as db:
            return await _player_conditionals(db, await require_own_game(db, game_id, by), by)

    async def add_typed_line(
        self, game_id: int, by: int, text: str, notation: Notation = OFFICIAL, turn_serial: int | None = None
    ) -> PlayerConditionals:
        """Add a conditional line that a player has typed. Return all their lines in that game.

        `turn_serial` is the turn serial on a pressed button; None without a button. Raises Refused if it is old. Raises
        BrokenRecord for a turn that cannot be read or played.
        """
        async with self.store.transaction() as db:
            stored = await require_own_game(db, game_id, by, turn_serial)
            return await self._add_line(db, stored, by, read_conditional(stored.game, by, text, notation))

    async def add_line_from_study(self, study: StoredStudy) -> PlayerConditionals:
        """Add the line that a player tried in a study of their game.

        Return all their conditional lines in that game.
        """
        async with self.store.transaction() as db:
            stored = await _game_of_tried_line(db, study)
            return await self._add_line(db, stored, study.user, study.study.tried)

    async def may_add_from_study(self, study: StoredStudy) -> bool:
        """Return whether the line that was tried in a study can be added to its game as conditional turns."""
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
        all_lines = await _lines_of_player(db, game.id, by)
        return PlayerConditionals(stored, tuple(all_lines), added=all_lines[-1], replaced=len(lines) - len(staying))

    async def withdraw_line(self, game_id: int, by: int, line_id: int, turn_serial: int) -> PlayerConditionals:
        """Withdraw a player's conditional line. Return the lines that they still have in that game.

        `turn_serial` is the turn serial on the pressed button. Raises Refused if it is old.
        """
        async with self.store.transaction() as db:
            stored = await require_own_game(db, game_id, by, turn_serial)
            before = await _player_conditionals(db, stored, by)
            staying = tuple(line for line in before.lines if line.id != line_id)
            if staying == before.lines:
                raise Refused(Why.NO_CONDITIONAL)
            await conditionals.delete_lines(db, [line for line in before.lines if line not in staying])
            return replace(before, lines=staying)

    async def discarded_conditionals(self, owed: OutboxRow) -> DiscardedConditionals | None:
        """Return the discarded lines that a queued notice tells about, or None if the notice is out of date."""
        game_id, number, user = owed.payload["game"], owed.payload["turn_number"], owed.channel
        async with self.store.reading() as db:
            lines = [line for line in await _lines_of_player(db, game_id, user) if line.turn_number == number - 1]
            if not lines:
                return None
            game = (await require_game(db, game_id)).game
            if game.taken_back != owed.payload["taken_back"]:
                return None  # after a takeback, another turn may have this number
            played = [turn.actions for turn in await games.turns_of(db, game_id)]
        _, turn = match.replay_turns(game.ruleset, played[:number])
        _, last = match.replay_turns(game.ruleset, played[: number + 1])
        if turn is None:
            return None
        return DiscardedConditionals(game, user, turn, tuple(lines), None if last == turn else last)


async def _player_conditionals(db: Connection, stored: StoredGame, by: int) -> PlayerConditionals:
    known = await _lines_of_player(db, stored.game.id, by)
    lines = tuple(line for line in known if line.turn_number == stored.game.turn_number)
    return PlayerConditionals(stored, lines, len(known) - len(lines))


async def _lines_of_player(db: Connection, game_id: int, by: int) -> list[ConditionalLine]:
    """Return all conditional lines of a player in a game, oldest first, including discarded lines."""
    return [line for line in await conditionals.conditional_lines(db, game_id) if line.user == by]


async def _game_of_tried_line(db: Connection, study: StoredStudy) -> StoredGame:
    """Return the game of a study.

    Raises Refused unless the turns tried in the study may be added as a conditional line from the game's position.
    """
    assert study.game is not None
    stored = await require_own_game(db, study.game, study.user)
    if study_game(drop_tried(study.study)).position != stored.game.position:
        raise Refused(Why.STALE)
    check_conditional(stored.game, study.user, study.study.tried)
    return stored
