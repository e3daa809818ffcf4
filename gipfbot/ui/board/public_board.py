"""Public board messages: what each says of its turn, and the button to play the next one."""

from collections.abc import Sequence
from dataclasses import replace

from gipfbot.languages import mark, say, say_list, say_name, say_number
from gipfbot.match import Game, Status, position_code
from gipfbot.notation import OFFICIAL, Notation, RecordedTurn, decision_text
from gipfbot.rules import Action, Colour, Kind, Position, Reason, Result, start
from gipfbot.rules.changes import Removed
from gipfbot.rules.pending import question
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, ended_without_turn, new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import (
    Button,
    OutboxMessage,
    clock_texts,
    escape_text,
    escape_turn,
    join_lines,
    outbox_message,
    texts,
)
from gipfbot.ui.kit.components import ComponentRow, button_rows
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.outbox_messages import my_games_row
from gipfbot.ui.kit.pictures import board_picture, describe_actions
from gipfbot.ui.kit.refusal_texts import removal_why_buttons
from gipfbot.ui.kit.respond import message_address
from gipfbot.ui.kit.texts import address_users, game_length_text, ping_user, row_name, texts_of_course, turn_place
from gipfbot.ui.kit.turn_words import pressed_turn, records_line, spoken_turn, told_turn
from gipfbot.values import EndedGame, GameBrief, OutboxRow, StoredGame, UnreadableGame
from render import CLASSIC, THEMES, Picture, ResultCard
from render.replay import Replay, ReplayTurn

FILMED_TURNS = 3  # that the film of a result shows before it
MOST_TURNS_BEFORE = 3  # turns without a board that the next board names
WAS_CUT = mark("The bot had to stop thinking after 60 seconds, so this turn may be weaker than its level.")
PLANNED = mark("planned")  # in brackets behind a turn that its player had chosen in advance
LAST_CAPTURE_LABEL, WHY_THIS_TURN_LABEL = mark("Why the last capture?"), mark("Why this turn?")


def _name(shown: BoardMessage, colour: Colour) -> str:
    """Return a player's name, escaped for Discord."""
    return escape_text(shown.names[colour])


def board_message_text(shown: BoardMessage) -> str:
    """Return the text of a public board message: at most four lines, and a fifth that is said only once.

    Its first line is the push notification, so it must make sense alone. The second is the last turn, the third the
    deadline; a small last line has the turn as records write it. The picture and its alt text show the rest.
    """
    return join_lines(_said_of(shown), _records_line(shown))


def _said_of(shown: BoardMessage) -> str:
    """Return the lines of a public board message above the small one."""
    if shown.cancelled_by is not None:
        return join_lines(_cancelled_headline(shown), _last_turn_line(shown), _start_anew_hint(shown))
    if shown.position.result:
        ended = _ended_headline(shown, shown.position.result)
        return join_lines(ended, _last_turn_line(shown), _next_game_line(shown), _lost_on_time_credit(shown))
    if shown.conditional_follows:
        return join_lines(conditional_follows_headline(shown), _once_line(shown), _last_turn_line(shown))
    time = clock_texts.deadline_text(shown, _name(shown, shown.position.decider))
    return join_lines(_to_move_headline(shown), _once_line(shown), _last_turn_line(shown), time)


def _once_line(shown: BoardMessage) -> str:
    """Return the line that is shown only once: who has played for the bot's engine, or that a backup was restored."""
    if shown.by_rules:
        return say("The bot's engine gave no answer, so the bot played the first turn that the rules allow.")
    if shown.was_cut:
        return say(WAS_CUT)
    if shown.stands_in_for:
        name = escape_text(shown.stands_in_for)
        return say("{name} can't go on. The bot itself plays from here, at the same level.", name=name)
    if shown.restored_from is None:
        return ""
    made = f"<t:{shown.restored_from}:f>"
    return say("The bot was restored from a backup of {time}. Any turns played after that are lost.", time=made)


def waiting_player_bank_text(shown: BoardMessage) -> str:
    """Return the sentence on the time that the waiting player will have for their next turn.

    Empty if time cannot be saved up, or if the player to move is flagged.
    """
    return clock_texts.bank_text(shown, _name(shown, shown.position.decider.other))


def _lost_on_time_credit(shown: BoardMessage) -> str:
    lost_on_time = shown.position.result is not None and shown.position.result.by is Reason.TIME
    return clock_texts.past_credit_text(shown.credited) if lost_on_time else ""


def _to_move_headline(shown: BoardMessage) -> str:
    mover = shown.position.decider
    opponent = _name(shown, mover.other)
    if shown.house_decides:
        return _house_headline(shown, opponent)
    addressed, game = address_users(shown.seats[mover]), game_name(shown.game)
    if shown.flagged:
        answering = shown.within_turn and mover is not shown.mover
        late = clock_texts.flagged_headline(game, opponent, answering=answering, both=shown.mover_flagged)
        return f"{addressed} {late}"
    if shown.within_turn:
        return f"{addressed} {_decision_headline(shown, game, opponent)}"
    ping = ping_user(shown.seats[mover])
    said = say("{ping} your turn · game {game} vs {name}", ping=ping, game=game, name=opponent)
    said = f"{said}{_first_removal_clause(shown)}"
    if shown.turns_taken_back:
        return f"{said} · {_taken_back_clause(shown)}"
    if shown.before is None:
        begins = say("{name} is White and begins", name=_name(shown, mover))
        return f"{said} · {ruleset_text(shown.position.rules.name)} · {begins}"
    if shown.was_conditional:
        return f"{said} · {had_left_answer_text(opponent, spoken_turn(shown.actions))}"
    black = f" · {say('{name} is Black', name=_name(shown, mover))}" if tells_colour(shown.turn_number) else ""
    return f"{said} · {played_text(opponent, shown.actions)}{black}"


def tells_colour(turn_number: int) -> bool:
    """Return whether Black is told their colour after this turn: the game pings them first then."""
    return turn_number == 1


def played_text(name: str, actions: Sequence[Action]) -> str:
    """Return who played what: `Ann played e1 → e2`."""
    return say("{name} played {turn}", name=name, turn=spoken_turn(actions))


def _taken_back_clause(shown: BoardMessage) -> str:
    """Return the clause that names the turns taken back. Only people are said to agree, as the bot always does."""
    said = turns_taken_back_text(shown.turns_taken_back, newcomer=shown.newcomer)
    return said if shown.house is not None else f"{said} ({say('you both agreed')})"


def _house_headline(shown: BoardMessage, opponent: str) -> str:
    """Return the first line of a board on which the bot has to decide. It pings nobody."""
    thinks = say("{name} is thinking", name=_name(shown, shown.position.decider))
    said = f"{game_name(shown.game)} · {thinks}"
    if shown.turns_taken_back:
        return f"{said} · {_taken_back_clause(shown)}"
    if shown.before is None:
        rules = ruleset_text(shown.position.rules.name)
        return f"{said} · {say('{rules}, against {name}', rules=rules, name=opponent)}"
    return f"{said} · {played_text(opponent, shown.actions)}"


def _decision_headline(shown: BoardMessage, game: str, opponent: str) -> str:
    """Return the first line of a board within a turn, without the ping (R8.4)."""
    at_once = f" ({say(PLANNED)})" if shown.was_conditional else ""
    if shown.position.decider is shown.mover:
        said = say("your turn goes on · {game} vs {name} · {name} has decided", game=game, name=opponent)
        return f"{said}{at_once}"
    said = say("your decision · {game} vs {name}", game=game, name=opponent)
    return f"{said} · {played_text(opponent, shown.actions)}{at_once}"


def _last_turn_line(shown: BoardMessage) -> str:
    """Return the line on the last turn: the push, and how many pieces left the board.

    Before it were the turns whose boards gave way to this one: the line ends with the last of them. Without a turn of
    its own, it names only those.
    """
    turns_before = _turns_before_text(shown)
    if shown.before is None or not shown.tells_turn:
        return say("Played before that: {turns}", turns=turns_before) if turns_before else ""
    turn = f"**{turn_place(shown.turn_number)}:** {pressed_turn(shown.actions)}"  # bold, or Discord makes a list of it
    off = removed_pieces_count(shown.before, shown.actions)
    before = say("before that: {turns}", turns=turns_before) if turns_before else ""
    return " · ".join(filter(None, (turn, off, before)))


def _records_line(shown: BoardMessage) -> str:
    """Return the small last line: the turn as records write it.

    Empty without a turn, in a newcomer's game, or if the push says the same.
    """
    return records_line(shown.actions, shown.text) if shown.tells_turn and not shown.newcomer else ""


def _turns_before_text(shown: BoardMessage) -> str:
    more = "… / " if len(shown.turns_before) > MOST_TURNS_BEFORE else ""
    last = shown.turns_before[-MOST_TURNS_BEFORE:]
    return more + " / ".join(
        escape_turn(told_turn(turn.actions, turn.text, newcomer=shown.newcomer and bool(turn.actions))) for turn in last
    )


def removed_pieces_count(before: Position, actions: Sequence[Action]) -> str:
    """Return how many basic pieces the actions returned and captured: `3 back to White, 1 captured from Black`.

    Empty if none. A GIPF-piece counts as 2, as on the desk. In Overboard a GIPF-piece is given up and counts as one.
    """
    removed = [event for event in describe_actions(before, actions) if isinstance(event, Removed)]
    back = [piece.kind for event in removed for _, piece in event.returned]
    captured = [piece.kind for event in removed for _, piece in event.captured]
    return texts_of_course(before.rules).removed(before.mover, back, captured)


def row_removed_text(before: Position, actions: Sequence[Action]) -> str:
    """Return the sentences on the pieces that left the board in a turn, and which were captured. Empty if none left."""
    off = removed_pieces_count(before, actions)
    removed = [event for event in describe_actions(before, actions) if isinstance(event, Removed)]
    captured = [spot for event in removed for spot, piece in event.captured if piece.kind.worth]
    sentence = texts_of_course(before.rules).captured
    which = f" {say(sentence, spots=', '.join(captured))}" if captured and sentence else ""
    if not off:
        return ""
    return f"{say('A row came off: {pieces}.', pieces=off)}{which}{gipf_worth_note(before, actions)}"


def gipf_worth_note(before: Position, actions: Sequence[Action]) -> str:
    """Return what a GIPF-piece counts, if these actions removed one. Empty in Overboard, where it counts as one."""
    removed = [event for event in describe_actions(before, actions) if isinstance(event, Removed)]
    gone = {piece.kind for event in removed for _, piece in (*event.returned, *event.captured)}
    counts = bool(texts_of_course(before.rules).captured) and Kind.GIPF in gone
    return f" {say('A GIPF-piece counts as 2.')}" if counts else ""


def _first_removal_clause(shown: BoardMessage) -> str:
    """Return the clause naming the rows that the player to move removes before pushing; empty if there are none."""
    asked = question(shown.position)
    due = [row_name(row) for row in asked.rows if row.due] if asked else []
    return f" · {say('first remove {rows}', rows=', '.join(due))}" if due else ""


def _start_anew_hint(shown: BoardMessage) -> str:
    white, black = map(escape_text, shown.names)
    sentence = mark("{white} (White) and {black} (Black) can start a new game with **/gipf challenge**.")
    return say(sentence, white=white, black=black)


def _ping_both(shown: BoardMessage) -> str:
    return address_users(*shown.pinged_at_end)


def _cancelled_headline(shown: BoardMessage) -> str:
    assert shown.cancelled_by is not None
    sentence = mark("game {game} was cancelled by {name}: no result.")
    if shown.cancelled_by_claim:
        sentence = mark(
            "game {game} was cancelled: nobody played within 7 days of {name}'s claim, so there is no result."
        )
    said = say(sentence, game=game_name(shown.game), name=_name(shown, shown.cancelled_by))
    return f"{_ping_both(shown)} {said}"


def _ended_headline(shown: BoardMessage, result: Result) -> str:
    game, said = game_name(shown.game), _ping_both(shown)
    if result.by is Reason.AGREEMENT:
        return f"{said} {say('game {game} is a draw: you both agreed.', game=game)}"
    if result.winner is None:
        void = say("game {game} is void: this position has occurred three times. Nobody has lost.", game=game)
        return f"{said} {void}"
    loser, facts = _name(shown, result.winner.other), {"name": _name(shown, result.winner), "game": game}
    wins = say("{name} ({colour}) wins {game}", colour=say_name(str(result.winner)), **facts)
    if shown.turn_number:
        turns = game_length_text(shown.turn_number)
        wins = say(
            "{name} ({colour}) wins {game} in {turns}", colour=say_name(str(result.winner)), turns=turns, **facts
        )
    return f"{said} {wins} · {ending_reason(shown, result.by, loser)}"


def _next_game_line(shown: BoardMessage) -> str:
    """Return the line on the game that follows a void one; empty if none does."""
    if not shown.followed_by:
        return ""
    begins = say("{game} begins now, with colours swapped.", game=game_name(shown.followed_by))
    return begins if shown.untimed else f"{begins} {say('You each keep the time you have left.')}"


_ENDING_REASONS = {
    Reason.GIPF: mark("{name} has no GIPF-piece left on the board"),
    Reason.RESERVE: mark("{name} has no piece left in reserve to push"),
    Reason.RESIGN: mark("{name} resigned"),
    Reason.TIME: mark("{name}'s time was over"),
}


def ending_reason(shown: BoardMessage, by: Reason, loser: str) -> str:
    """Return why a game was won. `loser` is the name of the player who lost it, escaped for Discord."""
    if shown.untimed and by is Reason.TIME:
        return say("{name} did not play within 7 days of the claim", name=loser)
    if shown.lost_after_flag:
        turn = pressed_turn(shown.actions)
        return say("{name} lost on time: {turn} was played late and didn't win", name=loser, turn=turn)
    return say(_ENDING_REASONS[by], name=loser)


def board_caption(shown: BoardMessage) -> str:
    """Return the caption of a board's picture: the game's name, and its last turn, start or cancellation."""
    if shown.cancelled_by is not None:
        return f"{game_name(shown.game)} · {say('cancelled')}"
    if shown.before is None:
        rules = ruleset_text(shown.position.rules.name)
        return f"{game_name(shown.game)} · {rules} · {say('White begins')}"
    told = told_turn(shown.actions, shown.text, newcomer=shown.newcomer)
    return f"{game_name(shown.game)} · {turn_place(shown.turn_number)} {told}"


def is_removal_due(position: Position) -> bool:
    """Return whether the player to move must remove a row first, or can only remove pieces (R6.1).

    False if the game is over.
    """
    asked = question(position)
    return asked is not None and (asked.due or not asked.may_act)


def outcome_text(shown: BoardMessage) -> str:
    """Return the sentence on how a finished game ended. It pings nobody."""
    result = shown.position.result
    if result is None:
        return say("It was cancelled: no result.")
    if result.by is Reason.AGREEMENT:
        return say("It is a draw: both players agreed.")
    if result.winner is None:
        return say("It is void: the last position has occurred three times. Nobody has lost.")
    winner, why = _name(shown, result.winner), ending_reason(shown, result.by, _name(shown, result.winner.other))
    won = say("{name} ({colour}) won", name=winner, colour=say_name(str(result.winner)))
    return f"{won}: {why}."


def conditional_follows_headline(shown: BoardMessage) -> str:
    """Return the first line of a board whose turn is answered at once by a conditional turn."""
    mover, owner = _name(shown, shown.mover), _name(shown, shown.position.mover)
    follows = say("{name}'s planned answer follows", name=owner)
    return f"{game_name(shown.game)} · {played_text(mover, shown.actions)} · {follows}"


def had_left_answer_text(name: str, turn: str) -> str:
    """Return the clause saying that the player `name` played a conditional turn. `turn` is as in `spoken_turn`."""
    return f"{say('{name} played {turn}', name=name, turn=turn)} ({say(PLANNED)})"


def turns_taken_back_text(turns: Sequence[str], *, newcomer: bool) -> str:
    """Return the clause that names the turns taken back, by their notations. In a newcomer's game it counts them."""
    if newcomer:
        return say_number("the last turn was taken back", "the last {number} turns were taken back", len(turns))
    named = say_list([*map(escape_turn, turns)])
    return say_number("{turns} was taken back", "{turns} were taken back", len(turns), turns=named)


def seat_names(game: Game) -> tuple[str, str]:
    """Return the names of a game's players: White, then Black."""
    return game.seats[0].name, game.seats[1].name


def game_picture(game: Game, notation: Notation = OFFICIAL) -> Picture:
    """Return the public picture of a game: the position at the start of the turn, with the last turn marked.

    The caption shows the last turn in `notation`, or as pressed in a newcomer's game.
    """
    board = new_board_message(game)
    if game.last:
        board = replace(board, text=decision_text(game.last.before, game.last.actions, notation))
    picture = board_picture(board, board_caption(board))
    return replace(picture, cancelled=game.status is Status.CANCELLED)


def board_url(stored: StoredGame | GameBrief | EndedGame) -> str | None:
    """Return the URL of a game's newest board message; None before it is posted."""
    if not (stored.board_message and stored.board_channel):
        return None
    return message_address(stored.venue.server, stored.board_channel, stored.board_message)


def newest_board_link(stored: StoredGame) -> str:
    """Return a link to a game's newest board message; empty before it is posted."""
    return texts.board_link_text(board_url(stored))


@outbox_message(BOARD)
async def build_board(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the message of a board's outbox row, in the theme of its server."""
    board = await app.undeliverable.board_to_post(row)
    film = await last_turns(app, board) if board.over else None
    return replace(public_board_message(board), theme=THEMES.get(board.theme, CLASSIC), film=film)


def public_board_message(board: BoardMessage) -> OutboxMessage:
    """Return a board as an outbox message in the classic theme.

    It pings the player who has to decide, or both players if the game is over. It pings nobody if a conditional turn
    follows at once, and never the bot as a player.
    """
    text, picture = board_message_text(board), board_picture(board, board_caption(board))
    if board.over:
        return OutboxMessage(text, board.pinged_at_end, result_card(board, picture), result_rows(board))
    if board.conditional_follows:
        return OutboxMessage(text, (), picture)
    removal_due = is_removal_due(board.position)
    label = say(texts.DECIDE_LABEL) if board.within_turn else _next_move_label(removal_due)
    button = Button(label, f"board:{board.game}:{board.turn_serial}", "primary")
    more = Button(say(texts.MORE_LABEL), f"board_more:{board.game}")
    explained = (how_to_play_button(board.game),) if board.newcomer else ()
    if board.house_decides:
        return OutboxMessage(text, (), picture, ((more, *explained),))
    row = button, more, *_reasons_buttons(board), *explained
    return OutboxMessage(text, (board.seats[board.position.decider],), picture, (row,))


def result_card(board: BoardMessage, picture: Picture) -> ResultCard:
    """Return the card of a finished game, with the ratings that may be shown."""
    return ResultCard(picture, board.turn_number, board.ratings)


async def last_turns(app: App, board: BoardMessage) -> Replay | None:
    """Return the last turns of a finished game, at most FILMED_TURNS; None if there is nothing to show in motion.

    That is so without a turn, for a void or cancelled game, and if its turns cannot be read.
    """
    result = board.position.result
    if result is None or board.cancelled_by is not None or result.by is Reason.REPETITION or not board.turn_number:
        return None
    try:
        played = await app.studies.turns(board.game, board.position.rules, board.seats[0])
    except UnreadableGame:
        return None
    if len(played) != board.turn_number:
        return None
    filmed = played[-FILMED_TURNS:]
    turns = tuple(ReplayTurn(step.actions, _picture_after(board, step)) for step in filmed)
    before = played[-FILMED_TURNS - 1] if len(played) > FILMED_TURNS else None
    return Replay(_picture_after(board, before), turns)


def _picture_after(board: BoardMessage, step: RecordedTurn | None) -> Picture:
    """Return the board after an earlier turn, seen as this one; before the first turn for None."""
    if step is None:
        shown = replace(board, turn_number=0, position=start(board.position.rules), before=None, actions=())
    else:
        shown = replace(board, turn_number=step.turn_number, position=step.after, before=step.before)
        shown = replace(shown, actions=step.actions, text=step.text)
    return board_picture(shown, board_caption(shown))


def how_to_play_button(game: int) -> Button:
    """Return the button that opens the tutorial, which leads back to a game."""
    return Button(say(texts.HOW_TO_PLAY_LABEL), f"open_tutorial:game{game}", is_custom_id=True)


def how_to_play_buttons(game: Game, user: int | None = None) -> tuple[Button, ...]:
    """Return the button that opens the tutorial, if a player of a running game had finished none at its beginning.

    Where there is room for it in any game, `user` is who reads: a player of the game always gets it.
    """
    offered = game.terms.newcomer or (user is not None and game.colour_of(user) is not None)
    return (how_to_play_button(game.id),) if offered and game.status is Status.RUNNING else ()


def _reasons_buttons(board: BoardMessage) -> tuple[Button, ...]:
    if board.before is None or board.within_turn or ended_without_turn(board):
        return ()
    if board.house is None or board.seats[board.mover] != board.house:
        return ()
    return (_reasons_button(board.game, board.turn_number, board.position),)


def reasons_buttons(game: Game, turn_number: int, after: Position) -> tuple[Button, ...]:
    """Return a tuple with the private button that explains a turn of the bot. Empty for a person's turn.

    `after` is the position that the turn led to.
    """
    colour = Colour.WHITE if turn_number % 2 else Colour.BLACK
    if not turn_number or game.house_colour is not colour:
        return ()
    return (_reasons_button(game.id, turn_number, after),)


def why_removed_buttons(game: Game) -> tuple[Button, ...]:
    """Return a tuple with the button that explains the last turn's removal; else the last capture. May be empty."""
    if not game.turn_number:
        return ()
    this = removal_why_buttons(game.last, f"{game.id}:{game.turn_number}") if game.last else ()
    return this or _last_capture_buttons(game.id, game.turn_number, game.position)


def _last_capture_buttons(game: int, turn_number: int, position: Position) -> tuple[Button, ...]:
    captured = any(position.captured)
    return (
        (Button(say(LAST_CAPTURE_LABEL), f"why_capture:{game}:{turn_number}", is_custom_id=True),) if captured else ()
    )


def _reasons_button(game: int, turn_number: int, after: Position) -> Button:
    """Return the button for one turn. Its `custom_id` names the position after the turn, to identify the turn."""
    return Button(say(WHY_THIS_TURN_LABEL), f"reasons:{game}:{turn_number}:{position_code(after)}")


def result_rows(board: BoardMessage, rematch_kind: str = "rematch") -> tuple[ComponentRow, ...]:
    """Return the buttons below the last board of a game. `rematch_kind` is the kind of the one for a rematch."""
    on = () if board.followed_by else (way_on_button(board.game, board.tournament, rematch_kind),)
    if not board.turn_number:
        return (on,) if on else my_games_row()
    is_explored = board.cancelled_by is None
    replay = Button(say(texts.REPLAY_LABEL), f"replay:{board.game}")
    analysis = (Button(say(texts.ANALYSE_LABEL), f"analyse:{board.game}"),) if is_explored else ()
    record = Button(say(texts.RECORD_LABEL), f"record:{board.game}")
    explorer = (Button(say(texts.EXPLORER_LABEL), f"explore_game:{board.game}:0"),) if is_explored else ()
    explained = *_last_capture_buttons(board.game, board.turn_number, board.position), *_reasons_buttons(board)
    return tuple(button_rows([*on, replay, *analysis, record, *explorer, *explained]))


def way_on_button(game: int, tournament: int | None, rematch_kind: str = "rematch") -> Button:
    """Return the button for a rematch of a finished game, or for the standings of its tournament."""
    if tournament is not None:
        return Button(say(texts.STANDINGS_LABEL), f"standings:{tournament}")
    return Button(say(texts.REMATCH_LABEL), f"{rematch_kind}:{game}")


def move_button_label(game: Game) -> str:
    """Return the label of the button that opens a game's desk.

    It is **Decide** in a turn in which both players decide (R8.4), **Continue turn** within another turn, **Remove
    row** if a removal is due, else **Move**.
    """
    if game.handed_over:
        return say(texts.DECIDE_LABEL)
    return say(texts.GO_ON_LABEL) if game.draft else _next_move_label(is_removal_due(game.current))


def _next_move_label(is_removal_due: bool) -> str:
    return say(texts.REMOVE_LABEL) if is_removal_due else say(texts.MOVE_LABEL)


def desk_button(game: Game) -> Button:
    """Return a direct message's button that opens the desk of a game."""
    return Button(move_button_label(game), f"message_desk:{game.id}", "primary")


def game_button(game: Game, user: int) -> Button:
    """Return a direct message's button that opens a game: its desk if it is the user's turn, else its board."""
    if game.asked is not None and game.seats[game.asked].user == user:
        return desk_button(game)
    return Button(say(texts.BOARD_LABEL), f"game_board:{game.id}")


def channel_call_to_move(game: Game, user: int, text: str, more: tuple[Button, ...] = ()) -> OutboxMessage:
    """Return a message for a game's channel that pings `user`, the player to move.

    Its first button opens the desk. The buttons `more` follow.
    """
    button = Button(move_button_label(game), f"board:{game.id}:{game.turn_serial}", "primary")
    return OutboxMessage(text, (user,), None, ((button, *more),))
