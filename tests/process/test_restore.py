"""An older database comes back in the middle of five games. Nothing repeats, and all are played on."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gipfbot.service.kit.loaded_games import game_name
from tests.standin import Message, StandIn, User
from tests.support.games import OPENING
from tests.support.routes import MESSAGES

from .backups import WATCHFUL, back_up, put_back
from .running import OWED, Bot, run_command
from .table import Table, turns_shown

TURNS_OF_GAMES = "SELECT game, max(turn_number) FROM turns WHERE game <= 5 GROUP BY game"
GAMES = (1, 2, 3, 4, 5)
UNCHANGED = 5  # the game in which nobody plays after the backup
WITH_CARA = 6

pytestmark = pytest.mark.sqlite


class Club:
    """Ann and Bob, who play five games in one channel, and a game of Ann and Cara."""

    def __init__(self, bot: Bot, table: Table) -> None:
        self.bot, self.table, self.discord = bot, table, table.discord
        self.played = dict.fromkeys(GAMES, 0) | {1: 2}

    async def begin(self) -> None:
        """Begin the games: the second has one turn, the third two, and so on."""
        for game in GAMES[1:]:
            await self.table.begin(colour="white")
            await self.play(game, game - 1)
        await self.begun_by(self.table.cara, await self.challenge(self.table.ann, self.table.cara))

    async def play(self, game: int, turns: int = 1) -> None:
        """Play the next turns of a game; fail if a board is missing or doubled."""
        for _ in range(turns):
            number = self.played[game] = self.played[game] + 1
            await self._play_turn(game, number, OPENING[number - 1])

    async def _play_turn(self, game: int, number: int, text: str) -> None:
        known, who = len(self.boards(game, number)), (self.table.bob, self.table.ann)[number % 2]
        sent = await self.discord.slash(who, self.table.channel, "move", notation=text, game=game_name(game))
        await sent.answered()
        await self.discord.wait_for(
            lambda: len(self.boards(game, number)) == known + 1, f"turn {number} of game {game}: {sent}"
        )

    def boards(self, game: int, number: int | None = None) -> list[Message]:
        """Return the boards of a game that ask for its next turn: all, or those after so many turns."""
        of_game = [m for m in self.table.boards() if re.search(rf"{game_name(game)} vs", m.content)]
        return of_game if number is None else [m for m in of_game if turns_shown(m) == number]

    def told(self, game: int) -> list[Message]:
        """Return the boards of a game that tell of a restore."""
        return [board for board in self.boards(game) if "restored from a backup" in board.content]

    async def settled(self) -> None:
        """Wait until nothing is owed."""
        await self.discord.wait_for(lambda: self.bot.rows(OWED) == [0], "the delivery")

    async def challenge(self, by: User, to: User) -> Message:
        """Let one person challenge another; return the challenge."""
        sent = await self.discord.slash(by, self.table.channel, "gipf challenge", opponent=to)
        await sent.answered()
        await self.settled()
        return self.table.channel.last()

    async def begun_by(self, to: User, challenge: Message) -> int:
        """Let a person accept a challenge; return the new game."""
        known = self.newest()
        await self.discord.press(to, challenge, "Accept")
        await self.discord.wait_for(lambda: self.newest() > known, "a new game")
        await self.settled()
        return self.newest()

    def newest(self) -> int:
        """Return the newest game."""
        newest: int = self.bot.rows("SELECT max(id) FROM games")[0]
        return newest

    async def delete_cara(self) -> None:
        """Let Cara delete her data, which resigns her game."""
        asked = await self.discord.slash(self.table.cara, self.table.channel, "gipf-me privacy delete")
        await asked.answered()
        await self.discord.press(self.table.cara, asked.messages[0], "delete_data:delete")
        await self.discord.wait_for(lambda: "wins" in self.table.channel.last().content, "her resignation")
        await self.settled()

    async def refused(self, message: Message, button: str) -> None:
        """Let Bob press a button of the lost time; fail unless the answer says what it was."""
        pressed = await self.discord.press(self.table.bob, message, button)
        answer = await pressed.followed_up()
        assert "restored from a backup, and what this button was for is lost" in answer.text


async def restore(bot: Bot, backup: Path, way: str) -> None:
    """Put the backup back: by its command, by hand, or by hand where nothing else is left."""
    if way == "command":
        code, said = await run_command(bot, "restore", backup.name)
        assert "the players of the 5 running games that went back" in said
        assert code == 0
        return
    put_back(bot, backup, *([".timeline"] if way == "bare" else []))


@pytest.mark.parametrize(
    "way",
    [pytest.param("command", marks=pytest.mark.slow), "by hand", pytest.param("bare", marks=pytest.mark.slow)],
)
async def test_five_games_are_played_on_after_a_restore(bot: Bot, discord: StandIn, table: Table, way: str) -> None:
    """In the lost time there were turns, a new game, two challenges and a deletion. The bot was killed."""
    club = Club(bot, table)
    await bot.start(WATCHFUL)
    await club.begin()
    ann, bob, dan = table.ann, table.bob, discord.user("dan")
    kept_challenge = await club.challenge(dan, ann)
    backup, played = await back_up(bot, way), dict(club.played)
    for game in GAMES[:-1]:
        await club.play(game, 2)
    lost_board, lost_game = club.boards(1)[-1], await club.begun_by(ann, kept_challenge)
    assert kept_challenge.custom_ids == []
    lost_challenge = await club.challenge(ann, bob)
    await club.delete_cara()
    await bot.kill()

    await restore(bot, backup, way)
    club.played = played
    before = len(table.channel.messages)
    await bot.start(WATCHFUL)
    told = GAMES[:-1] if way == "command" else GAMES
    await discord.wait_for(lambda: all(club.told(game) for game in told), "the news")
    await club.settled()
    assert [len(club.told(game)) for game in GAMES] == [int(game in told) for game in GAMES]
    assert [turns_shown(club.told(game)[0]) for game in told] == [played[game] for game in told]
    assert len(table.channel.messages) - before == len(told) + 1, "and Cara's game, told or resigned again"

    await club.refused(lost_challenge, "Accept")
    await club.refused(lost_board, "Move")
    assert club.newest() == WITH_CARA
    for game in GAMES:
        await club.play(game, len(OPENING) - 3 - played[game])
    await discord.wait_for(lambda: kept_challenge.custom_ids, "the buttons that it had at the backup")
    assert await club.begun_by(ann, kept_challenge) > lost_game
    assert await club.begun_by(bob, await club.challenge(ann, bob)) > lost_game + 1
    await club.settled()
    nonces = [call.payload["nonce"] for call in discord.called("POST", MESSAGES)]
    assert len(nonces) == len({*nonces})
    # The deletion is known from the timeline file alone.
    assert (table.cara.id in bot.rows("SELECT user FROM seats")) == (way == "bare")
    assert bot.rows(TURNS_OF_GAMES) == [(game, len(OPENING) - 3) for game in GAMES]


async def test_a_bot_whose_database_is_replaced_ends_with_a_sentence(bot: Bot) -> None:
    """It would write into a file that has no name any more. A later start mends that."""
    await bot.start(WATCHFUL)
    (await back_up(bot, "by hand")).replace(bot.database)
    assert await bot.ended() == 12
    assert bot.log.splitlines()[-1] == f"{bot.database} was replaced while the bot ran: start the bot again."


async def test_the_owner_is_told_of_ended_games_that_do_not_replay(bot: Bot, discord: StandIn, table: Table) -> None:
    """The bot replays them after its start; `restore` has replayed the running ones. A second start says nothing."""
    bot.settings["GIPFBOT_OWNER"] = str(table.cara.id)
    await bot.start(WATCHFUL)
    club = Club(bot, table)
    await club.begin()
    backup = await back_up(bot, "command")
    with closing(sqlite3.connect(backup, isolation_level=None)) as copy:
        copy.execute(f"UPDATE games SET status = 'cancelled', ended_at = 1, waiting_user = NULL WHERE id = {GAMES[-1]}")
    assert await bot.end() == 0
    await restore_by_command(bot, backup)
    await bot.start(WATCHFUL)
    await discord.wait_for(lambda: discord.dm(table.cara).messages, "a direct message to the owner")
    await discord.wait_for(
        lambda: bot.rows("SELECT key FROM meta WHERE key = 'restored_check'") == [], "the note's end"
    )
    assert await bot.end() == 0
    await bot.start(WATCHFUL)
    await club.settled()
    (message,) = discord.dm(table.cara).messages
    assert f"Restored games that differ from their turns: {game_name(GAMES[-1])}. " in message.content
    assert bot.log.count("what was restored is being checked") == 1


async def restore_by_command(bot: Bot, backup: Path) -> None:
    code, said = await run_command(bot, "restore", backup.name)
    assert code == 0, said
