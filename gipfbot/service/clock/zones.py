"""Time zones: finding one by what people type, and when an hour comes in it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from difflib import get_close_matches
from importlib.resources import files
from zoneinfo import ZoneInfo

from gipfbot.match import Refused, Why

MOST_NEAR_ZONES = 5  # zones suggested for a name that no zone has
# Zones of these areas, and zones without a city, are sorted last.
_ODD_AREAS = ("Etc", "US", "Canada", "Mexico", "Chile", "Brazil")


def _oddity(name: str) -> tuple[bool, str]:
    area, _, city = name.partition("/")
    return not city or area in _ODD_AREAS, name


# The zones of the package tzdata: those of the host differ, and listing them is too slow for an autocompletion.
ZONES = tuple(sorted(files("tzdata").joinpath("zones").read_text("utf-8").split(), key=_oddity))


def matching_zones(text: str) -> Iterator[str]:
    """Return an iterator over the zones whose name contains this text, best match first.

    The order is: the text is the whole name; it is the city; it begins the city; it begins another part of the name; it
    stands elsewhere in the name.
    """
    typed = _folded(text)
    ranked = sorted(
        (rank, at) for at, name in enumerate(ZONES) if (rank := _match_rank(_folded(name), typed)) is not None
    )
    return (ZONES[at] for _, at in ranked)


def _folded(text: str) -> str:
    return text.strip().lower().replace(" ", "_").replace("-", "_")


def _match_rank(name: str, typed: str) -> int | None:
    city = name.rpartition("/")[2]
    if name == typed:
        return 0
    if city == typed:
        return 1
    if city.startswith(typed):
        return 2
    if any(part.startswith(typed) for part in name.replace("/", "_").split("_")):
        return 3
    return 4 if typed in name else None


def find_zone(text: str) -> str:
    """Return the zone with this name, or the only zone whose city has this name. Case does not count.

    Raises Refused, with similar zones, if no zone or more than one has this name.
    """
    typed, found = _folded(text), [*matching_zones(text)]
    ranks = [_match_rank(_folded(name), typed) for name in found]
    called = found[: ranks.count(0) or ranks.count(1)]
    if len(called) == 1:
        return called[0]
    raise Refused(
        Why.NO_ZONE, zone=text, near=tuple(found[:MOST_NEAR_ZONES] if typed and found else _similar_zones(typed))
    )


def _similar_zones(typed: str) -> list[str]:
    cities = {_folded(name).rpartition("/")[2]: name for name in reversed(ZONES)}
    return [cities[city] for city in get_close_matches(typed.rpartition("/")[2], cities, MOST_NEAR_ZONES)]


def next_hour_in_zone(zone: str, hour: int, after: int) -> int:
    """Return the first moment after `after` at which a zone's clocks show this full hour, in UTC seconds.

    Each day has exactly one moment that counts. An hour that occurs twice counts the first time. An hour that is
    skipped counts when the clocks are put forward.
    """
    return min(moment for moment in _times_around(zone, hour, after) if moment > after)


def _times_around(zone: str, hour: int, around: int) -> list[int]:
    today = datetime.fromtimestamp(around, ZoneInfo(zone)).replace(hour=hour, minute=0, second=0)
    # If the clocks show an hour twice, adding days gives its first occurrence.
    return [int((today + timedelta(days=days)).timestamp()) for days in range(-2, 3)]


def time_in_zone(zone: str, now: int) -> str:
    """Return the time of day in a zone at `now`, such as `14:05`."""
    return f"{datetime.fromtimestamp(now, ZoneInfo(zone)):%H:%M}"
