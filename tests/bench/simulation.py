"""The bot in SimCord, a simulated Discord, with the times at which the bot's calls arrive there.

A call of SimCord returns only when nothing is left to do, so its duration is no measure of the bot. The bench
measures the time from SimCord's interaction to the arrival of the bot's call.
"""

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple
from unittest.mock import patch

import simcord
from simcord.http import router
from simcord.results import InteractionResult, ResponseMessage

from gipfbot.app import create_bot
from gipfbot.match import UNTIMED, Game, Seat, Terms, new_game, perform
from gipfbot.rules import STANDARD, Action, ByColour, Colour
from gipfbot.service.delivery import board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store import Connection, Store, games, outbox
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.kit import pictures
from gipfbot.values import NO_LIMITS, Venue
from render import Described, png

from .ratios import Measure

SETTLE = 30.0  # seconds
NOW = 1_700_000_000


class Arrival(NamedTuple):
    """An API call by the bot: when it reached the simulated Discord, its path, and whether it carries a file."""

    at: float
    path: str
    file: bool


@dataclass
class Club:
    """A simulated channel with the bot and two players."""

    bot: GipfBot
    channel: simcord.ChannelHandle
    people: ByColour[simcord.MemberActor]
    venue: Venue
    seats: ByColour[Seat]
    join: Callable[[str], simcord.MemberActor]  # adds a person to the server, by name
    arrivals: list[Arrival] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)  # when interactions were sent
    drawn: list[float] = field(default_factory=list)  # seconds to draw and encode in the bot's worker

    async def play(self, colour: Colour, game: int, text: str) -> float:
        """Let a player type their turn; return the seconds until the picture of the new board arrives.

        Raises LookupError if no picture arrives.
        """
        self.arrivals.clear()
        self.sent.clear()
        await self.people[colour].slash(self.channel, "move", notation=text, game=game_name(game))
        posts = [each.at for each in self.arrivals if each.file and each.path.startswith("/channels/")]
        if not posts:
            raise LookupError(f"the turn {text} brought no picture")
        return posts[0] - self.sent[0]

    async def show_leaderboard(self, pool: str, page: int) -> float:
        """Let a player ask for a leaderboard of all servers; return the seconds until its picture arrives."""
        return await self.show_picture("gipf leaderboard", pool=pool, scope="global", page=page)

    async def show_picture(self, command: str, **options: Any) -> float:
        """Let a player give a command; return the seconds until the picture of its answer arrives."""
        self.arrivals.clear()
        self.sent.clear()
        await self.people[Colour.WHITE].slash(self.channel, command, **options)
        return next(each.at for each in self.arrivals if each.file) - self.sent[0]

    async def show_board(self, game: int) -> ResponseMessage:
        """Return the private board of a game, as a player has asked for it."""
        return await self.show_message("gipf board", game=game_name(game))

    async def show_message(self, command: str, **options: Any) -> ResponseMessage:
        """Let a player give a command; return its answer."""
        return _answer_of(await self.people[Colour.WHITE].slash(self.channel, command, **options))

    async def resign(self, game: int) -> float:
        """Let White resign; return the seconds from the button that does it until the last board arrives."""
        asked = await self.people[Colour.WHITE].slash(self.channel, "gipf resign", game=game_name(game))
        return await self.press_for_picture(_answer_of(asked), "Resign")

    async def press_for_picture(self, shown: ResponseMessage, label: str) -> float:
        """Let White press a button; return the seconds until the first picture arrives."""
        self.arrivals.clear()
        self.sent.clear()
        await self.people[Colour.WHITE].click(shown, label=label)
        return next(each.at for each in self.arrivals if each.file) - self.sent[0]

    async def ask_about_draws(self, colour: Colour) -> float:
        """Let a player ask whether there are draws; return the seconds until the answer arrives.

        The answer needs no store and no picture.
        """
        self.arrivals.clear()
        self.sent.clear()
        await self.people[colour].slash(self.channel, "move", notation="draw")
        return self.arrivals[0].at - self.sent[0]


def _answer_of(result: InteractionResult) -> ResponseMessage:
    shown = result.followups[-1] if result.followups else result.response
    assert shown
    return shown


@asynccontextmanager
async def fresh_store() -> AsyncIterator[Store]:
    """Open an empty store in a file that is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open_database(f"sqlite+aiosqlite:///{folder}/bench.sqlite3")
        try:
            yield store
        finally:
            await store.close()


@asynccontextmanager
async def simulated_club(store: Store) -> AsyncIterator[Club]:
    """Run the bot in a simulated channel with two players, until the end of the `with` block."""
    bot = create_bot(store, limits=NO_LIMITS)
    try:
        async with simcord.run(bot, settle_timeout=SETTLE) as env:
            guild = env.create_guild("GIPF club")
            channel = guild.create_text_channel("gipf")

            def join(name: str) -> simcord.MemberActor:
                return guild.add_member(env.create_user(name))

            ann, bob = join("ann"), join("bob")
            seats = Seat(ann.id, "ann"), Seat(bob.id, "bob")
            made = Club(bot, channel, (ann, bob), Venue(guild.id, channel.id), seats, join)
            stop = env._register_dispatch_observer(lambda _: made.sent.append(perf_counter()))
            with _record_arrivals(made.arrivals), _record_draw_seconds(made.drawn):
                yield made
            stop()
    finally:
        await bot.close()


def _record_arrivals(noted: list[Arrival]) -> AbstractContextManager[object]:
    receive = router.dispatch

    def dispatch(backend: Any, method: str, path: str, **call: Any) -> Any:
        noted.append(Arrival(perf_counter(), path, bool(call.get("files"))))
        return receive(backend, method, path, **call)

    return patch.object(router, "dispatch", dispatch)


def _record_draw_seconds(noted: list[float]) -> AbstractContextManager[object]:
    """Record how many seconds the worker takes to draw and encode each picture.

    The transfer to and from the worker is not included.
    """

    def draw(picture: Described, **options: Any) -> bytes:
        begun = perf_counter()
        file = png(picture, **options)
        noted.append(perf_counter() - begun)
        return file

    return patch.object(pictures, "png", draw)


def serve_from_store(bot: GipfBot, store: Store) -> None:
    """Let a running bot use another store."""
    for keeper in vars(bot.app).values():
        if isinstance(getattr(keeper, "store", None), Store):
            keeper.store = store


def store_measure(here: Club, store: Store, ask: Callable[[], Awaitable[float]]) -> Measure:
    """Return a measure that lets the bot use this store, then asks it."""

    async def measure() -> float:
        serve_from_store(here.bot, store)
        return await ask()

    return measure


async def store_played_game(
    db: Connection,
    seats: ByColour[Seat],
    venue: Venue,
    turns: Sequence[Sequence[Action]],
    terms: Terms = UNTIMED,
) -> Game:
    """Store a Standard game in which these turns were played, and return it.

    Store also a board for each turn, as if it had been posted.
    """
    game_id = (await games.add_game(db, STANDARD, seats, venue, NOW, terms)).game.id
    game = new_game(game_id, STANDARD, seats, terms)
    for actions in turns:
        assert game.asked is not None
        by = seats[game.asked].user
        done = perform(game, by, actions)
        await games.save_game(db, game, done.game, done.turn, by=by, how="typed", now=NOW)
        game = done.game
        board = board_message.pack_board(board_message.new_board_message(game))
        owed = await outbox.owe(
            db, f"board:{game_id}:{game.version}", board_message.BOARD, venue.channel, board, NOW, game_id
        )
        await outbox.mark_posted(db, owed, None, NOW)
    return game
