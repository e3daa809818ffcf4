"""Everybody may use what the table in `access_table.py` says, and nothing else.

People who may not see a game learn nothing of it, and no answer but a turn or a request reaches the channel.
"""

from dataclasses import dataclass, replace
from typing import Any

import discord
import pytest
import simcord
from simcord.results import InteractionResult

from gipfbot.match import Moment, Side
from gipfbot.match.study import begin_practice
from gipfbot.notation import parse_position
from gipfbot.rules import STANDARD
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.ui.kit import refusal_texts, texts
from gipfbot.ui.kit.interactions import KINDS
from gipfbot.ui.learning.rule_topics import RULE_TOPICS
from gipfbot.ui.lobby import lobby_texts
from gipfbot.values import News
from tests.support.games import PLAYED
from tests.support.times import DAY

from .access_table import COMMANDS_TABLE, COMPONENTS, PEOPLE, Row
from .forged import Forger, answered_text, forger
from .slash_commands import command_names, read_options, slash_commands
from .stored_rows import Rows, StoredRows, stored_rows
from .studying import playing
from .world import World, add_guild, buttons, deliver, game_name, seat

pytestmark = pytest.mark.looks_every(60)
NOT_GIVEN = "default-member-permissions"  # Discord itself does not let the person give the command
STATES = {"running": 1, "over": 2, "asked": 3}  # the game of each
REFUSALS = (
    texts.CANNOT_SEE_GAME,
    texts.PLAYED_ELSEWHERE,
    texts.NOT_YOUR_GAME,
    texts.UNKNOWN_BUTTON,
    texts.ONLY_FOR_MANAGERS,
    lobby_texts.CANNOT_SEE_SEEK,
    lobby_texts.OWN_CHALLENGE_DECLINED,
)


def test_table_has_a_row_for_each_command_and_component() -> None:
    components, commands = {row.use.partition(":")[0] for row in COMPONENTS}, [row.use for row in COMMANDS_TABLE]
    file = "tests/ui/access_table.py, who may use"
    assert not (new := {*KINDS} - components), f"say in COMPONENTS of {file} what begins with: {new}"
    assert not (new := {*command_names()} - {*commands}), f"say in COMMANDS_TABLE of {file}: {new}"
    assert components == {*KINDS}, f"take out of COMPONENTS in {file} them: {components - {*KINDS}}"
    assert sorted(commands) == sorted(command_names()), "each command has one row there"
    for row in (*COMPONENTS, *COMMANDS_TABLE):
        for allowed in (row.running, row.over, row.asked):
            assert len(allowed) in (0, len(PEOPLE)), row
            assert {*allowed} <= {*"+o-"}, row


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
    people = await new_people(world)
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
        "follow": follow,
        "blocked": people["blocked"].id,
    }
    (study,) = await app.studies.studies(world.ann.id)
    stored = await app.studies.study(study.id, world.ann.id)
    row = parse_position(RULE_TOPICS["row"].line)
    practice = await app.practices.begin(world.ann.id, "Four in a row", begin_practice(row), 1)
    facts |= {"study": study.id, "study_version": stored.study.version, "practice": practice.study.id}
    for state, number in STATES.items():
        known = await world.game(number)
        facts[state] = {
            "game": number,
            "name": game_name(number),
            "serial": known.turn_serial,
            "moment": Moment(known.turn_number, known.taken_back, len(known.draft)),
            "version": known.version,
            "challenge": {"running": challenge, "over": 1, "asked": seek}[state],
        }
    return Club(world, senders, facts)


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


@dataclass
class Judge:
    """Tells what an interaction did: `refused` lists the refusals that it raised.

    `seen` is what matters of the rows `before`, which are stored again after each change.
    """

    club: Club
    rows: StoredRows
    before: Rows
    seen: list[Any]
    refused: list[object]

    async def outcome(self, person: str, state: str, row: Row) -> tuple[str, str]:
        """Return the letter of the table for what happened, and what the person was told."""
        self.refused.clear()
        sender, world = self.club.senders[person], self.club.world
        values = [self.club.fill(value, state) for value in row.values]
        use = self.club.fill(row.use, state)
        if row in COMMANDS_TABLE:
            try:
                answer = await use_command(self.club, person, use, values)
            except simcord.SetupError as refusal:
                if NOT_GIVEN not in str(refusal):
                    raise
                return "-", NOT_GIVEN
        else:
            answer = await sender.send(use, *values, form=row.form)
        await world.env.settle()
        said = answered_text(answer)
        assert answer.modal or said, (person, use)
        if self.rows.seen_values() != self.seen:
            self.rows.restore(self.before)
            return "+", said
        return "-" if self.refused or any(text in said for text in REFUSALS) else "o", said


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


async def test_no_press_replaces_a_public_message_of_others(world: World) -> None:
    """Whatever a modified client claims to press there. Only the row of buttons of an outdated board goes."""
    known = await club(world)
    public = next(message for message in world.public() if message.attachments and "Move" in buttons(message))
    sender, wrong = replace(known.senders["mover"], carrier=public.id), []
    with stored_rows(world) as rows:
        before = rows.all()
        for row in COMPONENTS:
            for state in (state for state in STATES if getattr(row, state)):
                values = [known.fill(value, state) for value in row.values]
                await sender.send(known.fill(row.use, state), *values, form=row.form)
                await world.env.settle()
                now = next(message for message in world.public() if message.id == public.id)
                if (now.content, now.attachments) != (public.content, public.attachments):
                    wrong.append(f"{row.use} {state}: {now.content}")
                rows.restore(before)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("table", [COMPONENTS, COMMANDS_TABLE], ids=["components", "commands"])
async def test_everybody_may_do_what_the_table_says(
    world: World, table: tuple[Row, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[object] = []
    told = refusal_texts.refusal_text

    def noted(refusal: Any) -> str:
        refused.append(refusal)
        return told(refusal)

    known = await club(world)
    monkeypatch.setattr(refusal_texts, "refusal_text", noted)
    with stored_rows(world) as rows:
        judge, wrong = Judge(known, rows, rows.all(), rows.seen_values(), refused), []
        for row in table:
            for state in STATES:
                for person, expected in zip(PEOPLE, getattr(row, state), strict=False):
                    found, said = await judge.outcome(person, state, row)
                    if found != expected:
                        wrong.append(f"{row.use} {state} {person}: {found} for {expected}: {said[:90]!r}")
                    if person in ("hidden", "stranger") and "{game}" in row.use + "".join(row.values):
                        assert "Bob" not in said, (row, state, person, said)
    assert not wrong, "\n".join(wrong)
