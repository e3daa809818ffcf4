"""Studies: a person steps through a record, forward and back, and tries other turns from any place in it. Pure.

A study is shown as a `Game` with a seat for each colour, so that turns in it are read and performed as in a game. A
place in the record is the number of turns before it, counting both players' turns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gipfbot.notation import OFFICIAL, Notation
from gipfbot.rules import Action, ByColour, Colour, Position, Ruleset
from gipfbot.rules.sentences import Sentence

from .errors import Refused, Why
from .game import Game, Seat, Status, forced_removals, perform, position_after, read_typed_turn, replay_turns

STUDY_LIFETIME = 30 * 24 * 3600  # seconds after the last use
MOST_STUDIES = 50  # studies that one person may have

Actions: TypeAlias = tuple[Action, ...]
_PLACE = re.compile(r"([0-9]{1,6})\s*(\.*|…)\s*(w|white|b|black)?\.?", re.IGNORECASE)

MOST_PRACTICES = 5  # practices that one person may have; they do not count as studies
PERSON_NAME, BOT_NAME = Sentence("You"), Sentence("Bot")
UNNAMED = Sentence("White"), Sentence("Black")  # the players of a record that names none
MOST_HIDDEN = 10  # hidden studies that one person may have; they do not count as studies


@dataclass(frozen=True)
class Study:
    """A record, a place in the record, and the turns tried from that place. `version` rises with every change.

    `start_position` is the position before the first turn; None if the game begins as usual. `draft` is an unfinished
    turn after the `tried` turns. Neither `tried` nor `draft` is part of the record.
    """

    id: int
    ruleset: Ruleset
    names: ByColour[str]
    turns: tuple[Actions, ...]
    place: int = 0
    tried: tuple[Actions, ...] = ()
    draft: Actions = ()
    version: int = 0
    start_position: Position | None = None

    @property
    def skipped_turns(self) -> int:
        """How many turns the numbering skips before the first one: 1 if Black begins, as in records, otherwise 0."""
        return int(self.start_position is not None and self.start_position.mover is Colour.BLACK)

    @property
    def turn_number(self) -> int:
        """The number of the turn before the current place, and `skipped_turns` at the start."""
        return self.skipped_turns + self.place

    @property
    def last_number(self) -> int:
        """The number of the record's last turn, and `skipped_turns` if it has none."""
        return self.skipped_turns + len(self.turns)

    @property
    def trying(self) -> bool:
        """Whether any turn, or the beginning of one, has been tried from the current place."""
        return bool(self.tried or self.draft)


def study_game(study: Study) -> Game:
    """Return the game that a study shows. The user id of each seat is its colour.

    Does not check that the turns of the study are legal.
    """
    played = (*study.turns[: study.place], *study.tried)
    position, last = replay_turns(study.ruleset, played, study.start_position)
    seats = Seat(Colour.WHITE, study.names[0]), Seat(Colour.BLACK, study.names[1])
    status = Status.OVER if position.result else Status.RUNNING
    number = study.skipped_turns + len(played)
    return Game(study.id, study.ruleset, seats, position, study.draft, number, study.version, status, last)


def go_to_place(study: Study, place: int) -> Study:
    """Return the study at a place of the record, without the tried turns and the draft.

    If the record has no such place, the study goes to the nearest one.
    """
    return _updated_study(study, place=max(0, min(place, len(study.turns))), tried=(), draft=())


def drop_tried(study: Study) -> Study:
    """Return the study at the same place of the record, without the tried turns and the draft."""
    return go_to_place(study, study.place)


def step_back(study: Study) -> Study:
    """Return the study after one step back.

    The step drops the draft. Without a draft, it drops the last tried turn. Without tried turns, it goes to the place
    one turn earlier.
    """
    if study.draft:
        return _updated_study(study, draft=())
    return _updated_study(study, tried=study.tried[:-1]) if study.tried else go_to_place(study, study.place - 1)


def perform_in_study(study: Study, actions: Sequence[Action]) -> Study:
    """Return the study after the next actions of the player who has to decide.

    Raises Refused if the game shown is over, or if an action is illegal.
    """
    game = study_game(study)
    performed = perform(game, _asked_colour(game), actions)
    if performed.turn:
        return _updated_study(study, tried=(*study.tried, performed.turn.actions), draft=())
    return _updated_study(study, draft=performed.game.draft)


def read_study_turn(study: Study, text: str, notation: Notation = OFFICIAL) -> Actions:
    """Return the actions of a turn typed in a study, or of the rest of a turn. The person reads and writes `notation`.

    Raises Refused if the game shown is over. Raises ParseError, IllegalTurn or OpenTurn for the text.
    """
    game = study_game(study)
    return read_typed_turn(game, _asked_colour(game), text, notation)


def _asked_colour(game: Game) -> int:
    if game.asked is None:
        raise Refused(Why.OVER)
    return game.asked


def follow_game(study: Study, turns: tuple[Actions, ...]) -> Study:
    """Return the study of a game with a new record: all `turns` of the game so far.

    The study goes to the end of the new record in two cases: it showed the end and nothing was tried, or a turn before
    its place has changed. In all other cases the place and the tried turns stay.
    """
    if turns == study.turns:
        return study
    at_end = study.place == len(study.turns) and not study.trying
    if at_end or turns[: study.place] != study.turns[: study.place]:
        return go_to_place(replace(study, turns=turns), len(turns))
    return _updated_study(study, turns=turns)


def _updated_study(study: Study, **changes: Any) -> Study:
    return replace(study, **changes, version=study.version + 1)


def parse_place(text: str, study: Study) -> int | None:
    """Return the place in a study's record that a move number such as `12b` names. None if the text is no move number.

    `12`, `12.` and `12w` name the place after White's turn. `12…` and `12b` name the place after Black's turn. `0` is
    the start, and so is White's first turn if Black begins. Does not check that the record is that long.
    """
    found = _PLACE.fullmatch(text.strip())
    if not found:
        return None
    number, dots, side = int(found[1]), found[2], (found[3] or "").lower()
    black = side.startswith("b") or dots not in ("", ".")
    return max(0, 2 * number - (not black) - study.skipped_turns)


def begins_in(study: Study, position: Position, begun: Actions = ()) -> bool:
    """Return whether a study that has no record begins in a position, and its first turn with the actions `begun`."""
    first = next(iter((*study.tried, study.draft)))
    return study.start_position == position and first[: len(begun)] == begun


def step_back_to(study: Study, begun: Actions) -> Study:
    """Return a study that has no record after one step back, but not behind the actions `begun` of its first turn."""
    back = step_back(study)
    return back if back.trying else replace(back, draft=begun)


def begin_practice(position: Position, played: Actions = (), *, own_turn: bool = False) -> Study:
    """Return a practice from this position, at the start of a turn, after the first actions `played` of the turn.

    The person plays the colour that decides there. If these actions end the turn, the practice begins after it. With
    `own_turn`, that turn is the person's own, and the bot has to answer it. Raises Refused if the game is over.
    """
    draft = (*played, *forced_removals(position, played)) if played else ()
    after = position_after(position, draft)
    if after.result:
        raise Refused(Why.OVER)
    if after.mover is position.mover:
        return replace(_practice_at(position), draft=draft)
    return replace(_practice_at(position), tried=(draft,)) if own_turn else _practice_at(after)


def _practice_at(position: Position) -> Study:
    names = (PERSON_NAME, BOT_NAME) if position.decider is Colour.WHITE else (BOT_NAME, PERSON_NAME)
    return Study(0, position.rules, names, (), start_position=position)


def practice_colour(study: Study) -> Colour:
    """Return the colour of the person in a practice."""
    assert study.start_position, "a study in which the bot answers begins at a position"
    return study.start_position.decider


def bot_decides(study: Study) -> bool:
    """Return whether the bot has to decide something in a practice."""
    return study_game(study).asked == practice_colour(study).other


def take_back_own(study: Study) -> Study:
    """Return the practice before the last turn of the person, with the bot's answer taken back, too."""
    study = step_back(study)
    while bot_decides(study):
        study = step_back(study)
    return study
