"""The actions of people in a test: commands, buttons, selects, modals, channels, permissions."""

from collections.abc import Sequence
from datetime import UTC, datetime

from .command_data import menu_data, slash_data
from .component_data import choose_data, press_data, submit_data
from .errors import Json
from .interaction import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from .messages import Message, Revision
from .people import User
from .places import IN_BOT_DM, IN_GUILD, PUBLIC_THREAD, Channel, Guild
from .server import Server
from .world import World

FILE_LIMIT = 10 * 1024 * 1024


class StandIn(Server):
    """Discord with one guild, "The club", and its channel `general`; or with the state of a `world`.

    Every action sends an interaction and returns its record at once. `await record.answered()` waits for the bot.
    An action that Discord's client does not allow raises LookupError or ValueError.
    """

    def __init__(self, world: World | None = None) -> None:
        super().__init__(world)
        if world is None:
            self.world.add_channel(self.world.add_guild("The club"), "general")
        self.guild = next(iter(self.world.guilds.values()))
        self.general = next(iter(self.guild.channels.values()))

    def user(self, name: str, **details: object) -> User:
        """Return the person of this name, a member of every guild; `details` are fields of `User`."""
        return self.world.user(name, **details)

    def channel(self, channel_id: int) -> Channel:
        """Return a channel, thread or DM by id."""
        return self.world.channels[channel_id]

    def dm(self, user: User) -> Channel:
        """Return the direct messages between this person and the bot."""
        return self.world.dm(user)

    def group(self, *people: User) -> Channel:
        """Return a group without the bot, where only user-installed commands work."""
        return self.world.add_group(*people)

    async def add_channel(self, name: str) -> Channel:
        """Create a text channel in the guild and return it."""
        channel = self.world.add_channel(self.guild, name)
        await self.gateway.dispatch("CHANNEL_CREATE", channel.json())
        return channel

    async def add_thread(self, parent: Channel, name: str) -> Channel:
        """Create a public thread and return it."""
        assert parent.guild is not None
        thread = self.world.add_channel(parent.guild, name, PUBLIC_THREAD, parent)
        await self.gateway.dispatch("THREAD_CREATE", thread.json())
        return thread

    def say(self, user: User, channel: Channel, text: str) -> Message:
        """Let a person write something. The bot does not get the message."""
        return self.world.say(channel, user, text)

    async def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Archive a thread."""
        thread.archived, thread.locked = True, locked
        await self.gateway.dispatch("THREAD_UPDATE", thread.json())

    async def lock(self, thread: Channel) -> None:
        """Lock a thread that stays active: only managers of threads can write there."""
        thread.locked = True
        await self.gateway.dispatch("THREAD_UPDATE", thread.json())

    async def deny(self, channel: Channel, *permissions: str) -> None:
        """Deny the bot these permissions in a channel; without any, give all back."""
        channel.denied = set(permissions)
        await self.gateway.dispatch("CHANNEL_UPDATE", channel.json())

    async def kick(self, guild: Guild) -> None:
        """Remove the bot from a guild."""
        guild.present = False
        await self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)})

    async def invite(self, guild: Guild) -> None:
        """Let the bot join a guild that it was removed from."""
        guild.present, guild.joined_at = True, datetime.fromtimestamp(self.world.ids.now(), UTC).isoformat()
        shown = {name: value for name, value in guild.json().items() if name != "unavailable"}  # so it is an arrival
        await self.gateway.dispatch("GUILD_CREATE", shown)

    async def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread."""
        del self.world.channels[channel.id]
        if channel.guild is not None:
            del channel.guild.channels[channel.id]
        await self.gateway.dispatch("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel.json())

    async def slash(self, user: User, channel: Channel, path: str, **values: object) -> Interaction:
        """Send a slash command, `slash(ann, general, "gipf challenge", opponent=bob)`.

        People, channels and files (`Upload`) are given as such, choices by name or value.
        """
        data = slash_data(self.world, channel, path, values)
        return await self._interact(COMMAND, f"/{path}", user, channel, data)

    async def autocomplete(
        self, user: User, channel: Channel, path: str, *, focused: str, value: str, **values: object
    ) -> list[Json]:
        """Type into an option and return the offered choices."""
        data = slash_data(self.world, channel, path, {**values, focused: value}, focused)
        interaction = await self._interact(AUTOCOMPLETE, f"/{path} {focused}:{value}", user, channel, data)
        await interaction.answered()
        return interaction.choices or []

    async def user_command(self, user: User, channel: Channel, name: str, target: User) -> Interaction:
        """Use a command from the menu of a person."""
        return await self._interact(COMMAND, name, user, channel, menu_data(self.world, channel, name, target))

    async def message_command(self, user: User, channel: Channel, name: str, target: Message) -> Interaction:
        """Use a command from the menu of a message."""
        return await self._interact(COMMAND, name, user, channel, menu_data(self.world, channel, name, target))

    async def press(self, user: User, message: Message, button: str, *, seen: Revision | None = None) -> Interaction:
        """Press the button with this custom_id or label; `seen` is an older revision on the person's screen."""
        shown = seen or message.now
        return await self._touch(user, message, shown, press_data(shown, button))

    async def choose(
        self, user: User, message: Message, select: str, values: Sequence[str | User], *, seen: Revision | None = None
    ) -> Interaction:
        """Choose in the select with this custom_id or placeholder: options by value or label, or people."""
        shown = seen or message.now
        data = choose_data(shown, self.channel(message.channel_id), select, values)
        return await self._touch(user, message, shown, data)

    async def submit(self, opened: Interaction, **values: object) -> Interaction:
        """Send the modal that answered an interaction; fields go by custom_id or label."""
        assert opened.modal is not None
        data = submit_data(opened.modal, values)
        what = f"modal {data['custom_id']}"
        return await self._interact(MODAL, what, opened.user, opened.channel, data, opened.source)

    def age_tokens(self, seconds: float = 901.0) -> None:
        """Make all interactions older, by default past the 15 minutes of their tokens."""
        self.world.age_tokens(seconds)

    def age_messages(self, seconds: float = 3601.0) -> None:
        """Make all messages older, by default past the hour of free edits; their nonces lapse too."""
        self.world.age_messages(seconds)

    async def _touch(self, user: User, message: Message, shown: Revision, data: Json) -> Interaction:
        if message.deleted:
            raise ValueError("the message is deleted")
        if message.ephemeral and not self._sees(user, message):
            raise ValueError(f"{user.name} cannot see this private message")
        channel = self.channel(message.channel_id)
        return await self._interact(COMPONENT, data["custom_id"], user, channel, data, message, shown)

    def _sees(self, user: User, message: Message) -> bool:
        made_by = (i for i in self.world.interactions.values() if i.id == message.interaction_id)
        return any(interaction.user is user for interaction in made_by)

    async def _interact(
        self,
        kind: int,
        what: str,
        user: User,
        channel: Channel,
        data: Json,
        source: Message | None = None,
        shown: Revision | None = None,
    ) -> Interaction:
        if channel.recipients and user not in channel.recipients:
            raise ValueError(f"{user.name} is not in this conversation")
        if channel.guild is not None and not channel.guild.present:
            raise ValueError("the bot is not in this guild")
        if channel.archived:
            raise ValueError("neither commands nor buttons work in an archived thread")
        new_id = self.world.ids.new()
        interaction = Interaction(new_id, f"token-{new_id}", kind, what, user, channel, data, source)
        self.world.interactions[interaction.token] = interaction
        body = self._interaction_json(interaction)
        if source is not None:
            body["message"] = source.json(shown)
        interaction.sockets = await self.gateway.dispatch("INTERACTION_CREATE", body)
        return interaction

    def _interaction_json(self, interaction: Interaction) -> Json:
        user, channel = interaction.user, interaction.channel
        body: Json = {
            "id": str(interaction.id),
            "application_id": str(self.world.application_id),
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "data": interaction.payload,
            "channel_id": str(channel.id),
            "channel": channel.json() | {"permissions": str(user.permissions)},
            "app_permissions": str(channel.bot_permissions),
            "locale": user.locale,
            "entitlements": [],
            "attachment_size_limit": FILE_LIMIT,
            "context": channel.context,
            "authorizing_integration_owners": {"1": str(user.id)},
        }
        if channel.guild is None:
            owners = {"0": "0"} if channel.context == IN_BOT_DM else {"1": str(user.id)}
            return body | {"user": user.json(), "authorizing_integration_owners": owners}
        assert channel.context == IN_GUILD
        guild = channel.guild
        return body | {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
            "member": user.member_json(),
            "authorizing_integration_owners": {"0": str(guild.id)},
        }
