"""Settings of single people."""

from collections.abc import Callable, Mapping
from typing import Any

from gipfbot.notation import NOTATIONS, OFFICIAL, Notation
from gipfbot.store import Store, users


class Users:
    """Operations on the settings of people. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def user_settings(self, user: int) -> dict[str, Any]:
        """Return a person's settings by name. Empty for a person whom the bot does not know."""
        async with self.store.reading() as db:
            return await users.settings_of_user(db, user)

    async def user_notation(self, user: int) -> Notation:
        """Return the notation that a person has chosen, or the official one."""
        return notation_in_settings(await self.user_settings(user))

    async def change(self, user: int, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Change settings of a person, by name. Return all their settings. Does not check the values."""
        async with self.store.transaction() as db:
            await users.note_seen(db, user, self.now())
            for key, value in changes.items():
                await users.set_setting(db, user, key, value)
            return await users.settings_of_user(db, user)


def notation_in_settings(settings: Mapping[str, Any]) -> Notation:
    """Return the notation chosen in a person's settings, or the official one."""
    return NOTATIONS.get(settings.get("notation", ""), OFFICIAL)
