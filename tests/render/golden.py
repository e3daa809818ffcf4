"""The golden pictures and cards, and a contact sheet in all themes. After a wanted change, run `make pictures`.

`turn` is at the top of the README, so it is larger. It and `removed` are turns of recorded games as the bot posts them.
"""

from dataclasses import replace
from io import BytesIO

from PIL import Image

from gipfbot.notation import read_record, turn_text
from gipfbot.rules.actions import PUSHES, Use
from gipfbot.rules.engine import legal
from gipfbot.rules.pieces import ByColour, Colour, Kind, Reason, Result
from gipfbot.rules.position import Position, build, start
from gipfbot.rules.rulesets import STANDARD, TOURNAMENT
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.ui.board.public_board import board_caption
from gipfbot.ui.kit.pictures import board_picture, describe_actions
from render import (
    CLASSIC,
    THEMES,
    BalancePlot,
    ChallengeCard,
    DayPlot,
    Described,
    LeaderboardCard,
    LeaderboardRow,
    Marks,
    Moves,
    Picture,
    PlotMark,
    RatingLine,
    RatingPlot,
    ResultCard,
    SmallBoards,
    Theme,
    TournamentCard,
    TournamentRow,
    WinnerCard,
    png,
)
from tests.rules.helpers import BLACK, WHITE
from tests.rules.loaded import act, at, then
from tests.support.paths import DATA

FOLDER = DATA / "pictures"
SHEET = DATA / "contact.png"
SIZE, SIZES = 400, {"turn": 800, "boards": 800, "two_boards": 800}
BEHIND = "#808080"  # fills the contact sheet below pictures that are lower than others
PLAYERS = ("ann", "bob")
BASIC, GIPF = Kind.BASIC, Kind.GIPF


def position(white: str, black: str, mover: Colour = WHITE, captured: ByColour[int] = (0, 0)) -> Position:
    """Return a Standard position; pieces are written as in the notation, separated by spaces: `Gb5 c4`."""
    sides = [tuple((Kind(piece[:-2]), piece[-2:]) for piece in side.split()) for side in (white, black)]
    return build(STANDARD, mover, (sides[0], sides[1]), captured)


OPENING = position("Gb5 Ge2 Gh5 c6 e4", "Gb2 Ge8 Gh2 d3 f3", BLACK)
ROWS = position("Gb5 Ge2 c5 d5 e3 e4 e5 f4 Gg3", "Gb2 Ge8 Gh2 e6 h3")._replace(pushed=True)
LOST = position("Gb5 Ge2 c4 c5 d5 e5 f6 g3 f2 d3", "d4 e6 f5 e4 g4 h4", WHITE, (2, 8))


def board(file: str, number: int) -> Picture:
    """Return the board that the bot posts after this turn of a recorded game."""
    step = read_record((DATA / file).read_text(encoding="utf-8")).turns[number - 1]
    text = turn_text(step.before, step.actions)
    shown = BoardMessage(1, number, (1, 2), ("Ann", "Bob"), step.after, step.before, step.actions, text)
    return board_picture(shown, board_caption(shown))


def potentials(line: str, *texts: str, flipped: bool = False) -> Picture:
    """Return the board after these actions. Without any, it shows the uses to choose from."""
    before, actions = at(line), tuple(map(act, texts))
    uses = tuple(action for action in legal(before) if isinstance(action, Use))
    if not actions:
        return Picture(before, PLAYERS, "Where to?", Marks(choices=uses), flipped=flipped)
    marks = Marks.of_turn(describe_actions(before, actions))
    return Picture(then(before, *texts), PLAYERS, f"12. bob: {turn_text(before, actions)}", marks, flipped=flipped)


PICTURES = {
    "start": Picture(start(STANDARD), PLAYERS, "Standard. White begins."),
    "push": Picture(OPENING, PLAYERS, "5. ann: b6-c6", Marks(act=PUSHES["b6", "c6", BASIC], moved=("c6",))),
    "turn": board("records/standard-16.turns", 37),
    "removed": board("games/tournament-21.txt", 21),
    "rows": Picture(
        ROWS,
        PLAYERS,
        "Which row goes first?",
        Marks(
            rows=(("A", ("e2", "e3", "e4", "e5", "e6")), ("B", ("b5", "c5", "d5", "e5", "f4", "g3", "h2"))),
            numbers=(("e2", 1), ("g3", 2)),
        ),
    ),
    "choices": Picture(
        OPENING,
        PLAYERS,
        "Where do you push?",
        Marks(choices=(PUSHES["a3", "b4", GIPF], PUSHES["a3", "b3", GIPF])),
    ),
    "flipped": replace(board("records/standard-16.turns", 37), flipped=True),
    "potentials": potentials(
        "tournament+Z6P6 w W=Zb3,Gb5,zc3,Pc4,e3[G],f3,Gf5[GG],pg5[P] B=zc5,Pd2,Gd6,Zf2,pf4[pP],Zg2,zh3,h4 "
        "captured=1-2 left=Z3P3-Z2P2"
    ),
    "use": potentials(
        "standard+Z6P6 b W=Gb5,Pc3,d3,d6[G],Ze6,zg3 B=Gb2,zc2,c6,pd5[P],Ze2,pe3[P],e4,Gg2,g4,h3",
        "Ze2>e5",
        "e: e2 e3 e4 e5 e6",
        flipped=True,
    ),
    "end": Picture(LOST._replace(result=Result(WHITE, Reason.GIPF)), PLAYERS, "31. ann: g1-g2. White wins."),
}


CARDS: dict[str, Described] = {
    "challenge": ChallengeCard(
        "Challenge",
        "Anneliese",
        "Bob",
        None,
        start(STANDARD),
        (("Colours", "random"), ("Time", "3 days for each turn"), ("Weekends", "do not count (UTC)")),
    ),
    "seek": ChallengeCard(
        "Open challenge",
        "Bartholomew the Impatient",
        "anybody",
        BLACK,
        start(TOURNAMENT),
        (
            (
                "Time",
                "10 days to start, 1 day more each turn, never over 15 days, Saturdays and Sundays (UTC) not counted",
            ),
        ),
    ),
    "result": ResultCard(board("games/tournament-21.txt", 21), 21),
    "rated": ResultCard(board("games/tournament-21.txt", 21), 21, ((1500, 1512), (1466, 1454))),
    "void": ResultCard(
        Picture(start(STANDARD)._replace(result=Result(None, Reason.REPETITION)), PLAYERS, "#a1 · 16. Black g1-g5"), 16
    ),
}
LEADERBOARD = LeaderboardCard(
    "Standard · this server",
    "13 players · page 1 of 2",
    (
        LeaderboardRow(1, "Anneliese", 1874, 62, 41, 30),
        LeaderboardRow(2, "Bartholomew the Very Impatient", 1702, 71, 1234, 999),
        LeaderboardRow(3, "bob", 1655, 149, 5, 3, own=True),
        LeaderboardRow(4, "漢字", 1911, 290, 1, 1, provisional=True),
        LeaderboardRow(100_000, "Eve", 1338, 290, 1, 0, provisional=True),
    ),
)
CARDS["leaderboard"] = LEADERBOARD
LEAGUE_TABLE = TournamentCard(
    "Spring League",
    "Season 2 · division 2 of 3",
    "SB",
    (
        TournamentRow(1, "Anneliese", 6, 5, 1, 0, 11, 67, Moves.UP),
        TournamentRow(2, "漢字", 7, 5, 0, 2, 10, 54, Moves.UP, own=True),
        TournamentRow(3, "Bartholomew the Very Impatient", 5, 3, 0, 2, 6, 24),
        TournamentRow(4, "bob", 6, 2, 1, 3, 5, 21),
        TournamentRow(5, "Eve", 4, 1, 0, 3, 2, 6),
        TournamentRow(6, "Christopher", 7, 0, 1, 6, 1, 3, Moves.DOWN, has_left=True),
        TournamentRow(7, "Dan", 3, 0, 0, 3, 0, 0, Moves.DOWN),
    ),
)
CARDS["league"] = LEAGUE_TABLE
_PEOPLE = "Anneliese bob Eve Maximilian Dan Friederike Zoë 漢字 Владимир Christopher".split()
SWISS_TABLE = TournamentCard(
    "The Great Autumn Tournament of 2026",
    "Round 6 of 9 · page 1 of 4",
    "Bh",
    tuple(
        TournamentRow(at + 1, name, 6, 6 - at // 4, at % 2, at // 4, 12 - at // 2, 88 - 2 * at)
        for at, name in enumerate([*_PEOPLE, *(f"{name} II" for name in _PEOPLE)])
    ),
)
CARDS["swiss"] = SWISS_TABLE
CARDS["winner"] = WinnerCard("Spring League", "Winner of season 2", LEAGUE_TABLE.rows[:3])
RATINGS = RatingPlot(
    "Anneliese",
    "48 games · 30 won, 1 drawn, 17 lost",
    (24310, 24322),
    ("Nov 2025", "Nov 2026"),
    (
        RatingLine("Standard", "1874 ±62", ((24310, 1500), (24312, 1790), (24313, 1655), (24319, 1902), (24322, 1874))),
        RatingLine("Overboard", "1338 ±290", ((24316, 1338), (24322, 1338))),
        RatingLine("Basic", "1500 ±349", ((24322, 1500),)),
    ),
)
CARDS["ratings"] = RATINGS
TURNS_A_DAY = DayPlot(
    "Turns a day",
    "Last 30 days (UTC) · 281 turns",
    tuple((f"{day} Nov", day * (31 - day) % 23 if day % 7 else 0) for day in range(1, 31)),
)
CARDS["days"] = TURNS_A_DAY
_SWINGS = (0, 12, 30, 24, 55, 31, 60, -140, -150, -90, -120, 210, 190, 205, 230, -20, 5, 140, 160, 420, 390, 460, 480)
BALANCE = BalancePlot(
    "Analysis of #a7",
    ("Anneliese", "bob"),
    (*_SWINGS, 700, 1000),
    (PlotMark(7, "??"), PlotMark(11, "!"), PlotMark(15, "??"), PlotMark(17, "!"), PlotMark(19, "!"), PlotMark(24, "?")),
)
CARDS["balance"] = BALANCE
NINE = tuple(
    (f"{number} · #{letter}1", picture)
    for number, (letter, picture) in enumerate(zip("abcdefghi", PICTURES.values(), strict=False), 1)
)
BOARDS: dict[str, Described] = {"boards": SmallBoards(NINE), "two_boards": SmallBoards(NINE[:2])}
ALL: dict[str, Described] = {**PICTURES, **CARDS, **BOARDS}
COLUMNS = [
    *((name,) for name in PICTURES),
    ("challenge", "seek"),
    ("result",),
    ("leaderboard", "league"),
    ("ratings", "days"),
    ("balance", "winner"),
]  # of the contact sheet


def sheet(size: int = 200) -> Image.Image:
    """Return the contact sheet: the columns from left to right, the themes from top to bottom."""
    height = _image(CARDS["result"], size, CLASSIC).height
    whole = Image.new("RGB", (size * len(COLUMNS), height * len(THEMES)), BEHIND)
    for down, theme in enumerate(THEMES.values()):
        for across, names in enumerate(COLUMNS):
            top = down * height
            for name in names:
                image = _image(ALL[name], size, theme)
                whole.paste(image, (across * size, top))
                top += image.height
    return whole


def _image(described: Described, size: int, theme: Theme) -> Image.Image:
    return Image.open(BytesIO(png(described, size=size, theme=theme))).convert("RGB")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    sheet().quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(SHEET, optimize=True)
    for name, picture in ALL.items():
        (FOLDER / f"{name}.png").write_bytes(png(picture, size=SIZES.get(name, SIZE)))
