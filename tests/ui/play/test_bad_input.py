"""Any typed text can be wrong. The answer is private and says why, and nothing changes."""

import pytest

from gipfbot.notation import parse_position
from gipfbot.ui.play import game_texts
from tests.rules.helpers import board
from tests.ui.positions import GIPF_ROW, OFFER
from tests.ui.table import Desk, refused
from tests.ui.world import World, labels, private, told

UNREADABLE = {
    "no point of the board": "zz9",
    "half a point": "c",
    "two turns": "c2 d2",
    "a sentence": "I push to c2, please",
    "an emoji": "😀",
    "an emoji behind a turn": "c2😀",
    "a digit of another script": "c\u0662",
    "a letter of another script": "\u0441\u0032",
    "a sign that turns the writing round": "\u202ec2y",
    "a sign without width": "c\u200b2y",
    "everyone": "@everyone",
    "a person": "<@1>",
    "markdown": "**c2**",
    "a fence": "```c2y```",
    "a link": "https://example.org",
    "a command": "'; DROP TABLE games; --",
    "a null": "c2\x00",
    "only signs": ";;;",
    "a number too long": "c99999999999999999999",
    "long, but not too long": "c2," * 60,
}

# At the start of a Standard game: the text, its fault, and what to type instead.
ILLEGAL = {
    "e4": ("e4 is not next to a dot", "Did you mean e1-e3"),
    "e2": ("e2 is occupied", "from e1 with e1-e3"),
    "e1-e2": ("From e1, the new piece stops on the first spot", "write e1-e3"),
    "a1-h2": ("No line leads from a1 to h2", "write"),
    "c1-c5": ("c2 is vacant", "write c2"),
    "Gc2": ("no GIPF-pieces are brought in", "leave the G out"),
    "xb5": ("there is nothing to remove", "no row"),
    "xGb5;c2": ("there is nothing to remove", "no row"),
    "c2;xc2": ("White has no row after this push", ""),
}


async def test_what_cannot_be_read_is_answered_with_the_fault_or_the_desk(world: World) -> None:
    """If the text resembles a turn, the place of the fault is shown."""
    await world.begin()
    for name, turn in UNREADABLE.items():
        answer = await refused(world, world.ann, turn)
        slip = "Nothing was played." in answer.content and ("Expected" in answer.content or "reserve" in answer.content)
        assert slip or answer.content.endswith(" isn't a turn."), f"{name}: {answer.content}"
        assert slip or labels(answer) == ["Move", game_texts.TYPE_AGAIN_LABEL], name


@pytest.mark.parametrize("rules", ["standard", "overboard"])
async def test_nonsense_offers_the_button_move(world: World, rules: str) -> None:
    """No turn of the game stands one thumb away."""
    await world.begin(rules)
    answer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="hello"))
    assert answer.text == "“hello” isn't a turn."
    assert answer.labels == ["Move", game_texts.TYPE_AGAIN_LABEL]
    await answer.press("Move")
    assert "Choose the dot" in answer.text


async def test_nonsense_offers_no_removal_that_ends_the_game(world: World) -> None:
    """White's row comes off first. With the last GIPF-piece in it, the removal alone is a whole turn, and loses."""
    row = "standard w W=c2,Gc3,c4,c5,g5,h5 B=Gb2,c6,d7,e2,Ge8,f7 reserve=10-9 captured=1-1"
    await world.prepared(parse_position(row))
    for typed in ("hello", "keep", "gg"):
        answer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation=typed))
        assert not [label for label in answer.labels if label.startswith("Play ")], typed
    answer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="xGc3,c4,c5,c6"))
    assert "Play xc2,Gc3,c4,c5,c6*" in answer.labels


async def test_a_push_with_the_spot_next_to_its_dot_is_a_button(world: World) -> None:
    """Some programs write pushes so. Nothing is played unasked."""
    await world.begin()
    answer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="e1-e2"))
    assert answer.labels[0] == "Play e1-e3"
    await answer.press("Play e1-e3")
    assert await world.confirmed(answer.text) == "e1-e3"


async def test_offered_turns_can_be_pressed(world: World) -> None:
    """Pressing one plays it. A button of an earlier turn shows the desk as it is now."""
    await world.begin()
    answer = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="e2"))
    first, second = [label.removeprefix("Play ") for label in answer.labels[:2]]
    stale = Desk(world.ann, await world.ann.slash(world.channel, "move", notation="e2"))
    await answer.press(f"Play {second}")
    assert await world.confirmed(answer.text) == second
    await stale.press(f"Play {first}")
    assert stale.text.startswith("That button is from an earlier turn.")
    assert (await world.game()).turn_number == 1


async def test_a_row_that_comes_off_first_is_the_first_reason(world: World) -> None:
    await world.prepared(GIPF_ROW)
    answer = await refused(world, world.ann, "h3")
    assert answer.content.startswith("White's row d2–d5 comes off first. h3 is occupied: push from"), answer.content
    assert [label for label in labels(answer) if label.startswith("Play")]
    assert "Remove row" in labels(answer)


async def test_after_a_push_the_answer_says_what_is_open(world: World) -> None:
    await world.prepared(board("standard w", "W=d2,d3,Gd4,Gb5", "B=Ge8,h3"))
    await world.ann.slash(world.channel, "move", notation="d1-d5")
    for typed in ("b4", "hello", "zz9", "e4"):
        answer = await refused(world, world.ann, typed)
        assert "Does d5 stay on the board, or come off, too?" in answer.content, typed
        assert "Expected a push" not in answer.content
        assert labels(answer)[:2] == ["Play d1-d5;xd2,d3,d4", "Play d1-d5;xd2,d3,d4,Gd5"], typed
        assert "Continue turn" in labels(answer)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("resign", "Resign #a1 against Bob?"),
        ("/gipf undo", "none to take back"),
        ("Help", "push a piece in"),
    ],
)
async def test_commands_typed_as_a_turn_lead_there(world: World, typed: str, shown: str) -> None:
    await world.begin()
    assert shown in told(await world.ann.slash(world.channel, "move", notation=typed))
    assert (await world.game()).turn_number == 0


async def test_illegal_turn_is_answered_with_reason_and_advice(world: World) -> None:
    await world.begin()
    for turn, (wrong, right) in ILLEGAL.items():
        answer = (await refused(world, world.ann, turn)).content.replace("`", "")
        assert wrong in answer, f"{turn}: {answer}"
        assert right.lower() in answer.lower(), f"{turn}: {answer}"
        assert "(R" not in answer, f"{turn}: {answer}"


async def test_fence_or_ping_in_a_turn_breaks_no_message(world: World) -> None:
    """A quoted text stays inside its quotation marks and pings nobody."""
    await world.begin()
    for turn in ("```c2y```", "@everyone", "<@1>", "**c2**", "`@here`"):
        answer = (await refused(world, world.ann, turn)).content
        assert "@everyone" not in answer.split("```")[0]
        assert answer.count("```") in (0, 2)


@pytest.mark.parametrize("turn", ["c2" * 2000, "c" * 4000, "😀" * 2000, "x" + "a1," * 1000])
async def test_four_thousand_characters_are_too_long(world: World, turn: str) -> None:
    await world.begin()
    assert (await refused(world, world.ann, turn)).content == game_texts.TURN_TOO_LONG


@pytest.mark.parametrize("turn", ["c2", "zz9", "e4", "x"])
async def test_out_of_turn_nothing_is_played_whatever_is_typed(world: World, turn: str) -> None:
    await world.begin()
    answer = await refused(world, world.bob, turn, boards=1)
    assert "not your turn. **#a1** is waiting for Ann." in answer.content
    assert labels(answer) == ["More…", "How to play"]
    assert "You do not play in this game" in (await refused(world, world.cara, turn)).content


async def test_after_the_end_nothing_is_played(world: World) -> None:
    await world.begin()
    await world.bot.app.games.resign(1, world.bob.id)
    for person in (world.ann, world.bob):
        assert "This game is over" in (await refused(world, person, "c2")).content


async def test_wrong_removals_are_explained(world: World) -> None:
    """A row stands. The answer says what may not be taken, what must go, and where the row is."""
    await world.prepared(GIPF_ROW)
    wrong = {
        "xd3,d4;c2": "takes d5 with it",
        "xd2,d3,d4,d5;c2": "holds a GIPF-piece: write Gd2 to take it",
        "xGd3,d4,d5;c2": "holds a basic piece: leave the G out",
        "xd3*,d4,d5;c2": "White's own",
        "xd3,d4,d5,e5;c2": "e5 is empty",
        "xd3,d4,d5,h3;c2": "h3",
    }
    for turn, sentence in wrong.items():
        answer = (await refused(world, world.ann, turn)).content
        assert sentence in answer, f"{turn}: {answer}"


async def test_in_the_middle_of_a_turn_another_beginning_is_refused(world: World) -> None:
    """The answer names the part of the turn that has been played."""
    await world.prepared(OFFER)
    first = private(await world.ann.slash(world.channel, "move", notation="xGd2"))
    assert "Gd2" in first.content or first.components
    half = await world.game()
    assert len(half.draft) == 1
    for turn in ("xGd2,Gg2;c2", "zz9", "e4", "xGd2"):
        before = await world.stored()
        answer = private(await world.ann.slash(world.channel, "move", notation=turn))
        assert (await world.stored()).game.turn_number == 0, f"{turn}: {answer.content}"
        assert (await world.stored()).game.draft == before.game.draft


async def test_blanks_alone_open_the_desk(world: World) -> None:
    await world.begin()
    answer = private(await world.ann.slash(world.channel, "move", notation="   "))
    assert "Choose the dot" in answer.content


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("@everyone", "@\u200beveryone"),
        ("**bold** `code`", "\\*\\*bold\\*\\* \\`code\\`"),
        ("<@1>", "<@\u200b1\\>"),
        ("[x](http://e.org)", "\\[x\\]\\(http://e.org\\)"),
        ("# head", "\\# head"),
        ("||spoiler||", "\\|\\|spoiler\\|\\|"),
    ],
)
async def test_a_name_with_signs_neither_pings_nor_breaks_anything(world: World, name: str, shown: str) -> None:
    """This holds in challenges, boards, lists, desks and results."""
    odd = world.guild.add_member(world.env.create_user("odd", global_name=name))
    await odd.slash(world.channel, "gipf challenge", opponent=world.ann, colour="white", rules="basic")
    assert world.pings(world.public()[-1]) == {world.ann.id}
    await world.ann.click(world.public()[-1], label="Accept")
    await odd.slash(world.channel, "move", notation="c2")
    assert world.pings(world.board()) == {world.ann.id}
    answers = [
        await world.ann.slash(world.channel, "move"),
        await world.ann.slash(world.channel, "gipf games"),
        await world.ann.slash(world.channel, "gipf resign"),
        await world.ann.slash(world.channel, "gipf board"),
        await world.cara.slash(world.channel, "gipf board", game="#a1"),
    ]
    await world.bot.app.games.resign(1, odd.id)
    await world.env.advance_time(30)
    assert world.pings(world.public()[-1]) == {world.ann.id, odd.id}
    for text in (*(private(answer).content for answer in answers), *(m.content for m in world.public())):
        assert name not in text.replace(shown, "")
