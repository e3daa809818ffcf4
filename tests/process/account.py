"""An account of its own: what people were told and what Discord got, held against the bot's database.

`Account.check` is called while the bot is stopped. It raises Fault if anything is lost, doubled or out of order.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gipfbot.languages import languages
from gipfbot.service.lobby.lobby import MOST_MENTIONS
from gipfbot.store.outbox import GAVE_WAY
from gipfbot.ui.showing.show_here import IN_WORK, SHOWN_TEXT
from gipfbot.values import GivesWay
from tests.standin import Interaction, Revision, StandIn
from tests.standin.components import texts
from tests.support.confirmations import CONFIRMED, confirmed_turn
from tests.support.stores import find_faults

from .cups import check_tournaments, count_tournaments
from .house_checks import check_bot_has_answered, check_bot_is_calm, check_bots_turns
from .posted import Posted
from .seekers import MENTIONING
from .stored_courses import (
    COURSE_STATES,
    FLAGGED,
    PlayedTurn,
    StoredCourse,
    board_owed,
    read_course,
    read_rows,
    replayed,
    require,
)

SPOKEN = [language.sentences for language in languages().values()]
# What an answer says if the act is done.
SAYS_DONE = {
    "turn": CONFIRMED,
    "takeback": re.compile("was accepted by|You have taken back"),
    "end": re.compile("You have resigned|is cancelled: no result"),
    "challenge": re.compile("was accepted; the board follows|is taken|You play game #"),
    "ask": re.compile("Once they accept|Your open challenge is \\[?posted|against the bot, level|Only you see"),
    "conditional": re.compile("^Saved", re.MULTILINE),
    "show": re.compile("|".join(re.escape(each.gettext(text)) for each in SPOKEN for text in (SHOWN_TEXT, IN_WORK))),
}
MAY_GIVE_WAY = f"SELECT payload, dropped FROM outbox WHERE game = ? AND gives_way = '{GivesWay.TO_NEWER}' ORDER BY id"
PRIVATE = "SELECT id FROM games WHERE id = ? AND channel = -1"
PLAYERS = 'SELECT "user" FROM seats WHERE game = ?'
UNSURE = "can't reach its games"  # the answer while the database is away
ANYBODY = 0  # whom an open challenge is for


@dataclass
class Act:
    """What a person has tried to do, and the answer. `kind` is a key of SAYS_DONE.

    `about` is the game; for a challenge it is the challenge, and for asking for one the person asked, or ANYBODY.
    `seen` is how often the message that they pressed had been edited before. `turns` is how many turns of the game were
    ever played then. `typed_at` is how many there were when the form opened in which they typed a turn.
    """

    kind: str
    user: int
    about: int
    interaction: Interaction
    seen: int = 0
    turns: int = 0
    typed_at: int | None = None
    left: bool = False  # whether they have left it unanswered, and others went on there

    @property
    def answer(self) -> str:
        """All that they were shown; empty before that. In a private game the answer of the bot may stand there now."""
        source, followups = self.interaction.source, [message.text for message in self.interaction.followups]
        if source is None:
            shown = [revision for message in self.interaction.messages for revision in message.revisions]
            return "\n".join(map(_revision_text, shown)) if self.interaction.complete else ""
        return "\n".join([*map(_revision_text, source.revisions[self.seen + 1 : self.seen + 2]), *followups])

    @property
    def told(self) -> str | None:
        """What the answer says if it says that the act is done, for a turn its text. None if it does not say so."""
        found = None if self.left else SAYS_DONE[self.kind].search(self.answer)
        return found and (confirmed_turn(found[0]) if self.kind == "turn" else found[0])

    @property
    def shown_in(self) -> tuple[int, int]:
        """The edit of a message, or the answer, in which they were told. One edit may answer two presses."""
        source = self.interaction.source
        return (id(self.interaction), 0) if source is None else (source.id, self.seen)

    @property
    def unsure(self) -> bool:
        """Whether they were told nothing for sure: the bot may have done it before it lost its life or its database."""
        return self.left or not self.answer or UNSURE in self.answer


def _revision_text(revision: Revision) -> str:
    return "\n".join([revision.content, *texts(revision.components)])


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
    shown: Counter[bool] = field(default_factory=Counter)  # how often something was shown: surely, and perhaps
    settled: dict[int, tuple[str, int | None]] = field(default_factory=dict)  # the rows of the outbox that are done

    def __post_init__(self) -> None:
        self.posted = Posted(self.discord)

    @property
    def bot(self) -> int:
        """The id of the bot, which plays, too."""
        return self.discord.world.bot.id

    def __str__(self) -> str:
        played = [turn for course in self.courses.values() for turn in course.played]
        ways, messages = Counter(turn.how for turn in played), self.posted.by_mark.values()
        takebacks = sum(course.takebacks for course in self.courses.values())
        direct = sum(message.guild_id is None for message in messages)
        return (
            f"{len(self.courses)} games, {len(played)} turns ({ways['typed']} typed, {ways['buttons']} pressed, "
            f"{ways['conditional']} conditional, {ways['house']} by the bot), {takebacks} takebacks, "
            f"{count_tournaments(self.database)}, {self.shown[True]} boards shown, {self.posted.mentions} mentions, "
            f"{len(messages)} messages ({direct} direct)"
        )

    def note(self, act: Act) -> Act:
        """Note what a person tries to do."""
        self.acts.append(act)
        return act

    def check(self) -> None:
        """Hold all that was said and posted since the last check against the database. The bot must be stopped."""
        require(not find_faults(self.database), "the database is broken")
        lost_times = read_rows(self.database, "SELECT value FROM meta WHERE key = 'lost_times'")
        require(not lost_times, "the bot takes its own database for a restored one:", lost_times)
        self.posted.read()
        self._check_games()
        self._check_challenges()
        self._check_mentions()
        self._check_shown()
        self._check_outbox()
        check_tournaments(self.database)
        check_bot_is_calm(self.database, self.bot)
        self.acts.clear()

    def _acts(self, kind: str, about: int, user: int | None = None) -> list[Act]:
        return [act for act in self.acts if (act.kind, act.about) == (kind, about) and user in (None, act.user)]

    # Games

    def _check_games(self) -> None:
        stored = {game: state for game, *state in read_rows(self.database, COURSE_STATES)}
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
        self._check_typed(game, now)
        self._check_takebacks(game, now.takebacks - (before.takebacks if before else 0))
        self._check_end(game, before, now)
        self._check_conditionals(game, now)
        if now != before:
            self._check_position(game, now)
        self.courses[game] = now

    def _check_boards(self, game: int, *, complete: bool = False) -> None:
        """Check that Discord has the boards of a game, each once and in order; the last ones may be owed.

        A private game has none. In a game against the bot, those that gave way are not there. For the boards on which a
        time is over, the outbox shows the order.
        """
        posted, course = self.posted.boards.get(game, []), self.courses[game]
        if read_rows(self.database, PRIVATE, game):
            require(not posted, "of the private game", game, "there are", posted)
            return
        flags = posted.count(FLAGGED)
        require(flags == course.flags or (flags < course.flags and not complete), "game", game, "shows", flags, "flags")
        shown, wanted = [board for board in posted if board != FLAGGED], self._without_given_way(game, course)
        wanted = wanted if complete else wanted[: len(shown)]
        require(shown == wanted, "the boards of game", game, "are", shown, "but must be", wanted)

    def _without_given_way(self, game: int, course: StoredCourse) -> list[str]:
        """Return the boards that a game must have, without those that gave way: neither the first nor the last."""
        rows = read_rows(self.database, MAY_GIVE_WAY, game)
        require(not rows or self.bot in read_rows(self.database, PLAYERS, game), "people's boards give way in", game)
        seen, gone = Counter[str](), set[tuple[str, int]]()
        for payload, dropped in rows:
            board = board_owed(json.loads(payload))
            seen[board] += 1
            gone |= {(board, seen[board])} if dropped else set()
        seen.clear()
        numbered = list[tuple[str, int]]()
        for board in course.boards:
            seen[board] += 1
            numbered.append((board, seen[board]))
        require(gone <= {*numbered[1:]}, "boards of game", game, "gave way that it never had, or the first:", gone)
        return [board for board, number in numbered if (board, number) not in gone]

    def _check_position(self, game: int, now: StoredCourse) -> None:
        """Check that the turns of a running game lead to its position."""
        if now.status == "running":
            found, stored = replayed(self.database, game)
            require(found == stored, "game", game, "stands at", stored, "but its turns lead to", found)

    def _check_turns(self, game: int, fresh: Sequence[PlayedTurn]) -> None:
        """Check that each turn that a person was told of is there once, and that nobody played one by themselves."""
        check_bots_turns(self.database, self.bot, game, fresh)
        people = {turn.by for turn in fresh} | {act.user for act in self.acts if act.about == game}
        for user in people - {self.bot}:
            acts = self._acts("turn", game, user)
            told = Counter({act.shown_in: act.told for act in acts if act.told}.values())
            own = Counter(turn.told for turn in fresh if turn.by == user and turn.how != "conditional")
            require(told <= own, "game", game, "has lost turns that", user, "was told of:", told - own)
            unsure = sum(act.unsure for act in acts)
            doubled = own - told
            require(doubled.total() <= unsure, "game", game, "has turns that", user, "did not play:", doubled)
            at_once = [turn for turn in fresh if turn.by == user and turn.how == "conditional"]
            planned = (game, user) in self.planned or self._acts("conditional", game, user)
            require(planned or not at_once, "game", game, "has conditional turns of", user, "from nowhere:", at_once)

    def _check_typed(self, game: int, now: StoredCourse) -> None:
        """Check that what was typed into a form was played for the turn for which the form had been opened."""
        for act in self._acts("turn", game):
            if act.typed_at is not None and act.told:
                played = [turn.told for turn in now.played[act.typed_at : act.typed_at + 1]]
                require(played == [act.told], "game", game, "has a turn typed for another position:", act.told)

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
        ends = len(now.ended_by) + now.ended_late
        require(ends < 2 and {*fresh} <= {*ended}, "game", game, "was ended by nobody:", now.ended_by)
        require(now.ended_by or not any(act.told for act in acts), "the end of game", game, "is lost")
        require(before is None or before.status in ("running", now.status), "game", game, "goes on after its end")

    def _check_conditionals(self, game: int, now: StoredCourse) -> None:
        """Check that conditional turns that a person was told to be saved are there if nobody has played since."""
        for act in self._acts("conditional", game):
            self.planned.add((game, act.user))
            if act.told and now.status == "running" and act.turns == len(now.played) and not now.ended_by:
                lines = 'SELECT id FROM conditionals WHERE game = ? AND "user" = ?'
                found = read_rows(self.database, lines, game, act.user)
                require(found or self._acts("takeback", game), "game", game, "has lost conditional turns of", act.user)

    def _check_challenges(self) -> None:
        between = "SELECT by_user, coalesce(to_user, 0), count(*) FROM challenges GROUP BY 1, 2"
        stored = {(by, to): number for by, to, number in read_rows(self.database, between)}
        asked = self.asked + Counter((act.user, act.about) for act in self.acts if act.kind == "ask" and act.told)
        require(all(stored.get(pair, 0) >= asked[pair] for pair in asked), "challenges are lost:", asked, stored)
        self.asked = asked
        begun = Counter(read_rows(self.database, "SELECT origin FROM games WHERE origin IS NOT NULL"))
        require(all(number == 1 for number in begun.values()), "a challenge has led to two games:", begun)
        for act in self.acts:
            if act.kind == "challenge":
                require(not act.told or begun[act.about], "the game from challenge", act.about, "is lost")

    def _check_mentions(self) -> None:
        """Check that a role was mentioned for open challenges that say so, each once, and seldom enough."""
        (stored,), posted = read_rows(self.database, MENTIONING), self.posted.mentions
        require(posted <= stored <= MOST_MENTIONS, "the role was mentioned", posted, "times, and stored are", stored)

    def _check_shown(self) -> None:
        """Check that each thing that people were told to have shown is there once, and nothing else."""
        acts = [act for act in self.acts if act.kind == "show" and (act.told or act.unsure)]
        self.shown += Counter(bool(act.told) for act in acts)
        (stored,) = read_rows(self.database, "SELECT count(*) FROM outbox WHERE kind = 'shown'")
        told = self.shown[True]
        require(told <= stored <= self.shown.total(), told, "things were shown surely, and stored are", stored)

    # The outbox

    def _check_outbox(self) -> None:
        query = "SELECT id, kind, mark, channel, game, message, done_at, dropped FROM outbox ORDER BY id"
        rows, marks, last = read_rows(self.database, query), set[str](), dict[int, int]()
        for row, kind, mark, channel, game, message, done_at, dropped in rows:
            marks.add(mark)
            require(dropped in (None, GAVE_WAY), "message", row, "was dropped:", dropped)
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
        require(not find_faults(self.database), "the database is broken")
        owed = read_rows(self.database, "SELECT id, kind FROM outbox WHERE done_at IS NULL")
        require(not owed, "still owed:", owed)
        check_bot_has_answered(self.database, self.bot)
        for game, course in self.courses.items():
            self._check_position(game, course)
            self._check_boards(game, complete=True)
