"""Studies: a record on a private message, stepped through, and turns of one's own tried from any place in it."""

from pathlib import Path

import discord
import pytest
from simcord.results import InteractionResult

from gipfbot.match.study import MOST_STUDIES, STUDY_LIFETIME, study_game
from gipfbot.notation import read_record
from gipfbot.store import Store
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.records import study_texts
from tests.standin.limits import modal_problems

from .table import Desk
from .world import World, components, counted, labels, options, private, told

PLAYED = ("a2-c2", "f1-d2", "b1-b3", "i5-g5", "b6-b4;xb2,b3,Gb4,b5", "e1-e3")
SHEET = """[Event "A cup"]
[White "Ann"]
[Black "Bob"]
[Rules "standard"]
1. a2-c2 {see [this](https://e.org) @everyone} f1-d2?! 2. b1-b3 i5-g5 3. b6-b4;xb2,b3,Gb4,b5 e1-e3 1-0"""
FIRST, PREVIOUS, NEXT, LAST = (
    study_texts.FIRST_TURN_LABEL,
    study_texts.PREVIOUS_TURN_LABEL,
    study_texts.NEXT_TURN_LABEL,
    study_texts.LAST_TURN_LABEL,
)
WALK = [FIRST, PREVIOUS, NEXT, LAST, study_texts.JUMP_LABEL, study_texts.TRY_TURN_LABEL]
DATA = Path(__file__).parent.parent / "data" / "records"


async def given(world: World, values: dict[str, object], **chosen: str) -> InteractionResult:
    """Put something into the form of /gipf import as Ann; return the answer."""
    opened = await world.ann.slash(world.channel, "gipf import", **chosen)
    return await world.ann.submit_modal(opened, values)


async def imported(world: World, text: str = SHEET, **chosen: str) -> Desk:
    """Return the study that Ann has made of a text."""
    return Desk(world.ann, await given(world, {"text": text}, **chosen))


async def fill(desk: Desk, label: str, text: str) -> str:
    """Fill in the form behind a button; return what is said about it beside the study, if anything."""
    answer = await desk.person.submit_modal(await desk.person.click(desk.message, label=label), {"text": text})
    assert answer.acknowledged
    return answer.followups[-1].content if answer.followups else ""


def off(desk: Desk) -> list[str]:
    """Return the buttons that cannot be pressed."""
    return [item["label"] for item in components(desk.message) if item.get("disabled")]


async def playing(world: World, *turns: str) -> int:
    """Return a game of Ann, White, and Bob in which these turns have been played."""
    id = await world.begin()
    for turn in turns:
        await world.player(await world.game(id)).slash(world.channel, "move", notation=turn)
    return id


async def studied(world: World, id: int = 1) -> Desk:
    """Return the study that Ann opens from the board of a game of hers."""
    shown = private(await world.ann.slash(world.channel, "gipf board", game=f"#{'abc'[id - 1]}1"))
    return Desk(world.ann, await world.ann.click(shown, label="Study"))


# ── Stepping ──


async def test_a_record_is_stepped_through_with_pictures(world: World) -> None:
    """Marks and comments are shown as they are: they link nowhere and ping nobody."""
    desk = await imported(world)
    assert desk.text == "**Study 1** · A cup · Ann vs Bob · Standard\nThe start, before move 1 of 3."
    assert desk.labels == WALK
    assert off(desk) == [FIRST, PREVIOUS]
    await desk.press(NEXT)
    assert "**1. a2-c2** (White) · move 1 of 3" in desk.text
    assert desk.text.splitlines()[2] == "> “see \\[this\\]\\(https:\u200b//e.org\\) @\u200beveryone”"
    assert "White pushed a2-c2" in desk.alt
    assert off(desk) == []
    await desk.press(NEXT)
    assert "**1… f1-d2?!** (Black) · move 1 of 3" in desk.text
    assert "Black pushed f1-d2" in desk.alt
    await desk.press(LAST)
    assert desk.text.splitlines()[1:] == ["**3… e1-e3** (Black) · move 3 of 3", "The record ends here: **1-0**."]
    assert off(desk) == [NEXT, LAST]
    await desk.press(PREVIOUS)
    assert "**3. b6-b4;xb2,b3,Gb4,b5** (White) · move 3 of 3" in desk.text
    assert "Removed GIPF-piece b4; basic pieces b2 b3 b5." in desk.alt
    await desk.press(FIRST)
    assert "The start" in desk.text


async def test_one_jumps_to_a_move_number(world: World) -> None:
    desk = await imported(world)
    for text, shown in (
        ("3", "**3. b6"),
        ("2b", "**2… i5"),
        (" 1… ", "**1… f1"),
        ("2w", "**2. b1"),
        ("0", "The start"),
    ):
        assert await fill(desk, study_texts.JUMP_LABEL, text) == ""
        assert shown in desk.text
    for text in ("4", "three", "-1"):
        assert await fill(desk, study_texts.JUMP_LABEL, text) == ""
        assert desk.text.startswith(f"`{text}` is no move of this record: it goes from `0`, the start, to `3b`. ")
        assert "The start, " in desk.text
    await desk.press(NEXT)
    assert "is no move" not in desk.text


async def test_it_is_shown_in_the_notation_that_one_reads(world: World) -> None:
    await world.ann.slash(world.channel, "gipf-me settings", notation="julio974")
    desk = await imported(world)
    await fill(desk, study_texts.JUMP_LABEL, "3")
    assert "**3. b6\\*XXb4**" in desk.text or "**3. b6XXb4**" in desk.text or "**3. b6Xb4**" in desk.text


# ── Trying ──


async def test_turns_are_tried_by_buttons_and_do_not_become_part_of_the_record(world: World) -> None:
    """Both sides' in turn; a choice is asked as on the desk; one by one they are taken back."""
    desk = await imported(world)
    await fill(desk, study_texts.JUMP_LABEL, "2b")
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert "Try a turn after move 2 (Black): " in desk.text
    assert desk.text.endswith("Choose the dot for your piece."), "nothing tried is final, before Push or after it"
    assert "White is to move." in desk.text
    assert "Black pushed i5-g5" in desk.alt
    await desk.choose("b6")
    await desk.press("Push b6→b4")
    assert "**3 back to you**" in desk.text
    assert desk.labels == [
        "1 b4: keep",
        "Done",
        study_texts.BACK_ONE_TURN_LABEL,
        study_texts.TYPE_TURN_LABEL,
        "Back to the record",
    ]
    await desk.press("1 b4: keep")
    await desk.press("Done")
    assert "Tried after move 2 (Black): **3. b6-b4;xb2,b3,Gb4,b5** · now Black" in desk.text
    assert "White pushed b6-b4" in desk.alt
    await desk.choose("b6")
    await desk.press("Push b6→b5")
    assert "**3. b6-b4;xb2,b3,Gb4,b5 b5** · now White" in desk.text
    await desk.press(study_texts.BACK_ONE_TURN_LABEL)
    assert desk.text.splitlines()[1].endswith("Gb4,b5** · now Black")
    await desk.press(study_texts.BACK_TO_RECORD_LABEL)
    assert "**2… i5-g5** (Black)" in desk.text
    assert desk.labels == WALK
    await desk.press(NEXT)
    assert "**3. b6-b4" in desk.text


async def test_a_turn_half_tried_is_taken_back_first(world: World) -> None:
    desk = await imported(world)
    await fill(desk, study_texts.JUMP_LABEL, "2b")
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert await fill(desk, study_texts.TYPE_TURN_LABEL, "b6-b4") == ""
    assert desk_texts.PUSHED_TEXT in desk.text
    await desk.press(study_texts.BACK_ONE_TURN_LABEL)
    assert "b6" in desk.options
    assert study_texts.BACK_ONE_TURN_LABEL not in desk.labels


async def test_turns_are_typed_in_either_notation(world: World) -> None:
    desk = await imported(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    await fill(desk, study_texts.TYPE_TURN_LABEL, "a2-c2")
    await fill(desk, study_texts.TYPE_TURN_LABEL, "f1*")
    assert "Tried from the start: **1. a2-c2 f1-d2** · now White" in desk.text
    before = desk.text
    assert await fill(desk, study_texts.TYPE_TURN_LABEL, "a2-c9") == ""
    assert "c9" in desk.text.partition("\n")[0]
    assert desk.text.endswith(f"Nothing was tried.\n{before}")
    await fill(desk, study_texts.TYPE_TURN_LABEL, "b1-b3")
    assert desk.text.startswith("**Study 1**")
    assert "Tried from the start: **1. a2-c2 f1-d2 2. b1-b3** · now Black" in desk.text


async def test_a_line_tried_after_whites_turn_begins_with_blacks_number(world: World) -> None:
    desk = await imported(world)
    await desk.press(NEXT)
    await desk.press(study_texts.TRY_TURN_LABEL)
    for turn in PLAYED[1:4]:
        await fill(desk, study_texts.TYPE_TURN_LABEL, turn)
    assert "Tried after move 1 (White): **1… f1-d2 2. b1-b3 i5-g5** · now White" in desk.text


async def test_a_piece_that_cannot_be_brought_in_is_said_on_the_study(world: World) -> None:
    desk = await imported(world, "Tournament 1. Ge8 Gd8*")
    await desk.press(study_texts.TRY_TURN_LABEL)
    await desk.press(desk_texts.BASIC_PIECE_LABEL)
    assert desk.text.startswith(desk_texts.GIPF_PIECE_REQUIRED)
    assert desk_texts.GIPF_PIECE_LABEL in desk.labels


async def test_a_turn_that_may_mean_two_things_is_not_tried(world: World) -> None:
    desk = await imported(world, "1. e1-e3 {a} b6", rules="basic")
    await desk.press(study_texts.TRY_TURN_LABEL)
    await fill(desk, study_texts.TYPE_TURN_LABEL, "e1-")
    assert "Nothing was tried." in desk.text
    assert "played" not in desk.text


async def test_where_the_game_is_over_nothing_is_tried(world: World) -> None:
    sheet = (DATA.parent / "games" / "tournament-21.txt").read_text()
    desk = await imported(world, sheet, rules="tournament")
    await desk.press(LAST)
    assert off(desk) == [NEXT, LAST, study_texts.TRY_TURN_LABEL]
    assert "won:" in desk.text
    await desk.press(PREVIOUS)
    await desk.press(study_texts.TRY_TURN_LABEL)
    last = study_game((await world.bot.app.studies.study(1, world.ann.id)).study).turn_number + 1
    await fill(desk, study_texts.TYPE_TURN_LABEL, read_record(sheet, "tournament").turns[last - 1].text)
    assert "won:" in desk.text
    assert desk.labels == [study_texts.BACK_ONE_TURN_LABEL, study_texts.BACK_TO_RECORD_LABEL]
    assert desk.options == []


# ── What is put into the form ──


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
async def test_a_record_comes_as_a_file(world: World, start: bytes) -> None:
    desk = Desk(world.ann, await given(world, {"file": ("a.gipf", start + SHEET.encode())}))
    assert "A cup · Ann vs Bob · Standard\nThe start, before move 1 of 3." in desk.text
    assert len(desk.message.attachments) == 1


async def test_line_breaks_of_a_pasted_text_are_blanks(world: World) -> None:
    desk = await imported(world, "1. a2-c2\nf1-d2 2.\nb1-b3", rules="standard")
    assert "before move 1 of 2" in desk.text


FAULTS = {
    "neither": ({"text": "  \n"}, study_texts.NO_FILE_NOR_TEXT),
    "a file too big": ({"file": ("a.gipf", b" " * (64 * 1024 + 1))}, study_texts.FILE_TOO_BIG),
    "a file that cannot be fetched": ({"file": ("a.gipf", SHEET.encode())}, study_texts.NOT_FETCHED),
}


@pytest.mark.parametrize(("values", "sentence"), FAULTS.values(), ids=FAULTS)
async def test_what_cannot_be_used_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, values: dict[str, object], sentence: str
) -> None:
    """A file that is too big is not even fetched."""
    monkeypatch.setattr(world.env.backend.cdn, "get", lambda url: None)
    assert told(await given(world, values)) == sentence
    assert await counted(world, "studies") == 0


async def test_the_same_record_twice_is_one(world: World) -> None:
    desk = Desk(world.ann, await given(world, {"text": SHEET, "file": ("a.gipf", b"\xef\xbb\xbf" + SHEET.encode())}))
    assert "before move 1 of 3" in desk.text


LOST = {
    "a file that says something else": ("1. e1-e3", ("a.gipf", SHEET.encode()), study_texts.FILE_AND_TEXT_DIFFER),
    "a file that is none": ("1. e1-e3", ("a.gipf", b"\xff"), study_texts.NOT_UTF8),
    "a text that is no record": ("1. e1-e3 {and so on", None, "} at the end of the comment"),
    "a text without a good turn": ("1. e4 é", None, study_texts.NOTHING_IMPORTED),
}


@pytest.mark.parametrize(("text", "file", "sentence"), LOST.values(), ids=LOST)
async def test_what_was_pasted_and_not_imported_is_given_back(
    world: World, text: str, file: tuple[str, bytes] | None, sentence: str
) -> None:
    shown = private(await given(world, {"text": text, **({"file": file} if file else {})}))
    assert sentence in shown.content.replace("\\", "")
    assert shown.content.endswith(study_texts.PASTED_TEXT_RETURNED)
    assert (await shown.attachments[0].read()).decode() == text
    assert await counted(world, "studies") == 0


TEXTS = {
    "not UTF-8": (b"1. a2-c2 \xff", study_texts.NOT_UTF8),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", study_texts.NOT_UTF8),
    "empty": (b"", study_texts.FILE_EMPTY),
    "only blanks": (b"\xef\xbb\xbf \n\t", study_texts.FILE_EMPTY),
    "no turns": (b'[White "Ann"]', study_texts.NO_TURNS_TO_STUDY),
    "a comment without an end": (b"1. a2-c2 {and so on", "} at the end of the comment"),
    "no rule set of ours": (b'[Rules "chess"]\n1. e4', "a rule set (basic, standard, tournament)"),
    "no turn that is good": (b'[Rules "basic"]\n1. e4 e5', "The record stops at **1.** `e4` (White): "),
    "a link": (b"1. [x](https://e.org)", "a header such as"),
    "too many turns": (b"e2 " * 2001, "2,000 turns"),
}


@pytest.mark.parametrize(("content", "sentence"), TEXTS.values(), ids=TEXTS)
async def test_what_is_no_record_is_told(world: World, content: bytes, sentence: str) -> None:
    shown = private(await given(world, {"file": ("a.gipf", content)}))
    assert sentence in shown.content.replace("\\", "")
    assert "](" not in shown.content.partition("```")[0]
    assert labels(shown) == []
    assert shown.attachments == []
    assert await counted(world, "studies") == 0


async def test_of_a_record_without_a_good_turn_nothing_else_is_said(world: World) -> None:
    """Nothing was played by any rule set, so that none was named does not matter."""
    shown = private(await given(world, {"file": ("a.gipf", b"1. e4")}))
    assert shown.content.endswith(study_texts.NOTHING_IMPORTED)
    assert "rule set" not in shown.content


async def test_the_forms_own_example_can_be_imported(world: World) -> None:
    desk = await imported(world, study_texts.TEXT_HINT.removesuffix(" …"))
    assert desk.text == "**Study 1** · Tournament\nThe start, before move 1 of 2."


async def test_of_a_record_that_breaks_the_good_part_is_kept(world: World) -> None:
    """The article's own example, as it was printed: what is told says where it stops, why, and what would mend it."""
    text = (DATA / "article-printed.gipf").read_text()
    desk = await imported(world, text)
    assert desk.text.startswith("Imported: 36 turns, up to where the record breaks.")
    assert "**18… a3-e7** (Black) · move 18 of 18" in desk.text
    for said in (
        "The record stops at **19.** `h6*Xc4` (White): ",
        "Replacing **18.** `h6` by `h6*` makes the rest fit.",
    ):
        assert said in desk.text
    assert "1-0" not in desk.text
    told_there = desk.text.splitlines()[-1]
    assert len(desk.text) <= 2000
    await desk.press(PREVIOUS)
    assert "The record stops" not in desk.text
    await desk.press(LAST)
    assert desk.text.splitlines()[-1] == told_there


ENDS = {
    "over": ((DATA.parent / "games" / "tournament-21.txt").read_text().replace(" 1-0", " e2"), "tournament", "won: "),
    "open": ("1. a2-c2 f1-d2 2. b1-b3 i5-g5 3. b6-b4", "standard", "Write one of: `"),
    "far too long": (f"1. a2-c2 `{'x' * 800}", "standard", "I expected"),
}


@pytest.mark.parametrize(("text", "rules", "said"), ENDS.values(), ids=ENDS)
async def test_why_a_record_goes_no_further_is_always_told(world: World, text: str, rules: str, said: str) -> None:
    """What it quotes breaks out of nothing."""
    desk = await imported(world, text, rules=rules)
    assert "The record stops at **" in desk.text
    assert said in desk.text
    assert desk.text.replace("\\`", "").count("`") % 2 == 0
    assert len(desk.text) < 1000


async def test_a_text_that_fills_the_field_may_have_been_cut(world: World) -> None:
    text = f"{SHEET.partition(' 1-0')[0]} {{"
    desk = await imported(world, f"{text}{'a' * (3999 - len(text))}}}")
    assert desk.text.startswith(study_texts.MAY_BE_CUT)
    assert desk.text.count("a" * 100) <= 1
    assert len(desk.text) <= 2000


async def test_forms_open_without_a_query(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await imported(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    monkeypatch.delattr(Store, "reading")
    monkeypatch.delattr(Store, "transaction")
    assert (await world.ann.slash(world.channel, "gipf import")).modal
    assert (await world.ann.click(desk.message, label=study_texts.TYPE_TURN_LABEL)).modal
    monkeypatch.undo()


async def test_each_form_has_a_name_of_its_own(world: World) -> None:
    """Else what one person fills in could be taken for another's."""
    forms = [(await who.slash(world.channel, "gipf import")).modal for who in (world.ann, world.bob)]
    assert len({form["custom_id"] for form in forms if form}) == 2


async def test_forms_keep_to_the_limits_of_discord(world: World) -> None:
    desk = await imported(world)
    opened = [await world.ann.slash(world.channel, "gipf import", rules="tournament")]
    opened.append(await world.ann.click(desk.message, label=study_texts.JUMP_LABEL))
    await desk.press(study_texts.TRY_TURN_LABEL)
    opened.append(await world.ann.click(desk.message, label=study_texts.TYPE_TURN_LABEL))
    for form in opened:
        assert form.modal
        assert modal_problems(form.modal) == []


async def test_whatever_a_record_says_fits_into_a_message(world: World) -> None:
    long = "*_" * 400
    sheet = f'[Event "{long}"]\n[White "{long}"]\n[Black "{long}"]\n{{{long}}} 1. a2-c2 {{{long}}} f1-d2 {{{long}}} e5'
    for _ in range(MOST_STUDIES):
        await world.bot.app.studies.add_study(world.ann.id, read_record(sheet, "standard"))
    desk = Desk(world.ann, await given(world, {"file": ("a.gipf", sheet.encode())}, rules="standard"))
    assert "The record stops at **2.** `e5` (White): " in desk.text
    assert "made room" in desk.text
    assert 1000 < len(desk.text) <= 2000


async def test_two_who_fill_in_at_once_get_their_own(world: World) -> None:
    forms = [await who.slash(world.channel, "gipf import") for who in (world.ann, world.bob)]
    for who, opened, text in zip((world.ann, world.bob), forms, ("a2-c2", "b1-b3"), strict=True):
        desk = Desk(who, await who.submit_modal(opened, {"text": text}))
        await desk.press(NEXT)
        assert f"**1. {text}**" in desk.text


# ── Of one's own games ──


async def test_a_game_is_studied_from_its_board(world: World) -> None:
    """On a message of its own, at the newest turn; the same study again when the game has gone on."""
    await playing(world, *PLAYED[:3])
    desk = await studied(world)
    assert desk.text.splitlines() == [
        "**Study 1** · #a1 · Ann vs Bob · Standard",
        "**2. b1-b3** (White) · move 2 of 2",
        "This is the newest turn.",
    ]
    await world.bob.slash(world.channel, "move", notation=PLAYED[3])
    again = await studied(world)
    assert "Study 1**" in again.text
    assert "**2… i5-g5** (Black) · move 2 of 2" in again.text
    assert again.message.id != desk.message.id
    await again.press(PREVIOUS)
    assert "**2. b1-b3** (White) · move 2 of 2" in again.text
    assert (await world.game()).turn_number == 4


async def test_a_study_of_a_game_that_was_resigned_says_so_at_its_end(world: World) -> None:
    id = await playing(world, *PLAYED[:2])
    desk = await studied(world)
    await world.bot.app.games.resign(id, world.bob.id)
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", game="study 1"))
    assert desk.text.splitlines()[-1] == "Ann (White) won: Bob resigned."
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert desk.labels[-1] == "Back to the game"
    await desk.press(study_texts.BACK_TO_GAME_LABEL)
    await desk.press(PREVIOUS)
    assert "resigned" not in desk.text


async def test_a_study_shows_nothing_of_a_turn_half_done(world: World) -> None:
    """Neither to the opponent nor, in what is said and drawn, to the player himself."""
    await playing(world, *PLAYED[:4])
    before = await studied(world)
    shown = before.text, before.alt, before.labels
    await world.ann.slash(world.channel, "move", notation="b6-b4")
    assert (await world.game()).draft
    desk = await studied(world)
    assert (desk.text, desk.alt, desk.labels) == shown
    await desk.press(study_texts.TRY_TURN_LABEL)
    assert "b6" in desk.options
    board_of = private(await world.bob.slash(world.channel, "gipf board"))
    bobs = Desk(world.bob, await world.bob.click(board_of, label="Study"))
    assert bobs.text.replace("Study 2", "Study 1") == shown[0]
    assert bobs.alt == shown[1]


async def test_what_is_tried_in_a_study_is_not_played(world: World) -> None:
    await playing(world, *PLAYED[:2])
    before = await world.stored()
    desk = await studied(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    await desk.choose("b1")
    await desk.press("Push b1→b3")
    assert "Tried after move 1 (Black): **2. b1-b3**" in desk.text
    assert await world.stored() == before


# ── Where they are found again ──


async def test_a_study_is_reopened_by_its_name(world: World) -> None:
    """Where he stood, with what he tried; the list is offered while he types."""
    await playing(world, *PLAYED[:1])
    desk = await imported(world)
    await desk.press(LAST)
    await studied(world)
    choices = await world.ann.autocomplete(world.channel, "gipf board", "game", "")
    assert [choice["name"] for choice in choices] == [
        "#a1 vs Bob",
        "study 2 · #a1 · Ann vs Bob",
        "study 1 · A cup · Ann vs Bob · Standard, 6 turns",
    ]
    (choice,) = await world.ann.autocomplete(world.channel, "gipf board", "game", "cup")
    again = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", game=choice["value"]))
    assert again.text == desk.text
    assert "**1. a2-c2** (White) · move 1 of 1" in told(await world.ann.user.slash("gipf board", game="Study 2"))
    await world.bob.slash(world.channel, "move", notation=PLAYED[1])
    assert "**1… f1-d2** (Black)" in told(await world.ann.slash(world.channel, "gipf board", game="study 2"))


async def test_studies_without_names_are_told_apart_by_their_rules_and_length(world: World) -> None:
    await imported(world, "1. a2-c2", rules="standard")
    await imported(world, "1. e1-e3 g2", rules="basic")
    shown = private(await world.ann.slash(world.channel, "gipf board"))
    assert [*options(shown)] == ["study 2 · Basic, 2 turns", "study 1 · Standard, 1 turn"]


async def test_the_list_of_games_names_ones_studies(world: World) -> None:
    """Three of them; who has a running game would else never be told of them."""
    await playing(world)
    listed = told(await world.ann.slash(world.channel, "gipf games"))
    assert "Studies" not in listed
    for _ in range(5):
        await imported(world)
    listed = told(await world.ann.slash(world.channel, "gipf games")).splitlines()[-1]
    shown = [f"study {id} · A cup · Ann vs Bob · Standard, 6 turns" for id in (5, 4, 3)]
    assert listed == f"**Studies**: {'; '.join(shown)} and 2 more. **/gipf board game:study 5** opens the first."
    assert "Studies" not in told(await world.bob.slash(world.channel, "gipf games"))


async def test_who_has_no_running_game_is_offered_his_studies(world: World) -> None:
    await imported(world)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    assert shown.text == study_texts.WHICH_STUDY
    await shown.choose("study 1 · A cup · Ann vs Bob · Standard, 6 turns")
    assert "The start, before move 1 of 3." in shown.text
    await playing(world)
    assert "**#a1**" in told(await world.ann.slash(world.channel, "gipf board"))
    assert options(private(await world.bob.slash(world.channel, "gipf board"))) == {}


@pytest.mark.parametrize("name", ["study 1", "study 99", "STUDY 1"])
async def test_the_study_of_another_person_is_none(world: World, name: str) -> None:
    await imported(world)
    shown = private(await world.bob.slash(world.channel, "gipf board", game=name))
    assert "There is no such study" in shown.content
    assert shown.attachments == []


async def test_every_button_and_form_works_after_a_restart(world: World) -> None:
    desk = await imported(world)
    await world.restart()
    await desk.press(NEXT)
    assert "**1. a2-c2**" in desk.text
    opened = await world.ann.click(desk.message, label=study_texts.JUMP_LABEL)
    await world.restart()
    await world.ann.submit_modal(opened, {"text": "2b"})
    assert "**2… i5-g5**" in desk.text
    await desk.press(study_texts.TRY_TURN_LABEL)
    await world.restart()
    await desk.choose("b6")
    await world.restart()
    await desk.press("Push b6→b4")
    await world.restart()
    await desk.press("Done")
    assert "**3. b6-b4;xb2,b3,b5** · now Black" in desk.text
    opened = await world.ann.slash(world.channel, "gipf import")
    await world.restart()
    assert "before move 1 of 3" in told(await world.ann.submit_modal(opened, {"file": ("a", SHEET.encode())}))


async def test_what_was_drawn_before_shows_the_study_as_it_stands(world: World) -> None:
    """Also the form that was opened before: what was typed into it is told back."""
    desk = await imported(world)
    again = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    await again.choose("study 1 · A cup · Ann vs Bob · Standard, 6 turns")
    opened = await world.ann.click(desk.message, label=study_texts.JUMP_LABEL)
    await again.press(LAST)
    for label in (NEXT, study_texts.TRY_TURN_LABEL, study_texts.JUMP_LABEL):
        assert label in desk.labels
    await world.ann.submit_modal(opened, {"text": "2`b"})
    assert desk.text.splitlines()[:2] == [study_texts.STUDY_MOVED_ON, "`2 b` was not tried."]
    await again.press(FIRST)
    await desk.press(PREVIOUS)
    assert desk.text.startswith(study_texts.STUDY_MOVED_ON)
    assert "The start" in desk.text
    await desk.press(NEXT)
    assert "**1. a2-c2**" in desk.text


async def forged(world: World, custom_id: str) -> discord.Message:
    """Return a public message with a button, or a select, of this name."""
    view = discord.ui.View(timeout=None)
    if ":dot:" in custom_id:
        view.add_item(discord.ui.Select(custom_id=custom_id, options=[discord.SelectOption(label="a1")]))
    else:
        view.add_item(discord.ui.Button(custom_id=custom_id, label="Forged"))
    await world.bot.get_partial_messageable(world.channel.id).send("forged", view=view)
    await world.env.settle()
    return world.channel.history()[-1]


async def pressed(world: World, custom_id: str) -> InteractionResult:
    """Return the answer when Bob presses a button of this name."""
    message = await forged(world, custom_id)
    if ":dot:" in custom_id:
        return await world.bob.select(message, ["a1"])
    return await world.bob.click(message, label="Forged")


@pytest.mark.parametrize(
    "custom_id",
    ["study:1:0:next:-", "study:1:0:try:-", "study:1:0:keep:-", "study:1:7:next:-", "study:1:0:dot:-"],
)
async def test_nobody_presses_another_persons_study(world: World, custom_id: str) -> None:
    await imported(world)
    assert "There is no such study" in told(await pressed(world, custom_id))
    assert (await world.bot.app.studies.study(1, world.ann.id)).study.version == 0


@pytest.mark.parametrize("verb", ["jump", "type"])
async def test_nobody_fills_in_the_form_of_another_persons_study(world: World, verb: str) -> None:
    """The form opens for anybody, as it asks nothing; what is typed into it comes to nothing."""
    await imported(world)
    opened = await pressed(world, f"open_study_form:1:0:{verb}")
    assert "There is no such study" in told(await world.bob.submit_modal(opened, {"text": "1"}))
    assert (await world.bot.app.studies.study(1, world.ann.id)).study.version == 0


@pytest.mark.parametrize("custom_id", ["study:1:next", "study:1:0:next", "study_game:one", "record:x", "record:1:2"])
async def test_a_button_of_another_version_of_the_bot_is_answered(world: World, custom_id: str) -> None:
    assert told(await pressed(world, custom_id)) == texts.UNKNOWN_BUTTON


@pytest.mark.parametrize("custom_id", ["no_form:1:00", "import_record:00", "study_form:1:0:fly:00"])
async def test_a_form_of_another_version_of_the_bot_is_answered(world: World, custom_id: str) -> None:
    opened = await world.ann.slash(world.channel, "gipf import")
    form = opened._interaction.modal
    assert form
    form["custom_id"] = custom_id
    assert told(await world.ann.submit_modal(opened, {"text": SHEET})) == texts.UNKNOWN_BUTTON
    assert await counted(world, "studies") == 0


async def test_nobody_studies_the_game_of_others(world: World) -> None:
    await world.begin()
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert labels(shown) == []
    message = await forged(world, "study_game:1")
    assert told(await world.cara.click(message, label="Forged")) == texts.NOT_YOUR_GAME
    assert await counted(world, "studies") == 0


async def test_a_study_goes_when_it_was_not_touched_for_thirty_days(world: World) -> None:
    """The bot looks round by itself; until then nobody gets at it either."""
    left, touched = await imported(world), await imported(world)
    begun = world.bot.app.now()
    world.bot.app.studies.now = lambda: begun + STUDY_LIFETIME - 60
    await touched.press(NEXT)
    world.bot.app.studies.now = lambda: begun + STUDY_LIFETIME
    answer = await world.ann.click(left.message, label=NEXT)
    assert "There is no such study, or no longer" in told(answer)
    assert await counted(world, "studies") == 2
    await world.env.advance_time(15)
    assert await counted(world, "studies") == 1
    await touched.press(NEXT)
    assert "**1… f1-d2?!**" in touched.text


async def test_the_oldest_makes_room_and_that_is_told(world: World) -> None:
    record = read_record(SHEET)
    for _ in range(MOST_STUDIES):
        await world.bot.app.studies.add_study(world.ann.id, record)
    desk = await imported(world)
    gone = "study 1 · A cup · Ann vs Bob · Standard, 6 turns"
    assert f"You can have {MOST_STUDIES} studies: {gone}, untouched for longest, made room" in desk.text
    assert await counted(world, "studies") == MOST_STUDIES
