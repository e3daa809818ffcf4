"""The button **Explorer** of studies and of finished games: show the turns that were played next from a position.

The `custom_id`s hold the record, the place in it, and the turns pressed since. So nothing is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gipfbot.languages import mark, say, say_amount, say_name, say_number
from gipfbot.match import Game, Refused, Status, Why
from gipfbot.match.explorer import EXPLORED_TURNS
from gipfbot.match.study import Study, study_game
from gipfbot.notation import Notation, turn_text
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.records.explorer import ExplorerView, NextTurn, shown_position_code
from gipfbot.ui.board.public_board import seat_names
from gipfbot.ui.kit import (
    Button,
    Interaction,
    PrivateRow,
    Reply,
    escape_text,
    escape_turn,
    handles,
    join_lines,
    notation_of,
    show_reply,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import ListedText
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.texts import number_repeats, pair_number, short_turn, shorten_text
from gipfbot.values import ExploredTurn, ListedGame
from render import Picture

from .study_texts import last_turn_text

BACK_LABEL, NEXT_RECORDED_LABEL = mark("Back"), mark("Next turn")
GAME_ENDS = mark("The game ends here, so no turn follows.")
UNKNOWN_POSITION = mark("No finished game has gone on from this position yet.")
LONGEST_EXPLORED_TURN, LONGEST_TURN_LABEL = 60, 20  # characters

CODE_LENGTH, MOST_STEPS = 4, 12  # characters of a turn's code, and turns of a path: it must fit into a `custom_id`
MOST_NAMED_GAMES = 3


def explorer_text(view: ExplorerView, game: Game, notation: Notation) -> str:
    """Return the text above the turns: the position, and how many games went on from it. `game` is the one shown."""
    last = last_turn_text(game, notation)
    where = say("after **{turn}**", turn=escape_turn(last)) if last else say("the start")
    heading = f"**{say(texts.EXPLORER_LABEL)}** · {ruleset_text(game.ruleset.name)} · {where}"
    return join_lines(heading, _games_text(view))


def _games_text(view: ExplorerView) -> str:
    if view.position.result:
        return say(GAME_ENDS)
    if not view.games:
        return too_late_text() if view.is_too_late else say(UNKNOWN_POSITION)
    return say_number("Played next, in {number} finished game:", "Played next, in {number} finished games:", view.games)


def too_late_text() -> str:
    """Return the answer at a position after the turns that the explorer knows."""
    known = pair_number(EXPLORED_TURNS)
    return say(
        "The explorer knows only the first {turns} turns of each game. Go back to see what it knows.", turns=known
    )


def explorer_caption(game: Game, notation: Notation) -> str:
    """Return the caption in the picture of a position of the explorer."""
    return f"{say(texts.EXPLORER_LABEL)} · {last_turn_text(game, notation) or say('the start')}"


def next_turn_line(view: ExplorerView, turn: NextTurn, notation: Notation) -> str:
    """Return the line of a turn: how many games it was played in, and how they ended."""
    text = shorten_text(turn_text(view.position, turn.actions, notation), LONGEST_EXPLORED_TURN)
    games = say_number("{number} game", "{number} games", turn.counted.games)
    here = say("played here") if turn.in_record else ""
    return " · ".join(filter(None, (f"**{escape_turn(text)}**", here, games, results_text(turn.counted))))


def next_turn_labels(view: ExplorerView, notation: Notation) -> list[str]:
    """Return the labels of the buttons that lead to the positions after the turns shown.

    Turns that differ only in what they remove are numbered.
    """
    written = [short_turn(turn_text(view.position, turn.actions, notation)) for turn in view.next_turns]
    return number_repeats([f"▶ {shorten_text(text, LONGEST_TURN_LABEL)}" for text in written])


def results_text(counted: ExploredTurn) -> str:
    """Return how games ended, such as `White won 62 %, Black won 38 %`. Results that never occurred are left out."""
    numbers = counted.white, counted.drawn, counted.black
    shares = zip(_RESULTS, _per_cents(numbers), numbers, strict=True)
    return ", ".join(say(result, share=share) for result, share, number in shares if number)


_RESULTS = mark("White won {share} %"), mark("drawn {share} %"), mark("Black won {share} %")


def _per_cents(numbers: Sequence[int]) -> list[int]:
    """Return the shares of numbers in whole per cent, which add up to 100. Does not check that there are numbers."""
    whole = [100 * number // sum(numbers) for number in numbers]
    missing = 100 - sum(whole)
    largest = sorted(range(len(numbers)), key=lambda at: -(100 * numbers[at] % sum(numbers)))[:missing]
    return [share + (at in largest) for at, share in enumerate(whole)]


def other_turns_text(view: ExplorerView) -> str:
    """Return the line about the turns that are not shown. Empty if all are shown."""
    if not view.other_turns:
        return ""
    games = view.games - sum(turn.counted.games for turn in view.next_turns)
    turns = say_amount("{number} other turn", "{number} other turns", view.other_turns)
    return say_number(
        "And {turns}, in {number} finished game.", "And {turns}, in {number} finished games.", games, turns=turns
    )


def newest_games_text(games: Sequence[ListedGame]) -> str:
    """Return the line that names the newest games. Empty if there are none."""
    return say("Newest games: {games}", games=" · ".join(map(_named_game, games))) if games else ""


def _named_game(game: ListedGame) -> str:
    white, black = map(escape_text, game.names)
    return say_name("{game} {white} vs {black}", game=f"**{game_name(game.id)}**", white=white, black=black)


def replay_game_label(game: int) -> str:
    """Return the label of the button that replays one of the newest games."""
    return say("Replay {game}", game=game_name(game))


@dataclass(frozen=True)
class _Explored:
    """A position being explored: a study's position, and the codes of the turns that lead on from there.

    `record` names the study's record in a `custom_id`: `game:12` or `study:7`.
    """

    record: str
    study: Study
    path: str = ""

    @property
    def custom_id(self) -> str:
        """The `custom_id` of a button that shows this position."""
        place = f"{self.study.place}:{len(self.study.tried)}:{shown_position_code(self.study)}"
        return f"explored_{self.record}:{place}:{self.path}"

    @property
    def codes(self) -> list[str]:
        """The codes of the path, one by one."""
        return [self.path[at : at + CODE_LENGTH] for at in range(0, len(self.path), CODE_LENGTH)]

    @property
    def in_record(self) -> bool:
        """Whether the position is in the record itself."""
        return not self.path and not self.study.tried

    def at_place(self, place: int) -> "_Explored":
        """Return the position at another place of the record."""
        return _Explored(self.record, replace(self.study, place=place, tried=()))

    def back(self) -> "_Explored | None":
        """Return the position one turn earlier. None at the start."""
        if self.path:
            return replace(self, path=self.path[:-CODE_LENGTH])
        if self.study.tried:
            return replace(self, study=replace(self.study, tried=self.study.tried[:-1]))
        return self.at_place(self.study.place - 1) if self.study.place else None


# ── The buttons that open it ──


def explore_study_button(study: Study) -> Button:
    """Return the button that explores the position that a study shows."""
    place = f"{study.place}:{len(study.tried)}:{shown_position_code(study)}"
    return Button(say(texts.EXPLORER_LABEL), f"explore_study:{study.id}:{place}", is_custom_id=True)


def explore_game_buttons(game: Game, place: int = 0) -> tuple[Button, ...]:
    """Return a tuple with the button that explores a game at a place. Empty unless the game is over and has turns."""
    if game.status is not Status.OVER or not game.turn_number:
        return ()
    return (Button(say(texts.EXPLORER_LABEL), f"explore_game:{game.id}:{place}"),)


@handles("explore_game", "{game}:{place}", Reply.APART)
async def press_explore_game(interaction: Interaction, game: int, place: int) -> None:
    """Explore a game, in a new private message."""
    if study := await _game_as_study(interaction, game):
        await _show_explorer(interaction, _Explored(f"game:{game}", _cut_study(study, place)))


@handles("explore_study", "{study}:{place}:{tried}:{check:[A-Za-z0-9_-]+}", Reply.APART)
async def press_explore_study(interaction: Interaction, study: int, place: int, tried: int, check: str) -> None:
    """Explore the position that a study of the person shows, in a new private message."""
    found = (await interaction.client.app.studies.study(study, interaction.user.id)).study
    await _show_checked(interaction, _Explored(f"study:{study}", _cut_study(found, place, tried)), check)


# ── The buttons on it ──


@handles("explored_game", "{game}:{place}:{tried}:{check:[A-Za-z0-9_-]+}:{path:[A-Za-z0-9_-]*}")
async def press_explored_game(
    interaction: Interaction, game: int, place: int, tried: int, check: str, path: str
) -> None:
    """Show another position from a game, on the message that was pressed."""
    if study := await _game_as_study(interaction, game):
        await _show_checked(interaction, _Explored(f"game:{game}", _cut_study(study, place, tried), path), check)


@handles("explored_study", "{study}:{place}:{tried}:{check:[A-Za-z0-9_-]+}:{path:[A-Za-z0-9_-]*}")
async def press_explored_study(
    interaction: Interaction, study: int, place: int, tried: int, check: str, path: str
) -> None:
    """Show another position from a study of the person, on the message that was pressed."""
    found = (await interaction.client.app.studies.study(study, interaction.user.id)).study
    await _show_checked(interaction, _Explored(f"study:{study}", _cut_study(found, place, tried), path), check)


async def _game_as_study(interaction: Interaction, game_id: int) -> Study | None:
    """Return a game as a study. If the person may not see the game, say so, and return None."""
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return None
    return Study(0, record.rules, seat_names(stored.game), tuple(step.actions for step in record.turns))


def _cut_study(study: Study, place: int, tried: int = 0) -> Study:
    """Return a study at a place of its record, with the first `tried` of its tried turns.

    A place beyond the end of the record counts as its end.
    """
    return replace(study, place=min(place, len(study.turns)), tried=study.tried[:tried], draft=())


async def _show_checked(interaction: Interaction, explored: _Explored, check: str) -> None:
    """Show a position. Raises Refused if the record has changed since its button was drawn."""
    if await interaction.client.app.aside.run(interaction.user.id, shown_position_code, explored.study) != check:
        raise Refused(Why.NOT_EXPLORED)
    await _show_explorer(interaction, explored)


async def _show_explorer(interaction: Interaction, explored: _Explored) -> None:
    """Show the explorer's turns and games for a position."""
    app, user = interaction.client.app, interaction.user.id
    view = await app.explorer.look(user, explored.study, explored.codes)
    notation, named = await notation_of(interaction), await visibility.visible_games(interaction, view.newest)
    named_study = replace(view.study, names=(say_name("White"), say_name("Black")))
    game = await app.aside.run(user, study_game, named_study)
    text, picture = explorer_text(view, game, notation), _explorer_picture(game, notation)
    rows = await app.aside.run(user, _explorer_rows, explored, view, named[:MOST_NAMED_GAMES], notation)
    await show_reply(interaction, text, picture, rows)


def _explorer_picture(game: Game, notation: Notation) -> Picture:
    return board_picture(new_board_message(game), explorer_caption(game, notation))


def _explorer_rows(
    explored: _Explored, view: ExplorerView, named: Sequence[ListedGame], notation: Notation
) -> list[PrivateRow]:
    """Return the turns, each with its button, then the games that the person may see, then the step buttons."""
    turns = _turn_rows(explored, view, notation)
    notes = other_turns_text(view), newest_games_text(named)
    replays = tuple(Button(replay_game_label(game.id), f"replay:{game.id}") for game in named)
    goes_on = any(turn.in_record for turn in view.next_turns)
    return [*turns, *filter(None, notes), *((replays,) if replays else ()), *_step_row(explored, goes_on=goes_on)]


def _turn_rows(explored: _Explored, view: ExplorerView, notation: Notation) -> list[PrivateRow]:
    """Return the rows of the turns. At the end of the longest path, they have no buttons."""
    rows = list[PrivateRow]()
    for turn, label in zip(view.next_turns, next_turn_labels(view, notation), strict=True):
        line = next_turn_line(view, turn, notation)
        after = replace(explored, path=explored.path + turn.code)
        if turn.in_record:
            after = explored.at_place(explored.study.place + 1)
        is_last = len(explored.codes) >= MOST_STEPS
        rows.append(line if is_last else ListedText(line, Button(label, after.custom_id)))
    return rows


def _step_row(explored: _Explored, *, goes_on: bool) -> tuple[PrivateRow, ...]:
    """Return the step buttons: one turn back, and the next turn of the record.

    The latter is left out if `goes_on`, because a row above already leads there.
    """
    buttons, place = list[Button](), explored.study.place
    if before := explored.back():
        buttons.append(Button(say(BACK_LABEL), before.custom_id))
    if explored.in_record and not goes_on and place < len(explored.study.turns):
        buttons.append(Button(say(NEXT_RECORDED_LABEL), explored.at_place(place + 1).custom_id))
    return (tuple(buttons),) if buttons else ()
