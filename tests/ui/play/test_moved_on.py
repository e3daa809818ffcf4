"""A typed turn is played in the position for which it was typed, or handed back with what has changed.

Each way to type is tried with each change between the typing and the sending.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from gipfbot.match import RequestState
from gipfbot.notation import parse_turn
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.ui.kit import moments, texts
from gipfbot.ui.kit.game_picker import PICKED_GAME_HANDLERS
from gipfbot.ui.kit.interactions import KINDS, Reply
from gipfbot.ui.kit.turn_words import pressed_turn
from gipfbot.ui.play import game_texts
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import conditionals
from gipfbot.ui.watching import watching_texts
from tests.rules.boards_of_overboard import ASKS
from tests.support.games import PLAYED
from tests.ui.forged import answered_text, forger
from tests.ui.positions import OFFER
from tests.ui.private_message import PrivateMessage
from tests.ui.studying import playing, studied
from tests.ui.table import Desk, typing_form
from tests.ui.world import World, components, game_name, labels, options, private, told

pytestmark = pytest.mark.looks_every(60)
TYPED = "b1-b3"  # legal at each moment at which Ann is to move here
Send = Callable[[], Awaitable[PrivateMessage]]


async def sent_from_the_form(world: World, shown: PrivateMessage, label: str) -> Send:
    """Open the form behind a button. Return what sends the turn from it."""
    form = await world.ann.click(shown, label=label)

    async def send() -> PrivateMessage:
        await world.ann.submit_modal(form, {"text": TYPED})
        return shown

    return send


async def typed_into_a_form(world: World) -> Send:
    board = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    return await sent_from_the_form(world, board, game_texts.TYPE_TURN_LABEL)


async def typed_again_into_a_form(world: World) -> Send:
    refused = private(await world.ann.slash(world.channel, "move", notation="e2", game="#a1"))
    return await sent_from_the_form(world, refused, game_texts.TYPE_AGAIN_LABEL)


async def typed_before_the_game_is_chosen(world: World) -> Send:
    """A second game waits for Ann, so she is asked which one she means."""
    await world.begin()
    asked = Desk(world.ann, await world.ann.slash(world.channel, "move", notation=TYPED))

    async def send() -> PrivateMessage:
        await asked.choose("#a1 vs Bob")
        return asked.message

    return send


async def chosen_from_the_suggestions(world: World) -> Send:
    (choice, *_) = await world.ann.autocomplete(world.channel, "move", "notation", TYPED, game="#a1")

    async def send() -> PrivateMessage:
        return private(await world.ann.slash(world.channel, "move", notation=choice["value"]))

    return send


async def two_turns(world: World) -> None:
    for person, turn in ((world.ann, "a1-c3"), (world.bob, "h3")):
        assert told(await person.slash(world.channel, "move", notation=turn, game="#a1")).startswith("Played")


async def two_turns_by_buttons(world: World) -> None:
    for person, turn in ((world.ann, "a1-c3"), (world.bob, "h3")):
        await world.bot.app.games.play_typed(1, person.id, turn)


async def takeback(world: World) -> None:
    made = await world.bot.app.requests.make(TAKEBACK, 1, world.ann.id)
    await world.bot.app.requests.settle(made.request.id, world.bob.id, RequestState.ACCEPTED)


async def own_turn(world: World) -> None:
    assert told(await world.ann.slash(world.channel, "move", notation="a1-c3", game="#a1")).startswith("Played")


async def end(world: World) -> None:
    await world.bot.app.games.resign(1, world.bob.id)


TYPE_TURN = {
    each.__name__: each
    for each in (
        typed_into_a_form,
        typed_again_into_a_form,
        typed_before_the_game_is_chosen,
        chosen_from_the_suggestions,
    )
}
# What happens meanwhile, and what Ann reads of it.
CHANGES = {
    "two turns": (
        two_turns,
        "The game has moved on since: Bob played **i2 → h3**, the last of 2 turns.",
    ),
    "a takeback": (takeback, "The game has moved on since: turns were taken back."),
    "her own turn": (own_turn, "The game has moved on since: Ann played **a1 → b2**."),
    "the end": (end, "This game is over."),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("way", TYPE_TURN)
async def test_a_turn_typed_for_another_position_is_handed_back(world: World, way: str, change: str) -> None:
    await playing(world, *PLAYED[:2])
    send = await TYPE_TURN[way](world)
    happens, said = CHANGES[change]
    await happens(world)
    before, posted = await world.stored(), len(world.public())
    answer = await send()
    assert await world.stored() == before
    assert len(world.public()) == posted
    assert said in answer.content
    assert f"Nothing was played. You wrote `{TYPED}`." in answer.content
    if before.game.asked is None or before.game.seats[before.game.asked].user != world.ann.id:
        assert labels(answer)[:1] == [texts.MORE_LABEL]
        assert f"Play {TYPED}" not in labels(answer)
        return
    assert labels(answer) == [f"Play {TYPED}", game_texts.TYPE_AGAIN_LABEL, "Move"]
    again = await world.ann.click(answer, label=game_texts.TYPE_AGAIN_LABEL)
    assert f"'value': '{TYPED}'" in str(again.modal)
    await world.ann.click(answer, label=f"Play {TYPED}")
    assert (await world.game()).last.text == TYPED  # type: ignore[union-attr]


@pytest.mark.parametrize("way", TYPE_TURN)
async def test_a_turn_is_played_if_nothing_changed_on_the_board(world: World, way: str) -> None:
    """Even if the game goes on in another channel."""
    await playing(world, *PLAYED[:2])
    send = await TYPE_TURN[way](world)
    elsewhere = world.guild.create_text_channel("elsewhere")
    await world.post_board(1, replace(world.home, channel=elsewhere.id))
    assert "Played **b1 → b2**" in (await send()).content


@pytest.mark.parametrize("way", ["form", "game"])
async def test_a_turn_typed_before_its_beginning_is_handed_back(world: World, way: str) -> None:
    """A removal was chosen on another device meanwhile."""
    await world.prepared(OFFER)
    board = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    form = await world.ann.click(board, label=game_texts.TYPE_TURN_LABEL)
    await world.begin()
    asked = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="c2"))
    await world.ann.slash(world.channel, "move", notation="xGd2", game="#a1")
    before = await world.stored()
    assert len(before.game.draft) == 1
    if way == "form":
        await world.ann.submit_modal(form, {"text": "c2"})
    else:
        await asked.choose("#a1 vs Bob")
    answer = board if way == "form" else asked.message
    assert await world.stored() == before
    assert answer.content.splitlines()[:2] == [
        "The game has moved on since: the turn so far is **a removal** (also written `xGd2`).",
        "Nothing was played. You wrote `c2`.",
    ]
    await world.ann.click(answer, label="Play c2")
    assert (await world.game()).last.text == "xGd2;c2"  # type: ignore[union-attr]


async def test_what_is_not_legal_now_can_be_edited(world: World) -> None:
    await playing(world, *PLAYED[:2])
    send = await typed_into_a_form(world)
    for person, turn in ((world.ann, TYPED), (world.bob, "h3")):
        await person.slash(world.channel, "move", notation=turn)
    assert labels(await send()) == [game_texts.TYPE_AGAIN_LABEL, "Move"]


async def test_a_text_refused_for_another_position_does_not_come_back(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.ann.slash(world.channel, "move", notation="e2")
    await two_turns(world)
    board = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    form = await world.ann.click(board, label=game_texts.TYPE_TURN_LABEL)
    assert "'value'" not in str(form.modal)


@pytest.mark.parametrize("confirms", [False, True])
async def test_an_offered_turn_is_asked_about_again(world: World, confirms: bool) -> None:
    """It was suggested instead of a wrong one, or waits for its confirmation."""
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=confirms)
    await playing(world, *PLAYED[:2]) if not confirms else await world.begin()
    offer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="b1-b3" if confirms else "e2"))
    label = game_texts.PLAY_LABEL if confirms else next(each for each in offer.labels if each.startswith("Play "))
    await two_turns_by_buttons(world)
    before = await world.stored()
    await offer.press(label)
    assert await world.stored() == before
    turn = "b1-b3" if confirms else label.removeprefix("Play ")
    pressed = pressed_turn(parse_turn(before.game.position, turn))
    assert f"Play **{pressed}**?\n{game_texts.OFFERED_BEFORE}" in offer.text
    await offer.press(game_texts.PLAY_LABEL)
    assert (await world.game()).last.text == turn  # type: ignore[union-attr]


# ── Conditional turns, guesses and studies ──


async def line_in_a_form(world: World) -> Send:
    board = private(await world.bob.slash(world.channel, "gipf board", game="#a1"))
    form = await typing_form(world.bob, board, conditionals.IF_LABEL)

    async def send() -> PrivateMessage:
        return private(await world.bob.submit_modal(form, {"text": "b1-b3 h3"}))

    return send


async def line_before_the_game_is_chosen(world: World) -> Send:
    await world.begin()
    asked = Desk(world.bob, await world.bob.slash(world.channel, "gipf if", turns="b1-b3 h3"))

    async def send() -> PrivateMessage:
        await asked.choose("#a1 vs Ann")
        return asked.message

    return send


LINES = {each.__name__: each for each in (line_in_a_form, line_before_the_game_is_chosen)}
LINE_CHANGES = {
    "two turns": CHANGES["two turns"],
    "a takeback": CHANGES["a takeback"],
    "the other's turn": (own_turn, "The game has moved on since: Ann played **a1 → b2**."),
    "the end": CHANGES["the end"],
}


@pytest.mark.parametrize("change", LINE_CHANGES)
@pytest.mark.parametrize("way", LINES)
async def test_a_line_typed_for_another_position_is_handed_back(world: World, way: str, change: str) -> None:
    await playing(world, *PLAYED[:2])
    send = await LINES[way](world)
    happens, said = LINE_CHANGES[change]
    await happens(world)
    answer = await send()
    assert said in answer.content
    assert answer.content.endswith("Nothing was saved.\nYou wrote `b1-b3 h3`.")
    game = await world.game()
    assert (await world.bot.app.conditionals.conditionals_of(1, world.bob.id)).lines == ()
    waits = game.asked is not None and game.seats[game.asked].user != world.bob.id
    assert labels(answer) == ([conditionals.TRY_AGAIN_LABEL] if waits else [])
    if waits:
        again = await world.bob.click(answer, label=conditionals.TRY_AGAIN_LABEL)
        assert "'value': 'b1-b3 h3'" in str(again.modal)


@pytest.mark.parametrize("way", LINES)
async def test_a_line_is_saved_though_the_opponent_has_begun_to_move(world: World, way: str) -> None:
    """Nobody may learn of an unfinished turn, not even by a refusal."""
    await world.prepared(OFFER)
    send = await LINES[way](world)
    await world.ann.slash(world.channel, "move", notation="xGd2", game="#a1")
    assert len((await world.game()).draft) == 1
    assert "moved on" not in (await send()).content


async def test_a_line_typed_before_an_answer_is_handed_back(world: World) -> None:
    """R8.4: Ann waits for Bob's answer in her turn, and it comes before her line."""
    await world.prepared(ASKS)
    await world.ann.slash(world.channel, "move", notation="a4-b4;xe4,e5")
    board = private(await world.ann.slash(world.channel, "gipf board", game="#a1"))
    form = await typing_form(world.ann, board, conditionals.IF_LABEL)
    await world.bob.slash(world.channel, "move", notation="xGe3")
    answer = private(await world.ann.submit_modal(form, {"text": "xGe3 c1-c2"}))
    assert answer.content.startswith("The game has moved on since: ")
    assert "You wrote `xGe3 c1-c2`." in answer.content


async def test_a_guess_that_is_too_late_fills_the_next_form(world: World) -> None:
    await playing(world, *PLAYED[:2])
    board = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    form = await typing_form(world.cara, board, watching_texts.GUESS_LABEL)
    await takeback(world)
    answer = private(await world.cara.submit_modal(form, {"text": TYPED}))
    assert answer.content == (
        "The game has moved on, so your guess doesn't count. **/gipf board** shows it now.\nYou wrote `b1-b3`."
    )
    again = await world.cara.click(answer, label=watching_texts.GUESS_AGAIN_LABEL)
    assert f"'value': '{TYPED}'" in str(again.modal)
    assert "Your guess for Ann's turn 1" in told(await world.cara.submit_modal(again, {"text": TYPED}))


@pytest.mark.parametrize("tried", [False, True])
async def test_a_turn_typed_for_another_place_of_a_study_fills_the_next_form(world: World, tried: bool) -> None:
    await playing(world, *PLAYED[:2])
    desk, again = await studied(world), await studied(world)
    await desk.press(study_texts.TRY_TURN_LABEL)
    form = await world.ann.click(desk.message, label=study_texts.TYPE_TURN_LABEL)
    await again.press("◀")
    if tried:
        await again.press(study_texts.TRY_TURN_LABEL)
        await again.press("f1")
        await again.push("f2")
    await world.ann.submit_modal(form, {"text": TYPED})
    assert desk.message.note.splitlines() == [study_texts.STUDY_MOVED_ON, f"`{TYPED}` was not tried."]
    label = study_texts.TYPE_TURN_LABEL if tried else study_texts.TYPE_AGAIN_LABEL
    filled = await world.ann.click(desk.message, label=label)
    assert f"'value': '{TYPED}'" in str(filled.modal)
    await world.ann.submit_modal(filled, {"text": "d1-d3" if tried else "f1-d2"})
    assert "was not tried" not in desk.text


# ── From before an update ──


async def test_forms_and_choices_of_an_earlier_version_are_handed_back(world: World) -> None:
    """They did not carry the moment, so nobody knows for which position their texts were typed."""
    await playing(world, *PLAYED[:2])
    ann, bob = [await forger(world, person, world.channel) for person in (world.ann, world.bob)]
    before = await world.stored()
    for sender, result in (
        (ann, await ann.send("type_turn_form:1:00c0ffee", TYPED, form=True)),
        (ann, await ann.send("type_turn_form:1:12345678", TYPED, form=True)),
        (ann, await ann.send(f"pick_game:move:{TYPED}", "1")),
        (bob, await bob.send("conditional_form:1:2:00c0ffee", "b1-b3 h3", form=True)),
        (bob, await bob.send("pick_game:if:b1-b3 h3", "1")),
    ):
        said = answered_text(result)
        assert said.lstrip().startswith(moments.FROM_OLD_VERSION), said
        assert f"You wrote `{TYPED if sender is ann else 'b1-b3 h3'}`." in said
    assert await world.stored() == before
    for custom_id in ("type_turn:1", "conditional:1:2"):
        assert (await ann.send(custom_id)).modal, custom_id


async def test_what_a_form_that_no_handler_knows_holds_is_handed_back(world: World) -> None:
    sender = await forger(world, world.ann, world.channel)
    said = answered_text(await sender.send("form_of_old:1", "c2 `and` more", form=True))
    assert said.rstrip().endswith("\nYou wrote `c2 and more`.")


# ── The list of all such places ──

# Forms, and what goes on when a game is chosen: those with a text that is meant for one position, and the others.
FORMS = {"type_turn", "conditional", "guess", "open_study_form"}, {"note", "import_again"}
CHOICES = (
    {"move", "if"},
    {*("analyse", "board", "claim_win", "draw", "follow", "note", "record", "replay", "resign", "study", "takeback")},
)


def test_each_form_and_each_choice_is_known() -> None:
    """For a new one, say here whether its text is meant for one position. If it is, test it above."""
    assert {name for name, kind in KINDS.items() if kind.reply is Reply.FORM} == set().union(*FORMS)
    assert PICKED_GAME_HANDLERS.keys() == set().union(*CHOICES)


async def test_each_button_of_a_form_names_the_moment(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.begin()
    found = dict[str, str]()
    for person in (world.ann, world.bob, world.cara):
        shown = private(await person.slash(world.channel, "gipf board", game="#a1"))
        desks = [label for label in labels(shown) if label in (conditionals.IF_LABEL, watching_texts.GUESS_LABEL)]
        for message in (shown, *[private(await person.click(shown, label=label)) for label in desks]):
            found |= {str(item["custom_id"]).partition(":")[0]: str(item["custom_id"]) for item in components(message)}
    assert found["type_turn"] == "type_turn:1:2.0.0"
    assert found["conditional"] == "conditional:1:2.0.0"
    assert found["guess"] == "guess:1:2"
    asked = private(await world.ann.slash(world.channel, "move", notation=TYPED))
    assert options(asked) == {f"{game_name(game)} vs Bob": f"{game}:{2 * (game == 1)}.0.0" for game in (1, 2)}
