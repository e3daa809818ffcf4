"""What one person can send to flood the bot: each kind is one row of KINDS.

`tests/process/test_flood.py` names the heavy commands, buttons and forms that no row sends, and sends each row.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, NamedTuple, TypeVar

from gipfbot.match import Seat, position_after, resign_game
from gipfbot.notation import parse_position, turn_text
from gipfbot.rules import TOURNAMENT, Position
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store import Store, games
from gipfbot.ui.kit.per_person import TokenBuckets
from gipfbot.values import DEFAULT_LIMITS, Venue
from tests.bench.samples import lasting_game
from tests.bench.simulation import NOW, store_played_game
from tests.standin import Channel, Interaction, Message, StandIn, User
from tests.standin.interaction import eventually
from tests.standin.people import PERMISSIONS
from tests.support.games import CROSSING

from .players import any_turn
from .running import Bot
from .seekers import let_seeks_mention
from .stored_courses import read_rows

T = TypeVar("T")
ACTION_LIMITS = "INTERACTION_BURST", "INTERACTIONS_PER_MINUTE", "SUGGESTION_BURST", "SUGGESTIONS_PER_MINUTE"
LONG = 61  # turns of each long game, after which the opponent is to move
ROW_TURN = "3b"  # the first of them that removes a row
ENDED = 10  # games of others that are over
GAMES_AT_ONCE = 4  # private games against the bot, at each level: the bot allows 10
SPARE_TOKENS = 3  # of the bot's limits, which count by another clock
LOST = 3.0  # seconds after which Discord gives up an interaction
RECORD = "1. a2-c2 f1-d2 2. b1-b3 i5-g5 3. b6-b4;xb2,b3,Gb4,b5 e1-e3"
WHEN = "25%", "50%"
_MINE = 'FROM games JOIN seats ON seats.game = games.id WHERE seats."user" = ? AND level IS NOT NULL'
TO_PLAY = f"SELECT id, position {_MINE} AND waiting_user = seats.\"user\" AND level = ? AND position LIKE 'standard %'"
OVERBOARD = f"SELECT id {_MINE} AND waiting_user IS NOT NULL AND position LIKE 'overboard %'"
PLAYED_BY_BOT = f'SELECT id {_MINE} AND waiting_user = seats."user" AND turn_number > 1'


def use_real_limits(bot: Bot, *, unlimited: bool) -> None:
    """Set the limits for one person as they are for hosts, or else none."""
    for name in ACTION_LIMITS:
        bot.settings.pop(f"GIPFBOT_{name}", None)
        if unlimited:
            bot.settings[f"GIPFBOT_{name}"] = "100000"


def say(*lines: object) -> None:
    """Print lines at once."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


class Prepared(NamedTuple):
    """The ids of games: long and crowded ones that Mallory plays, and long ones of others that are over."""

    long: Sequence[int]
    crowded: Sequence[int]
    ended: Sequence[int]


async def prepare_games(bot: Bot, owner: User, channel: Channel, number: int) -> Prepared:
    """Give a person so many running games, and their channel ENDED games that are over, while the bot is stopped."""
    assert channel.guild
    venue, seats = Venue(channel.guild.id, channel.id), (Seat(owner.id, owner.name), Seat(owner.id + 1, "pat"))
    others, turns = (Seat(owner.id + 2, "quin"), Seat(owner.id + 3, "rae")), [*islice(lasting_game(Random(6)), LONG)]
    store = await Store.open_database(bot.settings["GIPFBOT_DATABASE_URL"])
    async with store.transaction() as db:
        long = (await store_played_game(db, seats, venue, turns)).id
        crowded = (await games.add_game(db, TOURNAMENT, seats, venue, NOW)).game.id
        ended = await store_played_game(db, others, venue, turns)
        await games.save_game(db, ended, resign_game(ended, others[0].user), by=others[0].user, now=NOW)
    await store.close()
    bot.change("UPDATE games SET position = ? WHERE id = ?", CROSSING, crowded)
    await let_seeks_mention(bot, channel.guild)
    half = number // 2
    copies = ((long, half), (crowded, number - half), (ended.id, ENDED))
    return Prepared(*(_copy_game(bot, game, times) for game, times in copies))


def _copy_game(bot: Bot, game: int, times: int) -> list[int]:
    """Copy a game with its seats and turns; return the ids of the copies."""
    first: int = bot.rows("SELECT max(id) FROM games")[0] + 1
    numbers = (
        f"WITH RECURSIVE number(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM number WHERE n < {first + times - 1})"
    )
    for table, key in (("games", "id"), ("seats", "game"), ("turns", "game")):
        names = bot.rows("SELECT name FROM pragma_table_info(?)", table)
        columns = ", ".join("n" if name == key else f'"{name}"' for name in names)
        bot.change(
            f"INSERT INTO {table} {numbers} SELECT {columns} FROM number CROSS JOIN {table} WHERE {key} = {game}"
        )
    return [*range(first, first + times)]


class Pace:
    """Lets requests through as fast as the bot's limits allow one person, so that it refuses none."""

    def __init__(self, burst: int, per_minute: int) -> None:
        self._buckets, self._turn = TokenBuckets(burst - SPARE_TOKENS, per_minute), asyncio.Lock()

    async def wait(self) -> None:
        """Wait until the next request may go."""
        async with self._turn:
            if seconds := self._buckets.take(0, int(time.monotonic())):
                await asyncio.sleep(seconds)
                self._buckets.take(0, int(time.monotonic()))


class Mallory:
    """A person who sends requests, and reads German.

    `throwaway` is their second account: deleting its data costs them no game.

    If `paced`, both accounts together send as much as the bot allows one person. Each method that sends a request
    waits until it is answered. It raises LookupError or ValueError if there is no such button or no answer, and
    TimeoutError if none comes.
    """

    def __init__(self, bot: Bot, discord: StandIn, channel: Channel, prepared: Prepared, *, paced: bool) -> None:
        self.bot, self.discord, self.channel, self.games = bot, discord, channel, prepared
        self.me, self.throwaway = discord.user("mallory"), discord.user("mallory's other account")
        self.me.locale, self.throwaway.locale = "de", "fr"
        self.me.permissions |= PERMISSIONS["manage_guild"]  # so that they may open tournaments
        self.begun = Counter[str]()  # games against the bot, by level
        self.sent = Counter[str]()  # how often each kind was answered
        self.playing = set[int]()  # games in which they are just playing a turn
        limits = DEFAULT_LIMITS
        self._acts = Pace(limits.interaction_burst, limits.interactions_per_minute) if paced else None
        self._words = Pace(limits.suggestion_burst, limits.suggestions_per_minute) if paced else None

    def __str__(self) -> str:
        return ", ".join(f"{name} {number}" for name, number in self.sent.items())

    async def slash(self, command: str, by: User | None = None, **options: object) -> Message:
        """Send a command; return its answer."""
        return await self._answer(await self._slash(command, by or self.me, **options))

    async def press(self, message: Message, begins: str, by: User | None = None) -> Message:
        """Press the first button whose `custom_id` begins so; return the message that shows the answer."""
        edits, sent = message.edits, await self._press(message, begins, by or self.me)
        await _until(lambda: message.edits > edits or sent.followups)
        return sent.followups[-1] if sent.followups else message

    async def begin_against_bot(self, level: str, **terms: object) -> None:
        """Begin a game against the bot that only they see."""
        page = await self.slash("gipf challenge", None, opponent=self.discord.world.bot, **terms)
        await self.press(page, f"begin_bot_game:{level}:")

    async def fill_command(self, command: str, **values: object) -> Message:
        """Fill in the form that a command opens, and send it; return the answer."""
        return await self._fill(await self._slash(command, self.me), **values)

    async def fill(self, message: Message, begins: str, **values: object) -> Message:
        """Fill in the form that a button opens, and send it; return the answer."""
        return await self._fill(await self._press(message, begins, self.me), **values)

    async def type(self, command: str, focused: str, value: str, **options: object) -> None:
        """Type into an option of a command, and wait for suggestions as long as Discord does."""
        if self._words:
            await self._words.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOST):
                await self.discord.autocomplete(self.me, self.channel, command, focused=focused, value=value, **options)

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return the rows that a query finds about this person; for a single column, its values."""
        return read_rows(self.bot.database, f"{query} ORDER BY id", self.me.id, *values)

    async def _slash(self, command: str, by: User, **options: object) -> Interaction:
        await self._wait_for_token()
        return await self.discord.slash(by, self.channel, command, **options)

    async def _press(self, message: Message, begins: str, by: User) -> Interaction:
        await self._wait_for_token()
        return await self.discord.press(by, message, button_of(message, begins))

    async def _fill(self, opened: Interaction, **values: object) -> Message:
        await _until(lambda: opened.modal or opened.complete)
        if opened.modal is None:
            raise LookupError(f"no form after {opened}")
        await self._wait_for_token()
        return await self._answer(await self.discord.submit(opened, **values))

    async def _answer(self, sent: Interaction) -> Message:
        await _until(lambda: sent.complete)
        if not sent.messages:
            raise LookupError(f"no answer to {sent}")
        return sent.messages[-1]

    async def _wait_for_token(self) -> None:
        if self._acts:
            await self._acts.wait()


async def _until(predicate: Callable[[], T]) -> T:
    return await eventually(predicate, "an answer to Mallory")


def button_of(message: Message, begins: str) -> str:
    """Return the `custom_id` of the first button or select that begins so. Raises LookupError if there is none."""
    for name in message.custom_ids:
        if name.startswith(begins):
            return name
    raise LookupError(f"no {begins} among {message.custom_ids}")


def _nth_name(ids: Sequence[int], number: int) -> str:
    """Return the name of one of these games. Raises LookupError if there is none."""
    return game_name(_nth(ids, number))


def _nth(things: Sequence[Any], number: int) -> Any:
    if not things:
        raise LookupError("there is nothing yet")
    return things[number % len(things)]


def _any_text(position: Position, number: int) -> str:
    return turn_text(position, any_turn(position, Random(number)))


# ── Games against the bot ──


async def play_bot(mallory: Mallory, level: str, number: int) -> None:
    """Begin a game against the bot, or play a turn if there are GAMES_AT_ONCE."""
    if mallory.begun[level] < GAMES_AT_ONCE:
        mallory.begun[level] += 1
        await mallory.begin_against_bot(level, colour="black", rules="standard")
        return
    waiting = [row for row in mallory.rows(TO_PLAY, int(level)) if row[0] not in mallory.playing]
    game, line = _nth(waiting, number)
    mallory.playing.add(game)
    try:
        await mallory.slash("move", game=game_name(game), notation=_any_text(parse_position(line), number))
    finally:
        mallory.playing.discard(game)


async def _offer_draw(mallory: Mallory, number: int) -> None:
    """Offer the bot a draw, under rules that know one: it searches before it answers."""
    await mallory.begin_against_bot("7", colour="white", rules="overboard")
    game = _nth_name(mallory.rows(OVERBOARD), number)
    await mallory.press(await mallory.slash("move", notation="draw", game=game), "make_request:draw:")


async def _take_back(mallory: Mallory, number: int) -> None:
    """Ask the bot for a takeback, which it grants."""
    game = _nth_name(mallory.rows(PLAYED_BY_BOT), number)
    await mallory.press(await mallory.slash("move", notation="undo", game=game), "make_request:takeback:")


async def _plan_ahead(mallory: Mallory, number: int) -> None:
    """Leave a conditional turn while the opponent is to move. Enter a part of another by pressing, or take it back."""
    game = _nth(mallory.games.long, number)
    position = parse_position(read_rows(mallory.bot.database, "SELECT position FROM games WHERE id = ?", game)[0])
    after = position_after(position, any_turn(position, Random(number)))
    turns = f"{_any_text(position, number)} {_any_text(after, number)}"
    desk = await mallory.press(await mallory.slash("gipf if", game=game_name(game), turns=turns), "plan:")
    if _buttons(desk, "plan_desk", "dot"):
        await _press_turn(mallory, desk, "plan_desk", number)
    else:
        await mallory.press(desk, _nth(_buttons(desk, "plan_desk", "untry"), 0))
    await mallory.press(await mallory.slash("gipf board", game=game_name(game)), "plans:")


async def _ask_why(mallory: Mallory, number: int) -> None:
    """Ask for the reasons of a turn of the bot."""
    game = _nth_name(mallory.rows(PLAYED_BY_BOT), number)
    await mallory.press(await mallory.slash("gipf board", game=game), "reasons:")


async def _ask_about_removal(mallory: Mallory, number: int) -> None:
    """Ask why a row came off in a turn of a long game."""
    game = _nth_name(mallory.games.long, number)
    await mallory.press(await mallory.slash("gipf board", game=game, turn=ROW_TURN), "why_row:")


# ── What people learn from ──


async def _analyse(mallory: Mallory, number: int) -> None:
    """Ask for an analysis, and give it up by deleting the account's data, which allows the next."""
    game, account = _nth_name(mallory.games.ended, number), mallory.throwaway
    await mallory.slash("gipf-learn analyse", account, game=game)
    asked = await mallory.slash("gipf-me privacy delete", account)
    await mallory.press(asked, "delete_data:delete", account)


async def _solve(mallory: Mallory, number: int) -> None:
    """Try a turn in a puzzle, look at the solution, and open the next."""
    shown = await _press_turn(mallory, await mallory.slash("gipf-learn puzzle"), "puzzle", number)
    await mallory.press(await mallory.press(shown, "puzzle_solution:"), "next_puzzle")


async def _practise(mallory: Mallory, number: int) -> None:
    """Begin a practice, and play a turn that the bot answers."""
    page = await mallory.slash("gipf-learn rules", topic="row")
    await _press_turn(mallory, await mallory.press(page, "play_on:"), "practice", number)


async def _press_turn(mallory: Mallory, shown: Message, kind: str, number: int) -> Message:
    """Press a dot and a push; return the message that shows what follows."""
    for verb in ("dot", "push"):
        shown = await mallory.press(shown, _nth(_buttons(shown, kind, verb), number))
    return shown


def _buttons(shown: Message, kind: str, verb: str) -> list[str]:
    return [name for name in shown.custom_ids if name.startswith(f"{kind}:") and f":{verb}:" in name]


async def _study(mallory: Mallory, number: int) -> None:
    """Open a study of a game that is over, step in it, and try a turn."""
    study = await mallory.press(await _ended_board(mallory, number), "study_game:")
    for verb in ("first", "last", "prev", "try"):
        study = await mallory.press(study, _nth(_buttons(study, "study", verb), 0))
    await _press_turn(mallory, study, "study", number)


async def _explore(mallory: Mallory, number: int) -> None:
    """Look into the explorer, and go on there."""
    await mallory.press(await mallory.press(await _ended_board(mallory, number), "explore_game:"), "explored_game:")


async def _explore_study(mallory: Mallory, number: int) -> None:
    """Look into the explorer from a study, and go on there."""
    study = await mallory.press(await _ended_board(mallory, number), "study_game:")
    await mallory.press(await mallory.press(study, "explore_study:"), "explored_study:")


async def _ended_board(mallory: Mallory, number: int) -> Message:
    return await mallory.slash("gipf board", game=_nth_name(mallory.games.ended, number))


# ── Files, pictures, lists, forms ──


async def _look(mallory: Mallory, number: int) -> None:
    """Look at boards: one, one of the past, and a page of many."""
    await mallory.slash("gipf board", game=_nth_name(mallory.games.long, number), turn=str(1 + number % (LONG // 2)))
    await mallory.press(await mallory.slash("gipf live"), "live:1")


async def _list(mallory: Mallory, _: int) -> None:
    """List games and people."""
    await mallory.press(await mallory.slash("gipf games"), "games:page:1")
    for command in ("gipf leaderboard", "gipf profile", "gipf seeks"):
        await mallory.slash(command)


async def _fill_forms(mallory: Mallory, number: int) -> None:
    """Send a form with a turn that nobody can read."""
    board = await mallory.slash("gipf board", game=_nth_name(mallory.games.crowded, number))
    await mallory.fill(board, "type_turn:", text="x" * 50)


async def _suggest(mallory: Mallory, number: int) -> None:
    """Type a turn, letter by letter."""
    game = _nth_name(mallory.games.crowded, number)
    await mallory.type("move", "notation", "x" if number % 2 else "", game=game)


# ── What everybody sees ──


async def _show(mallory: Mallory, number: int) -> None:
    """Show a replay in the channel, which the bot refuses soon, and open one that was shown."""
    replay = await mallory.slash("gipf replay", game=_nth_name(mallory.games.long, number))
    await _until(lambda: _has(replay, "show:"))
    await mallory.press(replay, "show:")
    shown = await _until(lambda: [each for each in mallory.channel.messages if _has(each, "look:")])
    await mallory.press(_nth(shown, number), "look:")


async def _seek(mallory: Mallory, _: int) -> None:
    """Post an open challenge, and withdraw it. Join the role that it mentions, or leave it."""
    listed = await mallory.press(await mallory.slash("gipf seeks"), "seekers:")
    await mallory.press(listed, "post_seek")
    await mallory.press(await mallory.slash("gipf seeks"), "challenge:")


async def _hold(mallory: Mallory, number: int) -> None:
    """Open a tournament, join it, leave it, look at it, and stop it."""
    opened = await mallory.slash("gipf-tournament new", name=f"Cup {number}", days=1)
    left = await mallory.press(await mallory.press(opened, "tournament_join:"), "tournament_leave:")
    await mallory.press(left, "standings:")
    tournament = button_of(left, "standings:").split(":")[1].partition("~")[0]
    await mallory.slash("gipf-tournament list")
    await mallory.slash("gipf-tournament show", tournament=tournament)
    asked = await mallory.slash("gipf-tournament stop", tournament=tournament)
    await mallory.press(asked, "stop_tournament:")


def _has(message: Message, begins: str) -> bool:
    return any(name.startswith(begins) for name in message.custom_ids)


class Kind(NamedTuple):
    """A kind of request: the commands, suggestions, buttons and forms that `send` uses to send it once.

    `ways` are others that come to the same work, and are not sent. `at_once` says how many are sent at the same time
    when all kinds are sent together.
    """

    uses: tuple[str, ...]
    send: Callable[[Mallory, int], Awaitable[object]]
    ways: tuple[str, ...] = ()
    at_once: int = 1


GAME_WAYS = "gipf bot", "rematch", "bot_rematch", "post_terms", "desk"
KINDS = {
    "games at level 7": Kind(
        ("gipf challenge", "begin_bot_game", "move"), lambda m, n: play_bot(m, "7", n), GAME_WAYS, at_once=GAMES_AT_ONCE
    ),
    "boards": Kind(("gipf challenge", "begin_bot_game", "move"), lambda m, n: play_bot(m, "1", n), at_once=3),
    "analyses": Kind(
        ("gipf-learn analyse", "gipf-me privacy delete", "delete_data"), _analyse, ways=("analyse", "analysis")
    ),
    "draw offers": Kind(("move", "make_request"), _offer_draw),
    "takebacks": Kind(("move", "make_request"), _take_back, ways=("request",)),
    "plans": Kind(("gipf if", "plan", "plan_desk", "plans"), _plan_ahead, ways=("conditional_form",)),
    "reasons": Kind(("gipf board", "reasons"), _ask_why),
    "removals": Kind(
        ("gipf board", "why_row"), _ask_about_removal, ways=("why_capture", "earlier_capture", "later_capture")
    ),
    "puzzles": Kind(
        ("gipf-learn puzzle", "puzzle", "puzzle_solution", "next_puzzle"),
        _solve,
        ways=("open_puzzle", "posted_solution"),
    ),
    "practices": Kind(("play_on", "practice"), _practise, ways=("play_on_lesson", "practice_game")),
    "replays": Kind(
        ("gipf replay",), lambda m, n: m.slash("gipf replay", game=_nth_name(m.games.long, n)), ways=("replay",)
    ),
    "records": Kind(
        ("gipf record",), lambda m, n: m.slash("gipf record", game=_nth_name(m.games.long, n)), ways=("record",)
    ),
    "exports": Kind(("gipf-me privacy export",), lambda m, _: m.slash("gipf-me privacy export")),
    "imports": Kind(("gipf import", "import_record"), lambda m, _: m.fill_command("gipf import", text=RECORD)),
    "studies": Kind(("study_game", "study"), _study, ways=("study_form", "analysis_point", "analysis_study")),
    "explorer": Kind(("explore_game", "explored_game"), _explore),
    "explored studies": Kind(("explore_study", "explored_study"), _explore_study),
    "pages of boards": Kind(("gipf board", "gipf live", "live"), _look),
    "lists": Kind(("gipf games", "games", "gipf leaderboard", "gipf profile", "gipf seeks"), _list),
    "shows": Kind(("gipf replay", "show", "look"), _show),
    "seeks": Kind(("gipf seeks", "seekers", "post_seek", "challenge"), _seek),
    "tournaments": Kind(
        (
            *("gipf-tournament new", "gipf-tournament list", "gipf-tournament show", "gipf-tournament stop"),
            *("tournament_join", "tournament_leave", "standings", "stop_tournament"),
        ),
        _hold,
        ways=("tournament_left", "tournament_games", "standings_page", "standings_division", "choose_tournament"),
    ),
    "forms": Kind(("type_turn", "type_turn_form"), _fill_forms),
    "settings": Kind(("gipf-me reminders",), lambda m, n: m.slash("gipf-me reminders", when=WHEN[n % 2])),
    "suggestions": Kind(("move notation",), _suggest),
}
