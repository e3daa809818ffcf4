"""What is said about time: terms, deadlines, fallen flags."""

from collections.abc import Sequence

from gipfbot.match import Clock, Game, Terms, TimeControl
from gipfbot.service.kit.game_names import game_name
from gipfbot.service.play.board_message import BoardMessage

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
    return f"{duration_text(time_control.first)} each, {duration_text(time_control.increment)} more with each turn, at most {duration_text(time_control.cap)}"


def weekends_text(count: bool) -> str:
    return f"Saturdays and Sundays (UTC) {'count' if count else 'do not count'}"


def grace_text(seconds: int) -> str:
    """Return how long a turn may still be finished after the flag has fallen."""
    return (
        f"{duration_text(seconds)} of grace after the flag has fallen"
        if seconds
        else "no grace after the flag has fallen"
    )


def vacation_days_text(days: int) -> str:
    """Return how many days a year clocks may stand still on a server."""
    return f"{days or 'no'} day{'' if days == 1 else 's'} of vacation a year"


def terms_text(agreed: Terms, days: int | None = None) -> str:
    """Return what is agreed on besides rules and colours, as it stands in a challenge; `days` of vacation if told."""
    parts = [time_control_text(agreed.time_control)]
    if agreed.time_control:
        parts += [
            weekends_text(agreed.weekends),
            grace_text(agreed.grace),
            *([] if days is None else [vacation_days_text(days)]),
        ]
    return " · ".join([*parts, *(["in a thread of its own"] if agreed.thread else [])])


def deadline_text(shown: BoardMessage, mover: str) -> str:
    """Return until when the player to move has time, or why his clock stands; empty where he has no limit."""
    if shown.over:
        return ""
    if shown.deadline is None:
        return (
            ""
            if shown.vacation_until is None
            else on_vacation_text(f"{mover} is", shown.vacation_until, shown.paused_left)
        )
    until = f"<t:{shown.deadline}:F> (<t:{shown.deadline}:R>)"
    if shown.flagged:
        return (
            f"{mover}'s time is over, but this turn may still be finished until {until}: "
            f"if it wins, the game is won, otherwise it is lost on time (R6.4){_credit_clause(shown.credited)}."
        )
    return f"{mover} has time until {until}{_credit_clause(shown.credited)}."


def on_vacation_text(who_is: str, until: int, paused_left: int | None) -> str:
    """Return until when the player to move is on vacation, with what is left to him; `who_is` is `Ann is`."""
    clock = "" if paused_left is None else f": the clock stands still, {duration_text(paused_left)} left"
    return f"{who_is} on vacation until <t:{until}:F>{clock}."


def bank_text(shown: BoardMessage, waiting: str) -> str:
    """Return what the player who waits has saved up; empty where time is not saved, or does not matter any more."""
    if shown.bank is None or shown.flagged:
        return ""
    return f"{waiting} has {duration_text(shown.bank)} for the next turn."


def _credit_text(seconds: int) -> str:
    return f"I was out of reach for {duration_text(seconds)}: that is given back" if seconds >= MINUTE else ""


def _credit_clause(credited: int) -> str:
    return f"; {_credit_text(credited)}" if _credit_text(credited) else ""


def past_credit_text(seconds: int) -> str:
    """Return what was given back in the turn in which a game was lost on time; empty where nothing was."""
    if seconds < MINUTE:
        return ""
    return f"I was out of reach for {duration_text(seconds)} during that turn: that had been given back."


def your_deadline_text(clock: Clock) -> str:
    """Return until when the player to move has time, said to himself; that his clock runs is not checked."""
    until = f"until <t:{clock.deadline}:F> (<t:{clock.deadline}:R>){_credit_clause(clock.credited)}."
    return f"{your_grace_text(clock)} You can play it {until}" if clock.flagged else f"You have time {until}"


def your_grace_text(clock: Clock | None) -> str:
    """Return what a turn has to do whose player is in his grace, said to himself; empty where he is not."""
    return f"Your time is over: {ONLY_A_WIN_SAVES} (R6.4)." if clock and clock.flagged else ""


def time_left_text(deadline: int, now: int, *, flagged: bool) -> str:
    """Return how long there is until a deadline, which may end a grace: `5 hours left`."""
    return f"{duration_text(deadline - now)} {'of grace ' if flagged else ''}left"


def downtime_text(seconds: int, games: Sequence[tuple[int, int, bool]]) -> str:
    """Return what a channel is told after the bot was away: until when there is time now in each of these games.

    That is its id, its deadline, and whether that ends a grace. So many are named as fit into one message.
    """
    until = [
        f"{game_name(id)} {'grace until' if fallen else 'until'} <t:{at}:f>"
        for id, at, fallen in games[:MOST_CLOCKS_NAMED]
    ]
    more = (
        f" … and {len(games) - MOST_CLOCKS_NAMED} more: **/gipf games** lists yours."
        if len(games) > MOST_CLOCKS_NAMED
        else ""
    )
    return f"I was away for {duration_text(seconds)}. That time is given back: {' · '.join(until)}{more}"


def clock_summary(game: Game) -> str:
    """Return until when the player to move has time, in a few words; empty where he has no limit."""
    if game.clock is None:
        return ""
    if game.clock.deadline is None:
        return f" · the clock stands still, {duration_text(game.clock.paused_left or 0)} left"
    until = f" · {'grace ends' if game.clock.flagged else 'due'} <t:{game.clock.deadline}:R>"
    return f"{until} ({_credit_text(game.clock.credited)})" if _credit_text(game.clock.credited) else until


def flagged_headline(game: str, opponent: str) -> str:
    """Return the first line of the board that tells a player that his flag has fallen."""
    return f"your time is over: {ONLY_A_WIN_SAVES} · {game} vs {opponent}"
