"""A rebuild gives the ratings that were written game by game, bit for bit: it reads for whom each result counts."""

from random import Random

import pytest
from sqlalchemy import delete, insert, update

from gipfbot.match import RequestState
from gipfbot.match.ratings import month_of, month_start
from gipfbot.rules import BASIC, STANDARD, Reason, Result
from gipfbot.service.app import App
from gipfbot.service.competing.results import rating_differences, rebuild_ratings
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Connection, Store, games, tables
from gipfbot.store.rating_tables import rated_results
from gipfbot.values import StoredGame
from gipfbot.values.games import CONDITIONAL
from tests.service.helpers import Host, basic_game_after
from tests.support.people import ANN, BOB
from tests.support.times import DAY, HOUR, NOW

from .ended_games import (
    BLACK_WINS,
    DRAWN,
    PEOPLE,
    THIS_MONTH,
    WHITE_LATE,
    WHITE_WINS,
    Ending,
    begin_games,
    counted_games,
    end_game,
    live_through,
    rating_rows,
)


async def assert_rebuilt_alike(store: Store, now: int) -> None:
    """Assert that a check finds no difference, and that a rebuild changes no bit."""
    async with store.reading() as db:
        different = {name: found for name, (_, found) in (await rating_differences(db, now)).items() if found}
    assert different == {}
    before = await rating_rows(store)
    await rebuild_ratings(store, lambda: now)
    after = await rating_rows(store)
    for name in ("rated_results", "ratings"):
        assert before[name] == after[name]


async def test_a_takeback_after_a_result_changes_no_decision(app: App, store: Store, host: Host) -> None:
    """The turn that made a loss on time count is taken back, and a turn is played where none had been."""
    other = await basic_game_after(app, 4)
    late = [Ending(NOW, result=WHITE_LATE), Ending(NOW + 2 * HOUR, black=2, result=WHITE_LATE)]
    await live_through(store, late[:1])
    host.now = NOW + HOUR
    await app.games.play_typed(other, ANN.user, "b3")
    await live_through(store, late[1:])
    host.now = NOW + 3 * HOUR
    await live_through(store, [Ending(host.now, black=3, result=WHITE_LATE)])
    request = (await app.requests.make(TAKEBACK, other, ANN.user)).request
    await app.requests.settle(request.id, BOB.user, RequestState.ACCEPTED)
    await app.games.play_typed(other, ANN.user, "b3")
    assert await counted_games(store, ANN.user) == [2, 3]
    assert await counted_games(store) == [2, 3, 4]
    await assert_rebuilt_alike(store, host.now)


async def test_a_rebuild_after_the_month_reads_what_was_decided(app: App, store: Store, host: Host) -> None:
    """The notes of deleted data are gone, and five more games of the pair seem to count."""
    await live_through(store, [Ending(NOW + at) for at in range(3)])
    await app.deletions.begin(ANN.user)
    await app.deletions.finish(ANN.user)
    await live_through(store, [Ending(NOW + at) for at in range(4)])
    host.now = month_start(THIS_MONTH + 2)
    await app.retention.finish_pass()
    assert await counted_games(store) == [1, 2, 3, 4, 5]
    await assert_rebuilt_alike(store, NOW + 9)


async def test_a_winner_is_rated_again_if_a_loser_who_was_away_had_another_rating(store: Store) -> None:
    """The host's clock was set back over the end of a month in which no game counts for the loser."""
    may, june = month_start(THIS_MONTH + 1) - HOUR, month_start(THIS_MONTH + 1) + HOUR
    other, away = Ending(may, black=3, result=WHITE_LATE, ruleset=STANDARD), Ending(june, result=WHITE_LATE)
    july = Ending(month_start(THIS_MONTH + 2), white=1, black=2)
    await live_through(store, [Ending(may - DAY, black=2), other, away, july])
    before = await rating_rows(store)
    await live_through(store, [Ending(may, black=3)])
    changed = {(row[1], row[2]) for row in {*(await rating_rows(store))["ratings"]} - {*before["ratings"]}}
    assert changed >= {(BOB.user, THIS_MONTH + 1), (BOB.user, THIS_MONTH + 2)}
    await assert_rebuilt_alike(store, month_start(THIS_MONTH + 2))


async def test_a_result_whose_row_was_lost_counts(store: Store) -> None:
    await live_through(store, [Ending(NOW + at) for at in range(2)])
    before = await rating_rows(store)
    async with store.transaction() as db:
        await db.execute(delete(rated_results).where(rated_results.c.game == 2))
    await rebuild_ratings(store, lambda: NOW + 1)
    after = await rating_rows(store)
    for name in ("rated_results", "ratings", "standings"):
        assert before[name] == after[name]


THREE = PEOPLE[:3]


class Life:
    """Three people whose games end, who play turns and take them back, and who delete their data and come back."""

    def __init__(self, app: App, store: Store, host: Host, seed: int) -> None:
        self.app, self.store, self.host, self.rng = app, store, host, Random(seed)
        self.unfinished = set[int]()  # people whose deletion has begun

    async def begin(self) -> None:
        """Give each pair of neighbours a game in which they play turns."""
        pairs = [Ending(white=at, black=(at + 1) % len(THREE), rated=False) for at in range(len(THREE))]
        self.running = await begin_games(self.store, pairs)
        self.played = dict.fromkeys((stored.game.id for stored in self.running), 0)

    async def live(self) -> None:
        """Let something happen, at any later moment of three months, or after the clock was set back."""
        self.host.now += self.rng.choice((0, 0, 1, HOUR, 10 * HOUR, 3 * DAY))
        await self.rng.choice((*[self.end] * 8, *[self.play] * 4, *[self.take_back] * 2, self.delete))()
        if self.rng.random() < 0.03:
            self.host.now -= self.rng.choice((1, DAY, 20 * DAY))

    async def end(self) -> None:
        """End a new game, often on time."""
        white, black = self.rng.sample(range(len(THREE)), 2)
        void = Result(None, Reason.REPETITION)
        result = self.rng.choice((WHITE_WINS, BLACK_WINS, DRAWN, WHITE_LATE, WHITE_LATE, WHITE_LATE, void))
        how = Ending(self.host.now, white, black, result, self.rng.choice((BASIC, BASIC, BASIC, STANDARD)))
        (stored,) = await begin_games(self.store, [how])
        await end_game(self.store, stored, how)

    async def play(self) -> None:
        """Play a turn, some of them as a conditional turn."""
        stored = self.rng.choice(self.running)
        number = self.played[stored.game.id] = self.played[stored.game.id] + 1
        colour = (number - 1) % 2
        row = {"game": stored.game.id, "turn_number": number, "colour": colour, "text": "", "actions": ""}
        by, how = stored.game.seats[colour].user, self.rng.choice(("typed", "buttons", CONDITIONAL))
        at = {"by": by, "how": how, "position_hash": "", "played_at": self.host.now}
        async with self.store.transaction() as db:
            await db.execute(insert(tables.turns).values(**row, **at))
            await self.change(db, stored)

    async def take_back(self) -> None:
        """Take the last turn of a game back, if it has one."""
        stored = self.rng.choice(self.running)
        game, number = stored.game.id, self.played[stored.game.id]
        if not number:
            return
        self.played[game] = number - 1
        async with self.store.transaction() as db:
            (turn,) = [turn for turn in await games.turns_of(db, game) if turn.turn_number == number]
            data = {"turn_number": number, "text": "", "by": turn.by, "how": turn.how, "played_at": turn.played_at}
            last = tables.turns.c.game == game, tables.turns.c.turn_number == number
            await db.execute(delete(tables.turns).where(*last))
            await games.add_event(db, game, games.TAKEBACK, turn.by, self.host.now, {"turns": [data]})
            await self.change(db, stored)

    async def change(self, db: Connection, stored: StoredGame) -> None:
        here = tables.games.c.id == stored.game.id
        await db.execute(update(tables.games).where(here).values(changed_at=self.host.now))

    async def delete(self) -> None:
        """Let somebody ask for the deletion of their data, or let one that has begun go on to its end."""
        if self.unfinished:
            await self.app.deletions.finish(self.unfinished.pop())
            await self.begin()
            return
        person = self.rng.choice(THREE).user
        await self.app.deletions.begin(person)
        self.unfinished.add(person)


@pytest.mark.parametrize("seed", range(6))
async def test_random_months_are_rebuilt_bit_for_bit(app: App, store: Store, host: Host, seed: int) -> None:
    """With flags, turns, takebacks and deletions, some of them half done, and with a clock that is set back."""
    life = Life(app, store, host, seed)
    await life.begin()
    for number in range(1, 161):
        await life.live()
        if not number % 40:
            await assert_rebuilt_alike(store, host.now)
    rows = (await rating_rows(store))["rated_results"]
    assert {row[-1] for row in rows} == {None, "pair", "away"}
    assert len({month_of(row[6]) for row in rows}) >= 2
