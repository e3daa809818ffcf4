"""The pictures of tournaments: a page of a table, and the card of the winner."""

from gipfbot.languages import mark, say, say_number
from gipfbot.match.tournament import Standing, TieBreak, count_moving
from gipfbot.service.tournaments.kinds import tournament_kinds
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.ui.kit.texts import player_name
from gipfbot.values.tournaments import Tournament, TournamentState
from render import Moves, TournamentCard, TournamentRow, WinnerCard

ON_PAGE = 20
WINNERS = 3  # players on the card of the winner
_TIE_BREAKS = {TieBreak.SONNEBORN_BERGER: "SB", TieBreak.BUCHHOLZ: "Bh"}  # two names, in every language


def table_pages(shown: Shown, division: int) -> int:
    """Return how many pages the table of a division has, at least 1."""
    return max(1, -(-len(_table(shown, division)) // ON_PAGE))


def table_card(shown: Shown, division: int, page: int, user: int | None = None) -> TournamentCard:
    """Return a page of the table of a division, on which the row of `user` is marked.

    Divisions and pages count from 1, and those beyond the end are the last. A tournament without divisions has one.
    Before the start there are no rows.
    """
    division, pages = _nearest(division, len(shown.tables)), table_pages(shown, division)
    page = _nearest(page, pages)
    rows = _rows(shown, division, user)[(page - 1) * ON_PAGE : page * ON_PAGE]
    parts = [stage_text(shown.tournament)]
    if len(shown.tables) > 1:
        parts.append(say("division {division} of {count}", division=division, count=len(shown.tables)))
    if pages > 1:
        parts.append(say("page {page} of {pages}", page=str(page), pages=str(pages)))
    tie_break = _TIE_BREAKS[tournament_kinds()[shown.tournament.kind].tie_break]
    return TournamentCard(shown.tournament.name, " · ".join(parts), tie_break, tuple(rows))


def winner_card(shown: Shown) -> WinnerCard | None:
    """Return the card of the winner, and of those behind them; of a league, in the first division. None without any."""
    rows, tournament = _rows(shown, 1, None)[:WINNERS], shown.tournament
    if not rows:
        return None
    if tournament.rounds:
        note = say_number("Winner after {number} round", "Winner after {number} rounds", tournament.begun)
    else:
        note = say("Winner of season {season}", season=tournament.season)
    return WinnerCard(tournament.name, note, tuple(rows))


def stage_text(tournament: Tournament) -> str:
    """Return the season or the round of a tournament, and whether it is over or was stopped."""
    if not tournament.begun:
        return say("Called off") if tournament.state is TournamentState.CALLED_OFF else say("Not begun yet")
    sentence = _round_sentence(tournament) if tournament.rounds else _season_sentence(tournament)
    return say(sentence, season=tournament.season, round=tournament.begun, rounds=tournament.rounds)


def _round_sentence(tournament: Tournament) -> str:
    if tournament.state is TournamentState.STOPPED:
        return mark("Stopped in round {round} of {rounds}")
    return mark("Over after {round} of {rounds} rounds") if tournament.ended_at else mark("Round {round} of {rounds}")


def _season_sentence(tournament: Tournament) -> str:
    if tournament.state is TournamentState.STOPPED:
        return mark("Stopped in season {season}")
    is_over = tournament.ended_at or tournament.starts_at
    return mark("Season {season} is over") if is_over else mark("Season {season}")


def _nearest(number: int, most: int) -> int:
    return max(1, min(number, most))


def _table(shown: Shown, division: int) -> list[Standing]:
    return [*shown.tables[_nearest(division, len(shown.tables)) - 1]] if shown.tables else []


def _rows(shown: Shown, division: int, user: int | None) -> list[TournamentRow]:
    entries = {each.id: each for each in shown.played.entries}
    rows = list[TournamentRow]()
    for each in _table(shown, division):
        entry = entries[each.player]
        counts = each.played, each.won, each.halves, each.lost, each.points, each.tie_break
        moves, is_own = _moves(shown, division, each.place), entry.seat.user == user
        has_left = entry.left_at is not None
        rows.append(TournamentRow(each.place, player_name(entry.seat.name), *counts, moves, has_left, is_own))
    return rows


def _moves(shown: Shown, division: int, place: int) -> Moves | None:
    """Return whether a place of a division leads up or down in the next season."""
    sizes = [len(table) for table in shown.tables]
    own = sizes[division - 1]
    if division > 1 and place <= count_moving(sizes[division - 2], own):
        return Moves.UP
    if division < len(sizes) and place > own - count_moving(own, sizes[division]):
        return Moves.DOWN
    return None
