"""Overboard through the bot, by pressing: whole turns, decisions of the opponent, passing, draws."""

from random import Random

import pytest

from gipfbot.match import Status
from gipfbot.notation import turn_text
from gipfbot.rules import Action, Colour, Push, Reason, Remove, Result, legal
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import request_texts
from tests.rules.boards_of_overboard import OUT_OF_TURN, ROW, seek_rows, table_at
from tests.ui.table import Desk, open_desk
from tests.ui.world import World, buttons, components, labels, private, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(60)]


def button_for(desk: Desk, action: Action) -> str:
    """Return the label of the button that plays an action."""
    if isinstance(action, Push):
        return next(label for label in desk.labels if label.split(" · ")[0] == f"→ {action.spot}")
    if not isinstance(action, Remove):
        return desk_texts.PASS_LABEL
    played = {str(item["custom_id"]).split(":", 4)[-1]: str(item["label"]) for item in components(desk.message)}
    answer = f"done:{action.on.code}:"
    return played.get(answer + "".join(action.spots)) or played[answer]


async def press_action(world: World, game_id: int, action: Action) -> Desk:
    """Let the player who has to decide play this action by pressing."""
    desk = await open_desk(world, game_id)
    if isinstance(action, Push):
        await desk.press(action.dot)
    await desk.press(button_for(desk, action))
    return desk


async def test_a_whole_game_is_played_by_pressing_and_ends_in_a_draw(world: World) -> None:
    """Rows of both colours come off, and runs at their ends go home. Nobody has to type."""
    game_id, rng, answers = await world.begin("overboard"), Random(32), 0
    while answers < 2:
        game = await world.game(game_id)
        assert game.turn_number < 20
        assert world.pings(world.board(game_id)) == {world.player(game).id}
        action = seek_rows(game.current, legal(game.current), rng)
        answers += isinstance(action, Remove)
        await press_action(world, game_id, action)
    menu = private(await world.ann.click(world.board(game_id), label="More…"))
    await world.ann.click(menu, label=game_texts.ASK_DRAW_LABEL)
    await world.ann.click(menu, label=request_texts.OFFER_DRAW_LABEL)
    await world.bob.click(world.public()[-1], label="Accept")
    assert (await world.game(game_id)).position.result == Result(None, Reason.AGREEMENT)
    assert "is a draw" in world.public()[-1].content


async def test_r8_4_the_owner_decides_in_the_opponents_turn(world: World) -> None:
    """Black pushes; White is pinged and asked; then the turn is Black's own again, or complete."""
    game_id = await world.prepared(OUT_OF_TURN)
    push = next(
        action
        for action in legal(OUT_OF_TURN)
        if isinstance(action, Push) and (action.dot, action.spot) == ("a4", "b4")
    )
    desk = await press_action(world, game_id, push)
    while (game := await world.game(game_id)).asked is Colour.BLACK and game.status is Status.RUNNING:
        desk = await press_action(world, game_id, legal(game.current)[0])
    assert "Now Ann decides about a GIPF-piece" in desk.text
    board = world.board(game_id)
    assert world.pings(board) == {world.ann.id}
    assert board.content.splitlines()[0].startswith(f"<@{world.ann.id}> your decision · #a1 vs Bob · Bob played ")
    assert len(board.content.splitlines()) <= 3
    assert "#a1** is waiting for Ann" in told(await world.bob.click(board, label=buttons(board)[0] or ""))
    owner = await open_desk(world, game_id)
    assert "your decision in" in owner.text
    assert "Do you give up any of its GIPF-pieces?" in owner.text
    assert {"Keep e3 e6 on the board", "Give up e3", "Give up e6", "Give up e3 e6"} <= {*owner.labels}
    await owner.press("Give up e3")
    game = await world.game(game_id)
    assert (game.turn_number, game.asked, game.draft) == (1, Colour.WHITE, ())
    assert game.last
    assert "xGe3" in turn_text(game.last.before, game.last.actions)
    assert "e3" not in game.position.pieces()
    assert "Choose the dot" in owner.text, "it is White's turn now"
    assert world.pings(world.board(game_id)) == {world.ann.id}


async def test_r8_5_the_last_gipf_piece_given_up_loses(world: World) -> None:
    game_id = await world.prepared(table_at("b W=d4,Ge3,e5,e6 B=e2,e7,e8,Gb2,Gh2"))
    game = await world.game(game_id)
    push = next(
        action
        for action in legal(game.position)
        if isinstance(action, Push) and (action.dot, action.spot) == ("a4", "b4")
    )
    await press_action(world, game_id, push)
    while (await world.game(game_id)).asked is Colour.BLACK:
        await press_action(world, game_id, legal((await world.game(game_id)).current)[0])
    owner = await open_desk(world, game_id)
    assert "Without a GIPF-piece you lose the game." in owner.text
    await owner.press("Give up e3 · you lose")
    assert (await world.game(game_id)).position.result == Result(Colour.BLACK, Reason.GIPF)
    assert "wins #a1" in world.public()[-1].content


async def test_r8_3_the_mover_answers_for_each_end(world: World) -> None:
    game_id = await world.prepared(ROW)
    push = next(
        action for action in legal(ROW) if isinstance(action, Push) and (action.dot, action.spot) == ("a4", "b4")
    )
    desk = await press_action(world, game_id, push)
    assert "Do your opponent's **e2** and **e7 e8** go home, too?" in desk.text
    assert desk.answers == ["Leave both on the board", "Send e2 home", "Send e7 e8 home", "Send e2 e7 e8 home"]
    await desk.press("Send e7 e8 home")
    assert {"e7", "e8", "e5"}.isdisjoint((await world.game(game_id)).position.pieces())
    assert "e2" in (await world.game(game_id)).position.pieces()


async def test_r8_5_without_a_reserve_a_player_passes(world: World) -> None:
    spots = "b3,b4,c2,c3,c4,c5,c6,d2,d3,d5,e3,e4,f2,f3,g3,g4,g5,h3"
    position = table_at(f"w W=Gb5,Ge2,Gh5,{spots} B=Gb2,Ge8,Gh2,d4,d6,f4")
    game_id = await world.prepared(position)
    desk = await open_desk(world, game_id)
    assert desk_texts.pass_text(desk_texts.PLAYER) in desk.text
    await desk.press(desk_texts.PASS_LABEL)
    assert (await world.game(game_id)).asked is Colour.BLACK
    assert "**1. White:** a pass" in world.board(game_id).content


async def asked_owner(world: World) -> int:
    """Return a game in which White is asked for GIPF-pieces in Black's turn."""
    game_id = await world.prepared(OUT_OF_TURN)
    await world.bob.slash(world.channel, "move", notation="a4-b4")
    while (game := await world.game(game_id)).asked is Colour.BLACK:
        await press_action(world, game_id, legal(game.current)[0])
    return game_id


@pytest.mark.parametrize(("typed", "left"), [("-", {"e3", "e6"}), ("xGe3", {"e6"}), ("xGe3,Ge6", set[str]())])
async def test_owner_answers_by_typing(world: World, typed: str, left: set[str]) -> None:
    game_id = await asked_owner(world)
    assert "waiting for Ann" in told(await world.bob.slash(world.channel, "move", notation="c1-c2"))
    await world.ann.slash(world.channel, "move", notation=typed)
    game = await world.game(game_id)
    assert (game.turn_number, game.asked) == (1, Colour.WHITE)
    assert {"e3", "e6"} & game.position.pieces().keys() == left


async def test_an_owner_is_offered_answers_to_press(world: World) -> None:
    """`keep` is no answer. Each that is offered in its place is one, also when it is typed."""
    game_id = await asked_owner(world)
    shown = private(await world.ann.slash(world.channel, "move", notation="keep"))
    assert "is asked about GIPF-pieces: write xG and the spot of each, or `-` for none." in shown.content
    assert labels(shown)[:2] == [game_texts.KEEP_ALL_LABEL, "Play xGe3*"]
    await world.ann.click(shown, label=game_texts.KEEP_ALL_LABEL)
    game = await world.game(game_id)
    assert (game.turn_number, game.asked) == (1, Colour.WHITE)
    assert {"e3", "e6"} <= game.position.pieces().keys()


BAD_ANSWERS = ("xGh5", "xe4", "c1-c2", "x", "pass", "nonsense")


async def test_bad_input_of_an_owner_changes_nothing(world: World) -> None:
    game_id = await asked_owner(world)
    before = await world.game(game_id)
    said = [told(await world.ann.slash(world.channel, "move", notation=typed)) for typed in BAD_ANSWERS]
    assert all("Nothing was played" in one or "isn't a turn" in one for one in said)
    assert await world.game(game_id) == before
