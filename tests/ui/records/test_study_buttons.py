"""Studies are found again by their names, by old messages, and after a restart, but never by others."""

from dataclasses import replace

import pytest
from simcord.results import InteractionResult

from gipfbot.match.study import MOST_STUDIES, STUDY_LIFETIME
from gipfbot.notation import read_record
from gipfbot.ui.kit import texts
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import conditionals
from tests.support.games import PLAYED
from tests.ui.forged import forger
from tests.ui.studying import FIRST, LAST, NEXT, PREVIOUS, SHEET, fill, imported, playing, studied
from tests.ui.table import Desk
from tests.ui.world import World, counted, options, private, told


async def test_study_is_reopened_by_its_name(world: World) -> None:
    """It opens where it was left. The list of studies is offered while the player types."""
    await playing(world, *PLAYED[:1])
    desk = await imported(world)
    await desk.press(LAST)
    await studied(world)
    choices = await world.ann.autocomplete(world.channel, "gipf board", "game", "")
    assert [choice["name"] for choice in choices] == [
        "#a1 vs Bob",
        "study 2 · #a1 · Ann vs Bob",
        "study 1 · A cup · Ann vs Bob · Standard, 3 turns",
    ]
    (choice,) = await world.ann.autocomplete(world.channel, "gipf board", "game", "cup")
    again = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", game=choice["value"]))
    assert again.text == desk.text
    assert "**1. White:** a2 → b2 · also written `a2-c2` · this is the newest turn" in told(
        await world.ann.user.slash("gipf board", game="Study 2")
    )
    await world.bob.slash(world.channel, "move", notation=PLAYED[1])
    assert "**1. Black:** f1 → e2 · also written `f1-d2`" in told(
        await world.ann.slash(world.channel, "gipf board", game="study 2")
    )


async def test_nameless_studies_are_told_apart_by_rules_and_length(world: World) -> None:
    await imported(world, "1. a2-c2", rules="standard")
    await imported(world, "1. e1-e3 g2", rules="basic")
    shown = private(await world.ann.slash(world.channel, "gipf board"))
    assert [*options(shown)] == ["study 2 · Basic, 1 turn", "study 1 · Standard, 1 turn"]


async def test_list_of_games_names_the_newest_studies(world: World) -> None:
    """Up to three are named; other commands offer studies only to players without running games."""
    await playing(world)
    listed = told(await world.ann.slash(world.channel, "gipf games"))
    assert "Studies" not in listed
    for _ in range(5):
        await imported(world)
    listed = told(await world.ann.slash(world.channel, "gipf games")).splitlines()[1]
    shown = [f"study {number} · A cup · Ann vs Bob · Standard, 3 turns" for number in (5, 4, 3)]
    assert listed == f"**Studies**: {'; '.join(shown)} and 2 more. **/gipf board game:study 5** opens the newest."
    assert "Studies" not in told(await world.bob.slash(world.channel, "gipf games"))


async def test_player_without_running_game_is_offered_their_studies(world: World) -> None:
    await imported(world)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    assert shown.text == study_texts.WHICH_STUDY
    await shown.choose("study 1 · A cup · Ann vs Bob · Standard, 3 turns")
    assert "The start · the newest turn is Black's turn 3" in shown.text
    await playing(world)
    assert "**#a1**" in told(await world.ann.slash(world.channel, "gipf board"))
    assert options(private(await world.bob.slash(world.channel, "gipf board"))) == {}


@pytest.mark.parametrize("name", ["study 1", "study 99", "STUDY 1"])
async def test_study_of_another_person_is_not_found(world: World, name: str) -> None:
    await imported(world)
    shown = private(await world.bob.slash(world.channel, "gipf board", game=name))
    assert "There is no such study" in shown.content
    assert shown.attachments == []


async def test_every_button_and_form_works_after_a_restart(world: World) -> None:
    desk = await imported(world)
    await world.restart()
    await desk.press(NEXT)
    assert "**1. White:** a2 → b2 · also written `a2-c2`" in desk.text
    opened = await world.ann.click(desk.message, label=study_texts.JUMP_LABEL)
    await world.restart()
    await world.ann.submit_modal(opened, {"text": "2b"})
    assert "**2. Black:** i5 → h5 · also written `i5-g5`" in desk.text
    await desk.press(study_texts.TRY_TURN_LABEL)
    await world.restart()
    await desk.press("b6")
    await world.restart()
    await desk.push("b5")
    await world.restart()
    await desk.press("Leave b4 on the board")
    assert "**3. b6-b4;xb2,b3,b5** · Black is next" in desk.text
    opened = await world.ann.slash(world.channel, "gipf import")
    await world.restart()
    assert "The start · the newest turn is Black's turn 3" in told(
        await world.ann.submit_modal(opened, {"file": ("a", SHEET.encode())})
    )


async def test_old_message_shows_the_current_study(world: World) -> None:
    """A form that was opened before does so too, and says back what was typed."""
    desk = await imported(world)
    again = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    await again.choose("study 1 · A cup · Ann vs Bob · Standard, 3 turns")
    opened = await world.ann.click(desk.message, label=study_texts.JUMP_LABEL)
    await again.press(LAST)
    for label in (NEXT, study_texts.TRY_TURN_LABEL, study_texts.JUMP_LABEL):
        assert label in desk.labels
    await world.ann.submit_modal(opened, {"text": "2`b"})
    assert desk.message.note.splitlines() == [study_texts.STUDY_MOVED_ON, "`2 b` was not tried."]
    await again.press(FIRST)
    await desk.press(PREVIOUS)
    assert desk.message.note == study_texts.STUDY_MOVED_ON
    assert "The start" in desk.text
    await desk.press(NEXT)
    assert "**1. White:** a2 → b2 · also written `a2-c2`" in desk.text


async def pressed(world: World, custom_id: str) -> InteractionResult:
    """Return the answer when Bob presses a button of this name, or chooses from a select."""
    bob = await forger(world, world.bob, world.channel)
    return await bob.send(custom_id, *(["a1"] if ":dot:" in custom_id else []))


@pytest.mark.parametrize(
    "custom_id",
    ["study:1:0:next:-", "study:1:0:try:-", "study:1:0:keep:-", "study:1:7:next:-", "study:1:0:dot:-"],
)
async def test_nobody_presses_another_persons_study(world: World, custom_id: str) -> None:
    await imported(world)
    assert "There is no such study" in told(await pressed(world, custom_id))
    assert (await world.bot.app.studies.study(1, world.ann.id)).study.version == 0


@pytest.mark.parametrize("verb", ["jump", "type"])
async def test_nobody_fills_in_another_persons_form(world: World, verb: str) -> None:
    """The form opens for anybody, as that takes no query. Its text changes nothing."""
    await imported(world)
    opened = await pressed(world, f"open_study_form:1:0:{verb}")
    assert "There is no such study" in told(await world.bob.submit_modal(opened, {"text": "1"}))
    assert (await world.bot.app.studies.study(1, world.ann.id)).study.version == 0


@pytest.mark.parametrize("custom_id", ["study:1:next", "study:1:0:next", "study_game:one", "record:x", "record:1:2"])
async def test_button_of_another_version_is_answered(world: World, custom_id: str) -> None:
    assert told(await pressed(world, custom_id)) == texts.UNKNOWN_BUTTON


@pytest.mark.parametrize("custom_id", ["no_form:1:00", "import_record:00", "study_form:1:0:fly:00"])
async def test_form_of_another_version_is_answered(world: World, custom_id: str) -> None:
    opened = await world.ann.slash(world.channel, "gipf import")
    form = opened._interaction.modal
    assert form
    form["custom_id"] = custom_id
    quoted = texts.you_wrote_text(SHEET)
    assert told(await world.ann.submit_modal(opened, {"text": SHEET})) == f"{texts.UNKNOWN_BUTTON}\n{quoted}"
    assert await counted(world, "studies") == 0


async def test_spectator_studies_a_game_that_they_see(world: World) -> None:
    """Their own turns lead to no conditional turns."""
    await playing(world, "e1-e3")
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    study = Desk(world.cara, await world.cara.click(shown, label="Study"))
    assert "**1. White:** e1 → e2 · also written `e1-e3` · this is the newest turn" in study.text
    await study.press(study_texts.TRY_TURN_LABEL)
    await fill(study, study_texts.TYPE_TURN_LABEL, "f1-d2")
    assert "Line after White's turn 1: **1… f1-d2**" in study.text
    assert conditionals.KEEP_CONDITIONALS_LABEL not in study.labels


async def test_study_untouched_for_thirty_days_is_deleted(world: World) -> None:
    """It cannot be opened even before the sweep deletes it."""
    left, touched = await imported(world), await imported(world)
    begun = world.bot.app.now()
    world.bot.app.studies.now = lambda: begun + STUDY_LIFETIME - 60
    await touched.press(NEXT)
    world.bot.app.studies.now = lambda: begun + STUDY_LIFETIME
    answer = await world.ann.click(left.message, label=NEXT)
    assert "There is no such study any more" in told(answer)
    assert await counted(world, "studies") == 2
    world.bot.app = replace(world.bot.app, now=world.bot.app.studies.now)
    await world.env.advance_time(15)
    assert await counted(world, "studies") == 1
    await touched.press(NEXT)
    assert "**1. Black:** f1 → e2 · also written `f1-d2?!`" in touched.text


async def test_oldest_study_makes_room_and_that_is_said(world: World) -> None:
    record = read_record(SHEET)
    for _ in range(MOST_STUDIES):
        await world.bot.app.studies.add_study(world.ann.id, record)
    desk = await imported(world)
    gone = "study 1 · A cup · Ann vs Bob · Standard, 3 turns"
    assert f"You can have {MOST_STUDIES} studies, so the least recently used was deleted: {gone}." in desk.text
    assert await counted(world, "studies") == MOST_STUDIES
