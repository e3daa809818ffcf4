"""A private message with controls, as a person uses it."""

from collections.abc import Mapping
from typing import Any

import discord
import simcord

from tests.ui.forged import forger
from tests.ui.opened_message import OpenedMessage
from tests.ui.world import World, components, told

SERVER_SETTINGS = "gipf-server settings"


def chosen_label(select: Mapping[str, Any], option: Mapping[str, Any]) -> str:
    """Return what a setting's select shows once this option is chosen."""
    return f"{select['placeholder']}: {option['label'].partition(' (')[0]}"


class Panel(OpenedMessage):
    """Settings that a person has opened."""

    @property
    def selects(self) -> list[Mapping[str, Any]]:
        """Its selects."""
        return [item for item in components(self.message) if item["type"] == discord.ComponentType.select.value]

    @property
    def states(self) -> list[str]:
        """What its controls show: the choice that a select has made, and the labels of buttons that can be pressed."""
        chosen = [option["label"] for select in self.selects for option in select["options"] if option.get("default")]
        buttons = [item for item in components(self.message) if item["type"] == discord.ComponentType.button.value]
        return [*chosen, *(button["label"] for button in buttons if not button.get("disabled"))]

    async def choose(self, label: str) -> None:
        """Choose an option from the select that has it."""
        (found,) = [
            (select["custom_id"], option["value"])
            for select in self.selects
            for option in select["options"]
            if label in (option["label"], chosen_label(select, option))
        ]
        self.last = await self.person.select(self.message, [found[1]], custom_id=found[0])
        assert self.last.acknowledged

    async def change(self, label: str) -> str:
        """Make a control show this label, by a choice or by a press. Return what it showed before."""
        name = label.partition(": ")[0]
        (before,) = [state for state in self.states if state.partition(": ")[0] == name]
        offered = [chosen_label(select, option) for select in self.selects for option in select["options"]]
        await (self.choose(label) if label in offered else self.press(before))
        return before

    async def turn_to(self, page: str) -> None:
        """Press the button of a page, unless it is shown."""
        if page in self.states:
            await self.press(page)

    async def choose_channel(self, channel: simcord.ChannelHandle, setting: str = "channel") -> None:
        """Choose from the select of channels of a setting."""
        found = self.channel_select(setting)
        self.last = await self.person.select(self.message, [channel], custom_id=found["custom_id"])
        assert self.last.acknowledged

    async def choose_role(self, role: simcord.RoleHandle, setting: str = "challengers") -> None:
        """Choose from the select of roles of a setting."""
        kind = discord.ComponentType.role_select.value
        selects = [item for item in components(self.message) if item["type"] == kind]
        (found,) = [item for item in selects if item["custom_id"] == f"server_choice:{setting}"]
        self.last = await self.person.select(self.message, [role], custom_id=found["custom_id"])
        assert self.last.acknowledged

    def channel_select(self, setting: str = "channel") -> Mapping[str, Any]:
        """Return its select of channels of a setting."""
        kind = discord.ComponentType.channel_select.value
        selects = [item for item in components(self.message) if item["type"] == kind]
        (found,) = [item for item in selects if item["custom_id"] == f"server_choice:{setting}"]
        return found


async def opened_places(world: World, person: simcord.MemberActor, **options: object) -> Panel:
    """Return the page of places of the server's settings, after the command with these options."""
    panel = Panel(person, await person.slash(world.channel, "gipf-server settings", **options))
    await panel.turn_to("Places")
    return panel


async def forged(world: World, person: simcord.MemberActor, custom_id: str, value: str | None = None) -> str:
    """Return the answer to a press of a button with this `custom_id`, or to the choice of a value, that nobody drew."""
    sender = await forger(world, person, world.channel)
    return told(await sender.send(custom_id, *([] if value is None else [value])))
