"""**More** leads to all else that can be done in a game, from the newest board and from the desk."""

import pytest

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.play import game_texts
from tests.ui.positions import GIPF_ROW
from tests.ui.settings.panel import forged
from tests.ui.studying import fill
from tests.ui.table import Desk, ask_takeback, open_desk, open_note, write_note
from tests.ui.world import World, buttons, labels, private, told

MORE, FLIP, TYPE, UNDO, HOW = "More…", "Flip", "Type a turn", "Ask to take back…", "How to play"


async def more(world: World, name: str) -> Desk:
    """Return what **More** on the newest board shows to a person."""
    person = getattr(world, name)
    return Desk(person, await person.click(world.board(), label=MORE))


async def test_a_board_leads_each_person_to_what_they_may_do(world: World) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    watching = [FLIP, "Replay", "Record", "Study", SHOW_HERE_LABEL]
    assert (await more(world, "cara")).labels == ["Follow", "Guess", HOW, *watching]
    assert (await more(world, "ann")).labels == ["Plan ahead…", HOW, "Private note", UNDO, "Resign…", *watching]
    assert (await more(world, "bob")).labels == ["Move", TYPE, HOW, "Private note", "Resign…", *watching]
    assert world.board().jump_url in (await more(world, "cara")).text


async def test_desk_leads_to_more_and_back(world: World) -> None:
    await world.begin()
    desk = await open_desk(world)
    await desk.press(MORE)
    assert TYPE in desk.labels
    await desk.press("Move")
    assert "c1" in desk.dots


async def test_more_says_what_was_begun_of_a_turn(world: World) -> None:
    """To the player alone."""
    await world.prepared(GIPF_ROW)
    await world.ann.slash(world.channel, "move", notation="xd3,d4,d5")
    shown = await more(world, "ann")
    assert "You have begun your turn: **a removal** (also written `xd3,d4,d5`)." in shown.text
    assert shown.text.endswith("This board doesn't show it yet. **Continue turn** goes on where you stopped.")
    for other in ("bob", "cara"):
        seen = (await more(world, other)).text
        assert "begun" not in seen
        assert game_texts.BEGUN_IS_KEPT not in seen
    await shown.press("Continue turn")
    assert "c1" in shown.dots, "the removal was kept, so the push comes next"


async def test_board_is_flipped_and_back(world: World) -> None:
    """For its viewer alone, and whatever side they see it from by their settings."""
    await world.begin()
    shown = await more(world, "cara")
    pictures = [await shown.message.attachments[0].read()]
    for _ in range(2):
        await shown.press(FLIP)
        pictures.append(await shown.message.attachments[0].read())
    assert pictures[0] == pictures[2] != pictures[1]


async def test_turn_is_typed_into_a_form(world: World) -> None:
    """A text that was refused comes back in the form."""
    await world.begin()
    shown = await more(world, "ann")
    await fill(shown, TYPE, "e2")
    assert "Nothing was played." in shown.text
    opened = await world.ann.click(shown.message, label="Type it again")
    assert "'value': 'e2'" in str(opened.modal)
    await shown.press("Move")
    await shown.press(MORE)
    await fill(shown, TYPE, "e1-e3")
    assert await world.confirmed(shown.text) == "e1-e3"


async def test_undo_asks_before_it_posts(world: World) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    shown, posted = await more(world, "ann"), len(world.public())
    await shown.press(UNDO)
    assert shown.text.startswith("Ask Bob to let you take back your last turn in game #a1?")
    assert len(world.public()) == posted
    await shown.press("Back")
    assert FLIP in shown.labels
    await shown.press(UNDO)
    await shown.press("Ask to take back")
    assert "Bob has been [asked]" in shown.text
    assert "asks to take back their last turn" in world.public()[-1].content


async def test_undo_asked_before_another_turn_asks_again(world: World) -> None:
    """Then both turns would be taken back, so the player has to know."""
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    shown = await more(world, "ann")
    await shown.press(UNDO)
    await world.bob.slash(world.channel, "move", notation="f1-d2")
    posted = len(world.public())
    await shown.press("Ask to take back")
    assert "take back your last turn and Bob's answer in game #a1?" in shown.text
    assert len(world.public()) == posted


async def test_open_takeback_request_is_settled_from_more(world: World) -> None:
    """Each player gets the buttons that they may press, below the request, and cannot ask for another."""
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    stale = await more(world, "ann")
    await ask_takeback(world, world.ann)
    request = world.public()[-1]
    asker, answerer, spectator = [await more(world, name) for name in ("ann", "bob", "cara")]
    assert asker.message.note.startswith("You've asked to take back your last turn in game #a1. Bob has to answer.")
    assert asker.labels[:2] == ["Withdraw", "Plan ahead…"]
    assert answerer.message.note.startswith("Ann asks to take back their last turn in game #a1. Accept?")
    assert answerer.labels[:3] == ["Accept", "Decline", "Move"]
    assert UNDO not in asker.labels
    assert not {"Accept", "Decline", "Withdraw"} & {*spectator.labels}
    assert "take back" not in spectator.text
    await stale.press(UNDO)
    assert (stale.labels, stale.text) == (["Withdraw"], asker.message.note), "the open request, no question"
    await answerer.press("Accept")
    assert "was accepted by Bob" in answerer.text
    assert (await world.game()).turn_number == 0
    assert buttons(next(message for message in world.public() if message.id == request.id)) == []
    assert "Accept" not in (await more(world, "bob")).labels


async def test_takeback_request_is_withdrawn_from_the_private_board(world: World) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    await ask_takeback(world, world.ann)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    await shown.press("Withdraw")
    assert "was withdrawn" in shown.text
    assert "was withdrawn" in world.public()[-1].content
    assert "Withdraw" not in (await more(world, "ann")).labels


async def test_desk_tells_of_a_takeback_request_to_answer(world: World) -> None:
    hint = "Ann asks to take back their last turn. **More…** has the answers."
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    assert "take back" not in (await open_desk(world)).text
    await ask_takeback(world, world.ann)
    desk = await open_desk(world)
    assert hint in desk.text.splitlines()
    await desk.press(MORE)
    await desk.press("Decline")
    assert "was declined by Bob" in desk.text
    assert "take back" not in (await open_desk(world)).text


async def test_desk_is_silent_on_the_players_own_takeback_request(world: World) -> None:
    await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    await world.bob.slash(world.channel, "move", notation="f1-d2")
    assert "Bob has been [asked]" in await ask_takeback(world, world.ann)
    desk = await open_desk(world)
    assert "Ann" not in desk.text
    await desk.press(MORE)
    assert desk.labels[0] == "Withdraw"


async def test_resigning_from_more_asks(world: World) -> None:
    await world.begin()
    shown = await more(world, "ann")
    await shown.press("Resign…")
    assert shown.labels == ["Cancel it", "Resign", "Keep playing"]


async def test_note_from_more_opens_with_the_note(world: World) -> None:
    await world.begin()
    await write_note(world.ann, await open_note(world, world.ann), "watch b4")
    shown = await more(world, "ann")
    assert "watch b4" in str((await world.ann.click(shown.message, label="Private note")).modal)


@pytest.mark.parametrize("verb", ["ask_request:takeback", "ask_end_game"])
async def test_spectator_cannot_reach_what_players_do(world: World, verb: str) -> None:
    """A modified client may send any custom_id."""
    await world.begin()
    before = await world.stored()
    assert "You do not play in this game" in await forged(world, world.cara, f"{verb}:1")
    assert await world.stored() == before


async def test_board_of_a_game_that_is_over_has_no_more(world: World) -> None:
    await world.begin()
    old = world.board()
    await world.bob.slash(world.channel, "gipf resign")
    done = await world.bot.app.games.resign(1, world.bob.id)
    answer = private(await world.ann.click(old, label=MORE))
    assert "the game is over" in answer.content
    assert "Resign…" not in labels(answer)
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    assert MORE not in buttons(world.public()[-1])


async def test_a_due_row_comes_first_from_more_too(world: World) -> None:
    await world.prepared(GIPF_ROW)
    assert (await more(world, "ann")).labels[:2] == [texts.REMOVE_LABEL, TYPE]
    assert "take back" not in told(await world.ann.slash(world.channel, "gipf board"))
