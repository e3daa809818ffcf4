"""The texts of analyses: the progress, the overview of a game, and each turning point."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.match.analysis import DECIDED, FORCED, WIN, FoundTurn, GameAnalysis, JudgedTurn, Mark
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Colour, ruleset_words
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.records.analyses import AnalysisView
from gipfbot.ui.kit import escape_text, escape_turn, join_lines
from gipfbot.ui.kit.texts import turn_place
from gipfbot.values import AnalysisState
from render import BalancePlot, PlotMark

WHICH_ANALYSIS = "Which finished game?"
NO_FINISHED_GAMES = (
    "You have no finished games. **/gipf-learn analyse** also takes the name of any other game that you can see."
)
LOOK_AGAIN_LABEL, ANALYSIS_LABEL, OPEN_STUDY_LABEL = "Look again", "Analysis", "Step through"
BETTER_LINE_LABEL, BEST_LINE_LABEL = "Better line", "Its line"
MARK_BEFORE_LABEL, MARK_AFTER_LABEL = "◀ ?!", "?! ▶"
POINT_PLACEHOLDER = "Go to a turning point"
MOST_SENTENCES = 10  # turning points in the overview
EVEN = 25  # hundredths of a piece: a smaller balance is called even; a marked turn costs more than twice that
HOW_IT_IS_FOUND = "-# The bot can be wrong. “1 piece” is the worth of a basic piece; a good position counts, too."


# ── The progress ──


def progress_text(view: AnalysisView) -> str:
    """Return the text on the progress of an analysis that is not done."""
    found, turns = len(view.analysis.found) - 1, view.analysis.turns
    far = f"Analysing **{game_name(view.stored.game.id)}**: {found} of {turns} positions so far."
    said = f"{far} The bot plays its own games first, so this can take a while."
    if view.told_by_dm:
        return f"{said}\nYou get a direct message when it's done."
    return f"{said}\nYou take no direct messages, so press **{LOOK_AGAIN_LABEL}** here later."


def analysis_over_text(game: int, state: AnalysisState) -> str:
    """Return the direct message that says that an analysis is over."""
    if state is AnalysisState.DONE:
        return f"Your analysis of **{game_name(game)}** is ready."
    return (
        f"Your analysis of **{game_name(game)}** has failed: the search gave no answer. "
        "Ask again later, and it goes on where it was."
    )


# ── The overview ──


def overview_text(game: Game, judged: GameAnalysis, notation: Notation) -> str:
    """Return the overview of an analysis: both players' marks, and the turning points."""
    told = told_points(judged)
    lines = [turning_point_text(turn, notation) for turn in told]
    more = len(judged.marked) - len(told)
    rest = f"**{OPEN_STUDY_LABEL}** shows {more} more, which cost less." if more else ""
    none = "" if lines else "No turning points: no single turn cost a piece or more."
    return join_lines(marks_text(game, judged), none, *lines, rest)


def marks_text(game: Game, judged: GameAnalysis) -> str:
    """Return how many marks each player has, without the turns."""
    names = " vs ".join(escape_text(seat.name) for seat in game.seats)
    heading = f"**Analysis of {game_name(game.id)}** · {names} · {ruleset_words(game.ruleset.name)}"
    return join_lines(heading, *(_marks_line(game, judged, colour) for colour in Colour))


def told_points(judged: GameAnalysis, most: int = MOST_SENTENCES) -> Sequence[JudgedTurn]:
    """Return the turning points that matter most, in the order of the game."""
    ranked = sorted(judged.marked, key=lambda turn: (turn.mark is Mark.ONLY, -turn.lost, turn.place))
    return sorted(ranked[:most], key=lambda turn: turn.place)


def _marks_line(game: Game, judged: GameAnalysis, colour: Colour) -> str:
    marks = [turn.mark for turn in judged.marked if turn.before.mover is colour]
    counts = ", ".join(f"{marks.count(mark)} `{mark}`" for mark in Mark if mark and mark in marks)
    return f"{colour}, {escape_text(game.seats[colour].name)}: {counts or 'no marks'}"


def turning_point_text(turn: JudgedTurn, notation: Notation) -> str:
    """Return the sentence on a turning point, such as `14. Black e2-e4?? b5 was better, by about 2 pieces`."""
    return f"**{escape_turn(point_label(turn, notation))}** {verdict_text(turn, notation)}"


def point_label(turn: JudgedTurn, notation: Notation) -> str:
    """Return a turn with its number and its mark: `14. Black e2-e4??`."""
    return f"{turn_place(turn.place)} {turn_text(turn.before, turn.actions, notation)}{turn.mark}"


def verdict_text(turn: JudgedTurn, notation: Notation, subject: str = "") -> str:
    """Return the verdict on a turning point. `subject` stands for the turn; empty if the turn itself comes before."""
    best = turn.best[0]
    if turn.mark is Mark.ONLY:
        outcome = _outcome(best, turn.before.mover, played=True)
        return f"{subject}is the only good turn: it {outcome}. {_all_others(turn.best[1], turn, notation)}"
    better = _written(best, turn, notation)
    if harm := _harm(turn):
        return f"{subject}{harm}; {better} {_outcome(best, turn.before.mover, played=False)}."
    return f"{better} was better, by {_about_pieces(turn.lost)}."


def _harm(turn: JudgedTurn) -> str:
    """Return the harm that a turn does to its own player, in words. Empty if it only costs pieces."""
    if turn.score == 1 - WIN:
        return "loses at once"
    if turn.score < -FORCED:
        return f"lets {turn.before.mover.other} win by force"
    return "misses a forced win" if turn.best[0].score > FORCED else ""


def _outcome(best: FoundTurn, mover: Colour, *, played: bool) -> str:
    """Return the effect of the best turn for its player. Unless `played`, it is in the conditional."""
    if best.score > FORCED:
        return f"{'wins' if played else 'would have won'} by force in {_own_turns(WIN - best.score)}"
    if best.score < -FORCED:
        return f"{'puts' if played else 'would have put'} the loss off"
    keeps = "keeps" if played else "would have kept"
    if abs(best.worth) < EVEN:
        return f"{keeps} the balance"
    if best.worth > 0:
        return f"{keeps} {mover} {_about_pieces(best.worth)} ahead"
    return f"{'leaves' if played else 'would have left'} {mover} {_about_pieces(-best.worth)} behind"


def _all_others(second: FoundTurn, turn: JudgedTurn, notation: Notation) -> str:
    if second.score < -FORCED:
        return "All others lose by force."
    costs = f"costs {_about_pieces(turn.best[0].worth - second.worth)}"
    harm = "misses the win" if turn.best[0].score > FORCED else costs
    return f"The next best, {_written(second, turn, notation)}, {harm}."


def _written(found: FoundTurn, turn: JudgedTurn, notation: Notation) -> str:
    return f"**{escape_turn(turn_text(turn.before, found.actions, notation))}**"


def _own_turns(turns: int) -> str:
    """Return the number of a player's own turns in words. `turns` counts both players, starting with this one."""
    own = (turns + 1) // 2
    return "1 turn" if own == 1 else f"{own} own turns"


def _about_pieces(hundredths: int) -> str:
    halves = max(1, round(hundredths / 50))
    if halves == 1:
        return "about half a piece"
    return "about a piece" if halves == 2 else f"about {halves // 2}{'½' if halves % 2 else ''} pieces"


# ── In a study ──


def study_point_text(judged: GameAnalysis, place: int, notation: Notation) -> str:
    """Return an analysis's text for a place of a study: the balance, and the verdict on the turn before it."""
    if not place:
        return ""
    turn = next((turn for turn in judged.marked if turn.place == place), None)
    return join_lines(verdict_text(turn, notation, "It ") if turn else "", balance_text(judged.balance[place]))


def balance_text(balance: int) -> str:
    """Return the sentence on a balance: above 0, White stands better."""
    if abs(balance) >= DECIDED:
        return f"Balance: {_side(balance)} is winning."
    if abs(balance) < EVEN:
        return "Balance: even."
    return f"Balance: {_side(balance)} +{abs(balance) / 100:.1f}."


def _side(balance: int) -> Colour:
    return Colour.WHITE if balance > 0 else Colour.BLACK


# ── The plot ──


def balance_plot(game: Game, judged: GameAnalysis) -> BalancePlot:
    """Return the picture of a game's balance."""
    names = game.seats[0].name, game.seats[1].name
    marks = tuple(PlotMark(turn.place, str(turn.mark)) for turn in judged.marked)
    return BalancePlot(f"Analysis of {game_name(game.id)}", names, judged.balance, marks)
