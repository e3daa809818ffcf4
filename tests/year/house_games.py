"""Games against the bot, whose own search answers each turn at once."""

from gipfbot.match import TIME_CONTROLS, House, Refused, Seat, Side, Terms, Why
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Reason, Ruleset, ruleset_named
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.values import PRIVATE_VENUE, Venue
from tests.bench.recording import BOT
from tests.support.background_work import do_next_task
from tests.support.confirmations import turn_told
from tests.support.times import DAY, HOUR, WEEK

from .doings import GRACES, PACE_NAMES, Doings, among
from .people import Person, place_of, thinks
from .watched import Watched

HOUSE_RULES = BASIC, BASIC, STANDARD, TOURNAMENT, ruleset_named("standard+Z3P4")
FOR_EVER = 1 << 40
LEAVES = 0.12  # the chance that a person leaves a game without a time limit for weeks
MOVES = 0.4  # the chance that they move a private game into their channel
TAKES_BACK = 0.1  # the chance that a person takes a turn back after the bot's answer


def bot_of_club(club: int) -> Person:
    """Return the bot as a player in a club. Its clock always stands, as if it were on vacation."""
    return Person(BOT, "Gipfbot", club, away=FOR_EVER, rematches=0.0, is_bot=True)


class HouseGames(Doings):
    """A course of time with games against the bot, which is slow at times. The recorded club has none."""

    slow_until = 0  # the true time until which the bot finds no turn

    async def _slows(self) -> None:
        """Let the bot think for hours or days: many play against it, or its engine fails."""
        self.slow_until = max(self.slow_until, self.host.true + self.rng.randrange(HOUR, 4 * DAY))
        self.at(self.slow_until, self._hurries)

    async def _hurries(self) -> None:
        await self._quiet(self.host.true)
        await self._deliver(())

    async def _meets_bot(self) -> None:
        """Let a person of any club but the recorded one challenge the bot."""
        club = self.rng.randrange(self.plan.clubs)
        there = [person for person in self.people if person.club == club and self._present(person)]
        if club == self.plan.club or not there:
            self.at(self.host.true + HOUR, self._meets_bot)
            return
        by, bot, side = self.rng.choice(there), bot_of_club(club), self.rng.choice((Side.WHITE, Side.BLACK))
        pace, weekends = TIME_CONTROLS[self.rng.choice(PACE_NAMES)], self.rng.random() < 0.7
        house = House(self.rng.choice((1, 2)), bot.user)
        terms = Terms(pace, weekends, GRACES[club % len(GRACES)] * HOUR, rated=True, house=house)
        await self._quiet(self.host.true)
        seats, home = (Seat(by.user, by.name), Seat(bot.user, bot.name)), Venue(1 + club, place_of(by))
        done = await self.host.bot.app.lobby.challenge_house(*seats, self.rng.choice(HOUSE_RULES), side, home, terms)
        self.watch.counts["games against the bot"] += 1
        await self._begins(done, *((by, bot) if side is Side.WHITE else (bot, by)))

    async def _meets_privately(self) -> None:
        """Let a person of any club but the recorded one, who will not vanish, begin a private game against the bot."""
        stay = [each for each in self.people if each.club != self.plan.club and each.gone is None]
        shut = [person for person in stay if person.user in self.host.wall.dms_shut]
        by, side = (
            self.rng.choice(shut if shut and self.rng.random() < 0.5 else stay),
            self.rng.choice((Side.WHITE, Side.BLACK)),
        )
        bot = bot_of_club(by.club)
        seats, terms = (Seat(by.user, by.name), Seat(bot.user, bot.name)), Terms(house=House(1, bot.user))
        await self._quiet(self.host.true)
        try:
            what = *seats, self.rng.choice(HOUSE_RULES), side, PRIVATE_VENUE, terms
            done = await self.host.bot.app.lobby.challenge_house(*what)
        except Refused as refusal:
            among(refusal, Why.TOO_MANY_PRIVATE)
            return
        await self._begins(done, *((by, bot) if side is Side.WHITE else (bot, by)))
        if self._happens(MOVES, "moved into a channel"):
            self.at(self.host.true + self.rng.randrange(HOUR, 9 * DAY), self._moves, done.game.id, by)
        self.at(self.host.true + self.rng.randrange(WEEK, 4 * WEEK), self._hears, by)

    async def _moves(self, game_id: int, person: Person) -> None:
        """Let a person play a private game in their channel from now on, if it waits for them."""
        game = self.watch.games.get(game_id)
        if game is None or game.mover is not person:
            return
        await self._quiet(self.host.true)
        done = await self.host.bot.app.venues.relocate(game_id, Venue(1 + person.club, place_of(person)))
        self.watch.moves(game, turn_told(done.game, done.game.last) if done.game.last else None, self.now)
        await self._deliver(done.owed)

    async def _hears(self, person: Person) -> None:
        """Let a person send a command: its answer says what they do not know of their private games."""
        await self._quiet(self.host.true)
        found = await self.host.bot.app.untold.take(person.user, WEEK)
        over, waiting = ([stored.game.id for stored in games] for games in found)
        self.watch.told_by_command(person, over, waiting, self.now)

    def _waits(self, game: Watched) -> None:
        if not game.is_against_bot:
            super()._waits(game)
        elif not game.over and game.arranged != game.serial:
            game.arranged = game.serial
            (person,), true = game.people, self.host.true
            told = "private turns told" if game.private else None
            forgets = self._happens(max(person.forgets, 0 if game.clock else LEAVES), told)
            if game.clock and (forgets or not self._present(person)):
                return
            if person is game.mover:
                time = game.clock.left if game.clock else DAY
                weeks = true + self.rng.randrange(WEEK, 6 * WEEK)  # without a limit they come back some time
                self.at(weeks if forgets else thinks(person, time, true, self.rng), self._plays, game, game.serial)
                if forgets:
                    self.at(weeks - HOUR, self._hears, person)
            if game.number > 1 and self.rng.random() < TAKES_BACK:
                self.at(true + self.rng.randrange(20, HOUR), self._takes_back, game, game.serial)

    async def _has_enough(self, game: Watched, rules: Ruleset) -> None:
        await super()._has_enough(game, rules)
        if game.is_against_bot and game.clock is None and not game.over:  # no time ends it
            self.at(self.host.true + DAY, self._plays, game, game.serial)

    def _again(self, game: Watched) -> None:
        if game.arranged != FOR_EVER:
            game.arranged = FOR_EVER
            super()._again(game)

    async def _takes_back(self, game: Watched, serial: int) -> None:
        """Let a person take their last turn back, with the bot's answer if there is one. The bot agrees at once."""
        if game.over or game.serial != serial or (game.clock and game.clock.flagged):
            return
        await self._quiet(self.host.true)
        done = await self.host.bot.app.requests.make(TAKEBACK, game.id, game.people[0].user)
        self.watch.counts["taken back from the bot"] += 1
        self.watch.taken_back(game, game.number - done.stored.game.turn_number, self.now)
        await self._deliver(done.owed)
        self._waits(game)

    async def _let_house_play(self) -> bool:
        """Let the bot decide all that it is asked, as its loop does. Return whether the process has died meanwhile."""
        while self.host.true >= self.slow_until and (done := await do_next_task(self.host.bot.app)):
            await self._note_bots_turns()
            if await self._post(done.owed):
                return True
        return False

    async def _note_bots_turns(self) -> None:
        """Write down what the bot has decided."""
        for game in self.watch.of(bot_of_club(0)):
            stored = (await self.host.bot.app.games.game(game.id)).game
            if not game.mover.is_bot or (stored.turn_number == game.number and stored.asked is not None):
                continue
            result = stored.position.result
            if result and result.by is Reason.RESIGN:
                self.watch.counts["resigned by the bot"] += 1
                self.watch.ends(game, "won")
            else:
                assert stored.last
                assert stored.turn_number == game.number + 1, game
                void = result is not None and result.by is Reason.REPETITION
                self.watch.counts["turns of the bot"] += 1
                won = stored.last.after.result is not None
                told = turn_told(stored, stored.last)
                self.watch.turned(game, told, self.now, won=won, void=void, answered=False)
                if void:
                    self._waits(await self._begins_anew(game))
            if game.over and game.private:
                self.watch.ended_by_bot(game)
                self.at(self.host.true + self.rng.randrange(60, 3 * DAY), self._hears, game.people[0])
            (self._again if game.over else self._waits)(game)
