"""The button **Why this turn?** on a turn of the bot: it shows facts that explain it, and marks their rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gipfbot.notation import Notation, RecordedTurn
from gipfbot.rules import Colour, Kind, Reason
from gipfbot.rules.changes import Pushed, Removed, Used
from gipfbot.rules.powers import POWERS
from gipfbot.rules.turn_facts import FactKind, TurnFact
from gipfbot.service.house.turn_reasons import Basis, TurnReasons
from gipfbot.ui.kit import (
    Interaction,
    Reply,
    escape_text,
    handles,
    join_lines,
    notation_of,
    show_reply,
    visibility,
)
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.texts import turn_in_words
from gipfbot.ui.kit.turn_words import game_notation, notation_clause, piece_name, pieces_in_words, pressed_turn
from gipfbot.ui.records.replay import turn_picture
from render import Picture

NOT_THERE = "That turn isn't there any more: it was taken back. Press **Why this turn?** on a newer board."
NOT_KEPT = "What the bot expected wasn't kept with this turn. Newer turns can be explained."
PASSES = "Passes: it has no piece left to push."
FALLBACK = "The bot's engine gave no answer, so this is the first turn that the rules allow."


def reasons_text(reasons: TurnReasons, viewer: Colour | None, notation: Notation) -> str:
    """Return why the bot has played a turn. `viewer` is the colour of the person who reads it; None if they watch."""
    return join_lines(_heading(reasons, notation), *reason_sentences(reasons, viewer))


def _heading(reasons: TurnReasons, notation: Notation) -> str:
    name = escape_text(reasons.stored.game.seats[reasons.colour].name)
    turn = game_notation(reasons.stored.game, reasons.turn.before, reasons.turn.actions, notation)
    written = notation_clause(reasons.turn.actions, turn)
    place = f"{turn_in_words(reasons.turn.turn_number)}{written and f', {written}'}"
    return f"Why {name} played **{pressed_turn(reasons.turn.actions)}** ({place})"


def reason_sentences(reasons: TurnReasons, viewer: Colour | None) -> list[str]:
    """Return one or two sentences that explain a turn. Without a reason, they say what the turn does."""
    if not reasons.facts:
        known = {Basis.NOT_KEPT: [NOT_KEPT], Basis.FALLBACK: [FALLBACK]}.get(reasons.basis, [])
        return [*known, " ".join(_event_sentences(reasons.turn)) or PASSES]
    words = _Words(reasons.colour.other, viewer)
    return [
        fact_sentence(fact, words, letter)
        for fact, letter in zip(reasons.facts, row_letters(reasons.facts), strict=True)
    ]


def _event_sentences(turn: RecordedTurn) -> Iterator[str]:
    """Yield what a turn has done to the board, step by step. Nothing if it was a pass."""
    for event in describe_actions(turn.before, turn.actions):
        if isinstance(event, Pushed):
            others = len(event.moved) - 1
            room = f", and moves {others} {'piece' if others == 1 else 'pieces'} one spot" if others else ""
            kind = event.push.kind
            yield f"Brings in a {'piece' if kind is Kind.BASIC else piece_name(kind)} on {event.push.spot}{room}."
        elif isinstance(event, Used):
            use = event.use
            puts = f"puts {use.put} on" if use.put else "jumps to"
            yield f"Uses its {POWERS[use.kind].name} on {use.spot}: it {puts} {use.target}."
        elif isinstance(event, Removed):
            yield f"Takes {pieces_in_words((*event.returned, *event.captured))} off the board."


def row_letters(facts: Sequence[TurnFact]) -> list[str]:
    """Return the letter of each fact's row in the picture; empty if it shows one row, or not this one."""
    shown = [*map(_is_shown, facts)]
    letters = iter("AB" if sum(shown) > 1 else ("",))
    return [next(letters) if each else "" for each in shown]


def _is_shown(fact: TurnFact) -> bool:
    """Return whether the picture marks the row of a fact."""
    return bool(fact.row) and fact.kind is not FactKind.REMOVES


class _Words:
    """The words for the bot's opponent: "you" if they read it themselves, else their colour."""

    def __init__(self, opponent: Colour, viewer: Colour | None) -> None:
        self.is_viewer = viewer is opponent
        self.whose = "your" if self.is_viewer else f"{opponent}'s"
        self.who = "you" if self.is_viewer else str(opponent)

    def verb(self, plain: str, third: str) -> str:
        """Return the form of a verb that goes with the opponent."""
        return plain if self.is_viewer else third


def fact_sentence(fact: TurnFact, words: _Words, letter: str = "") -> str:
    """Return the sentence of a fact. `letter` is that of its row in the picture; empty if it has none."""
    row = f"{fact.row[0]}–{fact.row[-1]}" if fact.row else ""
    row += f" ({letter})" if letter else ""
    return _SENTENCES[fact.kind](fact, words, row)


def _wins(fact: TurnFact, words: _Words, row: str) -> str:
    has = words.verb("have", "has")
    lack = "no GIPF-piece left on the board" if fact.reason is Reason.GIPF else "no turn left to play"
    return f"Wins: {words.who} {has} {lack}."


def _removes(fact: TurnFact, words: _Words, row: str) -> str:
    subject, ending = (f"Its row {row}", "s") if row else ("Its rows", "")
    prey = _prey(fact, words)
    done = [f"capture{ending} {prey}"] if prey else []
    done += [f"bring{ending} {fact.home} back to its reserve"] if fact.home else []
    return f"{subject} {' and '.join(done or [f'come{ending} off'])}."


def _prey(fact: TurnFact, words: _Words) -> str:
    """Return the opponent's pieces that rows have captured, in words. Empty if there are none."""
    gipf = f"{words.whose} {_gipf_pieces(fact.gipf)}" if fact.gipf else ""
    if not fact.taken:
        return gipf
    if gipf:
        return f"{gipf} and {fact.taken} more"
    return f"{fact.taken} of {words.whose} pieces"


def _gipf_pieces(spots: Sequence[str]) -> str:
    return f"GIPF-piece{'s' * (len(spots) > 1)} on {' and '.join(spots)}"


def _threatens_row(fact: TurnFact, words: _Words, row: str) -> str:
    takes = [f"captures {fact.taken} of {words.whose} pieces"] if fact.taken else []
    takes += [f"can capture {words.whose} {_gipf_pieces(fact.gipf)}"] if fact.gipf else []
    return f"Threatens the row {row}{', which ' if takes else ''}{' and '.join(takes)}."


def _stops_row(fact: TurnFact, words: _Words, row: str) -> str:
    prey = [f"{fact.taken} of its pieces"] if fact.taken else []
    prey += ["its GIPF-piece" if len(fact.gipf) == 1 else f"{len(fact.gipf)} of its GIPF-pieces"] if fact.gipf else []
    return f"Stops {words.whose} row {row}{', which could have captured ' if prey else ''}{' and '.join(prey)}."


def _saves_gipf(fact: TurnFact, words: _Words, row: str) -> str:
    whose, spot = words.whose, fact.gipf[0]
    return f"Its GIPF-piece on {spot} is safe now. Before, {whose} row {row} could capture it."


def _shrinks_prey(fact: TurnFact, words: _Words, row: str) -> str:
    was, now = fact.was[0], fact.now[0]
    if not now:
        return f"Its pieces are safe now. Before, {words.who} could capture {was}."
    return f"A row can capture at most {now} of its pieces now. Before, it could capture {was}."


def _holds_middle(fact: TurnFact, words: _Words, row: str) -> str:
    yours = f"{words.who} {words.verb('hold', 'holds')} {fact.now[1] or 'none'}"
    return f"Holds {fact.now[0]} of the seven spots in the middle now; {yours}."


def _takes_centre(fact: TurnFact, words: _Words, row: str) -> str:
    return f"Takes the centre, e5, from {words.who}." if fact.was[1] else "Takes the centre, e5."


def _enters_gipf(fact: TurnFact, words: _Words, row: str) -> str:
    return f"Brings in a GIPF-piece: it has {fact.now[0]} on the board now."


_SENTENCES: dict[FactKind, Callable[[TurnFact, _Words, str], str]] = {
    FactKind.WINS: _wins,
    FactKind.FORCES_WIN: lambda fact, words, row: (
        f"Wins {'within its next two turns' if fact.later else 'by its next turn'}, whatever {words.who} "
        f"{words.verb('play', 'plays')}."
    ),
    FactKind.STOPS_WIN: lambda fact, words, row: f"Stops {words.whose} threat to win at once.",
    FactKind.THREATENS_WIN: lambda fact, words, row: "Threatens to win next turn.",
    FactKind.REMOVES: _removes,
    FactKind.SAVES_GIPF: _saves_gipf,
    FactKind.THREATENS_ROW: _threatens_row,
    FactKind.STOPS_ROW: _stops_row,
    FactKind.SHRINKS_PREY: _shrinks_prey,
    FactKind.ENTERS_GIPF: _enters_gipf,
    FactKind.TAKES_CENTRE: _takes_centre,
    FactKind.HOLDS_MIDDLE: _holds_middle,
    FactKind.LEADS_GIPF_IN: lambda fact, words, row: (
        f"Moves its GIPF-piece from {fact.moved[0]} to {fact.moved[1]}, nearer to the centre."
    ),
    FactKind.DRIVES_GIPF_OUT: lambda fact, words, row: (
        f"Moves {words.whose} GIPF-piece from {fact.moved[0]} to {fact.moved[1]}, away from the centre."
    ),
    FactKind.PUSHES_OFF: lambda fact, words, row: f"Pushes {words.whose} piece on {fact.moved[0]} over the edge.",
}


@handles("reasons", "{game}:{turn_number}:{code:[0-9a-f]+}", Reply.APART)
async def press_reasons(interaction: Interaction, game: int, turn_number: int, code: str) -> None:
    """Say why the bot has played the turn that the button was drawn for, if the person may see the game."""
    app, user = interaction.client.app, interaction.user.id
    stored = await app.games.game(game)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    notation, colour = await notation_of(interaction), stored.game.colour_of(user)
    reasons = await app.reasons.of_turn(game, turn_number, code, user)
    if reasons is None:
        await show_reply(interaction, NOT_THERE)
        return
    text = reasons_text(reasons, colour, notation)
    picture = turn_picture(reasons.stored.game, reasons.turn, notation)
    await show_reply(interaction, text, _with_rows(picture, reasons.facts), colour=colour)


def _with_rows(picture: Picture, facts: Sequence[TurnFact]) -> Picture:
    """Return a picture that marks the rows of these facts, and no others."""
    return replace(picture, marks=replace(picture.marks, rows=shown_rows(facts)))


def shown_rows(facts: Sequence[TurnFact]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the rows of facts that the picture marks, each with its letter."""
    letters = row_letters(facts)
    return tuple((letter, fact.row) for fact, letter in zip(facts, letters, strict=True) if _is_shown(fact))
