"""Games, challenges and practices that were begun at one of five levels go on at one of eight."""

from dataclasses import replace

from sqlalchemy import select, text, update

from gipfbot.match import UNTIMED, House, Seat, Side, Terms
from gipfbot.match.study import begin_practice
from gipfbot.rules import BASIC, STANDARD, start
from gipfbot.service.app import create_app
from gipfbot.store import Store, tables
from tests.support.people import ANN, HOME
from tests.support.times import NOW

BOT = 10**18 + 99
NEW = {1: 1, 2: 5, 3: 6, 4: 7, 5: 8}
NAMES = {1: "Beginner", 2: "Casual", 3: "Skilled", 4: "Strong", 5: "Expert"}  # of five levels


async def begin_at_five_levels(store: Store) -> None:
    """Begin a game and a practice at each of five levels, and make the rows what they were before the migration."""
    app = create_app(store, lambda: NOW, lambda: True)
    for level, name in NAMES.items():
        terms = replace(UNTIMED, house=House(level, BOT))
        seat = Seat(BOT, f"GIPF {name}")
        await app.lobby.challenge_house(ANN, seat, STANDARD, Side.WHITE, HOME, terms)
        await app.practices.begin(ANN.user, name, begin_practice(start(BASIC)), level)
    async with store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == 1).values(ended_at=NOW, waiting_user=None))
        for table in ("users", "servers"):
            await db.execute(
                text(f"ALTER TABLE {table} DROP COLUMN language")
            )  # later migrations add all that is dropped here
        await db.execute(text("ALTER TABLE studies DROP COLUMN broken"))
        for table in ("tournament_pairings", "tournament_entries", "tournaments"):
            await db.execute(text(f"DROP TABLE {table}"))
        await db.execute(text("UPDATE alembic_version SET version_num = '0.2_0004'"))
    await store.close()


async def test_levels_are_mapped_in_games_terms_names_and_practices(store: Store, url: str) -> None:
    """Running and ended ones. The names of four levels have stayed."""
    await begin_at_five_levels(store)
    newer = await Store.open_database(url)
    games, seats, studies, challenges = (
        tables.metadata.tables[name] for name in ("games", "seats", "studies", "challenges")
    )
    async with newer.reading() as db:
        rows = (await db.execute(select(games.c.level, games.c.terms).order_by(games.c.id))).all()
        assert [row.level for row in rows] == [*NEW.values()]
        assert [Terms.from_data(row.terms).house for row in rows] == [House(level, BOT) for level in NEW.values()]
        names = [*await db.scalars(select(seats.c.name).where(seats.c.user == BOT).order_by(seats.c.game))]
        assert names == ["GIPF Beginner", "GIPF Seasoned", "GIPF Skilled", "GIPF Strong", "GIPF Expert"]
        assert [*await db.scalars(select(studies.c.level).order_by(studies.c.id))] == [*NEW.values()]
        asked = [Terms.from_data(terms).house for terms in await db.scalars(select(challenges.c.terms))]
        assert {house.level for house in asked if house} <= {*NEW.values()}
    await newer.close()
