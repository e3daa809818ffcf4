"""Reasons for the house player's turns: facts that can be checked, chosen by the line that its engine expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from gipfbot import match
from gipfbot.engines.engine_turns import explained
from gipfbot.match import House
from gipfbot.notation import RecordedTurn
from gipfbot.rules import Colour, Ruleset, play
from gipfbot.rules.turn_facts import TurnFact
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.play.turn import BY_FALLBACK, BY_STAND_IN
from gipfbot.store import Store, games
from gipfbot.values import StoredGame, StoredTurn
from gipfbot.values.games import CUT

from .house_player import BY_HOUSE


class Basis(Enum):
    """How the house player came to a turn, as far as it is known."""

    SEARCHED = auto()  # an engine found it
    NOT_KEPT = auto()  # an engine found it, but what it expected was not kept: the turn is too old
    FALLBACK = auto()  # no engine answered, so it was the first that the rules allow


@dataclass(frozen=True)
class TurnReasons:
    """A turn of the house player with at most two facts that explain it, the weightiest first. There may be none."""

    stored: StoredGame
    house: House
    colour: Colour
    turn: RecordedTurn
    basis: Basis
    facts: tuple[TurnFact, ...] = ()


class Reasons:
    """Explains turns of the house player. Does not check who asks."""

    def __init__(self, store: Store, aside: Aside) -> None:
        self.store, self.aside = store, aside

    async def of_turn(self, game_id: int, turn_number: int, code: str, by: int) -> TurnReasons | None:
        """Return why the house player has played a turn, which led to the position with this code.

        None if the game has no such turn any more, or if it was not the house player's. Raises Refused if there is no
        such game.
        """
        async with self.store.reading() as db:
            stored, turns = await require_game(db, game_id), await games.turns_of(db, game_id)
        house = stored.game.terms.house
        if house is None or not 1 <= turn_number <= len(turns) or turns[turn_number - 1].by != house.user:
            return None
        found = await self.aside.run(by, _explained, stored.game.ruleset, turns[:turn_number], code)
        return found and TurnReasons(stored, house, turns[turn_number - 1].colour, *found)


def _explained(
    rules: Ruleset, turns: Sequence[StoredTurn], code: str
) -> tuple[RecordedTurn, Basis, tuple[TurnFact, ...]] | None:
    """Return the last of these turns with its facts; None if it has led to a position with another code."""
    *earlier, before = match.positions_before(rules, [turn.actions for turn in turns])
    last, after = turns[-1], before
    for action in last.actions:
        after = play(after, action)
    if match.position_code(after) != code:
        return None
    step, basis = RecordedTurn(last.turn_number, last.text, last.actions, before, after), _basis(last)
    facts = explained(before, last.actions, last.expected or (), earlier) if basis is Basis.SEARCHED else ()
    return step, basis, facts


def _basis(turn: StoredTurn) -> Basis:
    """Return the basis of a turn. In Overboard, its `how` may be that of the opponent, who completed it (R8.4)."""
    if turn.how == BY_FALLBACK:
        return Basis.FALLBACK
    return Basis.NOT_KEPT if turn.how in (BY_HOUSE, CUT, BY_STAND_IN) and turn.expected is None else Basis.SEARCHED
