"""An account of its own: what people were told and what Discord got, held against the bot's database.

`Account.check` is called while the bot is stopped. It raises Fault if anything is lost, doubled or out of order.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from gipfbot.notation import parse_action_code, position_text
from gipfbot.rules import Ruleset, play, start
from gipfbot.service.kit.game_names import parse_game_name
from tests.standin import Channel, Interaction, Message, Revision, StandIn
from tests.standin.components import texts
from tests.support.games import turn_counted

GAME = re.compile(r"#[a-z][0-9]+")
TOLD_OF_TURN = re.compile(r"Played \*\*(.+?)\*\*")
TURN_LINE = re.compile(r"\*\*[0-9]+\. (?:White|Black)\*\* (\S+)")
# What an answer says if the act is done.
SAYS_DONE = {
    "turn": TOLD_OF_TURN,
    "takeback": re.compile("was accepted by"),
    "end": re.compile("You have resigned|is cancelled: no result"),
    "challenge": re.compile("was accepted; the board follows"),
    "ask": re.compile("You will be pinged in"),
    "conditional": re.compile("^Saved", re.MULTILINE),
}
BEGIN, TAKEN_BACK, END = "begin", "taken back", "end"  # boards without a turn
# The first of these found in a message says which board it is.
BOARDS_WITHOUT_TURN = {"taken back (you both agreed)": TAKEN_BACK, " and begin": BEGIN}
ENDS = re.compile(r" wins #[a-z][0-9]+| was cancelled by ")


class Fault(AssertionError):
    """What must never happen."""


def require(holds: object, *said: object) -> None:
    """Raise Fault unless this holds."""
    if not holds:
        raise Fault(" ".join(map(str, said)))


def read_rows(database: Path, query: str, *values: object) -> list[Any]:
    """Return the rows of a query; for a single column, its values.

    The connection only reads: closing it leaves the WAL as the bot has left it.
    """
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=60)) as db:
        found = db.execute(query, values).fetchall()
    return [row[0] if len(row) == 1 else row for row in found]


# ── What people do and are told ──


@dataclass
class Act:
    """What a person has tried to do, and the answer. `kind` is a key of SAYS_DONE.

    `about` is the game; for a challenge it is the challenge, and for asking for one the person asked. `seen` is how
    often the message that they pressed had been edited before. `turns` is how many turns of the game were ever played.
    """

    kind: str
    user: int
    about: int
    interaction: Interaction
    seen: int = 0
    turns: int = 0

    @property
    def answer(self) -> str:
        """All that they were shown; empty before that."""
        source, followups = self.interaction.source, [message.text for message in self.interaction.followups]
        if source is None:
            return self.interaction.text if self.interaction.complete else ""
        return "\n".join([*map(_revision_text, source.revisions[self.seen + 1 : self.seen + 2]), *followups])

    @property
    def told(self) -> str | None:
        """What the answer says if it says that the act is done, for a turn its text. None if it does not say so."""
        found = SAYS_DONE[self.kind].search(self.answer)
        return found and found[found.re.groups].replace("\\*", "*")

    @property
    def unsure(self) -> bool:
        """Whether they were told nothing: the bot may have done it before it was killed."""
        return not self.answer


def _revision_text(revision: Revision) -> str:
    return "\n".join([revision.content, *texts(revision.components)])


# ── What the database says ──


class PlayedTurn(NamedTuple):
    """A turn as it is stored. It may have been taken back."""

    number: int
    text: str
    by: int
    how: str


# What changes with every change of a game.
STATES = """
    SELECT id, version, status, turn_number, taken_back, (SELECT count(*) FROM turns WHERE game = games.id),
    (SELECT count(*) FROM events WHERE game = games.id) FROM games"""


class StoredCourse(NamedTuple):
    """The course of a game, from its rows: all turns ever played, in order, and the boards that this needs."""

    played: list[PlayedTurn]
    takebacks: int
    boards: list[str]
    status: str
    ended_by: list[int]  # who has resigned or cancelled it


def read_course(database: Path, game: int) -> StoredCourse:
    """Return the course of a game. Raises Fault if its rows do not fit together."""
    rows = read_rows(database, "SELECT turn_number, text, by, how FROM turns WHERE game = ? ORDER BY 1", game)
    turns = [PlayedTurn(*row) for row in rows]
    ((count, taken_back, status),) = read_rows(
        database, "SELECT turn_number, taken_back, status FROM games WHERE id = ?", game
    )
    require([turn.number for turn in turns] == [*range(1, count + 1)], "game", game, "has gaps:", turns)
    back = read_rows(database, "SELECT data FROM events WHERE game = ? AND kind = 'takeback' ORDER BY seq", game)
    parts = list(_parts(turns, [json.loads(data)["turns"] for data in back]))
    played = [turn for part in parts for turn in part]
    require(len(played) == count + taken_back, "game", game, "counts", count, "+", taken_back, "turns, has", played)
    boards = [BEGIN, *[board for part in parts for board in (*map(_board_of, part), TAKEN_BACK)][:-1]]
    ended = "SELECT by FROM events WHERE game = ? AND kind IN ('resign', 'cancel')"
    ended_by = read_rows(database, ended, game)
    return StoredCourse(played, len(back), boards + [END] * len(ended_by), status, ended_by)


def _parts(turns: list[PlayedTurn], taken_back: list[list[dict[str, Any]]]) -> Iterator[list[PlayedTurn]]:
    """Yield the turns that were played before the first takeback, between it and the second, and so on."""
    parts = list[list[PlayedTurn]]()
    for lost in reversed(taken_back):
        first = lost[0]["turn_number"]
        parts.append(turns[first - 1 :])
        back = [PlayedTurn(turn["turn_number"], turn["text"], turn["by"], turn["how"]) for turn in lost]
        turns = [*turns[: first - 1], *back]
    yield turns
    yield from reversed(parts)


def _board_of(turn: PlayedTurn) -> str:
    return f"{turn.number} {turn.text}"


def replayed(database: Path, game: int) -> tuple[str, str]:
    """Return the position line that the stored turns of a game lead to, and the one that is stored."""
    ((ruleset, line),) = read_rows(database, "SELECT ruleset, position FROM games WHERE id = ?", game)
    position = start(Ruleset.from_data(json.loads(ruleset)))
    for codes in read_rows(database, "SELECT actions FROM turns WHERE game = ? ORDER BY turn_number", game):
        for code in codes.split():
            position = play(position, parse_action_code(code))
    return position_text(position), line


# ── What Discord got ──


def shown_board(text: str) -> tuple[int, str] | None:
    """Return the game of a board message and what it shows: its turn, BEGIN, TAKEN_BACK or END.

    None for any other message.
    """
    first, game = text.partition("\n")[0], GAME.search(text)
    for line in text.splitlines():
        if turn := TURN_LINE.match(line):
            return _game_of(game), f"{turn_counted(line)} {turn[1].replace(chr(92) + '*', '*')}"
    for words, shown in BOARDS_WITHOUT_TURN.items():
        if words in first:
            return _game_of(game), shown
    return (_game_of(game), END) if ENDS.search(first) else None


def _game_of(named: re.Match[str] | None) -> int:
    require(named, "a board names no game")
    assert named
    return parse_game_name(named[0]) or 0


@dataclass
class Posted:
    """All that the bot has posted: messages by their mark, and the boards of each game in their order."""

    discord: StandIn
    by_mark: dict[str, Message] = field(default_factory=dict)
    boards: dict[int, list[str]] = field(default_factory=dict)
    _last: dict[int, int] = field(default_factory=dict)

    def read(self) -> None:
        """Read the messages that came since the last time. Raises Fault for one that came before."""
        fresh = [message for channel in self.discord.world.channels.values() for message in self._fresh(channel)]
        for message in sorted(fresh, key=lambda message: message.id):
            if message.author is self.discord.world.bot:
                self._note(message)

    def _fresh(self, channel: Channel) -> list[Message]:
        known, found = self._last.get(channel.id, 0), list[Message]()
        for message in reversed(channel.messages):
            if message.id <= known:
                break
            found.append(message)
        self._last[channel.id] = max(known, *(message.id for message in found)) if found else known
        return found

    def _note(self, message: Message) -> None:
        text = message.revisions[0].content
        require(message.nonce, "a public message has no mark:", text)
        assert message.nonce
        require(message.nonce not in self.by_mark, "posted twice:", text)
        self.by_mark[message.nonce] = message
        if message.guild_id and (shown := shown_board(text)):
            self.boards.setdefault(shown[0], []).append(shown[1])
        drop_pictures(message)


def drop_pictures(message: Message) -> None:
    """Let Discord forget the pictures of a message, for which a long run has no room."""
    message.revisions = [
        replace(shown, attachments=tuple(replace(picture, data=b"") for picture in shown.attachments))
        for shown in message.revisions
    ]


# ── The account ──


@dataclass
class Account:
    """What is known for sure, and the acts since the last check."""

    database: Path
    discord: StandIn
    acts: list[Act] = field(default_factory=list)
    courses: dict[int, StoredCourse] = field(default_factory=dict)
    states: dict[int, list[Any]] = field(default_factory=dict)  # of the games, when they were last checked
    planned: set[tuple[int, int]] = field(default_factory=set)  # games and people with conditional turns
    asked: Counter[tuple[int, int]] = field(default_factory=Counter)  # by whom, whom, how often
    settled: dict[int, tuple[str, int | None]] = field(default_factory=dict)  # the rows of the outbox that are done

    def __post_init__(self) -> None:
        self.posted = Posted(self.discord)

    def __str__(self) -> str:
        played = [turn for course in self.courses.values() for turn in course.played]
        ways, messages = Counter(turn.how for turn in played), self.posted.by_mark.values()
        takebacks = sum(course.takebacks for course in self.courses.values())
        direct = sum(message.guild_id is None for message in messages)
        return (
            f"{len(self.courses)} games, {len(played)} turns ({ways['typed']} typed, {ways['buttons']} pressed, "
            f"{ways['conditional']} conditional), {takebacks} takebacks, {len(messages)} messages ({direct} direct)"
        )

    def note(self, act: Act) -> Act:
        """Note what a person tries to do."""
        self.acts.append(act)
        return act

    def check(self) -> None:
        """Hold all that was said and posted since the last check against the database. The bot must be stopped."""
        require(read_rows(self.database, "PRAGMA quick_check") == ["ok"], "the database is broken")
        self.posted.read()
        self._check_games()
        self._check_challenges()
        self._check_outbox()
        self.acts.clear()

    def _acts(self, kind: str, about: int, user: int | None = None) -> list[Act]:
        return [act for act in self.acts if (act.kind, act.about) == (kind, about) and user in (None, act.user)]

    # Games

    def _check_games(self) -> None:
        stored = {game: state for game, *state in read_rows(self.database, STATES)}
        require({*self.courses} <= {*stored}, "games are gone:", {*self.courses} - {*stored})
        touched = {act.about for act in self.acts}
        for game, state in stored.items():
            if game in touched or state != self.states.get(game):
                self._check_game(game, self.courses.get(game), read_course(self.database, game))
            self._check_boards(game)
        self.states = stored

    def _check_game(self, game: int, before: StoredCourse | None, now: StoredCourse) -> None:
        known = before.played if before else []
        require(now.played[: len(known)] == known, "game", game, "has lost turns:", known, now.played)
        self._check_turns(game, now.played[len(known) :])
        self._check_takebacks(game, now.takebacks - (before.takebacks if before else 0))
        self._check_end(game, before, now)
        self._check_conditionals(game, now)
        if now != before:
            self._check_position(game, now)
        self.courses[game] = now

    def _check_boards(self, game: int, *, complete: bool = False) -> None:
        """Check that Discord has the boards of a game, each once and in order; the last ones may be owed."""
        shown, wanted = self.posted.boards.get(game, []), self.courses[game].boards
        wanted = wanted if complete else wanted[: len(shown)]
        require(shown == wanted, "the boards of game", game, "are", shown, "but must be", wanted)

    def _check_position(self, game: int, now: StoredCourse) -> None:
        """Check that the turns of a running game lead to its position."""
        if now.status == "running":
            found, stored = replayed(self.database, game)
            require(found == stored, "game", game, "stands at", stored, "but its turns lead to", found)

    def _check_turns(self, game: int, fresh: Sequence[PlayedTurn]) -> None:
        """Check that each turn that a person was told of is there once, and that nobody played one by themselves."""
        for user in {turn.by for turn in fresh} | {act.user for act in self.acts if act.about == game}:
            acts = self._acts("turn", game, user)
            told = Counter(act.told for act in acts if act.told)
            own = Counter(turn.text for turn in fresh if turn.by == user and turn.how != "conditional")
            require(told <= own, "game", game, "has lost turns that", user, "was told of:", told - own)
            unsure = sum(act.unsure for act in acts)
            doubled = own - told
            require(doubled.total() <= unsure, "game", game, "has turns that", user, "did not play:", doubled)
            at_once = [turn for turn in fresh if turn.by == user and turn.how == "conditional"]
            planned = (game, user) in self.planned or self._acts("conditional", game, user)
            require(planned or not at_once, "game", game, "has conditional turns of", user, "from nowhere:", at_once)

    def _check_takebacks(self, game: int, fresh: int) -> None:
        acts = self._acts("takeback", game)
        allowed = sum(bool(act.told or act.unsure) for act in acts)
        require(0 <= fresh <= allowed, "game", game, "has had", fresh, "takebacks,", allowed, "were accepted")
        known = self.courses[game].takebacks if game in self.courses else 0
        require(known + fresh or not any(act.told for act in acts), "game", game, "has lost a takeback")

    def _check_end(self, game: int, before: StoredCourse | None, now: StoredCourse) -> None:
        acts = self._acts("end", game)
        ended = [act.user for act in acts if act.told or act.unsure]
        fresh = now.ended_by if before is None else now.ended_by[len(before.ended_by) :]
        require(len(now.ended_by) < 2 and {*fresh} <= {*ended}, "game", game, "was ended by nobody:", now.ended_by)
        require(now.ended_by or not any(act.told for act in acts), "the end of game", game, "is lost")
        require(before is None or before.status in ("running", now.status), "game", game, "goes on after its end")

    def _check_conditionals(self, game: int, now: StoredCourse) -> None:
        """Check that conditional turns that a person was told to be saved are there if nobody has played since."""
        for act in self._acts("conditional", game):
            self.planned.add((game, act.user))
            if act.told and now.status == "running" and act.turns == len(now.played) and not now.ended_by:
                lines = "SELECT id FROM conditionals WHERE game = ? AND user = ?"
                found = read_rows(self.database, lines, game, act.user)
                require(found or self._acts("takeback", game), "game", game, "has lost conditional turns of", act.user)

    def _check_challenges(self) -> None:
        between = "SELECT by_user, to_user, count(*) FROM challenges GROUP BY by_user, to_user"
        stored = {(by, to): number for by, to, number in read_rows(self.database, between)}
        asked = self.asked + Counter((act.user, act.about) for act in self.acts if act.kind == "ask" and act.told)
        require(all(stored.get(pair, 0) >= asked[pair] for pair in asked), "challenges are lost:", asked, stored)
        self.asked = asked
        begun = Counter(read_rows(self.database, "SELECT origin FROM games WHERE origin IS NOT NULL"))
        require(all(number == 1 for number in begun.values()), "a challenge has led to two games:", begun)
        for act in self.acts:
            if act.kind == "challenge":
                require(not act.told or begun[act.about], "the game from challenge", act.about, "is lost")

    # The outbox

    def _check_outbox(self) -> None:
        query = "SELECT id, kind, mark, channel, game, message, done_at, dropped FROM outbox ORDER BY id"
        rows, marks, last = read_rows(self.database, query), set[str](), dict[int, int]()
        for row, kind, mark, channel, game, message, done_at, dropped in rows:
            marks.add(mark)
            require(dropped is None, "message", row, "was dropped:", dropped)
            if done_at is not None:
                self._check_settled(row, mark, message, channel if kind != "thread" else None)
            if game and kind != "thread" and (found := self.posted.by_mark.get(mark)):
                require(found.id > last.get(game, 0), "message", row, "came before an earlier one of its game")
                last[game] = found.id
        stored = {row[0] for row in rows}
        require({*self.settled} <= stored, "rows of the outbox are gone:", {*self.settled} - stored)
        require({*self.posted.by_mark} <= marks, "posted without a row:", {*self.posted.by_mark} - marks)

    def _check_settled(self, row: int, mark: str, message: int | None, channel: int | None) -> None:
        """Check that the message of a row that is done is on Discord. `channel` is None for a thread."""
        require(self.settled.setdefault(row, (mark, message)) == (mark, message), "message", row, "has changed")
        if channel is None:
            require(message is None or message in self.discord.world.channels, "thread", message, "is not there")
            return
        found = self.posted.by_mark.get(mark)
        require(message is None or (found and found.id == message), "message", row, "is not on Discord:", message)

    def check_end(self) -> None:
        """Check that nothing is owed any more, and that Discord has all boards of all games."""
        self.states.clear()
        self.check()
        require(read_rows(self.database, "PRAGMA integrity_check") == ["ok"], "the database is broken")
        owed = read_rows(self.database, "SELECT id, kind FROM outbox WHERE done_at IS NULL")
        require(not owed, "still owed:", owed)
        for game, course in self.courses.items():
            self._check_position(game, course)
            self._check_boards(game, complete=True)
