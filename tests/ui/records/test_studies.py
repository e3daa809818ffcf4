"""Studies: a record on a private message, stepped through, and turns tried from any place in it."""

from gipfbot.match.study import study_game
from gipfbot.notation import read_record
from gipfbot.rules import Kind
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.screens import BACK_ONE_TURN_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.records import study_texts
from tests.support.games import PLAYED
from tests.support.paths import GAMES
from tests.ui.studying import FIRST, LAST, NEXT, PREVIOUS, WALK, disabled, fill, imported, playing, studied
from tests.ui.table import Desk
from tests.ui.world import World, private

# ── Stepping ──


async def test_record_is_stepped_through_with_pictures(world: World) -> None:
    """Marks and comments are shown literally: they link nowhere and ping nobody."""
    desk = await imported(world)
    assert desk.text == "**Study 1** · A cup · Ann vs Bob · Standard\nThe start · the newest turn is Black's turn 3"
    assert desk.labels == WALK
    assert disabled(desk) == [FIRST, PREVIOUS]
    await desk.press(NEXT)
    assert "**1. White:** a2 → b2 · also written `a2-c2` · the newest turn is Black's turn 3" in desk.text
    assert desk.text.splitlines()[2] == "> “see \\[this\\]\\(https:\u200b//e.org\\) @\u200beveryone”"
    assert "White pushed a2 → b2" in desk.alt
    assert disabled(desk) == []
    await desk.press(NEXT)
    assert "**1. Black:** f1 → e2 · also written `f1-d2?!` · the newest turn is Black's turn 3" in desk.text
    assert "Black pushed f1 → e2" in desk.alt
    await desk.press(LAST)
    assert desk.text.splitlines()[1:] == [
        "**3. Black:** e1 → e2 · also written `e1-e3` · this is the newest turn",
        "The record ends here: **1-0**.",
    ]
    assert disabled(desk) == [NEXT, LAST]
    await desk.press(PREVIOUS)
    assert "**3. White:** b6 → b5 · also written `b6-b4;xb2,b3,Gb4,b5` · the newest turn is Black's turn 3" in desk.text
    assert "Removed GIPF-piece b4; basic pieces b2 b3 b5." in desk.alt
    await desk.press(FIRST)
    assert "The start" in desk.text


async def test_jump_leads_to_a_move_number(world: World) -> None:
    desk = await imported(world)
    for text, shown in (
        ("3", "**3. White:** b6 → b5"),
        ("2b", "**2. Black:** i5 → h5"),
        (" 1… ", "**1. Black:** f1"),
        ("2w", "**2. White:** b1"),
        ("0", "The start"),
    ):
        assert await fill(desk, study_texts.JUMP_LABEL, text) == ""
        assert shown in desk.text
    for text in ("4", "three", "-1"):
        assert await fill(desk, study_texts.JUMP_LABEL, text) == ""
        said = f"`{text}` isn't a turn of this record, which goes from `0` (the start) to `3b`. "
        assert desk.message.note.startswith(said)
        assert "The start · " in desk.text
    await desk.press(NEXT)
    assert "isn't a turn" not in desk.text


async def test_turns_are_numbered_from_blacks_first_turn(world: World) -> None:
    """A record that begins with Black's turn is numbered `1... 2. 2...`, also where turns are tried."""
    line = "standard b W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"
    desk = await imported(world, f'[Position "{line}"]\n1... d7! {{good}} 2. e1-e3 c6')
    assert "The start · the newest turn is Black's turn 2" in desk.text
    for number, shown in (
        ("1b", "**1. Black:** c7 → d7 · also written `d7!` · the newest turn is Black's turn 2\n> “good”"),
        ("2", "**2. White:** e1 → e2 · also written `e1-e3` · the newest turn is Black's turn 2"),
    ):
        assert await fill(desk, study_texts.JUMP_LABEL, number) == ""
        assert shown in desk.text
    await fill(desk, study_texts.JUMP_LABEL, "3")
    assert "which goes from `0` (the start) to `2b`." in desk.text
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert "Try a turn after White's turn 2" in desk.text
    await fill(desk, study_texts.TYPE_TURN_LABEL, "c2")
    assert "Line after White's turn 2: **2… c2**" in desk.text
    assert "⚠" not in desk.text
    await fill(desk, study_texts.TYPE_TURN_LABEL, "2. d2 (12)")
    warned, reserve = desk.message.note.splitlines()
    assert warned == "⚠ The text says move 2, but this is move 3."
    assert reserve.startswith("⚠ White has 10 in reserve after this turn")
    await desk.press(study_texts.BACK_TO_RECORD_LABEL)
    await desk.press(LAST)
    assert "**2. Black:** b6 → c6 · also written `c6` · this is the newest turn" in desk.text


async def test_study_is_shown_in_the_readers_notation(world: World) -> None:
    await world.ann.slash(world.channel, "gipf-me settings", notation="julio974")
    desk = await imported(world)
    await fill(desk, study_texts.JUMP_LABEL, "3")
    assert "**3. White:** b6 → b5 · also written `b6*XXb4`" in desk.text or "also written `b6Xb4`" in desk.text


# ── Trying ──


async def test_turns_tried_by_buttons_leave_the_record_alone(world: World) -> None:
    """Both sides move in turn, choices are asked as on the desk, and turns are taken back one by one."""
    desk = await imported(world)
    await fill(desk, study_texts.JUMP_LABEL, "2b")
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert "Try a turn after Black's turn 2: " in desk.text
    assert desk.text.endswith("Choose the dot for the new piece."), "nothing tried is final, before Push or after it"
    assert "White is to move." in desk.text
    assert "Black pushed i5 → h5" in desk.alt
    await desk.press("b6")
    await desk.push("b5")
    assert "**3 back to you**" in desk.text
    assert desk.labels == [
        "Leave b4 on the board",
        "Take b4",
        BACK_ONE_TURN_LABEL,
        study_texts.TYPE_TURN_LABEL,
        "Back to the record",
    ]
    await desk.press("Take b4")
    assert "Line after Black's turn 2: **3. b6-b4;xb2,b3,Gb4,b5** · Black is next" in desk.text
    assert "White pushed b6 → b5" in desk.alt
    await desk.press("b6")
    await desk.push("b5")
    assert "**3. b6-b4;xb2,b3,Gb4,b5 b5** · White is next" in desk.text
    await desk.press(BACK_ONE_TURN_LABEL)
    assert desk.text.splitlines()[1].endswith("Gb4,b5** · Black is next")
    await desk.press(study_texts.BACK_TO_RECORD_LABEL)
    assert "**2. Black:** i5 → h5 · also written `i5-g5`" in desk.text
    assert desk.labels == WALK
    await desk.press(NEXT)
    assert "**3. White:** b6 → b5 · also written `b6-b4" in desk.text


async def test_half_tried_turn_is_taken_back_first(world: World) -> None:
    desk = await imported(world)
    await fill(desk, study_texts.JUMP_LABEL, "2b")
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert await fill(desk, study_texts.TYPE_TURN_LABEL, "b6-b4") == ""
    assert desk_texts.PUSHED_TEXT in desk.text
    await desk.press(BACK_ONE_TURN_LABEL)
    assert "b6" in desk.labels
    assert BACK_ONE_TURN_LABEL not in desk.labels


async def test_turns_are_typed_in_either_notation(world: World) -> None:
    desk = await imported(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    await fill(desk, study_texts.TYPE_TURN_LABEL, "a2-c2")
    await fill(desk, study_texts.TYPE_TURN_LABEL, "f1*")
    assert "Line from the start: **1. a2-c2 f1-d2** · White is next" in desk.text
    before = desk.text
    assert await fill(desk, study_texts.TYPE_TURN_LABEL, "a2-c9") == ""
    assert "c9" in desk.message.note
    assert desk.text == f"{before}\n{desk.message.note}"
    assert desk.text.endswith("Nothing was tried.")
    await fill(desk, study_texts.TYPE_TURN_LABEL, "b1-b3")
    assert desk.text.startswith("**Study 1**")
    assert "Line from the start: **1. a2-c2 f1-d2 2. b1-b3** · Black is next" in desk.text


async def test_line_after_whites_turn_begins_with_blacks_number(world: World) -> None:
    desk = await imported(world)
    await desk.press(NEXT)
    await desk.press(study_texts.TRY_TURN_LABEL)
    for turn in PLAYED[1:4]:
        await fill(desk, study_texts.TYPE_TURN_LABEL, turn)
    assert "Line after White's turn 1: **1… f1-d2 2. b1-b3 i5-g5** · White is next" in desk.text


async def test_study_offers_only_the_pieces_that_can_be_brought_in(world: World) -> None:
    desk = await imported(world, "Tournament 1. Ge8 Gd8*")
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert "Choose the dot for the new GIPF-piece." in desk.text
    assert desk_texts.kind_label(Kind.BASIC) not in desk.labels


async def test_ambiguous_turn_is_not_tried(world: World) -> None:
    desk = await imported(world, "1. e1-e3 {a} b6", rules="basic")
    await desk.press(study_texts.TRY_TURN_LABEL)
    await fill(desk, study_texts.TYPE_TURN_LABEL, "e1-")
    assert "Nothing was tried." in desk.text
    assert "played" not in desk.text


async def test_nothing_is_tried_where_the_game_is_over(world: World) -> None:
    sheet = (GAMES / "tournament-21.txt").read_text()
    desk = await imported(world, sheet, rules="tournament")
    await desk.press(LAST)
    assert disabled(desk) == [NEXT, LAST, study_texts.TRY_TURN_LABEL]
    assert "won:" in desk.text
    await desk.press(PREVIOUS)
    await desk.press(study_texts.TRY_TURN_LABEL)
    last = study_game((await world.bot.app.studies.study(1, world.ann.id)).study).turn_number + 1
    await fill(desk, study_texts.TYPE_TURN_LABEL, read_record(sheet, "tournament").turns[last - 1].text)
    assert "won:" in desk.text
    assert desk.labels == [
        texts.EXPLORER_LABEL,
        BACK_ONE_TURN_LABEL,
        SHOW_HERE_LABEL,
        study_texts.BACK_TO_RECORD_LABEL,
    ]
    assert desk.options == []


# ── Of one's own games ──


async def test_game_is_studied_from_its_board(world: World) -> None:
    """It opens apart, at the newest turn, and is the same study when the game has gone on."""
    await playing(world, *PLAYED[:3])
    desk = await studied(world)
    assert desk.text.splitlines() == [
        "**Study 1** · #a1 · Ann vs Bob · Standard",
        "**2. White:** b1 → b2 · also written `b1-b3` · this is the newest turn",
    ]
    await world.bob.slash(world.channel, "move", notation=PLAYED[3])
    again = await studied(world)
    assert "Study 1**" in again.text
    assert "**2. Black:** i5 → h5 · also written `i5-g5` · this is the newest turn" in again.text
    assert again.message.id != desk.message.id
    await again.press(PREVIOUS)
    assert "**2. White:** b1 → b2 · also written `b1-b3` · the newest turn is Black's turn 2" in again.text
    assert (await world.game()).turn_number == 4


async def test_study_of_resigned_game_says_so_at_its_end(world: World) -> None:
    game_id = await playing(world, *PLAYED[:2])
    desk = await studied(world)
    await world.bot.app.games.resign(game_id, world.bob.id)
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", game="study 1"))
    assert desk.text.splitlines()[-1] == "Ann (White) won: Bob resigned."
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert desk.labels[-1] == "Back to the game"
    await desk.press(texts.BACK_TO_GAME_LABEL)
    await desk.press(PREVIOUS)
    assert "resigned" not in desk.text


async def test_study_shows_nothing_of_an_unfinished_turn(world: World) -> None:
    """It is hidden from both players, in text and picture."""
    await playing(world, *PLAYED[:4])
    before = await studied(world)
    shown = before.text, before.alt, before.labels
    await world.ann.slash(world.channel, "move", notation="b6-b4")
    assert (await world.game()).draft
    desk = await studied(world)
    assert (desk.text, desk.alt, desk.labels) == shown
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert "b6" in desk.labels
    board_of = private(await world.bob.slash(world.channel, "gipf board"))
    bobs = Desk(world.bob, await world.bob.click(board_of, label="Study"))
    assert bobs.text.replace("Study 2", "Study 1") == shown[0]
    assert bobs.alt == shown[1]


async def test_turn_tried_in_a_study_is_not_played(world: World) -> None:
    await playing(world, *PLAYED[:2])
    before = await world.stored()
    desk = await studied(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    await desk.press("b1")
    await desk.push("b2")
    assert "Line after Black's turn 1: **2. b1-b3**" in desk.text
    assert await world.stored() == before
