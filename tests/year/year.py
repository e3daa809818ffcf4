"""A year of many people's games, event after event on its own clock, with mishaps of the host."""

from collections.abc import Awaitable, Callable
from heapq import heappop
from random import Random

from gipfbot.service.competing.results import rebuild_ratings
from gipfbot.store import Store
from tests.service.records.exploring import count_differences
from tests.support.times import DAY, HOUR

from .clocks import SWEEP
from .course import BEGINS, Plan
from .doings import GRACES
from .host import Host
from .house_games import HouseGames
from .languages import languages_by_place
from .people import people, place_of, role_of
from .watch import Watch

AFTER = 200 * DAY  # the time after the year in which all games must end
AGAINST_BOT = 15  # games between people for each one against the bot
PRIVATELY = 9  # the same for each private one
SHOWN = 5  # the same for each board that somebody shows
MISHAPS = {"_vanish", "_set_clock", "_jump", "_compare", "_goes_down"}


class Year(HouseGames):
    """A simulated year."""

    @classmethod
    def of(cls, plan: Plan, store: Store) -> "Year":
        """Return the year that a plan describes, in an empty store."""
        rng = Random(plan.seed)
        crowd = people(plan.players, plan.clubs, BEGINS, BEGINS + plan.days * DAY, rng)
        watch = Watch({person.user: person for person in crowd})
        host = Host(store, BEGINS, rng, watch.inbox.append)
        club = [person for person in crowd if person.club == plan.club]
        host.spared = {place for person in club for place in (person.user, place_of(person))}
        host.languages = languages_by_place(crowd, host.spared)
        return cls(plan, host, watch, rng, crowd)

    async def run(self) -> None:
        """Run the year, and go on until all games with a time limit have ended."""
        await self.host.start()
        await self._look(BEGINS)
        for club in range(self.plan.clubs):
            heard = {} if club == self.plan.club else {"seekers": role_of(club)}
            await self.host.bot.app.servers.change(1 + club, {"grace": GRACES[club % len(GRACES)], **heard})
        for person in self.people:
            await self.host.bot.app.users.note_language(person.user, self.host.languages[person.user])
            await self.host.bot.app.servers.note_language(1 + person.club, self.host.languages[place_of(person)])
        self._prepare()
        stuck = 0
        while True:
            due = await self.host.due()
            look = None if due is None else self.host.next_look(due)
            then = self.events[0][0] if self.events else None
            if then is None and not self.watch.games:
                break
            if look is not None and (then is None or look <= then):
                stuck = stuck + 1 if due is not None and due <= self.host.looked else 0
                assert stuck < 50, "something due is never served"
                await self._quiet(look - SWEEP)
                await self._look(look)
            else:
                at, _, happens = heappop(self.events)
                self.host.true = max(self.host.true, at)
                await happens()
            assert self.host.true < self.ends + AFTER, [*self.watch.running()][:3]
        await self._compare()
        assert not self.watch.games, [*self.watch.games.values()][:3]
        self.watch.nothing_is_missing()
        await self._compare_ratings()
        await self._compare_explorer()

    async def _compare_ratings(self) -> None:
        """Assert that ratings worked out anew are the same, whatever the host's clock has shown."""
        await self.host.bot.app.leaderboards.relist_changed()
        tables = await rebuild_ratings(self.host.store, lambda: self.now)
        self.watch.counts["rated results"], _ = tables["results"]
        assert {name: different for name, (_, different) in tables.items() if different} == {}

    async def _compare_explorer(self) -> None:
        """Assert that a recount of all games that have ended comes to what the explorer has counted."""
        while await self.host.bot.app.explorer.count_ended():
            pass
        assert await count_differences(self.host.store) == 0

    def _prepare(self) -> None:
        games, days = self.plan.games, self.plan.days
        acts: tuple[tuple[Callable[[], Awaitable[None]], int], ...] = (
            (self._meet, games),
            (self._meets_bot, games // AGAINST_BOT),
            (self._meets_privately, games // PRIVATELY),
            (self._shows, games // SHOWN),
            (self._slows, days // 12),
            (self._vanish, days // 6),
            (self._goes_down, days // 12),
            (self._jump, days // 12),
        )
        for act, number in acts:
            for _ in range(number):
                self.at(self._any_moment(), act)
        for person in self.people:
            for _ in range(person.travels):
                self.at(self._any_moment(), self._leaves, person)
            if person.name.startswith("Reader"):
                self.at(BEGINS + self.rng.randrange(days * DAY // 3), self._subscribes, person)
            if person.shut:
                self.at(person.shut[0], self._shuts, person)
                self.at(person.shut[1], self._opens, person)
        for day in range(3, days, 3):
            self.at(BEGINS + day * DAY + 7, self._compare)

    def _any_moment(self) -> int:
        """Return a moment of the year."""
        return BEGINS + self.rng.randrange(self.plan.days * DAY)

    async def _vanish(self) -> None:
        """Take the bot down for a while: suspend the host, or stop the process."""
        since, long = self.host.true, int(10 * 60 * 2 ** self.rng.uniform(0, 8))
        await self._quiet(since)
        rest = SWEEP - (since - self.host.looked)
        restarted = self.rng.random() < 0.5
        self.watch.counts["absences"] += 1
        self.watch.counts["hours away"] += long // HOUR
        before = self.now
        self.host.true += long
        self.watch.nobody(before, self.now)
        if restarted:
            await self.host.start()
        else:
            await self._meanwhile(rest)
        self.watch.was_away(self.now - self.host.told, self.now)
        await self._look(self.host.true, matters=True)
        self._calm_only(self.host.true)

    async def _meanwhile(self, rest: int) -> None:
        """Let people play after downtime, before the first sweep."""
        came, began, self.unnoticed = self.host.true, self.now, True
        dies, self.host.dies = self.host.dies, 0.0
        while self.events and self.events[0][0] <= came and self.host.true < came + rest - 1:
            if self.events[0][2].func.__name__ in MISHAPS:
                break
            self.host.true += 1
            self.watch.loosen(began)
            await heappop(self.events)[2]()
        self.host.true, self.unnoticed, self.host.dies = max(self.host.true, came + rest), False, dies
        self.watch.loosen(began)

    async def _jump(self) -> None:
        """Set the host's clock wrong, and right again later."""
        if self.host.offset:
            return
        by = self.rng.choice((-2 * DAY, -3000, -400, 400, 3000, 2 * DAY))
        await self._set_clock(by)
        back = 1 if abs(by) >= DAY else self.rng.randrange(60, 9 * HOUR)
        self.at(self.host.true + back, self._set_clock, -by)

    async def _set_clock(self, by: int) -> None:
        look = self.host.next_look(self.host.true)
        await self._quiet(look - SWEEP)
        self.host.true = look
        before = self.now
        self.host.offset += by
        self.suspended = True
        self.watch.counts["jumps"] += 1
        self.watch.jumps(before, self.now)
        await self._look(look, matters=True)
        self._calm_only(self.host.true)

    async def _goes_down(self) -> None:
        """Let Discord refuse every post for some hours. Owed messages come at most four hours after that.

        Outages keep a day apart: boards that are refused for longer than that are given up, and that is tested apart.
        """
        long = self.rng.randrange(HOUR, 16 * HOUR)
        if self.host.true < self.host.down_until + DAY:
            return
        self.host.down_until = max(self.host.down_until, self.host.true + long)
        self.watch.counts["outages"] += 1
        self.watch.slow_until = max(self.watch.slow_until, self.now + long + 4 * HOUR)
        self._calm_only(self.host.true + long + 2 * HOUR)

    def _calm_only(self, since: int) -> None:
        """Note a mishap of the host, unless another one lasts longer."""
        self.calm_since = max(self.calm_since, since)

    async def _compare(self) -> None:
        self.watch.stands_like(await self.host.running(), self.now)
        self.host.dies = self.rng.choice((0, 0, 0.01))
        self.host.fails = self.rng.choice((0, 0, 0.01))
