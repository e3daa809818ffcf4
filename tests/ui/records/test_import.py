"""/gipf import: what its form accepts, and what the answer reports."""

import json

import pytest
from sqlalchemy import update

from gipfbot.languages import load_language, speaking
from gipfbot.match.study import MOST_STUDIES
from gipfbot.notation import read_record
from gipfbot.store import Store
from gipfbot.store.broken_records import broken_data, read_broken
from gipfbot.store.study_tables import studies
from gipfbot.ui.kit.refusal_texts import RULE_LABEL, why_buttons
from gipfbot.ui.records import record_texts, study_texts
from gipfbot.ui.records.record_texts import broken_record_text
from tests.standin.limits import modal_problems
from tests.support.paths import GAMES, RECORDS
from tests.ui.locales import locales_sent
from tests.ui.studying import LAST, NEXT, PREVIOUS, SHEET, fill_import, imported
from tests.ui.table import Desk
from tests.ui.world import World, counted, labels, private, told


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
async def test_record_is_imported_from_a_file(world: World, start: bytes) -> None:
    desk = Desk(world.ann, await fill_import(world, {"file": ("a.gipf", start + SHEET.encode())}))
    assert "A cup · Ann vs Bob · Standard\nThe start · the newest turn is Black's turn 3" in desk.text
    assert len(desk.message.attachments) == 1


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le", "utf-16-be"])
async def test_a_file_in_an_old_encoding_is_imported(world: World, encoding: str) -> None:
    record = SHEET.replace("Bob", "Zoë")
    desk = Desk(world.ann, await fill_import(world, {"file": ("a.gipf", record.encode(encoding))}))
    assert "A cup · Ann vs Zoë · Standard\nThe start · the newest turn is Black's turn 3" in desk.text


async def test_line_breaks_of_pasted_text_are_blanks(world: World) -> None:
    desk = await imported(world, "1. a2-c2\nf1-d2 2.\nb1-b3", rules="standard")
    assert "The start · the newest turn is White's turn 2" in desk.text


async def test_a_position_line_opens_as_a_study(world: World) -> None:
    desk = await imported(world, "basic b W=e2 B=e8 reserve=14-14 captured=0-0", rules="standard")
    assert "Basic" in desk.text
    assert await counted(world, "studies") == 1


FAULTS = {
    "neither": ({"text": "  \n"}, record_texts.NO_FILE_NOR_TEXT),
    "a file too big": ({"file": ("a.gipf", b" " * (64 * 1024 + 1))}, record_texts.file_too_big_text()),
    "a file that cannot be fetched": ({"file": ("a.gipf", SHEET.encode())}, record_texts.NOT_FETCHED),
}


@pytest.mark.parametrize(("values", "sentence"), FAULTS.values(), ids=FAULTS)
async def test_missing_large_or_lost_file_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, values: dict[str, object], sentence: str
) -> None:
    """A file that is too large is not fetched."""
    monkeypatch.setattr(world.env.backend.cdn, "get", lambda url: None)
    assert told(await fill_import(world, values)) == sentence
    assert await counted(world, "studies") == 0


async def test_same_record_as_file_and_text_is_imported_once(world: World) -> None:
    desk = Desk(
        world.ann, await fill_import(world, {"text": SHEET, "file": ("a.gipf", b"\xef\xbb\xbf" + SHEET.encode())})
    )
    assert "The start · the newest turn is Black's turn 3" in desk.text


LOST = {
    "a file that says something else": ("1. e1-e3", ("a.gipf", SHEET.encode()), record_texts.FILE_AND_TEXT_DIFFER),
    "a file that is none": ("1. e1-e3", ("a.gipf", b"\xff\x01"), record_texts.NO_TEXT),
    "a text that is no record": ('[FEN "8/8"] 1. e1-e3', None, "a header [Position] in place of [FEN]"),
    "a text without a good turn": ("1. e4 é", None, record_texts.NOTHING_IMPORTED),
}


@pytest.mark.parametrize(("text", "file", "sentence"), LOST.values(), ids=LOST)
async def test_pasted_text_that_is_not_imported_comes_back(
    world: World, text: str, file: tuple[str, bytes] | None, sentence: str
) -> None:
    shown = private(await fill_import(world, {"text": text, **({"file": file} if file else {})}))
    assert sentence in shown.content.replace("\\", "")
    assert shown.content.endswith(record_texts.PASTED_TEXT_RETURNED)
    assert (await shown.attachments[0].read()).decode() == text
    assert await counted(world, "studies") == 0


@pytest.mark.parametrize("rules", ["", "tournament"])
async def test_refused_text_is_tried_again(world: World, rules: str) -> None:
    """The form opens with the text, for the same rules. What is imported then is not kept any longer."""
    options = {"rules": rules} if rules else {}
    shown = private(await fill_import(world, {"text": "1. e4 é"}, **options))
    form = await world.ann.click(shown, label=record_texts.TRY_AGAIN_LABEL)
    assert "'value': '1. e4 é'" in str(form.modal)
    assert "1. e4 é" not in str((await world.ann.slash(world.channel, "gipf import", **options)).modal)
    desk = Desk(world.ann, await world.ann.submit_modal(form, {"text": "1. Ge8" if rules else "Basic 1. c2"}))
    assert "**Study 1**" in desk.text
    empty = private(await fill_import(world, {"text": " "}, **options))
    assert "1. e4 é" not in str((await world.ann.click(empty, label=record_texts.TRY_AGAIN_LABEL)).modal)


TEXTS = {
    "neither text nor UTF-16": (b"\xff\xfe1", record_texts.NO_TEXT),
    "signs that no text has": (b"1. a2-c2 \xff\x01", record_texts.NO_TEXT),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", record_texts.NO_TEXT),
    "empty": (b"", record_texts.FILE_EMPTY),
    "only blanks": (b"\xef\xbb\xbf \n\t", record_texts.FILE_EMPTY),
    "no turns": (b'[White "Ann"]', record_texts.no_turns_text()),
    "no rule set of ours": (b'[Rules "chess"]\n1. e4', "a rule set (basic, standard, tournament, overboard)"),
    "no turn that is good": (
        b'[Rules "basic"]\n1. e4 e5',
        "The record stops at `e4`, written for **White's turn 1**. ",
    ),
    "a link": (b"1. [x](https://e.org)", "a turn such as"),
    "too many turns": (b"e2 " * 2001, "2,000 turns"),
}


@pytest.mark.parametrize(("content", "sentence"), TEXTS.values(), ids=TEXTS)
async def test_file_that_is_no_record_is_refused(world: World, content: bytes, sentence: str) -> None:
    shown = private(await fill_import(world, {"file": ("a.gipf", content)}))
    assert sentence in shown.content.replace("\\", "")
    assert "](" not in shown.content.partition("```")[0]
    assert [label for label in labels(shown) if label != RULE_LABEL] == [record_texts.TRY_AGAIN_LABEL]
    assert shown.attachments == []
    assert await counted(world, "studies") == 0


MISSING = "Basic 1. b4 d8-f7 2... e1-e3 3. c2"


async def test_a_missing_turn_is_said_to_be_missing(world: World) -> None:
    """No other turn is offered in place of one that is right."""
    desk = await imported(world, MISSING)
    assert "A turn of White is missing before 2… e1-e3." in desk.text
    assert "If you replace" not in desk.text
    assert "Legal turns like it" not in desk.text


async def test_warnings_name_no_rule_numbers(world: World) -> None:
    record = b'[Rules "basic"]\n[Result "1/2-1/2"]\n1. c2 d2 1/2-1/2'
    shown = private(await fill_import(world, {"file": ("a.gipf", record)}))
    assert "GIPF has no draws." in shown.content
    assert "(R" not in shown.content


async def test_record_without_legal_turn_gets_no_warnings(world: World) -> None:
    """A missing rule set does not matter if no turn is legal."""
    shown = private(await fill_import(world, {"file": ("a.gipf", b"1. e4")}))
    assert shown.content.endswith(record_texts.NOTHING_IMPORTED)
    assert "rule set" not in shown.content


async def test_example_of_the_form_can_be_imported(world: World) -> None:
    desk = await imported(world, record_texts.TEXT_HINT.removesuffix(" …"))
    assert desk.text == "**Study 1** · Tournament\nThe start · the newest turn is White's turn 2"


@pytest.mark.parametrize(("turns", "kept"), [("1... d7 2. e5", "Black's turn 1"), ("1... e5", "the start")])
async def test_broken_record_that_black_begins_is_numbered_from_black(world: World, turns: str, kept: str) -> None:
    line = "standard b W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"
    desk = await imported(world, f'[Position "{line}"]\n{turns}')
    assert f"\nImported up to {kept}: there the record breaks." in desk.text


async def test_good_part_of_a_broken_record_is_kept(world: World) -> None:
    """The example is the article's, misprint included. The report says where it stops, why, and what would mend it."""
    text = (RECORDS / "article-printed.gipf").read_text()
    desk = await imported(world, text)
    assert desk.message.note.startswith("Imported up to Black's turn 18: there the record breaks.")
    assert "**18. Black:** a3 → b4 · also written `a3-e7` · this is the newest turn" in desk.text
    for said in (
        "The record stops at `h6*Xc4`, written for **White's turn 19**. ",
        "If you replace `h6` (**White's turn 18**) with `h6*`, the rest can be read.",
    ):
        assert said in desk.text
    assert "1-0" not in desk.text
    told_there = desk.message.note.splitlines()[-1]
    assert len(desk.text) <= 2000
    await desk.press(PREVIOUS)
    assert "The record stops" not in desk.text
    await desk.press(LAST)
    assert desk.message.note == told_there


async def test_where_a_record_breaks_is_said_in_the_language_of_the_reader(world: World) -> None:
    """It was imported in English, and is read in German later. A study of before keeps its English sentence."""
    desk = await imported(world, (RECORDS / "article-printed.gipf").read_text())
    with locales_sent({world.ann.id: "de"}, {}):
        await desk.press(PREVIOUS)
        await desk.press(LAST)
    for said in (
        "Die Mitschrift bricht bei `h6*Xc4` ab (**Zug 19 von Weiß**). ",
        "Wenn du `h6` (**Zug 18 von Weiß**) durch `h6*` ersetzt, lässt sich der Rest lesen.",
    ):
        assert said in desk.message.note
    async with world.store.transaction() as db:
        await db.execute(update(studies).values(broken=None, fault="It stops there."))
    await desk.press(PREVIOUS)
    await desk.press(LAST)
    assert desk.message.note == "It stops there."


ENDS = {
    "over": ((GAMES / "tournament-21.txt").read_text().replace(" 1-0", " e2"), "tournament", "won: "),
    "open": ("1. a2-c2 f1-d2 2. b1-b3 i5-g5 3. b6-b4", "standard", "Write one of: `"),
    "far too long": (f"1. a2-c2 `{'x' * 800}", "standard", "Expected"),
}


@pytest.mark.parametrize(
    "text", [text for text, _, _ in ENDS.values()] + [MISSING, (RECORDS / "article-printed.gipf").read_text()]
)
def test_the_error_of_a_record_is_read_from_json_as_it_was(text: str) -> None:
    broken = read_record(text, "standard").broken
    assert broken
    read = read_broken(json.loads(json.dumps(broken_data(broken))))
    assert (str(read), broken_record_text(read)) == (str(broken), broken_record_text(broken))
    assert why_buttons(read) == why_buttons(broken)
    with speaking(load_language("de")):
        assert broken_record_text(read) == broken_record_text(broken)


@pytest.mark.parametrize(("text", "rules", "said"), ENDS.values(), ids=ENDS)
async def test_broken_record_always_says_why(world: World, text: str, rules: str, said: str) -> None:
    """Quoted turns do not break the code marks around them."""
    desk = await imported(world, text, rules=rules)
    assert "The record stops at " in desk.text
    assert said in desk.text
    assert desk.text.replace("\\`", "").count("`") % 2 == 0
    assert len(desk.text) < 1000


async def test_text_that_fills_the_field_may_be_cut(world: World) -> None:
    text = f"{SHEET.partition(' 1-0')[0]} {{"
    desk = await imported(world, f"{text}{'a' * (3999 - len(text))}}}")
    assert desk.message.note.startswith(record_texts.MAY_BE_CUT)
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


async def test_each_form_has_its_own_custom_id(world: World) -> None:
    """Discord keeps what was typed by `custom_id`: one person's text must not show up in another's form."""
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


async def test_longest_record_fits_into_a_message(world: World) -> None:
    long = "*_" * 400
    sheet = f'[Event "{long}"]\n[White "{long}"]\n[Black "{long}"]\n{{{long}}} 1. a2-c2 {{{long}}} f1-d2 {{{long}}} e5'
    for _ in range(MOST_STUDIES):
        await world.bot.app.studies.add_study(world.ann.id, read_record(sheet, "standard"))
    desk = Desk(world.ann, await fill_import(world, {"file": ("a.gipf", sheet.encode())}, rules="standard"))
    assert "The record stops at `e5`, written for **White's turn 2**. " in desk.text
    assert "least recently used" in desk.text
    assert 1000 < len(desk.text) <= 2000


async def test_two_who_import_at_once_get_their_own(world: World) -> None:
    forms = [await who.slash(world.channel, "gipf import") for who in (world.ann, world.bob)]
    for who, opened, text in zip((world.ann, world.bob), forms, ("a2-c2", "b1-b3"), strict=True):
        desk = Desk(who, await who.submit_modal(opened, {"text": text}))
        await desk.press(NEXT)
        assert f"also written `{text}`" in desk.text
