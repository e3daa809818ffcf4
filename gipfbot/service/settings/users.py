"""What people have set."""

from collections.abc import Callable, Mapping
from typing import Any

from gipfbot.notation import NOTATIONS, OFFICIAL, Notation
from gipfbot.store import Store, users


class Users:
    """Everybody's settings. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def user_settings(self, user: int) -> dict[str, Any]:
        """Return what a person has set, by key."""
        async with self.store.reading() as db:
            return await users.settings_of_user(db, user)

    async def user_notation(self, user: int) -> Notation:
        """Return the notation that a person wants to read."""
        return notation_in_settings(await self.user_settings(user))

    async def set_setting(self, user: int, key: str, value: Any) -> None:
        """Save a setting of a person."""
        async with self.store.transaction() as db:
            await users.note_seen(db, user, self.now())
            await users.set_setting(db, user, key, value)


def notation_in_settings(settings: Mapping[str, Any]) -> Notation:
    """Return the notation that a person with these settings wants to read."""
    return NOTATIONS.get(settings.get("notation", ""), OFFICIAL)
