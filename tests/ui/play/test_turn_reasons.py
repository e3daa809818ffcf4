"""**Why this turn?** on a turn of the bot: for its opponent, for those who watch, and on outdated boards."""

from dataclasses import replace

import pytest

from gipfbot.match import UNTIMED, Game, House, Seat, new_game, perform, resign_game
from gipfbot.notation import OFFICIAL, RecordedTurn, parse_position, parse_turn
from gipfbot.rules import STANDARD, Colour, Reason, play
from gipfbot.rules.turn_facts import FactKind, TurnFact
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.house.turn_reasons import Basis, TurnReasons
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.ui.board.public_board import public_board_message
from gipfbot.ui.learning.rule_topics import all_topics
from gipfbot.ui.play import turn_reasons
from gipfbot.ui.play.turn_reasons import reason_sentences, reasons_text, shown_rows
from gipfbot.values import StoredGame, Venue
from tests.rules.fact_examples import EXAMPLES
from tests.rules.helpers import BLACK, WHITE
from tests.ui.table import bot_handle, challenge_bot
from tests.ui.watching.hidden import press_carried
from tests.ui.world import World, buttons, custom_ids, labels, private, told

pytestmark = pytest.mark.looks_every(60)
ROW = ("c3", "d3", "e3", "f2")
DONE = "Brings in a piece on b4, and moves 4 pieces one spot. Takes b4 c5 d6 e7 and GIPF-piece f7 off the board."


async def answered(world: World) -> int:
    """Return a game in which the bot has answered Ann's first turn."""
    await challenge_bot(world)
    await world.ann.slash(world.channel, "move", notation="a2-c2")
    return (await world.game()).id


def carried_button(world: World) -> str:
    """Return the `custom_id` of **Why this turn?** on the newest board, to be pressed when the board is out of date."""
    (found,) = [custom_id for custom_id in custom_ids(world.public()[-1]) if custom_id.startswith("reasons:")]
    return found


async def test_board_has_the_button_only_after_a_turn_of_the_bot(world: World) -> None:
    await answered(world)
    first, second, third = world.public()
    assert [buttons(board) for board in (first, second)] == [[], []], "a newer board has them"
    assert buttons(third) == ["Move", "More…", "Why this turn?", "How to play"]


async def test_opponent_is_told_privately_why(world: World) -> None:
    await answered(world)
    board = world.public()[-1]
    shown = private(await world.ann.click(board, label="Why this turn?"))
    heading, *sentences = shown.content.splitlines()
    assert heading.startswith("Why TestBot Beginner played **f8 → f7** (Black's turn 1)")
    assert 1 <= len(sentences) <= 2
    assert world.public()[-1].id == board.id


async def test_those_who_watch_are_told_with_colours(world: World) -> None:
    await answered(world)
    shown = private(await world.cara.click(world.public()[-1], label="Why this turn?"))
    assert "your" not in shown.content.lower()
    assert "you " not in shown.content.lower()


async def test_private_board_and_past_board_have_the_button(world: World) -> None:
    await answered(world)
    for person in (world.ann, world.cara):
        board = private(await person.slash(world.channel, "gipf board", game="#a1"))
        assert "Why this turn?" in labels(board)
        past = private(await person.slash(world.channel, "gipf board", game="#a1", turn="1b"))
        assert "Why TestBot" in told(await person.click(past, label="Why this turn?"))
        own = private(await person.slash(world.channel, "gipf board", game="#a1", turn="1"))
        assert "Why this turn?" not in labels(own)


async def test_button_in_direct_messages(world: World) -> None:
    await world.ann.user.slash("gipf challenge", opponent=bot_handle(world), colour="black")
    board = world.ann.user.dm_channel.history()[-1]
    assert buttons(board) == ["Move", "More…", "Why this turn?", "How to play"]
    assert "Why TestBot" in told(await world.ann.user.click(board, label="Why this turn?"))


async def test_button_of_a_turn_taken_back_says_so(world: World) -> None:
    game_id = await answered(world)
    carried = carried_button(world)
    assert "Why TestBot" in await press_carried(world, world.ann, carried)
    await world.bot.app.requests.make(TAKEBACK, game_id, world.ann.id)
    assert "taken back" in await press_carried(world, world.ann, carried)
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    assert "taken back" in await press_carried(world, world.ann, carried)


async def test_older_turn_is_still_explained_after_newer_ones(world: World) -> None:
    await answered(world)
    carried = carried_button(world)
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    assert "(Black's turn 1)" in await press_carried(world, world.ann, carried)


def button_labels(game: Game) -> list[str]:
    """Return what the buttons of a game's board say."""
    rows = public_board_message(new_board_message(game)).rows
    return [button.label for row in rows if isinstance(row, tuple) for button in row]


def test_last_board_has_the_button_beside_the_others(world: World) -> None:
    """The bot takes the last GIPF-piece of its opponent."""
    position = parse_position(EXAMPLES[0][0])
    house = replace(UNTIMED, house=House(1, 2))
    game = replace(new_game(1, position.rules, (Seat(2, "Bot"), Seat(1, "Ann")), house), position=position)
    won = perform(game, 2, parse_turn(position, EXAMPLES[0][1])).game
    assert button_labels(won)[-1] == "Why this turn?"
    assert len(button_labels(won)) == 7, "in two rows"
    begun = perform(game, 2, parse_turn(position, "h5")).game
    assert button_labels(begun)[-1] == "Why this turn?"
    assert "Why this turn?" not in button_labels(resign_game(begun, 1))


# ── Words ──


def reasons(*facts: TurnFact, basis: Basis = Basis.SEARCHED, bot: Colour = BLACK) -> TurnReasons:
    """Return reasons for a turn of the bot with these facts."""
    before = parse_position(EXAMPLES[0][0])
    seats = Seat(1, "Ann"), Seat(2, "Bot *5*")
    game = new_game(1, STANDARD, seats if bot is BLACK else seats[::-1])
    stored = StoredGame(game, Venue(1, 2), False, None, None, 0, 0, None)
    actions = parse_turn(before, EXAMPLES[0][1])
    after = before
    for action in actions:
        after = play(after, action)
    return TurnReasons(stored, House(3, 2), bot, RecordedTurn(24, "", actions, before, after), basis, facts)


SENTENCES = (
    (TurnFact(FactKind.WINS, BLACK, reason=Reason.GIPF), "Wins: you have no GIPF-piece left on the board."),
    (TurnFact(FactKind.WINS, BLACK, reason=Reason.RESERVE), "Wins: you have no turn left to play."),
    (TurnFact(FactKind.FORCES_WIN, BLACK), "Wins by its next turn, whatever you play."),
    (TurnFact(FactKind.FORCES_WIN, BLACK, later=1), "Wins within its next two turns, whatever you play."),
    (TurnFact(FactKind.STOPS_WIN, BLACK), "Stops your threat to win at once."),
    (TurnFact(FactKind.THREATENS_WIN, BLACK), "Threatens to win next turn."),
    (TurnFact(FactKind.REMOVES, BLACK, ROW), "Its row c3–f2 comes off."),
    (TurnFact(FactKind.REMOVES, BLACK, ROW, home=4), "Its row c3–f2 brings 4 back to its reserve."),
    (
        TurnFact(FactKind.REMOVES, BLACK, ROW, 2, ("e4",), 4),
        "Its row c3–f2 captures your GIPF-piece on e4 and 2 more and brings 4 back to its reserve.",
    ),
    (
        TurnFact(FactKind.REMOVES, BLACK, (), 2, (), 8),
        "Its rows capture 2 of your pieces and bring 8 back to its reserve.",
    ),
    (TurnFact(FactKind.REMOVES, BLACK, ROW, 0, ("e4", "f3")), "Its row c3–f2 captures your GIPF-pieces on e4 and f3."),
    (
        TurnFact(FactKind.SAVES_GIPF, BLACK, ROW, gipf=("e4",)),
        "Its GIPF-piece on e4 is safe now. Before, your row c3–f2 could capture it.",
    ),
    (TurnFact(FactKind.THREATENS_ROW, BLACK, ROW), "Threatens the row c3–f2."),
    (
        TurnFact(FactKind.THREATENS_ROW, BLACK, ROW, 2, ("e4",)),
        "Threatens the row c3–f2, which captures 2 of your pieces and can capture your GIPF-piece on e4.",
    ),
    (TurnFact(FactKind.STOPS_ROW, BLACK, ROW), "Stops your row c3–f2."),
    (
        TurnFact(FactKind.STOPS_ROW, BLACK, ROW, 1, ("e4", "f3")),
        "Stops your row c3–f2, which could have captured 1 of its pieces and 2 of its GIPF-pieces.",
    ),
    (
        TurnFact(FactKind.SHRINKS_PREY, BLACK, was=(3, 0), now=(1, 0)),
        "A row can capture at most 1 of its pieces now. Before, it could capture 3.",
    ),
    (
        TurnFact(FactKind.SHRINKS_PREY, BLACK, was=(3, 0), now=(0, 0)),
        "Its pieces are safe now. Before, you could capture 3.",
    ),
    (TurnFact(FactKind.ENTERS_GIPF, BLACK, now=(2, 0)), "Brings in a GIPF-piece: it has 2 on the board now."),
    (TurnFact(FactKind.TAKES_CENTRE, BLACK, now=(1, 0)), "Takes the centre, e5."),
    (TurnFact(FactKind.TAKES_CENTRE, BLACK, was=(0, 1), now=(1, 0)), "Takes the centre, e5, from you."),
    (
        TurnFact(FactKind.HOLDS_MIDDLE, BLACK, was=(2, 1), now=(3, 0)),
        "Holds 3 of the seven spots in the middle now; you hold none.",
    ),
    (
        TurnFact(FactKind.LEADS_GIPF_IN, BLACK, moved=("e7", "e6")),
        "Moves its GIPF-piece from e7 to e6, nearer to the centre.",
    ),
    (
        TurnFact(FactKind.DRIVES_GIPF_OUT, BLACK, moved=("e6", "e7")),
        "Moves your GIPF-piece from e6 to e7, away from the centre.",
    ),
    (TurnFact(FactKind.PUSHES_OFF, BLACK, moved=("h3", "i3")), "Pushes your piece on h3 over the edge."),
)


WATCHED = {
    "you have": "White has",
    "you could": "White could",
    "you hold": "White holds",
    "you play": "White plays",
    "from you.": "from White.",
    "your": "White's",
}


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES, ids=[fact.kind for fact, _ in SENTENCES])
def test_sentence_of_each_fact(fact: TurnFact, sentence: str) -> None:
    assert reason_sentences(reasons(fact), WHITE) == [sentence]
    for own, other in WATCHED.items():
        sentence = sentence.replace(own, other)
    assert reason_sentences(reasons(fact), None) == [sentence]


def test_without_a_fact_the_turn_is_described() -> None:
    """How an engine of the host has chosen is not known, and level 1 also plays turns that are far from the best."""
    assert reason_sentences(reasons(), WHITE) == [DONE]


@pytest.mark.parametrize(
    ("line", "turn", "sentence"),
    [
        ("standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0", "c2", "Brings in a piece on c2."),
        (
            "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0",
            "e1-e3",
            "Brings in a piece on e2, and moves 1 piece one spot.",
        ),
        ("tournament w W= B= reserve=18-18 captured=0-0 opening=wb", "Ge2", "Brings in a GIPF-piece on e2."),
        (
            "standard+Z3 w W=Gb5,Zc3,c4,Gh5 B=c5,Ge8,Gh2 reserve=12-13 captured=0-0 left=Z0-Z0",
            "Zc3>c6",
            "Uses its ZÈRTZ on c3: it jumps to c6.",
        ),
        (
            "standard+P3 w W=Gb5,Pd4,Gh5 B=Gd5,Ge8,h2 reserve=13-13 captured=0-0 left=P0-P0",
            "Pd4>d5+2",
            "Uses its PÜNCT on d4: it puts 2 on d5.",
        ),
        (
            all_topics()["overboard-end"].line,
            "pass",
            turn_reasons.PASSES,
        ),
    ],
)
def test_a_turn_without_a_reason_says_what_it_does(line: str, turn: str, sentence: str) -> None:
    before = parse_position(line)
    played = RecordedTurn(1, turn, parse_turn(before, turn), before, before)
    assert reason_sentences(replace(reasons(), turn=played), BLACK) == [sentence]


def test_each_kind_has_a_sentence() -> None:
    assert {fact.kind for fact, _ in SENTENCES} == {*FactKind}


def test_rows_of_two_facts_have_letters_of_their_own() -> None:
    threat, stop = (TurnFact(kind, BLACK, ROW) for kind in (FactKind.THREATENS_ROW, FactKind.STOPS_ROW))
    assert reason_sentences(reasons(threat, stop), WHITE) == [
        "Threatens the row c3–f2 (A).",
        "Stops your row c3–f2 (B).",
    ]
    assert shown_rows([threat, stop]) == (("A", ROW), ("B", ROW))
    removes = TurnFact(FactKind.REMOVES, BLACK, ROW)
    assert shown_rows([threat, removes]) == (("", ROW),), "a single row needs no letter"


def test_what_is_not_known_is_said() -> None:
    assert reason_sentences(reasons(basis=Basis.FALLBACK), WHITE) == [turn_reasons.FALLBACK, DONE]
    assert reason_sentences(reasons(basis=Basis.NOT_KEPT), WHITE) == [turn_reasons.NOT_KEPT, DONE]


def test_heading_names_the_turn() -> None:
    heading = reasons_text(reasons(), None, OFFICIAL).splitlines()[0]
    assert heading == (r"Why Bot \*5\* played **a3 → b4** (Black's turn 12, also written `a3-f7;xb4,c5,d6,e7,Gf7*`)")
