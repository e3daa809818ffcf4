"""People and their tempers."""

from dataclasses import dataclass, replace
from random import Random

from tests.support.times import DAY, HOUR


@dataclass
class Person:
    """A player. Shares and chances lie between 0 and 1; moments are UTC seconds."""

    user: int
    name: str
    club: int
    soon: float = 0.02  # the least share of the time for a turn until they play
    late: float = 0.5  # the greatest such share
    forgets: float = 0.02  # the chance to forget a turn
    heeds: float = 0.8  # the chance to follow a reminder, a nudge or a flag
    weekends: bool = True  # whether they play on weekends
    nudges: float = 0.1
    travels: int = 0  # vacations a year
    resigns: float = 0.7  # the chance to resign, instead of letting their time run out
    undoes: float = 0.01
    answers: float = 0.02  # the chance to leave a conditional line
    rematches: float = 0.2
    fiddles: float = 0.0  # the chance to change their reminders when they play
    shut: tuple[int, int] | None = None  # the two moments between which their direct messages are shut
    gone: int | None = None  # the moment from which they never come back
    wish: str = "25%"
    away: int | None = None  # the end of their vacation
    digest: tuple[int, str] | None = None  # the hour and the time zone of their digest
    digested: str = ""  # the day of the last digest
    is_bot: bool = False


TEMPERS: dict[str, dict[str, float | bool | int]] = {
    "prompt": {"soon": 0.002, "late": 0.05, "rematches": 0.4},
    "steady": {},
    "slow": {"soon": 0.6, "late": 0.98, "nudges": 0.0, "travels": 2},
    "late": {"soon": 0.8, "late": 1.1, "heeds": 0.5},
    "forgetful": {"forgets": 0.6, "heeds": 0.7, "undoes": 0.05},
    "sulking": {"forgets": 0.1, "heeds": 0.1, "resigns": 0.1},
    "weekday": {"weekends": False, "late": 0.4},
    "traveller": {"travels": 3},
    "impatient": {"nudges": 0.9, "soon": 0.01, "late": 0.2},
    "planner": {"answers": 0.3, "undoes": 0.03},
    "fiddler": {"fiddles": 0.3, "late": 0.9},
    "shut": {"forgets": 0.3, "late": 0.9},
    "vanishing": {},
    "reader": {"late": 0.9, "forgets": 0.1, "fiddles": 0.1},
}


def people(count: int, clubs: int, begins: int, ends: int, rng: Random) -> list[Person]:
    """Return so many people of all tempers, distributed over clubs."""
    names, found = [*TEMPERS], list[Person]()
    for number in range(count):
        temper = names[number % len(names)]
        person = Person(1000 + number, f"{temper.capitalize()}{number}", number % clubs)
        person = replace(person, **TEMPERS[temper])  # type: ignore[arg-type]
        span = ends - begins
        if temper == "shut":
            from_then = begins + rng.randrange(span // 4)
            person.shut = from_then, from_then + span // 2 + rng.randrange(span // 4)
        if temper == "vanishing":
            person.gone = begins + span // 4 + rng.randrange(span // 2)
        found.append(person)
    return found


def thinks(person: Person, time: int, now: int, rng: Random) -> int:
    """Return when a person plays who has so much time for their turn."""
    at = now + 30 + int(time * rng.uniform(person.soon, person.late))
    if not person.weekends and (at // DAY + 3) % 7 > 4:
        at += 2 * DAY - at % DAY + rng.randrange(12 * HOUR)
    return at


def place_of(person: Person) -> int:
    """Return the channel of a person's club."""
    return 100 + person.club


def role_of(club: int) -> int:
    """Return the role that the open challenges of a club mention."""
    return 900 + club
