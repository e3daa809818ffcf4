"""Texts about time: terms, deadlines, credits, and players whose time is over."""

from collections.abc import Sequence
from typing import NamedTuple

from gipfbot.languages import mark, say, say_amount, say_number
from gipfbot.match import Clock, Game, Terms, TimeControl
from gipfbot.match.clock import is_over_weekend
from gipfbot.rules import Colour
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.loaded_games import game_name

from .texts import time_text

DAY, HOUR, MINUTE = 24 * 3600, 3600, 60
NO_TIME_LIMIT = mark("no time limit")
MOST_CLOCKS_NAMED = 45  # games named in one downtime notice


class _Until(NamedTuple):
    """The sentences on a deadline: as it is, with time added because the bot was offline, and over a weekend."""

    plain: str
    credited: str
    over_weekend: str


_DUE = _Until(
    mark("{name}: due {time}."),
    mark("{name}: due {time}; {added} added back, as the bot was offline."),
    mark("{name}: due {time} (weekend added)."),
)
_GRACE_ENDS = _Until(
    mark("{name}: grace ends {time}."),
    mark("{name}: grace ends {time}; {added} added back, as the bot was offline."),
    mark("{name}: grace ends {time} (weekend added)."),
)
# A player's own deadline, by whether they have to decide in the opponent's turn, and whether time was added to it.
_YOURS_DUE = {
    (False, False): mark("Your turn is due {time}."),
    (False, True): mark("Your turn is due {time}; {added} added back, as the bot was offline."),
    (True, False): mark("Your decision is due {time}."),
    (True, True): mark("Your decision is due {time}; {added} added back, as the bot was offline."),
}


class _TimeOver(NamedTuple):
    """What a flagged player can still do: as a sentence, and after a name or `·`."""

    sentence: str
    clause: str


_ONLY_A_WIN_SAVES = _TimeOver(
    mark("Your time is over: win with this turn or you lose."),
    mark("your time is over: win with this turn or you lose"),
)
_ANSWER_LOSES = _TimeOver(
    mark("Your time is over: any answer loses the game now."), mark("your time is over: any answer loses the game now")
)
_ANSWER_IN_GRACE = _TimeOver(  # in the turn of an opponent who was flagged first
    mark("Your time is over: answer before your grace ends, or you lose."),
    mark("your time is over: answer before your grace ends, or you lose"),
)


def duration_text(seconds: int) -> str:
    """Return a duration in words, in its two largest units that are not zero: `2 days 5 hours`.

    `seconds` below one minute count as one minute.
    """
    days, rest = divmod(max(seconds, MINUTE), DAY)
    hours, minutes = rest // HOUR, rest % HOUR // MINUTE
    parts = (
        say_amount("{number} day", "{number} days", days) if days else "",
        say_amount("{number} hour", "{number} hours", hours) if hours else "",
        say_amount("{number} minute", "{number} minutes", minutes) if minutes else "",
    )
    return " ".join([part for part in parts if part][:2])


def time_control_text(time_control: TimeControl | None) -> str:
    """Return a time control in words. None is a game without a time limit."""
    if time_control is None:
        return say(NO_TIME_LIMIT)
    if time_control.per_turn:
        return say("{time} for each turn", time=duration_text(time_control.first))
    if not time_control.increment:
        return say("{time} for the whole game", time=duration_text(time_control.first))
    first, increment, cap = map(duration_text, (time_control.first, time_control.increment, time_control.cap))
    sentence = mark("{first} in all, plus {increment} per turn; at most {most} saved up")
    return say(sentence, first=first, increment=increment, most=cap)


def weekends_text(count: bool) -> str:
    """Return in words whether clocks run at weekends."""
    return say("Saturdays and Sundays (UTC) count") if count else say("Saturdays and Sundays (UTC) do not count")


def grace_text(seconds: int) -> str:
    """Return a grace period of `seconds` in words: `12 hours of grace for a late turn that wins`."""
    if not seconds:
        return say("no grace for a late turn")
    return say("{time} of grace for a late turn that wins", time=duration_text(seconds))


def vacation_days_text(days: int) -> str:
    """Return in words how many days of vacation a year a player has."""
    if not days:
        return say("no days of vacation a year")
    return say_number("{number} day of vacation a year", "{number} days of vacation a year", days)


def terms_text(agreed: Terms) -> str:
    """Return the terms of a game as a challenge states them: its time, and what differs from the usual.

    Weekends, grace and vacation are named only if there is a time limit.
    """
    usual, limited = Terms(), agreed.time_control is not None
    unusual = {
        weekends_text(agreed.weekends): limited and agreed.weekends != usual.weekends,
        grace_text(agreed.grace): limited and agreed.grace != usual.grace,
        vacation_days_text(agreed.vacation): limited and agreed.vacation != usual.vacation,
        say("in a thread of its own"): agreed.thread,
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
        return "" if until is None else on_vacation_text(mover, until, shown.paused_left)
    told = _GRACE_ENDS if shown.flagged else _DUE
    facts = {"name": mover, "time": time_text(shown.deadline, "R")}
    if shown.credited >= MINUTE:
        return say(told.credited, added=duration_text(shown.credited), **facts)
    return say(told.over_weekend if shown.over_weekend else told.plain, **facts)


def on_vacation_text(name: str | None, until: int, paused_left: int | None) -> str:
    """Return the sentence on the vacation of the player to move, which ends at `until`.

    `name` is the player's, None for the reader. `paused_left` is the seconds left on their clock; None leaves the clock
    out.
    """
    day = time_text(until, "D")
    if paused_left is None:
        if name is None:
            return say("You are on vacation until {day}.", day=day)
        return say("{name} is on vacation until {day}.", name=name, day=day)
    left = duration_text(paused_left)
    if name is None:
        return say("You are on vacation until {day} (clock paused with {time} left for this turn).", day=day, time=left)
    sentence = mark("{name} is on vacation until {day} (clock paused with {time} left for this turn).")
    return say(sentence, name=name, day=day, time=left)


def bank_text(shown: BoardMessage, waiting: str) -> str:
    """Return the sentence on the time that the waiting player will have for their next turn.

    `waiting` is that player's name. If they were flagged before their turn asked for a decision, the sentence says so.
    Empty if time cannot be saved up, or if the player to move is flagged.
    """
    if shown.mover_flagged:
        return say("{name}'s time is over: they lose unless this turn wins.", name=waiting)
    if shown.bank is None or shown.flagged:
        return ""
    return say("{name} has {time} for their next turn.", name=waiting, time=duration_text(shown.bank))


def past_credit_text(seconds: int) -> str:
    """Return the sentence about the time that was credited because the bot was offline. Empty below one minute.

    The board of a game lost on time shows this sentence. `seconds` is the credit in the last turn.
    """
    if seconds < MINUTE:
        return ""
    sentence = mark("The bot was offline for {time} during that turn. That time was added back to the clock.")
    return say(sentence, time=duration_text(seconds))


def your_deadline_text(clock: Clock, *, answering: bool = False) -> str:
    """Return the sentence on a player's own deadline, for that player. The clock must be running.

    `answering` says whether they have to answer in the opponent's turn (R8.4).
    """
    assert clock.deadline is not None
    credited, facts = clock.credited >= MINUTE, {"time": time_text(clock.deadline, "R")}
    if credited:
        facts["added"] = duration_text(clock.credited)
    if not clock.flagged:
        return say(_YOURS_DUE[answering, credited], **facts)
    ends = mark("Grace ends {time}.")
    if credited:
        ends = mark("Grace ends {time}; {added} added back, as the bot was offline.")
    return f"{your_grace_text(clock, answering=answering)} {say(ends, **facts)}"


def your_grace_text(clock: Clock | None, *, answering: bool = False) -> str:
    """Return the warning to a flagged player that they must win now; empty if `clock` is None or not flagged.

    `answering` says whether they have to answer in the opponent's turn (R8.4).
    """
    if not clock or not clock.flagged:
        return ""
    return say(_time_over(answering=answering, both=is_mover_flagged(clock)).sentence)


def is_mover_flagged(clock: Clock) -> bool:
    """Return whether a flagged player's turn waits for the opponent's decision (R8.4)."""
    return any(clock.held_grace(colour) for colour in Colour)


def time_over_clause(*, answering: bool, both: bool) -> str:
    """Return the clause that tells a flagged player what they can still do. Unless `both`, any answer loses (R8.4).

    `both` says that the opponent, whose turn it is, was flagged before.
    """
    return say(_time_over(answering=answering, both=both).clause)


def _time_over(*, answering: bool, both: bool) -> _TimeOver:
    if not answering:
        return _ONLY_A_WIN_SAVES
    return _ANSWER_IN_GRACE if both else _ANSWER_LOSES


def time_left_text(deadline: int, now: int, *, flagged: bool) -> str:
    """Return the time from `now` to a deadline: `5 hours left`. If `flagged`, return `5 hours of grace left`."""
    left = duration_text(deadline - now)
    return say("{time} of grace left", time=left) if flagged else say("{time} left", time=left)


def downtime_text(seconds: int, games: Sequence[tuple[int, int, bool]]) -> str:
    """Return the notice that tells a channel how long the bot was offline, and the new deadlines of its games.

    Each of `games` is a game's id, its deadline, and whether a grace period ends then. At most
    MOST_CLOCKS_NAMED are named.
    """
    until = [
        say(
            mark("{game} grace until {time}") if flagged else mark("{game} until {time}"),
            game=game_name(game),
            time=time_text(at),
        )
        for game, at, flagged in games[:MOST_CLOCKS_NAMED]
    ]
    rest = len(games) - MOST_CLOCKS_NAMED
    offline = say("The bot was offline for {time}.", time=duration_text(seconds))
    said = f"{offline} {say('Clocks were extended:')} {' · '.join(until)}"
    if rest <= 0:
        return said
    more = say_number(
        "… and {number} more: **/gipf games** lists yours.", "… and {number} more: **/gipf games** lists yours.", rest
    )
    return f"{said} {more}"


def clock_summary(game: Game) -> str:
    """Return the end of a heading: the game's deadline, or the time left on its paused clock.

    Empty without a time limit, and while the bot has to decide: its clock never runs.
    """
    if game.clock is None or game.house_decides:
        return ""
    if game.clock.deadline is None:
        return f" · {say('clock paused, {time} left', time=duration_text(game.clock.paused_left or 0))}"
    until = mark("grace ends {time}") if game.clock.flagged else mark("due {time}")
    said = f" · {say(until, time=time_text(game.clock.deadline, 'R'))}"
    if game.clock.credited >= MINUTE:
        credit = say("{time} added back, as the bot was offline", time=duration_text(game.clock.credited))
        return f"{said} ({credit})"
    added = is_over_weekend(game.clock, game.terms, game.decider)
    return f"{said} ({say('weekend added')})" if added else said


def flagged_headline(game: str, opponent: str, *, answering: bool, both: bool) -> str:
    """Return the first line of a flagged player's board, without the ping. `both` is that of `time_over_clause`."""
    said = say("{game} vs {name}", game=game, name=opponent)
    return f"{time_over_clause(answering=answering, both=both)} · {said}"
