"""What people do, each according to their temper."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from gipfbot.match import TIME_CONTROLS, Game, Refused, RequestState, Seat, Side, Terms, Why, position_after
from gipfbot.match.conditionals import may_add_conditional
from gipfbot.match.study import perform_in_study
from gipfbot.notation import OFFICIAL, turn_text
from gipfbot.rules import (
    BASIC,
    OVERBOARD,
    STANDARD,
    TOURNAMENT,
    Action,
    Position,
    Reason,
    Ruleset,
    legal,
    play,
    ruleset_named,
)
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.service.settings.users import WISHES
from gipfbot.values import HiddenUse, Venue
from tests.support.confirmations import turn_told
from tests.support.times import DAY, HOUR

from .course import Course
from .people import Person, place_of, thinks
from .watch import LATE
from .watched import Watched

UNTIMED = 6 * DAY  # the time for a turn in a game without a limit
PATIENCE = 30 * DAY  # from the end of the year until everybody gives up
PACE_NAMES = "1 2 3 5 7 14 short-saving saving short-saving saving".split()
ZONES = "Europe/Berlin America/New_York Asia/Kolkata Pacific/Auckland".split()
RULES = BASIC, BASIC, BASIC, STANDARD, TOURNAMENT, ruleset_named("standard+Z3P4"), OVERBOARD
POTENTIAL_OPTIONS = {"Z": "zertz", "P": "punct"}
GRACES = 12, 12, 2, 0  # hours, for the clubs in turn


class Doings(Course):
    """A course of time with the acts of people."""

    def _present(self, person: Person) -> bool:
        return person.gone is None or self.host.true < person.gone

    async def _meet(self) -> None:
        """Let a person challenge another one of their club. If that fails, let others meet later."""
        club = self.rng.randrange(self.plan.clubs)
        there = [person for person in self.people if person.club == club and self._present(person)]
        if len(there) < 2:
            self.at(self.host.true + HOUR, self._meet)
            return
        by, to = self.rng.sample(there, 2)
        seek, pace = self.rng.random() < 0.2, self.rng.choice(PACE_NAMES) if self.rng.random() < 0.85 else "none"
        side, weekends = self.rng.choice((Side.WHITE, Side.BLACK)), self.rng.random() < 0.7
        rules = self.rng.choice(RULES)
        await self._quiet(self.host.true)
        is_open = self.rng.random() < 0.5  # whether it is left open if the game is rated
        terms = Terms(TIME_CONTROLS[pace], weekends, GRACES[club % len(GRACES)] * HOUR, rated=True)
        terms = replace(terms, rated_if_finished=is_open)
        home, opponent = Venue(1 + club, place_of(by)), None if seek else Seat(to.user, to.name)
        service = self.host.bot.app
        try:
            made, owed = await service.lobby.challenge(Seat(by.user, by.name), opponent, rules, side, home, terms)
        except Refused as refusal:
            among(refusal, Why.CHALLENGES_CROSS)
            self.at(self.host.true + DAY, self._meet)
            return
        potentials = {POTENTIAL_OPTIONS[letter]: number for letter, number in rules.potentials}
        preset = rules.name.partition("+")[0]
        said = {"rules": preset, **potentials, "colour": side.value, "pace": pace}
        said |= ({} if pace == "none" else {"weekends": weekends}) | ({} if is_open else {"rated": True})
        if seek and club != self.plan.club:
            self.watch.seeks(club, made.mentioned_role, self.now)
        self._write("challenges", by, what=(made.challenge.id, None if seek else to.user, said))
        await self._deliver(owed)
        self.at(self.host.true + int(HOUR * 2 ** self.rng.uniform(-4, 8)), self._accepts, made.challenge.id, by, to)

    async def _accepts(self, game_id: int, by: Person, to: Person) -> None:
        if not self._present(to) or self.rng.random() < 0.05:
            self.at(self.host.true + HOUR, self._meet)
            return
        try:
            await self._quiet(self.host.true)
            made, done = await self.host.bot.app.lobby.accept_challenge(game_id, Seat(to.user, to.name))
            self._write("accepts", to, done.game.id, game_id)
        except Refused as refusal:
            among(refusal, Why.CHALLENGE_CLOSED)
            self.at(self.host.true + HOUR, self._meet)
            return
        white = by if made.challenge.side is Side.WHITE else to
        await self._begins(done, white, to if white is by else by)

    async def _begins(self, done: GameUpdate, white: Person, black: Person) -> None:
        self.begun += 1
        self.at_game(self.begun)
        private = done.stored.venue.is_private
        lasts = 10_000 if self.rng.random() < (0.7 if private else 0.08) else int(self.rng.expovariate(0.2))
        game = self.watch.began(done.game.id, (white, black), done.game.terms, lasts, self.now, private=private)
        await self._deliver(done.owed)
        self._waits(game)

    def _waits(self, game: Watched) -> None:
        """Schedule what both players do next: the player to move thinks, the other one waits."""
        mover, other, true = game.mover, game.other, self.host.true
        if self._present(mover) and self.rng.random() >= mover.forgets:
            time = game.clock.left if game.clock else UNTIMED
            self.at(thinks(mover, time, true, self.rng), self._plays, game, game.serial)
        if self._present(other):
            if self.rng.random() < other.nudges:
                self.at(true + self.rng.randrange(DAY // 2, 3 * DAY), self._nudges, game, game.serial)
            if self.rng.random() < other.undoes and game.number:
                self.at(true + self.rng.randrange(60, HOUR), self._asks_back, game, game.serial)
            if self._happens(other.answers, "lapsed"):
                self.at(true + self.rng.randrange(60, HOUR), self._leaves_answers, game, game.serial)
        if game.clock is None:
            self.at(true + 30 * DAY + 60, self._claims_it, game, game.serial)

    async def _plays(self, game: Watched, serial: int) -> None:
        if game.over or game.serial != serial or not self._present(game.mover):
            return
        await self._quiet(self.host.true)
        mover = game.mover
        stored = await self.host.bot.app.games.game(game.id)
        if game.number >= game.lasts or self.host.true > self.ends + PATIENCE:
            await self._has_enough(game, stored.game.ruleset)
            return
        if self.rng.random() < mover.fiddles:
            await self._fiddles(mover)
        position = stored.game.position
        actions = None if self._happens(0.3, "lapsed") else game.foreseen.get(serial)
        actions = actions or self._turn(position)
        text = turn_text(position, actions)
        if self.rng.random() < 0.2 or self.plan.club == mover.club:
            done = await self.host.bot.app.games.play_typed(game.id, mover.user, text, sure=True)
        else:
            done = await self.host.bot.app.games.play_actions(
                game.id, mover.user, actions, stored.game.version, sure=True
            )
        self._write("plays", mover, game.id, text)
        await self._played(game, done)

    def _turn(self, position: Position) -> tuple[Action, ...]:
        mover, actions = position.mover, list[Action]()
        while position.mover is mover and position.result is None:
            actions.append(self.rng.choice(legal(position)))
            position = play(position, actions[-1])
        return tuple(actions)

    async def _played(self, game: Watched, done: GameUpdate) -> None:
        assert done.turn
        turns = done.turn, *done.conditional_turns
        result = done.game.position.result
        is_void = result is not None and result.by is Reason.REPETITION
        for turn in turns:
            won, void, answered = turn.after.result is not None, turn is turns[-1] and is_void, turn is not turns[-1]
            self.watch.turned(game, turn_told(done.game, turn), self.now, won=won, void=void, answered=answered)
        self.watch.counts["answers in advance"] += len(done.conditional_turns)
        assert game.over == (result is not None)
        following = await self._begins_anew(game) if is_void else None
        await self._deliver(done.owed)
        if following:
            self._waits(following)
        elif game.over:
            self._again(game)
        else:
            self._waits(game)

    async def _begins_anew(self, game: Watched) -> Watched:
        """Note the game that follows a void one: colours are swapped, and both keep their time (R6.3)."""
        black, white = game.players
        newest = max(brief.id for brief in await self.host.bot.app.games.running_games(white.user))
        what = newest, (white, black), game.terms, game.lasts, self.now, game.clock
        return self.watch.began(*what, private=game.private)

    async def _offers_draw(self, game: Watched) -> None:
        """Let the player to move offer a draw, and let the opponent answer later."""
        offered = await self.host.bot.app.requests.make(DRAW, game.id, game.mover.user)
        self._write("offers draw", game.mover, game.id)
        game.draw_offered = game.serial
        self.watch.counts["draw offers"] += 1
        await self._deliver(offered.owed)
        offer = offered.request.id
        self.at(self.host.true + self.rng.randrange(60, DAY), self._answers_draw, game, game.serial, offer)

    async def _answers_draw(self, game: Watched, serial: int, offer: int) -> None:
        """Let the player who was offered a draw accept or decline it, unless somebody has played."""
        if game.over or game.serial != serial or not self._present(game.other):
            return
        await self._quiet(self.host.true)
        accepts, by = self._happens(0.6, "drawn"), game.other
        state = RequestState.ACCEPTED if accepts else RequestState.DECLINED
        done = await self.host.bot.app.requests.settle(offer, by.user, state)
        self._write("agrees to draw" if accepts else "declines draw", by, game.id)
        if accepts:
            self.watch.ends(game, "drawn")
        await self._deliver(done.owed)
        if not accepts:
            self.at(self.host.true + HOUR, self._plays, game, serial)

    async def _has_enough(self, game: Watched, rules: Ruleset) -> None:
        """Let a player offer a draw, resign, cancel the game, or never come back to it."""
        if rules.agreed_draw and game.number > 1 and game.draw_offered != game.serial and self._happens(0.8, "draw"):
            await self._offers_draw(game)
            return
        if self._happens(1 - game.mover.resigns, None if game.clock or game.is_against_bot else "claims"):
            return
        service, by = self.host.bot.app, self.rng.choice(game.people)
        off = game.number < 2 and self._happens(0.7, "off")
        done = await (service.games.cancel_game if off else service.games.resign)(game.id, by.user)
        self._write("calls off" if off else "resigns", by, game.id)
        self.watch.ends(game, "off" if off else "won")
        await self._deliver(done.owed)
        if not off:
            self._again(game)

    def _again(self, game: Watched) -> None:
        """Let one of the players, or both, ask for a rematch."""
        counted = "private rematches" if game.private else None
        for player in game.people:
            if self._happens(player.rematches, counted) and self._present(player) and self.host.true < self.ends:
                self.at(self.host.true + self.rng.randrange(30, 5 * HOUR), self._rematch, game, player)

    async def _rematch(self, game: Watched, by: Person) -> None:
        await self._quiet(self.host.true)
        try:
            made, owed = await self.host.bot.app.lobby.rematch(game.id, Seat(by.user, by.name))
        except Refused as refusal:
            among(refusal, Why.REMATCH_BEGUN, Why.REMATCH_ASKED, Why.CHALLENGES_CROSS, Why.TOO_MANY_PRIVATE)
            return
        self._write("rematch", by, game.id, (made.challenge.id, made.game))
        if made.game:
            stored = await self.host.bot.app.games.game(made.game)
            self.watch.counts["private rematches"] += stored.venue.is_private
            await self._begins(GameUpdate(stored, owed), game.players[1], game.players[0])
        else:
            await self._deliver(owed)
            if self.rng.random() < 0.5:
                other = next(player for player in game.players if player is not by)
                self.at(self.host.true + self.rng.randrange(30, DAY), self._accepts, made.challenge.id, by, other)

    async def _nudges(self, game: Watched, serial: int) -> None:
        if game.over or game.serial != serial:
            return
        await self._quiet(self.host.true)
        try:
            owed = await self.host.bot.app.reminders.nudge(game.id, game.other.user, serial)
        except Refused as refusal:
            early = self.now < game.since + DAY
            why = {Why.NUDGED: game.nudged, Why.OPPONENT_AWAY: game.mover.away, Why.NUDGE_TOO_EARLY: early}
            among(refusal, *(each for each, holds in why.items() if holds))
            return
        assert not game.nudged, game
        assert self.now >= game.since + DAY, game
        game.nudged = True
        self.at(self.host.true + HOUR, self._nudges, game, serial)
        self._write("nudges", game.other, game.id)
        await self._deliver((owed,) if owed else ())

    async def _shows(self) -> None:
        """Let a person of any club but the recorded one show the board of a game of their club in its channel."""
        club, running = self.rng.randrange(self.plan.clubs), self.watch.running()
        games = [game for game in running if game.players[0].club == club != self.plan.club and not game.private]
        there = [person for person in self.people if person.club == club and self._present(person)]
        if not games or not there:
            return
        game, by = self.rng.choice(games), self.rng.choice(there)
        await self._quiet(self.host.true)
        what, place = {"what": "board", "game": game.id, "place": game.number}, place_of(by)
        kept = {"notation": OFFICIAL.name, "server": 1 + club, "parent": None, "games": [game.id], **what}
        source = by.user, next(self.numbers), self.now
        owed = await self.host.bot.app.showing.show(*source, f"board:{game.id}:{game.number}", place, kept)
        self.watch.shows(by, game)
        await self._deliver(owed)

    async def _fiddles(self, person: Person) -> None:
        wish = self.rng.choice([*WISHES, "off", "off"])
        self._write("wishes", person, what=wish)
        await self.host.bot.app.reminders.set_wish(person.user, wish)
        self.watch.wishes(person, wish, self.now)

    async def _hushes(self, game: Watched, person: Person) -> None:
        if game.over:
            return
        await self._quiet(self.host.true)
        await self.host.bot.app.reminders.turn_off_for_game(person.user, game.id)
        self._write("hushes", person, game.id)
        game.quiet.add(person.user)
        self.watch.counts["quiet"] += 1
        if game.clock:
            game.clock.tick(self.now)
        self.watch.plan(game)

    async def _subscribes(self, person: Person) -> None:
        """Let a person turn on the daily digest."""
        await self._quiet(self.host.true)
        hour, zone = self.rng.randrange(7, 22), self.rng.choice(ZONES)
        await self.host.bot.app.digests.set_plan(person.user, hour, zone)
        self._write("subscribes", person, what=(hour, zone))
        person.digest = hour, zone
        self._awaits_digest(person)

    def _awaits_digest(self, person: Person) -> None:
        assert person.digest
        hour, zone = person.digest
        here = datetime.fromtimestamp(self.host.true, ZoneInfo(zone))
        due = here.replace(hour=hour, minute=0, second=0) + timedelta(days=here.hour >= hour)
        self.at(int(due.timestamp()) + LATE, self._has_digest, person, int(due.timestamp()))

    async def _has_digest(self, person: Person, due: int) -> None:
        """Fail if a digest is missing although games wait and the host had no mishap."""
        assert person.digest
        waits = any(game.since < due for game in self.watch.waiting(person))
        is_calm = not self.unnoticed and self.host.offset == 0 and self.calm_since < due - HOUR
        if waits and is_calm and self.host.true < due + 2 * LATE:
            day = str(datetime.fromtimestamp(due, ZoneInfo(person.digest[1])).date())
            assert person.digested == day, (person, day)
        if self.host.true < self.ends:
            self._awaits_digest(person)

    async def _leaves(self, person: Person) -> None:
        if not self._present(person) or person.away is not None:
            return
        await self._quiet(self.host.true)
        left = (await self.host.bot.app.vacations.vacation_status(person.user)).days_left
        if left < 2:
            return
        days = self.rng.randrange(1, min(left, 14))
        self._write("leaves", person, what=days)
        leave, owed = await self.host.bot.app.vacations.start_vacation(person.user, days)
        self.watch.counts["vacations"] += 1
        self.watch.leaves(person, self.now + days * DAY, leave.flagged, self.now)
        await self._deliver(owed)
        if self.rng.random() < 0.3:  # not within an hour, as if they had never left
            self.at(self.host.true + self.rng.randrange(HOUR, days * DAY), self._returns, person)

    async def _returns(self, person: Person) -> None:
        if person.away is None:
            return
        await self._quiet(self.host.true)
        self._write("returns", person)
        _, owed = await self.host.bot.app.vacations.end_vacation(person.user)
        self.watch.returns(person, self.now)
        await self._deliver(owed)

    async def _shuts(self, person: Person) -> None:
        self._write("shuts", person)
        self.host.wall.dms_shut.add(person.user)
        self.host.wall.refused.clear()

    async def _opens(self, person: Person) -> None:
        self._write("opens", person)
        self.host.wall.dms_shut.discard(person.user)
        await self.host.bot.app.reminders.note_dms_open(person.user)

    async def _asks_back(self, game: Watched, serial: int) -> None:
        if game.over or game.serial != serial or not game.number:
            return
        await self._quiet(self.host.true)
        try:
            offered = await self.host.bot.app.requests.make(TAKEBACK, game.id, game.other.user)
        except Refused as refusal:
            among(refusal, Why.REQUEST_AGAIN, Why.REQUEST_OPEN, Why.TAKEBACK_TOO_LATE, Why.REQUEST_TO_ANSWER)
            return
        self._write("asks back", game.other, game.id, offered.request.id)
        await self._deliver(offered.owed)
        self.at(self.host.true + self.rng.randrange(60, DAY), self._lets_back, game, offered.request.id)

    async def _lets_back(self, game: Watched, offer: int) -> None:
        if game.over:
            return
        await self._quiet(self.host.true)
        stands = (await self.host.bot.app.requests.current(offer)).request
        by = next(player for player in game.players if player.user != stands.by)
        if not self._present(by):
            return
        lets = self.rng.random() < 0.7
        try:
            state = RequestState.ACCEPTED if lets else RequestState.DECLINED
            done = await self.host.bot.app.requests.settle(offer, by.user, state)
        except Refused as refusal:
            among(refusal, Why.REQUEST_CLOSED)
            return
        self._write("lets back" if lets else "insists", by, game.id, offer)
        if lets:
            self.watch.taken_back(game, game.number - done.stored.game.turn_number, self.now)
        await self._deliver(done.owed)
        if lets:
            self._waits(game)

    async def _leaves_answers(self, game: Watched, serial: int) -> None:
        """Let a player leave a conditional line; the opponent will probably play its first turn."""
        if game.over or game.serial != serial:
            return
        await self._quiet(self.host.true)
        stands = (await self.host.bot.app.games.game(game.id)).game
        if not may_add_conditional(stands, game.other.user):  # in grace: any turn ends the game
            return
        position = stands.position
        turns, texts = list[tuple[Action, ...]](), list[str]()
        for _ in range(2 * self.rng.randrange(1, 4)):
            turns.append(self._turn(position))
            texts.append(turn_text(position, turns[-1]))
            position = position_after(position, turns[-1])
            if position.result:
                return
        self._write("leaves answers", game.other, game.id, " ".join(texts))
        await self._save_line(stands, game.other.user, turns, " ".join(texts))
        game.foreseen[game.serial] = turns[0]

    async def _save_line(self, game: Game, user: int, turns: Sequence[tuple[Action, ...]], text: str) -> None:
        """Save a conditional line: pressed in every second game, typed in the others."""
        app = self.host.bot.app
        if game.id % 2 or game.ruleset.asks_opponent:
            await app.conditionals.add_typed_line(game.id, user, text)
            return
        plan = await app.studies.begin_hidden(game, user, HiddenUse.PLAN)
        for actions in turns:
            step = partial(perform_in_study, actions=actions)
            plan = await app.studies.change(plan.study.id, user, plan.study.version, step)
        await app.conditionals.add_line_from_study(plan)

    async def _claims_it(self, game: Watched, serial: int) -> None:
        """Let the waiting player claim the win, unless a turn was played."""
        if game.over or game.serial != serial:
            return
        await self._quiet(self.host.true)
        try:
            claimed = await self.host.bot.app.win_claims.claim_win(game.id, game.other.user)
        except Refused as refusal:
            among(refusal, Why.CLAIM_WIN_TOO_EARLY, Why.CLAIM_WIN_PENDING)
            self.at(self.host.true + 5 * DAY, self._claims_it, game, serial)
            return
        self._write("claims", game.other, game.id)
        assert claimed.until >= self.now + 7 * DAY, "too short a warning"
        game.claimed_until = claimed.until
        self.watch.counts["claims"] += 1
        await self._deliver(claimed.owed)


def among(refusal: Refused, *whys: Why) -> None:
    """Fail unless a refusal is one of these."""
    assert refusal.why in whys, refusal.why
