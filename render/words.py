"""Pictures in words: alt texts, the words drawn on them, and a board of letters."""

from collections.abc import Iterable, Sequence
from unicodedata import category, east_asian_width

from gipfbot.characters import cut_text, keep_signs, may_cut
from gipfbot.rules import Act, Colour, Kind, Piece, Position, Push, Reason, Result, Use, open_rows, ruleset_words
from gipfbot.rules.changes import moves
from gipfbot.rules.full_turns import same_to_vacancies
from gipfbot.rules.geometry import DOTS, POINTS, axial
from gipfbot.rules.powers import POWERS
from gipfbot.rules.rulesets import OFFICIAL_COURSE, OVERBOARD_COURSE

from .picture import (
    BalancePlot,
    ChallengeCard,
    DayPlot,
    Described,
    LeaderboardCard,
    LeaderboardRow,
    Picture,
    RatingLine,
    RatingPlot,
    ResultCard,
    SmallBoards,
)

WIDE = 42  # most columns of a line; a phone would wrap longer ones
CELL = 4  # the width of a point's cell; makes all sides of the board about equally long
VACANT, RETURNED, CAPTURED = ".", "x", "*"

MOST_CHARACTERS = 1024  # of an alt text on Discord
PIECE_WORTH = 100  # of a balance
LAST_DAYS = 7  # days whose numbers an alt text says
LONGEST_NAME = 32  # characters, as Discord allows; longer names would be tiring to listen to
KINDS = {Kind.GIPF: "GIPF-piece", Kind.BASIC: "basic piece"}
LOST = {
    Reason.GIPF: "no GIPF-piece left",
    Reason.RESERVE: "reserve empty",
    Reason.TIME: "out of time",
    Reason.RESIGN: "resigned",
}
WHY_UNDECIDED = {Reason.REPETITION: "Same position three times", Reason.AGREEMENT: "By agreement"}
LOST_VERBS = {OFFICIAL_COURSE: "captured", OVERBOARD_COURSE: "given up"}
UNDECIDED = {Reason.REPETITION: "void: repetition", Reason.AGREEMENT: "draw agreed"}


def text_board(shown: Picture | ResultCard) -> str:
    """Return a picture as lines of at most 42 columns: its sentences, a board of letters, and a legend.

    W and B are basic pieces, GW and GB are GIPF-pieces, ZW is loaded and zW is used, +1 lies on one piece, and a dot
    is shown by its name. Brackets mark the last push: its dot, and the spots of the pieces that it moved; or the last
    use: its basic piece and its target. Does not check that the marks fit the position.
    """
    picture = shown.picture if isinstance(shown, ResultCard) else shown
    words = [line for said in picture_sentences(shown) for line in _wrap_columns(_terminal_safe(said))]
    return "\n".join([*words, "", *_board_lines(picture), *_legend_lines(picture)])


def _terminal_safe(text: str) -> str:
    """Return a text without characters that end a code block or control a terminal."""
    return keep_signs(text.replace("`", "'"), lambda sign: category(sign)[0] != "C")


def _wrap_columns(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and _count_columns(f"{lines[-1]} {word}") > WIDE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
        while _count_columns(lines[-1]) > WIDE:
            lines[-1:] = _break_line(lines[-1])
    return lines


def _break_line(line: str) -> tuple[str, str]:
    fitting = [end for end in range(1, len(line)) if _count_columns(line[:end]) <= WIDE]
    end = next((end for end in reversed(fitting) if may_cut(line, end)), fitting[-1])
    return line[:end], line[end:]


def _count_columns(text: str) -> int:
    return sum(1 + (east_asian_width(sign) in "WF") for sign in text)


def _board_lines(picture: Picture) -> list[str]:
    """Return the lines of the board. Each point is in the middle of its cell.

    Neighbouring columns are shifted by one line.
    """
    shown = _point_signs(picture)
    lines = [[" "] * (9 * CELL) for _ in range(17)]
    for point in POINTS:
        down, across = _cell_place(point, picture.flipped)
        text = shown.get(point, VACANT)
        start = across + (CELL - len(text)) // 2
        lines[down][start : start + len(text)] = text
    return ["".join(line).rstrip() for line in lines]


def _cell_place(point: str, flipped: bool) -> tuple[int, int]:
    """Return the text line and the first column of a point's cell."""
    x, y = axial(point)
    up = 2 * y - x + 4
    x, up = (8 - x, 16 - up) if flipped else (x, up)
    return 16 - up, CELL * x


def _point_signs(picture: Picture) -> dict[str, str]:
    marks = picture.marks
    signs = {dot: dot for dot in DOTS}
    signs |= {ghost.spot: CAPTURED if ghost.captured else RETURNED for ghost in marks.ghosts}
    signs |= {spot: _piece_sign(piece) for spot, piece in picture.position.pieces().items()}
    touched = (_act_start(marks.act), *marks.moved) if marks.act else ()
    return signs | {point: f"[{signs[point]}]" for point in touched}


def _piece_sign(piece: Piece) -> str:
    """Return a piece as letters: `GW`, `pB+1` for a used potential on one piece."""
    return f"{piece.kind}{_colour_letter(piece.owner)}" + f"+{len(piece.under)}" * bool(piece.under)


def _act_start(act: Act) -> str:
    return act.dot if isinstance(act, Push) else act.spot


def _colour_letter(colour: Colour) -> str:
    return colour.letter.upper()


def _legend_lines(picture: Picture) -> list[str]:
    marks, standing = picture.marks, picture.position.pieces().values()
    told = {
        f"[ ] the last {'push' if isinstance(marks.act, Push) else 'use'}": marks.act is not None,
        f"{RETURNED} returned": any(not ghost.captured for ghost in marks.ghosts),
        f"{CAPTURED} {lost_verb(picture.position)}": any(ghost.captured for ghost in marks.ghosts),
        **{_kind_legend(piece.kind): True for piece in standing if piece.kind.loaded or piece.kind.used},
        "+1 on one piece": any(piece.under for piece in standing),
    }
    said = _wrap_columns(", ".join(sign for sign, seen in told.items() if seen))
    return ["", *said] if said != [""] else []


def _kind_legend(kind: Kind) -> str:
    return f"{kind} {'loaded' if kind.loaded else 'used'}"


def player_status(position: Position, colour: Colour) -> str:
    """Return the status of a player: to move, to remove, to decide (R8.3), or how the game ended for them.

    Empty if there is none.
    """
    if position.result:
        return _player_outcome(position, position.result, colour)
    if position.decider is not colour:
        return ""
    if position.noted:
        return "to decide"
    if position.notes_rows:  # in Overboard no row is removed before the push (R8.3)
        return "to move"
    removes = position.pushed or any(row.due for row in open_rows(position))
    return "to remove" if removes else "to move"


def alt_text(described: Described) -> str:
    """Return a picture or a card in words, short enough to be read aloud: at most Discord's 1,024 characters.

    For a board: the player to move, the last push and removals, the pending choices, and each player's pieces, reserve,
    captures and potentials left. Leaves out the caption, and the removals if there is no room for them. Does not check
    that the marks fit the position.
    """
    said = " ".join(picture_sentences(described))
    if _count_characters(said) > MOST_CHARACTERS:
        said = " ".join(picture_sentences(described, removals=False))
    return said


def _count_characters(text: str) -> int:
    """Return the length of a text as Discord counts it."""
    return len(text.encode("utf-16-le")) // 2


def picture_sentences(described: Described, *, removals: bool = True) -> list[str]:
    """Return the sentences of an alt text. Without `removals`, those about removed and freed pieces are left out.

    If there are several boards, their labels are then cut to their first words.
    """
    if isinstance(described, ChallengeCard):
        return _challenge_sentences(described)
    if isinstance(described, SmallBoards):
        return [_small_board_sentence(label if removals else label.split()[0], one) for label, one in described.boards]
    if isinstance(described, LeaderboardCard):
        return [f"{described.title}.", f"{described.note}.", *map(_standing_phrase, described.rows)]
    if isinstance(described, RatingPlot):
        return [_plot_phrase(described), *map(_ratings_phrase, described.lines)]
    if isinstance(described, DayPlot):
        return _day_sentences(described)
    if isinstance(described, BalancePlot):
        return _balance_sentences(described)
    if isinstance(described, ResultCard):
        outcome, *board = _board_sentences(described.picture, removals)
        return [outcome, f"It took {_turn_count_words(described.turns)}.", *_change_sentences(described), *board]
    return _board_sentences(described, removals)


def result_headline(picture: Picture) -> str:
    """Return the headline of a result card. If there is a winner, the headline follows their name."""
    result = picture.position.result
    if picture.cancelled or result is None:
        return "Cancelled"
    if result.winner is None:
        return "Draw" if result.by is Reason.AGREEMENT else "Void"
    return "wins"


def result_reason(card: ResultCard) -> str:
    """Return the reason why a game ended, and the number of turns played."""
    result, turns = card.picture.position.result, _turn_count_words(card.turns)
    if card.picture.cancelled or result is None:
        return turns
    if result.winner is None:
        return f"{WHY_UNDECIDED.get(result.by, 'Undecided')} · {turns}"
    return f"{result.winner.other}: {player_status(card.picture.position, result.winner.other)} · {turns}"


def rating_changes(card: ResultCard) -> dict[Colour, str]:
    """Return the new rating of each player that the card shows, with its change: `1512 (+12)`."""
    changes = zip(Colour, card.ratings, strict=True)
    return {colour: f"{change[1]} ({change[1] - change[0]:+})" for colour, change in changes if change}


def _change_sentences(card: ResultCard) -> list[str]:
    said = ", ".join(f"{colour} {change}" for colour, change in rating_changes(card).items())
    return [f"Ratings: {said}."] if said else []


def _turn_count_words(turns: int) -> str:
    """Return how long a game was, as its turns are numbered: White's turn and Black's answer have one number."""
    number = (turns + 1) // 2
    return f"{number or 'no'} turn{'' if number == 1 else 's'}"


def _board_sentences(picture: Picture, removals: bool) -> list[str]:
    gone = _removal_phrases(picture) if removals else []
    said = [_turn_phrase(picture), *_last_act_phrases(picture), *gone, *_asked_phrases(picture)]
    return [f"{one}." for one in (*said, *(_side_phrase(picture, colour) for colour in Colour))]


def _small_board_sentence(label: str, picture: Picture) -> str:
    return f"{label}: {_turn_phrase(picture)}."


def _challenge_sentences(card: ChallengeCard) -> list[str]:
    colours = "" if card.side is None else f" with {card.side}"
    terms = (f"{name}: {value}." for name, value in card.terms)
    rules = f"GIPF {ruleset_words(card.position.rules.name)}."
    return [f"{card.title}.", rules, f"{_short_name(card.by)}{colours} asks {_short_name(card.to)}.", *terms]


def _standing_phrase(row: LeaderboardRow) -> str:
    """Return a row of a leaderboard in words."""
    provisional = ", provisional" if row.provisional else ""
    games = f"{row.games} game{'' if row.games == 1 else 's'}, {row.wins} won"
    name = f"{_short_name(row.name)}{' (you)' if row.own else ''}"
    return f"{row.place}. {name}: {row.rating} ±{row.deviation}, {games}{provisional}."


def _plot_phrase(plot: RatingPlot) -> str:
    since, until = plot.month_names
    return f"Ratings of {_short_name(plot.name)}, {f'{since} to {until}' if since != until else until}."


def _ratings_phrase(line: RatingLine) -> str:
    """Return a player's ratings in a pool in words: the rating now, and the worst and the best."""
    values = [rating for _, rating in line.points]
    return f"{line.title}: {line.note}, from {min(values)} to {max(values)}."


def _day_sentences(plot: DayPlot) -> list[str]:
    """Return the number of each day in words: the sum, the most, and those of the last days one by one."""
    names, numbers = zip(*plot.days, strict=True)
    most, last = max(numbers), [str(number) for number in numbers[-LAST_DAYS:]]
    highest = f"Most: {most} on {names[numbers.index(most)]}."
    return [
        f"{plot.title}, {names[0]} to {names[-1]}: {sum(numbers)} in all.",
        highest,
        f"Last {len(last)} days: {', '.join(last)}.",
    ]


def _balance_sentences(plot: BalancePlot) -> list[str]:
    """Return the balance of a game in words: the players, the balance in each quarter and at the end, and the marks."""
    white, black = map(_short_name, plot.names)
    last = len(plot.balance) - 1
    places = sorted({last * quarter // 4 for quarter in range(1, 5)})
    course = ", ".join(f"{_side_words(plot.balance[place])} after turn {(place + 1) // 2}" for place in places)
    marks = [_marks_sentence(plot, colour) for colour in Colour]
    return [f"{plot.title}: {white} is White, {black} is Black.", f"Balance: {course}.", *filter(None, marks)]


def _side_words(balance: int) -> str:
    if abs(balance) < PIECE_WORTH // 4:
        return "even"
    return f"{Colour.WHITE if balance > 0 else Colour.BLACK} {abs(balance) / PIECE_WORTH:.1f} ahead"


def _marks_sentence(plot: BalancePlot, colour: Colour) -> str:
    """Return the marks of a player's turns, each behind the number of its turn; empty if there are none."""
    marks = [f"{(mark.place + 1) // 2}{mark.sign}" for mark in plot.marks if mark.place % 2 == 1 - colour]
    return f"Marks of {colour}: {', '.join(marks)}." if marks else ""


def _short_name(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= LONGEST_NAME else cut_text(name, LONGEST_NAME - 1) + "…"


def _player_words(name: str, colour: Colour) -> str:
    name = _short_name(name)
    return f"{colour}, {name}" if name and name != str(colour) else str(colour)


def _player_outcome(position: Position, result: Result, colour: Colour) -> str:
    if result.winner is None:
        return UNDECIDED.get(result.by, "undecided")
    if result.winner is colour:
        return "wins"
    stuck = result.by is Reason.RESERVE and position.reserve[colour]  # R7.6
    return "no move left" if stuck else LOST.get(result.by, "lost")


def _turn_phrase(picture: Picture) -> str:
    position = picture.position
    if picture.cancelled:
        return "Cancelled"
    if position.result is None:
        return f"{position.decider} {player_status(position, position.decider)}"
    if (winner := position.result.winner) is None:
        return player_status(position, Colour.WHITE).capitalize()
    return f"{winner} wins, {winner.other}: {player_status(position, winner.other)}"


def _last_act_phrases(picture: Picture) -> list[str]:
    marks = picture.marks
    by = picture.position.mover if picture.position.pushed else picture.position.mover.other
    return [f"{by} {_act_words(marks.act)}"] if marks.act else []


def lost_verb(position: Position) -> str:
    """Return the verb for pieces that a removal took out of the game. In Overboard nobody captures any (R8.4)."""
    return LOST_VERBS[position.rules.course]


def _removal_phrases(picture: Picture) -> list[str]:
    marks = picture.marks
    verbs = {
        "Removed": [(ghost.spot, ghost.piece) for ghost in marks.ghosts if not ghost.captured],
        lost_verb(picture.position).capitalize(): [
            (ghost.spot, ghost.piece) for ghost in marks.ghosts if ghost.captured
        ],
        "Freed": marks.freed,
    }
    return [f"{verb} {'; '.join(_pieces_by_kind(pieces))}" for verb, pieces in verbs.items() if pieces]


def _act_words(act: Act) -> str:
    """Return what was played as its buttons say it, which everybody can read: `pushed e1 → e2`."""
    if isinstance(act, Use):
        return f"used {_use_words(act)}"
    return f"pushed {act.dot} → {act.spot}{'' if act.kind is Kind.BASIC else f' with a {_kind_name(act.kind)}'}"


def _use_words(use: Use) -> str:
    """Return a use as it is typed: `Zc3>c6`, or `Pc3>c4+1` if it puts down a basic piece."""
    return f"{use.kind}{use.spot}>{use.target}" + f"+{use.put}" * bool(use.put)


def _pieces_by_kind(pieces: Iterable[tuple[str, Piece]]) -> list[str]:
    """Return one text for each kind of piece that occurs, with its spots: `GIPF-pieces b5 e2`.

    Stacks with the same pieces in them have a text of their own, with what lies under their tops in brackets.
    """
    spots: dict[tuple[Kind, str], list[str]] = {(Kind.GIPF, ""): [], (Kind.BASIC, ""): []}
    for spot, piece in pieces:
        spots.setdefault((piece.kind, _covered_words(piece.under)), []).append(spot)
    return [_group_words(kind, under, found) for (kind, under), found in spots.items() if found]


def _group_words(kind: Kind, under: str, spots: Sequence[str]) -> str:
    several = len(spots) > 1
    below = f" ({'each ' * several}on {under})" if under else ""
    return f"{_kind_name(kind)}{'s' * several} {' '.join(spots)}{below}"


def _kind_name(kind: Kind) -> str:
    """Return what a piece of a kind is called. A potential without a name is called by its letter."""
    if not kind.loaded and not kind.used:
        return KINDS[kind]
    name = _potential_name(kind.upper())
    return f"used {name}-potential" if kind.used else f"{name}-loaded piece"


def _potential_name(letter: str) -> str:
    return POWERS[letter].name if letter in POWERS else letter


def _covered_words(under: tuple[Piece, ...]) -> str:
    """Return the pieces under a piece in words, from top to bottom; more than two by their letters. Empty if none."""
    if len(under) > 2:
        return f"{len(under)} pieces: {' '.join(piece.kind for piece in under)}"
    return " on ".join(f"a {_kind_name(piece.kind)}" for piece in under)


def _asked_phrases(picture: Picture) -> list[str]:
    marks, position = picture.marks, picture.position
    said = []
    pushes = [act for act in marks.choices if isinstance(act, Push)]
    if pushes:
        words = (_pending_push_words(position, push) for push in pushes)
        said.append(f"{pushes[0].dot} chosen. Possible pushes: {', '.join(words)}")
    if uses := [_use_words(act) for act in marks.choices if isinstance(act, Use)]:
        said.append(f"Possible uses: {', '.join(uses)}")
    if marks.rows:
        rows = (f"{letter} {spots[0]} to {spots[-1]}".strip() for letter, spots in marks.rows)
        said.append(f"Row{'s' * (len(marks.rows) > 1)} {', '.join(rows)}")
    if marks.numbers:
        numbers = (f"{number} {spot}" for spot, number in marks.numbers)
        said.append(f"Numbered: {', '.join(numbers)}")
    return said


def _pending_push_words(position: Position, push: Push) -> str:
    return _push_words(position, push, [end for _, end in moves(position, push)])


def _push_words(position: Position, push: Push, moved: Sequence[str]) -> str:
    """Return a push as it is typed: its spot if only the new piece moved, else the dot and the furthest spot.

    In Overboard it is the dot and the first spot.
    """
    if not same_to_vacancies(position.rules):
        return f"{push.dot}-{push.spot}"
    return f"{push.kind}{push.spot if len(moved) < 2 else f'{push.dot}-{moved[0]}'}"


def _side_phrase(picture: Picture, colour: Colour) -> str:
    position = picture.position
    said = _pieces_by_kind((spot, piece) for spot, piece in position.pieces().items() if piece.owner is colour)
    lost = position.captured[colour.other]
    said.append(f"{position.reserve[colour]} in reserve" + f", {lost} captured" * bool(lost))
    left = [f"{count} {_potential_name(letter)}" for letter, count in potentials_left(position, colour)]
    said += [f"{' and '.join(left)} left"] * bool(left)
    return f"{_player_words(picture.players[colour], colour)}: {'; '.join(said)}"


def potentials_left(position: Position, colour: Colour) -> list[tuple[str, int]]:
    """Return the letters and numbers of the potentials that a player can still bring in. Leaves out used-up kinds."""
    counts = position.left[colour] if position.left else ()
    kinds = zip(position.rules.potentials, counts, strict=False)
    return [(letter, count) for (letter, _), count in kinds if count]
