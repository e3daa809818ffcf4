"""What is said about vacations."""

from collections.abc import Iterable, Sequence

from gipfbot.service.ids import game_name
from gipfbot.service.vacations import Leave

from . import texts

NAMED_LENGTH = 300  # characters of the games named in one sentence
OWN_LENGTH = 100  # and of those above a list
ANNOUNCED_LENGTH = 550


def begun(leave: Leave) -> str:
    """Return the answer to whoever has gone on vacation."""
    return texts.join(status(leave), "Your opponents are told where you play. You may move all the same.")


def _exceptions(leave: Leave) -> str:
    """Return in which games a vacation does not hold."""
    return texts.join(
        _not_in(leave.fallen, "your time was over there before, and only a turn that wins saves the game (R6.4)."),
        _not_in(leave.too_long, "the server allows fewer days a year, so it does not count there."),
    )


def _not_in(games: Sequence[int], why: str) -> str:
    return f"Not in {_listed([*map(game_name, games)], NAMED_LENGTH)}: {why}" if games else ""


def _listed(names: Sequence[str], most: int) -> str:
    """Return the first of these names, as many as so many characters hold, and how many more there are."""
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > most:
        shown -= 1
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def over(leave: Leave) -> str:
    return texts.join("Welcome back: your clocks run again. **/gipf games** lists what waits for you.", _left(leave))


def status(leave: Leave) -> str:
    """Return how it stands with a person's vacation."""
    if leave.current is None:
        return texts.join(
            "You are not on vacation.", _left(leave), "**/gipf-me vacation start** stops all your clocks."
        )
    until = f"<t:{leave.current.until}:F>"
    stands = f"You are on vacation until {until}: your clocks stand still, and you get no reminders."
    return texts.join(stands, _exceptions(leave), _left(leave), "**/gipf-me vacation end** ends it earlier.")


def _left(leave: Leave) -> str:
    if len(leave.allowed) > 1:
        allow = f"{', '.join(map(str, leave.allowed[:-1]))} or {leave.allowed[-1]}"
        return f"You have used {_days(leave.used)} of vacation this year; the servers on which you play allow {allow}."
    return f"You have {_days(leave.days_left)} of vacation left this year, of {leave.allowed[-1]}."


def _days(number: int) -> str:
    return f"{number or 'no'} day{'' if number == 1 else 's'}"


Named = Iterable[Sequence[object]]  # a game's id, the opponent, and until when there is time where that is told


def announced(name: str, until: int, games: Named, *, over: bool, untimed: Named = (), runs: Named = ()) -> str:
    """Return what a channel is told of a vacation; the games are those with a time limit and those without.

    In those where it `runs` the clock does not stand still, as the player's time was over before.
    """
    who, timed, others, run_on = texts.plain(name), _named(games), _named(untimed), _named(runs)
    if over:
        return f"{who} is back from vacation, and the clock runs again: {timed}."
    away = f"{who} is on vacation until <t:{until}:F>"
    runs_on = f" The clock runs on where {who}'s time was over before: {run_on}." if run_on else ""
    if not timed:
        return f"{away}: {others}.{runs_on}"
    stands = f"{away}; {who}'s clock stands still until then: {timed}."
    return stands + (f" Without a time limit: {others}." if others else "") + runs_on


def _named(games: Named) -> str:
    return _listed([_name(*game) for game in games], ANNOUNCED_LENGTH)


def _name(id: object, opponent: object, deadline: object = None) -> str:
    name = f"{game_name(int(str(id)))} vs {texts.plain(str(opponent))}"
    return name if deadline is None else f"{name} until <t:{deadline}:R>"


def own(leave: Leave) -> str:
    """Return the line above the list of one's games; empty for who is not on vacation."""
    if leave.current is None:
        return ""
    not_in = [game_name(id) for id in (*leave.fallen, *leave.too_long)]
    where = f", but not in {_listed(not_in, OWN_LENGTH)}" if not_in else ""
    return f"You are on vacation until <t:{leave.current.until}:D>: your clocks stand still{where}."
