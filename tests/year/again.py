"""Repeat what one club of a simulated year did, in SimCord: each act is a command or a press."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import simcord
from simcord.components import walk_components
from simcord.results import InteractionResult

from gipfbot.service.app import create_app
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.service.kit.loaded_games import game_name, parse_game_name
from gipfbot.store import Store, meta
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import request_texts
from gipfbot.values import NO_LIMITS
from tests.bench.recording import PING, SentMessage
from tests.ui.terms_page import challenge

from .course import Act
from .doings import GRACES
from .year import Year

LINK = re.compile(r"https://discord\.com/channels/\S+?(?=\))")
NAMED = re.compile(r"#[a-z][0-9]+")


@dataclass(frozen=True)
class Told:
    """A message as its reader sees it: place, text and pings. Names are the same in both worlds."""

    place: str
    text: str
    pinged: frozenset[str]


def told(place: str, text: str, pinged: Iterable[int], people: Mapping[int, str], games: Mapping[int, int]) -> Told:
    """Return a message with people's names, and with games numbered in the order of their beginning."""

    def number(found: re.Match[str]) -> str:
        return f"#{games.get(parse_game_name(found[0]) or 0, found[0])}"

    text = PING.sub(lambda found: f"@{people[int(found[1])]}", text)
    return Told(place, NAMED.sub(number, LINK.sub("link", text)), frozenset(people[user] for user in pinged))


def by_game(messages: Iterable[Told]) -> dict[str, list[Told]]:
    """Return the messages by game, in order. Messages of no game, or of several, go by their first words."""
    found = defaultdict[str, list[Told]](list)
    for message in messages:
        named = {*re.findall("#[0-9]+", message.text)}
        found[named.pop() if len(named) == 1 else message.text.split(" ")[0]].append(message)
    return dict(found)


def heard(sent: Iterable[SentMessage], people: Mapping[int, str], games: Mapping[int, int]) -> list[Told]:
    """Return the recorded messages."""
    return [told(people[s.place] if s.direct else "club", s.text, s.pinged, people, games) for s in sent]


@dataclass
class Again:
    """The club in SimCord. `games` maps the ids of the year to the ids here."""

    env: simcord.Env
    store: Store
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    actors: dict[int, simcord.MemberActor]
    games: dict[int, int] = field(default_factory=dict)
    messages: dict[tuple[str, int], Any] = field(default_factory=dict)
    shut: set[int] = field(default_factory=set)
    posted: list[tuple[int | None, str, frozenset[int]]] = field(default_factory=list)
    seen: int = 0
    offset: int = 0
    bot: GipfBot = field(init=False)

    def true(self) -> int:
        """Return the time in SimCord."""
        return int(self.env.now().timestamp())

    async def start(self) -> None:
        """Run a bot whose clock can be set wrong, and which sweeps only on request."""
        self.bot = GipfBot(
            create_app(self.store, lambda: self.true() + self.offset, lambda: True, self.true, NO_LIMITS)
        )
        await self.env.restart_bot(self.bot)
        self.bot.stop_loops()
        await self.env.settle()

    async def do(self, act: Act) -> None:
        """Repeat an act at its recorded time."""
        if act.at > self.true():
            await self.env.advance_time(act.at - self.true())
        self.offset = act.offset
        async with self.store.transaction() as db:
            await meta.save_value(db, LAST_ALIVE_KEY, str(act.told))
        if act.verb == "look":
            await self.bot.sweep.coro(self.bot)
            await self.env.settle()
        else:
            await DOES[act.verb](self, self.actors[act.by], act)
        self._note()

    async def slash(self, actor: simcord.MemberActor, command: str, **options: Any) -> InteractionResult:
        """Send a command and return its result."""
        result = await actor.slash(self.channel, command, **options)
        assert result.acknowledged, (command, options)
        return result

    async def in_game(self, command: str, actor: simcord.MemberActor, act: Act, **options: Any) -> InteractionResult:
        """Send a command about a game and return its result."""
        return await self.slash(actor, command, game=game_name(self.games[act.game]), **options)

    async def press(self, actor: simcord.MemberActor, message: Any, label: str) -> InteractionResult:
        """Press a button and return the result."""
        result = await actor.click(message, label=label)
        assert result.acknowledged, label
        return result

    def newest(self) -> Any:
        """Return the last public message."""
        return [m for m in self.channel.history() if not m.flags.ephemeral and m.author.bot][-1]

    async def began(self, game: int, actor: simcord.MemberActor) -> None:
        """Note the game that has just begun."""
        self.games[game] = max(brief.id for brief in await self.bot.app.games.running_games(actor.id))

    def _note(self) -> None:
        """Note the messages posted since the last act. Direct messages that were refused are left out."""
        calls = self.env.http_requests[self.seen :]
        self.seen += len(calls)
        people = {actor.user.dm_channel.id: actor.id for actor in self.actors.values() if actor.id not in self.shut}
        for call in calls:
            place, said = re.fullmatch(r"/channels/(\d+)/messages", call.path), call.json
            if call.method == "POST" and place and said and int(place[1]) in {*people, self.channel.id}:
                allowed: Any = said["allowed_mentions"]
                pinged = {*map(int, PING.findall(said["content"]))} & {*map(int, allowed.get("users", ()))}
                self.posted.append((people.get(int(place[1])), said["content"], frozenset(pinged)))

    def told(self, names: Mapping[int, str]) -> list[Told]:
        """Return all posts with their first texts. A ping counts only if the message allows it."""
        numbers = {game_id: number for number, game_id in enumerate(self.games.values(), 1)}
        return [
            told("club" if person is None else names[person], text, pinged, names, numbers)
            for person, text, pinged in self.posted
        ]


async def both(
    year: Year, env: simcord.Env, store: Store, guild: simcord.GuildHandle, channel: simcord.ChannelHandle
) -> tuple[Again, list[Told], list[Told]]:
    """Repeat a year; return the club in SimCord, its messages, and the recorded messages."""
    members = [person for person in year.people if person.club == year.plan.club]
    actors = {p.user: guild.add_member(env.create_user(p.name.lower(), global_name=p.name)) for p in members}
    club = Again(env, store, guild, channel, actors)
    await club.start()
    await club.bot.app.servers.change(guild.id, {"grace": GRACES[0]})
    for act in year.script:
        await club.do(act)
    then = heard(year.heard, {p.user: p.name for p in members}, {game_id: n for n, game_id in enumerate(club.games, 1)})
    return club, club.told({actors[p.user].id: p.name for p in members}), then


# ── What people do ──


async def _challenges(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    game_id, to, said = act.what
    opponent = {} if to is None else {"opponent": club.actors[to]}
    assert (await challenge(actor, club.channel, **opponent, **said)).acknowledged
    club.messages["challenge", game_id] = club.newest()


async def _accepts(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    message = club.messages["challenge", act.what]
    label = next(label for label in (texts.ACCEPT_LABEL, texts.TAKE_SEEK_LABEL) if label in _labels(message))
    await club.press(actor, message, label)
    await club.began(act.game, actor)


async def _plays(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    shown = _answer(await club.in_game("move", actor, act, notation=act.what))
    if any(item.get("label") == game_texts.PLAY_ANYWAY_LABEL for item in walk_components(shown.components)):
        await club.press(actor, shown, game_texts.PLAY_ANYWAY_LABEL)


async def _gives_up(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    asked = await club.in_game("gipf resign", actor, act)
    await club.press(
        actor, _answer(asked), game_texts.RESIGN_LABEL if act.verb == "resigns" else game_texts.CANCEL_GAME_LABEL
    )


async def _rematch(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    await club.in_game("move", actor, act, notation="rematch")
    challenge, game = act.what
    if game:
        await club.began(game, actor)
    else:
        club.messages["challenge", challenge] = club.newest()


async def _nudges(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    await club.press(actor, _answer(await club.in_game("gipf board", actor, act)), reminder_texts.NUDGE_LABEL)


async def _asks_back(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    asked = _answer(await club.in_game("move", actor, act, notation="undo"))
    await club.press(actor, asked, request_texts.REQUEST_TAKEBACK_LABEL)
    club.messages["undo", act.what] = club.newest()


async def _answers(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    label = texts.ACCEPT_LABEL if act.verb == "lets back" else texts.DECLINE_LABEL
    await club.press(actor, club.messages["undo", act.what], label)


async def _offers_draw(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    asked = _answer(await club.in_game("move", actor, act, notation="draw"))
    await club.press(actor, asked, request_texts.OFFER_DRAW_LABEL)
    club.messages["draw", act.game] = club.newest()


async def _answers_draw(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    label = texts.ACCEPT_LABEL if act.verb == "agrees to draw" else texts.DECLINE_LABEL
    await club.press(actor, club.messages["draw", act.game], label)


async def _leaves_answers(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    await club.in_game("gipf if", actor, act, turns=act.what)


async def _claims(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    await club.press(
        actor, _answer(await club.in_game("move", actor, act, notation="claim")), request_texts.CLAIM_WIN_LABEL
    )


async def _wishes(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    await club.slash(actor, "gipf-me reminders", when=act.what)


async def _subscribes(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    hour, zone = act.what
    await club.slash(actor, "gipf-me reminders", digest=str(hour), zone=zone)


async def _hushes(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    button = re.compile(rf"reminders:{club.games[act.game]}:[0-9]+:{actor.id}:game\b")
    letters: list[Any] = actor.user.dm_channel.history()
    buttons = [(each, child.custom_id) for each in letters for row in each.components for child in row.children]
    message, custom_id = [(each, found) for each, found in buttons if found and button.match(found)][-1]
    result = await actor.user.click(message, custom_id=custom_id)
    assert result.acknowledged


async def _leaves(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    await club.slash(actor, "gipf-me vacation start", days=act.what)


async def _returns(club: Again, actor: simcord.MemberActor, _: Act) -> None:
    await club.slash(actor, "gipf-me vacation end")


async def _shuts(club: Again, actor: simcord.MemberActor, _: Act) -> None:
    club.shut.add(actor.id)
    club.env.inject_error("POST", f"/channels/{actor.user.dm_channel.id}/messages", status=403, code=50007, times=None)


async def _opens(club: Again, actor: simcord.MemberActor, act: Act) -> None:
    club.env.backend.faults.clear()
    club.shut.discard(actor.id)
    for other in club.actors.values():
        if other.id in club.shut:
            await _shuts(club, other, act)
    await actor.user.slash("gipf games")


def _answer(result: InteractionResult) -> Any:
    return result.followups[-1] if result.followups else result.response


def _labels(message: Any) -> list[str]:
    return [child.label for row in message.components for child in row.children]


DOES: dict[str, Callable[[Again, simcord.MemberActor, Act], Any]] = {
    "challenges": _challenges,
    "accepts": _accepts,
    "plays": _plays,
    "resigns": _gives_up,
    "calls off": _gives_up,
    "rematch": _rematch,
    "nudges": _nudges,
    "asks back": _asks_back,
    "lets back": _answers,
    "insists": _answers,
    "offers draw": _offers_draw,
    "agrees to draw": _answers_draw,
    "declines draw": _answers_draw,
    "leaves answers": _leaves_answers,
    "claims": _claims,
    "wishes": _wishes,
    "hushes": _hushes,
    "subscribes": _subscribes,
    "leaves": _leaves,
    "returns": _returns,
    "shuts": _shuts,
    "opens": _opens,
}
