"""Discord accepts an acknowledgement, but its answer is lost on the way. The person is answered all the same."""

import pytest

from gipfbot.ui.desk.screens import TYPE_IT_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.watching.watching_texts import GUESS_LABEL
from tests.support.routes import CALLBACK

from .house import House


@pytest.mark.parametrize("status", [None, 500], ids=["cut", "error"])
async def test_a_press_whose_acknowledgement_was_lost_is_answered(house: House, status: int | None) -> None:
    """The second try is refused with 40060, as the first has arrived."""
    await house.begin(thread=False)
    await house.connect()
    house.discord.fail_next("POST", CALLBACK, status=status, after_accepting=True)
    pressed = await house.discord.press(house.discord.user("ann"), house.channel.last(), texts.MOVE_LABEL)
    assert "your turn" in (await pressed.followed_up()).text
    assert [call.status for call in house.discord.called("POST", CALLBACK)] == [status, 400]


async def test_a_refusal_after_a_lost_acknowledgement_is_told(house: House) -> None:
    await house.begin(thread=False)
    await house.connect()
    board = house.channel.last()
    house.discord.fail_next("POST", CALLBACK, after_accepting=True)
    pressed = await house.discord.press(house.discord.user("bob"), board, texts.MOVE_LABEL)
    assert "not your turn" in (await pressed.followed_up()).text


async def test_a_form_that_was_opened_already_is_left_alone(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """It cannot be opened twice, and the person has it."""
    await house.begin(thread=False)
    await house.connect()
    looked = await house.discord.press(house.discord.user("cara"), house.channel.last(), texts.MOVE_LABEL)
    shown = await looked.followed_up()
    asked = await house.discord.press(house.discord.user("cara"), shown, GUESS_LABEL)
    desk = await asked.followed_up()
    house.discord.fail_next("POST", CALLBACK, status=500, after_accepting=True)
    opened = await house.discord.press(house.discord.user("cara"), desk, TYPE_IT_LABEL)
    await house.discord.wait_for(lambda: "answered already" in caplog.text, what="a line in the log")
    assert (bool(opened.modal), opened.followups) == (True, [])
