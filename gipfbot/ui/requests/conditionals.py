"""Conditional turns: `/gipf if`, the form in which lines are typed, and the private list of a player's lines.

Players read "plan" for a line, and "planned" for a conditional turn: a line is a line of the board for them.
"""

from collections.abc import Sequence

import discord
from discord import app_commands

from gipfbot.languages import mark, say, say_list, say_name, say_number
from gipfbot.match import Game, Moment, Refused, Turn, Why, check_moment, check_running, check_running_player
from gipfbot.match.conditionals import (
    DEEPEST_CONDITIONAL,
    ConditionalLine,
    lines_begin_at,
    may_add_conditional,
    next_turn_decides,
    position_after_part,
    read_conditional,
)
from gipfbot.match.study import Actions
from gipfbot.notation import (
    BrokenRecord,
    Notation,
    NotationError,
    OpenTurn,
    decision_text,
    line_warnings,
)
from gipfbot.rules import Position
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.requests.conditionals import DiscardedConditionals, PlayerConditionals
from gipfbot.ui.board.public_board import had_left_answer_text
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    notation_of,
    refusal_texts,
    show_reply,
    slash_command,
    texts,
)
from gipfbot.ui.kit.components import ComponentRow, build_form, button_rows, form_answers, text_field
from gipfbot.ui.kit.game_picker import complete_opponents_turn, pick_game_or_ask, picked_game, picked_moment
from gipfbot.ui.kit.listed_game import next_game_buttons
from gipfbot.ui.kit.moments import changed_since_text, parse_moment
from gipfbot.ui.kit.notation_texts import warning_lines
from gipfbot.ui.kit.refusal_texts import why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import answer_apart, read_aside
from gipfbot.ui.kit.turn_words import planned_turn, spoken_turn
from gipfbot.values import GameBrief, StoredGame, StoredStudy

IF_LABEL, TRY_AGAIN_LABEL, KEEP_CONDITIONALS_LABEL = mark("Plan ahead…"), mark("Try again"), mark("Save as a plan")
PLANS_LABEL, SAVED_PLANS = mark("Your plans"), mark("**You planned:** {plans}.")
CONDITIONAL_FORM_TITLE, CONDITIONAL_FIELD = mark("Plan ahead"), mark("Their turn, then your answer")
CONDITIONAL_HINT = mark("Their turn, then your answer: e2 g2 · up to {number} such pairs")
MOST_PLANS_NAMED, SHORT_PLAN = 3, 200  # plans that are named on a board, and characters of each
LONGEST_LINE = 2_000  # characters of a line; the longest legal turn has fewer than 200
LINE_TOO_LONG = mark("Plan too long. It can have {number} turns of your opponent, each with your answer.")
NO_OPPONENT_TO_MOVE = mark("It's your move in all your games. You plan ahead while it's your opponent's turn.")
WHICH_GAME_FOR_CONDITIONAL = mark("In which game? These are waiting for your opponent.")
WITHDRAWN, NOTHING_KEPT = mark("Withdrawn."), mark("Nothing was saved.")
LINES_MOVED_ON = mark("The game has moved on, so nothing was withdrawn.")
BOT_ANSWERS = mark("The bot answers within seconds, so there is nothing to plan ahead.")
YOUR_OWN_TURN = mark("It's your turn: **/move** plays it. You plan ahead while it's your opponent's turn.")
YOUR_DECISION = mark("It's your decision: **/move** makes it. You plan ahead for what your opponent plays next.")


def conditional_line_text(turns: Sequence[Actions]) -> str:
    """Return a conditional line as text: `if they play c1 → c2, you play e1 → e2 and remove e2 e3 e4`."""
    said = [planned_turn(actions) for actions in turns]
    first, *later = zip(said[::2], said[1::2], strict=True)
    named = [say_name("if they {turn}, you {answer}", turn=first[0], answer=first[1])]
    for turn, answer in later:
        named.append(say_name("then if they {turn}, you {answer}", turn=turn, answer=answer))
    return ", ".join(named)


def listed_line_text(game: Game, position: Position, turns: Sequence[Actions], notation: Notation, room: int) -> str:
    """Return a conditional line of a list, with its turns as they can be typed; without those in a newcomer's game.

    The line begins in `position`. If there is no `room` for both, return only the words; if these do not fit either,
    what can be typed: `e2 g3 d7 b3`. The last of them is cut to `room` characters.
    """
    said = conditional_line_text(turns)
    if game.terms.newcomer:
        return texts.shorten_text(said, room)
    written = list[str]()
    for actions in turns:
        written.append(decision_text(position, actions, notation))
        position = position_after_part(position, actions) or position
    typed = " ".join(written)
    both = say_name("{plan} (also written `{turns}`)", plan=said, turns=typed)
    fitting = (text for text in (both, said) if len(text) <= room)
    return next(fitting, texts.shorten_text(texts.escape_turn(typed), room))


def conditionals_text(shown: PlayerConditionals, user: int, notation: Notation) -> str:
    """Return the list of a player's conditional lines in a game. It also says whether lines were added or discarded.

    If it is the player's own turn, no lines are listed.
    """
    game, opponent = shown.game, _other_player(shown.game, user)
    head = say("**{game}** vs {name}", game=game_name(game.id), name=opponent)
    dropped = discarded_here_text(shown.discarded, game, user)
    if game.asked is not None and game.seats[game.asked].user == user:
        return texts.join_lines(head, dropped, say(YOUR_DECISION) if game.answering else say(YOUR_OWN_TURN))
    late = say(texts.NO_ANSWER_FOLLOWS) if next_turn_decides(game) else ""
    if not shown.lines and game.terms.house and not late:
        return texts.join_lines(head, dropped, say(BOT_ANSWERS))
    if not shown.lines:
        none = mark("You have no plan here. With **Plan ahead…** you can answer {name}'s next turn in advance.")
        return texts.join_lines(head, dropped, late or say(none, name=opponent))
    room = texts.LIST_LENGTH // len(shown.lines)
    begun = lines_begin_at(game, user)
    lines = (listed_line_text(game, begun, known.turns, notation, room) for known in shown.lines)
    listed = (f"{number}. {said}" for number, said in enumerate(lines, 1))
    count = f"{_kept_or_counted_text(shown)} {late or _when_played_text(opponent)}"
    return texts.join_lines(head, dropped, count, *listed)


def saved_plans_text(lines: Sequence[ConditionalLine], sentence: str) -> str:
    """Return the line on a player's plans, where there is little room: `sentence` with the first of `lines`.

    `sentence` names the `{plans}`. Empty without lines.
    """
    if not lines:
        return ""
    named = [texts.shorten_text(conditional_line_text(line.turns), SHORT_PLAN) for line in lines[:MOST_PLANS_NAMED]]
    if (more := len(lines) - MOST_PLANS_NAMED) > 0:
        named.append(say_number("and {number} more", "and {number} more", more))
    return say(sentence, plans="; ".join(named))


def line_warnings_text(shown: PlayerConditionals, text: str) -> str:
    """Return the warnings about the text of the line just added. Empty if there are none."""
    if shown.added is None:
        return ""
    game, added = shown.game, shown.added
    begun, number = lines_begin_at(game, added.user), game.turn_number + 1
    return warning_lines(line_warnings(begun, text, added.turns, number))


def _when_played_text(opponent: str) -> str:
    return say(
        "If {name} plays what you planned for, your answer is played at once. Nobody sees it until then.", name=opponent
    )


def _kept_or_counted_text(shown: PlayerConditionals) -> str:
    """Return the confirmation that a conditional line was added, with the number of lines it replaced.

    If none was added, return the number of the player's lines.
    """
    if shown.added is None:
        return say_number("You have {number} plan here.", "You have {number} plans here.", len(shown.lines))
    if not shown.replaced:
        return say("Saved.")
    return say("Saved. It replaces your earlier answers to the same turns.")


def plan_count(number: int) -> str:
    """Return how many plans a player has, as `2 plans`."""
    return say_number("{number} plan", "{number} plans", number)


def discarded_here_text(number: int, game: Game, user: int) -> str:
    """Return the note that `number` of a player's conditional lines were discarded. Empty if `number` is 0."""
    if not number:
        return ""
    return say_number(
        "{number} plan was dropped: {name} played something else.",
        "{number} plans were dropped: {name} played something else.",
        number,
        name=_other_player(game, user),
    )


def _other_player(game: Game, user: int) -> str:
    colour = game.colour_of(user)
    assert colour is not None
    return texts.escape_text(game.seats[colour.other].name)


def withdraw_line_label(number: int) -> str:
    """Return the label of the button that withdraws a line, by its number in the list."""
    return say("Withdraw {number}", number=number)


def broken_line_text(fault: BrokenRecord, game: Game, user: int) -> str:
    """Return which turn of a typed conditional line cannot be played, and why. `user` typed the line."""
    own, turn = fault.side is game.colour_of(user), texts.turn_in_words(fault.turn_number)
    whose = mark("**{turn}**, your answer:") if own else mark("**{turn}**, {name}'s turn:")
    assert isinstance(fault.fault, NotationError)
    if isinstance(fault.fault, OpenTurn):
        why = _open_turn_text(fault.fault)
    else:
        why = refusal_texts.turn_error_text(fault.fault, "saved")
    return f"{say(whose, turn=turn, name=_other_player(game, user))} {why}"


def _open_turn_text(fault: OpenTurn) -> str:
    """Return which turns a part of a typed line can mean, and how to go on."""
    said = say(
        "“{text}” can mean {turns}. Nothing was saved: type your whole plan again with one of these.",
        text=texts.escape_text(texts.shorten_text(fault.text, texts.LONGEST_QUOTE)),
        turns=say_list([f"`{text}`" for text in fault.choices], one_of=True),
    )
    used = (told for sign, told in _SIGNS.items() if any(sign in text for text in fault.choices))
    return texts.join_lines(said, *map(say, used))


_SIGNS = {
    "-": mark("After a “-” stands the spot where the last piece stops that is moved."),
    "x": mark("After an x stands what you take off the board; G is a GIPF-piece."),
}


# ── When they are played or discarded ──


def conditionals_played_text(game: Game, then: Sequence[Turn]) -> str:
    """Return one sentence for each conditional turn in `then`: the turns that followed a player's turn at once."""
    return texts.join_lines(*(_conditional_played_text(game, turn) for turn in then))


def _conditional_played_text(game: Game, turn: Turn) -> str:
    return f"{had_left_answer_text(texts.escape_text(game.seats[turn.colour].name), spoken_turn(turn.actions))}."


def discarded_by_takeback_text(game: Game, user: int) -> str:
    """Return the direct message that tells a player that a takeback discarded their conditional turns."""
    return texts.join_lines(
        say(
            "{game} vs {name}: turns were taken back (you both agreed)",
            game=game_name(game.id),
            name=_other_player(game, user),
        ),
        say("Your plans in this game are dropped. **/gipf if** makes new ones."),
    )


def discarded_text(found: DiscardedConditionals, notation: Notation) -> str:
    """Return the direct message that tells a player which of their conditional lines a turn discarded.

    The first line is the push notification, so it must make sense alone.
    """
    game = found.game
    room = texts.LIST_LENGTH // len(found.lines)
    lines = (listed_line_text(game, found.begun, known.turns, notation, room) for known in found.lines)
    mine = game.asked is not None and game.seats[game.asked].user == found.user
    dropped = say_number(
        "This plan can't be played any more, so it was dropped: {plans}.",
        "These plans can't be played any more, so they were dropped: {plans}.",
        len(found.lines),
        plans="; ".join(lines),
    )
    return texts.join_lines(_discarding_turn_text(found), dropped, _your_turn_text(game) if mine else "")


def _discarding_turn_text(found: DiscardedConditionals) -> str:
    """Return which turn discarded a player's conditional lines, and which of their answers was played before."""
    opponent, turn = _other_player(found.game, found.user), spoken_turn(found.played)
    facts = {"game": game_name(found.game.id), "name": opponent, "turn": turn}
    if not found.own:
        return say("{game} vs {name}: {name} played {turn}", **facts)
    sentence = mark("{game} vs {name}: {name} played {turn}, and your answer {answer} was played at once")
    return say(sentence, answer=spoken_turn(found.own[1]), **facts)


def _your_turn_text(game: Game) -> str:
    return say("It's your decision.") if game.answering else say("It's your turn.")


@slash_command("gipf if", 120, "Plan your answer to a turn (conditional turns); nobody sees it before")
@app_commands.describe(
    game="Which game, such as #a7",
    turns="Their turn, your answer, and so on: c2 g6 (default: list your plans)",
)
@app_commands.autocomplete(game=complete_opponents_turn)
@answers_privately
async def if_command(interaction: Interaction, game: str = "", turns: str = "") -> None:
    """Add a line of conditional turns. Without `turns`, list the user's lines."""
    user, turns = interaction.user.id, turns.strip()
    running = await interaction.client.app.games.running_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    none = say(NO_OPPONENT_TO_MOVE) if running else say(texts.NO_RUNNING_GAMES)
    ask = say(WHICH_GAME_FOR_CONDITIONAL)
    if game_id := await pick_game_or_ask(interaction, game.strip(), waiting, f"if:{turns}", none, ask):
        if turns:
            found = (await picked_game(interaction, game_id, waiting)).game
            await _leave_conditional(interaction, found, turns, found.moment_for(user))
        else:
            await _list_conditionals(interaction, game_id)


@handles_picked_game("if")
async def _conditionals_in_picked_game(interaction: Interaction, game_id: int, turns: str) -> None:
    if turns:
        game = (await interaction.client.app.games.game(game_id)).game
        await _leave_conditional(interaction, game, turns, picked_moment(interaction))
    else:
        await _list_conditionals(interaction, game_id)


async def _list_conditionals(interaction: Interaction, game_id: int) -> None:
    left = await interaction.client.app.conditionals.conditionals_of(game_id, interaction.user.id)
    await show_conditionals(interaction, left)


async def show_conditionals(
    interaction: Interaction,
    conditionals: PlayerConditionals,
    note: str = "",
    waiting: Sequence[GameBrief] | None = None,
) -> None:
    """List a player's lines in a game, with buttons to withdraw them. Raises Refused if the game has ended.

    Once a line is saved, `waiting` has the games that wait for the player: the first has a button, as after a turn.
    """
    game, user = conditionals.game, interaction.user.id
    check_running(game)
    text = conditionals_text(conditionals, user, await notation_of(interaction))
    rows = _conditional_rows(conditionals, user)
    if waiting is not None:
        to_list = Button(say(texts.ALL_GAMES_LABEL), "games:page:0", is_custom_id=True)
        rows = (*rows, (*next_game_buttons(waiting, user), to_list))
    await show_reply(interaction, texts.join_lines(note, text), rows=rows)


def _conditional_rows(conditionals: PlayerConditionals, user: int) -> tuple[ComponentRow, ...]:
    game = conditionals.game
    drawn_for = f"withdraw_conditional:{game.id}:{game.turn_serial}"
    withdraw = (
        Button(withdraw_line_label(at), f"{drawn_for}:{line.id}") for at, line in enumerate(conditionals.lines, 1)
    )
    return tuple(button_rows([*withdraw, *if_button(game, user)]))


def if_button(game: Game, user: int) -> tuple[Button, ...]:
    """Return a tuple with the button that opens the desk on which a player plans ahead.

    The tuple is empty if the user may not add a line now, and in games against the bot, which answers within seconds.
    """
    offered = may_add_conditional(game, user) and not game.terms.house
    return (Button(say(IF_LABEL), f"plan:{game.id}"),) if offered else ()


def plans_button(game: Game, lines: Sequence[ConditionalLine]) -> tuple[Button, ...]:
    """Return the button to a player's `lines` in a game, each with a button to withdraw it; none without lines."""
    return (Button(say(PLANS_LABEL), f"plans:{game.id}", is_custom_id=True),) if lines else ()


@handles("plans", "{game}", Reply.APART)
async def press_plans(interaction: Interaction, game: int) -> None:
    """List the user's lines in a game in a new private message. The message that was pressed stays."""
    await _list_conditionals(interaction, game)


async def lines_saved(interaction: Interaction, stored: StoredGame) -> Sequence[ConditionalLine]:
    """Return the user's lines from the current position of a game."""
    found = await interaction.client.app.conditionals.lines_in_games([stored], interaction.user.id)
    return found.get(stored.game.id, ())


def type_line_button(game: Game, user: int, label: str) -> Button:
    """Return the button that opens the form for a conditional line."""
    return Button(label, _form_id(game, user), is_custom_id=True)


def _form_id(game: Game, user: int) -> str:
    """Return the `custom_id` of the button that opens the form for a conditional line, at this moment of the game.

    It is also the key under which a refused text is kept for that form.
    """
    return f"conditional:{game.id}:{game.moment_for(user)}"


async def discarded_note(interaction: Interaction, stored: StoredGame) -> str:
    """Return the note on the user's conditional lines that were discarded in a game. Empty if none were discarded."""
    user, conditionals = interaction.user.id, interaction.client.app.conditionals
    discarded = await conditionals.count_discarded(stored, user) if stored.has_lines else 0
    return discarded_here_text(discarded, stored.game, user)


async def _leave_conditional(interaction: Interaction, game: Game, text: str, at: Moment | None) -> None:
    """Add a conditional line that was typed at the moment `at`. If it is refused, say why, and hand its text back.

    `at` is None if an earlier version of the bot did not note it.
    """
    app, user = interaction.client.app, interaction.user.id
    if len(text) > LONGEST_LINE:
        await show_reply(interaction, say(LINE_TOO_LONG, number=DEEPEST_CONDITIONAL))
        return
    notation = await notation_of(interaction)
    try:
        check_running_player(game, user)
        check_moment(game, user, at)
        waiting = await app.games.waiting_games(user)  # read first, because the next step ends the snapshot
        await read_aside(interaction, read_conditional, game, user, text, notation)
        left = await app.conditionals.add_typed_line(game.id, user, text, notation, at)
    except (BrokenRecord, Refused) as fault:
        note_refusal(interaction, fault)
        if isinstance(fault, Refused) and fault.why is Why.STALE:
            game = (await app.games.game(game.id)).game
        await _give_line_back(interaction, game, text, fault, at)
    else:
        interaction.client.kept_texts.forget(user, _form_id(left.game, user))
        await show_conditionals(interaction, left, line_warnings_text(left, text), waiting)


async def _give_line_back(
    interaction: Interaction, game: Game, text: str, fault: BrokenRecord | Refused, at: Moment | None
) -> None:
    """Say why a typed conditional line was refused, and quote it. A button opens the form with its text.

    The button is missing if the user may not add a line now.
    """
    user = interaction.user.id
    again = (type_line_button(game, user, say(TRY_AGAIN_LABEL)),) if may_add_conditional(game, user) else ()
    buttons = (*again, *why_buttons(fault))
    if again:
        interaction.client.kept_texts.keep(user, _form_id(game, user), text)
    if isinstance(fault, BrokenRecord):
        why = broken_line_text(fault, game, user)
    elif fault.why is Why.STALE:
        why = texts.join_lines(changed_since_text(game, at, user, await notation_of(interaction)), say(NOTHING_KEPT))
    else:
        why = texts.join_lines(refusal_texts.refusal_text(fault), say(NOTHING_KEPT))
    said = texts.join_lines(why, texts.you_wrote_text(text))
    await show_reply(interaction, said, rows=(buttons,) if buttons else ())


@handles("conditional", "{game}:{at:[0-9.]+}", Reply.FORM)
async def press_conditional(interaction: Interaction, game: int, at: str) -> None:
    """Open the form for a conditional line, filled with the text that was refused last at the moment `at`.

    Nothing is checked until the form is sent.
    """
    kept = interaction.client.kept_texts.find(interaction.user.id, f"conditional:{game}:{at}")
    field = text_field(
        "text",
        say(CONDITIONAL_FIELD),
        say(CONDITIONAL_HINT, number=DEEPEST_CONDITIONAL),
        style=discord.TextStyle.paragraph,
        max_length=LONGEST_LINE,
        default=kept,
    )
    form = build_form(say(CONDITIONAL_FORM_TITLE), f"conditional_form:{game}:{at}", field)
    await interaction.response.send_modal(form)


@handles("conditional_form", "{game}:{at:[0-9.]+}:.*", Reply.APART)
async def submit_conditional(interaction: Interaction, game: int, at: str) -> None:
    """Add the conditional line that was typed into the form, which was opened for the moment `at`."""
    found = (await interaction.client.app.games.game(game)).game
    await _leave_conditional(interaction, found, form_answers(interaction)["text"], parse_moment(at))


@handles("withdraw_conditional", "{game}:{turn_serial}:{line}")
async def press_withdraw_conditional(interaction: Interaction, game: int, turn_serial: int, line: int) -> None:
    """Withdraw a conditional line, and list the user's other lines.

    If the game has moved on, withdraw nothing and list all lines.
    """
    conditionals, user = interaction.client.app.conditionals, interaction.user.id
    try:
        left, note = await conditionals.withdraw_line(game, user, line, turn_serial), say(WITHDRAWN)
    except Refused as refusal:
        if refusal.why is not Why.STALE:
            raise
        left, note = await conditionals.conditionals_of(game, user), say(LINES_MOVED_ON)
    await show_conditionals(interaction, left, note)


async def keep_tried_line(interaction: Interaction, study: StoredStudy) -> None:
    """Add the turns tried in a study as a conditional line. List the user's lines in a new private message."""
    answer_apart(interaction)
    await save_line(interaction, study)


async def save_line(interaction: Interaction, study: StoredStudy) -> None:
    """Add the turns tried in a study as a conditional line, list the user's lines, and lead to their next game."""
    app = interaction.client.app
    waiting = await app.games.waiting_games(interaction.user.id)  # read first, because saving ends the snapshot
    await show_conditionals(interaction, await app.conditionals.add_line_from_study(study), waiting=waiting)
