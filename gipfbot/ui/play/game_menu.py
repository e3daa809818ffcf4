"""The buttons below a game's private board: all that its viewer may do there."""

from collections.abc import Sequence

from gipfbot.match import Game, Status
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import Button, PrivateRow
from gipfbot.ui.records.explorer import explore_game_buttons
from gipfbot.ui.records.records import study_button

from . import game_texts
from .notes import note_button


def menu_rows(
    game: Game,
    user: int,
    takeback: Sequence[PrivateRow],
    draw: Sequence[PrivateRow],
    ways_on: tuple[Button, ...],
    following: tuple[Button, ...],
    page: str,
    *,
    flipped: bool,
) -> list[PrivateRow]:
    """Return the rows below a game's private board: what the opponent asks, then `ways_on`, then all else.

    `takeback` and `draw` are the rows of the open takeback request and draw offer; empty if none is open. A spectator
    gets the buttons `following`, and what changes nothing. `page` is as in `back_to_list`. `flipped` says how the board
    is shown now.
    """
    watching = (
        Button(game_texts.FLIP_LABEL, _flip_id(game, page, flipped)),
        *_turns_played_buttons(game),
        study_button(game.id),
        *explore_game_buttons(game),
    )
    if game.colour_of(user) is None:
        return [row for row in (following, watching, _analyse_buttons(game)) if row]
    undo = (_undo_button(game),) if not takeback and _has_played(game, user) else ()
    offer = (_draw_button(game),) if not draw and game.ruleset.agreed_draw else ()
    rows = (*takeback, *draw, ways_on, _running_buttons(game, (*undo, *offer)), watching, _analyse_buttons(game))
    return [row for row in rows if row]


def _flip_id(game: Game, page: str, flipped: bool) -> str:
    return f"more:{game.id}:{page}:{'' if flipped else 'flipped'}"


def _turns_played_buttons(game: Game) -> tuple[Button, ...]:
    if not game.turn_number:
        return ()
    return Button(texts.REPLAY_LABEL, f"replay:{game.id}"), Button(texts.RECORD_LABEL, f"record:{game.id}")


def _analyse_buttons(game: Game) -> tuple[Button, ...]:
    """Return the button of a finished game's analysis. The row above may be full."""
    if game.status is Status.RUNNING or not game.turn_number:
        return ()
    return (Button(texts.ANALYSE_LABEL, f"analyse:{game.id}"),)


def _running_buttons(game: Game, requests: tuple[Button, ...]) -> tuple[Button, ...]:
    if game.status is not Status.RUNNING:
        return ()
    return (note_button(game.id), *requests, Button(game_texts.END_GAME_LABEL, f"ask_end_game:{game.id}"))


def _undo_button(game: Game) -> Button:
    return Button(game_texts.ASK_TAKEBACK_LABEL, f"ask_takeback:{game.id}")


def _draw_button(game: Game) -> Button:
    return Button(game_texts.ASK_DRAW_LABEL, f"ask_draw:{game.id}")


def _has_played(game: Game, user: int) -> bool:
    """Return whether a player of the game has played a turn that could be taken back."""
    return game.turn_number > (game.position.mover is game.colour_of(user))
