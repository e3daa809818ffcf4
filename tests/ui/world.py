"""A simulated Discord with the bot and its people, and what tests read and do there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest
import simcord
from simcord.results import InteractionResult

from gipfbot.app import create_bot
from gipfbot.match import Game, RequestState, Seat
from gipfbot.rules import Position, ruleset_named
from gipfbot.service.clock import downtime
from gipfbot.service.kit.loaded_games import parse_game_name
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS
from gipfbot.store import Store, challenges, games, servers, tables
from gipfbot.ui.bot import GipfBot
from gipfbot.values import NO_LIMITS, StoredGame, Venue
from tests.support.confirmations import CONFIRMED, confirmed_turn, turn_told
from tests.support.engines import EngineInThread
from tests.support.times import HOUR

from .private_message import PrivateMessage, read_private
from .terms_page import challenge

FOR_EVER = None


@dataclass
class World:
    """One server with a channel, one bot, and its store."""

    env: simcord.Env
    bot: GipfBot
    store: Store
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ann: simcord.MemberActor
    bob: simcord.MemberActor
    cara: simcord.MemberActor

    @property
    def home(self) -> Venue:
        """The place of all games, unless a test names another."""
        return Venue(self.guild.id, self.channel.id)

    async def restart(self) -> None:
        """Let another bot take over the same store, as after a crash or an update."""
        await self.bot.close()
        self.bot = create_bot(self.store, limits=NO_LIMITS, engine=EngineInThread())
        await self.env.restart_bot(self.bot)

    async def add_guild(self, name: str) -> simcord.GuildHandle:
        """Return another server that has invited the bot. The bot has posted nothing there."""
        return await add_guild(self.env, self.bot, name)

    async def begin(self, rules: str = "standard", channel: simcord.ChannelHandle | None = None) -> int:
        """Return a new rated game without a time limit in this channel: Ann, White, has challenged Bob.

        `rules` may have potentials.
        """
        place, agreed = channel or self.channel, dict(ruleset_named(rules).potentials)
        potentials = {name: agreed[letter] for name, letter in POTENTIAL_SETTINGS.items() if letter in agreed}
        options = {"rules": rules.partition("+")[0], "colour": "white", "pace": "none", "rated": True, **potentials}
        await challenge(self.ann, place, opponent=self.bob, **options)
        accepted = await self.bob.click(self.public(place)[-1], label="Accept")
        assert accepted.acknowledged
        return max(brief.id for brief in await self.bot.app.games.running_games(self.ann.id))

    async def prepared(self, position: Position, black: simcord.MemberActor | None = None) -> int:
        """Return a game of Ann, White, at this position, with its board posted."""
        seats = seat(self.ann), seat(black or self.bob)
        async with self.store.transaction() as db:
            fresh = (await games.add_game(db, position.rules, seats, self.home, 0)).game
            await put(db, fresh, position)
        await self.post_board(fresh.id, self.home)
        return fresh.id

    async def post_board(self, game_id: int, home: Venue) -> None:
        """Let the game's board be posted at this place."""
        done = await self.bot.app.venues.relocate(game_id, home)
        await self.bot.delivery.deliver(done.owed)
        await self.env.settle()

    async def game(self, game_id: int = 1) -> Game:
        """Return a game as it stands in the store."""
        return (await self.stored(game_id)).game

    async def stored(self, game_id: int = 1) -> StoredGame:
        """Return a game with what the store knows beyond it."""
        async with self.store.reading() as db:
            found = await games.load_game(db, game_id)
        assert found
        return found

    async def confirmed(self, said: str) -> str:
        """Return the notation of the turn that an answer confirms: the last of its game, told in either way.

        If the answer confirms another turn, return what it says of it. Empty if it confirms none.
        """
        named = CONFIRMED.search(said)
        if named is None:
            return ""
        game = await self.game(parse_game_name(named[2]) or 0)
        told = confirmed_turn(said)
        return game.last.text if game.last and turn_told(game, game.last) == told else told

    def player(self, game: Game) -> simcord.MemberActor:
        """Return the person who is to move."""
        assert game.asked is not None
        return self.person(game.seats[game.asked].user)

    def person(self, user: int) -> simcord.MemberActor:
        """Return the person with this id."""
        return next(person for person in (self.ann, self.bob, self.cara) if person.id == user)

    def public(self, channel: simcord.ChannelHandle | None = None) -> list[discord.Message]:
        """Return the public messages of the bot in a channel, oldest first."""
        history = (channel or self.channel).history()
        return [message for message in history if not message.flags.ephemeral and message.author.bot]

    def board(self, game_id: int = 1, channel: simcord.ChannelHandle | None = None) -> discord.Message:
        """Return the newest public message that has a button of this game."""
        return [m for m in self.public(channel) if any(c.startswith(f"board:{game_id}:") for c in custom_ids(m))][-1]

    def pings(self, message: discord.Message) -> set[int]:
        """Return whom a message pings: the mentions in its text that its policy allows by name.

        A role can be pinged only by an open challenge that begins with it.
        """
        allowed = self.env.backend.get_message(message.channel.id, message.id).allowed_mentions
        assert not allowed.everyone
        assert all(message.content.startswith(f"<@&{role}> ") for role in allowed.roles or ())
        assert allowed.users is not None, "the policy allows any ping"
        return {user.id for user in message.mentions} & allowed.users

    def assert_nobody_else_was_pinged(self) -> None:
        """Assert that each message pings its receiver alone, a result both players, a private one nobody."""
        for channel in self.guild.channels.values() if self.bot.get_guild(self.guild.id) else ():
            for message in channel.history():
                if message.author.bot and not message.is_system():
                    most = 0 if message.flags.ephemeral else 2 if not due(message) else 1
                    assert len(self.pings(message)) <= most, message.content

    async def let_use_server_commands(self, *people: simcord.MemberActor) -> None:
        """Let the server give `/gipf-server` to people who do not manage it."""
        group = next(each for each in await self.bot.tree.fetch_commands() if each.name == "gipf-server")
        self.guild.set_command_permissions(group, dict.fromkeys(people, True))

    async def let_manage(self, *people: simcord.MemberActor) -> None:
        """Let people manage the server."""
        role = self.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
        for person in people:
            guild = self.bot.get_guild(self.guild.id)
            assert guild
            await (await guild.fetch_member(person.id)).add_roles(discord.Object(role.id))

    def fail(self, method: str, path: str, status: int, code: int = 0, *, times: int | None = 1) -> None:
        """Let Discord refuse the next such calls, `times=FOR_EVER` all until `heal`."""
        self.env.inject_error(method, path, status=status, code=code, times=times)

    def heal(self) -> None:
        """Let Discord work again."""
        self.env.backend.faults.clear()


async def add_guild(env: simcord.Env, bot: GipfBot, name: str) -> simcord.GuildHandle:
    """Return a new server that the bot has welcomed. SimCord tells of a server as if it had been there before."""
    guild = env.create_guild(name)
    await env.settle()
    known = bot.get_guild(guild.id)
    assert known
    assert known.me.joined_at
    async with bot.app.arrivals.store.transaction() as db:
        await servers.save_arrival(db, guild.id, int(known.me.joined_at.timestamp()))
    return guild


def looks_seldom(bot: GipfBot, hours: int, patch: pytest.MonkeyPatch) -> None:
    """Let a bot look round only after so many hours: each look costs real time."""
    for loop in (bot.sweep, bot.pulse):
        loop.change_interval(hours=hours)
    patch.setattr(downtime, "MIN_DOWNTIME", (hours + 1) * HOUR)


async def put(db: Any, game: Game, position: Position) -> None:
    """Save a game at this position, at the start of a turn."""
    changed = replace(game, position=position, draft=(), version=game.version + 1)
    await games.save_game(db, game, changed, by=game.seats[0].user, now=0)


def seat(person: simcord.MemberActor) -> Seat:
    """Return a person as a player."""
    return Seat(person.id, person.user.global_name or person.name)


async def deliver(world: World) -> None:
    """Let all that is owed be posted."""
    await world.bot.delivery.sweep()
    await world.env.settle()


def private(result: InteractionResult) -> PrivateMessage:
    """Return the private answer to an interaction. Assert that there is one."""
    assert result.acknowledged, "nothing was answered"
    shown = result.followups[-1] if result.followups else result.response
    assert shown is not None, "nothing was said"
    assert shown.ephemeral, f"everybody can read: {shown}"
    return read_private(shown)


def told(result: InteractionResult) -> str:
    """Return the text of the private answer."""
    return private(result).content


def custom_ids(message: discord.Message) -> set[str]:
    """Return the custom_ids of a public message's components, without the mark of the outbox behind them."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return {(child.custom_id or "").partition("~")[0] for row in rows for child in row.children}


def board_ids(game_id: int, turn_serial: int) -> set[str]:
    """Return the custom_ids of the buttons of a board, in a game of a newcomer."""
    return {f"board:{game_id}:{turn_serial}", f"board_more:{game_id}", f"open_tutorial:game{game_id}"}


def full_custom_id(message: discord.Message, kind: str) -> str:
    """Return the custom_id of a public message's only component of a kind, with the mark of the outbox behind it."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    found = [child.custom_id or "" for row in rows for child in row.children]
    (known,) = [custom_id for custom_id in found if custom_id.partition("~")[0].partition(":")[0] == kind]
    return known


def due(message: discord.Message) -> set[str]:
    """Return the custom_ids of the buttons that ask for an answer, without those of a finished game."""
    finished = ("record:", "rematch:", "standings:", "replay:", "explore_game:", "analyse:", "why_capture:")
    return {each for each in custom_ids(message) if not each.startswith(finished)}


def labels(message: PrivateMessage) -> list[str]:
    """Return what the buttons of a private message say."""
    return [item["label"] for item in components(message) if item["type"] == discord.ComponentType.button.value]


def options(message: PrivateMessage) -> dict[str, str]:
    """Return the choices of a private message's select by label; none without a select."""
    return {
        option["label"]: option["value"]
        for item in components(message)
        if item["type"] == discord.ComponentType.select.value
        for option in item["options"]
    }


def components(message: PrivateMessage) -> Iterable[Mapping[str, Any]]:
    """Return the buttons and selects of a private message."""
    return [item for row in message.rows for item in row]


def game_name(game_id: int) -> str:
    """Return the name of one of the first 26 games."""
    return f"#{chr(ord('a') + game_id - 1)}1"


def buttons(message: discord.Message) -> list[str | None]:
    """Return what the buttons of a public message say."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return [child.label for row in rows for child in row.children if isinstance(child, discord.Button)]


async def challenge_state(world: World, game_id: int = 1) -> RequestState:
    """Return the state of a challenge."""
    async with world.store.reading() as db:
        found = await challenges.load_challenge(db, game_id)
    assert found
    return found.challenge.state


async def counted(world: World, table: str) -> int:
    """Return how many rows a table has."""
    async with world.store.reading() as db:
        return len((await db.execute(tables.metadata.tables[table].select())).all())


async def challenged(world: World, **options: Any) -> discord.Message:
    """Return the message of a challenge by Ann, to Bob unless the options name another."""
    private(await challenge(world.ann, world.channel, **{"opponent": world.bob, **options}))
    return world.public()[-1]


async def sought(world: World, **options: Any) -> discord.Message:
    """Return the message of an open seek by Ann."""
    assert "Your open challenge is" in told(await challenge(world.ann, world.channel, **options))
    return world.public()[-1]


async def time_out(world: World, person: simcord.MemberActor) -> None:
    """Time a person out on the server, for 20 days."""
    guild = world.bot.get_guild(world.guild.id)
    assert guild
    await (await guild.fetch_member(person.id)).edit(timed_out_until=datetime.now(UTC) + timedelta(days=20))
