"""`gipfbot demo`: the same bot against SimCord's simulated Discord, on a page in the browser.

Nothing leaves this machine, and nothing is kept when it ends.
"""

import asyncio
import logging
import signal
import sys
import tempfile
import threading
import warnings
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeVar

import discord
import simcord

from gipfbot.app import create_bot
from gipfbot.engines.protocol import EngineRequest
from gipfbot.languages import say
from gipfbot.match import DAY, Seat, Side, Terms, perform, read_typed_turn, resign_game
from gipfbot.rules import PRESETS
from gipfbot.service.competing.results import save_and_rate
from gipfbot.store import Connection, Store, games
from gipfbot.tools.commands import BAD_USE, ToolParser, number_type
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.kit import texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.lobby.welcome import greet_new_servers
from gipfbot.values import StoredGame, Venue

from .demo_page import Pages, PageUnavailable, follow_real_time, patch_preview
from .demo_people import PagePeople
from .engines.worker import Wish, Worker

A = TypeVar("A")
HIGHEST_PORT = 65535
SETTLE = 30.0
REST = 3.0  # seconds that what still runs at the end may take
# A Standard game in progress. White has captured a piece. Black, who is to move, can make a row with a GIPF-piece in it
# from f8.
DEMO_TURNS = ("g2", "g1-g3", "b1-b3", "h3", "g6", "i5-g5", "g7-g4;xg2*,g3,Gg4,g5,g6", "i4-g6", "g2")

ABSENT = "dan", "eve", "gus", "finn", "hal", "ida", "jon"  # with one of the others, enough for each kind of tournament

OTHER_OPENING = ("a2-c2", "f1-d2", "b1-b3", "i5-g5", "e1-e3")  # of every third finished game

# Finished rated games: how many days ago each ended, who won, and who resigned. Bob is in none, as a friend
# who is invited, so that their games lead to the tutorial.
FINISHED = (
    (70, "dan", "gus"), (69, "ann", "eve"), (66, "dan", "ann"), (64, "gus", "eve"), (63, "eve", "dan"),
    (61, "gus", "ann"), (41, "ann", "gus"), (40, "dan", "eve"), (38, "ann", "dan"), (36, "eve", "gus"),
    (35, "gus", "dan"), (33, "ann", "eve"), (9, "ann", "dan"), (8, "gus", "eve"), (6, "dan", "gus"),
    (5, "eve", "ann"), (3, "ann", "gus"), (2, "dan", "eve"), (1, "finn", "dan"),
)  # fmt: skip


def run_demo(argv: list[str]) -> int:
    """Run the demo until Ctrl-C, SIGTERM or the end of its page. Return 0, or 2 if its port cannot be used."""
    parser = ToolParser("demo", "Try the bot in a browser, without a Discord token.")
    port = number_type(0, HIGHEST_PORT)
    parser.add_argument("--port", type=port, default=0, metavar="N", help="the page's port (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the page's address")
    options = parser.parse_args(argv)
    logging.basicConfig(level=logging.WARNING)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    try:
        asyncio.run(serve_demo(options.port, not options.no_browser))
    except PageUnavailable as error:
        print(error, file=sys.stderr)
        return BAD_USE
    except KeyboardInterrupt:  # on systems whose event loop cannot handle signals
        pass
    return 0


async def serve_demo(port: int, browse: bool) -> None:
    """Show the page until it ends or a signal stops the process. Raises PageUnavailable."""
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
    try:
        place = tempfile.TemporaryDirectory()
    except OSError as error:
        right = "set TMPDIR to a folder that can be written"
        raise PageUnavailable(f"There is no place for the demo's files ({error.strerror}): {right}.") from error
    with place as folder:
        store = await Store.open_database(f"sqlite+aiosqlite:///{folder}/demo.sqlite3")
        try:
            await _run_until_first_done(_show_page(store, port, browse), stop.wait())
        finally:
            await _let_the_rest_end()
            await store.close()


async def _let_the_rest_end() -> None:
    """Wait for what still runs: a connection that is being handed back must not be cut short by the end."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    if rest:
        await asyncio.wait(rest, timeout=REST)


async def _run_until_first_done(*works: Any) -> None:
    """Run coroutines until the first of them ends, then cancel the others. Raises the error of any that failed."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            raise end


async def _show_page(store: Store, port: int, browse: bool) -> None:
    patch_preview()
    engine = DemoEngine()
    bot = create_bot(store, engine=engine)
    try:
        async with simcord.run(bot, settle_timeout=SETTLE, check_errors=False) as env:
            engine.env = env
            pages = Pages(env, port)
            channel, visitors, people = await prepare_channel(env, bot)
            await pages.open_all(channel, visitors)
            page_people = PagePeople(bot, bot.guilds[0].id, people, engine.worker)
            url = pages.first.url
            print(url, "Open this address in a browser here. Ctrl-C ends the demo.", sep="\n", flush=True)
            if browse:
                # A browser may take seconds to answer, and the page must not wait for it.
                threading.Thread(target=_open_browser, args=(url,), daemon=True).start()
            await _run_until_first_done(pages.first.wait_closed(), follow_real_time(env, pages), page_people.live())
    finally:
        await bot.close()
        await engine.worker.close()


class DemoEngine:
    """The bot's engine, in a process of its own. The simulation does not wait for it."""

    env: simcord.Env

    def __init__(self) -> None:
        self.worker = Worker()

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        """Return the engine's answer. Raises EngineFailed."""
        answer: A = await self.env.external_wait(self.worker.ask(request, wish), reason="the engine thinks")
        return answer


async def prepare_channel(
    env: simcord.Env, bot: GipfBot
) -> tuple[simcord.ChannelHandle, list[simcord.MemberActor], list[Seat]]:
    """Set up a channel with a running game and a hint on what to try first.

    Return the channel, the people as whom it is looked at, and those whom the page plays in tournaments. Cara plays in
    no game. Some games of others are over, but none of Bob's.
    """
    _name_bot(env, bot)
    guild = env.create_guild("GIPF club")
    channel = guild.create_text_channel("gipf", topic="Games of GIPF")
    await env.settle()
    await greet_new_servers(bot, bot.guilds)  # the bot's welcome comes first
    ann, bob, cara = _add_people(env, guild)
    # Played behind the scenes: commands would leave their private answers on the page.
    white, black = Seat(bob.id, "Bob"), Seat(ann.id, "Ann")
    service, deliver = bot.app, bot.delivery.deliver
    await service.servers.change(guild.id, {"puzzles": channel.id})
    await service.daily_puzzles.owe_due_puzzles()
    await bot.delivery.sweep()  # the puzzle comes first: what the hint is about stands directly above it
    offered, owed = await service.lobby.challenge(
        white, black, PRESETS["standard"], Side.WHITE, Venue(guild.id, channel.id)
    )
    await deliver(owed)
    offered, done = await service.lobby.accept_challenge(offered.challenge.id, black)
    assert offered.message is not None
    accepted = lobby_texts.challenge_closed_text(
        offered.challenge, lobby_texts.begun_text(offered.challenge, done.game)
    )
    await bot.delivery.strip_buttons(channel.id, offered.message, accepted)
    await deliver(done.owed)
    for index, turn in enumerate(DEMO_TURNS):
        done = await service.games.play_typed(done.game.id, (white, black)[index % 2].user, turn)
        await deliver(done.owed)
    members = [guild.add_member(env.create_user(name, global_name=name.capitalize())) for name in ABSENT]
    await _add_finished_games(bot, offered.venue, {each.name: each.id for each in (ann, *members)})
    await bot.get_partial_messageable(channel.id).send(say(texts.DEMO_WELCOME))
    await env.settle()
    return channel, [ann, bob, cara], [Seat(each.id, each.name.capitalize()) for each in members]


def _name_bot(env: simcord.Env, bot: GipfBot) -> None:
    env.backend.bot_user.name = env.backend.bot_user.global_name = "GIPF"
    if bot.user:
        bot.user.name = bot.user.global_name = "GIPF"  # as a player


def _add_people(env: simcord.Env, guild: simcord.GuildHandle) -> list[simcord.MemberActor]:
    """Add Ann, who manages the server, Bob and Cara, and a role that open challenges can mention."""
    guild.create_role("players", mentionable=True)
    managers = guild.create_role("managers", permissions=discord.Permissions(manage_guild=True, manage_roles=True))
    roles = {"ann": [managers]}
    names = ("ann", "bob", "cara")
    return [
        guild.add_member(env.create_user(name, global_name=name.capitalize()), roles=roles.get(name, []))
        for name in names
    ]


async def _add_finished_games(bot: GipfBot, venue: Venue, people: Mapping[str, int]) -> None:
    """Add the games of FINISHED, as if their boards had been posted long ago. `people` maps names to user ids."""
    async with bot.app.games.store.transaction() as db:
        for number, (days, *names) in enumerate(FINISHED):
            ended_at = bot.app.now() - days * DAY
            winner, loser = (Seat(people[name], name.capitalize()) for name in names)
            sides = (winner, loser) if number % 3 else (loser, winner)
            stored = await games.add_game(db, PRESETS["standard"], sides, venue, ended_at, Terms(rated=True))
            for turn in (OTHER_OPENING if number % 3 == 1 else DEMO_TURNS)[: 4 + number % 5]:
                stored = await _add_turn(db, stored, turn, ended_at)
            await save_and_rate(db, stored, resign_game(stored.game, loser.user), by=loser.user, now=ended_at)
            await games.add_event(db, stored.game.id, "resign", loser.user, ended_at)


async def _add_turn(db: Connection, stored: StoredGame, text: str, now: int) -> StoredGame:
    game = stored.game
    assert game.asked is not None
    by = game.seats[game.asked].user
    done = perform(game, by, read_typed_turn(game, by, text))
    await save_and_rate(db, stored, done.game, done.turn, by=by, now=now, how="typed")
    return stored.with_game(done.game, now)


def _open_browser(url: str) -> None:
    """Open the page in a browser, if there is one. A browser in text mode would only take over the terminal."""
    with suppress(webbrowser.Error):
        browser = webbrowser.get()
        if type(browser) is not webbrowser.GenericBrowser:
            browser.open(url)
