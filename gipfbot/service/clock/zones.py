"""Time zones: finding one by what people type, and when an hour comes in it.

A zone is the name of a place (`Europe/Berlin`), or a fixed offset (`UTC+5:45`). The sign of an offset is the one that
people write: `UTC+2` is east of Greenwich.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from importlib.resources import files
from zoneinfo import ZoneInfo

from gipfbot.characters import searchable
from gipfbot.match import Refused, Why

MOST_NEAR_ZONES = 5  # zones suggested for a name that no zone has
# Zones of these areas, and zones without a city, are sorted last.
_ODD_AREAS = ("Etc", "US", "Canada", "Mexico", "Chile", "Brazil")

FARTHEST_WEST, FARTHEST_EAST, QUARTER = -12 * 60, 14 * 60, 15  # minutes
_WEST, _NO_SIGN_AFTER = "-\u2212\u2013", ("utc", "gmt", "ut")
_OFFSET = re.compile(rf"(etc/gmt|utc|gmt|ut|z|)\s*([{_WEST}+]?)\s*([0-9]{{1,2}})(?:[:.]?([0-9]{{2}})|([.,]5))?")
# In these names the sign is not the one that people write, or the offset has no summer time, unlike the place.
_MISLEADING = re.compile(r"(?:Etc/)?GMT[-+]?[0-9]+|EST|MST|HST")
# The zones of abbreviations, with their summer time. Several zones are a choice.
_ABBREVIATIONS = """
    EST EDT ET: America/New_York
    CDT CT: America/Chicago
    CST: America/Chicago Asia/Shanghai America/Havana
    MST: America/Denver America/Phoenix
    MDT MT: America/Denver
    PST PDT PT: America/Los_Angeles
    AKST AKDT: America/Anchorage
    HST: Pacific/Honolulu
    AST: America/Halifax America/Puerto_Rico Asia/Riyadh
    ADT: America/Halifax
    NST NDT: America/St_Johns
    BRT: America/Sao_Paulo
    ART: America/Argentina/Buenos_Aires
    COT: America/Bogota
    CLT CLST: America/Santiago
    BST: Europe/London Asia/Dhaka
    WET WEST: Europe/Lisbon
    CET CEST MEZ MESZ: Europe/Brussels
    EET EEST: Europe/Athens
    MSK: Europe/Moscow
    TRT: Europe/Istanbul
    WAT: Africa/Lagos
    CAT: Africa/Maputo
    EAT: Africa/Nairobi
    SAST: Africa/Johannesburg
    IST: Asia/Kolkata Europe/Dublin Asia/Jerusalem
    IDT: Asia/Jerusalem
    GST: Asia/Dubai
    PKT: Asia/Karachi
    NPT: Asia/Kathmandu
    ICT: Asia/Bangkok
    WIB: Asia/Jakarta
    SGT: Asia/Singapore
    HKT: Asia/Hong_Kong
    PHT: Asia/Manila
    JST: Asia/Tokyo
    KST: Asia/Seoul
    AWST: Australia/Perth
    ACST: Australia/Adelaide Australia/Darwin
    AEST: Australia/Sydney Australia/Brisbane
    AEDT AET: Australia/Sydney
    NZST NZDT NZT: Pacific/Auckland
    UK: Europe/London
    US USA: America/New_York America/Chicago America/Denver America/Los_Angeles
    UAE: Asia/Dubai
"""
ABBREVIATIONS = {
    short.lower(): tuple(cities.split())
    for shorts, _, cities in (line.partition(":") for line in _ABBREVIATIONS.strip().splitlines())
    for short in shorts.split()
}

# Former names of zones, and second names of the same city. They find the zone, which is shown by its present name.
_FORMER_NAMES = """
    Africa/Asmera Africa/Asmara
    America/Buenos_Aires America/Argentina/Buenos_Aires
    America/Catamarca America/Argentina/Catamarca
    America/Cordoba America/Argentina/Cordoba
    America/Godthab America/Nuuk
    America/Indianapolis America/Indiana/Indianapolis
    America/Jujuy America/Argentina/Jujuy
    America/Louisville America/Kentucky/Louisville
    America/Mendoza America/Argentina/Mendoza
    Asia/Ashkhabad Asia/Ashgabat
    Asia/Calcutta Asia/Kolkata
    Asia/Dacca Asia/Dhaka
    Asia/Istanbul Europe/Istanbul
    Asia/Katmandu Asia/Kathmandu
    Asia/Macao Asia/Macau
    Asia/Rangoon Asia/Yangon
    Asia/Saigon Asia/Ho_Chi_Minh
    Asia/Thimbu Asia/Thimphu
    Asia/Ujung_Pandang Asia/Makassar
    Asia/Ulan_Bator Asia/Ulaanbaatar
    Atlantic/Faeroe Atlantic/Faroe
    Europe/Kiev Europe/Kyiv
    Europe/Nicosia Asia/Nicosia
    Pacific/Enderbury Pacific/Kanton
    Pacific/Ponape Pacific/Pohnpei
    Pacific/Truk Pacific/Chuuk
"""
PRESENT_NAMES = dict(line.split() for line in _FORMER_NAMES.strip().splitlines())


def _oddity(name: str) -> tuple[bool, str]:
    area, _, city = name.partition("/")
    return not city or area in _ODD_AREAS, name


# The zones of the package tzdata: those of the host differ, and listing them is too slow for an autocompletion.
ZONES = tuple(sorted(files("tzdata").joinpath("zones").read_text("utf-8").split(), key=_oddity))
_OFFERED = tuple(name for name in ZONES if not _MISLEADING.fullmatch(name))


def _read_countries() -> dict[str, tuple[str, ...]]:
    """Return the zones of each country, the most populous first. `Korea (South)` is also South Korea, or Korea."""
    codes, countries = dict[str, list[str]](), dict[str, list[str]]()
    for code, _, zone, *_ in _table("zone.tab"):
        codes.setdefault(code, []).append(zone)
    for code, name in _table("iso3166.tab"):
        base, _, which = name.rstrip(")").partition(" (")
        for each in dict.fromkeys([name, base, f"{which} {base}".strip()]) if code in codes else ():
            countries.setdefault(_folded(each), []).extend(codes[code])
    return {name: tuple(zones) for name, zones in countries.items()}


def _table(name: str) -> Iterator[list[str]]:
    lines = files("tzdata.zoneinfo").joinpath(name).read_text("utf-8").splitlines()
    return (line.split("\t") for line in lines if not line.startswith("#"))


def _folded(text: str) -> str:
    """Return a text as it is compared: without case, accents, and the difference between a blank, `-` and `_`."""
    return searchable(text).strip().replace(" ", "_").replace("-", "_")


COUNTRIES = _read_countries()


# ── Fixed offsets ──


def offset_name(minutes: int) -> str:
    """Return the name of a fixed offset, such as `UTC+2`, `UTC-3:30` or `UTC`. `minutes` is how far east it is."""
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}" if minutes else "UTC"


# All that can be chosen, full hours near Greenwich first.
OFFSETS = {
    offset_name(minutes): minutes
    for minutes in sorted(
        range(FARTHEST_WEST, FARTHEST_EAST + 1, QUARTER), key=lambda minutes: (minutes % 60 != 0, abs(minutes))
    )
}


def _parse_offset(text: str) -> str | None:
    """Return the name of the fixed offset in a text. None if it is none, and empty for one that cannot be chosen.

    `GMT+2` is east, and so is `GMT 2`. Only `Etc/GMT+2` is west, as its standard says.
    """
    found = _OFFSET.fullmatch(text.strip().lower())
    if not found or not (found[2] or found[1] in _NO_SIGN_AFTER):
        return None
    rest = 30 if found[5] else int(found[4] or 0)
    minutes = 60 * int(found[3]) + rest
    west = bool(found[2] and found[2] in _WEST) is not (found[1] == "etc/gmt")
    name = offset_name(-minutes if west else minutes)
    return name if name in OFFSETS and rest < 60 else ""


def is_zone(name: object) -> bool:
    """Return whether this is the name of a zone as it is stored."""
    return isinstance(name, str) and (name in ZONES or name in OFFSETS)


def _zone_info(name: str) -> tzinfo:
    return timezone(timedelta(minutes=OFFSETS[name])) if name in OFFSETS else ZoneInfo(name)


# ── What people type ──


def matching_zones(text: str) -> Iterator[str]:
    """Yield the zones that a text may mean, best match first.

    The order is: it is an offset, or begins one (`UTC+`); it is an abbreviation; it is the whole name; it is the city;
    it is the country; it begins the city; it begins another part of the name; it stands elsewhere in the name.
    """
    typed, offset = _folded(text), _parse_offset(text)
    begun = f"UTC{''.join(text.split()).upper().removeprefix('UTC').removeprefix('GMT')}"
    offsets = (name for name in OFFSETS if name.startswith(begun) and (":" in begun or ":" not in name))
    first = [*([offset] if offset else []), *(offsets if begun != "UTC" else ()), *ABBREVIATIONS.get(typed, ())]
    ranked = sorted(
        (rank, at) for at, name in enumerate(_OFFERED) if (rank := _match_rank(_folded(name), typed)) is not None
    )
    called = [_OFFERED[at] for rank, at in ranked if rank <= 1]
    found = [*first, *called, *COUNTRIES.get(typed, ()), *(_OFFERED[at] for _, at in ranked)]
    return iter(_by_present_names(found))


def _by_present_names(zones: Iterable[str]) -> dict[str, None]:
    return dict.fromkeys(PRESENT_NAMES.get(name, name) for name in zones)


def _zones_called(typed: str) -> list[str]:
    """Return the zones with this name; without one, the zones of the cities with it."""
    ranks = {name: _match_rank(_folded(name), typed) for name in _OFFERED}
    named = [name for name, rank in ranks.items() if rank == 0]
    return [*_by_present_names(named or [name for name, rank in ranks.items() if rank == 1])]


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
    """Return the zone that a text names: an offset, an abbreviation of one zone, or the only zone or city so called.

    A country with one zone names that. Case and accents do not count. Raises Refused, with zones that may be meant, if
    there is no such zone or more than one.
    """
    offset, typed, found = _parse_offset(text), _folded(text), [*matching_zones(text)]
    if offset:
        return offset
    called = ABBREVIATIONS.get(typed) or _zones_called(typed) or COUNTRIES.get(typed, ())
    if len(called) == 1:
        return called[0]
    near = called or (found if typed and found else _similar_zones(typed) if offset is None else ())
    raise Refused(Why.NO_ZONE, zone=text, near=tuple(near[:MOST_NEAR_ZONES]))


def _similar_zones(typed: str) -> list[str]:
    cities = {_folded(name).rpartition("/")[2]: name for name in reversed(_OFFERED)}
    return [
        *_by_present_names(
            cities[city] for city in get_close_matches(typed.rpartition("/")[2], cities, MOST_NEAR_ZONES)
        )
    ]


# ── Times ──


def next_hour_in_zone(zone: str, hour: int, after: int) -> int:
    """Return the first moment after `after` at which a zone's clocks show this full hour, in UTC seconds.

    Each day has exactly one moment that counts. An hour that occurs twice counts the first time. An hour that is
    skipped counts when the clocks are put forward.
    """
    return min(moment for moment in _times_around(zone, hour, after) if moment > after)


def _times_around(zone: str, hour: int, around: int) -> list[int]:
    today = datetime.fromtimestamp(around, _zone_info(zone)).replace(hour=hour, minute=0, second=0)
    # If the clocks show an hour twice, adding days gives its first occurrence.
    return [_moment_of(today + timedelta(days=days)) for days in range(-2, 3)]


def _moment_of(time: datetime) -> int:
    """Return the moment of a time of day in its zone; for one that is skipped, when the clocks are put forward."""
    early, late = int(time.replace(fold=1).timestamp()), int(time.timestamp())
    if early >= late:  # it is not skipped
        return late
    before = time.utcoffset()
    moments = range(early, late + 1)

    def is_past(moment: int) -> bool:
        return datetime.fromtimestamp(moment, time.tzinfo).utcoffset() != before

    return moments[bisect_left(moments, True, key=is_past)]


def time_in_zone(zone: str, now: int) -> str:
    """Return the time of day in a zone at `now`, such as `14:05`."""
    return f"{datetime.fromtimestamp(now, _zone_info(zone)):%H:%M}"
