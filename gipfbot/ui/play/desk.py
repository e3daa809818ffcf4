"""The desk: playing a turn on one private message, whose every state is in its `custom_id`s."""

from collections.abc import Sequence

from gipfbot.match import Game, Performed, Refused, Status, Why, check_turn, loses_on_time, perform
from gipfbot.notation import ParseError, action_code, parse_action_code, turn_text
from gipfbot.rules import PASS, Action, Kind, Push, play
from gipfbot.rules.pending import Question, question
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.game_update import GameUpdate
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.store import GameBrief, StoredGame
from gipfbot.ui.board import board_texts
from gipfbot.ui.board.game_view import board_url, game_picture
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, chosen_removal, desk_screen, first_push
from gipfbot.ui.kit import refusal_texts, text_parts, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import LONGEST_CUSTOM_ID, chosen_value, handles_kind
from gipfbot.ui.kit.respond import (
    notation_of,
    run_guarded,
    show_reply,
    tell_privately,
    user_settings_of,
)
from gipfbot.ui.kit.widgets import Button, ComponentRow
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import conditional_texts
from gipfbot.ui.requests.conditionals import discarded_note, if_button

from . import game_list_texts
from .back_to_list import with_back_button

MOST_NEXT_GAMES = 1
PLAY_VERB, PLAY_ANYWAY_VERB = (
    "play",
    "anyway",
)  # what plays a turn that was shown before; only the second one that loses the game


async def show_desk(interaction: Interaction, stored: StoredGame, focus: Focus = NO_FOCUS, note: str = "") -> None:
    """Show the desk of a game as it stands, or what has become of it, on the private message."""
    game, notation = stored.game, await notation_of(interaction)
    try:
        check_turn(game, interaction.user.id)
    except Refused as refusal:
        if refusal.why is Why.NOT_A_PLAYER:
            raise
        said = text_parts.join_lines(note, refusal_texts.refusal_text(refusal), _newest_board_link(stored))
        picture, rows = game_picture(game, notation), with_back_button(interaction, ())
        await show_reply(interaction, said, picture, rows, colour=game.colour_of(interaction.user.id))
        return
    if focus == NO_FOCUS and not game.draft:
        note = text_parts.join_lines(note, await discarded_note(interaction, game))
    shown = desk_screen(game, focus, notation)
    own = game_list_texts.own_note_text(await interaction.client.app.notes.note_unchecked(game.id, interaction.user.id))
    title = (
        game_texts.desk_heading(game, interaction.user.id),
        board_texts.waiting_player_bank_text(new_board_message(game)),
    )
    text = text_parts.join_lines(note, *title, own, shown.text)
    prefix, colour = f"g:{game.id}:{game.version}:", game.colour_of(interaction.user.id)
    await show_reply(interaction, text, shown.picture, with_back_button(interaction, shown.rows), prefix, colour=colour)


def _newest_board_link(stored: StoredGame) -> str:
    return texts.board_link_text(board_url(stored))


async def show_after_turn(interaction: Interaction, done: GameUpdate, note: str = "") -> None:
    """Show what comes next for the player: his next question, or that his turn is complete. Deliver the board."""
    bot, user, turn = interaction.client, interaction.user.id, done.turn
    posted = await bot.delivery.deliver(done.owed)
    if turn is None:
        await show_desk(interaction, done.stored, note=note)
        return
    waiting = await bot.app.games.waiting_games(user)
    stored = await bot.app.games.game(done.game.id)
    result = done.game.position.result
    outcome = game_texts.game_ended_text(result, turn.colour) if result else ""
    board = (
        _newest_board_link(stored)
        if posted
        else game_texts.CHANNEL_UNREACHABLE
        if stored.unreachable
        else game_texts.BOARD_FOLLOWS
    )
    notation = await notation_of(interaction)
    text = turn_text(turn.before, turn.actions, notation)
    then = conditional_texts.conditionals_played_text(done.game, done.conditional_turns, notation)
    text = text_parts.join_lines(
        game_texts.you_played_text(text), then, outcome, board, game_texts.games_waiting_text(len(waiting))
    )
    await show_reply(interaction, text, rows=with_back_button(interaction, _after_turn_rows(waiting, done.game, user)))


async def show_stale_desk(interaction: Interaction, stored: StoredGame) -> None:
    """Answer what was drawn for an older state of the game: how it stands now, and nothing is played."""
    game, last = stored.game, stored.game.last
    colour = game.colour_of(interaction.user.id)
    done = last is not None and last.colour is colour and game.asked is not colour
    note = texts.GAME_MOVED_ON
    if last and done:
        note = game_texts.already_played_text(turn_text(last.before, last.actions, await notation_of(interaction)))
    await show_desk(interaction, stored, note=note)


def next_game_rows(waiting: Sequence[GameBrief], user: int) -> tuple[ComponentRow, ...]:
    """Return the button that leads to the most urgent game."""
    buttons = tuple(
        Button(game_texts.next_game_label(brief, user), f"o:{brief.id}", "primary")
        for brief in waiting[:MOST_NEXT_GAMES]
    )
    return (buttons,) if buttons else ()


def _after_turn_rows(waiting: Sequence[GameBrief], game: Game, user: int) -> tuple[ComponentRow, ...]:
    """Return what leads on after a turn: to the next game, and to answers left in advance in this one."""
    more = if_button(game, user)
    return (*next_game_rows(waiting, user), more) if more else next_game_rows(waiting, user)


@handles_kind("b")
async def press_board(interaction: Interaction, rest: str) -> None:
    """The button of a public board: opens the desk, or leads from an old board to the newest."""
    id, serial = map(int, rest.split(":"))

    async def work() -> None:
        stored = await interaction.client.app.games.game(id)
        if serial != stored.game.turn_serial or stored.game.status is not Status.RUNNING:
            await interaction.response.edit_message(view=None)
            await interaction.followup.send(game_texts.newest_board_text(board_url(stored)), ephemeral=True)
            return
        check_turn(stored.game, interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await show_desk(interaction, stored)

    await run_guarded(interaction, work())


@handles_kind("o")
async def press_open_desk(interaction: Interaction, rest: str) -> None:
    """A button that opens a game's desk on the same private message."""

    async def work() -> None:
        await interaction.response.defer()
        await show_desk(interaction, await interaction.client.app.games.game(int(rest)))

    await run_guarded(interaction, work())


@handles_kind("s")
async def choose_desk_dot(interaction: Interaction, rest: str) -> None:
    """A dot was chosen on the desk: the piece lies on it, nothing is played (R3.5)."""
    id, version, _, kind = rest.split(":")

    async def work() -> None:
        await interaction.response.defer()
        stored = await interaction.client.app.games.game(int(id))
        if not _is_current(stored.game, int(version)):
            await show_stale_desk(interaction, stored)
            return
        asked, wanted = question(stored.game.current), Kind("" if kind == "-" else kind)
        push = asked and first_push(asked, chosen_value(interaction), wanted)
        await show_desk(interaction, stored, Focus(kind=wanted, push=push))

    await run_guarded(interaction, work())


def _is_current(game: Game, version: int) -> bool:
    return game.status is Status.RUNNING and game.version == version


@handles_kind("g")
async def press_desk(interaction: Interaction, rest: str) -> None:
    """A button of the desk."""
    id, version, verb, what = rest.split(":", 3)

    async def work() -> None:
        await interaction.response.defer()
        stored = await interaction.client.app.games.game(int(id))
        if not _is_current(stored.game, int(version)):
            await show_stale_desk(interaction, stored)
            return
        check_turn(stored.game, interaction.user.id)
        asked = question(stored.game.current)
        assert asked is not None
        if actions := desk_actions(stored.game, asked, verb, what):
            await _play_pressed(interaction, stored, actions, sure=verb == PLAY_ANYWAY_VERB)
        elif verb == "kind" and not is_legal_kind(asked, what):
            await tell_privately(
                interaction, desk_texts.TOO_FEW_FOR_GIPF_PIECE if what == "G" else desk_texts.GIPF_PIECE_REQUIRED
            )
        else:
            await show_desk(interaction, stored, desk_focus(verb, what))

    await run_guarded(interaction, work())


async def _play_pressed(interaction: Interaction, stored: StoredGame, actions: Sequence[Action], *, sure: bool) -> None:
    """Play what was pressed; where that gives the game up, ask once."""
    game, user = stored.game, interaction.user.id
    try:
        done = await interaction.client.app.games.play_actions(game.id, user, actions, game.version, sure=sure)
    except Refused as refusal:
        if refusal.why is not Why.LOSES_ON_TIME:
            raise
        await _confirm_turn(interaction, stored, actions, perform(game, user, actions))
    else:
        await show_after_turn(interaction, done)


def is_legal_kind(asked: Question, kind: str) -> bool:
    """Return whether a piece of this kind (`G`, or `-` for a basic piece) can be pushed now."""
    return any((push.kind.value or "-") == kind for push in asked.pushes)


def desk_actions(game: Game, asked: Question, verb: str, what: str) -> tuple[Action, ...]:
    """Return what a desk button plays; nothing for one that only changes what is shown."""
    if verb == "pass":
        return (PASS,)
    if verb in (PLAY_VERB, PLAY_ANYWAY_VERB):
        return _pressed_actions(what)
    if verb == "done":
        line, spots = what.split(":")
        removal = chosen_removal(asked, line, spots)
        return (removal,) if removal else ()
    if verb not in ("push", "more"):
        return ()
    push = _pressed_push(what)
    if push is None or push not in asked.pushes:
        return ()
    after = question(play(game.current, push))
    offers_only = after is not None and after.pushed and after.may_pass
    return (push, PASS) if offers_only and verb == "push" else (push,)


def _pressed_actions(codes: str) -> tuple[Action, ...]:
    try:
        return tuple(parse_action_code(code) for code in codes.split(";"))
    except ParseError:
        return ()


def _pressed_push(code: str) -> Push | None:
    try:
        action = parse_action_code(code)
    except ParseError:
        return None
    return action if isinstance(action, Push) else None


def desk_focus(verb: str, what: str) -> Focus:
    """Return what a desk button that plays nothing puts into focus."""
    match verb:
        case "kind":
            return Focus(kind=Kind("" if what == "-" else what))
        case "look":
            push = _pressed_push(what)
            return Focus(kind=push and push.kind, push=push)
        case "take":
            return Focus(taking=True)
        case "row":
            return Focus(row=what, taking=True)
        case "flip":
            line, spots = what.split(":")
            return Focus(row=line, taken=tuple(spots[at : at + 2] for at in range(0, len(spots), 2)), taking=True)
        case _:
            return Focus()


async def play_typed_turn(interaction: Interaction, game_id: int, text: str) -> None:
    """Play a typed turn, or as much of it as it decides; what is left open is asked on the desk.

    Whoever wants that, or would give the game up, is shown it first.
    """
    service, user = interaction.client.app, interaction.user.id
    settings = await user_settings_of(interaction)
    notation = notation_in_settings(settings)
    if not settings.get("confirm_typed"):
        try:
            done = await service.games.play_typed(game_id, user, text, notation)
        except Refused as refusal:
            if refusal.why is not Why.LOSES_ON_TIME:
                raise
        else:
            await show_after_turn(interaction, done, _open_question_note(done.game, text))
            return
    stored, actions, after = await service.games.preview_typed(game_id, user, text, notation)
    if actions:
        await _confirm_turn(interaction, stored, actions, after, text)
    else:
        await show_desk(interaction, stored, note=_open_question_note(stored.game, text))


def _open_question_note(game: Game, text: str) -> str:
    asked = question(game.current)
    return desk_texts.open_turn_text(text, asked) if asked else ""


async def _confirm_turn(
    interaction: Interaction, stored: StoredGame, actions: Sequence[Action], after: Performed, typed: str = ""
) -> None:
    """Show what somebody is about to play; where it decides no whole turn, `typed` says it."""
    game, turn, notation = stored.game, after.turn, await notation_of(interaction)
    said = turn_text(turn.before, turn.actions, notation) if turn else " ".join(typed.split())
    ask, plays = _confirm_question(after, said, ";".join(map(action_code, actions)))
    prefix = f"g:{game.id}:{game.version}:"
    if len(prefix + plays.action) > LONGEST_CUSTOM_ID:
        await show_desk(interaction, stored, note=game_texts.TOO_LONG_TO_CONFIRM)
        return
    rows = with_back_button(interaction, ((plays, Button(game_texts.SOMETHING_ELSE_LABEL, "back:-")),))
    text = text_parts.join_lines(game_texts.desk_heading(game, interaction.user.id), ask)
    picture = game_picture(after.game, notation) if turn else desk_screen(after.game).picture
    await show_reply(interaction, text, picture, rows, prefix, colour=game.colour_of(interaction.user.id))


def _confirm_question(after: Performed, said: str, codes: str) -> tuple[str, Button]:
    """Return what is asked before these actions are played, and the button that plays them."""
    if loses_on_time(after):
        ask = game_texts.confirm_loss_text(said, on_time=after.game.status is Status.RUNNING)
        return ask, Button(game_texts.PLAY_ANYWAY_LABEL, f"{PLAY_ANYWAY_VERB}:{codes}", "danger")
    return game_texts.confirm_typed_text(said), Button(game_texts.PLAY_LABEL, f"{PLAY_VERB}:{codes}", "success")
