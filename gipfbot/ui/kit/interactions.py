"""Handle each interaction the same way: acknowledge it before any query, check its guard, always answer it.

The `custom_id` of a component or form holds all that its handler needs, so the button works after a restart. The
`custom_id` is `<kind>:<rest>`, and on an outbox message `~<mark>` follows. After a restore of the database, a button
from the lost time is answered in a sentence. `handles` registers the function for a kind.
`answers_privately` wraps slash commands in the same way, and `slash_command` says where people see them.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from enum import Enum
from functools import update_wrapper
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias

import discord
from discord import app_commands

from .client import AnyInteraction, Interaction
from .components import MARK_LENGTH, TIMELINE_TAG, Malformed, parse_sent_number, split_mark
from .rate_limits import allow_interaction
from .request_log import KNOWN_KINDS, note_acknowledged, note_game
from .respond import (
    APART,
    acknowledge,
    add_privately,
    check_not_lost,
    is_public,
    message_place,
    refreshing_name,
    run_guarded,
)
from .spoken import spoken_here, spoken_to

P = ParamSpec("P")
Handler: TypeAlias = Callable[..., Coroutine[Any, Any, None]]
Guard: TypeAlias = Callable[..., Coroutine[Any, Any, bool]]
_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^}]+))?\}")
NOTICES: list[Callable[[Interaction], Awaitable[str]]] = []


class Reply(Enum):
    """A way to acknowledge a press, which also decides where the answer appears."""

    IN_PLACE = "in place"  # a deferred update: the answer replaces the private message that was pressed, no other
    FOR_ALL = "for all"  # the same, also for a public message: all who see it read the answer
    APART = "apart"  # a deferred update: the message that was pressed stays, and the answer is a new private message
    FORM = "form"  # nothing is deferred: the handler opens a form at once, and reads only the `custom_id` for it


class Kind(NamedTuple):
    """A kind of component or form: the pattern of its `custom_id`, and how it is handled."""

    source: str  # the pattern that was given to `handles`
    pattern: re.Pattern[str]
    numbers: frozenset[str]
    reply: Reply
    guard: Guard | None
    handler: Handler

    def parse(self, rest: str) -> dict[str, str | int] | None:
        """Return a table that maps the names of the pattern's parts to their values; None if the pattern does not fit.

        `rest` is the `custom_id` after its kind. Number parts are converted to int. Raises Malformed for one that is
        too large.
        """
        return parse_parts((self.pattern, self.numbers), rest)


CompiledPattern: TypeAlias = tuple[re.Pattern[str], frozenset[str]]
KINDS: dict[str, Kind] = {}


def handles(
    kind: str, pattern: str, reply: Reply = Reply.IN_PLACE, guard: Guard | None = None
) -> Callable[[Handler], Handler]:
    """Return a decorator that registers a function to handle the components and forms of this kind.

    `pattern` describes the `custom_id` after the kind: `{game}:{version}:{verb:resign|keep}`. A part without an
    expression is a number of at most 20 digits. The function is called with the interaction, and with the parts as
    keyword arguments. `guard` is called first with the same arguments. If it returns False, the function is not called,
    and `guard` has already answered.
    """

    def register(handler: Handler) -> Handler:
        assert kind not in KINDS, f"two functions handle {kind}"
        KNOWN_KINDS.add(kind)
        KINDS[kind] = Kind(pattern, *compile_pattern(pattern), reply, guard, handler)
        return handler

    return register


def compile_pattern(pattern: str) -> CompiledPattern:
    """Return the regular expression for a pattern as `handles` takes it, and the names of its number parts."""
    numbers = frozenset(name for name, expression in _PLACEHOLDER.findall(pattern) if not expression)
    text = _PLACEHOLDER.sub(lambda part: f"(?P<{part[1]}>{part[2] or '[0-9]{1,20}'})", pattern)
    return re.compile(text, re.DOTALL), numbers


def parse_parts(compiled: CompiledPattern, text: str) -> dict[str, str | int] | None:
    """Return the parts of a text by name, numbers as int; None if it does not fit. Raises Malformed as `Kind.parse`."""
    pattern, numbers = compiled
    found = pattern.fullmatch(text)
    if found is None:
        return None
    return {name: parse_sent_number(part) if name in numbers else part for name, part in found.groupdict().items()}


def write_parts(pattern: str, parts: Mapping[str, object]) -> str:
    """Return the text from which `parse_parts` reads these parts. Does not check that they fit."""
    return _PLACEHOLDER.sub(lambda part: str(parts[part[1]]), pattern)


async def handle_interaction(interaction: AnyInteraction) -> None:
    """Handle a press, a choice or a submitted form with the function registered for its kind.

    If its `custom_id` fits no kind, tell the person that the button is out of date. If the person acts too fast, tell
    them that instead.
    """
    if not await allow_interaction(interaction):
        return
    TIMELINE_TAG.set(interaction.client.app.timelines.tag)
    data: Any = interaction.data
    custom_id, mark = split_mark(data["custom_id"])
    name, _, rest = custom_id.partition(":")
    await run_guarded(interaction, _find_and_handle(interaction, name, rest, mark))


async def _find_and_handle(interaction: Interaction, name: str, rest: str, mark: str) -> None:
    """Handle a component of the kind `name`.

    Raises Malformed if the kind is unknown, if the rest does not fit, or if the answer would replace a public message.
    """
    kind = KINDS.get(name)
    parts = kind.parse(rest) if kind else None
    if kind is None or parts is None or not _may_replace(interaction, kind.reply):
        raise Malformed(name)
    if isinstance(game := parts.get("game"), int):
        note_game(interaction, game)
    await _handle(interaction, kind, parts, mark)


def _may_replace(interaction: Interaction, reply: Reply) -> bool:
    """Return whether the answer may stand where it would: nothing replaces a public message but its own buttons.

    Their kinds must say so, and the message must have the very button that was pressed.
    """
    message, data = interaction.message, dict[str, Any](interaction.data or {})
    if reply in (Reply.APART, Reply.FORM) or message is None or not is_public(message):
        return True
    shown = (getattr(child, "custom_id", None) for row in message.components for child in getattr(row, "children", ()))
    return reply is Reply.FOR_ALL and data["custom_id"] in shown


async def _handle(interaction: Interaction, kind: Kind, parts: dict[str, str | int], mark: str) -> None:
    await _acknowledge(interaction, kind.reply)
    if kind.reply is Reply.FORM:
        await check_not_lost(interaction, mark, parts)
        await _check_and_call(interaction, kind, parts)
    note_acknowledged(interaction)
    async with _request(interaction):  # before a handler removes the buttons, and the mark with them
        await check_not_lost(interaction, mark, parts)
        await _confirm_posted(interaction, mark)
        if kind.reply is Reply.FOR_ALL and is_public(interaction.message):
            async with spoken_here(interaction):
                await _check_and_call(interaction, kind, parts)
        elif kind.reply is not Reply.FORM:
            await _check_and_call(interaction, kind, parts)


async def _check_and_call(interaction: Interaction, kind: Kind, parts: dict[str, str | int]) -> None:
    if kind.guard is None or await kind.guard(interaction, **parts):
        await kind.handler(interaction, **parts)


@asynccontextmanager
async def _request(interaction: Interaction) -> AsyncIterator[None]:
    """Wait for one of the person's MOST_AT_ONCE slots, and handle the request on one snapshot of the database.

    A request that is answered refreshes the person's name.
    """
    bot = interaction.client
    async with (
        bot.handled_at_once.slot(interaction.user.id),
        bot.app.snapshot(),
        refreshing_name(interaction),
        spoken_to(interaction),
    ):
        yield


async def _confirm_posted(interaction: Interaction, mark: str) -> None:
    """Record that the outbox message with this mark is posted, since the person has just used it.

    Does nothing if `mark` is empty, or the tag of a private message.
    """
    place = message_place(interaction)
    if len(mark) == MARK_LENGTH and interaction.message and place:
        async with spoken_here(interaction):  # what it says, everybody reads
            await interaction.client.delivery.confirm_posted(mark, place, interaction.message.id)


async def _acknowledge(interaction: Interaction, reply: Reply) -> None:
    if reply is Reply.FORM:
        return
    if interaction.message is None:  # a form that a command opened
        await acknowledge(interaction, ephemeral=True, thinking=True)
        return
    interaction.extras[APART] = reply is Reply.APART
    await acknowledge(interaction)


def told_after_commands(notice: Callable[[Interaction], Awaitable[str]]) -> Callable[[Interaction], Awaitable[str]]:
    """Register a function that returns a one-time note for the person, below the answer to their next slash command.

    For use as a decorator. An empty text says nothing. The function is called before the command.
    """
    NOTICES.append(notice)
    return notice


def slash_command(
    name: str, place: int, description: str
) -> Callable[[Callable[Concatenate[Interaction, P], Coroutine[Any, Any, None]]], app_commands.Command[Any, P, None]]:
    """Return a decorator that makes a function a slash command of this full name, such as "gipf games".

    `place` orders the commands of its group. The places leave gaps for later commands.
    """
    group, _, own = name.rpartition(" ")
    return app_commands.command(name=own, description=description, extras=place_extras(group, place))


def slash_group(name: str, place: int, description: str, **details: Any) -> app_commands.Group:
    """Return a group of slash commands with this full name. `place` orders it within the group that it belongs to."""
    group, _, own = name.rpartition(" ")
    return app_commands.Group(name=own, description=description, extras=place_extras(group, place), **details)


def place_extras(group: str, place: int) -> dict[str, Any]:
    """Return the `extras` with a command's group and place. `group` is empty for a top-level command."""
    return {"group": group, "place": place}


def answers_privately(
    command: Callable[Concatenate[Interaction, P], Awaitable[None]],
) -> Callable[Concatenate[Interaction, P], Coroutine[Any, Any, None]]:
    """Wrap a slash command: acknowledge it at once, answer it privately, and explain any error in a sentence."""

    async def wrapped(interaction: Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async def work() -> None:
            await acknowledge(interaction, ephemeral=True)
            note_acknowledged(interaction)
            async with _request(interaction):
                notices = [await notice(interaction) for notice in NOTICES]
                await command(interaction, *args, **kwargs)
            for text in filter(None, notices):
                await add_privately(interaction, text)

        await run_guarded(interaction, work())

    update_wrapper(wrapped, command)
    return wrapped


def chosen_value(interaction: discord.Interaction[Any]) -> str:
    """Return the one value that the person chose from a select. Raises Malformed if there is none."""
    data: Any = interaction.data
    if not data.get("values"):
        raise Malformed("no choice")
    return str(data["values"][0])


def chosen_number(interaction: discord.Interaction[Any]) -> int:
    """Return the number that the person chose from a select. Raises Malformed if there is none."""
    return parse_sent_number(chosen_value(interaction))
