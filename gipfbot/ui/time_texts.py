"""What is said about time: terms, deadlines, fallen flags."""

import re
from collections.abc import Sequence

from gipfbot.match import Clock, Game, Pace, Terms
from gipfbot.service.boards import Board
from gipfbot.service.ids import game_name

DAY, HOUR, MINUTE = 24 * 3600, 3600, 60
_GIVEN = re.compile(r"(; | \()I was out of reach for [^:]*: that is given back\)?")
NO_LIMIT = "no time limit"
ONLY_A_WIN = "only a turn that wins now saves the game"
NAMED = 45  # games in one message


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
        return "" if shown.away is None else standing(f"{mover} is", shown.away, shown.left)
    until = f"<t:{shown.deadline}:F> (<t:{shown.deadline}:R>)"
    if shown.fallen:
        return (
            f"{mover}'s time is over, but this turn may still be finished until {until}: "
            f"if it wins, the game is won, otherwise it is lost on time (R6.4){_also(shown.given)}."
        )
    return f"{mover} has time until {until}{_also(shown.given)}."


def standing(who_is: str, until: int, left: int | None) -> str:
    """Return until when the player to move is on vacation, with what is left to him; `who_is` is `Ann is`."""
    clock = "" if left is None else f": the clock stands still, {span(left)} left"
    return f"{who_is} on vacation until <t:{until}:F>{clock}."


def saved(shown: Board, waiting: str) -> str:
    """Return what the player who waits has saved up; empty where time is not saved, or does not matter any more."""
    if shown.saved is None or shown.fallen:
        return ""
    return f"{waiting} has {span(shown.saved)} for the next turn."


def _given(seconds: int) -> str:
    return f"I was out of reach for {span(seconds)}: that is given back" if seconds >= MINUTE else ""


def without_given(text: str) -> str:
    """Return a message without what it says in passing about time that was given back."""
    return _GIVEN.sub("", text)


def _also(given: int) -> str:
    return f"; {_given(given)}" if _given(given) else ""


def was_given(seconds: int) -> str:
    """Return what was given back in the turn in which a game was lost on time; empty where nothing was."""
    if seconds < MINUTE:
        return ""
    return f"I was out of reach for {span(seconds)} during that turn: that had been given back."


def your_deadline(clock: Clock) -> str:
    """Return until when the player to move has time, said to himself; that his clock runs is not checked."""
    until = f"until <t:{clock.deadline}:F> (<t:{clock.deadline}:R>){_also(clock.given)}."
    return f"{in_grace(clock)} You can play it {until}" if clock.fallen else f"You have time {until}"


def in_grace(clock: Clock | None) -> str:
    """Return what a turn has to do whose player is in his grace, said to himself; empty where he is not."""
    return f"Your time is over: {ONLY_A_WIN} (R6.4)." if clock and clock.fallen else ""


def left(deadline: int, now: int, *, fallen: bool) -> str:
    """Return how long there is until a deadline, which may end a grace: `5 hours left`."""
    return f"{span(deadline - now)} {'of grace ' if fallen else ''}left"


def away(seconds: int, games: Sequence[tuple[int, int, bool]]) -> str:
    """Return what a channel is told after the bot was away: until when there is time now in each of these games.

    That is its id, its deadline, and whether that ends a grace. So many are named as fit into one message.
    """
    until = [f"{game_name(id)} {'grace until' if fallen else 'until'} <t:{at}:f>" for id, at, fallen in games[:NAMED]]
    more = f" … and {len(games) - NAMED} more: **/gipf games** lists yours." if len(games) > NAMED else ""
    return f"I was away for {span(seconds)}. That time is given back: {' · '.join(until)}{more}"


def running(game: Game) -> str:
    """Return until when the player to move has time, in a few words; empty where he has no limit."""
    if game.clock is None:
        return ""
    if game.clock.deadline is None:
        return f" · the clock stands still, {span(game.clock.left or 0)} left"
    until = f" · {'grace ends' if game.clock.fallen else 'due'} <t:{game.clock.deadline}:R>"
    return f"{until} ({_given(game.clock.given)})" if _given(game.clock.given) else until


def flag_fell(game: str, opponent: str) -> str:
    """Return the first line of the board that tells a player that his flag has fallen."""
    return f"your time is over: {ONLY_A_WIN} · {game} vs {opponent}"
