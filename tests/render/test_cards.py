from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PIL import ImageChops, ImageFont, features

from gipfbot.match import Challenge, Seat, Side, Terms, days_per_turn
from gipfbot.rules.pieces import Colour, Reason, Result
from gipfbot.rules.position import start
from gipfbot.rules.rulesets import STANDARD, TOURNAMENT
from gipfbot.ui.lobby.lobby_texts import challenge_card_terms
from render import (
    CLASSIC,
    THEMES,
    ChallengeCard,
    Described,
    Moves,
    Picture,
    RatingLine,
    ResultCard,
    WinnerCard,
    alt_text,
    compose_image,
    png,
    text,
)
from render.cards import HEAD, HIGHEST
from render.layout import layout_for
from render.piece_sprites import LIFT
from render.rating_plot import rating_scale
from render.sprites import Shape
from render.tables import NAMES_END
from render.text import NAMES, PLAIN, STRONG, text_width
from render.theme import parse_rgb
from render.words import quarters_text, result_headline, result_reason
from tests.render.golden import (
    ALL,
    CARDS,
    LEADERBOARD,
    LEAGUE_TABLE,
    PICTURES,
    PLAYERS,
    RATINGS,
    SWISS_TABLE,
    TURNS_A_DAY,
)
from tests.render.names import ODD

CHALLENGE = ChallengeCard("Challenge", "Ann", "Bob", None, start(STANDARD), (("Time", "no time limit"),))
START = start(STANDARD)
LONG = (("Colours", "random"), ("Time", "so many days for each turn " * 12), ("Rated", "yes"))


def over(winner: Colour | None, by: Reason, players: tuple[str, str] = PLAYERS) -> ResultCard:
    return ResultCard(Picture(START._replace(result=Result(winner, by)), players), 12)


def differ(one: Described, other: Described, size: int = 800) -> tuple[int, int, int, int] | None:
    """Return the box in which two cards of the same height differ, or None."""
    drawn = [compose_image(card, size).convert("RGB") for card in (one, other)]
    assert drawn[0].size == drawn[1].size
    return ImageChops.difference(*drawn).getbbox()


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_the_same_card_gives_the_same_bytes(card: Described) -> None:
    before = png(card, size=300)
    for other in CARDS.values():
        png(other, size=300)
    assert png(card, size=300) == before


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
@pytest.mark.parametrize("size", [200, 201, 704, 2000])
def test_a_card_is_as_wide_as_asked_for(card: Described, size: int) -> None:
    assert compose_image(card, size).width == size


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
@pytest.mark.parametrize("size", [199, 2001])
def test_other_sizes_are_refused_with_the_range(card: Described, size: int) -> None:
    with pytest.raises(ValueError, match=f"200 to 2000 pixels wide, not {size}"):
        png(card, size=size)


def test_a_result_shows_the_whole_last_board_below_its_head() -> None:
    board = compose_image(PICTURES["removed"]).convert("RGB")
    card = compose_image(ResultCard(PICTURES["removed"], 21)).convert("RGB")
    head = card.height - board.height
    assert 0.1 < head / board.height < 0.15
    assert ImageChops.difference(card.crop((0, head, 800, card.height)), board).getbbox() is None


def test_every_end_has_its_own_head() -> None:
    ends = [
        *(over(colour, by) for colour in Colour for by in (Reason.GIPF, Reason.RESERVE, Reason.TIME, Reason.RESIGN)),
        over(None, Reason.REPETITION),
        over(None, Reason.AGREEMENT),
        ResultCard(Picture(START, PLAYERS, cancelled=True), 12),
    ]
    heads = {compose_image(end).convert("RGB").crop((0, 0, 800, layout_for(800).px(1.2))).tobytes() for end in ends}
    assert len(heads) == len(ends)
    assert differ(over(Colour.WHITE, Reason.TIME), replace(over(Colour.WHITE, Reason.TIME), turns=13)) is not None


def test_the_head_of_a_result_says_result_and_reason() -> None:
    ends = (
        over(Colour.WHITE, Reason.GIPF),
        over(Colour.BLACK, Reason.TIME),
        over(None, Reason.REPETITION),
        over(None, Reason.AGREEMENT),
        ResultCard(Picture(START, PLAYERS, cancelled=True), 1),
    )
    assert [(result_headline(end.picture), result_reason(end)) for end in ends] == [
        ("wins", "Black: no GIPF-piece left · 6 turns"),
        ("wins", "White: out of time · 6 turns"),
        ("Void", "Same position three times · 6 turns"),
        ("Draw", "By agreement · 6 turns"),
        ("Cancelled", "1 turn"),
    ]


def test_the_winners_piece_stands_before_their_name() -> None:
    middle = layout_for(800).px(0.24) + layout_for(800).px(0.25), layout_for(800).px(0.47)
    for colour in Colour:
        image = compose_image(over(colour, Reason.GIPF)).convert("RGB")
        assert image.getpixel(middle) == parse_rgb(CLASSIC.piece[colour])


def test_a_challenge_card_shows_the_colours() -> None:
    """If the lot decides, both have a piece of either colour."""
    sides = (None, *Colour)
    assert len({png(replace(CHALLENGE, side=side)) for side in sides}) == len(sides)


def test_a_challenge_card_shows_the_board_of_its_version() -> None:
    box = differ(CHALLENGE, replace(CHALLENGE, position=START._replace(owned=(0, 0), gipf=0)))
    assert box is not None
    assert box[0] > 430
    assert differ(CHALLENGE, replace(CHALLENGE, position=start(TOURNAMENT))) is not None


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("size", [200, 800])
def test_odd_names_stay_in_their_places(odd: str, size: int) -> None:
    """On a challenge they do not reach the board. On a result they leave the edge of the head free."""
    unit, edge = layout_for(size).unit, round(0.2 * layout_for(size).unit)
    box = differ(replace(CHALLENGE, by="", to=""), replace(CHALLENGE, by=odd, to=odd), size)
    assert box is None or (box[0] >= edge and box[2] <= 0.6 * size and box[3] <= (1.28 + 1.4) * unit)
    head = [compose_image(over(Colour.WHITE, Reason.GIPF, (name, "")), size).convert("RGB") for name in ("", odd)]
    box = ImageChops.difference(*(one.crop((0, 0, size, round(1.28 * unit))) for one in head)).getbbox()
    assert box is None or (box[0] >= edge and box[2] <= size - edge)


def test_an_undrawable_name_is_replaced_by_colour_or_role() -> None:
    with_side = replace(CHALLENGE, side=Colour.BLACK)
    assert png(replace(with_side, by="\U00013080\U00013153")) == png(replace(with_side, by="Black"))
    assert png(replace(CHALLENGE, by="\U00013080\U00013153", to="Ann \U00013080\U00013153")) == png(
        replace(CHALLENGE, by="challenger", to="opponent")
    )
    one, other = (over(Colour.BLACK, Reason.GIPF, ("Ann", name)) for name in ("\U00013080\U00013153", "Black"))
    assert png(one) == png(other)


@pytest.mark.parametrize("size", [200, 800])
def test_long_terms_are_cut_within_the_card(size: int) -> None:
    drawn, place = compose_image(replace(CHALLENGE, terms=LONG), size), layout_for(size)
    assert abs(drawn.height - place.px(HEAD + HIGHEST)) <= 1
    other = tuple((name, value.upper()) for name, value in LONG)
    box = differ(replace(CHALLENGE, terms=other), replace(CHALLENGE, terms=LONG), size)
    assert box is not None
    assert drawn.height - box[3] >= place.px(0.1)
    assert box[2] <= 0.6 * size


@pytest.mark.parametrize("size", [200, 333, 640, 704, 2000])
def test_names_of_terms_do_not_reach_their_values(size: int) -> None:
    """All terms are tried. The pixels of a value are to the right of those of its name."""
    workdays = Terms(days_per_turn(1), weekends=False)
    terms = challenge_card_terms(Challenge(1, Seat(1, "Ann"), None, STANDARD, Side.LOT, 0, terms=workdays))
    assert [name for name, _ in terms] == ["Time", "Weekends", "Rated"]
    for name, value in terms:
        none, named, whole = (replace(CHALLENGE, terms=rows) for rows in ((), ((name, ""),), ((name, value),)))
        names, values = differ(none, named, size), differ(named, whole, size)
        assert names
        assert values
        assert names[2] < values[0]


def test_cards_in_words() -> None:
    assert alt_text(CARDS["challenge"]) == (
        "Challenge. GIPF Standard. Anneliese asks Bob. Colours: random. Time: 3 days for each turn. "
        "Weekends: do not count (UTC)."
    )
    assert alt_text(CARDS["seek"]).startswith(
        "Open challenge. GIPF Tournament. Bartholomew the Impatient with Black asks"
    )
    assert alt_text(CARDS["result"]).startswith("White wins, Black: no GIPF-piece left. It took 11 turns. White pushed")
    assert alt_text(CARDS["void"]).startswith("Void: repetition. It took 8 turns. White, ann:")
    for number, said in ((0, "no turns"), (1, "1 turn")):
        card = ResultCard(Picture(START, PLAYERS, cancelled=True), number)
        assert alt_text(card).startswith(f"Cancelled. It took {said}.")
    long = ChallengeCard(
        "T" * 30, "W" * 500, "田" * 500, Colour.WHITE, START, (("Time", "t" * 120), ("Colours", "random"))
    )
    assert len(alt_text(long)) < 1024


def test_names_are_set_with_kerning() -> None:
    """If the library that shapes text is installed, A and V stand closer. Numbers and captions never change."""
    assert PLAIN.layout == STRONG.layout == ImageFont.Layout.BASIC
    if features.check("raqm"):
        assert text_width("AVAVAV", NAMES, 40) < text_width("AVAVAV", STRONG, 40)
    else:
        assert text_width("AVAVAV", NAMES, 40) == text_width("AVAVAV", STRONG, 40)


def test_a_leaderboard_in_words_names_each_player() -> None:
    assert alt_text(LEADERBOARD) == (
        "Standard · this server. 13 players · page 1 of 2. 1. Anneliese: 1874 ±62, 41 games, 30 won. "
        "2. Bartholomew the Very Impatient: 1702 ±71, 1234 games, 999 won. 3. bob (you): 1655 ±149, 5 games, 3 won. "
        "4. 漢字: 1911 ±290, 1 game, 1 won, provisional. 100000. Eve: 1338 ±290, 1 game, 0 won, provisional."
    )
    long = replace(LEADERBOARD, rows=(replace(LEADERBOARD.rows[0], name="W" * 99),) * 10)
    assert len(alt_text(long)) < 1024


def test_ratings_in_words_name_each_pool() -> None:
    assert alt_text(RATINGS) == (
        "Ratings of Anneliese, Nov 2025 to Nov 2026. Standard: 1874 ±62, from 1500 to 1902. "
        "Overboard: 1338 ±290, from 1338 to 1338. Basic: 1500 ±349, from 1500 to 1500."
    )
    alone = replace(RATINGS, name="W" * 99, month_names=("Nov 2026", "Nov 2026"))
    assert alt_text(alone).startswith(f"Ratings of {'W' * 31}…, Nov 2026. Standard")


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1500], (1500, 1600)),
        ([1338, 1338], (1300, 1400)),
        ([1500, 1902], (1500, 1950)),
        ([1451, 1549], (1450, 1550)),
        ([-3], (-50, 50)),
    ],
)
def test_a_scale_holds_all_ratings(values: list[int], scale: tuple[int, int]) -> None:
    assert rating_scale(values) == scale


def test_a_higher_rating_stands_higher_and_a_later_month_to_the_right() -> None:
    at = {point: plotted(point) for point in ((3, 1520), (3, 1590), (6, 1520))}
    assert at[3, 1590][1] < at[3, 1520][1] == at[6, 1520][1]
    assert at[3, 1590][0] == at[3, 1520][0] < at[6, 1520][0]


def plotted(point: tuple[int, int]) -> tuple[int, int]:
    """Return the left and the upper end of a dot: the only one of a pool whose scale is 1500 to 1600."""
    none, one = (RatingLine("", "", points) for points in (((9, 1500),), (point, (9, 1500))))
    drawn = [replace(RATINGS, months=(0, 9), lines=(line,)) for line in (none, one)]
    box = differ(drawn[0], drawn[1])
    assert box
    return box[:2]


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_ratings_of_odd_names_stay_in_the_head(odd: str) -> None:
    unit = layout_for(800).unit
    box = differ(replace(RATINGS, name="Player"), replace(RATINGS, name=odd))
    assert box is None or (box[2] <= 800 - round(0.2 * unit) and box[3] <= 0.8 * unit)


def test_a_plot_grows_with_its_pools() -> None:
    heights = [compose_image(replace(RATINGS, lines=RATINGS.lines[:number]), 400).height for number in (1, 2, 3)]
    assert heights[2] - heights[1] == heights[1] - heights[0] > 0


def day_bar(day: int, number: int, most: int = 20) -> tuple[int, int, int, int]:
    """Return the box of the bar of one of ten days. The last day has the most."""
    none, one = [0] * 9 + [most], [0] * 9 + [most]
    one[day] = number
    plots = [replace(TURNS_A_DAY, days=tuple((str(at), each) for at, each in enumerate(days))) for days in (none, one)]
    box = differ(plots[0], plots[1])
    assert box
    return box


def test_bars_stand_in_order_on_one_line_and_are_as_high_as_their_numbers() -> None:
    boxes = [day_bar(day, number) for day, number in ((0, 5), (1, 10), (8, 20))]
    assert [left for left, *_ in boxes] == sorted(left for left, *_ in boxes)
    assert all(one[2] < other[0] for one, other in pairwise(boxes))
    assert len({bottom for *_, bottom in boxes}) == 1
    heights = [bottom - top for _, top, _, bottom in boxes]
    assert heights == pytest.approx([heights[2] / 4, heights[2] / 2, heights[2]], abs=1.5)


def test_a_single_turn_is_seen_beside_a_million() -> None:
    _, top, _, bottom = day_bar(3, 1, most=1_000_000)
    assert bottom - top == 1


def test_days_without_anything_have_no_bars() -> None:
    nothing = replace(TURNS_A_DAY, days=tuple((name, 0) for name, _ in TURNS_A_DAY.days))
    for theme in THEMES.values():
        accent = parse_rgb(theme.accent)
        colours = [compose_image(plot, 400, theme).convert("RGB").getcolors(9999) for plot in (nothing, TURNS_A_DAY)]
        assert [accent in {colour for _, colour in found or ()} for found in colours] == [False, True]


def test_days_in_words_say_the_most_and_the_last_week() -> None:
    assert alt_text(TURNS_A_DAY) == (
        "Turns a day, 1 Nov to 30 Nov: 281 in all. Most: 21 on 12 Nov. Last 7 days: 7, 12, 15, 16, 0, 12, 7."
    )


def test_a_leaderboard_grows_with_its_rows() -> None:
    """The line above provisional players takes room only once, and only if there are some."""
    firm, soft = LEADERBOARD.rows[0], LEADERBOARD.rows[3]
    heights = [
        compose_image(replace(LEADERBOARD, rows=rows), 400).height
        for rows in ((firm,), (firm, firm), (firm, soft), (soft, soft), (soft, soft, soft))
    ]
    row, line = heights[1] - heights[0], heights[2] - heights[1]
    assert row > line > 0
    assert heights[3] == heights[2]
    assert abs(heights[4] - heights[3] - row) <= 1


def test_own_row_is_marked_and_long_names_are_cut() -> None:
    own = replace(LEADERBOARD, rows=(replace(LEADERBOARD.rows[1], own=True),))
    other = replace(LEADERBOARD, rows=(LEADERBOARD.rows[1],))
    assert differ(own, other, 400)
    empty = replace(LEADERBOARD, rows=(replace(LEADERBOARD.rows[1], name="\u200b", rating=0),))
    long = replace(LEADERBOARD, rows=(replace(LEADERBOARD.rows[1], name="W" * 99, rating=0),))
    box = differ(empty, long, 800)
    assert box is not None
    assert box[2] <= layout_for(800).px(NAMES_END) + 1


@pytest.mark.parametrize("name", [*CARDS, "boards", "two_boards"])
@pytest.mark.parametrize("size", [600, 704, 800])
def test_no_letters_are_under_11_pixels_on_a_phone(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord shows a picture 302 pixels wide there. The sizes are those in which the bot draws."""
    drawn, shape = list[int](), text.text_shape

    def noted(said: str, face: text.Face, height: int) -> Shape:
        drawn.append(height)
        return shape(said, face, height)

    monkeypatch.setattr(text, "text_shape", noted)
    compose_image(ALL[name], size)
    assert min(drawn) * 302 / size >= 11


def test_a_table_in_words_has_each_number() -> None:
    said = alt_text(LEAGUE_TABLE)
    assert said.startswith(
        "Spring League. Season 2 · division 2 of 3. "
        "1. Anneliese (goes up): points 5½, games 6, won 5, half 1, lost 0, tie-break 16¾. "
        "2. 漢字 (you) (goes up): points 5, games 7, won 5, half 0, lost 2, tie-break 13½. 3. Bartholomew"
    )
    assert "6. Christopher (has left) (goes down): points ½, games 7, won 0, half 1, lost 6, tie-break ¾." in said


def test_a_long_table_in_words_has_room_for_all_players() -> None:
    """If there is no room for all numbers, it has those of the points."""
    assert alt_text(SWISS_TABLE).endswith("19. Владимир II: 1½. 20. Christopher II: 1½.")
    longest = replace(SWISS_TABLE.rows[0], name="W" * 99, place=64, points=31, has_left=True)
    widest = replace(SWISS_TABLE, title="T" * 60, rows=(longest,) * 20)
    assert len(alt_text(widest)) < 1024


def test_a_winner_in_words_comes_first() -> None:
    assert alt_text(CARDS["winner"]) == (
        "Anneliese wins Spring League. Winner of season 2. 1. Anneliese: 5½. 2. 漢字: 5. "
        "3. Bartholomew the Very Impatient: 3."
    )


@pytest.mark.parametrize(
    ("quarters", "written"), [(0, "0"), (1, "¼"), (2, "½"), (3, "¾"), (4, "1"), (14, "3½"), (125, "31¼")]
)
def test_quarters_are_written_as_fractions(quarters: int, written: str) -> None:
    assert quarters_text(quarters) == written


def test_a_table_grows_with_its_rows_and_says_what_its_marks_mean() -> None:
    plain = [replace(row, moves=None, has_left=False) for row in LEAGUE_TABLE.rows]
    heights = [
        compose_image(replace(LEAGUE_TABLE, rows=tuple(rows)), 400).height
        for rows in (plain[:1], plain[:2], [plain[0], replace(plain[1], moves=Moves.UP)])
    ]
    assert heights[0] < heights[1] < heights[2]


@pytest.mark.parametrize("change", [{"moves": Moves.UP}, {"moves": Moves.DOWN}, {"has_left": True}, {"own": True}])
def test_each_mark_of_a_row_is_seen(change: dict[str, Any]) -> None:
    """The first row says what the mark means, so that the cards are equally high."""
    above = LEAGUE_TABLE.rows[5], LEAGUE_TABLE.rows[0]
    plain = replace(LEAGUE_TABLE.rows[3], name="bob")
    cards = [replace(LEAGUE_TABLE, rows=(*above, row)) for row in (plain, replace(plain, **change))]
    box = differ(cards[0], cards[1])
    assert box is not None
    assert box[1] >= layout_for(800).px(HEAD + 0.58 + 2 * 0.56)


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("size", [200, 800])
def test_odd_names_stay_in_their_places_in_tables(odd: str, size: int) -> None:
    """They reach neither the points nor the row above, nor the edge of the head."""
    unit, winner = layout_for(size).unit, CARDS["winner"]
    assert isinstance(winner, WinnerCard)
    hidden, shown = (replace(LEAGUE_TABLE.rows[2], name=name, points=0) for name in ("\u200b", odd))
    for card, right, top in (
        (LEAGUE_TABLE, NAMES_END * unit + 1, HEAD + 0.58 + 0.56),
        (winner, size - 0.4 * unit, HEAD + 1),
    ):
        cards = [replace(card, rows=(card.rows[0], row)) for row in (hidden, shown)]
        box = differ(cards[0], cards[1], size)
        assert box is None or (box[2] <= right and box[1] >= top * unit - 1)
    box = differ(LEAGUE_TABLE, replace(LEAGUE_TABLE, title=odd), size)
    assert box is None or (box[2] <= size - round(0.2 * unit) and box[3] <= 0.8 * unit)


def test_the_winner_has_a_gipf_piece() -> None:
    place = layout_for(800)
    drawn = compose_image(CARDS["winner"]).convert("RGB")
    down = place.px(HEAD + 0.12 + 1.06 / 2 - LIFT)
    assert drawn.getpixel((place.px(0.64), down)) == parse_rgb(CLASSIC.sign[Colour.WHITE])
