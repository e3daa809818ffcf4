"""Zones by name, and when an hour comes in one: once on each day, whatever is done to the clocks."""

from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from gipfbot.match import Refused, Why
from gipfbot.service.clock.zones import (
    ABBREVIATIONS,
    COUNTRIES,
    MOST_NEAR_ZONES,
    OFFSETS,
    PRESENT_NAMES,
    ZONES,
    find_zone,
    is_zone,
    matching_zones,
    next_hour_in_zone,
    time_in_zone,
)
from tests.support.times import DAY, HOUR, NOW, parse_moment


def moments(zone: str, hour: int, since: str, number: int) -> list[str]:
    """Return the first moments (UTC) after another at which it is this hour."""
    found, moment = list[str](), parse_moment(since)
    for _ in range(number):
        moment = next_hour_in_zone(zone, hour, moment)
        found.append(datetime.fromtimestamp(moment, UTC).isoformat(" ")[:16])
    return found


@pytest.mark.parametrize(
    ("zone", "hour", "since", "expected"),
    [
        ("Europe/Berlin", 8, "2027-01-10 06:59", ["2027-01-10 07:00", "2027-01-11 07:00"]),
        ("Europe/Berlin", 8, "2027-01-10 07:00", ["2027-01-11 07:00"]),
        ("Europe/Berlin", 8, "2027-03-27 12:00", ["2027-03-28 06:00", "2027-03-29 06:00"]),
        ("Europe/Berlin", 8, "2027-10-30 12:00", ["2027-10-31 07:00", "2027-11-01 07:00"]),
        ("Europe/Berlin", 2, "2027-03-27 00:30", ["2027-03-27 01:00", "2027-03-28 01:00", "2027-03-29 00:00"]),
        ("Europe/Berlin", 2, "2027-10-30 00:30", ["2027-10-31 00:00", "2027-11-01 01:00"]),
        ("Europe/Berlin", 2, "2027-10-31 00:30", ["2027-11-01 01:00"]),
        ("America/New_York", 2, "2027-03-13 08:00", ["2027-03-14 07:00", "2027-03-15 06:00"]),
        ("Asia/Kolkata", 0, "2027-05-05 00:00", ["2027-05-05 18:30", "2027-05-06 18:30"]),
        ("Pacific/Auckland", 8, "2027-06-01 19:59", ["2027-06-01 20:00", "2027-06-02 20:00"]),
        ("Africa/Cairo", 0, "2027-04-28 12:00", ["2027-04-28 22:00", "2027-04-29 22:00", "2027-04-30 21:00"]),
        ("Australia/Lord_Howe", 2, "2027-10-01 12:00", ["2027-10-01 15:30", "2027-10-02 15:30", "2027-10-03 15:00"]),
        # Two hours are skipped: both come when the clocks are put forward.
        ("Antarctica/Troll", 1, "2027-03-27 12:00", ["2027-03-28 01:00", "2027-03-28 23:00"]),
        ("Antarctica/Troll", 2, "2027-03-27 12:00", ["2027-03-28 01:00", "2027-03-29 00:00"]),
        ("UTC+5:45", 8, "2027-05-05 00:00", ["2027-05-05 02:15", "2027-05-06 02:15"]),
        ("UTC-12", 0, "2027-05-05 12:00", ["2027-05-06 12:00"]),
    ],
)
def test_an_hour_skipped_or_doubled_comes_once_a_day(zone: str, hour: int, since: str, expected: list[str]) -> None:
    assert moments(zone, hour, since, len(expected)) == expected


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "America/Nuuk", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Gaza", "Antarctica/Troll"]
)
def test_the_hour_comes_on_each_day_of_a_year(zone: str) -> None:
    for hour in range(24):
        moment, days = parse_moment("2027-01-01 00:00"), set()
        for number in range(365):
            moment = next_hour_in_zone(zone, hour, moment)
            assert number == 0 or next_hour_in_zone(zone, hour, moment - 1) == moment
            shown = datetime.fromtimestamp(moment, ZoneInfo(zone))
            late = (shown.hour - hour) * 60 + shown.minute
            assert late in (0, 30, 60, 120, 60 - DAY // 60), f"{shown}"
            days.add(shown.date() if late >= 0 else shown.toordinal() - 1)
        assert len(days) == 365


def test_all_zones_are_usable() -> None:
    assert len(ZONES) > 500
    for zone in ZONES:
        assert 0 < next_hour_in_zone(zone, 8, NOW) - NOW <= 25 * HOUR


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("berl", "Europe/Berlin"),
        ("BERLIN", "Europe/Berlin"),
        ("new y", "America/New_York"),
        ("york", "America/New_York"),
        ("europe/b", "Europe/Belfast"),
        ("buenos", "America/Argentina/Buenos_Aires"),
        ("port-au", "America/Port-au-Prince"),
        ("utc", "UTC"),
        ("erlin", "Europe/Berlin"),
        ("gmt", "GMT"),
        ("rome", "Europe/Rome"),
    ],
)
def test_any_part_of_a_name_finds_a_zone(typed: str, first: str) -> None:
    assert next(matching_zones(typed)) == first


@pytest.mark.parametrize("said", ["Europe/Berlin", " europe/berlin ", "berlin", "Europe/berlin"])
def test_a_zone_is_found_by_its_name_or_city(said: str) -> None:
    assert find_zone(said) == "Europe/Berlin"


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Kiev", "Europe/Kyiv"),
        ("europe/kiev", "Europe/Kyiv"),
        ("Kyiv", "Europe/Kyiv"),
        ("Calcutta", "Asia/Kolkata"),
        ("Istanbul", "Europe/Istanbul"),
        ("Asia/Istanbul", "Europe/Istanbul"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("Louisville", "America/Kentucky/Louisville"),
    ],
)
def test_a_city_is_found_by_a_former_name_and_shown_by_its_present_one(said: str, zone: str) -> None:
    """So is a city of which two zones are the same."""
    assert find_zone(said) == zone
    assert next(matching_zones(said)) == zone


def test_a_former_name_shows_the_same_time_as_the_present_one() -> None:
    for former, present in PRESENT_NAMES.items():
        assert is_zone(former), "somebody may have stored it"
        for month in range(1, 13):
            moment = parse_moment(f"2027-{month:02}-05 12:00")
            assert time_in_zone(former, moment) == time_in_zone(present, moment)
        assert former not in {zone for letters in (former, former[-4:]) for zone in matching_zones(letters)}


@pytest.mark.parametrize(
    ("said", "near"),
    [
        ("Europe/Berln", "Europe/Berlin"),
        ("Berln", "Europe/Berlin"),
        ("Amerika/New York", "America/New_York"),
        ("berl", "Europe/Berlin"),
        ("Kie", "Europe/Kyiv"),
    ],
)
def test_an_unknown_or_ambiguous_zone_is_refused_with_suggestions(said: str, near: str) -> None:
    with pytest.raises(Refused) as refused:
        find_zone(said)
    assert refused.value.why is Why.NO_ZONE
    assert near in refused.value.facts["near"]
    assert len(refused.value.facts["near"]) <= MOST_NEAR_ZONES


@pytest.mark.parametrize("said", ["", " ", "../../etc/passwd", "xyzzy", "\u0000", "Mars/Base", "😀"])
def test_nonsense_is_no_zone(said: str) -> None:
    with pytest.raises(Refused):
        find_zone(said)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("GMT+2", "UTC+2"),
        ("UTC+2", "UTC+2"),
        ("utc + 2", "UTC+2"),
        ("+02:00", "UTC+2"),
        ("+0200", "UTC+2"),
        ("+2", "UTC+2"),
        ("UTC+5:45", "UTC+5:45"),
        ("GMT+5.5", "UTC+5:30"),
        ("gmt-3", "UTC-3"),
        ("UTC\u22123:30", "UTC-3:30"),
        ("UTC-12", "UTC-12"),
        ("UTC+14:00", "UTC+14"),
        ("GMT+0", "UTC"),
        ("GMT0", "UTC"),
        ("UTC 2", "UTC+2"),
        ("UT+2", "UTC+2"),
        ("Etc/GMT+2", "UTC-2"),  # as the standard means it, and shown plainly
        ("Etc/GMT-14", "UTC+14"),
    ],
)
def test_an_offset_is_stored_as_people_mean_it(said: str, stored: str) -> None:
    assert find_zone(said) == stored
    assert is_zone(stored)
    assert next(matching_zones(said)) == stored


def test_every_quarter_of_an_hour_is_an_offset() -> None:
    """Each can be read again as it is shown, and shows the time that it says."""
    assert len(OFFSETS) == (14 + 12) * 4 + 1
    for name, minutes in OFFSETS.items():
        assert find_zone(name) == name
        moment = parse_moment("2027-07-01 12:00") + minutes * 60
        assert time_in_zone(name, parse_moment("2027-07-01 12:00")) == time_in_zone("UTC", moment)


@pytest.mark.parametrize("said", ["UTC+14:15", "UTC-12:15", "UTC+15", "UTC+5:20", "+99", "GMT+2:60"])
def test_another_offset_is_refused(said: str) -> None:
    with pytest.raises(Refused) as refused:
        find_zone(said)
    assert refused.value.facts["near"] == ()


TYPED = ("", "etc", "gmt", "GMT+", "GMT+2", "GMT-2", "+2", "-2", "2", "UTC", "utc+", "etc/gmt", "Etc/GMT+2", "m", "est")


def test_no_zone_that_misleads_is_offered() -> None:
    """`Etc/GMT+2` is west, and `EST` has no summer time."""
    for typed in TYPED:
        for zone in matching_zones(typed):
            assert not zone.startswith("Etc/GMT+"), typed
            assert not zone.startswith("Etc/GMT-"), typed
            assert zone not in ("EST", "MST", "HST"), typed


def test_a_begun_offset_is_completed() -> None:
    assert [*matching_zones("UTC+1")] == ["UTC+1", "UTC+10", "UTC+11", "UTC+12", "UTC+13", "UTC+14"]
    assert [*matching_zones("gmt-3:")] == ["UTC-3:15", "UTC-3:30", "UTC-3:45"]
    assert [*islice(matching_zones("+"), 2)] == ["UTC+1", "UTC+2"]


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("EST", "America/New_York"),
        ("edt", "America/New_York"),
        ("PST", "America/Los_Angeles"),
        ("CET", "Europe/Brussels"),
        ("CEST", "Europe/Brussels"),
        ("HST", "Pacific/Honolulu"),
        ("JST", "Asia/Tokyo"),
    ],
)
def test_an_abbreviation_leads_to_its_city(said: str, zone: str) -> None:
    """With its summer time, which the zones of tzdata called EST and MST do not have."""
    assert find_zone(said) == zone
    assert next(matching_zones(said)) == zone


@pytest.mark.parametrize(
    ("said", "zones"),
    [
        ("CST", ("America/Chicago", "Asia/Shanghai", "America/Havana")),
        ("ist", ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem")),
        ("BST", ("Europe/London", "Asia/Dhaka")),
        ("MST", ("America/Denver", "America/Phoenix")),
        ("USA", ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles")),
    ],
)
def test_an_abbreviation_of_several_zones_is_a_choice(said: str, zones: tuple[str, ...]) -> None:
    with pytest.raises(Refused) as refused:
        find_zone(said)
    assert refused.value.facts["near"] == zones
    assert tuple(islice(matching_zones(said), len(zones))) == zones


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("India", "Asia/Kolkata"),
        ("south africa", "Africa/Johannesburg"),
        ("UK", "Europe/London"),
        ("South Korea", "Asia/Seoul"),
        ("Britain", "Europe/London"),
        ("S\u00e3o Paulo", "America/Sao_Paulo"),
        ("Zu\u0308rich", "Europe/Zurich"),
        ("Singapore", "Singapore"),
    ],
)
def test_a_country_leads_to_its_zone_and_accents_do_not_count(said: str, zone: str) -> None:
    assert find_zone(said) == zone
    assert next(matching_zones(said)) == zone


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("Germany", "Europe/Berlin"),
        ("United States", "America/New_York"),
        ("China", "Asia/Shanghai"),
        ("Korea", "Asia/Pyongyang"),
    ],
)
def test_a_country_of_several_zones_is_a_choice(said: str, first: str) -> None:
    """The most populous comes first, and none of another country."""
    with pytest.raises(Refused) as refused:
        find_zone(said)
    near = refused.value.facts["near"]
    assert near[0] == first == next(matching_zones(said))
    assert {*near} <= {*COUNTRIES[said.lower().replace(" ", "_")]}


def test_all_abbreviations_and_countries_name_zones() -> None:
    for table in (ABBREVIATIONS, COUNTRIES):
        assert {zone for zones in table.values() for zone in zones} <= {*ZONES}


def test_the_time_in_a_zone_is_told() -> None:
    assert time_in_zone("Europe/Berlin", parse_moment("2027-07-01 22:05")) == "00:05"
