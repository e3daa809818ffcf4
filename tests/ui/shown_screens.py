"""The screens of the desk in a position, and the limits of Discord that each must keep."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import discord

from gipfbot.match import Game, Seat, new_game, perform
from gipfbot.rules import STANDARD, Position, legal, start
from gipfbot.rules.pending import question
from gipfbot.ui.desk.desk_texts import PLAYER, Reader
from gipfbot.ui.desk.screens import (
    NO_FOCUS,
    Focus,
    Screen,
    buttons_beside,
    desk_actions,
    desk_focus,
    desk_prefix,
    desk_screen,
    start_over_button,
)
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import Button, PrivateRow, build_layout
from gipfbot.ui.play import game_texts
from gipfbot.ui.play.desk_view import desk_rows
from render import alt_text, text_board

from .distinct_labels import repeated_labels
from .positions import GIPF_ROW

LONG = "*" * 32
SEATS = Seat(2**63 - 1, LONG), Seat(2**63 - 2, LONG)
SCREENS = 40  # of one position


def game_at(position: Position) -> Game:
    return replace(new_game(10**9, position.rules, SEATS), position=position, turn_number=1000, version=9999)


# A turn that is begun, so that its desk has one button more.
BEGUN = perform(game_at(GIPF_ROW), SEATS[0].user, legal(GIPF_ROW)[:1]).game
PREFIX = desk_prefix(game_at(start(STANDARD)), "9999")


def screens(game: Game, reader: Reader = PLAYER) -> Iterator[Screen]:
    """Yield some of the screens that presses lead to from here. A press that plays something goes on from there.

    `reader` is who reads the desk.
    """
    pending: list[tuple[Game, Focus]] = [(game, NO_FOCUS)]
    seen: set[object] = set()
    while pending and len(seen) < SCREENS:
        now, focus = pending.pop(0)
        shown = desk_screen(now, focus, reader)
        if shown in seen:
            continue
        seen.add(shown)
        yield shown
        pending += [next_ for row in shown.rows for next_ in _pressed(now, row)]


def _pressed(game: Game, row: tuple[Button, ...]) -> Iterator[tuple[Game, Focus]]:
    asked = question(game.current)
    assert asked
    for button in row[:: 4 if row[0].action.startswith("dot:") else 1]:
        verb, what = button.action.split(":", 1)
        if actions := desk_actions(game, asked, verb, what):
            after = perform(game, game.seats[asked.by].user, actions).game
            if after.turn_number == game.turn_number:
                yield after, NO_FOCUS
        else:
            yield game, desk_focus(verb, what)


def assert_fits(shown: Screen) -> None:
    """Assert the limits: 40 components, 5 buttons in a row, 100 characters in an id, 80 in a label, 2,000 of text."""
    picture = discord.File(BytesIO(), "board.png", description="a board")
    ids = [PREFIX + button.action for row in shown.rows for button in row]
    assert all(1 <= len(button.label) <= 80 for row in shown.rows for button in row)
    assert all(1 <= len(row) <= 5 for row in shown.rows)
    rows = desk_rows(BEGUN, shown.rows, "9999")
    assert start_over_button(BEGUN)[0] in [button for row in rows if isinstance(row, tuple) for button in row]
    assert build_layout(shown.text, [picture], rows, PREFIX).total_children_count <= 40
    has_dot = any(button.action.startswith("push:") and "→" in button.label for row in shown.rows for button in row)
    below = tuple(Button(name, name) for name in ("back", "type", "keep", "leave"))
    room = buttons_beside(shown.rows, Focus(dot="a1" if has_dot and len(shown.rows) > 4 else None))
    studied: tuple[PrivateRow, ...] = ("a note", *shown.rows, below[-room:])
    assert room > 0
    for each in (build_layout(shown.text, [picture], studied, PREFIX), build_layout(shown.text, [picture], rows)):
        assert each.total_children_count <= 40
        assert repeated_labels(each) == []
    assert len(set(ids)) == len(ids)
    assert max(map(len, ids), default=0) <= 100
    title = game_texts.desk_heading(game_at(shown.picture.position), SEATS[0].user)
    text = texts.join_lines(texts.GAME_MOVED_ON, title, shown.text)
    assert len(text) <= 2000
    assert_fits_in_letters(text, text_board(shown.picture))
    assert 0 < len(alt_text(shown.picture)) <= 1024


def assert_fits_in_letters(text: str, board: str) -> None:
    """Assert the message without its picture: the first line, the whole text board, and what fits between."""
    shown = texts.with_code_block(text, board)
    assert len(shown) <= 2000
    assert shown.splitlines()[0] == text.splitlines()[0]
    assert shown.endswith(f"\n```\n{board}\n```")
    assert shown.startswith(text) or len(shown) + len(text.splitlines()[-1]) > 1800
