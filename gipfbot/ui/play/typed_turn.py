"""Play a typed turn. If the text leaves a choice open, play the turn up to that choice."""

import re
from collections.abc import Iterator, Sequence

from gipfbot.match import Game, Refused, Why, check_turn, read_typed_turn
from gipfbot.notation import Notation, NotationError, OpenTurn, ParseError, action_code, bare_dot_pushes, completions
from gipfbot.rules.pending import question
from gipfbot.rules.powers import POWERS
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.ui.board.public_board import move_button_label
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.presses import PLAY_VERB
from gipfbot.ui.desk.screens import Focus
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import LONGEST_CUSTOM_ID, Button, build_form, form_answers, text_field
from gipfbot.ui.kit.interactions import Reply, handles
from gipfbot.ui.kit.refusal_texts import TURNS_OFFERED, turn_error_text, typed_warnings_text, why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import notation_of, read_aside, show_reply, user_settings_of
from gipfbot.ui.kit.texts import join_lines
from gipfbot.values import StoredGame

from . import game_texts
from .back_to_list import open_desk_id
from .desk_view import desk_prefix, show_after_turn, show_desk, show_turn_to_confirm, type_turn_id

ACT_BEFORE_LISTS = re.compile(r"(?:[xX][^;]*;)*[^xX;]+(?=;x|X)")  # a turn before its last removals
_NAMED_PIECE = re.compile(rf"\s*[{''.join(POWERS)}][0-9]", re.IGNORECASE)
LONGEST_TYPED_TURN = 200  # characters; the longest legal turn has fewer


async def play_typed_turn(interaction: Interaction, game: int, text: str) -> None:
    """Play a typed turn. The desk asks about choices that the text leaves open.

    If the text is no legal turn, say why, with buttons that play turns which may be meant.
    """
    try:
        if not await _show_bare_dot(interaction, game, text):
            await _play_or_confirm(interaction, game, text)
    except NotationError as fault:
        note_refusal(interaction, fault)
        interaction.client.kept_texts.keep(interaction.user.id, type_turn_id(game), text)
        await _show_fault(interaction, await interaction.client.app.games.game(game), fault)
    else:
        interaction.client.kept_texts.forget(interaction.user.id, type_turn_id(game))


async def _show_bare_dot(interaction: Interaction, game: int, text: str) -> bool:
    """Open the desk at a typed dot that names two pushes. Return False, and do nothing, for any other text."""
    stored, notation = await interaction.client.app.games.game(game), await notation_of(interaction)
    check_turn(stored.game, interaction.user.id)
    for push in bare_dot_pushes(stored.game.current, text, notation)[:1]:
        await show_desk(interaction, stored, Focus(push.kind, push.dot), desk_texts.bare_dot_text(push.dot))
        return True
    return False


@handles("type_turn", "{game}", Reply.FORM)
async def press_type_turn(interaction: Interaction, game: int) -> None:
    """Open the form for a turn, filled with the text that was refused last."""
    kept = interaction.client.kept_texts.find(interaction.user.id, type_turn_id(game))
    field = text_field(
        "text",
        game_texts.TYPE_TURN_FIELD,
        placeholder=game_texts.TYPE_TURN_HINT,
        max_length=LONGEST_TYPED_TURN,
        default=kept,
    )
    title = f"{game_texts.TYPE_TURN_LABEL} · {game_name(game)}"
    await interaction.response.send_modal(build_form(title, f"type_turn_form:{game}", field))


@handles("type_turn_form", "{game}:.*")
async def submit_typed_turn(interaction: Interaction, game: int) -> None:
    """Play the turn that was typed into the form."""
    await play_typed_turn(interaction, game, form_answers(interaction)["text"].strip())


async def _show_fault(interaction: Interaction, stored: StoredGame, fault: NotationError) -> None:
    notation = await notation_of(interaction)
    if not stored.game.draft:  # the desk asks about the end; within a turn it did so already
        fault = fault.with_near(_without_ends(fault.near))
    turns = _turns_to_offer(stored.game, fault, notation)
    if _is_no_turn_at_all(fault) and turns:
        said = game_texts.not_a_turn_text(fault.text, turns)
    else:
        said = turn_error_text(fault)
    buttons = tuple(_turn_buttons(stored.game, interaction.user.id, turns, notation))
    rows = tuple(row for row in (buttons, (*_other_ways(stored.game), *why_buttons(fault))) if row)
    await show_reply(interaction, said, rows=rows, prefix=desk_prefix(stored.game, ""))


def _other_ways(game: Game) -> tuple[Button, ...]:
    """Return the buttons to type the turn again, and to play it by pressing."""
    return (
        Button(game_texts.TYPE_AGAIN_LABEL, type_turn_id(game.id), is_custom_id=True),
        Button(move_button_label(game), open_desk_id(game.id, ""), is_custom_id=True),
    )


def _turns_to_offer(game: Game, fault: NotationError, notation: Notation) -> list[str]:
    """Return at most two turns: those that the text may mean, or any two if it is not a turn at all."""
    meant = fault.choices if isinstance(fault, OpenTurn) else fault.near
    if _is_no_turn_at_all(fault):
        meant = tuple(found.text for found in completions(game.position, game.draft, "", TURNS_OFFERED, notation))
    return [*meant[:TURNS_OFFERED]]


def _without_ends(turns: Sequence[str]) -> tuple[str, ...]:
    """Return the turns. Those that differ only in what comes off after the act count as one, without its end.

    The desk then asks about the end.
    """
    cut = [found[0] if (found := ACT_BEFORE_LISTS.match(text)) else text for text in turns]
    return tuple(dict.fromkeys(act if cut.count(act) > 1 else text for act, text in zip(cut, turns, strict=True)))


def _is_no_turn_at_all(fault: NotationError) -> bool:
    """Return whether the text resembles no turn: it breaks before the end of a first point, and names no piece."""
    breaks = isinstance(fault, ParseError) and not fault.near and (fault.at or 0) < len("e2")
    return breaks and not _NAMED_PIECE.match(fault.text)


def _turn_buttons(game: Game, user: int, turns: Sequence[str], notation: Notation) -> Iterator[Button]:
    """Yield a button for each turn that one button can play."""
    for text in turns:
        try:
            actions = read_typed_turn(game, user, text, notation)
        except NotationError:  # a turn in the other notation, or one that still has two meanings
            continue
        action = f"{PLAY_VERB}:{';'.join(map(action_code, actions))}"
        if actions and len(desk_prefix(game, "") + action) <= LONGEST_CUSTOM_ID:
            yield Button(game_texts.play_turn_label(text), action)


async def _play_or_confirm(interaction: Interaction, game: int, text: str) -> None:
    """Play a typed turn, or show it.

    The turn is shown for confirmation first if the person has set that, or if the game would be lost on time.
    """
    settings = await user_settings_of(interaction)
    games, notation = interaction.client.app.games, notation_in_settings(settings)
    begun = (await games.game(game)).game
    await read_aside(interaction, read_typed_turn, begun, interaction.user.id, text, notation)
    if settings.get("confirm_typed"):
        await _show_typed_turn(interaction, game, text)
        return
    try:
        done = await games.play_typed(game, interaction.user.id, text, notation)
    except Refused as refusal:
        if refusal.why is not Why.LOSES_ON_TIME:
            raise
        await _show_typed_turn(interaction, game, text)
    else:
        asked = "" if done.turn else _open_question_note(done.game, text)
        await show_after_turn(interaction, done, join_lines(typed_warnings_text(done.game, done.turn, text), asked))


async def _show_typed_turn(interaction: Interaction, game: int, text: str) -> None:
    """Show the turn that a typed text means, and ask whether to play it.

    If the text leaves the first choice of the turn open, show the desk instead.
    """
    games, notation = interaction.client.app.games, await notation_of(interaction)
    stored, actions, after = await games.preview_typed(game, interaction.user.id, text, notation)
    if actions:
        note = typed_warnings_text(after.game, after.turn, text)
        await show_turn_to_confirm(interaction, stored, actions, after, text, note=note)
    else:
        await show_desk(interaction, stored, note=_open_question_note(stored.game, text))


def _open_question_note(game: Game, text: str) -> str:
    asked = question(game.current)
    return desk_texts.open_turn_text(text, asked) if asked else ""
