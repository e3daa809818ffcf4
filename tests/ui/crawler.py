"""A crawler: it gives commands, presses each kind of component and fills in each kind of form, and notes all texts.

Each press is made in the world in which its message was shown: what is stored and what stands on Discord is put back
before it. So presses that end or delete something hide nothing from the others. Nobody chooses English.
"""

import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import discord
import pytest
import simcord
from discord import ComponentType as Kind, app_commands
from simcord.backend import Backend
from simcord.backend.models import EPHEMERAL_FLAG
from simcord.builders import UserHandle
from simcord.components import walk_components
from simcord.results import InteractionResult, ResponseMessage

from gipfbot.languages import ENGLISH
from gipfbot.ui.kit.components import split_mark
from render import text as drawn_text
from render.text import PLAIN
from tests.support.marked_language import BRACKET

from .read_texts import message_texts, words_of
from .slash_commands import slash_commands
from .stored_rows import Rows, StoredRows
from .world import World, deliver

Actor = simcord.MemberActor | UserHandle
Act = Callable[[], Awaitable[InteractionResult | None]]
LINKS = 5, 6  # styles of buttons that nobody's press tells the bot of
TIMES = {"tutorial": 60, "rule_page": 12}  # how often kinds that go through many pages are pressed; others once
TYPED = ("1", "c2", "b1-b3", "z9", "Ann!", "1. a2-c2 f1-d2")
TYPED_BY_KIND = {
    "type_turn_form": ("b1-b3", "z9", "c2 (3)", "undo", "draw", "e2-e9", ""),
    "import_record": ('[White "Ann"]\n1. c2 g2! {well} 2. b3 b4 1-0', "1. c2 a9", "", "hello"),
    "note_form": ("A note", ""),
}


class Said(NamedTuple):
    """A text that people read: where it stands, and the command or the component that led there."""

    where: str
    part: str
    text: str


@dataclass(frozen=True)
class Moment:
    """All that is stored, and all messages on Discord."""

    rows: Rows
    messages: Mapping[int, Mapping[int, Any]]
    kept: Mapping[tuple[int, str], str]
    chosen: Mapping[int, str]


@dataclass
class Press:
    """Something that a person can do at some moment: what it is, and what does it."""

    where: str
    act: Act
    moment: Moment


def _texts_of(message: Any) -> Iterator[tuple[str, str]]:
    yield from message_texts(message.components, message.content)
    yield from (("alt text", picture.get("description") or "") for picture in message.attachments)


def kind_of(where: str) -> str:
    """Return the command or the kind of component in what is done."""
    return where.partition(" · ")[0]


@dataclass
class Crawler:
    """Goes from press to press. `names` are those of people and places, which no label is told apart by.

    `said` has all texts, `pressed` how often each kind was pressed, and `faults` what failed.
    """

    world: World
    rows: StoredRows
    people: Sequence[simcord.MemberActor]
    names: Sequence[str]
    said: set[Said] = field(default_factory=set)
    pressed: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)  # the kinds that can be pressed somewhere
    _waiting: dict[str, deque[Press]] = field(default_factory=dict)  # by command or kind
    _done: Counter[str] = field(default_factory=Counter)
    _known: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _touched: dict[tuple[int, int], None] = field(default_factory=dict)
    _suggested: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _where: str = "start"
    _now: Moment | None = None

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return self._done.total()

    # ── What is read ──

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Note all that the bot says, and all that it draws, within the `with` block."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("commit_message", "edit_message"):
                patch.setattr(Backend, name, self._noting(getattr(Backend, name)))
            patch.setattr(Backend, "create_thread", self._noting_threads(Backend.create_thread))
            self._listen_to_pictures(patch)
            yield

    def _listen_to_pictures(self, patch: pytest.MonkeyPatch) -> None:
        """Note what is drawn. A text that is wrapped or shortened is noted as a whole; brackets can be drawn."""
        can_draw, runs, pieces = drawn_text.can_draw, drawn_text._runs, set[str]()
        wrap = drawn_text.wrap_text.__code__

        def noted(text: str, *args: Any) -> Any:
            caller = sys._getframe(1).f_code
            if caller is drawn_text.draw_text.__code__ and text not in pieces:
                self.note("picture", text)
            return runs(text, *args)

        def as_a_whole(change: Any) -> Any:
            def changed(text: str, *args: Any) -> Any:
                found = change(text, *args)
                if sys._getframe(1).f_code is not wrap:
                    self.note("picture", text)
                pieces.update([found] if isinstance(found, str) else found)
                return found

            return changed

        patch.setattr(
            drawn_text, "can_draw", lambda sign, face=PLAIN: bool(BRACKET.match(sign)) or can_draw(sign, face)
        )
        patch.setattr(drawn_text, "_runs", noted)
        for name in ("wrap_text", "shorten_to_width"):
            old = getattr(drawn_text, name)
            for module in [module for key, module in sys.modules.items() if key.startswith("render.")]:
                if vars(module).get(name) is old:
                    patch.setattr(module, name, as_a_whole(old))

    def note(self, part: str, text: str) -> None:
        """Note a text that people read."""
        self.said.add(Said(self._where, part, text))

    def _noting(self, made: Any) -> Any:
        def noted(backend: Backend, *args: Any, **kwargs: Any) -> Any:
            before = backend.messages.get(args[0], {}).get(args[1]) if isinstance(args[0], int) else None
            known = {*_texts_of(before)} if before else set()
            message = made(backend, *args, **kwargs)
            if message.author_id == backend.bot_user.id:
                self._touched[message.channel_id, message.id] = None
                for part, text in _texts_of(message):
                    if (part, text) not in known:  # what an edit leaves is in the language of its time
                        self.note(part, text)
            return message

        return noted

    def _noting_threads(self, made: Any) -> Any:
        def noted(*args: Any, **kwargs: Any) -> Any:
            thread = made(*args, **kwargs)
            self.note("name of a thread", thread.name)
            return thread

        return noted

    # ── Moments ──

    def moment(self) -> Moment:
        """Return how all stands. Whatever is as at the last moment is shared with it."""
        before, rows, kept = self._now, self.rows.all(), dict(self.world.bot.known_languages._texts)
        chosen = dict(self.world.bot.chosen_languages)
        messages = {
            channel: {number: replace(message) for number, message in there.items()}
            for channel, there in self.world.env.backend.messages.items()
        }
        if before:
            rows = {name: before.rows[name] if before.rows[name] == found else found for name, found in rows.items()}
            for channel, there in messages.items():
                old = before.messages.get(channel, {})
                messages[channel] = {n: old[n] if old.get(n) == message else message for n, message in there.items()}
        self._now = Moment(rows, messages, kept, chosen)
        return self._now

    def go_to(self, moment: Moment) -> None:
        """Let all stand as it did."""
        self.rows.restore(moment.rows)
        backend = self.world.env.backend
        for channel, there in backend.messages.items():
            there.clear()
            there.update({number: replace(message) for number, message in moment.messages.get(channel, {}).items()})
        self.world.bot.known_languages._texts.clear()
        self.world.bot.known_languages._texts.update(moment.kept)
        self.world.bot.chosen_languages.clear()
        self.world.bot.chosen_languages.update(moment.chosen)

    # ── What is pressed ──

    def wait_for(self, where: str, act: Act, moment: Moment) -> None:
        """Let something be done later."""
        self._waiting.setdefault(kind_of(where), deque()).append(Press(where, act, moment))

    async def crawl(self, most: int) -> None:
        """Do all that waits, and what can be done then: first what has been done least often, and `most` in all."""
        while self._waiting and self._done.total() < most:
            kind = min(self._waiting, key=self._done.__getitem__)
            self._done[kind] += 1
            press = self._waiting[kind].popleft()
            if not self._waiting[kind]:
                del self._waiting[kind]
            await self._do(press)

    async def live(self, hours: int) -> None:
        """Let so many hours go by, half a day at a time, and wait for presses of what is posted then."""
        for half_day in range(hours // 12):
            self._where, moment = f"time · after {half_day // 2 + 1} days", self._now
            self._touched.clear()
            await self.world.env.advance_time(12 * 60 * 60)
            await self.world.bot.sweep()
            await self.world.env.settle()
            self._now = moment
            self._look("time", None)

    async def _do(self, press: Press) -> None:
        self.go_to(press.moment)
        self._where = press.where
        self._touched.clear()
        try:
            answer = await press.act()
        except simcord.SetupError:
            return  # Discord does not let people do that
        except Exception as error:
            error.add_note(press.where)
            raise
        await deliver(self.world)
        if answer and not answer.acknowledged:
            self.faults.append(f"{press.where}: not answered")
        self._look(kind_of(press.where), answer)

    def _look(self, where: str, answer: InteractionResult | None) -> None:
        """Find what can be done now."""
        found: list[tuple[str, Act]] = [*self._form(where, answer)] if answer else []
        for channel, number in [*self._touched]:
            message = self.world.env.backend.messages[channel].get(number)
            if message is not None:
                for person in self._readers(message, answer):
                    found += self._components(where, person, message)
        if found:
            moment = self.moment()
            for what, act in found:
                self.wait_for(what, act, moment)

    def _readers(self, message: Any, answer: InteractionResult | None) -> Iterable[Actor]:
        place = self.world.env.backend.get_channel(message.channel_id)
        if place.guild_id is None:
            return [person.user for person in self.people if person.user.dm_channel.id == place.id]
        if message.flags & EPHEMERAL_FLAG:
            by = answer._interaction.user_id if answer else 0
            return [person for person in self.people if person.id == by]
        return self.people[:3]

    def _is_new(self, *key: str, most: int = 1) -> bool:
        self._known[key] += 1
        return self._known[key] <= most

    def _components(self, where: str, person: Actor, message: Any) -> Iterator[tuple[str, Act]]:
        is_public = not message.flags & EPHEMERAL_FLAG
        for item in walk_components(message.components):
            if not item.get("custom_id") or item.get("style") in LINKS:
                continue
            kind = split_mark(item["custom_id"])[0].partition(":")[0]
            self.shown.add(kind)
            who = person.name if is_public else ""
            for label, values in self._choices(item):
                said = " ".join(words_of(label, self.names))
                times = TIMES.get(kind, 1)
                if item.get("disabled") or not self._is_new(kind, said, where, who, most=times):
                    continue
                if self._is_new(kind, said, who, most=max(3, times)):
                    yield f"{kind} · {label}", self._press(kind, person, message, item, values)

    def _choices(self, item: Mapping[str, Any]) -> Iterator[tuple[str, list[Any] | None]]:
        kind = item["type"]
        if kind == Kind.button.value:
            yield item.get("label") or "", None
        elif kind == Kind.string_select.value:
            values = {
                option["label"]: [option["value"]] for option in item["options"] if option["value"] != ENGLISH.code
            }
            yield from values.items()
        elif kind in (Kind.user_select.value, Kind.mentionable_select.value):
            yield "a person", [self.people[2]]
        elif kind == Kind.role_select.value:
            yield "a role", [self.world.guild.roles["managers"]]
        elif kind == Kind.channel_select.value:
            yield "a channel", [self.world.channel]

    def _press(self, kind: str, person: Actor, message: Any, item: Mapping[str, Any], values: Any) -> Act:
        shown = ResponseMessage(self.world.env, message)

        async def press() -> InteractionResult:
            self.pressed[kind] += 1
            if values is None:
                return await person.click(shown, custom_id=item["custom_id"])
            least = item.get("min_values", 1)
            chosen = [option["value"] for option in item.get("options", ())][:least] if least > 1 else values
            return await person.select(shown, chosen, custom_id=item["custom_id"])

        return press

    # ── Forms ──

    def _form(self, where: str, opened: InteractionResult) -> Iterator[tuple[str, Act]]:
        form = opened.modal
        if not form:
            return
        self._where = where
        for part, text in message_texts([form]):
            self.note(f"form's {part}", text)
        kind = split_mark(form["custom_id"])[0].partition(":")[0]
        self.shown.add(kind)
        person = self._person(opened)
        for typed in TYPED_BY_KIND.get(kind, TYPED):
            if self._is_new(kind, typed, "typed", most=2):
                yield f"{kind} · “{typed[:20]}”", self._submit(kind, person, opened, form, typed)

    def _person(self, answer: InteractionResult) -> Actor:
        by = answer._interaction
        person = next(person for person in self.people if person.id == by.user_id)
        return person if by.guild_id else person.user

    def _submit(self, kind: str, person: Actor, opened: InteractionResult, form: Any, typed: str) -> Act:
        async def submit() -> InteractionResult:
            self.pressed[kind] += 1
            opened._interaction.modal_consumed = False
            values = {
                item["custom_id"]: typed if item["type"] == Kind.text_input.value else item["options"][0]["value"]
                for item in walk_components([form])
                if item.get("type") in (Kind.text_input.value, Kind.string_select.value)
            }
            return await person.submit_modal(opened, values)

        return submit

    # ── Commands ──

    async def wait_for_commands(self, person: simcord.MemberActor, games: Sequence[str]) -> None:
        """Let a person give each command: without options, and with each value of each option."""
        moment = self.moment()
        for command in slash_commands():
            name = command.qualified_name
            needed = {
                option.name: (await self._values(person, command, option, games))[0]
                for option in command.parameters
                if option.required
            }
            self._give(person, name, needed, moment)
            for option in command.parameters:
                for value in await self._values(person, command, option, games):
                    self._give(person, name, {**needed, option.name: value}, moment)
        others = [other for other in self.people if other is not person]
        for other in others[:2]:
            self.wait_for("Challenge to GIPF", self._from_menu(person, other), moment)

    def _give(self, person: simcord.MemberActor, name: str, options: Mapping[str, Any], moment: Moment) -> None:
        async def give() -> InteractionResult:
            return await person.slash(self.world.channel, name, **options)

        written = " ".join(f"{option}:{getattr(value, 'name', value)}" for option, value in options.items())
        self.wait_for(f"/{name} · {written} ({person.name})", give, moment)

    def _from_menu(self, person: simcord.MemberActor, other: simcord.MemberActor) -> Act:
        async def give() -> InteractionResult:
            return await person.context_menu(self.world.channel, "Challenge to GIPF", other)

        return give

    async def wait_for_direct_commands(self, person: simcord.MemberActor) -> None:
        """Let a person give each command without options in their direct messages."""
        moment = self.moment()
        for command in slash_commands():
            if not any(option.required for option in command.parameters):
                name = command.qualified_name
                self.wait_for(f"/{name} · in a direct message", self._give_directly(person, name), moment)

    def _give_directly(self, person: simcord.MemberActor, name: str) -> Act:
        async def give() -> InteractionResult:
            return await person.user.slash(name)  # type: ignore[no-any-return]

        return give

    async def _values(
        self,
        person: simcord.MemberActor,
        command: app_commands.Command[Any, ..., Any],
        option: app_commands.Parameter,
        games: Sequence[str],
    ) -> Sequence[Any]:
        """Return the values that an option is tried with."""
        sorts = discord.AppCommandOptionType
        if option.choices:
            return [choice.value for choice in option.choices if choice.value != ENGLISH.code]
        match option.type:
            case sorts.boolean:
                return [True, False]
            case sorts.integer:
                return [*{option.min_value or 0, 3, 20}]
            case sorts.user:
                return [*self.people[:3], UserHandle(self.world.env, self.world.env.backend.bot_user)]
            case sorts.role:
                return [self.world.guild.roles["managers"]]
            case sorts.channel:
                return [self.world.channel]
        if option.name == "game":
            await self._suggestions(person, command.qualified_name, option.name)
            return [*games, "#z99", "x"]
        typed = ["1", "c2", "c2 g2", "x?"]
        if option.autocomplete:
            typed += await self._suggestions(person, command.qualified_name, option.name)
        return [*typed, *NOTATIONS] if option.name == "notation" else typed

    async def _suggestions(self, person: simcord.MemberActor, command: str, option: str) -> list[str]:
        """Return what an option suggests to the first person who is asked."""
        if (command, option) in self._suggested:
            return self._suggested[command, option]
        found = self._suggested[command, option] = []
        for typed in ("", "a", "r", "e", "5", "zz"):
            self._where = f"/{command} · suggestions of {option}"
            try:
                choices = await person.autocomplete(self.world.channel, command, option, typed)
            except simcord.SetupError:
                return found
            for choice in choices:
                self.note("suggestion", str(choice["name"]))
                if choice["value"] not in found:
                    found.append(choice["value"])
        return found


NOTATIONS = (
    *("undo", "draw", "resign", "note", "rematch", "board", "if", "claim", "z9", "a1-a2", "c2-c3", "xd2,d3,d4,d5;c2"),
    *("e2-e9", "Ge1", "c2 (3)", "1... c2", "pass", "f1-d2", "b1-b3", "b1-b3;xb2", "c1", "c2X", "Zc2>c5", "e2?!"),
)
