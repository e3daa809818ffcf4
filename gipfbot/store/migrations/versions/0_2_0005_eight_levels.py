"""The bot plays at eight levels instead of five. Games and practices go on at the level that is nearest in strength."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0.2_0005"
down_revision = "0.2_0004"

# By matches, see `docs/decisions.md`.
LEVELS = {1: 1, 2: 5, 3: 6, 4: 7, 5: 8}
OLD_NAME, NAME = " Casual", " Seasoned"  # of the only level whose name has changed: 2, which is 5 now

games = sa.table("games", sa.column("id", sa.Integer), sa.column("level", sa.Integer), sa.column("terms", sa.JSON))
challenges = sa.table("challenges", sa.column("id", sa.Integer), sa.column("terms", sa.JSON))
studies = sa.table("studies", sa.column("level", sa.Integer))
seats = sa.table("seats", sa.column("game", sa.Integer), sa.column("user", sa.BigInteger), sa.column("name", sa.Text))


def upgrade() -> None:
    """Change the levels of games, of challenges, of practices, and in the names of the bot's seats."""
    db = op.get_bind()
    changed = sa.case(LEVELS, value=studies.c.level)
    db.execute(sa.update(studies).where(studies.c.level.in_(LEVELS)).values(level=changed))
    for row in db.execute(sa.select(games.c.id, games.c.terms).where(games.c.level.is_not(None))).all():
        house = row.terms["house"]
        if house["level"] == 2:
            _rename(db, row.id, house["user"])
        terms = _with_new_level(row.terms)
        db.execute(sa.update(games).where(games.c.id == row.id).values(level=terms["house"]["level"], terms=terms))
    with_house = sa.cast(challenges.c.terms, sa.Text).like('%"level"%')
    for row in db.execute(sa.select(challenges.c.id, challenges.c.terms).where(with_house)).all():
        db.execute(sa.update(challenges).where(challenges.c.id == row.id).values(terms=_with_new_level(row.terms)))


def _with_new_level(terms: dict[str, Any]) -> dict[str, Any]:
    house = terms["house"]
    return {**terms, "house": {**house, "level": LEVELS.get(house["level"], house["level"])}}


def _rename(db: sa.Connection, game: int, user: int) -> None:
    """Give the seat of the bot the new name of its level."""
    mine = seats.c.game == game, seats.c.user == user
    for name in db.scalars(sa.select(seats.c.name).where(*mine)).all():
        if name.endswith(OLD_NAME):
            db.execute(sa.update(seats).where(*mine).values(name=name.removesuffix(OLD_NAME) + NAME))
