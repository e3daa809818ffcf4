"""The button **Why this turn?** on a turn of the bot: it shows facts that explain it, and marks their rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gipfbot.languages import mark, mark_number, say, say_amount, say_list, say_name, say_number
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
from gipfbot.ui.kit.turn_words import game_notation, needs_notation, piece_name, pieces_in_words, pressed_turn
from gipfbot.ui.records.replay import turn_picture
from render import Picture

NOT_THERE = mark("That turn isn't there any more: it was taken back. Press **Why this turn?** on a newer board.")
NOT_KEPT = mark("What the bot expected wasn't kept with this turn. Newer turns can be explained.")
PASSES = mark("Passes: it has no piece left to push.")
FALLBACK = mark("The bot's engine gave no answer, so this is the first turn that the rules allow.")


def reasons_text(reasons: TurnReasons, viewer: Colour | None, notation: Notation) -> str:
    """Return why the bot has played a turn. `viewer` is the colour of the person who reads it; None if they watch."""
    return join_lines(_heading(reasons, notation), *reason_sentences(reasons, viewer))


def _heading(reasons: TurnReasons, notation: Notation) -> str:
    name = escape_text(reasons.stored.game.seats[reasons.colour].name)
    actions, place = reasons.turn.actions, turn_in_words(reasons.turn.turn_number)
    notation_text = game_notation(reasons.stored.game, reasons.turn.before, actions, notation)
    sentence = mark("Why {name} played **{turn}** ({place})")
    if needs_notation(actions, notation_text):
        sentence = mark("Why {name} played **{turn}** ({place}, also written `{notation}`)")
    return say(sentence, name=name, turn=pressed_turn(actions), place=place, notation=notation_text)


def reason_sentences(reasons: TurnReasons, viewer: Colour | None) -> list[str]:
    """Return one or two sentences that explain a turn. Without a reason, they say what the turn does."""
    if not reasons.facts:
        known = {Basis.NOT_KEPT: [say(NOT_KEPT)], Basis.FALLBACK: [say(FALLBACK)]}.get(reasons.basis, [])
        return [*known, " ".join(_event_sentences(reasons.turn)) or say(PASSES)]
    words = _Words(reasons.colour.other, viewer)
    return [
        fact_sentence(fact, words, letter)
        for fact, letter in zip(reasons.facts, row_letters(reasons.facts), strict=True)
    ]


def _event_sentences(turn: RecordedTurn) -> Iterator[str]:
    """Yield what a turn has done to the board, step by step. Nothing if it was a pass."""
    for event in describe_actions(turn.before, turn.actions):
        if isinstance(event, Pushed):
            yield _push_sentence(event)
        elif isinstance(event, Used):
            use = event.use
            facts = {"potential": POWERS[use.kind].name, "spot": use.spot, "target": use.target}
            if use.put:
                yield say("Uses its {potential} on {spot}: it puts {count} on {target}.", count=use.put, **facts)
            else:
                yield say("Uses its {potential} on {spot}: it jumps to {target}.", **facts)
        elif isinstance(event, Removed):
            gone = pieces_in_words((*event.returned, *event.captured))
            yield say("Takes {pieces} off the board.", pieces=gone)


def _push_sentence(event: Pushed) -> str:
    """Return what a push brought in, and how many other pieces it moved."""
    kind, spot, others = event.push.kind, event.push.spot, len(event.moved) - 1
    if not others and kind is Kind.BASIC:
        return say("Brings in a piece on {spot}.", spot=spot)
    if not others:
        return say("Brings in a {piece} on {spot}.", piece=piece_name(kind), spot=spot)
    if kind is Kind.BASIC:
        return say_number(
            "Brings in a piece on {spot}, and moves {number} piece one spot.",
            "Brings in a piece on {spot}, and moves {number} pieces one spot.",
            others,
            spot=spot,
        )
    return say_number(
        "Brings in a {piece} on {spot}, and moves {number} piece one spot.",
        "Brings in a {piece} on {spot}, and moves {number} pieces one spot.",
        others,
        piece=piece_name(kind),
        spot=spot,
    )


def row_letters(facts: Sequence[TurnFact]) -> list[str]:
    """Return the letter of each fact's row in the picture; empty if it shows one row, or not this one."""
    shown = [*map(_is_shown, facts)]
    letters = iter("AB" if sum(shown) > 1 else ("",))
    return [next(letters) if each else "" for each in shown]


def _is_shown(fact: TurnFact) -> bool:
    """Return whether the picture marks the row of a fact."""
    return bool(fact.row) and fact.kind is not FactKind.REMOVES


class _Words(NamedTuple):
    """Whom the sentences tell of the bot's opponent: themselves, or others of their colour."""

    opponent: Colour
    viewer: Colour | None

    def say(self, yours: str, theirs: str, /, **facts: str | int) -> str:
        """Say the sentence that tells the opponent themselves, or the one that tells others of `{opponent}`."""
        if self.viewer is self.opponent:
            return say(yours, **facts)
        return say(theirs, opponent=say_name(str(self.opponent)), **facts)

    def say_pieces(self, yours: tuple[str, str], theirs: tuple[str, str], number: int, /, **facts: str | int) -> str:
        """Return the name of so many pieces of the opponent. It is like `say`, in a form for one and one for many."""
        if self.viewer is self.opponent:
            return say_amount(*yours, number, **facts)
        return say_amount(*theirs, number, opponent=say_name(str(self.opponent)), **facts)


def fact_sentence(fact: TurnFact, words: _Words, letter: str = "") -> str:
    """Return the sentence of a fact. `letter` is that of its row in the picture; empty if it has none."""
    row = f"{fact.row[0]}–{fact.row[-1]}" if fact.row else ""
    row += f" ({letter})" if letter else ""
    return _SENTENCES[fact.kind](fact, words, row)


def _wins(fact: TurnFact, words: _Words, row: str) -> str:
    if fact.reason is Reason.GIPF:
        return words.say(
            mark("Wins: you have no GIPF-piece left on the board."),
            mark("Wins: {opponent} has no GIPF-piece left on the board."),
        )
    return words.say(mark("Wins: you have no turn left to play."), mark("Wins: {opponent} has no turn left to play."))


def _forces_win(fact: TurnFact, words: _Words, row: str) -> str:
    if fact.later:
        return words.say(
            mark("Wins within its next two turns, whatever you play."),
            mark("Wins within its next two turns, whatever {opponent} plays."),
        )
    return words.say(
        mark("Wins by its next turn, whatever you play."), mark("Wins by its next turn, whatever {opponent} plays.")
    )


_REMOVES = {  # by whether it is one row, whether it captures, and whether pieces come back
    (True, True, True): mark("Its row {row} captures {pieces} and brings {count} back to its reserve."),
    (True, True, False): mark("Its row {row} captures {pieces}."),
    (True, False, True): mark("Its row {row} brings {count} back to its reserve."),
    (True, False, False): mark("Its row {row} comes off."),
    (False, True, True): mark("Its rows capture {pieces} and bring {count} back to its reserve."),
    (False, True, False): mark("Its rows capture {pieces}."),
    (False, False, True): mark("Its rows bring {count} back to its reserve."),
    (False, False, False): mark("Its rows come off."),
}


def _removes(fact: TurnFact, words: _Words, row: str) -> str:
    prey = _prey(fact, words)
    return say(_REMOVES[bool(row), bool(prey), bool(fact.home)], row=row, pieces=prey, count=fact.home)


def _prey(fact: TurnFact, words: _Words) -> str:
    """Return the opponent's pieces that rows have captured, in words. Empty if there are none."""
    if not fact.taken:
        return _gipf_pieces(fact.gipf, words) if fact.gipf else ""
    if not fact.gipf:
        return _pieces(fact.taken, words)
    return words.say_pieces(
        mark_number("your GIPF-piece on {spots} and {count} more", "your GIPF-pieces on {spots} and {count} more"),
        mark_number(
            "{opponent}'s GIPF-piece on {spots} and {count} more",
            "{opponent}'s GIPF-pieces on {spots} and {count} more",
        ),
        len(fact.gipf),
        spots=say_list(fact.gipf),
        count=fact.taken,
    )


def _pieces(number: int, words: _Words) -> str:
    yours = mark_number("{number} of your pieces", "{number} of your pieces")
    theirs = mark_number("{number} of {opponent}'s pieces", "{number} of {opponent}'s pieces")
    return words.say_pieces(yours, theirs, number)


def _gipf_pieces(spots: Sequence[str], words: _Words) -> str:
    return words.say_pieces(
        mark_number("your GIPF-piece on {spots}", "your GIPF-pieces on {spots}"),
        mark_number("{opponent}'s GIPF-piece on {spots}", "{opponent}'s GIPF-pieces on {spots}"),
        len(spots),
        spots=say_list(spots),
    )


_THREATENS = {  # by whether the row surely captures pieces, and whether it can capture GIPF-pieces
    (True, True): mark("Threatens the row {row}, which captures {pieces} and can capture {gipf_pieces}."),
    (True, False): mark("Threatens the row {row}, which captures {pieces}."),
    (False, True): mark("Threatens the row {row}, which can capture {gipf_pieces}."),
    (False, False): mark("Threatens the row {row}."),
}


def _threatens_row(fact: TurnFact, words: _Words, row: str) -> str:
    return say(
        _THREATENS[bool(fact.taken), bool(fact.gipf)],
        row=row,
        pieces=_pieces(fact.taken, words),
        gipf_pieces=_gipf_pieces(fact.gipf, words),
    )


def _stops_row(fact: TurnFact, words: _Words, row: str) -> str:
    prey = [say_name("{count} of its pieces", count=fact.taken)] if fact.taken else []
    if fact.gipf:
        prey.append(say_amount("its GIPF-piece", "{number} of its GIPF-pieces", len(fact.gipf)))
    if not prey:
        return words.say(mark("Stops your row {row}."), mark("Stops {opponent}'s row {row}."), row=row)
    return words.say(
        mark("Stops your row {row}, which could have captured {pieces}."),
        mark("Stops {opponent}'s row {row}, which could have captured {pieces}."),
        row=row,
        pieces=say_list(prey),
    )


def _saves_gipf(fact: TurnFact, words: _Words, row: str) -> str:
    return words.say(
        mark("Its GIPF-piece on {spot} is safe now. Before, your row {row} could capture it."),
        mark("Its GIPF-piece on {spot} is safe now. Before, {opponent}'s row {row} could capture it."),
        spot=fact.gipf[0],
        row=row,
    )


def _shrinks_prey(fact: TurnFact, words: _Words, row: str) -> str:
    was, now = fact.was[0], fact.now[0]
    if not now:
        return words.say(
            mark("Its pieces are safe now. Before, you could capture {count}."),
            mark("Its pieces are safe now. Before, {opponent} could capture {count}."),
            count=was,
        )
    sentence = mark("A row can capture at most {now} of its pieces now. Before, it could capture {before}.")
    return say(sentence, now=now, before=was)


def _holds_middle(fact: TurnFact, words: _Words, row: str) -> str:
    own, theirs = fact.now
    if not theirs:
        return words.say(
            mark("Holds {count} of the seven spots in the middle now; you hold none."),
            mark("Holds {count} of the seven spots in the middle now; {opponent} holds none."),
            count=own,
        )
    return words.say(
        mark("Holds {count} of the seven spots in the middle now; you hold {other}."),
        mark("Holds {count} of the seven spots in the middle now; {opponent} holds {other}."),
        count=own,
        other=theirs,
    )


def _takes_centre(fact: TurnFact, words: _Words, row: str) -> str:
    if not fact.was[1]:
        return say("Takes the centre, e5.")
    return words.say(mark("Takes the centre, e5, from you."), mark("Takes the centre, e5, from {opponent}."))


def _leads_gipf_in(fact: TurnFact, words: _Words, row: str) -> str:
    spot, to = fact.moved
    return say("Moves its GIPF-piece from {spot} to {target}, nearer to the centre.", spot=spot, target=to)


def _drives_gipf_out(fact: TurnFact, words: _Words, row: str) -> str:
    return words.say(
        mark("Moves your GIPF-piece from {spot} to {target}, away from the centre."),
        mark("Moves {opponent}'s GIPF-piece from {spot} to {target}, away from the centre."),
        spot=fact.moved[0],
        target=fact.moved[1],
    )


def _pushes_off(fact: TurnFact, words: _Words, row: str) -> str:
    return words.say(
        mark("Pushes your piece on {spot} over the edge."),
        mark("Pushes {opponent}'s piece on {spot} over the edge."),
        spot=fact.moved[0],
    )


_SENTENCES: dict[FactKind, Callable[[TurnFact, _Words, str], str]] = {
    FactKind.WINS: _wins,
    FactKind.FORCES_WIN: _forces_win,
    FactKind.STOPS_WIN: lambda fact, words, row: words.say(
        mark("Stops your threat to win at once."), mark("Stops {opponent}'s threat to win at once.")
    ),
    FactKind.THREATENS_WIN: lambda fact, words, row: say("Threatens to win next turn."),
    FactKind.REMOVES: _removes,
    FactKind.SAVES_GIPF: _saves_gipf,
    FactKind.THREATENS_ROW: _threatens_row,
    FactKind.STOPS_ROW: _stops_row,
    FactKind.SHRINKS_PREY: _shrinks_prey,
    FactKind.ENTERS_GIPF: lambda fact, words, row: say(
        "Brings in a GIPF-piece: it has {count} on the board now.", count=fact.now[0]
    ),
    FactKind.TAKES_CENTRE: _takes_centre,
    FactKind.HOLDS_MIDDLE: _holds_middle,
    FactKind.LEADS_GIPF_IN: _leads_gipf_in,
    FactKind.DRIVES_GIPF_OUT: _drives_gipf_out,
    FactKind.PUSHES_OFF: _pushes_off,
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
        await show_reply(interaction, say(NOT_THERE))
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
