"""Each refusal that rests on a rule leads to the page of that rule, and each turn that removed a row is explained."""

import ast
from collections.abc import Iterator
from itertools import pairwise

import pytest

from gipfbot.demo import DEMO_TURNS
from gipfbot.languages import load_language, speaking
from gipfbot.match import Refused, Why, new_game
from gipfbot.notation import OFFICIAL, BrokenRecord, IllegalTurn, ParseError, RecordedTurn, parse_action_code
from gipfbot.rules import OVERBOARD, Colour, Remove, build, legal, play, start
from gipfbot.rules.ruleset_names import ruleset_named
from gipfbot.rules.sentences import Sentence
from gipfbot.ui.board.public_board import LAST_CAPTURE_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.interactions import KINDS
from gipfbot.ui.kit.refusal_texts import (
    RULE_LABEL,
    RULES_OF_REFUSALS,
    WHY_CAPTURE_LABEL,
    WHY_ROW_LABEL,
    removal_why_buttons,
    why_buttons,
)
from gipfbot.ui.learning import removal_reasons
from gipfbot.ui.learning.rule_topics import all_topics, explained_rules
from gipfbot.ui.records import study_texts
from tests.rules.boards_of_overboard import after_codes, table_at
from tests.rules.helpers import pieces
from tests.support.games import OPENING, TWO_CAPTURES
from tests.support.paths import HOUSE
from tests.support.people import ANN, BOB
from tests.ui.forged import forger
from tests.ui.positions import GIPF_ROW
from tests.ui.studying import SHEET, fill, imported, playing
from tests.ui.table import Desk
from tests.ui.world import World, buttons, labels, private, told

pytestmark = pytest.mark.looks_every(1)

# These refusals say who may do something and when, or name a limit of the bot. No rule of the game is behind them.
WITHOUT_A_RULE = {
    *(
        Why.NOT_A_PLAYER,
        Why.NOT_YOUR_TURN,
        Why.OWN_TURN,
        Why.STALE,
        Why.OVER,
        Why.TOO_LATE_TO_CANCEL,
        Why.STILL_RUNNING,
    ),
    *(Why.CHALLENGE_CLOSED, Why.OWN_CHALLENGE, Why.NOT_FOR_YOU, Why.NOT_YOUR_CHALLENGE, Why.CHALLENGES_CROSS),
    *(Why.TAKEN_ALREADY, Why.TAKERS_OF_CHALLENGE, Why.TOO_MANY_GAMES, Why.REMATCH_ASKED, Why.REMATCH_BEGUN),
    Why.OPPONENT_GONE,
    *(Why.CHALLENGE_PENDING, Why.TOO_MANY_CHALLENGES, Why.TOO_MANY_SEEKS, Why.TOO_MANY_RUNNING, Why.TOO_MANY_PINGS),
    Why.TOO_MANY_PRIVATE,
    *(Why.TOO_FAST, Why.JOB_RUNNING),
    *(
        Why.NO_GAME,
        Why.UNREADABLE,
        Why.NO_CHALLENGE,
        Why.NO_STUDY,
        Why.NO_PUZZLE,
        Why.NO_CONDITIONAL,
        Why.NO_REQUEST,
        Why.NO_ZONE,
        Why.NO_PAGE,
    ),
    *(
        Why.NOT_POSSIBLE,
        Why.BLOCKED_BY_YOU,
        Why.BLOCKS_SELF,
        Why.TOO_MANY_BLOCKS,
        Why.MAY_NOT_POST,
        Why.MAY_NOT_MAKE_THREADS,
        Why.BOT_NOT_INVITED,
        Why.LEFT_SERVER,
    ),
    *(
        Why.ON_VACATION,
        Why.NO_VACATION,
        Why.VACATION_TOO_LONG,
        Why.TOO_MANY_VACATIONS,
        Why.NOT_OFFERED,
        Why.COMMAND_CHANGED,
        Why.NOTE_TOO_LONG,
    ),
    *(Why.HOUSE_THINKS, Why.NOT_REMINDED, Why.NUDGED, Why.NUDGE_TOO_EARLY, Why.OPPONENT_AWAY),
    *(Why.CONDITIONAL_TOO_DEEP, Why.CONDITIONAL_UNANSWERED, Why.CONDITIONAL_BEGUN, Why.TOO_MANY_CONDITIONALS),
    *(Why.NOTHING_TO_TAKE_BACK, Why.TAKEBACK_TOO_LATE, Why.REQUEST_OPEN, Why.REQUEST_TO_ANSWER, Why.REQUEST_AGAIN),
    *(Why.REQUEST_OWN, Why.REQUEST_NOT_YOURS, Why.REQUEST_CLOSED),
    *(Why.TOO_MANY_FOLLOWS, Why.TOO_MANY_FOLLOWERS, Why.FOLLOWS_OWN_GAME, Why.FOLLOWS_SELF),
    *(Why.WATCHED_OVER, Why.GUESSES_OWN_GAME, Why.GUESS_TOO_LATE),
    *(Why.NOT_EXPLORED, Why.PUZZLE_OF_OWN_GAME, Why.ANSWERS_OWN_GAME),
    *(Why.ANALYSED_WHILE_RUNNING, Why.NOTHING_TO_ANALYSE, Why.ANALYSES_OWN_GAME, Why.OTHER_ANALYSIS, Why.NO_ENGINE),
    *(
        Why.SHOWN_ALREADY,
        Why.SHOWN_TOO_OFTEN,
        Why.SHOWN_TOO_LATE,
        Why.PRIVATE_NOT_SHOWN,
        Why.SHOWN_ON_SERVERS,
        Why.NOT_FOR_ALL,
        Why.NOTHING_FOR_ALL,
    ),
    *(Why.STUDY_CHANGED, Why.NOT_SOLVED, Why.MAY_NOT_ATTACH),
    *(Why.CLAIM_WIN_TIMED, Why.CLAIM_WIN_TOO_EARLY, Why.CLAIM_WIN_PENDING),
    *(Why.NO_TOURNAMENT, Why.NO_TOURNAMENTS, Why.TOO_MANY_TOURNAMENTS, Why.NOT_IN_TOURNAMENTS, Why.NOT_ORGANISER),
    *(Why.NOT_IN_TOURNAMENT, Why.TOURNAMENT_OVER, Why.TOURNAMENT_STARTED, Why.TOURNAMENT_JOINED, Why.TOURNAMENT_FULL),
    *(Why.TOURNAMENT_NO_ROOM, Why.TOURNAMENT_NOT_CANCELLED, Why.TOURNAMENT_NO_REMATCH, Why.NO_TAKEBACKS),
}


def reason_codes() -> Iterator[tuple[str, str]]:
    """Yield each code of the notation's errors with the rule behind it, as the sources name them side by side."""
    for path in sorted((HOUSE / "gipfbot" / "notation").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.elts if isinstance(node, ast.Tuple) else node.args if isinstance(node, ast.Call) else []
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            for code, rule in pairwise(texts):
                if rule in explained_rules() and code not in explained_rules():
                    yield code, rule


def page_behind(fault: Exception) -> str:
    """Return the title of the page to which the button of a refusal leads."""
    (button,) = why_buttons(fault)
    kind, _, rest = button.action.partition(":")
    parts = KINDS[kind].parse(rest)
    assert button.label == RULE_LABEL
    assert parts, button.action
    return all_topics()[explained_rules()[str(parts["rule"])]].title


def test_each_reason_code_has_a_page() -> None:
    codes = {*reason_codes()}
    assert len({code for code, _ in codes}) > 30
    assert all(page_behind(IllegalTurn(code, rule, Sentence("No."), "e2")) for code, rule in codes)


def test_each_refusal_of_a_game_rests_on_a_rule_or_is_known_not_to() -> None:
    assert {*Why} == {*RULES_OF_REFUSALS} | WITHOUT_A_RULE
    assert {*RULES_OF_REFUSALS} & WITHOUT_A_RULE == set()
    assert all(page_behind(Refused(why)) for why in RULES_OF_REFUSALS)
    assert [why for why in WITHOUT_A_RULE if why_buttons(Refused(why))] == []


@pytest.mark.parametrize("why", [Why.NOT_YOUR_TURN, Why.OWN_TURN])
def test_a_decision_in_the_other_players_turn_is_explained(why: Why) -> None:
    assert page_behind(Refused(why, decision=True)) == "Overboard: GIPF-pieces"
    assert why_buttons(Refused(why, decision=False)) == ()


def test_a_broken_line_leads_to_the_rule_of_its_fault() -> None:
    assert (
        page_behind(BrokenRecord(1, Colour.WHITE, IllegalTurn("closed", "R3.3", Sentence("No."), "e2")))
        == "A full line is closed"
    )
    assert why_buttons(BrokenRecord(1, Colour.WHITE, ParseError(Sentence("a turn"), "x", 0))) == ()


# At the start of a Standard game: a typed turn, and the title of the page behind its refusal.
TYPED = {
    "e4": "Push a piece in",
    "e2": "Push a piece in",
    "a1-h2": "The board",
    "Gc2": "Basic, Standard, Tournament",
    "Zc2": "Loaded pieces",
    "xb5": "Four in a row",
    "c2;xc2": "The order of a turn",
}


async def test_a_typed_turn_is_refused_with_a_button_to_its_page(world: World) -> None:
    """The page is a message of its own: the refusal stays, and its other buttons work."""
    await world.begin()
    for turn, title in TYPED.items():
        answer = await world.ann.slash(world.channel, "move", notation=turn)
        assert labels(private(answer))[-1] == RULE_LABEL, turn
        page = Desk(world.ann, await world.ann.click(private(answer), label=RULE_LABEL))
        assert page.text.startswith(f"**{title}**"), turn
        assert page.message.id != private(answer).id
        await page.press("Next step")
        assert page.text.startswith(f"**{title}**"), turn
    assert RULE_LABEL not in labels(private(await world.ann.slash(world.channel, "move", notation="zz9")))
    assert (await world.game()).turn_number == 0


async def test_a_removal_is_refused_with_the_button(world: World) -> None:
    await world.prepared(GIPF_ROW)
    answer = private(await world.ann.slash(world.channel, "move", notation="xh3;c2"))
    page = Desk(world.ann, await world.ann.click(answer, label=RULE_LABEL))
    assert page.text.startswith("**What goes with a row: captures**")


async def test_who_offers_a_draw_can_ask_why_not(world: World) -> None:
    await world.begin()
    answer = private(await world.ann.slash(world.channel, "move", notation="draw"))
    assert answer.content.startswith("GIPF has no draws")
    page = Desk(world.ann, await world.ann.click(answer, label=RULE_LABEL))
    assert page.text.startswith("**Can a game be a draw?**")


async def test_a_conditional_turn_is_refused_with_the_button(world: World) -> None:
    await world.begin()
    answer = private(await world.bob.slash(world.channel, "gipf if", turns="c2 e8"))
    assert labels(answer)[-1] == RULE_LABEL
    page = Desk(world.bob, await world.bob.click(answer, label=RULE_LABEL))
    assert page.text.startswith("**Push a piece in**")


async def test_a_study_and_an_import_refuse_with_the_button(world: World) -> None:
    """A record that cannot be read leads to the page, and so does a turn tried in the study of another one."""
    nothing = await imported(world, "1. e2 *")
    assert nothing.labels[-1] == RULE_LABEL
    broken = await imported(world, f"{SHEET.removesuffix(' 1-0')} 4. Gc2 *")
    assert RULE_LABEL in broken.labels
    await broken.press(study_texts.TRY_TURN_LABEL)
    assert RULE_LABEL not in broken.labels
    await fill(broken, study_texts.TYPE_TURN_LABEL, "e4")
    refused = private(await world.ann.click(broken.message, label=RULE_LABEL))
    assert refused.content.startswith("**Push a piece in**")


# ── Why pieces left the board ──


@pytest.mark.parametrize("way", ["the newest board", "a past board", "a study"])
async def test_a_spectator_learns_why_pieces_left_the_board(world: World, way: str) -> None:
    """Ann's fifth turn removes a row with a GIPF-piece in it. No button explains a turn that removes nothing.

    The answer is about this turn, and leads to the rule's page.
    """
    await playing(world, *OPENING[:4])
    assert WHY_ROW_LABEL not in (await _watched(world, way, "2b")).labels
    await world.ann.slash(world.channel, "move", notation="b6-b4;xb2,b3,Gb4,b5")
    shown = await _watched(world, way, "3")
    assert "5 back to White" in shown.text
    assert shown.text.count("A GIPF-piece counts as 2.") == 1
    answer = Desk(world.cara, await world.cara.click(shown.message, label=WHY_ROW_LABEL))
    head, row, back, captured, rule = answer.text.splitlines()
    assert head == "**3. White:** b6 → b5"
    assert row == "Ann (White) had 4 in a row: **b2–b5**."
    assert back == "Back to White: **b2 b3 b5 and GIPF-piece b4**."
    assert captured == removal_reasons.NO_CAPTURE, "no GIPF-piece has stayed, so nothing is said of it"
    assert rule.startswith("-# **The rule:** Your row leaves the board. So do ")
    assert "Row b2 to b5." in answer.alt
    assert answer.labels == [removal_reasons.SHOW_RULE_LABEL]
    page = Desk(world.cara, await world.cara.click(answer.message, label=removal_reasons.SHOW_RULE_LABEL))
    assert page.text.startswith("**What goes with a row: captures**")


@pytest.mark.parametrize("name", ["ann", "cara"])
async def test_why_the_last_capture_happened_is_two_presses_away_after_later_turns(world: World, name: str) -> None:
    """For a player and for those who watch. White's row took g2, which touched it; two turns were played since."""
    person = getattr(world, name)
    await playing(world, *DEMO_TURNS)
    shown = private(await person.click(world.board(), label=texts.MORE_LABEL))
    answer = Desk(person, await person.click(shown, label=LAST_CAPTURE_LABEL))
    assert answer.text.splitlines()[:3] == [
        "**4. White:** g7 → g6",
        "Ann (White) had 4 in a row: **g3–g6**.",
        (
            "Back to White: **g3 g5 g6 and GIPF-piece g4**."
            " Captured from Black: **g2**, because it stood next to the row, in its line."
        ),
    ]
    assert removal_reasons.EARLIER_CAPTURE_LABEL not in answer.labels


async def test_an_earlier_capture_is_explained_too_with_the_way_back(world: World) -> None:
    """From the last board of a game, three presses lead to the one before the last."""
    await playing(world, *TWO_CAPTURES, rules="basic")
    asked = Desk(world.bob, await world.bob.slash(world.channel, "gipf resign"))
    await asked.press("Resign")
    (ended,) = [message for message in world.public() if "Rematch" in buttons(message)]
    past = await _watched(world, "a past board", "8")
    assert {WHY_ROW_LABEL, WHY_CAPTURE_LABEL} & {*past.labels} == {WHY_CAPTURE_LABEL}
    answer = Desk(world.cara, await world.cara.click(ended, label=LAST_CAPTURE_LABEL))
    assert "Captured from Black: **b4**, because it stood next to the row, in its line." in answer.text
    assert answer.labels == [removal_reasons.SHOW_RULE_LABEL, removal_reasons.EARLIER_CAPTURE_LABEL]
    last = answer.text
    await answer.press(removal_reasons.EARLIER_CAPTURE_LABEL)
    assert answer.text.startswith("**6. White:** i4 → h5\n")
    assert answer.labels == [removal_reasons.SHOW_RULE_LABEL, removal_reasons.LATER_CAPTURE_LABEL]
    await answer.press(removal_reasons.LATER_CAPTURE_LABEL)
    assert answer.text == last


async def test_a_row_without_a_capture_says_so_and_leads_to_the_last_capture(world: World) -> None:
    """Black's row took only Black's own pieces. The last capture was White's, and there is none before it."""
    await playing(world, *TWO_CAPTURES[:12], "c2", "a4-d7", "e1-e3", "b3;xb2,b3,b4,b5", rules="basic")
    board = Desk(world.cara, await world.cara.click(world.board(), label=texts.MORE_LABEL))
    answer = Desk(world.cara, await world.cara.click(board.message, label=WHY_ROW_LABEL))
    assert removal_reasons.NO_CAPTURE in answer.text.splitlines()
    assert answer.labels == [removal_reasons.SHOW_RULE_LABEL, removal_reasons.LAST_CAPTURE_LABEL]
    await answer.press(removal_reasons.LAST_CAPTURE_LABEL)
    assert answer.text.startswith("**6. White:** i4 → h5\n")
    assert removal_reasons.NO_CAPTURE not in answer.text
    assert answer.labels == [removal_reasons.SHOW_RULE_LABEL]


async def test_a_piece_that_was_left_is_named_and_a_study_of_the_game_explains_the_turn(world: World) -> None:
    await playing(world, *OPENING[:4], "b6-b4;xb2,b3,b5")
    desk = await _watched(world, "a study", "3")
    answer = private(await world.cara.click(desk.message, label=WHY_ROW_LABEL)).content
    assert "Back to White: **b2 b3 b5**. Left on the board: **GIPF-piece b4**." in answer
    assert "\nGIPF-pieces may stay when their row comes off: that was Ann's choice.\n" in answer


async def test_a_capture_that_was_taken_back_is_not_explained(world: World) -> None:
    await playing(world, *OPENING[:4])
    sender = await forger(world, world.cara, world.channel)
    for kind in ("why_row", "why_capture", "earlier_capture"):
        assert told(await sender.send(f"{kind}:1:99")) == removal_reasons.NONE_THERE
    assert told(await sender.send("later_capture:1:1")) == removal_reasons.NONE_LATER


async def _watched(world: World, way: str, turn: str) -> Desk:
    if way == "a past board":
        return Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1", turn=turn))
    board = Desk(world.cara, await world.cara.click(world.board(), label="Move"))
    return (
        board if way == "the newest board" else Desk(world.cara, await world.cara.click(board.message, label="Study"))
    )


def test_a_removal_in_overboard_has_its_own_page() -> None:
    begun = start(OVERBOARD)
    (button,) = removal_why_buttons(RecordedTurn(1, "", (Remove(0, 0),), begun, begun))
    assert button.action == "why:R8.3"


@pytest.mark.parametrize(("given_up", "stays"), [("xe:", True), ("xe:e3", True), ("xe:e3e6", False)])
def test_a_gipf_piece_that_stays_in_overboard_is_explained(given_up: str, stays: bool) -> None:
    before = table_at("w W=d4,Ge3,e5,Ge6,Gh5 B=Gb2,Gh2")
    codes = "a4b4", "xe:e4e5", given_up
    turn = RecordedTurn(1, "", (*map(parse_action_code, codes),), before, after_codes(before, *codes))
    said = removal_reasons.removal_text(new_game(1, OVERBOARD, (ANN, BOB)), turn, OFFICIAL).splitlines()
    assert (removal_reasons.GIPF_STAYED in said) is stays


def test_pieces_with_potentials_in_a_row_are_told_in_german() -> None:
    rules = ruleset_named("standard+Z3")
    before = build(rules, Colour.WHITE, (pieces("Gb3,d2,Zd3,zd4,zd5,Zd6"), pieces("Gh5")))
    removal = next(each for each in legal(before) if isinstance(each, Remove) and "d6" not in each.spots)
    assert removal.spots == ("d2", "d3", "d4", "d5")
    turn = RecordedTurn(1, "", (removal,), before, play(before, removal))
    with speaking(load_language("de")):
        said = removal_reasons.removal_text(new_game(1, rules, (ANN, BOB)), turn, OFFICIAL)
    back, used = "Zurück an Weiß: **d2 und ZÈRTZ-Stein d3**.", "Aus dem Spiel: **verbrauchte ZÈRTZ d4 d5**."
    assert f"{back} {used} Auf dem Brett geblieben: **ZÈRTZ-Stein d6**." in said
