"""Buttons of messages whose rows are long gone: they work as before, or say what to do."""

from gipfbot.service.privacy.retention import ROW_SECONDS, Retention
from tests.ui.table import open_desk
from tests.ui.world import World, buttons, challenged, counted, private, told


async def forget_rows(world: World) -> None:
    """Delete what a later sweep would delete, when two months have passed."""
    app = world.bot.app
    await Retention(world.store, lambda: app.now() + 2 * ROW_SECONDS, app.kinds).finish_pass()
    assert await counted(world, "outbox") == 0


async def test_board_can_be_played_on_when_its_row_is_gone(world: World) -> None:
    game_id = await world.begin()
    board = world.board(game_id)
    await forget_rows(world)
    assert private(await world.ann.click(board, label="Move")).components
    assert buttons(world.board(game_id)) == ["Move", "More…", "How to play"]
    desk = await open_desk(world, game_id)
    await desk.press("c1")
    await desk.push("c2")
    assert (await world.game(game_id)).turn_number == 1
    assert world.board(game_id).id != board.id
    assert await counted(world, "outbox") == 1, "the new board is a row again"


async def test_button_of_a_forgotten_challenge_says_what_to_do(world: World) -> None:
    """Discord was down when it was declined, so the message kept its buttons."""
    message = await challenged(world)
    await world.bot.app.lobby.decline_challenge(1, world.bob.id)
    await forget_rows(world)
    assert await counted(world, "challenges") == 0
    answer = told(await world.bob.click(message, label="Accept"))
    assert answer == "This challenge is gone. **/gipf challenge** starts a new one."
