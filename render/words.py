"""Pictures in words: alt texts, the words drawn on them, and a board of letters."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import category, east_asian_width

from gipfbot.characters import cut_text, keep_signs, may_cut
from gipfbot.rules import Act, Colour, Kind, Piece, Position, Push, Reason, Result, Use, open_rows
from gipfbot.rules.changes import moves
from gipfbot.rules.full_turns import same_to_vacancies
from gipfbot.rules.geometry import DOTS, POINTS, axial
from gipfbot.rules.rulesets import OFFICIAL_COURSE, OVERBOARD_COURSE

from .picture import (
    BalancePlot,
    ChallengeCard,
    DayPlot,
    Described,
    LeaderboardCard,
    LeaderboardRow,
    Moves,
    Picture,
    RatingLine,
    RatingPlot,
    ResultCard,
    SmallBoards,
    TournamentCard,
    TournamentRow,
    WinnerCard,
)
from .piece_words import a_piece, pieces_by_kind, potential_name
from .wording import ENGLISH, Words, colour_name, mark, mark_number, ruleset_name

WIDE = 42  # most columns of a line; a phone would wrap longer ones
CELL = 4  # the width of a point's cell; makes all sides of the board about equally long
VACANT, RETURNED, CAPTURED = ".", "x", "*"

MOST_CHARACTERS = 1024  # of an alt text on Discord
PIECE_WORTH = 100  # of a balance
LAST_DAYS = 7  # days whose numbers an alt text says
LONGEST_NAME = 32  # characters, as Discord allows; longer names would be tiring to listen to


class Loss(NamedTuple):
    """How a lost game is told: as the player's status, in short, after their name, and after the winner's."""

    status: str
    short: str
    of_player: str
    whole: str


_LOSSES = {
    Reason.GIPF: Loss(
        mark("no GIPF-piece left"),
        mark("no GIPF-piece"),
        mark("{loser}: no GIPF-piece left"),
        mark("{winner} wins, {loser}: no GIPF-piece left"),
    ),
    Reason.RESERVE: Loss(
        mark("reserve empty"),
        mark("reserve empty"),
        mark("{loser}: reserve empty"),
        mark("{winner} wins, {loser}: reserve empty"),
    ),
    Reason.TIME: Loss(
        mark("out of time"),
        mark("out of time"),
        mark("{loser}: out of time"),
        mark("{winner} wins, {loser}: out of time"),
    ),
    Reason.RESIGN: Loss(
        mark("resigned"), mark("resigned"), mark("{loser}: resigned"), mark("{winner} wins, {loser}: resigned")
    ),
}
_STUCK = Loss(
    mark("no move left"), mark("no move"), mark("{loser}: no move left"), mark("{winner} wins, {loser}: no move left")
)
_LOST = Loss(mark("lost"), mark("lost"), mark("{loser}: lost"), mark("{winner} wins, {loser}: lost"))


class NoWinner(NamedTuple):
    """How a game without a winner is told: as the players' status, in a sentence, on a card, and why."""

    status: str
    phrase: str
    headline: str
    reason: str


_NO_WINNER = {
    Reason.REPETITION: NoWinner(
        mark("void: repetition"), mark("Void: repetition"), mark("Void"), mark("Same position three times")
    ),
    Reason.AGREEMENT: NoWinner(mark("draw agreed"), mark("Draw agreed"), mark("Draw"), mark("By agreement")),
}
_UNDECIDED = NoWinner(mark("undecided"), mark("Undecided"), mark("Void"), mark("Undecided"))
# What a player has to do, and the sentence that says who has to.
_TO_DECIDE = mark("to decide"), mark("{colour} to decide")
_TO_MOVE = mark("to move"), mark("{colour} to move")
_TO_REMOVE = mark("to remove"), mark("{colour} to remove")
# How pieces are called that a removal took out of the game: in the legend, and in a sentence. In Overboard nobody
# captures any (R8.4).
LOST_VERBS = {
    OFFICIAL_COURSE: (mark("{sign} captured"), mark("Captured {pieces}")),
    OVERBOARD_COURSE: (mark("{sign} given up"), mark("Given up {pieces}")),
}


def text_board(shown: Picture | ResultCard, words: Words = ENGLISH) -> str:
    """Return a picture as lines of at most 42 columns: its sentences, a board of letters, and a legend.

    W and B are basic pieces, GW and GB are GIPF-pieces, ZW is loaded and zW is used, +1 lies on one piece, and a dot
    is shown by its name. Brackets mark the last push: its dot, and the spots of the pieces that it moved; or the last
    use: its basic piece and its target. Does not check that the marks fit the position.
    """
    picture = shown.picture if isinstance(shown, ResultCard) else shown
    told = [line for said in picture_sentences(shown, words) for line in _wrap_columns(_terminal_safe(said))]
    return "\n".join([*told, "", *_board_lines(picture), *_legend_lines(picture, words)])


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


def _legend_lines(picture: Picture, words: Words) -> list[str]:
    marks, standing = picture.marks, picture.position.pieces().values()
    last = mark("[ ] the last push") if isinstance(marks.act, Push) else mark("[ ] the last use")
    captured = LOST_VERBS[picture.position.rules.course][0]
    told = {
        words.say(last): marks.act is not None,
        words.say(mark("{sign} returned"), sign=RETURNED): any(not ghost.captured for ghost in marks.ghosts),
        words.say(captured, sign=CAPTURED): any(ghost.captured for ghost in marks.ghosts),
        **{_kind_legend(piece.kind, words): True for piece in standing if piece.kind.loaded or piece.kind.used},
        words.say(mark("+1 on one piece")): any(piece.under for piece in standing),
    }
    said = _wrap_columns(", ".join(sign for sign, seen in told.items() if seen))
    return ["", *said] if said != [""] else []


def _kind_legend(kind: Kind, words: Words) -> str:
    return words.say(mark("{kind} loaded") if kind.loaded else mark("{kind} used"), kind=str(kind))


def player_status(position: Position, colour: Colour, words: Words = ENGLISH, *, short: bool = False) -> str:
    """Return the status of a player: to move, to remove, to decide (R8.3), or how the game ended for them.

    Empty if there is none. With `short`, it fits beside the name of a dot.
    """
    if result := position.result:
        if result.winner is None:
            return words.say(_no_winner(result).status)
        loss = _loss(position, result)
        status = loss.short if short else loss.status
        return words.say(mark("won") if result.winner is colour else status)
    return words.say(_due(position)[0]) if position.decider is colour else ""


def _due(position: Position) -> tuple[str, str]:
    """Return what a player has to do, and the sentence about it."""
    if position.noted:
        return _TO_DECIDE
    if position.notes_rows:  # in Overboard no row is removed before the push (R8.3)
        return _TO_MOVE
    removes = position.pushed or any(row.due for row in open_rows(position))
    return _TO_REMOVE if removes else _TO_MOVE


def _no_winner(result: Result) -> NoWinner:
    return _NO_WINNER.get(result.by, _UNDECIDED)


def _loss(position: Position, result: Result) -> Loss:
    """Return how a game that somebody has won was lost."""
    stuck = result.by is Reason.RESERVE and result.winner is not None and position.reserve[result.winner.other]  # R7.6
    return _STUCK if stuck else _LOSSES.get(result.by, _LOST)


def alt_text(described: Described, words: Words = ENGLISH) -> str:
    """Return a picture or a card in words, short enough to be read aloud: at most Discord's 1,024 characters.

    For a board: the player to move, the last push and removals, the pending choices, and each player's pieces, reserve,
    captures and potentials left. Leaves out the caption, and the removals if there is no room for them. Does not check
    that the marks fit the position.
    """
    said = " ".join(picture_sentences(described, words))
    if _count_characters(said) > MOST_CHARACTERS:
        said = " ".join(picture_sentences(described, words, removals=False))
    return said


def _count_characters(text: str) -> int:
    """Return the length of a text as Discord counts it."""
    return len(text.encode("utf-16-le")) // 2


def picture_sentences(described: Described, words: Words = ENGLISH, *, removals: bool = True) -> list[str]:
    """Return the sentences of an alt text. Without `removals`, those about removed and freed pieces are left out.

    If there are several boards, their labels are then cut to their first words; a table then has only points.
    """
    if isinstance(described, ChallengeCard):
        return _challenge_sentences(described, words)
    if isinstance(described, SmallBoards):
        boards = ((label if removals else label.split()[0], one) for label, one in described.boards)
        return [f"{label}: {_turn_phrase(one, words)}." for label, one in boards]
    if isinstance(described, LeaderboardCard):
        rows = (_standing_phrase(row, words) for row in described.rows)
        return [f"{described.title}.", f"{described.note}.", *rows]
    if isinstance(described, TournamentCard):
        rows = (_table_phrase(row, words, whole=removals) for row in described.rows)
        return [f"{described.title}.", f"{described.note}.", *rows]
    if isinstance(described, WinnerCard):
        rows = (_table_phrase(row, words, whole=False) for row in described.rows)
        return [_winner_sentence(described, words), f"{described.note}.", *rows]
    if isinstance(described, RatingPlot):
        return [_plot_phrase(described, words), *(_ratings_phrase(line, words) for line in described.lines)]
    if isinstance(described, DayPlot):
        return _day_sentences(described, words)
    if isinstance(described, BalancePlot):
        return _balance_sentences(described, words)
    if isinstance(described, ResultCard):
        outcome, *board = _board_sentences(described.picture, words, removals)
        return [outcome, _length_sentence(described.turns, words), *_change_sentences(described, words), *board]
    return _board_sentences(described, words, removals)


def result_headline(picture: Picture, words: Words = ENGLISH) -> str:
    """Return the headline of a result card. If there is a winner, the headline follows their name."""
    result = picture.position.result
    if picture.cancelled or result is None:
        return words.say(mark("Cancelled"))
    if result.winner is None:
        return words.say(_no_winner(result).headline)
    return words.say(mark("wins"))


def result_reason(card: ResultCard, words: Words = ENGLISH) -> str:
    """Return the reason why a game ended, and the number of turns played."""
    position, turns = card.picture.position, _turn_count_words(card.turns, words)
    result = position.result
    if card.picture.cancelled or result is None:
        return turns
    if result.winner is None:
        return f"{words.say(_no_winner(result).reason)} · {turns}"
    reason = words.say(_loss(position, result).of_player, loser=colour_name(result.winner.other, words))
    return f"{reason} · {turns}"


def rating_changes(card: ResultCard) -> dict[Colour, str]:
    """Return the new rating of each player that the card shows, with its change: `1512 (+12)`."""
    changes = zip(Colour, card.ratings, strict=True)
    return {colour: f"{change[1]} ({change[1] - change[0]:+})" for colour, change in changes if change}


def _change_sentences(card: ResultCard, words: Words) -> list[str]:
    said = ", ".join(f"{colour_name(colour, words)} {change}" for colour, change in rating_changes(card).items())
    return [words.say(mark("Ratings: {ratings}."), ratings=said)] if said else []


def _turn_count_words(turns: int, words: Words) -> str:
    """Return how long a game was, as its turns are numbered: White's turn and Black's answer have one number."""
    number = (turns + 1) // 2
    return words.say_number(*mark_number("{number} turn", "{number} turns"), number) if number else words.say(_NO_TURNS)


_NO_TURNS = mark("no turns")


def _length_sentence(turns: int, words: Words) -> str:
    """Return the sentence on how long a game was. It counts as `_turn_count_words` does."""
    if number := (turns + 1) // 2:
        return words.say_number(*mark_number("It took {number} turn.", "It took {number} turns."), number)
    return words.say(mark("It took no turns."))


def _board_sentences(picture: Picture, words: Words, removals: bool) -> list[str]:
    gone = _removal_phrases(picture, words) if removals else []
    said = [_turn_phrase(picture, words), *_last_act_phrases(picture, words), *gone, *_asked_phrases(picture, words)]
    return [f"{one}." for one in (*said, *(_side_phrase(picture, colour, words) for colour in Colour))]


def _challenge_sentences(card: ChallengeCard, words: Words) -> list[str]:
    names = {"name": _short_name(card.by), "other": _short_name(card.to)}
    asks = words.say(mark("{name} asks {other}."), **names)
    if card.side is not None:
        asks = words.say(mark("{name} with {colour} asks {other}."), colour=colour_name(card.side, words), **names)
    terms = (f"{name}: {value}." for name, value in card.terms)
    return [f"{card.title}.", f"GIPF {ruleset_name(card.position.rules.name, words)}.", asks, *terms]


_STANDING = mark_number(
    "{place}. {name}: {rating} ±{deviation}, {number} game, {wins} won.",
    "{place}. {name}: {rating} ±{deviation}, {number} games, {wins} won.",
)
_PROVISIONAL_STANDING = mark_number(
    "{place}. {name}: {rating} ±{deviation}, {number} game, {wins} won, provisional.",
    "{place}. {name}: {rating} ±{deviation}, {number} games, {wins} won, provisional.",
)


def _standing_phrase(row: LeaderboardRow, words: Words) -> str:
    """Return a row of a leaderboard in words."""
    name = _short_name(row.name)
    return words.say_number(
        *(_PROVISIONAL_STANDING if row.provisional else _STANDING),
        row.games,
        place=str(row.place),
        name=words.say_name(mark("{name} (you)"), name=name) if row.own else name,
        rating=str(row.rating),
        deviation=str(row.deviation),
        number=str(row.games),
        wins=str(row.wins),
    )


def quarters_text(quarters: int) -> str:
    """Return a number of quarters as it is written: `3½`, `¼` or `0`."""
    whole, rest = divmod(quarters, 4)
    return f"{whole or ''}{('', '¼', '½', '¾')[rest]}" or "0"


def _table_phrase(row: TournamentRow, words: Words, *, whole: bool) -> str:
    """Return a row of a tournament's table in words: only with its points unless it is to be `whole`."""
    place, name, points = str(row.place), _short_name(row.name), quarters_text(2 * row.points)
    if not whole:
        return words.say(mark("{place}. {name}: {points}."), place=place, name=name, points=points)
    for sentence in _row_marks(row):
        name = words.say_name(sentence, name=name)
    sentence = mark(
        "{place}. {name}: points {points}, games {games}, won {won}, half {halves}, lost {lost}, tie-break {tie_break}."
    )
    counts = {"games": row.played, "won": row.won, "halves": row.halves, "lost": row.lost}
    return words.say(sentence, place=place, name=name, points=points, tie_break=quarters_text(row.tie_break), **counts)


def _row_marks(row: TournamentRow) -> Iterator[str]:
    """Yield what is said behind the name in a row of a table."""
    if row.own:
        yield mark("{name} (you)")
    if row.has_left:
        yield mark("{name} (has left)")
    if row.moves:
        yield mark("{name} (goes up)") if row.moves is Moves.UP else mark("{name} (goes down)")


def _winner_sentence(card: WinnerCard, words: Words) -> str:
    return words.say(mark("{name} wins {tournament}."), name=_short_name(card.rows[0].name), tournament=card.title)


def _plot_phrase(plot: RatingPlot, words: Words) -> str:
    (since, until), name = plot.month_names, _short_name(plot.name)
    if since == until:
        return words.say(mark("Ratings of {name}, {month}."), name=name, month=until)
    return words.say(mark("Ratings of {name}, {since} to {until}."), name=name, since=since, until=until)


def _ratings_phrase(line: RatingLine, words: Words) -> str:
    """Return a player's ratings in a pool in words: the rating now, and the worst and the best."""
    values = [rating for _, rating in line.points]
    low, high = str(min(values)), str(max(values))
    sentence = mark("{pool}: {rating}, from {low} to {high}.")
    return words.say(sentence, pool=line.title, rating=line.note, low=low, high=high)


def _day_sentences(plot: DayPlot, words: Words) -> list[str]:
    """Return the number of each day in words: the sum, the most, and those of the last days one by one."""
    names, numbers = zip(*plot.days, strict=True)
    most, last = max(numbers), [str(number) for number in numbers[-LAST_DAYS:]]
    whole = mark("{title}, {first} to {last}: {count} in all.")
    lately = mark_number("Last {number} day: {counts}.", "Last {number} days: {counts}.")
    return [
        words.say(whole, title=plot.title, first=names[0], last=names[-1], count=str(sum(numbers))),
        words.say(mark("Most: {count} on {day}."), count=str(most), day=names[numbers.index(most)]),
        words.say_number(*lately, len(last), counts=", ".join(last)),
    ]


def _balance_sentences(plot: BalancePlot, words: Words) -> list[str]:
    """Return the balance of a game in words: the players, the balance in each quarter and at the end, and the marks."""
    white, black = map(_short_name, plot.names)
    last = len(plot.balance) - 1
    places = sorted({last * quarter // 4 for quarter in range(1, 5)})
    course = ", ".join(_balance_words(plot.balance[place], (place + 1) // 2, words) for place in places)
    marks = [_marks_sentence(plot, colour, words) for colour in Colour]
    return [
        words.say(mark("{title}: {white} is White, {black} is Black."), title=plot.title, white=white, black=black),
        f"{words.say(mark('Balance:'))} {course}.",
        *filter(None, marks),
    ]


def _balance_words(balance: int, turn: int, words: Words) -> str:
    """Return who stands better after a turn, and by how many pieces."""
    sentence = mark("White {pieces} ahead after turn {turn}") if balance > 0 else _BLACK_AHEAD
    if abs(balance) < PIECE_WORTH // 4:
        sentence = mark("even after turn {turn}")
    return words.say(sentence, pieces=abs(balance) / PIECE_WORTH, turn=str(turn))


_BLACK_AHEAD = mark("Black {pieces} ahead after turn {turn}")


def _marks_sentence(plot: BalancePlot, colour: Colour, words: Words) -> str:
    """Return the marks of a player's turns, each behind the number of its turn; empty if there are none."""
    marks = [f"{(each.place + 1) // 2}{each.sign}" for each in plot.marks if each.place % 2 == 1 - colour]
    sentence = mark("Marks of White: {marks}.") if colour is Colour.WHITE else mark("Marks of Black: {marks}.")
    return words.say(sentence, marks=", ".join(marks)) if marks else ""


def _short_name(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= LONGEST_NAME else cut_text(name, LONGEST_NAME - 1) + "…"


def _player_words(name: str, colour: Colour, words: Words) -> str:
    name = _short_name(name)
    named = colour_name(colour, words)
    return f"{named}, {name}" if name and name not in (str(colour), named) else named


def _turn_phrase(picture: Picture, words: Words) -> str:
    position, result = picture.position, picture.position.result
    if picture.cancelled:
        return words.say(mark("Cancelled"))
    if result is None:
        return words.say(_due(position)[1], colour=colour_name(position.decider, words))
    if (winner := result.winner) is None:
        return words.say(_no_winner(result).phrase)
    names = {"winner": colour_name(winner, words), "loser": colour_name(winner.other, words)}
    return words.say(_loss(position, result).whole, **names)


def _last_act_phrases(picture: Picture, words: Words) -> list[str]:
    marks = picture.marks
    by = picture.position.mover if picture.position.pushed else picture.position.mover.other
    return [_act_phrase(marks.act, by, words)] if marks.act else []


def _removal_phrases(picture: Picture, words: Words) -> list[str]:
    marks, captured = picture.marks, LOST_VERBS[picture.position.rules.course][1]
    gone = {
        mark("Removed {pieces}"): [(ghost.spot, ghost.piece) for ghost in marks.ghosts if not ghost.captured],
        captured: [(ghost.spot, ghost.piece) for ghost in marks.ghosts if ghost.captured],
        mark("Freed {pieces}"): marks.freed,
    }
    named = {sentence: "; ".join(pieces_by_kind(pieces, words)) for sentence, pieces in gone.items() if pieces}
    return [words.say(sentence, pieces=pieces) for sentence, pieces in named.items()]


def _act_phrase(act: Act, by: Colour, words: Words) -> str:
    """Return what was played as its buttons say it, which everybody can read: `White pushed e1 → e2`."""
    colour = colour_name(by, words)
    if isinstance(act, Use):
        return words.say(mark("{colour} used {use}"), colour=colour, use=_use_words(act))
    if act.kind is Kind.BASIC:
        return words.say(mark("{colour} pushed {dot} → {spot}"), colour=colour, dot=act.dot, spot=act.spot)
    sentence = mark("{colour} pushed {dot} → {spot} with {piece}")
    return words.say(sentence, colour=colour, dot=act.dot, spot=act.spot, piece=a_piece(act.kind, words))


def _use_words(use: Use) -> str:
    """Return a use as it is typed: `Zc3>c6`, or `Pc3>c4+1` if it puts down a basic piece."""
    return f"{use.kind}{use.spot}>{use.target}" + f"+{use.put}" * bool(use.put)


def _asked_phrases(picture: Picture, words: Words) -> list[str]:
    marks, position = picture.marks, picture.position
    said = []
    pushes = [act for act in marks.choices if isinstance(act, Push)]
    if pushes:
        listed = ", ".join(_pending_push_words(position, push) for push in pushes)
        said.append(words.say(mark("{dot} chosen. Possible pushes: {pushes}"), dot=pushes[0].dot, pushes=listed))
    if uses := [_use_words(act) for act in marks.choices if isinstance(act, Use)]:
        said.append(words.say(mark("Possible uses: {uses}"), uses=", ".join(uses)))
    if marks.rows:
        rows = (_row_words(letter, spots, words) for letter, spots in marks.rows)
        said.append(words.say_number(*mark_number("Row {rows}", "Rows {rows}"), len(marks.rows), rows=", ".join(rows)))
    if marks.numbers:
        numbers = (f"{number} {spot}" for spot, number in marks.numbers)
        said.append(words.say(mark("Numbered: {numbers}"), numbers=", ".join(numbers)))
    return said


def _row_words(letter: str, spots: Sequence[str], words: Words) -> str:
    """Return the ends of a row behind its letter, if it has one: `A e2 to e5`."""
    return f"{letter} {words.say_name(mark('{first} to {last}'), first=spots[0], last=spots[-1])}".strip()


def _pending_push_words(position: Position, push: Push) -> str:
    return _push_words(position, push, [end for _, end in moves(position, push)])


def _push_words(position: Position, push: Push, moved: Sequence[str]) -> str:
    """Return a push as it is typed: its spot if only the new piece moved, else the dot and the furthest spot.

    In Overboard it is the dot and the first spot.
    """
    if not same_to_vacancies(position.rules):
        return f"{push.dot}-{push.spot}"
    return f"{push.kind}{push.spot if len(moved) < 2 else f'{push.dot}-{moved[0]}'}"


def _side_phrase(picture: Picture, colour: Colour, words: Words) -> str:
    position = picture.position
    own = ((spot, piece) for spot, piece in position.pieces().items() if piece.owner is colour)
    said, lost = pieces_by_kind(own, words), position.captured[colour.other]
    in_reserve = mark("{count} in reserve, {captured} captured") if lost else mark("{count} in reserve")
    said.append(words.say(in_reserve, count=position.reserve[colour], captured=lost))
    if left := [f"{count} {potential_name(letter)}" for letter, count in potentials_left(position, colour)]:
        said.append(words.say(mark("{potentials} left"), potentials=words.say_list(left)))
    return f"{_player_words(picture.players[colour], colour, words)}: {'; '.join(said)}"


def potentials_left(position: Position, colour: Colour) -> list[tuple[str, int]]:
    """Return the letters and numbers of the potentials that a player can still bring in. Leaves out used-up kinds."""
    counts = position.left[colour] if position.left else ()
    kinds = zip(position.rules.potentials, counts, strict=False)
    return [(letter, count) for (letter, _), count in kinds if count]
