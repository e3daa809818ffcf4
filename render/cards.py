"""Draw the cards of results and challenges, in the style of the board."""

from gipfbot.rules.ruleset_names import ruleset_words

from .board import draw_board, draw_picture
from .frame import EDGE, Box, Head, draw_card_frame, draw_token, draw_value_rows
from .ink import Canvas
from .layout import check_size, layout_for
from .picture import ChallengeCard, Picture, ResultCard
from .text import NAMES, clean_text, draw_text, shorten_to_width, shown_name
from .theme import Theme
from .words import result_headline, result_reason

BOARD = 0.46  # the width of the board on the card of a challenge, as a part of the card's width
NAME = 0.4  # the font size of names, in units
FIRST, SECOND, TERMS = 0.5, 1.12, 1.62  # units from the head to the middle of each name, and to the terms


def draw_result_card(card: ResultCard, size: int, theme: Theme) -> Canvas:
    """Return the canvas of a result card: who won and how, above the last board. Raises as `png` does."""
    board = draw_picture(card.picture, size, theme).image
    canvas, top = draw_card_frame(size, board.height, theme, _result_head(card))
    canvas.image.paste(board, (0, top))
    return canvas


def _result_head(card: ResultCard) -> Head:
    result = card.picture.position.result
    title, note = result_headline(card.picture), result_reason(card)
    if result is None or result.winner is None:
        return Head(title, note)
    return Head(title, note, shown_name(card.picture.players[result.winner], result.winner), result.winner)


def draw_challenge_card(card: ChallengeCard, size: int, theme: Theme) -> Canvas:
    """Return the canvas of a challenge: both people, the terms, and the start position. Raises as `png` does."""
    check_size(size)
    place, small = layout_for(size), round(size * BOARD)
    board = draw_board(Picture(card.position, ("", "")), small, theme).image
    below = layout_for(small).height - layout_for(small).band
    canvas, top = draw_card_frame(size, below, theme, Head(card.title, ruleset_words(card.position.rules.name)))
    canvas.image.paste(board.crop((0, 0, small, below)), (size - small, top))
    box = Box(place.px(EDGE), top + place.px(TERMS), size - small, top + below - place.px(0.1))
    _draw_people(canvas, theme, card, size, top, box)
    draw_value_rows(canvas, theme, place.unit, box, card.terms)
    return canvas


def _draw_people(canvas: Canvas, theme: Theme, card: ChallengeCard, size: int, top: int, box: Box) -> None:
    place = layout_for(size)
    sides = (card.side, card.side.other) if card.side is not None else (None, None)
    people = (card.by, "challenger", FIRST), (card.to, "opponent", SECOND)
    for colour, (name, role, down) in zip(sides, people, strict=True):
        middle = top + place.px(down)
        start = draw_token(canvas, colour, theme, place.unit, box.left, middle)
        shown = clean_text(name) or (role if colour is None else str(colour))
        shown = shorten_to_width(shown, NAMES, place.px(NAME), box.right - start)
        draw_text(canvas, shown, NAMES, place.px(NAME), theme.text, start, middle)
