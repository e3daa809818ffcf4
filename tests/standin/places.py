"""Guilds, channels, threads and direct messages.

The bot has the permissions of its role in the guild, minus those that a test denied in the channel. The only other role
is one below it without rights, which people can join.
Not modelled: categories, forums, voice, slow mode, thread members, archiving by time.
"""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .errors import Json
from .messages import Message
from .people import BOT, MEMBER, User, bits

TEXT, DM, GROUP_DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 3, 11, 12
IN_GUILD, IN_BOT_DM, IN_PRIVATE = 0, 1, 2


@dataclass
class Guild:
    """A server that the bot is in, or was in: if it is not `present`, all in it is closed to it.

    Unless it `takes_files`, messages with files are refused, as if Discord had limited them there.
    """

    id: int
    name: str
    bot: User
    role_id: int
    open_role: int  # the role that people can join
    locale: str = "en-US"
    bot_permissions: int = BOT
    channels: dict[int, "Channel"] = field(default_factory=dict)
    present: bool = True
    takes_files: bool = True
    joined_at: str = "2024-01-01T00:00:00+00:00"

    def roles_json(self) -> list[Json]:
        """Return @everyone, the role that people can join, and the role of the bot."""
        return [
            _role(self.id, "@everyone", MEMBER, position=0),
            _role(self.open_role, "seekers", 0, position=1),
            _role(self.role_id, self.bot.name, self.bot_permissions, position=2),
        ]

    def json(self) -> Json:
        """Return the guild as in GUILD_CREATE; the bot is the only member in it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.id),
            "unavailable": False,
            "preferred_locale": self.locale,
            "features": [],
            "emojis": [],
            "stickers": [],
            "member_count": 100,
            "large": False,
            "roles": self.roles_json(),
            "members": [{**self.bot.member_json(), "roles": [str(self.role_id)], "joined_at": self.joined_at}],
            "channels": [channel.json() for channel in self.channels.values() if not channel.is_thread],
            "threads": [channel.json() for channel in self.channels.values() if channel.is_thread and channel.active],
            "voice_states": [],
            "presences": [],
        }


@dataclass
class Channel:
    """A channel, thread, direct message or group; `messages` are the existing public messages, oldest first."""

    id: int
    name: str
    type: int
    guild: Guild | None = None
    parent: "Channel | None" = None
    recipients: list[User] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    denied: set[str] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    old_edits: int = 0

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread."""
        return self.type in (PUBLIC_THREAD, PRIVATE_THREAD)

    @property
    def active(self) -> bool:
        """Whether this is a channel, or a thread that is not archived."""
        return not self.archived

    @property
    def context(self) -> int:
        """The interaction context: guild, DM with the bot, or private (a group the bot is not in)."""
        return {DM: IN_BOT_DM, GROUP_DM: IN_PRIVATE}.get(self.type, IN_GUILD)

    @property
    def bot_permissions(self) -> int:
        """The permissions of the bot here."""
        if self.guild is None:
            return BOT if self.type == DM else 0
        if not self.guild.present:
            return 0
        denied = self.denied | (self.parent.denied if self.parent else set())
        return self.guild.bot_permissions & ~bits(*denied)

    def bot_may(self, *names: str) -> bool:
        """Return whether the bot has all these permissions here."""
        wanted = bits(*names)
        return self.bot_permissions & wanted == wanted

    def last(self) -> Message:
        """Return the newest message."""
        return self.messages[-1]

    def json(self) -> Json:
        """Return the channel object of its kind."""
        newest = str(self.messages[-1].id) if self.messages else None
        body: Json = {"id": str(self.id), "type": self.type, "last_message_id": newest, "flags": 0}
        if self.guild is None:
            body["recipients"] = [user.json() for user in self.recipients]
            return body | ({"name": None, "icon": None, "owner_id": None} if self.type == GROUP_DM else {})
        body |= {"guild_id": str(self.guild.id), "name": self.name, "rate_limit_per_user": 0}
        return body | (self._thread_json() if self.is_thread else self._text_json(self.guild))

    def _text_json(self, guild: Guild) -> Json:
        deny = str(bits(*self.denied))
        overwrites = [{"id": str(guild.bot.id), "type": 1, "allow": "0", "deny": deny}] if self.denied else []
        return {
            "position": 0,
            "topic": None,
            "nsfw": False,
            "parent_id": None,
            "permission_overwrites": overwrites,
        }

    def _thread_json(self) -> Json:
        assert self.parent is not None
        assert self.guild is not None
        return {
            "parent_id": str(self.parent.id),
            "owner_id": str(self.guild.bot.id),
            "message_count": len(self.messages),
            "total_message_sent": len(self.messages),
            "member_count": 1,
            "thread_metadata": {
                "archived": self.archived,
                "locked": self.locked,
                "auto_archive_duration": 10080,
                "archive_timestamp": datetime.fromtimestamp(time.time(), UTC).isoformat(),
            },
        }


def _role(role_id: int, name: str, permissions: int, position: int) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions),
        "position": position,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
