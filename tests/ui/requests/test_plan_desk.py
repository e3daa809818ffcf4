"""**Plan ahead…**: conditional turns entered by pressing. What is half made is kept, and nobody else sees it."""

from dataclasses import replace

import pytest

from gipfbot.match.study import MOST_HIDDEN
from gipfbot.ui.desk.desk_texts import START_OVER_LABEL
from gipfbot.ui.desk.screens import BACK_ONE_TURN_LABEL, GONE_ON, TYPE_IT_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.requests import conditionals, plan_desk
from gipfbot.values import HiddenUse
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK
from tests.support.games import PLAYED, WINS
from tests.ui.positions import GIPF_ROW
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.world import World, labels, private, told

pytestmark = pytest.mark.looks_every(60)
PLANS = conditionals.PLANS_LABEL
PLAN, SAVE, GO_ON, CLEAR = conditionals.IF_LABEL, plan_desk.SAVE_LABEL, plan_desk.GO_ON_LABEL, plan_desk.CLEAR_LABEL


async def plan(world: World, game: str = "#a1") -> Desk:
    """Return the desk that Bob opens from the board of a game."""
    board = private(await world.bob.slash(world.channel, "gipf board", game=game))
    return Desk(world.bob, await world.bob.click(board, label=PLAN))


async def enter(desk: Desk, *pushes: str) -> int:
    """Enter pushes such as `b1-b3` by pressing their dots and ends. Return how often something was pressed."""
    for push in pushes:
        dot, end = push.split("-")
        await desk.press(dot)
        await desk.push(end)
    return 2 * len(pushes)


async def lines(world: World) -> list[str]:
    """Return Bob's lines of conditional turns in the first game, as the bot lists them."""
    said = told(await world.bob.slash(world.channel, "gipf if", game="#a1"))
    return [line.split(". ", 1)[1] for line in said.splitlines() if line[:1].isdigit()]


async def test_a_pair_is_planned_with_six_presses_and_no_key(world: World) -> None:
    """One press opens the desk, two enter each of the turns, one saves the pair."""
    await playing(world, *PLAYED[:2])
    desk = await plan(world)
    asked = "This is a plan: nothing is played now. **What will Ann play?** Press the dot, then the push."
    assert asked in desk.text.splitlines()
    presses = 1 + await enter(desk, "b1-c2")
    assert "If Ann plays **b1 → c2**\n**What do you answer?** Press the dot, then the push." in desk.text
    presses += await enter(desk, "i5-h5")
    saves = "Save this: if Ann plays so, your answer is played at once. Or **Go on**: plan Ann's next turn, too."
    assert f"If Ann plays **b1 → c2**, you play **i5 → h5**\n{saves}" in desk.text
    assert desk.labels == [SAVE, GO_ON, CLEAR, BACK_ONE_TURN_LABEL, texts.BACK_TO_GAME_LABEL]
    await desk.press(SAVE)
    assert presses + 1 == 6
    assert "1. if they play b1 → c2, you play i5 → h5" in desk.text
    await world.ann.slash(world.channel, "move", notation="b1-d3")
    assert (await world.game()).turn_number == 4


async def test_a_saved_plan_is_found_again(world: World) -> None:
    """In the list of games, on the board, and where another is planned. Each leads to where it is withdrawn."""
    await playing(world, *PLAYED[:2])
    board = Desk(world.bob, await world.bob.slash(world.channel, "gipf board", game="#a1"))
    assert ("planned" in board.text, PLANS in board.labels) == (False, False)
    assert "plan" not in told(await world.bob.slash(world.channel, "gipf games"))
    await world.bob.slash(world.channel, "gipf if", game="#a1", turns="b1-b3 g2")
    assert "turn began <t:" in (games := told(await world.bob.slash(world.channel, "gipf games")))
    assert games.splitlines()[-2].endswith(":R> · 1 plan")
    known = "**You planned:** if they play b1 → b2, you play g1 → g2."
    board = Desk(world.bob, await world.bob.slash(world.channel, "gipf board", game="#a1"))
    assert known in board.text.splitlines()
    desk = await plan(world)
    assert known in desk.text.splitlines()
    for leads in (desk, board):
        listed = Desk(world.bob, await world.bob.click(leads.message, label=PLANS))
        assert "You have 1 plan here." in listed.text
    await listed.press("Withdraw 1")
    assert "You have no plan here." in listed.text
    others = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    assert ("planned" in others.content, PLANS in labels(others)) == (False, False)


async def test_saving_over_a_plan_is_said_before(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.bob.slash(world.channel, "gipf if", game="#a1", turns="b1-d3 g2")
    await world.bob.slash(world.channel, "gipf if", game="#a1", turns="a1-c3 g2")
    desk = await plan(world)
    await enter(desk, "b1-c2")
    assert "**Planned already:** if they play b1 → c2, you play g1 → g2." in desk.text.splitlines()
    await enter(desk, "i5-h5")
    assert "⚠ Saving this replaces your plan: if they play b1 → c2, you play g1 → g2." in desk.text.splitlines()
    await desk.press(SAVE)
    assert await lines(world) == ["if they play a1 → b2, you play g1 → g2", "if they play b1 → c2, you play i5 → h5"]
    desk = await plan(world)
    await enter(desk, "i1-h2", "i5-h5")
    assert ("replaces" in desk.text, "Planned already" in desk.text) == (False, False)


async def test_many_plans_are_named_in_few_words(world: World) -> None:
    await playing(world, *PLAYED[:2])
    for turn in ("b1-b3", "b1-d3", "a1-c3", "i1-g3"):
        await world.bob.slash(world.channel, "gipf if", game="#a1", turns=f"{turn} g2")
    board = told(await world.bob.slash(world.channel, "gipf board", game="#a1"))
    (line,) = (line for line in board.splitlines() if line.startswith("**You planned:**"))
    assert line.count("if they play") == 3
    assert line.endswith("; and 1 more.")


async def test_a_saved_plan_leads_to_the_next_game_and_to_all_games(world: World) -> None:
    """As a turn does that was sent: however the plan was entered."""
    await playing(world, *PLAYED[:2])
    await playing(world, *PLAYED[:1])
    desk = await plan(world)
    await enter(desk, "b1-c2", "i5-h5")
    await desk.press(SAVE)
    assert desk.labels[-2:] == ["Next: #b1 vs Ann", texts.ALL_GAMES_LABEL]
    typed = private(await world.bob.slash(world.channel, "gipf if", game="#a1", turns="b1-b3 g2"))
    assert labels(typed)[-2:] == ["Next: #b1 vs Ann", texts.ALL_GAMES_LABEL]
    following = Desk(world.bob, await world.bob.click(desk.message, label="Next: #b1 vs Ann"))
    assert "**#b1** vs Ann · your turn" in following.text
    await desk.press(texts.ALL_GAMES_LABEL)
    assert desk.text.startswith("**Your games**")


async def test_each_screen_of_a_plan_leads_back_to_the_game(world: World) -> None:
    """What was entered is still there."""
    await playing(world, *PLAYED[:2])
    desk = await plan(world)
    await desk.press(texts.BACK_TO_GAME_LABEL)
    assert "waiting for Ann" in desk.text
    desk = await plan(world)
    await enter(desk, "b1-c2")
    assert texts.BACK_TO_GAME_LABEL in desk.labels
    await enter(desk, "i5-h5")
    await desk.press(texts.BACK_TO_GAME_LABEL)
    assert "waiting for Ann" in desk.text
    assert SAVE in (await plan(world)).labels


async def test_go_on_adds_a_pair_and_typing_stays(world: World) -> None:
    await playing(world, *PLAYED[:2])
    desk = await plan(world)
    assert TYPE_IT_LABEL in desk.labels
    await enter(desk, "b1-c2", "i5-h5")
    await desk.press(GO_ON)
    assert "**What will Ann play?**" in desk.text
    await enter(desk, "a1-b2")
    await desk.press(BACK_ONE_TURN_LABEL)
    assert desk.labels[0] == SAVE, "the first pair is still there"
    await desk.press(GO_ON)
    await enter(desk, "a1-b2", "i1-h2")
    await desk.press(SAVE)
    assert await lines(world) == ["if they play b1 → c2, you play i5 → h5, then if they play a1 → b2, you play i1 → h2"]


async def test_what_is_complete_can_be_saved_after_going_on_too(world: World) -> None:
    """Until the next turn is begun, which has no answer yet."""
    await playing(world, *PLAYED[:2])
    desk = await plan(world)
    assert SAVE not in desk.labels
    await enter(desk, "b1-c2", "i5-h5")
    await desk.press(GO_ON)
    assert desk.labels[-1] == SAVE
    await desk.press("e1")
    assert desk.labels[-1] == SAVE
    await desk.press(SAVE)
    assert await lines(world) == ["if they play b1 → c2, you play i5 → h5"]


async def test_a_half_made_plan_is_kept_but_is_no_study(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await enter(await plan(world), "b1-c2")
    assert await world.bot.app.studies.studies(world.bob.id) == []
    assert "Studies" not in told(await world.bob.slash(world.channel, "gipf games"))
    assert "no such study" in told(await world.bob.slash(world.channel, "gipf board", game="study 1"))
    desk = await plan(world)
    assert "If Ann plays **b1 → c2**\n**What do you answer?** Press the dot, then the push." in desk.text
    assert desk.message.note == plan_desk.PLAN_GOES_ON
    assert desk.labels[-1] == BACK_ONE_TURN_LABEL
    await enter(desk, "i5-h5")
    await desk.press(CLEAR)
    assert "**What will Ann play?**" in desk.text


async def test_hidden_studies_leave_the_others_alone(world: World) -> None:
    """The least recently used of them gives way. The person's study of a game is another one."""
    app = world.bot.app
    games = [(await app.games.game(await world.begin("basic"))).game for _ in range(MOST_HIDDEN + 1)]
    await app.studies.study_of_game(games[0].id, world.bob.id)
    begun = [await app.studies.begin_hidden(game, world.bob.id, HiddenUse.PLAN) for game in games]
    found = [await app.studies.hidden_study(each.study.id, world.bob.id, HiddenUse.PLAN) for each in begun]
    assert [each is None for each in found] == [True] + [False] * MOST_HIDDEN
    assert [each.game for each in await app.studies.studies(world.bob.id)] == [games[0].id]


async def test_a_plan_ends_when_the_opponent_plays(world: World) -> None:
    await playing(world, *PLAYED[:2])
    desk = await plan(world)
    await enter(desk, "b1-c2", "i5-h5")
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    await desk.press(SAVE)
    assert desk.text == f"{plan_desk.PLAN_MOVED_ON} Ann played **b1 → b2** last.\nIt's your turn: **/move** plays it."
    assert desk.labels == ["Move"]
    await world.bob.slash(world.channel, "move", notation="i5-g5")
    again = await plan(world)
    assert again.message.note == ""
    assert "**What will Ann play?**" in again.text


async def test_a_plan_is_pressed_once(world: World) -> None:
    """An outdated copy shows how far the plan is. After it was saved, it says so."""
    await playing(world, *PLAYED[:2])
    desk, copy = await plan(world), await plan(world)
    await enter(desk, "b1-c2")
    await copy.press("b1")
    assert copy.message.note == GONE_ON
    await enter(desk, "i5-h5")
    await desk.press(SAVE)
    await copy.press("i5")
    assert copy.text == plan_desk.PLAN_GONE
    assert len(await lines(world)) == 1


async def test_a_row_in_a_plan_is_asked_about_as_its_player_would_be(world: World) -> None:
    """A push that is begun can be started over, without the turn before it."""
    await world.prepared(GIPF_ROW)
    desk = await plan(world)
    assert "**What will Ann play?**" in desk.text
    begins = desk.labels
    assert begins == ["1 Take d2", "2 Take d6", "Done", texts.BACK_TO_GAME_LABEL, TYPE_IT_LABEL]
    await desk.press("Done")
    assert "a1" in desk.dots
    assert desk.labels[-1] == START_OVER_LABEL
    await desk.press(START_OVER_LABEL)
    assert desk.labels == begins


async def test_a_winning_turn_has_no_answer(world: World) -> None:
    await world.prepared(WINS)
    desk = await plan(world)
    await desk.press("Take d6")
    assert "That ends the game, so there is nothing to answer." in desk.text
    assert desk.labels == [CLEAR, BACK_ONE_TURN_LABEL, texts.BACK_TO_GAME_LABEL]


async def test_against_the_bot_nothing_is_planned(world: World) -> None:
    """It answers within seconds."""
    await world.ann.slash(world.channel, "gipf bot", level="1")
    game = await world.game(1)
    assert game.house_colour is not None
    waits = replace(game, position=game.position._replace(mover=game.house_colour))
    assert conditionals.if_button(waits, world.ann.id) == ()
    between_people = replace(waits, terms=replace(game.terms, house=None))
    assert [button.label for button in conditionals.if_button(between_people, world.ann.id)] == [PLAN]


async def test_an_answer_in_overboard_is_planned_by_pressing(world: World) -> None:
    """R8.4: Ann's push asks Bob about a row, and the answer is the line."""
    await world.prepared(ASKS)
    desk = await plan(world)
    await enter(desk, "a4-b4")
    assert desk.labels == ["Leave e2 on the board", "Send e2 home", texts.BACK_TO_GAME_LABEL, START_OVER_LABEL]
    await desk.press("Leave e2 on the board")
    assert "If Ann plays **a4 → b4** (also written `a4-b4;xe4*,e5*`)" in desk.text
    await desk.press("Give up e3")
    assert desk.labels[0] == SAVE
    await desk.press(SAVE)
    assert await lines(world) == [
        "if they play a4 → b4 and remove e4 e5, you remove e3 (also written `a4-b4;xe4*,e5* xGe3*`)"
    ]


async def test_a_plan_inside_a_turn_of_overboard_begins_where_it_is_known(world: World) -> None:
    """Ann waits for Bob's answer in her turn. Her plan begins with it, and never goes behind it."""
    await world.prepared(ASKS_BACK)
    await world.ann.slash(world.channel, "move", notation="a4-b4;xe4,e5,e6,e7")
    board = private(await world.ann.slash(world.channel, "gipf board"))
    desk = Desk(world.ann, await world.ann.click(board, label=PLAN))
    begins = desk.labels
    assert "**What will Bob play?**" in desk.text
    await desk.press("Give up e3")
    await desk.press(desk.labels[-1])
    assert desk.labels == begins
    assert BACK_ONE_TURN_LABEL not in begins
