"""A study: a record that somebody steps through, with turns of his own tried from any place in it. Pure.

What is shown is a `Game` with a seat for each colour, so that turns are asked, read and answered as in any other game.
A place in the record is the number of turns before it, both players' together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Action, ByColour, Colour, Ruleset

from .errors import Refused, Why
from .game import Game, Seat, Status, replay_turns
from .game import perform as answer_game
from .game import read_typed_turn as read_turn

STUDY_LIFETIME = 30 * 24 * 3600  # seconds since it was last touched
MOST_STUDIES = 50  # studies of one person

Actions: TypeAlias = tuple[Action, ...]
_PLACE = re.compile(r"([0-9]{1,6})\s*(\.*|…)\s*(w|white|b|black)?\.?", re.IGNORECASE)


@dataclass(frozen=True)
class Study:
    """A record and where somebody stands in it. `version` goes up with every change.

    The turns `tried` from that place on, and the `draft` of an unfinished one, are no part of the record.
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
        """Whether turns of his own stand on the board, or the beginning of one."""
        return bool(self.tried or self.draft)


def study_game(study: Study) -> Game:
    """Return what a study shows as a game; the user of each seat is its colour.

    That its turns are legal is not checked: they have been played.
    """
    played = (*study.turns[: study.place], *study.tried)
    position, last = replay_turns(study.ruleset, played)
    seats = Seat(Colour.WHITE, study.names[0]), Seat(Colour.BLACK, study.names[1])
    status = Status.OVER if position.result else Status.RUNNING
    return Game(study.id, study.ruleset, seats, position, study.draft, len(played), study.version, status, last)


def go_to_place(study: Study, place: int) -> Study:
    """Return the study at a place of the record, the nearest there is; what was tried is dropped."""
    return _updated_study(study, place=max(0, min(place, len(study.turns))), tried=(), draft=())


def drop_tried(study: Study) -> Study:
    """Return the study where the record was left; what was tried is dropped."""
    return go_to_place(study, study.place)


def step_back(study: Study) -> Study:
    """Return the study without the unfinished turn, else without the last turn tried, else one turn earlier."""
    if study.draft:
        return _updated_study(study, draft=())
    return _updated_study(study, tried=study.tried[:-1]) if study.tried else go_to_place(study, study.place - 1)


def perform_in_study(study: Study, actions: Sequence[Action]) -> Study:
    """Return the study after the next actions of the player who is asked. Raises Refused as a game does."""
    game = study_game(study)
    answered = answer_game(game, _asked_colour(game), actions)
    if answered.turn:
        return _updated_study(study, tried=(*study.tried, answered.turn.actions), draft=())
    return _updated_study(study, draft=answered.game.draft)


def read_study_turn(study: Study, text: str, notation: Notation = OFFICIAL) -> Actions:
    """Return the actions that a typed turn, or what is left of one, means here; `notation` is the reader's own.

    Raises Refused, and the three kinds of NotationError.
    """
    game = study_game(study)
    return read_turn(game, _asked_colour(game), text, notation)


def _asked_colour(game: Game) -> int:
    if game.asked is None:
        raise Refused(Why.OVER)
    return game.asked


def follow_game(study: Study, turns: tuple[Actions, ...]) -> Study:
    """Return the study of a game that has gone on, with all its turns.

    Who stood at its end stands there again; anybody else stays where he is, with what he tried.
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
    """Return the place that a move number names, None where it is none.

    `12`, `12.` and `12w` are White's, `12…` and `12b` Black's, 0 is the start. Whether the record goes so far is not
    checked.
    """
    found = _PLACE.fullmatch(text.strip())
    if not found:
        return None
    number, dots, side = int(found[1]), found[2], (found[3] or "").lower()
    black = side.startswith("b") or dots not in ("", ".")
    return max(0, 2 * number - (not black)) if number else 0
