"""Where things lie: the house, and the data of its tests."""

from pathlib import Path

HOUSE = Path(__file__).parents[2]
DATA = HOUSE / "tests" / "data"
RECORDS, GAMES, DATABASES = DATA / "records", DATA / "games", DATA / "databases"
EXAMPLE = str(RECORDS / "example.turns")
