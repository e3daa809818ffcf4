"""A position of a running game is known again in another rule set in which it is played alike."""

import pytest

from gipfbot.notation import parse_position, position_text
from gipfbot.service.records.studies import find_standing
from gipfbot.values import StandingPosition

BOARD = "w W=Gb5,Ge2,Gh5,d4 B=Gb2,Ge8,Gh2,e5 reserve=11-11 captured=0-0"
BEGUN = "w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"
TURNED = "w W=Gb2,Ge8,Gh2,f5 B=Gb5,Ge2,Gh5,e5 reserve=11-11 captured=0-0"


@pytest.mark.parametrize(
    ("running", "shown", "stands"),
    [
        (f"tournament {BOARD}", f"standard {BOARD}", True),
        (f"standard {BOARD}", f"tournament {BOARD}", True),
        (f"tournament {BOARD}", f"standard {TURNED}", True),  # turned by half a circle
        (f"tournament {BEGUN} opening=wb", f"standard {BEGUN}", False),
        (f"standard+Z3P3 {BOARD} left=Z3P3-Z3P3", f"standard {BOARD}", False),
    ],
)
def test_standing_position_is_found_where_it_is_played_alike(running: str, shown: str, *, stands: bool) -> None:
    position = parse_position(running)
    standing = StandingPosition(7, position_text(position), position.rules)
    found = find_standing([standing], [parse_position(shown)])
    assert found == (standing if stands else None)
