"""The state of the stand-in: people, places, messages, commands, interactions and settings for tests.

It uses the real clock. Instead of waiting, a test makes things older.
"""

import time

from .errors import ApiError, Json
from .interaction import Interaction
from .messages import LOADING, Attachment, Message, Revision, Upload, attach, revise, stored
from .people import BOT, Ids, User
from .places import DM, GROUP_DM, TEXT, Channel, Guild


class World:
    """The state, and the operations that several parts need."""

    def __init__(self) -> None:
        self.nonce_window = 300.0
        self.ack_window = 3.0
        self.token_life = 900.0
        self.old_edits_allowed = 30
        self.thread_limit = 1000
        self.retry_after = 0.05
        self.shards, self.identify_at_once = 1, 1  # what is advised, and the groups of shards
        self.bot_permissions = BOT  # in every guild, as its list of guilds says

        self.ids = Ids()
        self.base_url = ""
        self.token = "stand-in.token"
        self.bot = User(self.ids.new(), "gipf", bot=True)
        self.application_id = self.bot.id
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.files: dict[int, Attachment] = {}
        self.commands: dict[int | None, list[Json]] = {}
        self.interactions: dict[str, Interaction] = {}
        self.violations: list[str] = []

    def user(self, name: str, **details: object) -> User:
        """Return the person of this name, created at the first call; `details` set fields of `User`."""
        found = next((user for user in self.users.values() if user.name == name), None)
        if found is None:
            found = User(self.ids.new(), name)
            self.users[found.id] = found
        for key, value in details.items():
            if not hasattr(found, key):
                raise TypeError(f"a user has no {key}")
            setattr(found, key, value)
        return found

    def add_guild(self, name: str) -> Guild:
        """Create a guild with the bot in it. The bot learns of it at its next IDENTIFY."""
        guild = Guild(self.ids.new(), name, self.bot, self.ids.new(), self.ids.new())
        self.guilds[guild.id] = guild
        return guild

    @property
    def present_guilds(self) -> list[Guild]:
        """The guilds that the bot is in."""
        return [guild for guild in self.guilds.values() if guild.present]

    def add_channel(self, guild: Guild, name: str, kind: int = TEXT, parent: Channel | None = None) -> Channel:
        """Create a channel or thread in the guild. The bot learns of it at its next IDENTIFY."""
        return self.keep(Channel(self.ids.new(), name, kind, guild=guild, parent=parent))

    def keep(self, channel: Channel) -> Channel:
        """Keep a channel under its id."""
        self.channels[channel.id] = channel
        if channel.guild:
            channel.guild.channels[channel.id] = channel
        return channel

    def dm(self, user: User) -> Channel:
        """Return the direct messages between this person and the bot, opened at the first call."""
        for channel in self.channels.values():
            if channel.type == DM and channel.recipients == [user]:
                return channel
        return self.keep(Channel(self.ids.new(), "", DM, recipients=[user]))

    def add_group(self, *people: User) -> Channel:
        """Create a group without the bot. User-installed commands work there; all else is error 50001."""
        return self.keep(Channel(self.ids.new(), "", GROUP_DM, recipients=list(people)))

    def message(self, message_id: int) -> Message:
        """Return a public message by id, in any channel. Raise KeyError if there is none."""
        for channel in self.channels.values():
            for message in channel.messages:
                if message.id == message_id:
                    return message
        raise KeyError(message_id)

    def post(
        self,
        channel: Channel,
        payload: Json,
        files: dict[int, Upload],
        *,
        flags: int = 0,
        via: Interaction | None = None,
    ) -> Message:
        """Create a message by the bot. The caller adds it to a place."""
        blank = Revision(flags=flags)
        shown = revise(blank, payload, self.attach(channel, (), payload, files))
        message = Message(
            id=self.ids.new(),
            channel_id=channel.id,
            guild_id=channel.guild.id if channel.guild else None,
            author=self.bot,
            revisions=[blank if flags & LOADING else self._not_empty(shown)],
            reference=payload.get("message_reference"),
        )
        if via is not None:
            message.application_id, message.interaction_id = self.application_id, via.id
        return message

    def say(self, channel: Channel, user: User, text: str) -> Message:
        """Add a message of a person to a channel and return it."""
        guild_id = channel.guild.id if channel.guild else None
        message = Message(self.ids.new(), channel.id, guild_id, user, [Revision(content=text)])
        channel.messages.append(message)
        return message

    def edit(self, message: Message, payload: Json, files: dict[int, Upload]) -> Message:
        """Edit a message."""
        channel = self.channels[message.channel_id]
        kept = self.attach(channel, message.attachments, payload, files)
        message.show(self._not_empty(revise(message.now, payload, kept)))
        return message

    def delete(self, message: Message) -> None:
        """Remove a message and mark it as `deleted`."""
        message.deleted = True
        channel = self.channels[message.channel_id]
        channel.messages = [other for other in channel.messages if other is not message]

    def attach(
        self, channel: Channel, before: tuple[Attachment, ...], payload: Json, files: dict[int, Upload]
    ) -> tuple[Attachment, ...]:
        """Return the attachments after a request, and keep them so that their addresses work."""
        after = attach(before, payload, files, self.ids, f"{self.base_url}/cdn/{channel.id}")
        self.files.update((attachment.id, attachment) for attachment in after)
        return after

    def upload(self, channel: Channel, file: Upload) -> Attachment:
        """Keep a file that a person gives to a command, and return it."""
        attachment = stored(file, {}, self.ids.new(), f"{self.base_url}/cdn/{channel.id}")
        self.files[attachment.id] = attachment
        return attachment

    def age_messages(self, seconds: float = 3601.0) -> None:
        """Make all messages older: nonces lapse, and edits count as edits of old messages."""
        for message in {id(m): m for c in self.channels.values() for m in c.messages}.values():
            message.posted_at -= seconds

    def age_tokens(self, seconds: float = 901.0) -> None:
        """Make all interactions older: unacknowledged ones are lost, and the tokens of the others lapse."""
        for interaction in self.interactions.values():
            interaction.age += seconds

    def posted_with(self, channel: Channel, nonce: str) -> Message | None:
        """Return the bot's message with this nonce, if the nonce has not lapsed."""
        since = time.time() - self.nonce_window
        own = (m for m in channel.messages if m.nonce == nonce and m.author is self.bot and m.posted_at > since)
        return next(own, None)

    @staticmethod
    def _not_empty(revision: Revision) -> Revision:
        if revision.empty:
            raise ApiError(50006)
        return revision
