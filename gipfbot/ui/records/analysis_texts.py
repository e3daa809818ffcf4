"""The texts of analyses: the progress, the overview of a game, and each turning point."""

from collections.abc import Sequence
from typing import NamedTuple

from gipfbot.languages import mark, mark_number, say, say_amount, say_name, say_number
from gipfbot.match import Game
from gipfbot.match.analysis import DECIDED, FORCED, WIN, FoundTurn, GameAnalysis, JudgedTurn, Mark
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Colour
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.records.analyses import AnalysisView
from gipfbot.ui.kit import escape_text, escape_turn, join_lines
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.texts import player_name, turn_place
from gipfbot.values import AnalysisState
from render import BalancePlot, PlotMark

WHICH_ANALYSIS = mark("Which finished game?")
NO_FINISHED_GAMES = mark(
    "You have no finished games. **/gipf-learn analyse** also takes the name of any other game that you can see."
)
LOOK_AGAIN_LABEL, ANALYSIS_LABEL, OPEN_STUDY_LABEL = mark("Look again"), mark("Analysis"), mark("Step through")
BETTER_LINE_LABEL, BEST_LINE_LABEL = mark("Better line"), mark("Its line")
MARK_BEFORE_LABEL, MARK_AFTER_LABEL = mark("◀ Turning point"), mark("Turning point ▶")
POINT_PLACEHOLDER = mark("Go to a turning point")
MOST_SENTENCES = 10  # turning points in the overview
EVEN = 25  # hundredths of a piece: a smaller balance is called even; a marked turn costs more than twice that
HOW_IT_IS_FOUND = mark(
    "The bot can be wrong. “1 piece” is an advantage as big as one more piece; a good position counts, too."
)


# ── The progress ──


def progress_text(view: AnalysisView) -> str:
    """Return the text on the progress of an analysis that is not done."""
    game, found = game_name(view.stored.game.id), len(view.analysis.found) - 1
    far = say(
        "Analysing **{game}**: {found} of {turns} positions so far.", game=game, found=found, turns=view.analysis.turns
    )
    can_take_long = say("The bot plays its own games first, so this can take a while.")
    if view.told_by_dm:
        told = say("You get a direct message when it's done.")
    else:
        told = say("You take no direct messages, so press **Look again** here later.")
    return join_lines(f"{far} {can_take_long}", told)


def analysis_over_text(game: int, state: AnalysisState) -> str:
    """Return the direct message that says that an analysis is over."""
    if state is AnalysisState.DONE:
        return say("Your analysis of **{game}** is ready.", game=game_name(game))
    return say(
        "Your analysis of **{game}** has failed: the search gave no answer. "
        "Ask again later, and it goes on where it was.",
        game=game_name(game),
    )


# ── The overview ──


def overview_text(game: Game, judged: GameAnalysis, notation: Notation) -> str:
    """Return the overview of an analysis: both players' marks, and the turning points."""
    told = told_points(judged)
    lines = [turning_point_text(turn, notation) for turn in told]
    more = len(judged.marked) - len(told)
    rest = _others_text(more) if more else ""
    none = "" if lines else say("No turning points: no single turn cost a piece or more.")
    return join_lines(marks_text(game, judged), none, *lines, rest)


def _others_text(more: int) -> str:
    return say_number(
        "**Step through** shows {number} more, which cost less.",
        "**Step through** shows {number} more, which cost less.",
        more,
    )


def marks_text(game: Game, judged: GameAnalysis) -> str:
    """Return how many marks each player has, without the turns."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    players = say("{white} vs {black}", white=white, black=black)
    heading = f"**{_analysis_title(game)}** · {players} · {ruleset_text(game.ruleset.name)}"
    return join_lines(heading, *(_marks_line(game, judged, colour) for colour in Colour))


def _analysis_title(game: Game) -> str:
    return say_name("Analysis of {game}", game=game_name(game.id))


def told_points(judged: GameAnalysis, most: int = MOST_SENTENCES) -> Sequence[JudgedTurn]:
    """Return the turning points that matter most, in the order of the game."""
    ranked = sorted(judged.marked, key=lambda turn: (turn.mark is Mark.ONLY, -turn.lost, turn.place))
    return sorted(ranked[:most], key=lambda turn: turn.place)


_COUNTED = {
    Mark.BLUNDER: mark_number("{number} blunder (`??`)", "{number} blunders (`??`)"),
    Mark.MISTAKE: mark_number("{number} mistake (`?`)", "{number} mistakes (`?`)"),
    Mark.ONLY: mark_number("{number} only good turn (`!`)", "{number} only good turns (`!`)"),
}


def _marks_line(game: Game, judged: GameAnalysis, colour: Colour) -> str:
    marks = [turn.mark for turn in judged.marked if turn.before.mover is colour]
    counts = ", ".join(say_amount(*_COUNTED[each], marks.count(each)) for each in Mark if each and each in marks)
    facts = {"colour": say_name(str(colour)), "name": escape_text(game.seats[colour].name)}
    if not counts:
        return say("{colour}, {name}: no marks", **facts)
    return say("{colour}, {name}: {marks}", marks=counts, **facts)


def turning_point_text(turn: JudgedTurn, notation: Notation) -> str:
    """Return the sentence on a turning point, such as `14. Black e2-e4?? b5 was better, by about 2 pieces`."""
    return verdict_text(turn, notation, f"**{escape_turn(point_label(turn, notation))}**")


def point_label(turn: JudgedTurn, notation: Notation) -> str:
    """Return a turn with its number and its mark: `14. Black e2-e4??`."""
    return f"{turn_place(turn.place)} {turn_text(turn.before, turn.actions, notation)}{turn.mark}"


class _Told(NamedTuple):
    """A fact about a turn: as a sentence about the turn that it names, and about `it`, which was just named."""

    named: str
    it: str

    def say(self, named: str, **facts: str) -> str:
        return say(self.named, named=named, **facts) if named else say(self.it, **facts)


class _Outcome(NamedTuple):
    """The effect of the best turn for its player, if it is the only good one and was played, and if it was missed."""

    only: _Told
    missed: str


_PUTS_OFF = _Outcome(
    _Told(
        mark("{named} is the only good turn: it puts the loss off."),
        mark("It is the only good turn: it puts the loss off."),
    ),
    mark("{turn} would have put the loss off."),
)
_KEEPS_BALANCE = _Outcome(
    _Told(
        mark("{named} is the only good turn: it keeps the balance."),
        mark("It is the only good turn: it keeps the balance."),
    ),
    mark("{turn} would have kept the balance."),
)
_KEEPS_AHEAD = _Outcome(
    _Told(
        mark("{named} is the only good turn: it keeps {colour} {pieces} ahead."),
        mark("It is the only good turn: it keeps {colour} {pieces} ahead."),
    ),
    mark("{turn} would have kept {colour} {pieces} ahead."),
)
_LEAVES_BEHIND = _Outcome(
    _Told(
        mark("{named} is the only good turn: it leaves {colour} {pieces} behind."),
        mark("It is the only good turn: it leaves {colour} {pieces} behind."),
    ),
    mark("{turn} would have left {colour} {pieces} behind."),
)
# The harm that a turn does to its own player, if it does not only cost pieces. The better turn follows.
_LOSES = _Told(mark("{named} loses at once"), mark("It loses at once"))
_LETS_WIN = _Told(mark("{named} lets {opponent} win by force"), mark("It lets {opponent} win by force"))
_MISSES_WIN = _Told(mark("{named} misses a forced win"), mark("It misses a forced win"))


def verdict_text(turn: JudgedTurn, notation: Notation, named: str = "") -> str:
    """Return the verdict on a turning point. `named` is its turn; empty if the turn was just named, as in a study."""
    best, mover = turn.best[0], turn.before.mover
    if turn.mark is Mark.ONLY:
        return f"{_only_good_text(best, mover, named)} {_all_others(turn.best[1], turn, notation)}"
    better = _written(best, turn, notation)
    if harm := _harm(turn):
        done = harm.say(named, opponent=say_name(str(mover.other)))
        return f"{done}; {_missed_text(best, mover, better)}"
    return f"{named} {say('{turn} was better, by {pieces}.', turn=better, pieces=_about_pieces(turn.lost))}".lstrip()


def _harm(turn: JudgedTurn) -> _Told | None:
    """Return the harm that a turn does to its own player. None if it only costs pieces."""
    if turn.score == 1 - WIN:
        return _LOSES
    if turn.score < -FORCED:
        return _LETS_WIN
    return _MISSES_WIN if turn.best[0].score > FORCED else None


def _only_good_text(best: FoundTurn, mover: Colour, named: str) -> str:
    """Return the sentence that a turn, which was played, is the only good one, and on its effect for its player."""
    if best.score <= FORCED:
        return _outcome(best).only.say(named, **_outcome_facts(best, mover))
    turns = _own_turns(best)
    if not named:
        return say_number(
            "It is the only good turn: it wins by force in {number} turn.",
            "It is the only good turn: it wins by force in {number} own turns.",
            turns,
        )
    return say_number(
        "{named} is the only good turn: it wins by force in {number} turn.",
        "{named} is the only good turn: it wins by force in {number} own turns.",
        turns,
        named=named,
    )


def _missed_text(best: FoundTurn, mover: Colour, written: str) -> str:
    """Return the sentence on the effect of the best turn for its player, which was not played."""
    if best.score <= FORCED:
        return say(_outcome(best).missed, turn=written, **_outcome_facts(best, mover))
    return say_number(
        "{turn} would have won by force in {number} turn.",
        "{turn} would have won by force in {number} own turns.",
        _own_turns(best),
        turn=written,
    )


def _outcome(best: FoundTurn) -> _Outcome:
    """Return the effect of the best turn for its player, which does not win by force."""
    if best.score < -FORCED:
        return _PUTS_OFF
    if abs(best.worth) < EVEN:
        return _KEEPS_BALANCE
    return _KEEPS_AHEAD if best.worth > 0 else _LEAVES_BEHIND


def _outcome_facts(best: FoundTurn, mover: Colour) -> dict[str, str]:
    return {"colour": say_name(str(mover)), "pieces": _about_pieces(abs(best.worth))}


def _all_others(second: FoundTurn, turn: JudgedTurn, notation: Notation) -> str:
    if second.score < -FORCED:
        return say("All others lose by force.")
    written = _written(second, turn, notation)
    if turn.best[0].score > FORCED:
        return say("The next best, {turn}, misses the win.", turn=written)
    costs = _about_pieces(turn.best[0].worth - second.worth)
    return say("The next best, {turn}, costs {pieces}.", turn=written, pieces=costs)


def _written(found: FoundTurn, turn: JudgedTurn, notation: Notation) -> str:
    return f"**{escape_turn(turn_text(turn.before, found.actions, notation))}**"


def _own_turns(best: FoundTurn) -> int:
    """Return the number of their own turns in which a player wins by force, starting with the best turn."""
    return (WIN - best.score + 1) // 2


def _about_pieces(hundredths: int) -> str:
    whole, half = divmod(max(1, round(hundredths / 50)), 2)
    if not whole:
        return say_name("about half a piece")
    if half:
        return say_amount("about {number}½ pieces", "about {number}½ pieces", whole)
    return say_amount("about a piece", "about {number} pieces", whole)


# ── In a study ──


def study_point_text(judged: GameAnalysis, place: int, notation: Notation) -> str:
    """Return an analysis's text for a place of a study: the balance, and the verdict on the turn before it."""
    if not place:
        return ""
    turn = next((turn for turn in judged.marked if turn.place == place), None)
    return join_lines(verdict_text(turn, notation) if turn else "", balance_text(judged.balance[place]))


def balance_text(balance: int) -> str:
    """Return the sentence on a balance: above 0, White stands better."""
    ahead = Colour.WHITE if balance > 0 else Colour.BLACK
    leading = say_name(str(ahead))
    if abs(balance) >= DECIDED:
        return say("Balance: {colour} is winning.", colour=leading)
    if abs(balance) < EVEN:
        return say("Balance: even.")
    return say("Balance: {colour} +{pieces}.", colour=leading, pieces=abs(balance) / 100)


# ── The plot ──


def balance_plot(game: Game, judged: GameAnalysis) -> BalancePlot:
    """Return the picture of a game's balance."""
    names = player_name(game.seats[0].name), player_name(game.seats[1].name)
    marks = tuple(PlotMark(turn.place, str(turn.mark)) for turn in judged.marked)
    return BalancePlot(_analysis_title(game), names, judged.balance, marks)
