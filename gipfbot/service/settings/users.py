"""Settings of single people, and whom they block."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from gipfbot.languages import Language, languages
from gipfbot.match import Refused, ReminderWish, Seat, Why
from gipfbot.notation import NOTATIONS, OFFICIAL, Notation
from gipfbot.service.kit.batches import BATCH_SIZE
from gipfbot.store import Connection, Store, names, users, watching
from gipfbot.values import Nickname, Person

from .servers import THEMES
from .setting_rows import AS_DISCORD, SettingRows, choice, stored_code, switch

MOST_BLOCKS = 50  # of one person
WISHES: dict[str, ReminderWish | None] = {
    "50%": ReminderWish(50),
    "25%": ReminderWish(25),
    "10%": ReminderWish(10),
    "48h": ReminderWish(hours=48),
    "24h": ReminderWish(hours=24),
    "12h": ReminderWish(hours=12),
    "6h": ReminderWish(hours=6),
    "2h": ReminderWish(hours=2),
    "off": None,
}


async def _write_in(db: Connection, user: int, code: str, _: int) -> None:
    """Note the language that a person has chosen. That of their Discord is noted when they act next."""
    if code != AS_DISCORD:
        await users.set_language(db, user, stored_code(code))


@dataclass(frozen=True, kw_only=True)
class UserSettings(SettingRows):
    """The settings of a person, which they change themselves. An export uses these names."""

    language: str = choice(AS_DISCORD, (AS_DISCORD, *languages()), then=_write_in)
    notation: str = choice(OFFICIAL.name, NOTATIONS)
    theme: str = choice("wood", THEMES)  # of private boards
    reminders: str = choice("25%", WISHES)
    confirm_typed: bool = switch(False)  # whether a typed turn is shown before it is played
    own_side: bool = switch(False)  # whether Black sees private boards from their own side
    leaderboard: bool = switch(True)  # whether leaderboards show them
    followers: bool = switch(True)  # whether others may follow them


class Users:
    """Operations on the settings of people. `now` returns UTC seconds. `kind` has the rows of the settings."""

    def __init__(self, store: Store, now: Callable[[], int], kind: type[UserSettings] = UserSettings) -> None:
        self.store, self.now, self.kind = store, now, kind

    async def person(self, user: int, server: int | None = None, nickname: Nickname | None = None) -> Person:
        """Return what each request on a server reads about the person who acts, by `nickname` if that may be new."""
        async with self.store.reading() as db:
            return await users.load_person(db, user, server, nickname)

    async def chosen_languages(self) -> dict[int, str]:
        """Return the codes of the languages that people have chosen, by person. One statement, for the start."""
        async with self.store.reading() as db:
            known = await users.settings_with(db, "language")
        chosen = {user: self.kind.read(settings).language for user, settings in known.items()}
        return {user: code for user, code in chosen.items() if code != AS_DISCORD}

    async def note_language(self, user: int, language: Language) -> None:
        """Note the language in which the bot writes to a person."""
        async with self.store.transaction() as db:
            await users.set_language(db, user, stored_code(language.code))

    async def rename(self, user: int, nickname: Nickname) -> None:
        """Give a person their new name in their running games and open challenges on its server, in batches."""
        done = BATCH_SIZE
        while done == BATCH_SIZE:
            async with self.store.transaction() as db:
                done = await names.rename_in_games(db, user, *nickname, BATCH_SIZE)
        async with self.store.transaction() as db:
            await names.rename_in_challenges(db, user, *nickname)

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
            settings = await users.set_settings(db, user, changes, self.now())
            for name, value in changes.items():
                if (row := self.kind.rows().get(name)) and row.then:
                    await row.then(db, user, value, self.now())
            return settings


def notation_in_settings(settings: Mapping[str, Any]) -> Notation:
    """Return the notation chosen in a person's settings, or the official one."""
    return NOTATIONS.get(settings.get("notation", ""), OFFICIAL)


async def load_user_settings(db: Connection, user: int) -> UserSettings:
    """Return a person's settings. The defaults hold for those that are not set."""
    return UserSettings.read(await users.settings_of_user(db, user))


async def check_not_blocked(db: Connection, user: int, others: Collection[int]) -> None:
    """Raise Refused if one of the others blocks this person. The refusal does not say so."""
    if await users.blocks_among(db, others, [user]):
        raise Refused(Why.NOT_POSSIBLE)


async def check_may_play(db: Connection, user: int, other: Seat) -> None:
    """Raise Refused if one of two people blocks the other: no new game may begin. `user` is the one who asks."""
    both = user, other.user
    found = await users.blocks_among(db, both, both)
    if (other.user, user) in found:
        raise Refused(Why.NOT_POSSIBLE)
    if (user, other.user) in found:
        raise Refused(Why.BLOCKED_BY_YOU, name=other.name)


class Blocks:
    """Operations on blocks. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def block(self, user: int, player: Seat) -> bool:
        """Let a person block a player, whose follows of them end. Return False if they block them already.

        Raises Refused, and changes nothing, for oneself and for one block too many.
        """
        if user == player.user:
            raise Refused(Why.BLOCKS_SELF)
        async with self.store.transaction() as db:
            if await users.blocks_among(db, [user], [player.user]):
                return False
            if await users.count_blocks(db, user) >= MOST_BLOCKS:
                raise Refused(Why.TOO_MANY_BLOCKS, most=MOST_BLOCKS)
            await users.add_block(db, user, player, self.now())
            await watching.lose_follows_by(db, player.user, user)
            return True

    async def unblock(self, user: int, player: int) -> Seat | None:
        """End a person's block of a player. Return the player; None if they were not blocked."""
        async with self.store.transaction() as db:
            found = (await users.blocks_among(db, [user], [player])).get((user, player))
            if found:
                await users.delete_block(db, user, found.user)
            return found

    async def blocks_of(self, user: int) -> list[Seat]:
        """Return the players whom a person blocks, the first blocked first."""
        async with self.store.reading() as db:
            return await users.blocks_of(db, user)
