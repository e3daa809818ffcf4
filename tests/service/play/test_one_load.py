"""A turn reads what it needs once, and its board is delivered as its transaction wrote it."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from sqlalchemy import event

from gipfbot.match import UNTIMED, Terms
from gipfbot.rules import RULESETS, Ruleset, legal
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import OwedBoard, board_of, unpack_board
from gipfbot.store import Store
from gipfbot.values import OutboxRow
from gipfbot.values.games import Related
from tests.rules.generate import row_seeking
from tests.service.helpers import Host, begin_game, deliver
from tests.support.games import CIRCLE
from tests.support.people import ANN, BOB, CARA, CLUB
from tests.support.terms import THREE_DAYS


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    """Yield the statements that are sent meanwhile, without those that begin and end transactions."""
    found = list[str]()

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if "advisory" not in statement:
            found.append(" ".join(statement.split()))

    engine = store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.mark.parametrize(("terms", "most"), [(UNTIMED, 11), (THREE_DAYS, 15)], ids=["untimed", "timed"])
async def test_turn_and_its_board_take_few_statements(app: App, terms: Terms, most: int) -> None:
    """From the load in the transaction until the board is stored as posted."""
    game = (await deliver(app, await begin_game(app, terms))).game.id
    for number, text in enumerate(CIRCLE):
        with statements(app.games.store) as found:
            await deliver(app, await app.games.play_typed(game, BOB.user if number % 2 else ANN.user, text))
        assert len(found) <= most, "\n".join(found)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
async def test_board_is_handed_on_as_it_is_stored(app: App, ruleset: Ruleset) -> None:
    begin = await deliver(app, await begin_game(app, THREE_DAYS, ruleset))
    rng, stored, shown = Random(7), await app.games.game(begin.game.id), 0
    while stored.game.asked is not None and stored.game.turn_number < 40:
        action = row_seeking(stored.game.current, legal(stored.game.current), rng)
        done = await app.games.play_actions(stored.game.id, stored.game.seats[stored.game.asked].user, [action])
        for owed in done.owed:
            assert isinstance(owed, OwedBoard)
            assert owed.board == unpack_board(stored.game.id, owed.payload)
            assert owed.older == (stored.board_channel, stored.board_message)
            shown += 1
        await deliver(app, done)
        stored = await app.games.game(stored.game.id)
    assert shown >= 40 or stored.game.asked is None


async def test_row_that_is_leased_again_is_read_anew(app: App, host: Host) -> None:
    game = (await deliver(app, await begin_game(app))).game.id
    (owed,) = (await app.games.play_typed(game, ANN.user, CIRCLE[0])).owed
    host.passes(60)
    again = await app.outbox.lease_row(owed.id)
    assert again
    assert type(again) is OutboxRow
    assert isinstance(owed, OwedBoard)
    assert board_of(again) == owed.board
    older = (await app.games.game(game)).board_message
    assert await app.outbox.note_delivered(again, 77) == (owed.channel, older)
    assert await app.outbox.note_delivered(owed, 77) is None, "it is known already"


async def test_game_says_what_is_related(app: App) -> None:
    """Only the tables that hold something are read by the turn."""

    async def related() -> Related:
        return (await app.games.game(game)).related

    begin = await begin_game(app, THREE_DAYS)
    game = begin.game.id
    assert await related() == Related({}, has_guesses=False, has_vacation=False, has_owed=True)
    await deliver(app, begin)
    assert not (await related()).has_owed
    await app.guesses.guess(CARA.user, game, 0, CIRCLE[0])
    assert (await related()).has_guesses
    await app.games.play_typed(game, ANN.user, CIRCLE[0])
    assert not (await related()).has_guesses, "it is about the turn before"
    assert (await related()).has_owed
    await app.conditionals.add_typed_line(game, ANN.user, f"{CIRCLE[1]} {CIRCLE[2]}")
    await app.vacations.start_vacation(BOB.user, 3)
    await app.servers.change(CLUB, {"theme": "night"})
    assert await related() == Related({"theme": "night"}, has_guesses=False)
