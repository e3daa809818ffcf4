"""The texts of a server's figures, and the plot of its turns by day."""

from gipfbot.match.clock import DAY
from gipfbot.match.explorer import WinRate
from gipfbot.match.game import clean_name
from gipfbot.match.ratings import POOLS
from gipfbot.rules import ruleset_words
from gipfbot.service.competing.profiles import ServerFigures
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit.texts import escape_text, join_lines
from gipfbot.values import FollowedGame
from render import DayPlot

from .leaderboard_texts import POOL_TITLES, short_date

NO_GAMES_HERE = "Nobody has played here yet. **/gipf challenge** starts the first game."
NO_TURNS_LATELY = "No turns in the last 30 days."
NO_WINNER_YET = "No game has a winner yet."
THIS_SERVER = "This server"
INTERVAL_NOTE = "-# In brackets: the 95 % interval. It narrows with more games."
NOBODY_FOLLOWS = "**Most followed:** nobody follows a running game that you can see. **/gipf follow** follows one."


def server_figures_text(figures: ServerFigures, name: str) -> str:
    """Return a server's figures as text, without the game that is followed most. `name` is the server's."""
    return join_lines(
        f"**{escape_text(clean_name(name, THIS_SERVER))}** · {_games_text(figures)}",
        _turns_number(sum(figures.turns)) if any(figures.turns) else NO_TURNS_LATELY,
        *_win_texts(figures),
    )


def _games_text(figures: ServerFigures) -> str:
    cancelled = f", {figures.cancelled} cancelled" if figures.cancelled else ""
    return f"{figures.running} running, {figures.finished} finished{cancelled}"


def _turns_number(turns: int) -> str:
    return f"{turns} turn{'' if turns == 1 else 's'} in the last 30 days"


def _win_texts(figures: ServerFigures) -> list[str]:
    """Return how often White won in each pool that has a winner, and what the brackets mean."""
    rates = [(pool, figures.white_wins(pool)) for pool in POOLS]
    lines = [f"**{POOL_TITLES[pool]}:** {win_rate_text(rate)}" for pool, rate in rates if rate]
    return [*lines, INTERVAL_NOTE] if lines else [NO_WINNER_YET]


def win_rate_text(rate: WinRate) -> str:
    """Return how often White won, such as `White won 54 % of 61 games (42 to 66 %)`."""
    low, high = (round(100 * end) for end in rate.wilson_interval())
    games = f"{rate.games} game{'' if rate.games == 1 else 's'}"
    return f"White won {round(100 * rate.share)} % of {games} ({low} to {high} %)"


def followed_text(game: FollowedGame) -> str:
    """Return the running game with the most followers: its name, its players, its rules, and how many follow it."""
    white, black = map(escape_text, game.names)
    followers = f"{game.followers} follower{'' if game.followers == 1 else 's'}"
    return join_lines(
        f"**Most followed:** {followers}",
        f"**{game_name(game.id)}** {white} vs {black} · {ruleset_words(game.ruleset)}",
    )


def turns_plot(figures: ServerFigures) -> DayPlot | None:
    """Return the plot of a server's turns by day. None if there are none."""
    if not any(figures.turns):
        return None
    first = figures.last_day - len(figures.turns) + 1
    days = tuple((short_date(day * DAY), number) for day, number in enumerate(figures.turns, first))
    return DayPlot("Turns a day", f"{_turns_number(sum(figures.turns))} (UTC)", days)
