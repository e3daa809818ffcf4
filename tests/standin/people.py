"""Users, permission bits and ids."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .errors import Json

DISCORD_EPOCH_MS = 1_420_070_400_000

PERMISSIONS: dict[str, int] = {
    "administrator": 1 << 3,
    "manage_guild": 1 << 5,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
}


def bits(*names: str) -> int:
    """Return the permission bits of these names."""
    return sum(PERMISSIONS[name] for name in set(names))


MEMBER = bits(
    "view_channel",
    "send_messages",
    "attach_files",
    "read_message_history",
    "use_application_commands",
    "create_public_threads",
    "send_messages_in_threads",
)
BOT = bits(*PERMISSIONS) & ~bits(
    "administrator", "manage_guild", "manage_messages", "manage_threads", "mention_everyone"
)


class Ids:
    """A source of snowflakes: ids that contain their time and always grow. A test may set the time."""

    def __init__(self) -> None:
        self.now: Callable[[], float] = time.time
        self._last = 0

    def new(self) -> int:
        """Return a fresh id."""
        self._last = max(self._last + 1, (int(self.now() * 1000) - DISCORD_EPOCH_MS) << 22)
        return self._last


@dataclass
class User:
    """A person on Discord. `permissions` hold in every guild; a test may clear `dms_open`."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    permissions: int = MEMBER
    dms_open: bool = True
    roles: list[int] = field(default_factory=list)

    @property
    def mention(self) -> str:
        """The text that pings them in a message."""
        return f"<@{self.id}>"

    def json(self) -> Json:
        """Return the user object."""
        return {
            "id": str(self.id),
            "username": self.name,
            "global_name": None if self.bot else self.name.title(),
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
        }

    def member_json(self) -> Json:
        """Return the member object, which contains the user."""
        return {
            "user": self.json(),
            "nick": None,
            "avatar": None,
            "roles": [str(role) for role in self.roles],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
            "permissions": str(self.permissions),
        }

    def resolved_member_json(self) -> Json:
        """Return the member object for an interaction's `resolved`: without user, deaf and mute."""
        member = self.member_json()
        return {key: value for key, value in member.items() if key not in ("user", "deaf", "mute")}
