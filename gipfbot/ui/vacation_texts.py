"""What is said about vacations."""

from collections.abc import Iterable, Sequence

from gipfbot.service.ids import game_name
from gipfbot.service.vacations import Begun, Leave

from . import texts

NAMED = 40  # games in one message


def begun(new: Begun) -> str:
    """Return the answer to whoever has gone on vacation."""
    fallen = _not_in(new.fallen, "your time was over there before, so finish your turn.")
    too_long = _not_in(new.too_long, "the server allows fewer days a year, so it does not count there.")
    told = "Your opponents are told where you play. You may move all the same."
    return texts.join(status(new.leave), fallen, too_long, told)


def _not_in(games: Sequence[int], why: str) -> str:
    return f"Not in {_names(games)}: {why}" if games else ""


def _names(games: Sequence[int]) -> str:
    more = f" and {len(games) - NAMED} more" if len(games) > NAMED else ""
    return ", ".join(map(game_name, games[:NAMED])) + more


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
    return texts.join(stands, _left(leave), "**/gipf-me vacation end** ends it earlier.")


def _left(leave: Leave) -> str:
    if len(leave.allowed) > 1:
        allow = f"{', '.join(map(str, leave.allowed[:-1]))} or {leave.allowed[-1]}"
        return f"You have used {_days(leave.used)} of vacation this year; the servers on which you play allow {allow}."
    return f"You have {_days(leave.days_left)} of vacation left this year, of {leave.allowed[-1]}."


def _days(number: int) -> str:
    return f"{number or 'no'} day{'' if number == 1 else 's'}"


def announced(name: str, until: int, games: Iterable[Sequence[object]], *, over: bool) -> str:
    """Return what a channel is told of a vacation; games are pairs of id and opponent."""
    named = [f"{game_name(int(str(id)))} vs {texts.plain(str(opponent))}" for id, opponent in games]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    listed, who = ", ".join(named[:NAMED]) + more, texts.plain(name)
    if over:
        return f"{who} is back from vacation, and the clock runs again: {listed}."
    return f"{who} is on vacation until <t:{until}:F>; that player's clock stands still until then: {listed}."


def own(until: int | None) -> str:
    """Return the line above the list of one's games; empty for who is not on vacation."""
    return f"You are on vacation until <t:{until}:D>: your clocks stand still." if until else ""
