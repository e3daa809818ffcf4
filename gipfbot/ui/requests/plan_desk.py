"""**Plan ahead…**: a player enters the opponent's next turn and their answer by pressing, as often as they like.

What is half made is a hidden study, which begins with what the player knows of the opponent's turn. **Save** makes it
conditional turns. The `custom_id`s store what the player has selected but not yet entered.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from gipfbot.languages import mark, say, say_name
from gipfbot.match import Game, Refused, Why
from gipfbot.match.conditionals import (
    DEEPEST_CONDITIONAL,
    ConditionalLine,
    Decision,
    can_coexist,
    check_waiting,
    known_draft,
    lines_begin_at,
    may_add_conditional,
    tried_decisions,
    tried_line,
)
from gipfbot.match.study import Actions, Study, begins_in, drop_tried, step_back_to, study_game
from gipfbot.notation import Notation
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import move_button_label
from gipfbot.ui.desk.desk_texts import PLAYER, START_OVER_LABEL, other_reader, press_turn_text
from gipfbot.ui.desk.screens import (
    BACK_ONE_TURN_LABEL,
    GONE_ON,
    NO_FOCUS,
    TYPE_IT_LABEL,
    Focus,
    Screen,
    buttons_beside,
    desk_focus,
    desk_screen,
    marked_picture,
    pressed_step,
)
from gipfbot.ui.kit import Button, Interaction, Reply, handles, join_lines, notation_of, show_reply, texts
from gipfbot.ui.kit.components import with_note_above
from gipfbot.ui.kit.moments import moved_on_text
from gipfbot.ui.kit.refusal_texts import refusal_text
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.turn_words import game_notation, pressed_with_notation
from gipfbot.values import HiddenUse, StoredGame, StoredStudy

from .conditionals import SAVED_PLANS, lines_saved, plans_button, save_line, saved_plans_text, type_line_button

SAVE_LABEL, GO_ON_LABEL, CLEAR_LABEL = mark("Save"), mark("Go on"), mark("Clear the plan")
PLAN_GOES_ON = mark("You began this plan earlier. Here is how far you got.")
PLAN_GONE = mark("This plan was saved or cleared. **/gipf if** lists what you have saved.")
PLAN_MOVED_ON = mark("The game has moved on, so your plan was dropped.")
PLANNED_ALREADY, REPLACES = mark("**Planned already:** {plans}."), mark("⚠ Saving this replaces your plan: {plans}.")
PLAN_IS_FULL = mark("The plan can't go further.")
NOTHING_PLAYED = mark("This is a plan: nothing is played now.")
NOTHING_TO_ANSWER = mark("That ends the game, so there is nothing to answer.")
LONGEST_PLAN = 600  # characters of the turns of a plan


@handles("plan", "{game}", Reply.APART)
async def press_plan(interaction: Interaction, game: int) -> None:
    """Open the desk of a plan, with what was entered in it before. The message that was pressed stays."""
    await _open_plan(interaction, await interaction.client.app.games.game(game))


async def _open_plan(interaction: Interaction, stored: StoredGame, note: str = "") -> None:
    """Show the plan of a waiting player. Raises Refused if they may not plan now."""
    user, game = interaction.user.id, stored.game
    check_waiting(game, user)
    await notation_of(interaction)  # read first, because saving ends the snapshot
    saved = await lines_saved(interaction, stored)
    plan = await interaction.client.app.studies.begin_hidden(game, user, HiddenUse.PLAN, known_draft(game, user))
    begun = say(PLAN_GOES_ON) if _is_begun(game, user, plan.study) else ""
    await _show_plan(interaction, game, plan, saved, note=join_lines(note, begun))


def _is_begun(game: Game, user: int, study: Study) -> bool:
    return bool(study.tried) or study.draft != known_draft(game, user)


@handles("plan_desk", "{study}:{version}:{verb:[a-z]+}:{what:.*}")
async def press_plan_desk(interaction: Interaction, study: int, version: int, verb: str, what: str) -> None:
    """Enter the pressed part of a plan, step back, or save it. An outdated button only shows the plan as it is."""
    app, user = interaction.client.app, interaction.user.id
    plan = await app.studies.hidden_study(study, user, HiddenUse.PLAN)
    if plan is None or plan.game is None:
        await show_reply(interaction, say(PLAN_GONE))
        return
    stored = await app.games.game(plan.game)
    game = stored.game
    if not _is_plan_current(game, user, plan.study):
        await _show_moved_on(interaction, stored)
        return
    await notation_of(interaction)  # read first, because saving ends the snapshot
    if verb == "save" and plan.study.version == version:
        await save_line(interaction, plan)
        return
    saved = await lines_saved(interaction, stored)
    if plan.study.version != version:
        await _show_plan(interaction, game, plan, saved, note=say(GONE_ON))
    elif step := _own_step(game, user, verb) or pressed_step(plan.study, verb, what):
        await _show_plan(interaction, game, await app.studies.change(study, user, version, step), saved)
    else:
        await _show_plan(interaction, game, plan, saved, desk_focus(verb, what))


def _is_plan_current(game: Game, user: int, study: Study) -> bool:
    return may_add_conditional(game, user) and begins_in(study, game.position, known_draft(game, user))


def _own_step(game: Game, user: int, verb: str) -> Callable[[Study], Study] | None:
    """Return what a button does that the desk of a turn does not have. None for any other button."""
    begun = known_draft(game, user)
    steps: dict[str, Callable[[Study], Study]] = {
        "untry": partial(step_back_to, begun=begun),
        "again": lambda study: replace(drop_tried(study), draft=begun),
    }
    return steps.get(verb)


async def _show_moved_on(interaction: Interaction, stored: StoredGame) -> None:
    """Say what was played since a plan was begun. Begin a new one if the player may, else lead to their turn."""
    game = stored.game
    note = moved_on_text(say(PLAN_MOVED_ON), game, await notation_of(interaction))
    try:
        await _open_plan(interaction, stored, note)
    except Refused as refusal:
        note_refusal(interaction, refusal)
        is_asked = game.asked is not None and game.seats[game.asked].user == interaction.user.id
        move = Button(move_button_label(game), f"open_desk:{game.id}", "primary") if is_asked else _game_button(game)
        await show_reply(interaction, join_lines(note, refusal_text(refusal)), rows=((move,),))


# ── The screen ──


async def _show_plan(
    interaction: Interaction,
    game: Game,
    plan: StoredStudy,
    saved: Sequence[ConditionalLine],
    focus: Focus | None = None,
    note: str = "",
) -> None:
    """Show a plan: the desk of its next turn; or after an answer, unless `focus` is given, what to do with it.

    `saved` are the player's lines from the current position.
    """
    user, study, notation = interaction.user.id, plan.study, await notation_of(interaction)
    shown = study_game(study)
    shown = shown if study.tried else replace(shown, last=game.last)  # marked until something is entered
    line, why_not = _complete_line(game, user, study)
    decided = tried_decisions(game, user, _entered(shown, study))
    if shown.question is None or why_not or (line and focus is None):
        screen = _between_turns(game, user, shown, line)
    else:
        screen = _turn_screen(game, user, plan, shown, focus or NO_FOCUS, saved, is_complete=bool(line))
    known = _saved_text(game, user, saved, line or [each.actions for each in decided], is_complete=bool(line))
    text = join_lines(_heading(game, user), plan_line_text(game, user, decided, notation), known, screen.text)
    rows = with_note_above(join_lines(note, why_not), screen.rows)
    prefix = f"plan_desk:{study.id}:{study.version}:"
    await show_reply(interaction, text, screen.picture, rows, prefix, colour=game.colour_of(user))


def _complete_line(game: Game, user: int, study: Study) -> tuple[Sequence[Actions], str]:
    """Return the line of conditional turns that a plan makes, empty if it is not complete, and why it cannot be one."""
    try:
        return tried_line(game, user, (*study.tried, study.draft) if study.draft else study.tried), ""
    except Refused as refusal:
        return (), "" if refusal.why is Why.CONDITIONAL_UNANSWERED else refusal_text(refusal)


def _entered(shown: Game, study: Study) -> Sequence[Actions]:
    """Return the turns of a plan, and the unfinished one if both players decide in it (R8.4)."""
    return (*study.tried, study.draft) if shown.handed_over else study.tried


def _saved_text(
    game: Game,
    user: int,
    saved: Sequence[ConditionalLine],
    turns: Sequence[Actions],
    *,
    is_complete: bool,
) -> str:
    """Return the line on the saved lines that the turns of a plan would replace; at its start, on all of them."""
    begun = lines_begin_at(game, user)
    meant = [line for line in saved if not can_coexist(begun, line.turns, turns)]
    return saved_plans_text(meant, REPLACES if is_complete else PLANNED_ALREADY if turns else SAVED_PLANS)


def _turn_screen(
    game: Game,
    user: int,
    plan: StoredStudy,
    shown: Game,
    focus: Focus,
    saved: Sequence[ConditionalLine],
    *,
    is_complete: bool,
) -> Screen:
    """Return the desk of the next turn, as its player would see it. A plan that is complete up to it can be saved."""
    theirs, name = shown.asked is not game.colour_of(user), _opponent(game, user)
    task = say_name("Plan your answer")
    if theirs:
        task = say_name("Plan {name}'s turn", name=texts.player_name(game.seats[shown.decider].name))
    reader = other_reader(name, "", task) if theirs else PLAYER._replace(task=task)
    study, desk = plan.study, desk_screen(shown, focus, reader)
    typed = (type_line_button(game, user, say(TYPE_IT_LABEL)),) if not _is_begun(game, user, study) else ()
    listed = plans_button(game, saved) if typed else ()
    save = (_save_button(),) if is_complete else ()
    back = (*listed, _game_button(game), *typed, *_back_buttons(game, user, study), *save)
    beside = back[-buttons_beside(desk.rows, focus) :]
    ask = say("**What do you answer?**")
    if theirs:
        ask = f"{say(NOTHING_PLAYED)} {say('**What will {name} play?**', name=name)}"
    ask = f"{ask} {press_turn_text(shown.question)}".rstrip()
    return Screen(join_lines(ask, desk.text), desk.picture, (*desk.rows, beside))


def _save_button() -> Button:
    return Button(say(SAVE_LABEL), "save:-", "success")


def _game_button(game: Game) -> Button:
    """Return the button back to the game, which stays on each screen of a plan that has room. The plan is kept."""
    return Button(say(texts.BACK_TO_GAME_LABEL), f"more:{game.id}::", is_custom_id=True)


def _back_buttons(game: Game, user: int, study: Study) -> tuple[Button, ...]:
    """Return the buttons that take back what is entered. To clear the plan, more than one turn must be begun."""
    if not _is_begun(game, user, study):
        return ()
    clear = (Button(say(CLEAR_LABEL), "again:-"),) if len(study.tried) + bool(study.draft) > 1 else ()
    return *clear, Button(say(START_OVER_LABEL) if study.draft else say(BACK_ONE_TURN_LABEL), "untry:-")


def _between_turns(game: Game, user: int, shown: Game, line: Sequence[Actions]) -> Screen:
    """Return the screen after the player's answer, or after a turn that no answer can follow."""
    can_go_on = bool(line) and shown.question is not None and len(line) < 2 * DEEPEST_CONDITIONAL
    save = (_save_button(),) if line else ()
    on = (Button(say(GO_ON_LABEL), "on:-"),) if can_go_on else ()
    back = Button(say(CLEAR_LABEL), "again:-"), Button(say(BACK_ONE_TURN_LABEL), "untry:-")
    name = _opponent(game, user)
    if line:
        saves = say("Save this: if {name} plays so, your answer is played at once.", name=name)
        further = say("Or **Go on**: plan {name}'s next turn, too.", name=name) if can_go_on else say(PLAN_IS_FULL)
        said = f"{saves} {further}"
    else:
        said = say(NOTHING_TO_ANSWER) if shown.question is None else ""
    return Screen(said, marked_picture(shown, ""), ((*save, *on, *back, _game_button(game)),))


def _heading(game: Game, user: int) -> str:
    parts = (
        say("**Plan ahead in {game}**", game=game_name(game.id)),
        say("vs {name}", name=_opponent(game, user)),
        say("nobody else sees it"),
    )
    return " · ".join(parts)


# What each player plays in a plan: the opponent and the player, by where it stands in the line.
_FIRST = mark("If {name} plays {turn}"), mark("You play {turn}")
_IN_PAIR = mark("if {name} plays {turn}"), mark("you play {turn}")
_NEXT_PAIR = mark("then if {name} plays {turn}"), mark("then you play {turn}")


def plan_line_text(game: Game, user: int, decided: Sequence[Decision], notation: Notation) -> str:
    """Return what is entered of a plan: `If Bob plays e2, you play g3, then if Bob plays b3`. Empty at its start.

    If it exceeds LONGEST_PLAN characters, only its end is returned.
    """
    name, mine = _opponent(game, user), game.colour_of(user)
    said = list[str]()
    for at, each in enumerate(decided):
        clauses = _IN_PAIR if at % 2 else _NEXT_PAIR if at else _FIRST
        turn = pressed_with_notation(each.actions, game_notation(game, each.start, each.actions, notation))
        said.append(say(clauses[each.by is mine], name=name, turn=turn))
    pairs = [", ".join(said[at : at + 2]) for at in range(0, len(said), 2)]
    while len(", ".join(pairs)) > LONGEST_PLAN and len(pairs) > 1:
        pairs = ["…", *pairs[2 if pairs[0] == "…" else 1 :]]
    return ", ".join(pairs)


def _opponent(game: Game, user: int) -> str:
    colour = game.colour_of(user)
    assert colour is not None
    return texts.escape_text(game.seats[colour.other].name)
