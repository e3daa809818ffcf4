"""Full turns one by one: removals, an act, removals (R3, R7.3). Larger samples are compared with the naive programs."""

from collections.abc import Iterable

from gipfbot.rules import OVERBOARD, PASS, STANDARD, Action, Position, Push, Remove, legal, play, start
from gipfbot.rules.full_turns import Turn, distinct_acts, distinct_pushes, removal_ways, turns
from tests.rules.boards_of_overboard import ROW, table_at
from tests.rules.helpers import BLACK, WHITE, board, text
from tests.rules.loaded import at

# A row before the push with a GIPF-piece that may stay.
BEFORE = board("standard w", "W=e2,e3,e4,Ge5,Gb5", "B=Gb2")
# The push e1-e2 makes a row with a GIPF-piece that may stay.
AFTER = board("standard w", "W=e2,e3,Ge4,Gb5", "B=Gh2")
# The push Ge1-e2 makes a row of GIPF-pieces, which may stay as a whole (R4.7).
OFFER = board("tournament w", "W=Ge2,Ge3,Ge4", "B=Gb2", opening="wb")


def texts(actions: Iterable[Action]) -> list[str]:
    return [text(one) for one in actions]


def found_turns(position: Position) -> list[Turn]:
    """Return all full turns. Check that each is legal action by action, and leads to its position."""
    found = list(turns(position))
    for turn, end in found:
        here = position
        for action in turn.actions:
            assert action in legal(here)
            here = play(here, action)
        assert here == end
    return [turn for turn, _ in found]


def test_a_plain_turn_is_one_push() -> None:
    """At the start, each of the 6 corners is pushed in 3 directions, and 12 vacancies have a turn each."""
    found = found_turns(start(STANDARD))
    assert len(found) == len({turn.act for turn in found}) == 6 * 3 + 12
    assert all(turn.before == turn.after == () for turn in found)


def test_a_turn_begins_with_each_way_to_remove_a_row() -> None:
    found = found_turns(BEFORE)
    assert {tuple(texts(turn.before)) for turn in found} == {("e: e2 e3 e4",), ("e: e2 e3 e4 e5",)}


def test_a_turn_ends_with_each_way_to_remove_a_row() -> None:
    pushed = [turn for turn in found_turns(AFTER) if turn.act and text(turn.act) == "e1-e2"]
    assert {tuple(texts(turn.after)) for turn in pushed} == {("e: e2 e3 e4",), ("e: e2 e3 e4 e5",)}


def test_a_turn_ends_before_the_opponents_row() -> None:
    """It is removed in the opponent's turn."""
    for turn, end in turns(board("basic w", "W=e2,e3,e4", "B=g2,g3,g4,g5")):
        assert all(one.on.code == "e" for one in turn.after if isinstance(one, Remove))
        assert end.mover is BLACK


def test_a_turn_that_keeps_an_offer_ends_with_a_pass() -> None:
    pushed = [turn for turn in found_turns(OFFER) if turn.act and text(turn.act) == "Ge1-e2"]
    assert [turn.after for turn in pushed].count((PASS,)) == 1
    assert len(pushed) == 16


def test_a_removal_that_ends_the_game_is_the_whole_turn() -> None:
    found = found_turns(board("standard w", "W=e2,e3,e4,e5,Gb5", "B=Ge6"))
    wins = [turn for turn in found if turn.act is None]
    assert [texts(turn.actions) for turn in wins] == [["e: e2 e3 e4 e5 e6"]]


def test_of_two_orders_the_name_that_sorts_first_is_told() -> None:
    """Rows that share nothing may be removed in either order (R4.5)."""
    two = board("basic w", "W=b2,b3,b4,b5,g2,g3,g4,g5", "B=e8")
    for name in (lambda _, remove: remove.on.code, lambda _, remove: "zg"[remove.on.code == "g"]):
        ((end, way),) = removal_ways(two, name).items()
        codes = [name(two, one) for one in way if isinstance(one, Remove)]
        assert codes == sorted(codes)
        assert (end.dealt, {*end.pieces()}) == (0, {"e8"})


def test_offers_before_the_push_are_taken_in_each_way_or_kept() -> None:
    assert len(removal_ways(board("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2"))) == 16


def test_without_a_row_the_removals_end_at_once() -> None:
    begin = start(STANDARD)
    assert removal_ways(begin) == {begin: ()}


def test_pushes_of_one_kind_to_a_vacancy_are_one() -> None:
    """A spot that is occupied is pushed in each direction apart."""
    corner = board("basic w", "W=e2", "B=h5")
    spots = [push.spot for push in distinct_pushes(corner)]
    assert spots.count("e2") == 3
    assert spots.count("b5") == 1


def test_pushes_and_then_uses_are_the_acts() -> None:
    loaded = at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8")
    acts = list(distinct_acts(loaded))
    pushes = list(distinct_pushes(loaded))
    assert acts[: len(pushes)] == pushes
    assert [one.spot for one in acts[len(pushes) :]] == ["d3"]
    assert list(distinct_acts(start(STANDARD))) == list(distinct_pushes(start(STANDARD)))


def test_r8_in_overboard_every_push_counts_and_a_player_may_pass() -> None:
    begin = start(OVERBOARD)
    assert list(distinct_pushes(begin)) == [one for one in legal(begin) if isinstance(one, Push)]
    poor = table_at("w W=Gb5 B=Gb2")._replace(reserve=(0, 18))
    assert found_turns(poor) == [Turn((), None, (PASS,))]


def test_r8_in_overboard_all_steps_of_rows_follow_the_push() -> None:
    found = [turn for turn in found_turns(ROW) if turn.act and text(turn.act) == "a4-b4"]
    assert {len(turn.after) for turn in found} == {2}
    assert {end.mover for _, end in turns(ROW)} == {BLACK} != {WHITE}
