"""A game between two people: whose turn counts, what a draft is, and how it ends."""

import random
from dataclasses import replace

import pytest

from gipfbot.match import (
    Moment,
    Refused,
    Status,
    Why,
    cancel_game,
    check_turn,
    perform,
    position_after,
    position_hash,
    read_typed_turn,
    resign_game,
    start_turn_over,
    take_back,
    void_game,
)
from gipfbot.match.game import LONGEST_NAME, NAMELESS, clean_name, drop_controls
from gipfbot.notation import (
    IllegalTurn,
    NotationError,
    ParseError,
    parse_position,
    parse_turn,
    position_text,
    read_turn_part,
)
from gipfbot.rules import PASS, PRESETS, PUSHES, STANDARD, Colour, Kind, Reason, Result, legal, start
from tests.rules.boards_of_overboard import ASKS
from tests.support.characters import JOINED_LETTERS, WHOLE_EMOJI
from tests.support.games import E1
from tests.support.people import ANN, BOB, EVE

from .helpers import CHOICE, OFFER, ROW_DUE, TWO_ROWS, game, go_on, typed


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that are really read."""
    texts = list[str]()

    def noted(start: object, done: object, text: str, notation: object) -> object:
        texts.append(text)
        return read_turn_part(start, done, text, notation)  # type: ignore[arg-type]

    monkeypatch.setattr("gipfbot.match.game.read_turn_part", noted)
    return texts


def test_a_text_is_read_once(read: list[str]) -> None:
    playing = game(start(STANDARD), STANDARD)
    first = read_typed_turn(playing, ANN.user, "a2-b3 ")
    assert read_typed_turn(playing, ANN.user, "a2-b3 ") == first
    assert read == ["a2-b3 "]


def test_a_fault_is_told_again(read: list[str]) -> None:
    playing, told = game(start(STANDARD), STANDARD), set[str]()
    for _ in range(2):
        with pytest.raises(NotationError) as fault:
            read_typed_turn(playing, ANN.user, "no turn at all")
        told.add(str(fault.value))
    assert len(told) == 1
    assert read == ["no turn at all"]


def test_who_types_counts() -> None:
    playing = game(start(STANDARD), STANDARD)
    read_typed_turn(playing, ANN.user, "a2-b3  ")
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            read_typed_turn(playing, BOB.user, "a2-b3  ")
        assert refused.value.why is Why.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ann", "Ann"),
        ("Zoë Müller-Østergård", "Zoë Müller-Østergård"),
        ("Анна 李", "Анна 李"),
        ("דנה", "דנה"),
        ("Ann\u202e nnA", "Ann nnA"),
        ("\u2066Ann\u2069\u200b\u200d\ufeff", "Ann"),
        ("Ann\nBob\r\x1b[31m\x00", "Ann Bob [31m"),
        ("  Ann \u3000 Lee ", "Ann Lee"),
        ("\u3164\u2800\u115f", NAMELESS),
        ("\u200b", NAMELESS),
        ("", NAMELESS),
        ("A" + "\u0301" * 40, "A" + "\u0301" * 3),
        ("x" * 200, "x" * LONGEST_NAME),
        *((emoji, emoji) for emoji in WHOLE_EMOJI),
        *((letters, letters) for letters in JOINED_LETTERS),
        ("A\u200d\U0001f469\u200d\U0001f467\u200dB\ufe0f", "A\U0001f469\u200d\U0001f467B"),
        ("x" * (LONGEST_NAME - 1) + "\U0001f1e9\U0001f1ea", "x" * (LONGEST_NAME - 1)),
    ],
)
def test_name_is_cleaned(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned
    assert clean_name(cleaned) == cleaned


def test_text_keeps_its_lines_without_controls() -> None:
    assert drop_controls("one\n\ttwo\x1b[0m\u202e") == "one\n\ttwo[0m"


@pytest.mark.parametrize("whole", [*WHOLE_EMOJI, *JOINED_LETTERS])
def test_text_without_controls_keeps_emoji_and_joined_letters(whole: str) -> None:
    assert drop_controls(f"\u200b{whole}\u200d") == whole


def refused(why: Why) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.why is why)


def test_a_turn_without_a_choice_is_complete_at_once() -> None:
    """A push that makes no row passes the turn on, and leaves no draft."""
    before = game()
    done = perform(before, ANN.user, [E1], before.version)
    assert done.turn
    assert (done.turn.turn_number, done.turn.colour, done.turn.text) == (1, Colour.WHITE, "e1-e3")
    assert (done.turn.before, done.turn.after) == (before.position, done.game.position)
    assert done.game.draft == ()
    assert done.game.last == done.turn
    assert (done.game.turn_number, done.game.version) == (1, 1)
    assert done.game.asked is Colour.BLACK


def test_a_choice_keeps_the_turn_open_as_a_draft() -> None:
    """After a push that makes a row with a GIPF-piece the same player is asked, and the turn is not complete."""
    done = perform(game(CHOICE), ANN.user, [PUSHES["b1", "b2", Kind.BASIC]])
    assert done.turn is None
    assert done.game.asked is Colour.WHITE
    assert done.game.position == parse_position(CHOICE)
    assert done.game.draft == (PUSHES["b1", "b2", Kind.BASIC],)
    assert done.game.current.pushed
    finished = typed(done.game, ANN.user, "xb2,b3,b4,Gb5")
    assert finished.turn_number == 1
    assert finished.last
    assert finished.last.text == "b1-b5;xb2,b3,b4,Gb5"


def test_a_forced_removal_is_played_for_the_player() -> None:
    """The row that leaves no choice is gone when they are asked, and belongs to the turn that they then play."""
    before = game(ROW_DUE)
    assert before.question
    assert not before.question.rows
    after = typed(before, ANN.user, "c2")
    assert after.last
    assert after.last.text == "xe2,e3,e4,e5;c2"
    pressed = perform(before, ANN.user, [PUSHES["c1", "c2", Kind.BASIC]]).game
    assert position_text(pressed.position) == position_text(after.position)


def test_a_forced_row_goes_while_another_is_asked() -> None:
    """Of two disjoint rows only the one with a choice is asked. The text may name that one alone."""
    before = game(TWO_ROWS)
    assert before.question
    assert [row.line.code for row in before.question.rows] == ["g"]
    half = typed(before, ANN.user, "xg2,g3,g4")
    assert half.turn_number == 0
    assert half.asked is Colour.WHITE
    assert {*half.current.pieces()} == {"g5", "e8", "h2"}
    assert typed(half, ANN.user, "c2").turn_number == 1


def test_all_rows_that_leave_no_choice_go_one_after_the_other() -> None:
    before = game("basic w W=b2,b3,b4,b5,g2,g3,g4,g5 B=e8 reserve=7-14 captured=0-0")
    assert len(before.forced) == 2
    assert {*before.current.pieces()} == {"e8"}
    assert before.asked is Colour.WHITE


def test_r4_7_an_offer_after_the_push_waits_for_pass() -> None:
    """Four GIPF-pieces in a row may all stay. The turn ends when the player says so."""
    pushed = perform(game(OFFER), ANN.user, [PUSHES["e1", "e2", Kind.GIPF]])
    assert pushed.turn is None
    assert pushed.game.asked is Colour.WHITE
    done = perform(pushed.game, ANN.user, [PASS])
    assert done.turn
    assert done.turn.text == "Ge1-e5"
    assert done.game.asked is Colour.BLACK


@pytest.mark.parametrize(
    ("by", "why"), [(BOB.user, Why.NOT_YOUR_TURN), (EVE.user, Why.NOT_A_PLAYER)], ids=["the opponent", "somebody else"]
)
def test_only_the_player_to_decide_may_play(by: int, why: Why) -> None:
    """Everybody else is refused, whatever they play, also by typing."""
    before = game()
    with refused(why):
        perform(before, by, [E1])
    with refused(why):
        read_typed_turn(before, by, "e1-e3")


def test_an_action_for_an_older_version_is_stale() -> None:
    """A button drawn for an earlier state is never executed, legal or not."""
    later = typed(typed(game(), ANN.user, "e1-e3"), BOB.user, "e9-e7")
    with refused(Why.STALE):
        perform(later, ANN.user, [E1], version=0)
    check_turn(later, ANN.user, version=2)


@pytest.mark.parametrize("actions", [[PASS], [E1, E1], [PUSHES["e1", "e2", Kind.GIPF]]])
def test_one_illegal_action_refuses_them_all(actions: list[object]) -> None:
    """One illegal action among several refuses them all."""
    with refused(Why.ILLEGAL):
        perform(game(), ANN.user, actions)  # type: ignore[arg-type]


def test_faq_5_once_pushed_the_move_stands() -> None:
    """R3.5: the bot does not care what lies on a dot. A push that was made cannot be replaced."""
    pushed = perform(game(CHOICE), ANN.user, [PUSHES["b1", "b2", Kind.BASIC]]).game
    with pytest.raises(IllegalTurn, match="You have pushed b1-b5"):
        read_typed_turn(pushed, ANN.user, "c2")
    with refused(Why.ILLEGAL):
        perform(pushed, ANN.user, [PUSHES["c1", "c2", Kind.BASIC]])
    assert read_typed_turn(pushed, ANN.user, "b1-b5;xb2,b3,b4")


def test_typed_faults_are_the_notations_own() -> None:
    """A text that cannot be read, or is not legal, raises an error of the notation."""
    with pytest.raises(ParseError):
        read_typed_turn(game(), ANN.user, "🙂")
    with pytest.raises(IllegalTurn):
        read_typed_turn(game(), ANN.user, "e2")


def test_no_action_changes_nothing() -> None:
    """A text that decides nothing leaves the very same game."""
    before = game()
    assert perform(before, ANN.user, []).game is before


def test_r6_5_either_player_may_resign_at_any_time() -> None:
    """It ends the game at once, also in the opponent's turn and within a draft."""
    ended = resign_game(game(), BOB.user)
    assert ended.position.result == Result(Colour.WHITE, Reason.RESIGN)
    assert (ended.status, ended.asked, ended.question) == (Status.OVER, None, None)
    half = perform(game(CHOICE), ANN.user, [PUSHES["b1", "b2", Kind.BASIC]]).game
    assert resign_game(half, ANN.user).draft == ()
    with refused(Why.OVER):
        resign_game(ended, ANN.user)
    with refused(Why.OVER):
        perform(ended, ANN.user, [E1])
    with refused(Why.NOT_A_PLAYER):
        resign_game(game(), EVE.user)


def test_a_game_is_cancelled_only_before_both_have_moved() -> None:
    """Either player may. After the second turn neither may."""
    once = typed(game(), ANN.user, "e1-e3")
    assert cancel_game(once, ANN.user).status is Status.CANCELLED
    assert cancel_game(once, BOB.user).position.result is None
    with refused(Why.NOT_A_PLAYER):
        cancel_game(once, EVE.user)
    with refused(Why.TOO_LATE_TO_CANCEL):
        cancel_game(typed(once, BOB.user, "e9-e7"), ANN.user)
    with refused(Why.OVER):
        cancel_game(cancel_game(once, ANN.user), BOB.user)


def test_r6_3_a_void_game_has_no_winner() -> None:
    """Nobody has lost, either."""
    ended = void_game(game())
    assert ended.position.result == Result(None, Reason.REPETITION)
    assert ended.status is Status.OVER


def test_r6_3_any_part_of_a_position_changes_its_hash() -> None:
    """Equal positions share a hash that lasts."""
    line = "tournament w W=Ge2 B=Ge8 reserve=16-16 captured=0-0 opening=wb"
    position = parse_position(line)
    others = [
        position._replace(mover=Colour.BLACK),
        position._replace(opening=(True, False)),
        position._replace(gipf=0),
        position._replace(reserve=(15, 16)),
    ]
    hashes = {position_hash(each) for each in [position, *others]}
    assert len(hashes) == 5
    assert position_hash(position) == position_hash(parse_position(line))
    assert position_hash(position) == position_hash(position._replace(result=Result(None, Reason.REPETITION)))


def test_r6_3_the_hash_of_a_position_never_changes() -> None:
    """Stored hashes of old turns are compared with new ones."""
    assert position_hash(start(STANDARD)) == "5ef545fd18dc821470330ce740654e9b"


@pytest.mark.parametrize("name", PRESETS)
def test_whole_games_equal_the_engine_action_by_action(name: str) -> None:
    """Played action by action, drafts included, a game reaches the engine's position."""
    rng = random.Random(name)
    for _ in range(20):
        playing, position = game(ruleset=PRESETS[name]), start(PRESETS[name])
        while playing.asked is not None:
            number, action = playing.turn_number, rng.choice(legal(playing.current))
            playing = perform(playing, playing.seats[playing.asked].user, [action], playing.version).game
            if playing.turn_number > number:
                assert playing.last
                assert position_after(position, parse_turn(position, playing.last.text)) == playing.position
                position = position_after(position, playing.last.actions)
            assert playing.position == position
        assert playing.status is Status.OVER
        assert playing.position.result


def test_a_game_is_a_value() -> None:
    """Playing does not change the game that was played from."""
    before = game(ruleset=STANDARD)
    copy = replace(before)
    perform(before, ANN.user, [E1])
    assert before == copy


def test_moment_rises_with_turns_takebacks_and_the_own_draft() -> None:
    """The version also rises when the other player begins their turn. The moment does not."""
    begun = game(CHOICE)
    pushed = go_on(begun, ANN.user, "b1b2")
    assert begun.moment_for(ANN.user) == Moment(0, 0, 0)
    at = pushed.moment_for(ANN.user)
    assert at
    assert at == Moment(0, 0, at.begun)
    assert at.begun
    assert start_turn_over(pushed, ANN.user).moment_for(ANN.user) == Moment(0, 0, 0)
    other = go_on(start_turn_over(pushed, ANN.user), ANN.user, "b6b5")
    assert len(other.draft) == len(pushed.draft)
    assert other.moment_for(ANN.user) != at
    assert pushed.version > begun.version
    assert pushed.moment_for(BOB.user) == pushed.moment_for(EVE.user) == Moment(0, 0, 0), "nobody sees it"
    played = typed(begun, ANN.user, "c2")
    assert played.last
    assert played.moment_for(ANN.user) == played.moment_for(BOB.user) == Moment(1, 0, 0)
    assert take_back(played, 1, [played.last.actions]).moment_for(ANN.user) == Moment(0, 1, 0)
    assert resign_game(played, ANN.user).moment_for(ANN.user) is None


def test_a_question_to_the_opponent_is_another_moment_for_both() -> None:
    """R8.4: the player who waits has seen what was pushed."""
    begun = game(ASKS, ASKS.rules)
    asked = typed(begun, ANN.user, "a4-b4;xe4,e5")
    assert asked.asked is Colour.BLACK
    moments = {each.moment_for(user) for each in (begun, asked) for user in (ANN.user, BOB.user)}
    at = asked.moment_for(ANN.user)
    assert at
    assert at.begun
    assert moments == {Moment(0, 0, 0), at}
