"""The games of players: lists of games, turns, resignation, cancelling, and notes."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

from gipfbot import match
from gipfbot.match import Game, Moment, Refused, Why
from gipfbot.match.tournament import MOST_GAMES
from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Action
from gipfbot.service.clock import reminders
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.delivery.venues import owe_board
from gipfbot.service.kit.loaded_games import GameUpdate, require_game, require_own_game
from gipfbot.service.settings.vacation_days import days_left_to_both
from gipfbot.store import Connection, Store, game_lists, games, require_alone, tournaments, tried_again, users
from gipfbot.values import ChoosableGame, EndedGame, GameBrief, StoredGame

from .turn import PlayerTurn, begin_game, play_turn

Expected: TypeAlias = Sequence[Sequence[Action]]  # what the house player expects after its turn

LONGEST_NOTE = 500  # characters


class Games:
    """Operations on games. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def game(self, game_id: int) -> StoredGame:
        """Return a game as it is stored now. Does not check who asks."""
        async with self.store.reading() as db:
            return await require_game(db, game_id)

    async def games(self, ids: Collection[int]) -> dict[int, StoredGame]:
        """Return games as they are stored now, by id, without unreadable ones. Does not check who asks."""
        async with self.store.reading() as db:
            return {stored.game.id: stored for stored in await game_lists.load_games(db, ids)}

    async def versions(self, ids: Collection[int]) -> dict[int, tuple[int, bool]]:
        """Return the versions of games, by id, and whether each has an open request. One statement."""
        async with self.store.reading() as db:
            return await games.versions(db, ids)

    async def next_game(self, game_id: int) -> int | None:
        """Return the game that follows a game ended by a repetition, or None."""
        async with self.store.reading() as db:
            return await games.next_game(db, game_id)

    async def waiting_games(self, user: int) -> list[GameBrief]:
        """Return the games in which a person has to move, the most urgent first."""
        async with self.store.reading() as db:
            return await game_lists.waiting_games(db, user)

    async def running_games(self, user: int) -> list[GameBrief]:
        """Return all running games of a person, the most urgent first."""
        async with self.store.reading() as db:
            return await game_lists.running_games(db, user)

    async def choosable_games(self, user: int) -> list[ChoosableGame]:
        """Return all running games of a person for a choice, the most urgent first. Fast for many games."""
        async with self.store.reading() as db:
            return await game_lists.choosable_games(db, user)

    async def count_running(self) -> int:
        """Return how many games are running in all."""
        async with self.store.reading() as db:
            return await game_lists.count_all_running(db)

    async def listed_games(self, user: int) -> tuple[list[GameBrief], list[int], list[EndedGame]]:
        """Return what a person's list of games shows.

        These are their running games, the most urgent first, the ids of those that are unreadable, which no other list
        contains, and the games that have ended since the list last showed them, the latest first.
        """
        async with self.store.reading() as db:
            return await game_lists.listed_games(db, user)

    async def note_listed(self, user: int, running: Sequence[GameBrief], ended: Sequence[EndedGame]) -> None:
        """Note that a person's list has shown these games. Writes nothing if it showed the same the last time."""
        shown = {brief.id: brief.turns for brief in running if brief.last_listed[brief.colour_of(user)] != brief.turns}
        if shown or ended:
            async with self.store.transaction() as db:
                await game_lists.save_last_listed(db, user, {**shown, **{game.id: None for game in ended}})

    async def play_actions(
        self,
        game_id: int,
        by: int,
        actions: Sequence[Action],
        version: int | None = None,
        *,
        sure: bool = False,
        how: str = "buttons",
        expected: Expected | None = None,
    ) -> GameUpdate:
        """Play a player's next actions, and return the game after them. `how` says how they were entered.

        `expected` is stored with the turn that they complete. `version` is the game's version on the buttons. Raises
        Refused. Unless `sure` is True, a turn is also refused if it loses on time, because it is played while flagged
        and does not win (FAQ 11).
        """

        def perform(game: Game) -> match.Performed:
            return match.perform(game, by, actions, version)

        return await self._play(game_id, by, perform, how, sure, expected)

    async def play_typed(
        self,
        game_id: int,
        by: int,
        text: str,
        notation: Notation = OFFICIAL,
        at: Moment | None = None,
        *,
        sure: bool = False,
    ) -> GameUpdate:
        """Play a typed turn, or as much of a turn as the text decides. Return the game after it.

        `at` is the moment for which the turn was typed; None if it counts for any. Raises NotationError, or Refused,
        also if the game has changed since `at`. Unless `sure` is True, a turn is also refused if it loses on time,
        because it is played while flagged and does not win (FAQ 11).
        """

        def perform(game: Game) -> match.Performed:
            if at is not None:
                match.check_moment(game, by, at)
            return match.perform(game, by, match.read_typed_turn(game, by, text, notation))

        return await self._play(game_id, by, perform, "typed", sure)

    async def _play(
        self,
        game_id: int,
        by: int,
        perform: Callable[[Game], match.Performed],
        how: str,
        sure: bool,
        expected: Expected | None = None,
    ) -> GameUpdate:
        update = await self._save_turn(game_id, by, perform, how, sure, expected)
        # Read after the transaction, because the list may be long and other writers wait.
        return replace(update, waiting=tuple(await self.waiting_games(by))) if update.turn else update

    @tried_again
    async def _save_turn(
        self,
        game_id: int,
        by: int,
        perform: Callable[[Game], match.Performed],
        how: str,
        sure: bool,
        expected: Expected | None,
    ) -> GameUpdate:
        async def save(db: Connection) -> GameUpdate:
            before = await require_game(db, game_id)
            performed = perform(before.game)
            if match.loses_on_time(performed) and not sure:
                raise Refused(Why.LOSES_ON_TIME)
            update = await play_turn(db, before, PlayerTurn(by, performed, how), self.now(), self._restart_game)
            if update.turn and expected is not None:
                await games.note_expected(db, game_id, update.turn.turn_number, expected)
            return update

        return await self.store.write(game_id, save)

    @tried_again
    async def start_turn_over(self, game_id: int, by: int, version: int | None = None) -> StoredGame:
        """Take back what a player has begun of a turn and nobody else has seen. Return the game after it.

        Nothing is posted, and no clock moves. `version` is the game's version on the button. Raises Refused.
        """

        async def save(db: Connection) -> StoredGame:
            before = await require_game(db, game_id)
            game, now = match.start_turn_over(before.game, by, version), self.now()
            await games.save_game(db, before.game, game, by=by, now=now)
            return before.with_game(game, now)

        return await self.store.write(game_id, save)

    async def _restart_game(self, db: Connection, void: StoredGame) -> StoredGame | None:
        """Begin the game that follows a void one, with colours swapped (R6.3).

        Each player keeps the time that they had left in the void game. In a tournament, vacations pause both games
        together no longer than one, and none follows the third game of a pairing; then return None.
        """
        require_alone()
        game, terms = void.game, void.game.terms
        paired = await tournaments.pairing_of_game(db, game.id) if terms.tournament is not None else None
        if paired and paired[1].games >= MOST_GAMES:
            return None
        if paired:
            terms = replace(terms, vacation=await days_left_to_both(db, void, self.now()))
        bank = (game.clock.bank[1], game.clock.bank[0]) if game.clock else None
        seats = game.seats[1], game.seats[0]
        again = await begin_game(db, game.ruleset, seats, void.venue, terms, self.now(), bank)
        if paired:
            await tournaments.note_game(db, *paired, again.game.id)
        await users.carry_over_choices(db, game.id, again.game.id)
        await reminders.plan_reminder(db, again.game)  # again: White may have turned off reminders in the void game
        return again

    async def resign(self, game_id: int, by: int, version: int | None = None) -> GameUpdate:
        """Resign a game for a player, and return the game.

        `version` is the version at which the player confirmed; with None it is not checked. Raises Refused if the game
        has changed since.
        """
        return await self._end_game(game_id, by, match.resign_game, "resign", version)

    async def cancel_game(self, game_id: int, by: int, version: int | None = None) -> GameUpdate:
        """Cancel a game for a player, and return the game.

        `version` is the version at which the player confirmed; with None it is not checked. Raises Refused if the game
        has changed since.
        """
        return await self._end_game(game_id, by, match.cancel_game, "cancel", version)

    async def _end_game(
        self, game_id: int, by: int, end: Callable[[Game, int], Game], kind: str, version: int | None
    ) -> GameUpdate:
        async with self.store.transaction() as db:
            before = await require_game(db, game_id)
            if version not in (None, before.game.version):
                raise Refused(Why.STALE)
            stored = before.with_game(end(before.game, by), self.now())
            ratings = await save_and_rate(db, before, stored.game, by=by, now=self.now())
            await games.add_event(db, game_id, kind, by, self.now())
            await reminders.plan_reminder(db, stored.game)
            cancelled_by = stored.game.colour_of(by) if kind == "cancel" else None
            owed = await owe_board(db, stored, self.now(), by=by, cancelled_by=cancelled_by, ratings=ratings)
        return GameUpdate(stored, owed)


class Notes:
    """Players' notes on their games. `note` and `set_note` raise Refused if the person does not play in the game."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def note(self, game: int, user: int) -> str:
        """Return a player's note on their game; empty if there is none."""
        async with self.store.reading() as db:
            return (await require_own_game(db, game, user)).note_of(user)

    async def set_note(self, game: int, user: int, text: str) -> None:
        """Save a player's note on their game. It replaces an earlier note. An empty text removes the note.

        Raises Refused if the text is longer than LONGEST_NOTE, or if the person does not play in the game.
        """
        text = text.strip()
        if len(text) > LONGEST_NOTE:
            raise Refused(Why.NOTE_TOO_LONG, most=LONGEST_NOTE)
        async with self.store.transaction() as db:
            await require_own_game(db, game, user)
            await users.set_note(db, user, game, text or None)
