"""How often an interaction uses the database: it reads one state, and writes once.

After the write, or after a replay in a thread, each further reading is one of its own: none may hold a connection then.
"""

from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
import sqlalchemy
from sqlalchemy import event

from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.desk.screens import TYPE_IT_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import conditionals, request_texts
from tests.support.games import PLAYED

from .studying import NEXT, imported, playing
from .table import Desk, ask_takeback, challenge_bot, open_desk
from .world import World, challenged, labels, private, told

pytestmark = pytest.mark.looks_every(1)  # no sweep is counted
Answer = TypeVar("Answer")


@dataclass
class Visits:
    """How often a connection was taken, to read and to write."""

    readings: int = 0
    writings: int = 0
    queries: int = field(default=0, compare=False)

    async def of(self, interaction: Awaitable[Answer]) -> Answer:
        """Count during one interaction; return its answer."""
        self.readings = self.writings = self.queries = 0
        return await interaction

    def note(self, connection: sqlalchemy.Connection) -> None:
        """Count a transaction that begins."""
        if "IMMEDIATE" in connection.get_execution_options().get("begin", ""):
            self.writings += 1
        else:
            self.readings += 1

    def note_query(self, *_: object) -> None:
        """Count a query."""
        self.queries += 1


@pytest.fixture
def visits() -> Iterator[Visits]:
    counted = Visits()
    event.listen(sqlalchemy.Engine, "begin", counted.note)
    event.listen(sqlalchemy.Engine, "before_cursor_execute", counted.note_query)
    yield counted
    event.remove(sqlalchemy.Engine, "begin", counted.note)
    event.remove(sqlalchemy.Engine, "before_cursor_execute", counted.note_query)


async def test_a_typed_turn_is_one_transaction(world: World, visits: Visits) -> None:
    """The other writing is the delivery's. Two readings come after the writes."""
    await world.begin("basic")
    assert told(await visits.of(world.ann.slash(world.channel, "move", notation="c2"))).startswith("Played")
    assert visits == Visits(readings=3, writings=2)


async def test_a_pushed_turn_is_one_transaction(world: World, visits: Visits) -> None:
    await world.begin("basic")
    await world.begin("basic")
    desk = await open_desk(world)
    await desk.press("c1")
    await visits.of(desk.push("c2"))
    assert "1 more game waits for you." in desk.text
    assert visits == Visits(readings=4, writings=2)


@pytest.mark.parametrize(("name", "readings"), [("ann", 2), ("bob", 2), ("cara", 1)])
async def test_a_board_is_read_at_once(world: World, visits: Visits, name: str, readings: int) -> None:
    """For a player, Discord is asked whether both still see the channel. After that, each reading is one of its own."""
    await world.begin("basic")
    shown = private(await visits.of(getattr(world, name).slash(world.channel, "gipf board", game="#a1")))
    assert len(shown.attachments) == 1
    assert visits == Visits(readings=readings)


async def test_a_desk_is_read_at_once(world: World, visits: Visits) -> None:
    """This holds for the command, the board's button, and each press that only shows something."""
    await world.begin("basic")
    await visits.of(world.ann.slash(world.channel, "move"))
    assert visits == Visits(readings=1)
    desk = Desk(world.ann, await visits.of(world.ann.click(world.board(), label="Move")))
    assert visits == Visits(readings=1)
    await visits.of(desk.press("c1"))
    assert "→ c2" in desk.labels
    assert visits == Visits(readings=1)


async def test_a_stale_desk_is_read_at_once(world: World, visits: Visits) -> None:
    await world.begin("basic")
    desk = await open_desk(world)
    await world.ann.slash(world.channel, "move", notation="c2")
    await visits.of(desk.press("c1"))
    assert "Your last turn in this game was" in desk.text
    assert visits == Visits(readings=1)


async def test_list_of_games_is_one_reading_and_notes_only_news(world: World, visits: Visits) -> None:
    """More games need no more queries."""
    queries = set()
    for more in (1, 3):
        for _ in range(more):
            await world.begin("basic")
        await visits.of(world.ann.slash(world.channel, "gipf games"))
        assert visits == Visits(readings=1, writings=1)
        queries.add(visits.queries)
        await visits.of(world.ann.slash(world.channel, "gipf games"))
        assert visits == Visits(readings=1)
    assert len(queries) == 1


async def test_lists_and_questions_are_read_at_once(world: World, visits: Visits) -> None:
    await world.begin("basic")
    await world.ann.slash(world.channel, "gipf games")
    for command, typed in (("gipf games", {}), ("gipf resign", {}), ("move", {"notation": "note"})):
        assert labels(private(await visits.of(world.ann.slash(world.channel, command, **typed))))
        assert visits == Visits(readings=1)
    assert await visits.of(world.ann.autocomplete(world.channel, "move", "notation", "c2"))
    assert visits == Visits(readings=1)


async def test_a_form_opens_without_the_database(world: World, visits: Visits) -> None:
    await world.begin("basic")
    shown = private(await world.ann.slash(world.channel, "move", notation="note"))
    assert (await visits.of(world.ann.click(shown, label=labels(shown)[0]))).modal
    assert visits == Visits()


async def test_a_challenge_is_answered_in_one_transaction(world: World, visits: Visits) -> None:
    """An acceptance has a second read and write by the delivery, which posts the board."""
    challenge = await challenged(world)
    await visits.of(world.bob.click(challenge, label="Accept"))
    assert visits == Visits(readings=2, writings=2)
    await visits.of(world.bob.click(await challenged(world), label="Decline"))
    assert visits == Visits(readings=1, writings=1)


async def test_a_step_in_a_study_is_one_transaction(world: World, visits: Visits) -> None:
    """A press that only shows something writes nothing."""
    desk = await imported(world)
    await visits.of(desk.press(NEXT))
    assert visits == Visits(readings=2, writings=1)
    await visits.of(desk.press(study_texts.TRY_TURN_LABEL))
    await visits.of(desk.press("f1"))
    assert visits == Visits(readings=2)
    await visits.of(desk.push("f2"))
    assert visits == Visits(readings=2, writings=1)


async def test_records_and_replays_are_one_reading(world: World, visits: Visits) -> None:
    await playing(world, *PLAYED[:1])
    for command in ("gipf record", "gipf replay"):
        assert private(await visits.of(world.ann.slash(world.channel, command))).attachments
        assert visits == Visits(readings=1)


async def test_reasons_of_the_bot_are_one_reading(world: World, visits: Visits) -> None:
    await challenge_bot(world, colour="black")
    for person in (world.ann, world.cara):
        assert private(await visits.of(person.click(world.public()[-1], label="Why this turn?"))).attachments
        assert visits == Visits(readings=1)


async def test_conditional_turns_are_one_reading_and_one_transaction(world: World, visits: Visits) -> None:
    await world.begin("basic")
    added = private(await visits.of(world.bob.slash(world.channel, "gipf if", turns="c2 g2")))
    assert visits == Visits(readings=1, writings=1)
    await visits.of(world.bob.slash(world.channel, "gipf if"))
    assert visits == Visits(readings=1)
    desk = private(await visits.of(world.bob.click(added, label=conditionals.IF_LABEL)))
    assert visits == Visits(readings=1, writings=1)
    form = await visits.of(world.bob.click(desk, label=TYPE_IT_LABEL))
    assert visits == Visits()
    await visits.of(world.bob.submit_modal(form, {"text": "b3 h3"}))
    assert visits == Visits(readings=1, writings=1)
    assert "You have 1 plan" in told(await visits.of(world.bob.click(added, label="Withdraw 1")))
    assert visits == Visits(readings=1, writings=1)


async def test_reminders_are_changed_in_one_transaction(world: World, visits: Visits) -> None:
    """The answer comes with it, so nothing is read after it."""
    await world.begin("basic")
    shown = private(await visits.of(world.ann.slash(world.channel, "gipf-me reminders", game="#a1")))
    assert visits == Visits(readings=1)
    await world.ann.slash(world.channel, "gipf-me reminders", digest="8", zone="UTC")
    shown = private(await world.ann.slash(world.channel, "gipf-me reminders", game="#a1"))
    await visits.of(world.ann.click(shown, label=reminder_texts.OFF_FOR_GAME_LABEL))
    assert visits == Visits(writings=1)


async def test_settings_are_changed_in_one_transaction(world: World, visits: Visits) -> None:
    await visits.of(world.ann.slash(world.channel, "gipf-me settings"))
    assert visits == Visits(readings=1)
    await visits.of(world.ann.slash(world.channel, "gipf-me settings", theme="night", own_side=True))
    assert visits == Visits(readings=4, writings=1), "what was set before, then what the message shows now"


async def test_open_takeback_request_is_read_with_its_game(world: World, visits: Visits) -> None:
    """The game says whether there is one, so only then does the desk need another query."""
    await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    queries = []
    for hints in (0, 1):
        desk = Desk(world.bob, await visits.of(world.bob.click(world.board(), label="Move")))
        assert (desk.text.count("take back"), visits) == (hints, Visits(readings=1))
        queries.append(visits.queries)
        await ask_takeback(world, world.ann)
    assert queries[0] + 1 == queries[1]
    await visits.of(desk.press(texts.MORE_LABEL))
    assert (desk.labels[0], visits) == ("Accept", Visits(readings=1))


async def test_takeback_is_one_transaction_for_each_player(world: World, visits: Visits) -> None:
    """The rest is the delivery's, and one look at where the request was posted."""
    await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    asked = Desk(world.ann, await visits.of(world.ann.slash(world.channel, "move", notation="undo")))
    assert visits == Visits(readings=1)
    await visits.of(asked.press(request_texts.REQUEST_TAKEBACK_LABEL))
    assert visits == Visits(readings=4, writings=2)
    await visits.of(world.bob.click(world.public()[-1], label="Accept"))
    assert visits == Visits(readings=2, writings=2)
