"""How an interaction is handled: acknowledged before any query, guarded, and answered in a sentence whatever happens.

A component or form says in its `custom_id` all that it was drawn for, so it works after a restart. The `custom_id` is
`<kind>:<rest>`, and on a message of the outbox `~<mark>` follows. `handles` registers the function for a kind;
`answers_privately` is the same for slash commands.
"""

import re
from collections.abc import Awaitable, Callable, Coroutine
from enum import Enum
from functools import update_wrapper
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias

import discord

from . import texts
from .client import AnyInteraction, Interaction
from .respond import APART, run_guarded
from .views import split_mark

P = ParamSpec("P")
Handler: TypeAlias = Callable[..., Coroutine[Any, Any, None]]
Guard: TypeAlias = Callable[..., Coroutine[Any, Any, bool]]
_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^}]+))?\}")


class Reply(Enum):
    """How a press is acknowledged, and where its answer appears."""

    IN_PLACE = "in place"  # a deferred update: the answer replaces the private message that was pressed
    APART = "apart"  # a deferred update: the message stays, the answer is a private message of its own
    FORM = "form"  # nothing is deferred: the handler opens a form at once, from the `custom_id` alone


class Kind(NamedTuple):
    """What a kind of `custom_id` looks like, and what handles it."""

    pattern: re.Pattern[str]
    numbers: frozenset[str]
    reply: Reply
    guard: Guard | None
    handler: Handler

    def parse(self, rest: str) -> dict[str, str | int] | None:
        """Return the parts of a `custom_id` by name, None where it does not fit."""
        found = self.pattern.fullmatch(rest)
        if found is None:
            return None
        return {name: int(part) if name in self.numbers else part for name, part in found.groupdict().items()}


KINDS: dict[str, Kind] = {}


def handles(
    kind: str, pattern: str, reply: Reply = Reply.IN_PLACE, guard: Guard | None = None
) -> Callable[[Handler], Handler]:
    """Return a decorator: the function handles components and forms of this kind.

    `pattern` describes what follows the kind: `{game}:{version}:{verb:resign|keep}`. A part without an expression is a
    number of at most 20 digits. The function is called with the interaction and the parts by name, and so is `guard`
    before it, which returns whether the function may go on; where not, it has answered.
    """

    def register(handler: Handler) -> Handler:
        assert kind not in KINDS, f"two functions handle {kind}"
        KINDS[kind] = Kind(*_compile(pattern), reply, guard, handler)
        return handler

    return register


def _compile(pattern: str) -> tuple[re.Pattern[str], frozenset[str]]:
    """Return the expression for a pattern, and the names of its numbers."""
    numbers = frozenset(name for name, expression in _PLACEHOLDER.findall(pattern) if not expression)
    text = _PLACEHOLDER.sub(lambda part: f"(?P<{part[1]}>{part[2] or '[0-9]{1,20}'})", pattern)
    return re.compile(text, re.DOTALL), numbers


async def handle_interaction(interaction: AnyInteraction) -> None:
    """Handle a press, a choice or a form; one of an unknown kind is answered in a sentence."""
    data: Any = interaction.data
    custom_id, mark = split_mark(data["custom_id"])
    name, _, rest = custom_id.partition(":")
    kind = KINDS.get(name)
    parts = kind.parse(rest) if kind else None
    if kind is None or parts is None:
        await interaction.response.send_message(texts.UNKNOWN_BUTTON, ephemeral=True)
    else:
        await run_guarded(interaction, _handle(interaction, kind, parts, mark))


async def _handle(interaction: Interaction, kind: Kind, parts: dict[str, str | int], mark: str) -> None:
    await _acknowledge(interaction, kind.reply)
    async with interaction.client.app.snapshot():
        if kind.reply is not Reply.FORM:  # before anything strips the buttons
            await _confirm_posted(interaction, mark)
        if kind.guard is None or await kind.guard(interaction, **parts):
            await kind.handler(interaction, **parts)
        if kind.reply is Reply.FORM:
            await _confirm_posted(interaction, mark)


async def _confirm_posted(interaction: Interaction, mark: str) -> None:
    """Tell the outbox that its message with this mark is posted: it has just been pressed."""
    place = interaction.user.id if interaction.guild_id is None else interaction.channel_id
    if mark and interaction.message and place:
        await interaction.client.delivery.confirm_posted(mark, place, interaction.message.id)


async def _acknowledge(interaction: Interaction, reply: Reply) -> None:
    if reply is Reply.FORM:
        return
    if interaction.message is None:  # a form that a command opened
        await interaction.response.defer(ephemeral=True, thinking=True)
        return
    interaction.extras[APART] = reply is Reply.APART
    await interaction.response.defer()


def answers_privately(
    command: Callable[Concatenate[Interaction, P], Awaitable[None]],
) -> Callable[Concatenate[Interaction, P], Coroutine[Any, Any, None]]:
    """Return a slash command that is acknowledged at once and answered privately, whatever stops it."""

    async def wrapped(interaction: Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async def work() -> None:
            await interaction.response.defer(ephemeral=True)
            async with interaction.client.app.snapshot():
                await command(interaction, *args, **kwargs)

        await run_guarded(interaction, work())

    update_wrapper(wrapped, command)
    return wrapped


def chosen_value(interaction: discord.Interaction[Any]) -> str:
    """Return the one value chosen in a select."""
    data: Any = interaction.data
    return str(data["values"][0])
