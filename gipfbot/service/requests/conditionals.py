"""Conditional turns: listing, adding and withdrawing a player's lines. Only their owner can see them."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gipfbot import match
from gipfbot.match import Game, Moment, Refused, Why, check_moment
from gipfbot.match.conditionals import (
    MOST_CONDITIONALS,
    ConditionalLine,
    can_coexist,
    is_line_current,
    known_draft,
    lines_begin_at,
    position_after_part,
    read_conditional,
    tried_line,
)
from gipfbot.match.study import Actions, drop_tried, study_game
from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Action, Position, play
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import require_game, require_own_game
from gipfbot.service.play.turn import VOIDING_REPETITIONS, count_repetitions
from gipfbot.store import Connection, Store, conditionals, games, studies
from gipfbot.values import OutboxRow, StoredGame, StoredStudy

# Reasons why the turns tried in a study cannot become a line, whatever is tried after them.
TOLD_IN_STUDY = (Why.CONDITIONAL_SAME_PLAYER, Why.CONDITIONAL_BEGUN, Why.CONDITIONAL_TOO_DEEP)


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
    """Conditional lines of a player that a turn of the opponent, or their part of one (R8.4), discarded.

    The lines and the opponent's actions in `played` begin at `begun`. `own` is what the player has played since:
    the position before it, and its actions; None if they have not played since.
    """

    game: Game
    user: int
    begun: Position
    played: Actions
    lines: tuple[ConditionalLine, ...]
    own: tuple[Position, Actions] | None


class Conditionals:
    """Operations on conditional turns. `now` returns UTC seconds.

    Each method raises Refused, and changes nothing, if the person is not allowed to do it.
    """

    def __init__(self, store: Store, now: Callable[[], int], aside: Aside) -> None:
        self.store, self.now, self.aside = store, now, aside

    async def conditionals_of(self, game_id: int, by: int) -> PlayerConditionals:
        """Return a player's conditional turns in a game."""
        async with self.store.reading() as db:
            return await _player_conditionals(db, await require_own_game(db, game_id, by), by)

    async def count_discarded(self, stored: StoredGame, by: int) -> int:
        """Return how many lines of a player the last turn of a game discarded. Does not check that they play in it."""
        async with self.store.reading() as db:
            return (await _player_conditionals(db, stored, by)).discarded

    async def lines_in_games(self, running: Sequence[StoredGame], by: int) -> dict[int, list[ConditionalLine]]:
        """Return a player's lines from the current position, by game. Games without such lines are left out.

        Games in which nobody had a line when they were read are not asked for.
        """
        known = {stored.game.id: stored.game for stored in running if stored.has_lines}
        if not known:
            return {}
        async with self.store.reading() as db:
            found = await conditionals.lines_in_games(db, known, by)
        lines = defaultdict[int, list[ConditionalLine]](list)
        for game, line in found:
            if is_line_current(line, known[game]):
                lines[game].append(line)
        return lines

    async def add_typed_line(
        self, game_id: int, by: int, text: str, notation: Notation = OFFICIAL, at: Moment | None = None
    ) -> PlayerConditionals:
        """Add a conditional line that a player has typed. Return all their lines in that game.

        `at` is the moment for which the line was typed; None if it counts for any. Raises Refused if what this player
        sees of the game has changed since. Raises BrokenRecord for a turn that cannot be read or played.
        """
        async with self.store.transaction() as db:
            stored = await require_own_game(db, game_id, by)
            if at is not None:
                check_moment(stored.game, by, at)
            return await self._add_line(db, stored, by, read_conditional(stored.game, by, text, notation))

    async def add_line_from_study(self, study: StoredStudy) -> PlayerConditionals:
        """Add the line that a player tried in a study of their game. A hidden study is used up.

        Return all their conditional lines in that game.
        """
        async with self.store.transaction() as db:
            assert study.game is not None
            stored = await require_own_game(db, study.game, study.user)
            line = _tried_line(stored, study)
            if study.hidden_for:
                await studies.delete_study(db, study.study.id)
            return await self._add_line(db, stored, study.user, line)

    async def may_add_from_study(self, study: StoredStudy) -> bool:
        """Return whether the line that was tried in a study can be added to its game as conditional turns.

        False in a game against the bot, which answers within seconds. Raises Refused if it cannot, for a reason that
        its player should read.
        """
        if study.game is None or not study.study.trying:
            return False
        async with self.store.reading() as db:
            stored = await require_game(db, study.game)
        if stored.game.terms.house or stored.game.colour_of(study.user) is None:
            return False
        try:
            _tried_line(stored, study)
        except Refused as refusal:
            if refusal.why in TOLD_IN_STUDY:
                raise
            return False
        return True

    async def _add_line(
        self, db: Connection, stored: StoredGame, by: int, turns: Sequence[Actions]
    ) -> PlayerConditionals:
        game = stored.game
        known = await _lines_of_player(db, game.id, by)
        lines, begun = [line for line in known if is_line_current(line, game)], lines_begin_at(game, by)
        staying = [line for line in lines if can_coexist(begun, line.turns, turns)]
        if len(staying) >= MOST_CONDITIONALS:
            raise Refused(Why.TOO_MANY_CONDITIONALS)
        await _check_not_void(db, game.id, begun, turns[:-1])
        await conditionals.delete_lines(db, [line for line in known if line not in staying])
        drafted = len(known_draft(game, by))
        await conditionals.add_conditional_line(db, game.id, by, game.turn_number, turns, self.now(), drafted)
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
        drafted = owed.payload.get("drafted", 0)
        begins = number - 1, drafted
        async with self.store.reading() as db:
            known = await _lines_of_player(db, game_id, user)
            lines = [line for line in known if (line.turn_number, line.drafted) == begins]
            if not lines:
                return None
            game = (await require_game(db, game_id)).game
            if game.taken_back != owed.payload["taken_back"]:
                return None  # after a takeback, another turn may have this number
            turns = [*(turn.actions for turn in await games.turns_of(db, game_id)), game.draft]
        before, actions = await self.aside.run(user, _position_before, game, number, turns), turns[number - 1]
        until = owed.payload.get("played", len(actions))
        begun, reached = (match.position_after(before, actions[:end]) for end in (drafted, until))
        own = _own_actions(game, user, reached, actions[until:] or (*turns, ())[number])
        return DiscardedConditionals(game, user, begun, actions[drafted:until], tuple(lines), own)


def _position_before(game: Game, number: int, turns: Sequence[Actions]) -> Position:
    """Return the position before the turn with this number. `turns` are those of the game."""
    if number == game.turn_number + 1:
        return game.position
    if game.last and number == game.turn_number:
        return game.last.before
    return match.replay_turns(game.ruleset, turns[: number - 1])[0]


def _own_actions(game: Game, user: int, reached: Position, then: Actions) -> tuple[Position, Actions] | None:
    """Return the position `reached`, and the actions in `then` up to the first that another player decided.

    Return None if there are no such actions, or if they are a draft of the player, who is still asked.
    """
    colour, position, own = game.colour_of(user), reached, list[Action]()
    for action in then:
        if position.decider is not colour:
            break
        own.append(action)
        position = play(position, action)
    drafting = game.asked is colour and position == match.position_after(game.position, game.draft) and game.draft
    return (reached, tuple(own)) if own and not drafting else None


async def _check_not_void(db: Connection, game_id: int, begun: Position, turns: Sequence[Actions]) -> None:
    """Raise Refused if a position that these turns reach is the third of its kind: the game is void then (R6.3)."""
    position, reached = begun, list[Position]()
    for actions in turns:
        before, position = position, position_after_part(position, actions) or position
        if position.mover is not before.mover:
            again = reached.count(position) + await count_repetitions(db, position, game_id)
            if again >= VOIDING_REPETITIONS:
                raise Refused(Why.CONDITIONAL_GOES_ON)
            reached.append(position)


async def _player_conditionals(db: Connection, stored: StoredGame, by: int) -> PlayerConditionals:
    known = await _lines_of_player(db, stored.game.id, by)
    lines = tuple(line for line in known if is_line_current(line, stored.game))
    return PlayerConditionals(stored, lines, len(known) - len(lines))


async def _lines_of_player(db: Connection, game_id: int, by: int) -> list[ConditionalLine]:
    """Return all conditional lines of a player in a game, oldest first, including discarded lines."""
    return [line for line in await conditionals.conditional_lines(db, game_id) if line.user == by]


def _tried_line(stored: StoredGame, study: StoredStudy) -> tuple[Actions, ...]:
    """Return the conditional line that the turns tried in a study make in its game.

    Raises Refused unless the line may be added from the game's position.
    """
    if study_game(drop_tried(study.study)).position != stored.game.position:
        raise Refused(Why.STALE)
    draft = (study.study.draft,) if study.study.draft else ()
    return tried_line(stored.game, study.user, (*study.study.tried, *draft))
