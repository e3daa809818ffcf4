"""The texts of leaderboards and of announced results."""

from datetime import UTC, datetime

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match.ratings import MOST_OF_PAIR, Uncounted, pool_of
from gipfbot.service.competing.leaderboards import LeaderboardPage, OwnPlace
from gipfbot.service.competing.results import RatedEnd, RatingChange
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.texts import pair_number, player_name, time_text
from gipfbot.values import ListedStanding
from render import LeaderboardCard, LeaderboardRow

POOL_TITLES = {
    "basic": mark("Basic"),
    "standard": mark("Standard"),
    "tournament": mark("Tournament"),
    "potentials": mark("Potentials"),
    "overboard": mark("Overboard"),
}
HERE, EVERYWHERE = mark("this server"), mark("all servers")
NEEDS_SERVER = mark("Only a server has a leaderboard of its own. Here is the one of all servers.")
PROVISIONAL_TEXT = mark("*Provisional: fewer than 5 games, or still uncertain (± over 150)*")
UNLISTED = mark("You have left the leaderboards. **/gipf-me settings** puts you back.")
PREVIOUS_LABEL, NEXT_LABEL, ME_LABEL = mark("Previous"), mark("Next"), mark("Me")
MONTHS = (
    mark("Jan"),
    mark("Feb"),
    mark("Mar"),
    mark("Apr"),
    mark("May"),
    mark("Jun"),
    mark("Jul"),
    mark("Aug"),
    mark("Sep"),
    mark("Oct"),
    mark("Nov"),
    mark("Dec"),
)


def pool_name(pool: str) -> str:
    """Return the name of a pool."""
    return say_name(POOL_TITLES[pool])


def _scope_text(page: LeaderboardPage) -> str:
    return say(EVERYWHERE) if page.server is None else say(HERE)


def leaderboard_text(page: LeaderboardPage) -> str:
    """Return what the picture of a page of a leaderboard does not say: the last games, and wins in a row."""
    if not page.lines:
        head = f"**{say('Leaderboard')} · {pool_name(page.pool)} · {_scope_text(page)}**"
        return join_lines(head, f"{say('Nobody is on it yet.')} {_how_to_begin(page.pool)}")
    in_a_row = [f"{escape_text(line.name)} {line.won_in_a_row}" for line in page.lines if line.won_in_a_row > 1]
    last = [f"{escape_text(line.name)} {time_text(line.last_at, 'R')}" for line in page.lines]
    provisional = any(line.provisional for line in page.lines)
    return join_lines(
        f"{say('**Wins in a row:**')} {' · '.join(in_a_row)}" if in_a_row else "",
        f"{say('**Last game:**')} {' · '.join(last)}",
        say(PROVISIONAL_TEXT) if provisional else "",
    )


def _size_text(page: LeaderboardPage) -> str:
    players = say_number("{number} player", "{number} players", page.players)
    return f"{players} · {say('page {page} of {pages}', page=str(page.page), pages=str(page.pages))}"


def _how_to_begin(pool: str) -> str:
    return say("Finish a rated game of {pool}: **/gipf challenge** starts one.", pool=pool_name(pool))


def leaderboard_card(page: LeaderboardPage, user: int) -> LeaderboardCard | None:
    """Return the picture of a page of a leaderboard, on which the row of `user` is marked. None without players."""
    if not page.lines:
        return None
    rows = tuple(_card_row(line, own=line.user == user) for line in page.lines)
    return LeaderboardCard(f"{pool_name(page.pool)} · {_scope_text(page)}", _size_text(page), rows)


def _card_row(line: ListedStanding, *, own: bool) -> LeaderboardRow:
    numbers = round(line.rating.value), round(line.rating.deviation), line.games, line.wins
    return LeaderboardRow(line.place, player_name(line.name), *numbers, line.provisional, own)


def short_date(moment: int) -> str:
    """Return the day (UTC) of a time without its year: `3 Nov`."""
    day = datetime.fromtimestamp(moment, UTC)
    return say_name("{day} {month}", day=day.day, month=say_name(MONTHS[day.month - 1]))


def no_place_text(own: OwnPlace, pool: str, server: int | None) -> str:
    """Return why a person is not on a leaderboard, and what puts them there."""
    name = pool_name(pool)
    if own.unlisted:
        return say(UNLISTED)
    if own.known is None:
        why = say("You aren't on it: no rated game of {pool} counts for you yet.", pool=name)
        return f"{why} {_how_to_begin(pool)}"
    if server is None or own.is_old:
        sentence = mark("You aren't on it: your last rated game of {pool} ended {time}. Finish another.")
        return say(sentence, pool=name, time=time_text(own.known.last_at, "R"))
    why = say("You aren't on it: you have finished no rated game of {pool} on this server.", pool=name)
    return f"{why} {_how_to_begin(pool)}"


def switch_label(server: int | None) -> str:
    """Return the label of the button that leads to the other leaderboard of the pool."""
    return say("This server") if server is None else say("All servers")


def pool_label(pool: str) -> str:
    """Return a pool as the choice of a select."""
    return say("Pool: {pool}", pool=pool_name(pool))


def announcement_text(board: BoardMessage, end: RatedEnd) -> str:
    """Return the announcement of a game's result: at most two lines. It pings nobody."""
    return join_lines(f"{_result_text(board)} · {game_name(board.game)}", _rated_text(board, end))


def _result_text(board: BoardMessage) -> str:
    """Return who beat whom, in how many turns, and how."""
    result = board.position.result
    assert result
    turns = pair_number(board.turn_number)
    if result.winner is None:
        return f"{_draw_text(escape_text(board.names[0]), escape_text(board.names[1]), turns)} · {say('both agreed')}"
    winner, loser = (escape_text(board.names[colour]) for colour in (result.winner, result.winner.other))
    return f"{_win_text(winner, loser, turns)} · {public_board.ending_reason(board, result.by, loser)}"


def _draw_text(white: str, black: str, turns: int) -> str:
    if not turns:
        return say("**{white}** and **{black}** drew", white=white, black=black)
    return say_number(
        "**{white}** and **{black}** drew in {number} turn",
        "**{white}** and **{black}** drew in {number} turns",
        turns,
        white=white,
        black=black,
    )


def _win_text(winner: str, loser: str, turns: int) -> str:
    if not turns:
        return say("**{winner}** beat **{loser}**", winner=winner, loser=loser)
    return say_number(
        "**{winner}** beat **{loser}** in {number} turn",
        "**{winner}** beat **{loser}** in {number} turns",
        turns,
        winner=winner,
        loser=loser,
    )


def _rated_text(board: BoardMessage, end: RatedEnd) -> str:
    """Return both players' new ratings and the changes, or why there are none. Empty if the game cannot count.

    Players off the leaderboards are left out.

    For example: `Standard: Ann 1532 (+14) · Bob 1468 (-14)`.
    """
    pool = pool_name(pool_of(board.position.rules))
    if Uncounted.PAIR in end.uncounted:
        sentence = mark("{pool}: not counted, since {count} games of these two have counted this month")
        return say(sentence, pool=pool, count=MOST_OF_PAIR)
    both = zip(board.names, end.changes, end.uncounted, strict=True)
    said = [_change_text(escape_text(name), change, why) for name, change, why in both if change]
    return f"{pool}: {' · '.join(said)}" if said else ""


def _change_text(name: str, change: RatingChange, why: Uncounted | None) -> str:
    """Return a player's new rating and the change, or why the game does not count for them."""
    before, after = change
    if why is Uncounted.AWAY:
        return say("{name} {rating} (not counted: away since another loss on time)", name=name, rating=str(after))
    return f"{name} {after} ({after - before:+})"
