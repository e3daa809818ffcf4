"""A study: a record that a person steps through, trying turns of their own from any place in it. Pure.

A study is shown as a `Game` with a seat for each colour, so that turns are asked, read and performed as in any other
game. A place in the record is the number of turns before it, both players together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Action, ByColour, Colour, Ruleset

from .errors import Refused, Why
from .game import Game, Seat, Status, perform, read_typed_turn, replay_turns

STUDY_LIFETIME = 30 * 24 * 3600  # seconds since it was last touched
MOST_STUDIES = 50  # studies of one person

Actions: TypeAlias = tuple[Action, ...]
_PLACE = re.compile(r"([0-9]{1,6})\s*(\.*|…)\s*(w|white|b|black)?\.?", re.IGNORECASE)


@dataclass(frozen=True)
class Study:
    """A record, and a place in it. `version` goes up with every change.

    `tried` are turns that were tried from that place on, `draft` is an unfinished one. Neither is part of the record.
    """

    id: int
    ruleset: Ruleset
    names: ByColour[str]
    turns: tuple[Actions, ...]
    place: int = 0
    tried: tuple[Actions, ...] = ()
    draft: Actions = ()
    version: int = 0

    @property
    def trying(self) -> bool:
        """Whether tried turns, or the beginning of one, stand on the board."""
        return bool(self.tried or self.draft)


def study_game(study: Study) -> Game:
    """Return what a study shows, as a game; the user of each seat is its colour.

    Not checked: whether its turns are legal, as they have been played.
    """
    played = (*study.turns[: study.place], *study.tried)
    position, last = replay_turns(study.ruleset, played)
    seats = Seat(Colour.WHITE, study.names[0]), Seat(Colour.BLACK, study.names[1])
    status = Status.OVER if position.result else Status.RUNNING
    return Game(study.id, study.ruleset, seats, position, study.draft, len(played), study.version, status, last)


def go_to_place(study: Study, place: int) -> Study:
    """Return the study at a place of the record, or the nearest that exists, without what was tried."""
    return _updated_study(study, place=max(0, min(place, len(study.turns))), tried=(), draft=())


def drop_tried(study: Study) -> Study:
    """Return the study at its place in the record, without what was tried."""
    return go_to_place(study, study.place)


def step_back(study: Study) -> Study:
    """Return the study without the unfinished turn, else without the last turn tried, else one turn earlier."""
    if study.draft:
        return _updated_study(study, draft=())
    return _updated_study(study, tried=study.tried[:-1]) if study.tried else go_to_place(study, study.place - 1)


def perform_in_study(study: Study, actions: Sequence[Action]) -> Study:
    """Return the study after the next actions of the player who is asked. Raises Refused as a game does."""
    game = study_game(study)
    performed = perform(game, _asked_colour(game), actions)
    if performed.turn:
        return _updated_study(study, tried=(*study.tried, performed.turn.actions), draft=())
    return _updated_study(study, draft=performed.game.draft)


def read_study_turn(study: Study, text: str, notation: Notation = OFFICIAL) -> Actions:
    """Return the actions that a typed turn means here, or the remaining part of one; `notation` is the reader's own.

    Raises Refused, and the three kinds of NotationError.
    """
    game = study_game(study)
    return read_typed_turn(game, _asked_colour(game), text, notation)


def _asked_colour(game: Game) -> int:
    if game.asked is None:
        raise Refused(Why.OVER)
    return game.asked


def follow_game(study: Study, turns: tuple[Actions, ...]) -> Study:
    """Return the study of a game that has gone on, with all its turns.

    If its place was the end of the record, it is the new end. Otherwise the place and what was tried stay.
    """
    if turns == study.turns:
        return study
    at_end = study.place == len(study.turns) and not study.trying
    if at_end or turns[: study.place] != study.turns[: study.place]:
        return go_to_place(replace(study, turns=turns), len(turns))
    return _updated_study(study, turns=turns)


def _updated_study(study: Study, **changes: Any) -> Study:
    return replace(study, **changes, version=study.version + 1)


def parse_place(text: str) -> int | None:
    """Return the place that a move number names, None if the text is none.

    `12`, `12.` and `12w` are White's, `12…` and `12b` Black's, 0 is the start. Not checked: whether the record goes
    that far.
    """
    found = _PLACE.fullmatch(text.strip())
    if not found:
        return None
    number, dots, side = int(found[1]), found[2], (found[3] or "").lower()
    black = side.startswith("b") or dots not in ("", ".")
    return max(0, 2 * number - (not black)) if number else 0
