"""Events: what an action did, derived from the positions before and after it."""

import random

import pytest

from gipfbot.rules import PRESETS, Colour, Kind, Piece, Position, Reason, Result, Ruleset, play, start
from gipfbot.rules.changes import Ended, Event, Freed, Pushed, Removed, Used, events
from gipfbot.rules.position import worth
from tests.support.effort import amount

from .generate import row_seeking, walk
from .generate_loaded import LOADED, NAMES, power_seeking
from .helpers import action, board
from .loaded import act, at


def after(position: Position, text: str) -> tuple[Event, ...]:
    done = action(text)
    return events(position, done, play(position, done))


def test_a_push_lists_every_step_the_furthest_first() -> None:
    (told,) = after(board("standard w", "W=Gb5,Ge2,Gh5", "B=Gb2,Ge8,Gh2,e3"), "e1-e2")
    assert isinstance(told, Pushed)
    assert told.by is Colour.WHITE
    assert told.moved == (("e3", "e4"), ("e2", "e3"), ("e1", "e2"))


def test_a_push_towards_lower_spots_and_on_to_a_vacancy() -> None:
    position = board("basic w", "W=b5", "B=e8,h2")
    (down,), (vacant,) = after(position, "e9-e8"), after(position, "e1-e2")
    assert isinstance(down, Pushed)
    assert isinstance(vacant, Pushed)
    assert down.moved == (("e8", "e7"), ("e9", "e8"))
    assert vacant.moved == (("e1", "e2"),)


def test_a_removal_lists_returned_and_captured_pieces() -> None:
    (told,) = after(board("standard w", "W=e2,e3,Ge4,e5,Gb2", "B=Ge6,e7,Gh2"), "e: e2 e3 e5 e6 e7")
    basic, gipf = Piece(Colour.BLACK, Kind.BASIC), Piece(Colour.BLACK, Kind.GIPF)
    assert isinstance(told, Removed)
    assert (told.by, told.line) == (Colour.WHITE, "e")
    assert [spot for spot, _ in told.returned] == ["e2", "e3", "e5"]
    assert told.captured == (("e6", gipf), ("e7", basic))


def test_the_end_is_the_last_event() -> None:
    told = after(board("standard w", "W=e2,e3,Ge4,e5", "B=Ge6,c2"), "e: e2 e3 e5 e6")
    assert isinstance(told[0], Removed)
    assert told[1] == Ended(Result(Colour.WHITE, Reason.GIPF))


def test_leaving_an_offer_has_no_event() -> None:
    position = board("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", opening="w")
    pushed = play(position, action("Ge1-e2"))
    assert events(pushed, action("pass"), play(pushed, action("pass"))) == ()


def test_a_jump_to_a_vacancy_covers_nothing() -> None:
    position, use = at("standard+Z3 w W=Gb5,Zd3 B=d4,Ge8"), act("Zd3>d5")
    (told,) = events(position, use, play(position, use))
    assert isinstance(told, Used)
    assert told == (Colour.WHITE, use, Piece(Colour.WHITE, Kind("z")), None)


@pytest.mark.parametrize(("put", "kind"), [("+1", Kind.BASIC), ("+2", Kind.GIPF)])
def test_pieces_put_on_a_gipf_piece_cover_it(put: str, kind: Kind) -> None:
    position, use = at("standard+P3 w W=Gb5,Pd3 B=Gd4[G],Ge8"), act(f"Pd3>d4{put}")
    (told,) = events(position, use, play(position, use))
    assert isinstance(told, Used)
    assert (told.put, told.covered) == (Piece(Colour.WHITE, kind), Piece(Colour.BLACK, Kind.GIPF))


def test_covering_the_last_gipf_piece_ends_the_game() -> None:
    position, use = at("standard+P3 w W=Gb5,Pd3 B=Gd4"), act("Pd3>d4+1")
    assert events(position, use, play(position, use))[1] == Ended(Result(Colour.WHITE, Reason.GIPF))


def test_a_removal_lists_only_the_tops_of_stacks_and_what_it_frees() -> None:
    position, taken = at("standard+P6 w W=Gb5,e2,pe3[P],e4,e5[GG] B=Gd7,Ge8"), act("e: e2 e3 e4 e5")
    told, freed = events(position, taken, play(position, taken))
    assert isinstance(told, Removed)
    assert ("e3", Piece(Colour.WHITE, Kind("p"))) in told.returned
    gipf = Piece(Colour.BLACK, Kind.GIPF, (Piece(Colour.WHITE, Kind.GIPF),))
    assert freed == Freed((("e3", Piece(Colour.BLACK, Kind("P"))), ("e5", gipf)))


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", LOADED, ids=NAMES)
def test_the_events_of_a_game_with_potentials_tell_every_change_of_the_board(rules: Ruleset) -> None:
    rng = random.Random(6)
    for _ in range(amount(test=2, long=20)):
        for before, done, then in walk(start(rules), rng, power_seeking, 200):
            shown = before.pieces()
            for told in events(before, done, then):
                _tell(shown, told)
            assert shown == then.pieces()


def _tell(shown: dict[str, Piece], told: Event) -> None:
    """Change the pieces on a board as an event tells."""
    if isinstance(told, Pushed):
        for source, to in told.moved:
            shown[to] = shown.pop(source, Piece(told.by, told.push.kind))
    elif isinstance(told, Used):
        below = shown.get(told.use.target)
        shown[told.use.spot] = Piece(told.by, Kind.BASIC)
        shown[told.use.target] = told.put._replace(under=(below._replace(under=()), *below.under) if below else ())
    elif isinstance(told, Removed):
        for spot, piece in (*told.returned, *told.captured):
            assert shown.pop(spot)._replace(under=()) == piece
    elif isinstance(told, Freed):
        shown.update(told.pieces)


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_events_of_a_game_add_up(rules: Ruleset) -> None:
    """Reserves and captures change by what the events list. Every step leads from a piece to a vacancy."""
    rng = random.Random(4)
    for _ in range(amount(test=4, long=20)):
        for before, done, then in walk(start(rules), rng, row_seeking, 300):
            for told in events(before, done, then):
                if isinstance(told, Removed):
                    gone = {spot for spot, _ in (*told.returned, *told.captured)}
                    assert gone == {*before.pieces()} - {*then.pieces()}
                    own = before.owned[before.mover]
                    assert then.reserve[told.by] - before.reserve[told.by] == worth(before, own & done.taken)  # type: ignore[union-attr]
                if isinstance(told, Pushed):
                    assert [to for _, to in told.moved[1:]] == [source for source, _ in told.moved[:-1]]
                    assert {*before.pieces()} | {told.moved[0][1]} == {*then.pieces()} | {told.moved[0][1]}
