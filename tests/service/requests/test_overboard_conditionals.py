"""Conditional turns inside a turn of Overboard (R8.4), on a real database: what answers, follows and is dropped."""

import pytest

from gipfbot.match import Why
from gipfbot.match.study import Study, perform_in_study, read_study_turn
from gipfbot.notation import turn_text
from gipfbot.rules import Colour, Position
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.play.turn import DISCARDED
from gipfbot.service.requests.conditionals import Conditionals
from gipfbot.store import games
from gipfbot.values import StoredStudy
from gipfbot.values.games import CONDITIONAL
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK, ASKS_TWICE, table_at
from tests.service.helpers import boards, lease_only, overboard_at, play_codes, stored_lines, why_refused
from tests.support.people import ANN, BOB

# Black's push c1-c2 leaves White a turn that asks Black.
ASKS_LATER = table_at("b W=e2,Gb2,Gc2 B=d4,Ge3,e5,Ge6,Gh5,d7")
PUSHES_ROW = "a4-b4;xe4,e5"


@pytest.fixture
def left(app: App) -> Conditionals:
    return app.conditionals


async def boards_after_first(app: App, game_id: int) -> list[BoardMessage]:
    return [board for board in await boards(app) if board.game == game_id][1:]


async def told_of(app: App, left: Conditionals) -> tuple[str, str | None, int]:
    """Return what the only notice tells: what was played, what was answered at once, and how many lines are dropped."""
    told = await left.discarded_conditionals(await lease_only(app, DISCARDED))
    assert told
    return turn_text(told.begun, told.played), told.own and turn_text(*told.own), len(told.lines)


async def test_an_answer_entered_before_completes_the_turn_and_no_board_asks(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS)
    await left.add_typed_line(game_id, BOB.user, f"if {PUSHES_ROW} then xGe3")
    done = await play_codes(app, game_id, ANN.user, "a4b4", "xe:")
    assert done.turn
    assert (done.turn.text, done.game.turn_number, done.game.asked) == ("a4-b4;xGe3*,e4*,e5*", 1, Colour.BLACK)
    (board,) = await boards_after_first(app, game_id)
    assert (board.within_turn, board.was_conditional, board.turn_number) == (False, False, 1)
    assert await stored_lines(app, game_id) == []


async def test_a_line_goes_on_with_what_follows_the_answer(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_BACK)
    line = "if a4-b4;xe4,e5,e6,e7 then xGe3, if xd7,f6,g5,h4 then c1-c2"
    await left.add_typed_line(game_id, BOB.user, line)
    done = await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    assert (done.turn, done.game.asked, len(done.game.draft)) == (None, Colour.WHITE, 5)
    (rest,) = await stored_lines(app, game_id)
    assert (rest.turn_number, rest.drafted, len(rest.turns)) == (0, 5, 2)
    assert len((await left.conditionals_of(game_id, BOB.user)).lines) == 1
    (board,) = await boards_after_first(app, game_id)
    assert (board.within_turn, board.was_conditional, board.position.decider) == (True, True, Colour.WHITE)
    done = await play_codes(app, game_id, ANN.user, "x7:d7")
    assert [turn.text for turn in done.conditional_turns] == ["c1-c2"]
    assert (await stored_lines(app, game_id), done.game.turn_number) == ([], 2)


async def test_the_mover_enters_a_line_while_the_owner_is_asked(app: App, left: Conditionals) -> None:
    """Its place inside the turn is stored, so that it does not fit another one."""
    game_id = await overboard_at(app, ASKS_BACK)
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    now = await left.add_typed_line(game_id, ANN.user, "if - then xd7,f6,g5,h4")
    assert [line.drafted for line in now.lines] == [3]
    done = await play_codes(app, game_id, BOB.user, "xe:")
    assert done.turn
    assert (done.turn.colour, done.game.asked) == (Colour.WHITE, Colour.BLACK)
    board = (await boards_after_first(app, game_id))[-1]
    assert (board.was_conditional, board.within_turn) == (True, False)
    async with app.games.store.reading() as db:
        (turn,) = await games.turns_of(db, game_id)
    assert (turn.by, turn.how) == (ANN.user, CONDITIONAL)


async def test_a_conditional_turn_plays_up_to_the_first_question_to_the_other(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_LATER)
    await left.add_typed_line(game_id, ANN.user, f"if c1-c2 then {PUSHES_ROW}")
    done = await play_codes(app, game_id, BOB.user, "c1c2")
    assert done.turn
    assert (done.turn.text, done.conditional_turns) == ("c1-c2", ())
    assert (done.game.asked, done.game.handed_over, done.game.turn_number) == (Colour.BLACK, True, 1)
    first, second = await boards_after_first(app, game_id)
    assert (first.conditional_follows, second.conditional_follows, second.within_turn) == (True, False, True)


async def test_a_line_is_dropped_with_a_notice_where_the_turn_goes_another_way(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS)
    for line in (f"if {PUSHES_ROW} then xGe3", "if g7-g6 then c1-c2"):
        await left.add_typed_line(game_id, BOB.user, line)
    done = await play_codes(app, game_id, ANN.user, "a4b4", "xe:e2")
    assert (done.turn, done.game.asked) == (None, Colour.BLACK)
    assert await told_of(app, left) == ("a4-b4;xe2,e4*,e5*", None, 2)
    now = await left.conditionals_of(game_id, BOB.user)
    assert (now.lines, now.discarded) == ((), 2)
    await play_codes(app, game_id, BOB.user, "xe:")
    assert await stored_lines(app, game_id) == []


async def test_other_lines_are_dropped_when_one_answers(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS)
    for line in (f"if {PUSHES_ROW} then xGe3", "if a4-b4;xe2,e4,e5 then -"):
        await left.add_typed_line(game_id, BOB.user, line)
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:")
    assert await told_of(app, left) == ("a4-b4;xe4*,e5*", "xGe3*", 1)


async def test_the_movers_line_is_dropped_after_another_answer(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_BACK)
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    await left.add_typed_line(game_id, ANN.user, "if - then xd7,f6,g5,h4")
    done = await play_codes(app, game_id, BOB.user, "xe:e3")
    assert done.game.asked is Colour.WHITE
    played, own, dropped = await told_of(app, left)
    assert (played, own, dropped) == ("xGe3*;xf6*,g5*,h4*", None, 1)


async def test_nothing_follows_an_answer_that_completes_the_turn(app: App, left: Conditionals) -> None:
    """The turn after it belongs to the player who has answered."""
    game_id = await overboard_at(app, ASKS)
    line = f"if {PUSHES_ROW} then xGe3, if c1-c2 then d1-d2"
    assert await why_refused(left.add_typed_line(game_id, BOB.user, line)) is Why.CONDITIONAL_SAME_PLAYER
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:")
    wrong = left.add_typed_line(game_id, ANN.user, "if - then c1-c2")
    assert await why_refused(wrong) is Why.CONDITIONAL_SAME_PLAYER
    assert await why_refused(left.add_typed_line(game_id, BOB.user, "if c1-c2 then d1-d2")) is Why.OWN_TURN


async def test_a_newer_answer_replaces_an_earlier_one(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_BACK)
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    for line in ("if - then xd7,f6,g5,h4", "if xGe3 then xd7,f6,g5,h4"):
        await left.add_typed_line(game_id, ANN.user, line)
    now = await left.add_typed_line(game_id, ANN.user, "if - then xf6,g5,h4")
    assert (now.replaced, len(now.lines)) == (1, 2)


# ── From a study ──


def study_of(game_id: int, by: int, position: Position, *texts: str) -> StoredStudy:
    """Return a player's study of a game, in which these texts were typed at its position."""
    study = Study(1, position.rules, ("Ann", "Bob"), (), start_position=position)
    for text in texts:
        study = perform_in_study(study, read_study_turn(study, text))
    return StoredStudy(study, by, "", game_id)


async def test_an_answer_tried_in_a_study_becomes_a_line(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_BACK)
    study = study_of(game_id, BOB.user, ASKS_BACK, "a4-b4;xe4,e5,e6,e7", "xGe3")
    assert study.study.draft
    assert await left.may_add_from_study(study)
    assert len((await left.add_line_from_study(study)).lines) == 1
    done = await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    assert (done.turn, done.game.asked, len(done.game.draft)) == (None, Colour.WHITE, 5)


async def test_a_line_from_a_study_begins_behind_what_the_mover_has_played(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_BACK)
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6e7", "xe:")
    study = study_of(game_id, ANN.user, ASKS_BACK, "a4-b4;xe4,e5,e6,e7", "-", "xd7,f6,g5,h4")
    assert await left.may_add_from_study(study)
    assert [line.drafted for line in (await left.add_line_from_study(study)).lines] == [3]
    done = await play_codes(app, game_id, BOB.user, "xe:")
    assert done.turn
    assert done.game.asked is Colour.BLACK


async def test_a_study_says_why_its_turns_can_be_no_line(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS)
    beyond = study_of(game_id, BOB.user, ASKS, "a4-b4;xe4,e5", "xGe3", "c1-c2")
    assert await why_refused(left.may_add_from_study(beyond)) is Why.CONDITIONAL_SAME_PLAYER
    assert not await left.may_add_from_study(study_of(game_id, BOB.user, ASKS, "a4-b4;xe4,e5")), "no answer yet"
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:")
    other = study_of(game_id, ANN.user, ASKS, "a4-b4;xe2,e4,e5", "-")
    assert await why_refused(left.may_add_from_study(other)) is Why.CONDITIONAL_BEGUN
    assert not await left.may_add_from_study(study_of(game_id, BOB.user, ASKS, "c1-c2")), "it is their own decision"


async def test_two_answers_in_a_row_are_played_at_once(app: App, left: Conditionals) -> None:
    game_id = await overboard_at(app, ASKS_TWICE)
    await left.add_typed_line(game_id, BOB.user, "if a4-b4;xe4,e5,e6 then xGe3, -")
    done = await play_codes(app, game_id, ANN.user, "a4b4", "xe:e4e5e6", "xe:")
    assert done.turn
    assert done.turn.text == "a4-b4;xGe3*,e4*,e5*,e6*;xh2*,h3*,h4*"
    (board,) = await boards_after_first(app, game_id)
    assert (board.turn_number, board.position.decider) == (1, Colour.BLACK)
