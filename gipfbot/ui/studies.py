"""Studies: a record on one private message, stepped through with buttons, and turns of one's own tried from any place.

Where somebody stands is in the database. As on the desk, what he has only looked at is in the `custom_id`s.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import discord

from gipfbot.match import Game
from gipfbot.match.study import MOST, Study, answer, back, board, go, leave, read, read_place
from gipfbot.notation import Notation, NotationError, turn_text
from gipfbot.rules import Kind, play
from gipfbot.rules.question import question
from gipfbot.service.boards import board_of
from gipfbot.service.studies import StoredStudy
from render import Picture

from . import condition_texts, fault_texts, study_texts, texts
from .conditions import keep_tried
from .desk import actions_of, focus_is_legal, focus_of
from .forms import answers, form, text_field
from .items import chosen_value, handles
from .pictures import board_picture
from .replies import Interaction, guarded, notation_of, show
from .screens import MOST_ROWS, NOTHING, Button, Focus, Row, Screen, first_push, screen

LONGEST_TURN = 200

# What the buttons that move about do.
STEPS: dict[str, Callable[[Study], Study]] = {
    "first": lambda study: go(study, 0),
    "prev": lambda study: go(study, study.place - 1),
    "next": lambda study: go(study, study.place + 1),
    "last": lambda study: go(study, len(study.turns)),
    "leave": leave,
    "undo": back,
}


# ── Showing ──


async def show_study(interaction: Interaction, stored: StoredStudy, focus: Focus | None = None, note: str = "") -> None:
    """Show a study as it stands; with a focus, or once something was tried, with what can be tried next."""
    notation, study = await notation_of(interaction), stored.study
    game = board(study)
    if focus is None and not study.trying:
        shown = _record(stored, game, notation)
    else:
        keep = await interaction.client.conditions.may_keep(stored)
        shown = _trying(stored, game, focus or NOTHING, notation, keep=keep)
    text = texts.join(note, study_texts.head(stored), shown.text)
    await show(interaction, text, shown.picture, shown.rows, f"y:{study.id}:{study.version}:")


def _record(stored: StoredStudy, game: Game, notation: Notation) -> Screen:
    study = stored.study
    start, end = study.place == 0, study.place == len(study.turns)
    steps = (
        Button(study_texts.FIRST, "first:-", off=start),
        Button(study_texts.PREVIOUS, "prev:-", off=start),
        Button(study_texts.NEXT, "next:-", "primary", off=end),
        Button(study_texts.LAST, "last:-", off=end),
    )
    others = (
        Button(study_texts.JUMP, "jump:-", off=not study.turns),
        Button(study_texts.TRY, "try:-", off=game.asked is None),
    )
    return Screen(study_texts.place(stored, game, notation), _picture(stored, game, notation), (steps, others))


def _picture(stored: StoredStudy, game: Game, notation: Notation) -> Picture:
    return board_picture(board_of(game), study_texts.caption(stored, game, notation))


def _trying(stored: StoredStudy, game: Game, focus: Focus, notation: Notation, *, keep: bool) -> Screen:
    """Return the desk for the next turn; as long as nothing of it is chosen, the picture marks the last one.

    With `keep` what was tried can be left as answers in the game.
    """
    said = study_texts.tried(stored, game, _texts(stored.study, notation))
    asked = game.question
    desk = screen(game, focus, notation, tried=True) if asked else Screen("", _picture(stored, game, notation))
    if asked and focus == NOTHING and not game.draft and asked.pushes and not asked.due:
        desk = replace(desk, picture=_picture(stored, game, notation))
    rows = (*desk.rows, *_ways(stored, game, keep))[:MOST_ROWS]
    return Screen(texts.join(said, desk.text), desk.picture, rows)


def _texts(study: Study, notation: Notation) -> list[str]:
    position, written = board(replace(study, tried=(), draft=())).position, []
    for actions in study.tried:
        written.append(turn_text(position, actions, notation))
        for action in actions:
            position = play(position, action)
    return written


def _ways(stored: StoredStudy, game: Game, keep: bool) -> tuple[Row, ...]:
    undo = (Button(study_texts.UNDO, "undo:-"),) if stored.study.trying else ()
    typed = (Button(study_texts.TYPE, "type:-"),) if game.asked is not None else ()
    kept = (Button(condition_texts.KEEP, "keep:-"),) if keep else ()
    return ((*undo, *typed, *kept, Button(study_texts.leave(stored), "leave:-")),)


# ── Pressing ──


@handles("y")
async def press_study(interaction: Interaction, rest: str) -> None:
    """A button of a study."""
    id, version, verb, what = rest.split(":", 3)

    async def work() -> None:
        stored = await _fresh(interaction, int(id), int(version))
        if stored is None:
            return
        if verb in FILL_IN:
            await interaction.response.send_modal(FILL_IN[verb](f"t:{id}:{version}:{verb}"))
            return
        if verb == "keep":
            await keep_tried(interaction, stored)
            return
        await interaction.response.defer()
        if verb in STEPS:
            now = await _changed(interaction, stored, STEPS[verb])
            await show_study(interaction, now, NOTHING if verb == "undo" else None)
        else:
            await _try(interaction, stored, verb, what)

    await guarded(interaction, work())


async def _fresh(interaction: Interaction, id: int, version: int, typed: str = "") -> StoredStudy | None:
    """Return the study; if it is not as it was drawn, show it as it stands and return None."""
    stored = await interaction.client.studies.study(id, interaction.user.id)
    if stored.study.version == version:
        return stored
    await interaction.response.defer()
    await show_study(interaction, stored, note=study_texts.stale_text(typed))
    return None


async def _changed(interaction: Interaction, stored: StoredStudy, change: Callable[[Study], Study]) -> StoredStudy:
    study = stored.study
    return await interaction.client.studies.change(study.id, interaction.user.id, study.version, change)


async def _try(interaction: Interaction, stored: StoredStudy, verb: str, what: str) -> None:
    game = board(stored.study)
    asked = game.question
    if asked is None:
        await show_study(interaction, stored)
    elif actions := actions_of(game, asked, verb, what):
        await show_study(interaction, await _changed(interaction, stored, partial(answer, actions=actions)), NOTHING)
    elif verb == "kind" and not focus_is_legal(asked, what):
        note = texts.TOO_FEW_FOR_GIPF if what == "G" else texts.BASIC_FIRST
        await show_study(interaction, stored, NOTHING, note)
    else:
        await show_study(interaction, stored, focus_of(verb, what))


@handles("z")
async def choose_dot(interaction: Interaction, rest: str) -> None:
    """A dot was chosen for a turn to be tried."""
    id, version, _, kind = rest.split(":")

    async def work() -> None:
        if stored := await _fresh(interaction, int(id), int(version)):
            await interaction.response.defer()
            asked, wanted = question(board(stored.study).current), Kind("" if kind == "-" else kind)
            push = asked and first_push(asked, chosen_value(interaction), wanted)
            await show_study(interaction, stored, Focus(kind=wanted, push=push))

    await guarded(interaction, work())


# ── Jumping and typing ──


def _jump_form(does: str) -> discord.ui.Modal:
    field = text_field("text", study_texts.JUMP_FIELD, study_texts.JUMP_HINT, max_length=10)
    return form(study_texts.JUMP_TITLE, does, field)


def _type_form(does: str) -> discord.ui.Modal:
    field = text_field("text", study_texts.TYPE_FIELD, placeholder=study_texts.TYPE_HINT, max_length=LONGEST_TURN)
    return form(study_texts.TYPE_TITLE, does, field)


FILL_IN = {"jump": _jump_form, "type": _type_form}


@handles("t")
async def fill_in(interaction: Interaction, rest: str) -> None:
    """What was typed in a form of a study: where to jump, or a turn to be tried."""
    id, version, verb, _ = rest.split(":")

    async def work() -> None:
        text = answers(interaction)["text"].strip()
        if stored := await _fresh(interaction, int(id), int(version), text):
            await interaction.response.defer()
            await (_jump if verb == "jump" else _type)(interaction, stored, text)

    await guarded(interaction, work())


async def _jump(interaction: Interaction, stored: StoredStudy, text: str) -> None:
    place, total = read_place(text), len(stored.study.turns)
    if place is None or place > total:
        await show_study(interaction, stored, note=study_texts.bad_place(text, total))
        return
    await show_study(interaction, await _changed(interaction, stored, lambda study: go(study, place)))


async def _type(interaction: Interaction, stored: StoredStudy, text: str) -> None:
    notation = await notation_of(interaction)
    try:
        now = await _changed(interaction, stored, lambda study: answer(study, read(study, text, notation)))
    except NotationError as fault:
        await show_study(interaction, stored, NOTHING, fault_texts.unreadable(fault, "tried"))
        return
    done = len(now.study.tried) > len(stored.study.tried)
    asked = question(board(now.study).current)
    await show_study(interaction, now, NOTHING, "" if done or not asked else texts.open_typed(text, asked))


# ── Where studies come from ──


@handles("v")
async def press_game(interaction: Interaction, rest: str) -> None:
    """The button that opens a player's study of his game, on a message of its own."""

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        stored, gone = await interaction.client.studies.of_game(int(rest), interaction.user.id)
        await show_study(interaction, stored, note=study_texts.made_room(gone, MOST))

    await guarded(interaction, work())


async def open_study(interaction: Interaction, id: int) -> None:
    """Show a study that is named."""
    await show_study(interaction, await interaction.client.studies.open(id, interaction.user.id))
