"""What is said about time: terms, deadlines, fallen flags."""

from gipfbot.match import Game, Pace, Terms
from gipfbot.service.boards import Board

DAY, HOUR, MINUTE = 24 * 3600, 3600, 60
NO_LIMIT = "no time limit"


def span(seconds: int) -> str:
    """Return a time in words, to the two largest units that matter: `2 days 5 hours`."""
    parts, rest = [], max(seconds, MINUTE)
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        number, rest = divmod(rest, unit)
        if number:
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts[:2])


def pace(pace: Pace | None) -> str:
    """Return how much time each has."""
    if pace is None:
        return NO_LIMIT
    if pace.per_turn:
        return f"{span(pace.first)} for each turn"
    return f"{span(pace.first)} each, {span(pace.increment)} more with each turn, at most {span(pace.cap)}"


def weekends(count: bool) -> str:
    return f"Saturdays and Sundays (UTC) {'count' if count else 'do not count'}"


def grace(seconds: int) -> str:
    """Return how long a turn may still be finished after the flag has fallen."""
    return f"{span(seconds)} of grace after the flag has fallen" if seconds else "no grace after the flag has fallen"


def vacation(days: int) -> str:
    """Return how many days a year clocks may stand still on a server."""
    return f"{days or 'no'} day{'' if days == 1 else 's'} of vacation a year"


def terms(agreed: Terms, days: int | None = None) -> str:
    """Return what is agreed on besides rules and colours, as it stands in a challenge; `days` of vacation if told."""
    parts = [pace(agreed.pace)]
    if agreed.pace:
        parts += [weekends(agreed.weekends), grace(agreed.grace), *([] if days is None else [vacation(days)])]
    return " · ".join([*parts, *(["in a thread of its own"] if agreed.thread else [])])


def deadline(shown: Board, mover: str) -> str:
    """Return until when the player to move has time, or why his clock stands; empty where he has no limit."""
    if shown.over:
        return ""
    if shown.deadline is None:
        return _standing(shown, mover)
    until = f"<t:{shown.deadline}:F> (<t:{shown.deadline}:R>)"
    if shown.fallen:
        return (
            f"{mover}'s time is over, but this turn may still be finished until {until}: "
            "if it wins, it has won; otherwise the game is lost on time (R6.4)."
        )
    given = f"; {_given(shown.given)}" if _given(shown.given) else ""
    return f"{mover} has time until {until}{given}."


def _standing(shown: Board, mover: str) -> str:
    left = "" if shown.left is None else f": the clock stands still, {span(shown.left)} left"
    return f"{mover} is on vacation until <t:{shown.away}:F>{left}." if shown.away else ""


def on_vacation(until: int) -> str:
    return f"You are on vacation already, until <t:{until}:F>. **/gipf-me vacation end** ends it."


def vacation_too_long(left: int) -> str:
    if not left:
        return "You have no days of vacation left this year; nothing was changed."
    days = "1 day" if left == 1 else f"{left} days"
    return f"You have {days} of vacation left this year; nothing was changed. Choose fewer days."


def too_early(at: int) -> str:
    return f"Give your opponent a day: you can nudge from <t:{at}:f> on. Nobody was pinged."


def opponent_away(until: int) -> str:
    return f"Your opponent is on vacation until <t:{until}:F>. Nobody was pinged."


def _given(seconds: int) -> str:
    return f"I was away for {span(seconds)}: that is given back" if seconds >= MINUTE else ""


def running(game: Game) -> str:
    """Return until when the player to move has time, in a few words; empty where he has no limit."""
    if game.clock is None:
        return ""
    if game.clock.deadline is None:
        return f" · the clock stands still, {span(game.clock.left or 0)} left"
    until = f" · {'grace ends' if game.clock.fallen else 'until'} <t:{game.clock.deadline}:R>"
    return f"{until} ({_given(game.clock.given)})" if _given(game.clock.given) else until


def flag_fell(game: str, opponent: str) -> str:
    """Return the first line of the board that tells a player that his flag has fallen."""
    return f"your time is over, finish your turn · {game} vs {opponent}"
