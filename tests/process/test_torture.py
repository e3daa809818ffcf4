"""The bot is killed once at each moment while many people play; and the account that is held against it has teeth."""

import copy
import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import AsyncMock

import pytest

from gipfbot.match import GameRequest, RequestKind, RequestState
from gipfbot.store.outbox import GAVE_WAY
from gipfbot.ui.requests.request_texts import takeback_answered_text, takeback_settled_text
from gipfbot.ui.showing.show_here import SHOWN_TEXT
from tests.match.helpers import game
from tests.standin import Channel, Interaction, StandIn
from tests.support.people import ANN
from tests.support.stores import use_copy

from .account import SAYS_DONE, Account, Act
from .killing import AFTER_COMMIT, AFTER_POST, BEFORE_COMMIT, BEFORE_DONE, MOMENTS, OUTSIDE, Kill, Kills, plan_kills
from .running import Begun
from .stored_courses import Fault, read_course
from .torture import LEAST, USUAL_KILLS, Torture, torture

FIVE_KILLS = [
    Kill(1, AFTER_COMMIT, "games", 2),
    Kill(2, AFTER_POST, nth=3, lapses=True),
    Kill(3, BEFORE_COMMIT, "turns", 2),
    Kill(4, BEFORE_DONE, nth=2),
    Kill(5, OUTSIDE, seconds=1.5),
]


async def test_five_kills_lose_and_double_nothing(tmp_path: Path, fork_server: Path) -> None:
    """`make torture` has hundreds of them."""
    assert await torture(tmp_path, fork_server, FIVE_KILLS, seed=1) == dict.fromkeys(MOMENTS, 1)


@pytest.mark.sqlite
async def test_a_fault_names_the_seed_and_leaves_no_process(
    tmp_path: Path, fork_server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here a game is stuck at the end, when the bot runs in peace."""
    monkeypatch.setattr(Torture, "_nothing_owed", AsyncMock(side_effect=Fault("stuck")))
    with pytest.raises(Fault, match=r"(?s)stuck.*seed 7, "):
        await torture(tmp_path, fork_server, (), seed=7)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "gipf.sqlite3.lock").read_text()), 0)


def test_a_seed_plans_each_moment_equally_often() -> None:
    kills = [*islice(plan_kills(Random(1)), USUAL_KILLS)]
    assert Counter(kill.moment for kill in kills) == dict.fromkeys(MOMENTS, USUAL_KILLS // len(MOMENTS))
    assert kills == [*islice(plan_kills(Random(1)), USUAL_KILLS)]
    assert kills != [*islice(plan_kills(Random(2)), USUAL_KILLS)]


def test_moments_that_came_too_rarely_are_named() -> None:
    kills = Kills({BEFORE_COMMIT: LEAST, AFTER_COMMIT: LEAST, AFTER_POST: LEAST - 1, OUTSIDE: 1})
    assert kills.rare(LEAST) == [AFTER_POST, BEFORE_DONE]


# ── What the account finds ──


def test_a_takeback_is_read_from_both_answers() -> None:
    """That of the player who agrees, and that of a player with whom the bot agrees at once."""
    asked = GameRequest(1, RequestKind.TAKEBACK, 1, ANN.user, 1, 1, None, RequestState.ACCEPTED, ("g2",))
    for answer in (takeback_settled_text, takeback_answered_text):
        assert SAYS_DONE["takeback"].search(answer(asked, game()))


BOARDS = "SELECT max(id) FROM outbox"


class Case(NamedTuple):
    """A database and a channel in which two turns were played, and what is done to them behind the bot's back."""

    db: sqlite3.Connection
    channel: Channel
    white: int
    account: Account


def lose_turn(case: Case) -> None:
    case.db.execute("DELETE FROM turns WHERE turn_number = 2")
    case.db.execute("UPDATE games SET turn_number = 1")


def change_turn(case: Case) -> None:
    case.db.execute("UPDATE turns SET text = 'e1-e3' WHERE turn_number = 1")


def leave_gap(case: Case) -> None:
    case.db.execute("DELETE FROM turns WHERE turn_number = 1")


def add_turn(case: Case) -> None:
    columns = "game, turn_number, colour, text, actions, by, how, position_hash, played_at"
    values = "game, 3, 0, 'b1-b3', 'b1b2', ?, how, '', 0"
    case.db.execute(f"INSERT INTO turns ({columns}) SELECT {values} FROM turns WHERE turn_number = 1", (case.white,))
    case.db.execute("UPDATE games SET turn_number = 3")


def take_back_unasked(case: Case) -> None:
    number, text, by, how, actions, *_ = case.account.courses[1].played[1]
    turn = {"turn_number": number, "text": text, "by": by, "how": how, "actions": actions}
    data = json.dumps({"turns": [turn]})
    lose_turn(case)
    case.db.execute("UPDATE games SET taken_back = 1")
    case.db.execute("INSERT INTO events VALUES (1, 1, 'takeback', ?, 0, ?)", (case.white, data))


def resign_unasked(case: Case) -> None:
    case.db.execute("INSERT INTO events VALUES (1, 1, 'resign', ?, 0, '{}')", (case.white,))


def flag_unsaid(case: Case) -> None:
    case.db.execute("INSERT INTO events VALUES (1, 1, 'flagged', ?, 0, '{}')", (case.white,))


def lose_on_time_unsaid(case: Case) -> None:
    case.db.execute("INSERT INTO events VALUES (1, 1, 'time', ?, 0, '{}')", (case.white,))


def misplace_piece(case: Case) -> None:
    ((line,),) = case.db.execute("SELECT position FROM games").fetchall()
    case.db.execute("UPDATE games SET position = ?", (line.replace("a2", "a3").replace("c2", "c3"),))


def drop_row(case: Case) -> None:
    case.db.execute("UPDATE outbox SET dropped = 'no reason'")


def lose_row(case: Case) -> None:
    case.db.execute(f"DELETE FROM outbox WHERE id = ({BOARDS})")


def leave_row_owed(case: Case) -> None:
    case.db.execute(f"UPDATE outbox SET done_at = NULL WHERE id = ({BOARDS})")


def seem_restored(case: Case) -> None:
    case.db.execute("INSERT INTO meta VALUES ('lost_times', '[[1, 2]]')")


def lose_post(case: Case) -> None:
    case.channel.messages.pop()


def post_twice(case: Case) -> None:
    again = copy.copy(case.channel.last())
    again.id += 1
    case.channel.messages.append(again)


def post_without_row(case: Case) -> None:
    again = copy.copy(case.channel.last())
    again.id, again.nonce = again.id + 1, "another"
    case.channel.messages.append(again)


def swap_posts(case: Case) -> None:
    one, other = case.channel.messages[-2:]
    one.id, other.id = other.id, one.id


def reword_last_turn(case: Case, words: str) -> None:
    """Let the newest board tell its last turn in other words."""
    board = case.channel.last()
    shown = board.revisions[0]
    content, found = re.subn(r"(?<=:\*\* )(.+)$", words, shown.content, flags=re.MULTILINE)
    assert found == 1, content
    board.revisions[0] = replace(shown, content=content)


def show_other_push(case: Case) -> None:
    reword_last_turn(case, "g1 → g2")


def show_other_removal(case: Case) -> None:
    reword_last_turn(case, r"\1 · 3 back to Black")


def told_of(case: Case, answer: str) -> Act:
    """Return what Ann has tried to play, with this answer."""
    discord = case.account.discord
    told = Interaction(1, "", 2, "", discord.user("ann"), case.channel, {}, answer=4)
    told.original = discord.world.say(discord.dm(discord.user("ann")), discord.user("ann"), answer)
    return Act("turn", case.white, 1, told)


def say_played(case: Case) -> None:
    """Ann is told of a turn that is not there."""
    case.account.note(told_of(case, "Played **e1 → e2** in game #a1."))


def say_shown(case: Case) -> None:
    """Ann is told to have shown a board that is not there."""
    case.account.note(replace(told_of(case, SHOWN_TEXT), kind="show"))


def show_unasked(case: Case) -> None:
    copied = "kind, channel, payload, created_at, attempts, not_before, done_at"
    shown = f"SELECT 'shown:1', 'another', 'shown', {copied.removeprefix('kind, ')} FROM outbox LIMIT 1"
    case.db.execute(f"INSERT INTO outbox (key, mark, {copied}) {shown}")


def mention_unasked(case: Case) -> None:
    case.account.discord.world.say(case.channel, case.account.discord.world.bot, "<@&5> Ann looks for a game of GIPF")
    case.channel.last().nonce = "another"


def let_bot_play(case: Case, number: int, how: str) -> None:
    """Let the bot have Bob's seat, and have played one of the turns since the last check."""
    case.db.execute('UPDATE seats SET "user" = ? WHERE colour = 1', (case.account.bot,))
    case.db.execute("UPDATE turns SET by = ?, how = ? WHERE turn_number = ?", (case.account.bot, how, number))
    case.account.courses.clear()


def play_for_bot(case: Case) -> None:
    let_bot_play(case, 2, "fallback")


def let_bot_play_for_ann(case: Case) -> None:
    let_bot_play(case, 1, "house")


def let_clock_of_bot_run(case: Case) -> None:
    case.db.execute("UPDATE games SET waiting_user = ?, deadline_at = 1", (case.account.bot,))


def flag_bot(case: Case) -> None:
    case.db.execute("INSERT INTO events VALUES (1, 1, 'flagged', ?, 0, '{}')", (case.account.bot,))


def write_to_bot(case: Case) -> None:
    case.db.execute(f"UPDATE outbox SET channel = ? WHERE id = ({BOARDS})", (case.account.bot,))


def ping_bot(case: Case) -> None:
    case.account.discord.world.say(case.channel, case.account.discord.world.bot, f"<@{case.account.bot}> your turn")
    case.channel.last().nonce = "another"


def wait_for_bot(case: Case) -> None:
    case.db.execute("UPDATE games SET waiting_user = ?, deadline_at = NULL", (case.account.bot,))


def plan_for_bot(case: Case) -> None:
    case.db.execute("INSERT INTO due (key, kind, at, \"user\") VALUES ('house:1:1', 'house', 1, 1)")


def let_board_give_way(case: Case, number: int, *, is_posted: bool = False) -> None:
    """Let the board after so many turns give way, as if it had never been tried."""
    boards = case.db.execute("SELECT id, mark FROM outbox WHERE kind = 'board' ORDER BY id").fetchall()
    row, mark = boards[number]
    set_to = "dropped = ?, gives_way = 'to newer', message = NULL"
    case.db.execute(f"UPDATE outbox SET {set_to} WHERE id = ?", (GAVE_WAY, row))
    if not is_posted:
        case.channel.messages[:] = [message for message in case.channel.messages if message.nonce != mark]


def let_board_between_people_give_way(case: Case) -> None:
    let_board_give_way(case, 1)


def let_posted_board_give_way(case: Case) -> None:
    let_bot_have_played(case)
    let_board_give_way(case, 1, is_posted=True)


def let_first_board_give_way(case: Case) -> None:
    let_bot_have_played(case)
    let_board_give_way(case, 0)


def let_bot_have_played(case: Case) -> None:
    """Let the bot have Bob's seat, and have played the second turn before the last check."""
    let_bot_play(case, 2, "house")
    case.account.courses = {1: read_course(case.account.database, 1)}


@pytest.fixture
async def case(begun: Begun, tmp_path: Path) -> AsyncIterator[Case]:
    database, discord = tmp_path / "gipf.sqlite3", StandIn(copy.deepcopy(begun.world))
    use_copy(begun.database, database)
    account = Account(database, discord)
    account.courses = {1: read_course(database, 1)}
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        yield Case(db, discord.general, discord.user("ann").id, account)


@pytest.mark.sqlite
@pytest.mark.parametrize("text", ["e2", "h1-f3;xd2,e3", "Gh1-f3*", "b6-b4;xb2,b3,Gb4*"])
async def test_a_turn_is_read_from_the_answer_to_it(case: Case, text: str) -> None:
    said = "Played **h1 → h2** in game #a1 · 3 back to White."
    assert told_of(case, f"{said}\n-# Also written `{text}`").told == text
    assert told_of(case, f"{said}\n[The board]").told == "h1-h2 · 3 back to White"


def pressed_turns(case: Case) -> list[Act]:
    """Forget the two turns. Return the acts that played them: two presses on a message each, in two edits of it."""
    turns, discord = case.account.courses.pop(1).played, case.account.discord
    acts = []
    for turn in turns:
        desk = discord.world.say(case.channel, discord.world.bot, "Your turn")
        case.channel.messages.remove(desk)
        desk.revisions += [
            replace(desk.revisions[0], content=text)
            for text in ("Sure?", f"Played **{turn.told.replace('-', ' → ')}** in game #a1.")
        ]
        press = Interaction(1, "", 3, "", discord.user("ann"), case.channel, {}, answer=6, source=desk)
        acts += [Act("turn", turn.by, 1, press, seen=0), Act("turn", turn.by, 1, press, seen=1)]
    return acts


@pytest.mark.sqlite
async def test_one_edit_that_answers_two_presses_tells_of_one_turn(case: Case) -> None:
    acts = pressed_turns(case)
    case.account.acts = [*acts, *acts]
    case.account.check()


@pytest.mark.sqlite
async def test_a_turn_typed_for_another_position_is_found(case: Case) -> None:
    acts = pressed_turns(case)
    first, second = acts[1], acts[3]
    case.account.acts = [*acts, replace(first, typed_at=0), replace(second, typed_at=1)]
    case.account.check()
    case.account.courses.clear()
    case.account.acts = [*acts, replace(second, typed_at=0)]
    with pytest.raises(Fault, match="typed for another position"):
        case.account.check()


@pytest.mark.sqlite
async def test_nothing_is_found_where_nothing_is_wrong(case: Case) -> None:
    case.account.check_end()


@pytest.mark.sqlite
async def test_a_board_against_the_bot_may_give_way(case: Case) -> None:
    let_bot_have_played(case)
    let_board_give_way(case, 1)
    case.account.check_end()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lose_turn, "has lost turns"),
        (change_turn, "has lost turns"),
        (leave_gap, "has gaps"),
        (add_turn, "did not play"),
        (take_back_unasked, "has had 1 takebacks, 0 were accepted"),
        (resign_unasked, "was ended by nobody"),
        (flag_unsaid, "shows 0 flags"),
        (lose_on_time_unsaid, "but must be"),
        (misplace_piece, "but its turns lead to"),
        (say_played, "was told of"),
        (say_shown, "things were shown"),
        (show_unasked, "things were shown"),
        (mention_unasked, "the role was mentioned"),
        (drop_row, "was dropped"),
        (let_board_between_people_give_way, "people's boards give way"),
        (let_posted_board_give_way, "but must be"),
        (let_first_board_give_way, "or the first"),
        (lose_row, "posted without a row"),
        (leave_row_owed, "still owed"),
        (seem_restored, "for a restored one"),
        (lose_post, "is not on Discord"),
        (post_twice, "posted twice"),
        (post_without_row, "but must be"),
        (swap_posts, "but must be"),
        (show_other_push, "but must be"),
        (show_other_removal, "but must be"),
        (play_for_bot, "has not found its turn"),
        (let_bot_play_for_ann, "in another's place"),
        (let_clock_of_bot_run, "its clock runs"),
        (flag_bot, "it has flagged"),
        (write_to_bot, "it gets messages"),
        (ping_bot, "is pinged"),
        (wait_for_bot, "still waits for the bot"),
        (plan_for_bot, "are still planned"),
    ],
)
@pytest.mark.sqlite
async def test_the_account_finds_what_is_wrong(case: Case, harm: Callable[[Case], None], words: str) -> None:
    harm(case)
    with pytest.raises(Fault, match=words):
        case.account.check_end()
