"""Draw pictures: a description goes in, PNG bytes come out. Imports `gipfbot.rules` only, and caches only drawings."""

from .file import compose_image, encode_png, png
from .picture import (
    BalancePlot,
    ChallengeCard,
    DayPlot,
    Described,
    Ghost,
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
    TournamentCard,
    TournamentRow,
    WinnerCard,
)
from .theme import CLASSIC, THEMES, Theme
from .wording import ENGLISH, Words
from .words import alt_text, text_board

__all__ = [
    "CLASSIC", "ENGLISH", "THEMES", "BalancePlot", "ChallengeCard", "DayPlot", "Described", "Ghost", "LeaderboardCard",
    "LeaderboardRow", "Marks", "Moves", "Picture", "PlotMark", "RatingLine", "RatingPlot", "ResultCard", "SmallBoards",
    "Theme", "TournamentCard", "TournamentRow", "WinnerCard", "Words",
    "alt_text", "compose_image", "encode_png", "png", "text_board",
]  # fmt: skip
