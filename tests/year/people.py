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
    soon: float = 0.02  # of the time for a turn, at least, until he plays
    late: float = 0.5  # at most
    forgets: float = 0.02  # to play by himself
    heeds: float = 0.8  # a reminder, a nudge, a flagged flag
    weekends: bool = True  # on which he plays
    nudges: float = 0.1
    travels: int = 0  # vacations a year
    resigns: float = 0.7  # rather than to let his time run out, once he has had enough
    undoes: float = 0.01
    answers: float = 0.02  # in advance
    rematches: float = 0.2
    fiddles: float = 0.0  # with his reminders, when he plays
    shut: tuple[int, int] | None = None  # between which moments his direct messages are
    gone: int | None = None  # from when on for ever
    wish: str = "25%"
    away: int | None = None  # until when he is on vacation
    digest: tuple[int, str] | None = None  # the hour and the zone in which he wants one
    digested: str = ""  # the last day on which one came


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
    """Return so many people of all tempers, spread over clubs."""
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
    """Return when somebody plays who has so much time for his turn."""
    at = now + 30 + int(time * rng.uniform(person.soon, person.late))
    if not person.weekends and (at // DAY + 3) % 7 > 4:
        at += 2 * DAY - at % DAY + rng.randrange(12 * HOUR)
    return at


def place_of(person: Person) -> int:
    """Return the channel of a person's club."""
    return 100 + person.club
