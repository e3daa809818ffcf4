"""The people of the demo's page who take part in tournaments, so that a visitor alone sees a whole one.

They join, play their turns and stay for the next season. Nobody waits for days: see `PagePeople._start_soon`.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from gipfbot.engines.engine_turns import engine_actions
from gipfbot.engines.protocol import EngineFailed
from gipfbot.engines.worker import Wish, cost_of_level, request_of_level
from gipfbot.languages import say, speaking
from gipfbot.match import Game, Refused, Seat, Terms, decide_plainly, positions_before
from gipfbot.rules import Action, Position
from gipfbot.service.house.house_player import Engine
from gipfbot.service.tournaments.course import due_key, remind_key
from gipfbot.service.tournaments.kinds import tournament_kinds
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.store import due, games, tournaments
from gipfbot.ui.kit import AppClient, texts
from gipfbot.ui.kit.spoken import written_on
from gipfbot.ui.tournaments.tournament_texts import tournament_name
from gipfbot.values import Stale
from gipfbot.values.tournaments import Tournament

log = logging.getLogger(__name__)
PAUSE_SECONDS = 3.0  # between two looks: one more joins then, or plays a turn
START_SECONDS = 10  # until a start that waits for nobody any more
LEVEL = 2  # of their play
SHORT_GAME = 8  # turns of a game that no visitor plays: its boards are in the way of the visitors'


class PagePeople:
    """People of one server who take part in all of its tournaments. Without an engine, they play by the rules alone."""

    def __init__(self, bot: AppClient, server: int, people: Sequence[Seat], engine: Engine | None) -> None:
        self.bot, self.server, self.people, self.engine = bot, server, people, engine
        self.users = {person.user for person in people}

    async def live(self) -> None:
        """Act every few seconds. Never ends."""
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            try:
                await self.act()
            except Exception:
                log.exception("the page's people could not act")

    async def act(self) -> None:
        """Let one of them join each tournament that needs them, and let them play the turns that visitors wait for."""
        for tournament in await self.bot.app.tournaments.on_server(self.server):
            shown = await self.bot.app.tournaments.show(tournament.id)
            await self._enter(shown)
            await self._play_turns(shown)

    # ── Joining and staying ──

    async def _enter(self, shown: Shown) -> None:
        """Let the next of them join or stay. Once all and a visitor have entered, let it start soon."""
        tournament = shown.tournament
        if not tournament.starts_at:
            return
        needed = self.people[: tournament_kinds()[tournament.kind].fewest - 1]
        missing = [person for person in needed if not shown.has_entered(person.user)]
        if missing:
            with suppress(Refused):  # it is full
                await self.bot.app.tournaments.join(tournament.id, missing[0])
        elif {each.seat.user for each in shown.entered} - self._not_visitors(tournament.terms):
            await self._start_soon(tournament)

    async def _start_soon(self, tournament: Tournament) -> None:
        """Let a tournament or its next season begin in a few seconds, not days. Only the page has such a thing."""
        now = self.bot.app.now()
        soon = replace(tournament, starts_at=now + START_SECONDS)
        if tournament.starts_at <= soon.starts_at:
            return
        what = f"season:{tournament.joins}" if tournament.begun else "start"
        try:
            async with self.bot.app.games.store.transaction() as db:
                await tournaments.save_tournament(db, tournament, soon)
                await due.postpone(db, due_key(tournament.id, what), soon.starts_at)
                await due.postpone(db, remind_key(tournament), now)
        except Stale:  # it was stopped meanwhile
            return
        with speaking(await written_on(self.bot, self.server)):
            text = say(texts.DEMO_STARTS_SOON, tournament=tournament_name(soon))
            await self.bot.get_partial_messageable(soon.venue.channel).send(text)

    # ── Playing ──

    async def _play_turns(self, shown: Shown) -> None:
        """Play all turns for which visitors wait, and one turn in the shortest game of these people alone."""
        ids = [each.game for each in shown.played.pairings if each.game and not each.outcome]
        running = [stored.game for stored in (await self.bot.app.games.games(ids)).values()]
        waiting = [game for game in running if game.asked is not None and game.seats[game.asked].user in self.users]
        own = [game for game in waiting if self._is_without_visitor(game)]
        for game in waiting:
            if game not in own:
                await self._play(game)
        if own:
            await self._play(min(own, key=lambda game: game.turn_number))

    def _is_without_visitor(self, game: Game) -> bool:
        return not {seat.user for seat in game.seats} - self._not_visitors(game.terms)

    def _not_visitors(self, terms: Terms) -> set[int]:
        return self.users | ({terms.house.user} if terms.house else set())

    async def _play(self, game: Game) -> None:
        """Play a turn. In a game without a visitor that is long enough, let the player resign who stands worse."""
        assert game.asked is not None
        actions, score = await self._decide(game)
        own_games = self.bot.app.games
        try:
            if self._is_without_visitor(game) and game.turn_number >= SHORT_GAME:
                loser = game.asked if score <= 0 else game.asked.other
                update = await own_games.resign(game.id, game.seats[loser].user, game.version)
            else:
                user = game.seats[game.asked].user
                update = await own_games.play_actions(game.id, user, actions, game.version, sure=True)
        except (Refused, Stale):  # it has gone on meanwhile
            return
        await self.bot.delivery.deliver(update.owed)

    async def _decide(self, game: Game) -> tuple[tuple[Action, ...], int]:
        """Return what the player who is asked does, and their score in hundredths of a piece."""
        assert game.asked is not None
        position, user = game.current if game.draft else game.position, game.seats[game.asked].user
        if self.engine:
            request = request_of_level(position, await self._positions_before(game), LEVEL, game.id)
            with suppress(EngineFailed):
                best = (await self.engine.ask(request, Wish(user, cost_of_level(LEVEL)))).best
                return engine_actions(position, best.turn), best.score
        return decide_plainly(game.current), 0

    async def _positions_before(self, game: Game) -> tuple[Position, ...]:
        async with self.bot.app.games.store.reading() as db:
            turns = await games.turns_of(db, game.id)
        return positions_before(game.ruleset, [turn.actions for turn in turns])
