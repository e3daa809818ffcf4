"""The desk of a game as a private message: the pending question, the result of a turn, or a turn to confirm.

In all functions `page` is the page of the list of games that the message was opened from. The `custom_id`s of the
message hold it as text. This text is empty if the message was opened from elsewhere.
"""

from collections.abc import Sequence
from dataclasses import replace

from gipfbot.languages import say
from gipfbot.match import Game, Performed, Refused, Status, Turn, Why, check_turn, loses_on_time
from gipfbot.notation import action_code, turn_text
from gipfbot.rules import Action, Push, Use
from gipfbot.service.delivery.board_message import board_key, new_board_message
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.ui.board import public_board
from gipfbot.ui.board.public_board import game_picture, how_to_play_buttons, newest_board_link
from gipfbot.ui.desk.screens import (
    NO_FOCUS,
    PLAY_ANYWAY_VERB,
    PLAY_VERB,
    Focus,
    desk_prefix,
    desk_screen,
    start_over_button,
    typed_act_picture,
)
from gipfbot.ui.kit import Button, Interaction, PrivateRow, join_lines, notation_of, refusal_texts, show_reply, texts
from gipfbot.ui.kit.client import Posted
from gipfbot.ui.kit.components import LONGEST_CUSTOM_ID, MOST_COMPONENTS, ComponentRow, count_components
from gipfbot.ui.kit.listed_game import next_game_buttons
from gipfbot.ui.kit.refusal_texts import why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.turn_words import game_turn_text
from gipfbot.ui.requests import conditionals
from gipfbot.ui.requests.conditionals import discarded_note, if_button
from gipfbot.ui.requests.game_requests import takeback_note
from gipfbot.values import GameBrief, StoredGame

from . import game_texts

TEXT_AND_PICTURE = 2  # components of a desk above its rows


def with_back_button(rows: Sequence[PrivateRow], page: str, *beside: Button) -> tuple[PrivateRow, ...]:
    """Add a last row: the buttons `beside`, and a button back to page `page` of the list of games.

    The button back is left out if `page` is empty.
    """
    back = (Button(say(texts.ALL_GAMES_LABEL), f"games:page:{page}", is_custom_id=True),) if page else ()
    last = (*beside, *back)
    return (*rows, last) if last else tuple(rows)


def open_desk_id(game: int, page: str) -> str:
    """Return the `custom_id` that opens a game's desk on the message that was pressed.

    `page` is the page of the list to which the desk leads back, or empty.
    """
    return f"listed_game:{game}:{page}:desk" if page else f"open_desk:{game}"


def type_turn_id(game: Game, user: int) -> str:
    """Return the `custom_id` of the button that opens the form for a turn. A refused text is kept under it.

    It names the moment of the game, so a text that was refused at another moment does not come back.
    """
    return f"type_turn:{game.id}:{game.moment_for(user)}"


async def show_desk(
    interaction: Interaction, stored: StoredGame, focus: Focus = NO_FOCUS, note: str = "", page: str = ""
) -> None:
    """Show the desk of a game, or why the person cannot play there now. `note` goes above the text.

    Raises Refused if they are not a player of the game.
    """
    try:
        check_turn(stored.game, interaction.user.id)
    except Refused as refusal:
        if refusal.why is Why.NOT_A_PLAYER:
            raise
        if stored.venue.is_private:  # they wait for the bot, or look at the end: nothing is refused
            await _show_private_game(interaction, stored, note, page=page)
            return
        note_refusal(interaction, refusal)
        await _show_why_no_desk(interaction, stored, join_lines(note, refusal_texts.refusal_text(refusal)), page)
    else:
        stored = await note_turn_is_seen(interaction, stored)
        await _show_question(interaction, stored, focus, note, page)


async def note_turn_is_seen(interaction: Interaction, stored: StoredGame) -> StoredGame:
    """Start a clock that was paused because its player could not know of their turn. Return the game after that.

    If the person is not the player to move, or the clock runs already, store nothing.
    """
    clock, user = stored.game.clock, interaction.user.id
    if clock is None or clock.paused_left is None or stored.game.seats[stored.game.decider].user != user:
        return stored
    changed = await interaction.client.app.undeliverable.note_turn_seen(stored.game.id, user, interaction.id)
    return changed or stored


async def _show_why_no_desk(interaction: Interaction, stored: StoredGame, reason: str, page: str) -> None:
    game, text = stored.game, join_lines(reason, newest_board_link(stored))
    picture, colour = game_picture(game, await notation_of(interaction)), game.colour_of(interaction.user.id)
    rows = with_back_button((), page, _more_button(game, page), *how_to_play_buttons(game))
    await show_reply(interaction, text, picture, rows, colour=colour)


async def _show_private_game(
    interaction: Interaction, stored: StoredGame, note: str = "", rows: Sequence[PrivateRow] = (), page: str = ""
) -> None:
    """Show a private game that does not wait for its player: the bot thinks, or the game is over.

    The message is shown anew once the bot has answered.
    """
    game, notation = stored.game, await notation_of(interaction)
    over = game.status is not Status.RUNNING
    said = public_board.outcome_text(new_board_message(game)) if over else game_texts.house_thinks_text(game)
    last = "" if note else game_texts.last_turn_line(game)
    text = join_lines(game_texts.private_game_heading(game), note, last, game_texts.cut_line(stored), said)
    ways_on = await _ways_on_at_end(interaction, game) if over else rows
    beside = () if over else (_more_button(game, page), *how_to_play_buttons(game))
    shown = with_back_button(ways_on, page, *beside)
    await show_reply(interaction, text, game_picture(game, notation), shown, colour=game.colour_of(interaction.user.id))
    if over:
        await interaction.client.app.untold.note_seen(game.id)
    else:
        interaction.client.bot_answers.wait(interaction, stored, lambda now: show_desk(interaction, now, page=page))


async def _ways_on_at_end(interaction: Interaction, game: Game) -> tuple[PrivateRow, ...]:
    """Return the buttons below the end of a private game: those of its last board, or the game that follows it."""
    if follows := await interaction.client.app.games.next_game(game.id):
        return ((Button(game_texts.go_on_in_label(follows), f"open_desk:{follows}", "primary", is_custom_id=True),),)
    return public_board.result_rows(new_board_message(game), "bot_rematch")  # it begins in place of this message


def _more_button(game: Game, page: str) -> Button:
    return Button(say(texts.MORE_LABEL), f"more:{game.id}:{page}:", is_custom_id=True)


async def _show_question(interaction: Interaction, stored: StoredGame, focus: Focus, note: str, page: str) -> None:
    """Show the player the pending question of their turn."""
    game, user = stored.game, interaction.user.id
    shown = desk_screen(game, focus)
    if focus == NO_FOCUS and not game.draft:
        note = join_lines(note, await discarded_note(interaction, stored))
    text = join_lines(
        note,
        game_texts.desk_heading(game, user),
        game_texts.last_turn_line(game),
        game_texts.cut_line(stored),
        await takeback_note(interaction, stored),
        public_board.waiting_player_bank_text(new_board_message(game)),
        game_texts.own_note_text(stored.note_of(user)),
        shown.text,
    )
    rows, prefix = desk_rows(game, shown.rows, page), desk_prefix(game, page)
    await show_reply(interaction, text, shown.picture, rows, prefix, colour=game.colour_of(user))


def desk_rows(game: Game, shown: Sequence[ComponentRow], page: str) -> tuple[PrivateRow, ...]:
    """Return the rows of a desk: those of its screen, and a last one with the ways out of the turn.

    On the most crowded desks the way back to the list of games gives way: **More…** leads there, too.
    """
    beside = (_more_button(game, page), *start_over_button(game))
    rows = with_back_button(shown, page, *beside)
    fits = TEXT_AND_PICTURE + count_components(rows) <= MOST_COMPONENTS
    return rows if fits else with_back_button(shown, "", *beside)


async def show_stale_desk(interaction: Interaction, stored: StoredGame, page: str) -> None:
    """Answer a press on an outdated desk: play nothing, and show the game as it stands now."""
    game, last = stored.game, stored.game.last
    colour = game.colour_of(interaction.user.id)
    note = say(texts.GAME_MOVED_ON)
    if last is not None and last.colour is colour and game.asked is not colour:
        turn = game_turn_text(game, last.before, last.actions, await notation_of(interaction))
        note = game_texts.already_played_text(turn)
    await show_desk(interaction, stored, note=note, page=page)


# ── After a turn ──


async def show_after_turn(interaction: Interaction, done: GameUpdate, note: str = "", page: str = "") -> None:
    """Deliver the board of a turn, and show the player what comes next, with `note`.

    After a complete turn, the player sees a summary. After an incomplete turn, they see the next question.
    """
    posted = await interaction.client.delivery.deliver(done.owed)
    colour = done.game.colour_of(interaction.user.id)
    if done.turn is None or (done.turn.colour is not colour and done.game.asked is colour):
        decided = game_texts.decided_text(done.game) if done.game.handed_over or done.turn else ""
        await show_desk(interaction, done.stored, note=join_lines(decided, note), page=page)
        return
    if done.stored.venue.is_private:
        note = join_lines(await _privately_played_text(interaction, done, done.turn), note)
        rows = _next_here_rows(done.waiting, interaction.user.id, page)
        await _show_private_game(interaction, done.stored, note, rows, page)
        return
    text = join_lines(await _played_text(interaction, done, done.turn, posted), note)
    await show_reply(interaction, text, rows=_after_turn_rows(done, interaction.user.id, page))


async def _played_text(interaction: Interaction, done: GameUpdate, turn: Turn, posted: Sequence[Posted]) -> str:
    notation, result = await notation_of(interaction), done.game.position.result
    return join_lines(
        game_texts.you_played_text(done.game.id, turn),
        conditionals.conditionals_played_text(done.game, done.conditional_turns),
        game_texts.game_ended_text(result, turn.colour) if result else "",
        await _where_board_is(interaction, done.stored, posted),
        game_texts.played_in_records_line(done.game, turn, notation),
        game_texts.games_waiting_text(len(done.waiting)),
    )


async def _privately_played_text(interaction: Interaction, done: GameUpdate, turn: Turn) -> str:
    notation, result = await notation_of(interaction), done.game.position.result
    return join_lines(
        game_texts.you_played_text(done.game.id, turn),
        conditionals.conditionals_played_text(done.game, done.conditional_turns),
        game_texts.game_ended_text(result, turn.colour) if result else "",
        game_texts.played_in_records_line(done.game, turn, notation),
    )


async def _where_board_is(interaction: Interaction, stored: StoredGame, posted: Sequence[Posted]) -> str:
    """Return a link to the board of the turn just played, or the reason why there is none yet.

    The game is loaded only if the caller has not `posted` its newest board itself.
    """
    for board in posted:
        if board.key == board_key(stored.game):
            return newest_board_link(replace(stored, board_message=board.message, board_channel=board.channel))
    stored = await interaction.client.app.games.game(stored.game.id)
    if posted:
        return newest_board_link(stored)
    return say(game_texts.CHANNEL_UNREACHABLE) if stored.unreachable else say(game_texts.BOARD_FOLLOWS)


def _after_turn_rows(done: GameUpdate, user: int, page: str) -> tuple[ComponentRow, ...]:
    """Return the buttons to show after a turn. What they open stands below its board, where the person looks.

    They are one row, so that a phone still shows them above the board. One adds conditional turns to this game, if that
    is possible. One leads back to page `page` of the list of games, unless that is empty. The last one opens the most
    urgent waiting game, if any: where a phone breaks the row, it is the nearest to the board.
    """
    back = (Button(say(texts.ALL_GAMES_LABEL), f"my_games:{page}", is_custom_id=True),) if page else ()
    row = (*if_button(done.game, user), *back, *next_game_buttons(done.waiting, user, page))
    return (row,) if row else ()


def _next_here_rows(waiting: Sequence[GameBrief], user: int, page: str) -> tuple[ComponentRow, ...]:
    """Return the button to the most urgent waiting game, which opens on the message that was pressed.

    It stands below a private game, whose boards leave no other messages.
    """
    buttons = next_game_buttons(waiting, user)
    return ((replace(buttons[0], action=open_desk_id(waiting[0].id, page)),),) if buttons else ()


# ── Before a turn ──


async def show_turn_to_confirm(
    interaction: Interaction,
    stored: StoredGame,
    actions: Sequence[Action],
    after: Performed,
    typed: str = "",
    page: str = "",
    note: str = "",
) -> None:
    """Show the turn that these actions make, and ask whether to play it. `note` goes below the question.

    `after` is the game after the actions. If the actions do not complete a turn, the question quotes the text `typed`,
    which is empty if a button was pressed.
    """
    game, turn, notation = stored.game, after.turn, await notation_of(interaction)
    made = turn.actions if turn else after.game.draft
    said = turn_text(game.position, made, notation) if typed else game_turn_text(game, game.position, made, notation)
    said = said if turn else " ".join(typed.split()) or said
    ask, plays = _confirm_question(after, typed, said, ";".join(map(action_code, actions)))
    prefix = desk_prefix(game, page)
    if len(prefix + plays.action) > LONGEST_CUSTOM_ID:
        await show_desk(interaction, stored, note=say(game_texts.TOO_LONG_TO_CONFIRM), page=page)
        return
    why = why_buttons(Refused(Why.LOSES_ON_TIME)) if _loses_unfinished(after) else ()
    rows = with_back_button(((plays, Button(say(game_texts.SOMETHING_ELSE_LABEL), "back:-"), *why),), page)
    text = join_lines(game_texts.desk_heading(game, interaction.user.id), ask, note)
    picture = typed_act_picture(game, next((action for action in actions if isinstance(action, Push | Use)), None))
    await show_reply(interaction, text, picture, rows, prefix, colour=game.colour_of(interaction.user.id))


def _loses_unfinished(after: Performed) -> bool:
    """Return whether a turn would lose on time (R6.4), although it does not end the game."""
    return loses_on_time(after) and after.game.status is Status.RUNNING


def _confirm_question(after: Performed, typed: str, said: str, codes: str) -> tuple[str, Button]:
    """Return the question whether to play these actions, and the button that plays them.

    `typed` is what the player typed. `said` is the turn as text, for the question. `codes` is the actions as text, for
    the button's `custom_id`.
    """
    if loses_on_time(after):
        ask = game_texts.confirm_loss_text(said, on_time=_loses_unfinished(after))
        return ask, Button(say(game_texts.PLAY_ANYWAY_LABEL), f"{PLAY_ANYWAY_VERB}:{codes}", "danger")
    same = after.turn is not None and "".join(typed.split()) == after.turn.text
    return game_texts.confirm_typed_text(typed, said, same_turn=same), Button(
        say(game_texts.PLAY_LABEL), f"{PLAY_VERB}:{codes}", "success"
    )
