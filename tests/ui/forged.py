"""Commands, presses, choices and forms that the bot does not offer, as a modified client might send them."""

from dataclasses import dataclass
from typing import Any

import discord
import simcord
from discord import app_commands
from simcord import interactions as simcord_interactions
from simcord.backend import serializers
from simcord.builders import ChannelHandle, UserHandle
from simcord.components import walk_components
from simcord.results import InteractionResult, ResponseMessage

from gipfbot.ui.kit.interactions import handle_interaction

from .world import World

A_BUTTON, A_SELECT, GIVE, PRESS, TYPE, SUBMIT = 2, 3, 2, 3, 4, 5  # Discord's numbers of components and interactions


@dataclass(frozen=True)
class Forger:
    """A person who sends whatever they like from one place. `carrier` is the message that they claim to press."""

    world: World
    person: simcord.MemberActor | UserHandle
    place: ChannelHandle
    carrier: int

    async def send(self, custom_id: str, *values: str, form: bool = False) -> InteractionResult:
        """Press a button with this `custom_id`, choose these values from a select, or submit a form with them."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": A_SELECT if values else A_BUTTON}
        if values:
            data["values"] = list(values)
        if form:
            data = {"custom_id": custom_id, "components": _form_components(values)}
        record, payload = self._payload(data, SUBMIT if form else PRESS)
        interaction = discord.Interaction(data=payload, state=self.world.bot._connection)
        await handle_interaction(interaction)
        return InteractionResult(self.world.env, record)

    async def command(self, path: str, options: list[dict[str, Any]], **data: Any) -> InteractionResult:
        """Give a command with these options, in the form in which Discord sends them."""
        first, *rest = path.split() or [""]
        for part in reversed(rest):
            options = [{"name": part, "type": 1 if part == rest[-1] else 2, "options": options}]
        return await self._use_tree({"id": "1", "name": first, "type": 1, "options": options, **data}, GIVE)

    async def types(self, name: str, options: list[dict[str, Any]]) -> InteractionResult:
        """Type into an option of a command."""
        return await self._use_tree({"id": "1", "name": name, "type": 1, "options": options}, TYPE)

    async def _use_tree(self, data: dict[str, Any], sort: int) -> InteractionResult:
        record, payload = self._payload(data, sort)
        del payload["message"]
        interaction = discord.Interaction(data=payload, state=self.world.bot._connection)
        tree = self.world.bot.tree
        try:
            await tree._call(interaction)
        except app_commands.AppCommandError as error:
            await tree.on_error(interaction, error)
        return InteractionResult(self.world.env, record)

    def _payload(self, data: dict[str, Any], sort: int) -> tuple[Any, Any]:
        """Return an interaction as the simulated Discord keeps it, and as it sends it."""
        backend = self.world.env.backend
        stored = backend.get_message(self.place.id, self.carrier)
        server = self.person.guild.id if isinstance(self.person, simcord.MemberActor) else None
        record, payload = simcord_interactions.base_payload(
            backend, type=sort, channel_id=self.place.id, guild_id=server, user_id=self.person.id, data=data
        )
        record.source_message_id = stored.id
        return record, {**payload, "message": dict(serializers.message_payload(backend, stored))}


def _form_components(values: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return a submitted form with one text, under each name that the bot's forms use."""
    fields = [{"type": 4, "custom_id": name, "value": values[0]} for name in ("text",)] if values else []
    return [{"type": 18, "component": field} for field in fields]


async def forger(world: World, person: simcord.MemberActor, place: ChannelHandle) -> Forger:
    """Return a person with a private message of the bot in a channel, which they will claim to press."""
    shown = (await person.slash(place, "gipf help")).response
    assert shown
    return Forger(world, person, place, shown.id)


async def direct_forger(world: World, person: simcord.MemberActor) -> Forger:
    """Return a person with a private message of the bot in their direct messages, which they will claim to press."""
    shown = (await person.user.slash("gipf help")).response
    assert shown
    return Forger(world, person.user, person.user.dm_channel, shown.id)


def answered_text(result: InteractionResult) -> str:
    """Return all that an interaction was answered with: texts, labels, and descriptions of pictures."""
    pictures = [each.description or "" for message in _shown(result) for each in message.attachments]
    return "\n".join((formatted_text(result), *pictures))


def formatted_text(result: InteractionResult) -> str:
    """Return what an interaction was answered with, as far as Discord formats it."""
    return "\n".join(map(message_text, _shown(result)))


def message_text(message: ResponseMessage) -> str:
    """Return the text of a message, and that of its components."""
    parts = [str(item.get(key) or "") for item in walk_components(message.components) for key in ("content", "label")]
    return "\n".join((message.content, *parts))


def _shown(result: InteractionResult) -> list[ResponseMessage]:
    return [*result.followups, *([result.response] if result.response else [])]
