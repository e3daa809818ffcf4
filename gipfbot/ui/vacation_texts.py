"""What is said about vacations."""

from collections.abc import Iterable, Sequence

from gipfbot.service.ids import game_name
from gipfbot.service.vacations import ALLOWANCE, Leave

from . import texts

NAMED = 40  # games in one message


def begun(leave: Leave, not_in: Sequence[int]) -> str:
    """Return the answer to whoever has gone on vacation; `not_in` are the games in which it does not hold."""
    names = ", ".join(map(game_name, not_in))
    except_in = f"Not in {names}: your time was over there before, so finish your turn." if names else ""
    told = "Your opponents are told where you play. You may move all the same."
    return texts.join(status(leave), except_in, told)


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
    days = f"{leave.days_left or 'no'} day{'' if leave.days_left == 1 else 's'}"
    return f"You have {days} of vacation left this year, of {ALLOWANCE}."


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
