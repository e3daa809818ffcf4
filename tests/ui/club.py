"""A server with all people of the access table and a game in each state, and how they use its commands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import discord
import simcord
from simcord.results import InteractionResult

from gipfbot.languages import ENGLISH
from gipfbot.match import Moment, Side, Terms
from gipfbot.match.study import begin_practice
from gipfbot.match.tournament import bank_for_game
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, STANDARD
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.ui.learning.rule_topics import RULE_TOPICS
from gipfbot.values import HiddenUse, News
from gipfbot.values.tournaments import Tournament
from tests.support.games import PLAYED
from tests.support.times import DAY

from .access_table import PEOPLE
from .forged import Forger, forger
from .slash_commands import read_options, slash_commands
from .studying import playing
from .world import World, add_guild, deliver, game_name, seat

STATES = {"running": 1, "over": 2, "asked": 3}  # the game of each


@dataclass
class Club:
    """A server with all people of the table, and games in each state."""

    world: World
    senders: dict[str, Forger]
    facts: dict[str, Any]

    def fill(self, text: str, state: str) -> str:
        """Return a text of the table with the ids of a state."""
        return text.format(**self.facts, **self.facts[state])


async def club(world: World) -> Club:
    """Return the server with all people, and with a game in each state."""
    await world.bot.app.servers.note_language(
        world.guild.id, None, ENGLISH
    )  # else the first manager who looks decides it
    people = await new_people(world)
    tournament = await opened_tournament(world)
    game = await playing(world, *PLAYED[:2])
    assert game == STATES["running"]
    await playing(world, *PLAYED[:2])
    app = world.bot.app
    await app.games.resign(STATES["over"], world.bob.id)
    await playing(world, "a2-b3", "i2-h3", rules="overboard")
    await deliver(world)
    await world.env.advance_time(2 * DAY)
    offer = (await app.requests.make(DRAW, STATES["asked"], world.bob.id)).request.id
    request = (await app.requests.make(TAKEBACK, STATES["asked"], world.bob.id)).request.id
    await deliver(world)
    ann, bob = seat(world.ann), seat(world.bob)
    challenge = (await app.lobby.challenge(ann, bob, STANDARD, Side.LOT, world.home))[0].challenge.id
    seek = (await app.lobby.challenge(ann, None, STANDARD, Side.LOT, world.home))[0].challenge.id
    await deliver(world)
    for player in (ann, bob):
        await app.blocks.block(player.user, seat(people["blocked"]))
    follow = (await app.follows.follow_game(world.cara.id, STATES["running"], News.EACH_TURN)).id
    places = {"hidden": world.guild.channels["open"], "stranger": people["stranger"].guild.channels["elsewhere"]}
    senders = {name: await forger(world, person, places.get(name, world.channel)) for name, person in people.items()}
    await senders["mover"].send(f"study_game:{STATES['over']}")
    facts: dict[str, Any] = {
        "request": request,
        "offer": offer,
        "mover": world.ann.id,
        "tournament": tournament,
        "follow": follow,
        "blocked": people["blocked"].id,
    }
    (study,) = await app.studies.studies(world.ann.id)
    stored = await app.studies.study(study.id, world.ann.id)
    row = parse_position(RULE_TOPICS["row"].line)
    practice = await app.practices.begin(world.ann.id, "Four in a row", begin_practice(row), 1)
    facts |= {"study": study.id, "study_version": stored.study.version, "practice": practice.study.id}
    running = await world.game(STATES["running"])
    plan = await app.studies.begin_hidden(running, world.bob.id, HiddenUse.PLAN)
    guess = await app.studies.begin_hidden(running, world.cara.id, HiddenUse.GUESS)
    facts |= {"plan": plan.study.id, "guess": guess.study.id}
    for state, number in STATES.items():
        known = await world.game(number)
        facts[state] = {
            "game": number,
            "name": game_name(number),
            "serial": known.turn_serial,
            "moment": known.moment_for(world.ann.id) or Moment(known.turn_number, known.taken_back, 0),
            "version": known.version,
            "challenge": {"running": challenge, "over": 1, "asked": seek}[state],
        }
    return Club(world, senders, facts)


async def opened_tournament(world: World) -> int:
    """Return a league that starts in a week, which Ann has joined."""
    return await league_of(world, "Spring", [world.ann], 7 * DAY)


async def league_of(world: World, name: str, people: Iterable[simcord.MemberActor], wait: int) -> int:
    """Return a league that starts in so many seconds, which these people have joined."""
    now, terms = world.bot.app.now(), Terms(bank_for_game(10), vacation=7)
    new = Tournament(0, "league", name, world.home, seat(world.ann), BASIC, terms, 0, now + wait, now)
    opened, owed = await world.bot.app.tournaments.open(new)
    await world.bot.delivery.deliver(owed)
    for person in people:
        await world.bot.app.tournaments.join(opened.id, seat(person))
    return opened.id


async def new_people(world: World) -> dict[str, simcord.MemberActor]:
    """Return the people of the table, in its order."""
    other = await add_guild(world.env, world.bot, "Other")
    other.create_text_channel("elsewhere")
    role = world.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    dan, fay, mia, eve = (
        world.env.create_user(name, global_name=name.capitalize()) for name in ("dan", "fay", "mia", "eve")
    )
    hidden, blocked = world.guild.add_member(dan), world.guild.add_member(fay)
    manager, stranger = world.guild.add_member(mia, roles=[role]), other.add_member(eve)
    world.guild.create_text_channel("open")
    channel = world.bot.get_channel(world.channel.id)
    await world.env.settle()
    assert isinstance(channel, discord.TextChannel)
    await channel.set_permissions(await channel.guild.fetch_member(dan.id), view_channel=False)
    return dict(zip(PEOPLE, (world.ann, world.bob, world.cara, hidden, stranger, manager, blocked), strict=True))


async def use_command(club: Club, person: str, name: str, values: list[str]) -> InteractionResult:
    """Let a person use a slash command, or the command in the menu of the manager."""
    sender = club.senders[person]
    assert isinstance(sender.person, simcord.MemberActor)
    if name == "Challenge to GIPF":
        target = club.senders["watcher" if person == "manager" else "manager"].person
        if person == "stranger":
            target = sender.person.guild.add_member(club.world.env.create_user("zoe"))
        assert isinstance(target, simcord.MemberActor)
        return await sender.person.context_menu(sender.place, name, target)
    command = next(each for each in slash_commands() if each.qualified_name == name)
    options = read_options(command, values, club.world.ann.user)
    return await sender.person.slash(sender.place, name, **options)
