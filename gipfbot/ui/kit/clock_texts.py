"""Texts about time: terms, deadlines, credits, and players whose time is over."""

from collections.abc import Sequence

from gipfbot.match import Clock, Game, Terms, TimeControl
from gipfbot.match.clock import is_over_weekend
from gipfbot.rules import Colour
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.loaded_games import game_name

from .texts import asked_for

DAY, HOUR, MINUTE = 24 * 3600, 3600, 60
NO_TIME_LIMIT = "no time limit"
ONLY_A_WIN_SAVES = "win with this turn or you lose"
ANSWER_LOSES = "any answer loses the game now"
ANSWER_IN_GRACE = "answer before your grace ends, or you lose"  # in the turn of an opponent who was flagged first
WEEKENDS_LEFT_OUT = " (weekend added)"
MOST_CLOCKS_NAMED = 45  # games named in one downtime notice


def duration_text(seconds: int) -> str:
    """Return a duration in words, in its two largest units that are not zero: `2 days 5 hours`.

    `seconds` below one minute count as one minute.
    """
    parts, rest = [], max(seconds, MINUTE)
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        number, rest = divmod(rest, unit)
        if number:
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts[:2])


def time_control_text(time_control: TimeControl | None) -> str:
    """Return a time control in words. None is a game without a time limit."""
    if time_control is None:
        return NO_TIME_LIMIT
    if time_control.per_turn:
        return f"{duration_text(time_control.first)} for each turn"
    first, increment, cap = map(duration_text, (time_control.first, time_control.increment, time_control.cap))
    return f"{first} in all, and {increment} more after each turn; at most {cap} saved up"


def weekends_text(count: bool) -> str:
    """Return in words whether clocks run at weekends."""
    return f"Saturdays and Sundays (UTC) {'count' if count else 'do not count'}"


def grace_text(seconds: int) -> str:
    """Return a grace period of `seconds` in words: `12 hours of grace for a late turn that wins`."""
    return f"{duration_text(seconds)} of grace for a late turn that wins" if seconds else "no grace for a late turn"


def vacation_days_text(days: int) -> str:
    """Return in words how many days of vacation a year a player has."""
    return f"{days or 'no'} day{'' if days == 1 else 's'} of vacation a year"


def terms_text(agreed: Terms) -> str:
    """Return the terms of a game as a challenge states them: its time, and what differs from the usual.

    Weekends, grace and vacation are named only if there is a time limit.
    """
    usual, limited = Terms(), agreed.time_control is not None
    unusual = {
        weekends_text(agreed.weekends): limited and agreed.weekends != usual.weekends,
        grace_text(agreed.grace): limited and agreed.grace != usual.grace,
        vacation_days_text(agreed.vacation): limited and agreed.vacation != usual.vacation,
        "in a thread of its own": agreed.thread,
    }
    return " · ".join([time_control_text(agreed.time_control), *(said for said, holds in unusual.items() if holds)])


def deadline_text(shown: BoardMessage, mover: str) -> str:
    """Return a board's sentence on the deadline, or the vacation, of the player to move.

    `mover` is that player's name. Empty if the game is over, or if `shown` has neither deadline nor vacation.
    """
    if shown.over:
        return ""
    if shown.deadline is None:
        until = shown.vacation_until
        return "" if until is None else on_vacation_text(f"{mover} is", until, shown.paused_left)
    note = _credit_clause(shown.credited) or (WEEKENDS_LEFT_OUT if shown.over_weekend else "")
    end = f"<t:{shown.deadline}:R>{note}."
    if not shown.flagged:
        return f"{mover}: due {end}"
    return f"{mover}: grace ends {end}"


def on_vacation_text(who_is: str, until: int, paused_left: int | None) -> str:
    """Return the sentence on the vacation of the player to move, which ends at `until`.

    `who_is` begins the sentence: `Ann is`. `paused_left` is the seconds left on their clock; None leaves the clock out.
    """
    clock = "" if paused_left is None else f" (clock paused with {duration_text(paused_left)} left for this turn)"
    return f"{who_is} on vacation until <t:{until}:D>{clock}."


def bank_text(shown: BoardMessage, waiting: str) -> str:
    """Return the sentence on the time that the waiting player will have for their next turn.

    `waiting` is that player's name. If they were flagged before their turn asked for a decision, the sentence says so.
    Empty if time cannot be saved up, or if the player to move is flagged.
    """
    if shown.mover_flagged:
        return f"{waiting}'s time is over: they lose unless this turn wins."
    if shown.bank is None or shown.flagged:
        return ""
    return f"{waiting} has {duration_text(shown.bank)} for their next turn."


def _credit_text(seconds: int) -> str:
    return f"{duration_text(seconds)} added back, as the bot was offline" if seconds >= MINUTE else ""


def _credit_clause(credited: int) -> str:
    return f"; {_credit_text(credited)}" if _credit_text(credited) else ""


def past_credit_text(seconds: int) -> str:
    """Return the sentence about the time that was credited because the bot was offline. Empty below one minute.

    The board of a game lost on time shows this sentence. `seconds` is the credit in the last turn.
    """
    if seconds < MINUTE:
        return ""
    return f"The bot was offline for {duration_text(seconds)} during that turn. That time was added back to the clock."


def your_deadline_text(clock: Clock, *, answering: bool = False) -> str:
    """Return the sentence on a player's own deadline, for that player. Does not check that the clock is running.

    `answering` says whether they have to answer in the opponent's turn (R8.4).
    """
    end = f"<t:{clock.deadline}:R>{_credit_clause(clock.credited)}."
    if clock.flagged:
        return f"{your_grace_text(clock, answering=answering)} Grace ends {end}"
    return f"Your {asked_for(answering=answering)} is due {end}"


def your_grace_text(clock: Clock | None, *, answering: bool = False) -> str:
    """Return the warning to a flagged player that they must win now; empty if `clock` is None or not flagged.

    `answering` says whether they have to answer in the opponent's turn (R8.4).
    """
    if not clock or not clock.flagged:
        return ""
    return f"Your {time_over_clause(answering=answering, both=is_mover_flagged(clock))}."


def is_mover_flagged(clock: Clock) -> bool:
    """Return whether a flagged player's turn waits for the opponent's decision (R8.4)."""
    return any(clock.held_grace(colour) for colour in Colour)


def time_over_clause(*, answering: bool, both: bool) -> str:
    """Return the clause that tells a flagged player what they can still do. Unless `both`, any answer loses (R8.4).

    `both` says that the opponent, whose turn it is, was flagged before.
    """
    left = (ANSWER_IN_GRACE if both else ANSWER_LOSES) if answering else ONLY_A_WIN_SAVES
    return f"time is over: {left}"


def time_left_text(deadline: int, now: int, *, flagged: bool) -> str:
    """Return the time from `now` to a deadline: `5 hours left`. If `flagged`, return `5 hours of grace left`."""
    return f"{duration_text(deadline - now)} {'of grace ' if flagged else ''}left"


def downtime_text(seconds: int, games: Sequence[tuple[int, int, bool]]) -> str:
    """Return the notice that tells a channel how long the bot was offline, and the new deadlines of its games.

    Each of `games` is a game's id, its deadline, and whether a grace period ends then. At most
    MOST_CLOCKS_NAMED are named.
    """
    until = [
        f"{game_name(game)} {'grace until' if flagged else 'until'} <t:{at}:f>"
        for game, at, flagged in games[:MOST_CLOCKS_NAMED]
    ]
    rest = len(games) - MOST_CLOCKS_NAMED
    more = f" … and {rest} more: **/gipf games** lists yours." if rest > 0 else ""
    return f"The bot was offline for {duration_text(seconds)}. Clocks were extended: {' · '.join(until)}{more}"


def clock_summary(game: Game) -> str:
    """Return the end of a heading: the game's deadline, or the time left on its paused clock.

    Empty without a time limit, and while the bot has to decide: its clock never runs.
    """
    if game.clock is None or game.house_decides:
        return ""
    if game.clock.deadline is None:
        return f" · clock paused, {duration_text(game.clock.paused_left or 0)} left"
    until = f" · {'grace ends' if game.clock.flagged else 'due'} <t:{game.clock.deadline}:R>"
    if credit := _credit_text(game.clock.credited):
        return f"{until} ({credit})"
    return until + WEEKENDS_LEFT_OUT if is_over_weekend(game.clock, game.terms, game.decider) else until


def flagged_headline(game: str, opponent: str, *, answering: bool, both: bool) -> str:
    """Return the first line of a flagged player's board, without the ping. `both` is that of `time_over_clause`."""
    return f"your {time_over_clause(answering=answering, both=both)} · {game} vs {opponent}"
