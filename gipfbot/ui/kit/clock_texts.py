"""What is said about time: terms, deadlines, fallen flags."""

from collections.abc import Sequence

from gipfbot.match import Clock, Game, Terms, TimeControl
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.game_names import game_name

DAY, HOUR, MINUTE = 24 * 3600, 3600, 60
NO_TIME_LIMIT = "no time limit"
ONLY_A_WIN_SAVES = "only a turn that wins now saves the game"
MOST_CLOCKS_NAMED = 45  # games in one message


def duration_text(seconds: int) -> str:
    """Return a time in words, to the two largest units that matter: `2 days 5 hours`."""
    parts, rest = [], max(seconds, MINUTE)
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        number, rest = divmod(rest, unit)
        if number:
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts[:2])


def time_control_text(time_control: TimeControl | None) -> str:
    """Return how much time each has."""
    if time_control is None:
        return NO_TIME_LIMIT
    if time_control.per_turn:
        return f"{duration_text(time_control.first)} for each turn"
    first, increment = duration_text(time_control.first), duration_text(time_control.increment)
    return f"{first} each, {increment} more with each turn, at most {duration_text(time_control.cap)}"


def weekends_text(count: bool) -> str:
    """Return whether the clocks run at weekends."""
    return f"Saturdays and Sundays (UTC) {'count' if count else 'do not count'}"


def grace_text(seconds: int) -> str:
    """Return how long a turn may still be finished once the time is over: `12 h grace`."""
    return f"{seconds // HOUR} h grace" if seconds else "no grace"


def vacation_days_text(days: int) -> str:
    """Return how many days a year clocks may be paused on a server."""
    return f"{days or 'no'} day{'' if days == 1 else 's'} of vacation a year"


def terms_text(agreed: Terms, days: int | None = None) -> str:
    """Return the terms as they stand in a challenge, with the days of vacation a year, if any are given."""
    parts = [time_control_text(agreed.time_control)]
    if agreed.time_control:
        parts += [
            weekends_text(agreed.weekends),
            grace_text(agreed.grace),
            *([] if days is None else [vacation_days_text(days)]),
        ]
    return " · ".join([*parts, *(["in a thread of its own"] if agreed.thread else [])])


def deadline_text(shown: BoardMessage, mover: str) -> str:
    """Return until when the player to move has time, or that they are on vacation; empty without a time limit."""
    if shown.over:
        return ""
    if shown.deadline is None:
        until = shown.vacation_until
        return "" if until is None else on_vacation_text(f"{mover} is", until, shown.paused_left)
    end = f"<t:{shown.deadline}:R>{_credit_clause(shown.credited)}."
    if not shown.flagged:
        return f"{mover}: due {end}"
    return f"{mover}'s time is over, and a turn that does not win loses the game. Grace ends {end}"


def on_vacation_text(who_is: str, until: int, paused_left: int | None) -> str:
    """Return until when the player to move is on vacation, and what they have left; `who_is` is `Ann is`."""
    clock = "" if paused_left is None else f" (clock paused, {duration_text(paused_left)} left)"
    return f"{who_is} on vacation until <t:{until}:F>{clock}."


def bank_text(shown: BoardMessage, waiting: str) -> str:
    """Return what the player who waits has saved up; empty where time is not saved, or matters no more."""
    if shown.bank is None or shown.flagged:
        return ""
    return f"{waiting} has {duration_text(shown.bank)} for the next turn."


def _credit_text(seconds: int) -> str:
    return f"the bot was offline for {duration_text(seconds)}: that is given back" if seconds >= MINUTE else ""


def _credit_clause(credited: int) -> str:
    return f"; {_credit_text(credited)}" if _credit_text(credited) else ""


def past_credit_text(seconds: int) -> str:
    """Return what was given back in the turn in which a game was lost on time; empty where nothing was."""
    if seconds < MINUTE:
        return ""
    return f"The bot was offline for {duration_text(seconds)} during that turn: that had been given back."


def your_deadline_text(clock: Clock) -> str:
    """Tell the player to move until when they have time. Does not check that their clock runs."""
    end = f"<t:{clock.deadline}:R>{_credit_clause(clock.credited)}."
    return f"{your_grace_text(clock)} Grace ends {end}" if clock.flagged else f"Your turn is due {end}"


def your_grace_text(clock: Clock | None) -> str:
    """The player's own warning during grace; empty otherwise."""
    return f"Your time is over: {ONLY_A_WIN_SAVES}." if clock and clock.flagged else ""


def time_left_text(deadline: int, now: int, *, flagged: bool) -> str:
    """Return how long there is until a deadline, which ends the grace if `flagged`: `5 hours left`."""
    return f"{duration_text(deadline - now)} {'of grace ' if flagged else ''}left"


def downtime_text(seconds: int, games: Sequence[tuple[int, int, bool]]) -> str:
    """Return what a channel is told after the bot was away: until when there is time now in each of these games.

    A game is given as its id, its deadline, and whether that ends a grace. As many are named as fit into one message.
    """
    until = [
        f"{game_name(game)} {'grace until' if flagged else 'until'} <t:{at}:f>"
        for game, at, flagged in games[:MOST_CLOCKS_NAMED]
    ]
    rest = len(games) - MOST_CLOCKS_NAMED
    more = f" … and {rest} more: **/gipf games** lists yours." if rest > 0 else ""
    return f"The bot was offline for {duration_text(seconds)}. That time is given back: {' · '.join(until)}{more}"


def clock_summary(game: Game) -> str:
    """Return until when the player to move has time, in a few words; empty without a time limit."""
    if game.clock is None:
        return ""
    if game.clock.deadline is None:
        return f" · clock paused, {duration_text(game.clock.paused_left or 0)} left"
    until = f" · {'grace ends' if game.clock.flagged else 'due'} <t:{game.clock.deadline}:R>"
    return f"{until} ({_credit_text(game.clock.credited)})" if _credit_text(game.clock.credited) else until


def flagged_headline(game: str, opponent: str) -> str:
    """Return the first line of the board that tells a player that they are flagged."""
    return f"your time is over: {ONLY_A_WIN_SAVES} · {game} vs {opponent}"
