"""The texts of leaderboards and of announced results."""

from datetime import UTC, datetime

from gipfbot.match.ratings import MOST_OF_PAIR, Uncounted, pool_of
from gipfbot.service.competing.leaderboards import LeaderboardPage, OwnPlace
from gipfbot.service.competing.results import RatedEnd, RatingChange
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.texts import game_length_text
from gipfbot.values import ListedStanding
from render import LeaderboardCard, LeaderboardRow

POOL_TITLES = {
    "basic": "Basic",
    "standard": "Standard",
    "tournament": "Tournament",
    "potentials": "Potentials",
    "overboard": "Overboard",
}
HERE, EVERYWHERE = "this server", "all servers"
NEEDS_SERVER = "Only a server has a leaderboard of its own. Here is the one of all servers."
PROVISIONAL_TEXT = "*Provisional: fewer than 5 games, or still uncertain (± over 150)*"
UNLISTED = "You have left the leaderboards. **/gipf-me settings** puts you back."
PREVIOUS_LABEL, NEXT_LABEL, ME_LABEL = "Previous", "Next", "Me"


def _scope_text(page: LeaderboardPage) -> str:
    return EVERYWHERE if page.server is None else HERE


def leaderboard_text(page: LeaderboardPage) -> str:
    """Return what the picture of a page of a leaderboard does not say: the last games, and wins in a row."""
    if not page.lines:
        head = f"**Leaderboard · {POOL_TITLES[page.pool]} · {_scope_text(page)}**"
        return join_lines(head, f"Nobody is on it yet. {_how_to_begin(page.pool)}")
    in_a_row = [f"{escape_text(line.name)} {line.won_in_a_row}" for line in page.lines if line.won_in_a_row > 1]
    last = [f"{escape_text(line.name)} <t:{line.last_at}:R>" for line in page.lines]
    provisional = any(line.provisional for line in page.lines)
    return join_lines(
        f"**Wins in a row:** {' · '.join(in_a_row)}" if in_a_row else "",
        f"**Last game:** {' · '.join(last)}",
        PROVISIONAL_TEXT if provisional else "",
    )


def _size_text(page: LeaderboardPage) -> str:
    players = f"{page.players} player{'' if page.players == 1 else 's'}"
    return f"{players} · page {page.page} of {page.pages}"


def _how_to_begin(pool: str) -> str:
    return f"Finish a rated game of {POOL_TITLES[pool]}: **/gipf challenge** starts one."


def leaderboard_card(page: LeaderboardPage, user: int) -> LeaderboardCard | None:
    """Return the picture of a page of a leaderboard, on which the row of `user` is marked. None without players."""
    if not page.lines:
        return None
    rows = tuple(_card_row(line, own=line.user == user) for line in page.lines)
    return LeaderboardCard(f"{POOL_TITLES[page.pool]} · {_scope_text(page)}", _size_text(page), rows)


def _card_row(line: ListedStanding, *, own: bool) -> LeaderboardRow:
    numbers = round(line.rating.value), round(line.rating.deviation), line.games, line.wins
    return LeaderboardRow(line.place, line.name, *numbers, line.provisional, own)


def short_date(moment: int) -> str:
    """Return the day (UTC) of a time without its year: `3 Nov`."""
    day = datetime.fromtimestamp(moment, UTC)
    return f"{day.day} {('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec').split()[day.month - 1]}"


def no_place_text(own: OwnPlace, pool: str, server: int | None) -> str:
    """Return why a person is not on a leaderboard, and what puts them there."""
    title = POOL_TITLES[pool]
    if own.unlisted:
        return UNLISTED
    if own.known is None:
        return f"You aren't on it: no rated game of {title} counts for you yet. {_how_to_begin(pool)}"
    if server is None or own.is_old:
        return f"You aren't on it: your last rated game of {title} ended <t:{own.known.last_at}:R>. Finish another."
    return f"You aren't on it: you have finished no rated game of {title} on this server. {_how_to_begin(pool)}"


def switch_label(server: int | None) -> str:
    """Return the label of the button that leads to the other leaderboard of the pool."""
    return "This server" if server is None else "All servers"


def pool_label(pool: str) -> str:
    """Return a pool as the choice of a select."""
    return f"Pool: {POOL_TITLES[pool]}"


def announcement_text(board: BoardMessage, end: RatedEnd) -> str:
    """Return the announcement of a game's result: at most two lines. It pings nobody."""
    turns = f" in {game_length_text(board.turn_number)}" if board.turn_number else ""
    return join_lines(f"{_result_text(board, turns)} · {game_name(board.game)}", _rated_text(board, end))


def _result_text(board: BoardMessage, turns: str) -> str:
    """Return who beat whom, in how many turns, and how."""
    result = board.position.result
    assert result
    white, black = map(escape_text, board.names)
    if result.winner is None:
        return f"**{white}** and **{black}** drew{turns} · both agreed"
    winner, loser = (escape_text(board.names[colour]) for colour in (result.winner, result.winner.other))
    return f"**{winner}** beat **{loser}**{turns} · {public_board.ending_reason(board, result.by, loser)}"


def _rated_text(board: BoardMessage, end: RatedEnd) -> str:
    """Return both players' new ratings and the changes, or why there are none. Empty if the game cannot count.

    Players off the leaderboards are left out.

    For example: `Standard: Ann 1532 (+14) · Bob 1468 (-14)`.
    """
    pool = POOL_TITLES[pool_of(board.position.rules)]
    if Uncounted.PAIR in end.uncounted:
        return f"{pool}: not counted, since {MOST_OF_PAIR} games of these two have counted this month"
    both = zip(board.names, end.changes, end.uncounted, strict=True)
    said = [_change_text(escape_text(name), change, why) for name, change, why in both if change]
    return f"{pool}: {' · '.join(said)}" if said else ""


def _change_text(name: str, change: RatingChange, why: Uncounted | None) -> str:
    """Return a player's new rating and the change, or why the game does not count for them."""
    before, after = change
    if why is Uncounted.AWAY:
        return f"{name} {after} (not counted: away since another loss on time)"
    return f"{name} {after} ({after - before:+})"
