"""**Other terms…**: the page with a control for each term of a challenge, from which the challenge begins."""

import pytest

from gipfbot.match import TIME_CONTROLS, Terms
from gipfbot.rules import ruleset_words
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import LONGEST_CUSTOM_ID
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.lobby.other_terms import TERM_ROWS, TERMS, shown_terms
from gipfbot.ui.settings.server import SERVER_TEXTS
from tests.ui.settings.panel import forged
from tests.ui.terms_page import TermsPage, open_terms
from tests.ui.world import World, buttons, counted, labels, private, told

SET_BY_SERVER_ALONE = {"grace", "language", "vacation"}
LONGEST_ID = 10**19 - 1  # of a person
AS_SET = {
    "rules": "Rules: Standard",
    "zertz": "ZÈRTZ-potentials: none",
    "punct": "PÜNCT-potentials: none",
    "colour": "Colours: random",
    "pace": "Pace: 3 days for each turn",
    "weekends": "Clocks run at weekends (UTC): on",
    "rated": "Rated: unless it is somebody's first game",
    "thread": "Thread of its own: off",
}


async def terms_of(world: World, challenge: int = 1) -> Terms:
    """Return the terms of a challenge."""
    return (await world.bot.app.lobby.stored_challenge(challenge)).challenge.terms


def test_each_term_that_a_server_sets_is_on_the_page() -> None:
    on_page = {name for name, text in SERVER_TEXTS.items() if text.page == "terms"}
    assert on_page - SET_BY_SERVER_ALONE <= {*TERMS}, "name the new term in TERMS of ui/lobby/other_terms.py"
    shown = shown_terms(ServerSettings(), {}, is_seek=True)
    assert [each.name for each in shown] == [*TERMS]


async def test_page_shows_what_holds_and_posts_nothing(world: World) -> None:
    """It keeps the options of the command."""
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    assert page.terms == AS_SET
    assert page.message.content.splitlines() == [
        f"**The terms of your challenge to {texts.ping_user(world.bob.id)}** · **Challenge** posts it.",
    ]
    page = await open_terms(world.ann, world.channel, rules="basic", pace="7", potentials="both", rated=False)
    assert page.terms == AS_SET | {
        "rules": "Rules: Basic",
        "zertz": "ZÈRTZ-potentials: 3 each",
        "punct": "PÜNCT-potentials: 3 each",
        "pace": "Pace: 7 days for each turn",
        "takers": "How many may take it: 1",
        "rated": "Rated: off",
    }
    assert await counted(world, "challenges") == 0
    assert world.public() == []


async def test_challenge_begins_with_all_that_was_chosen(world: World) -> None:
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    chosen = {"rules": "tournament", "zertz": 6, "punct": 4, "colour": "white", "pace": "saving"}
    for name, value in {**chosen, "weekends": False, "rated": True, "thread": True}.items():
        await page.choose(name, value)
    assert page.terms["zertz"] == "ZÈRTZ-potentials: 6 each"
    assert "Bob has been [asked]" in told(await page.post())
    (challenge,) = world.public()
    assert world.pings(challenge) == {world.bob.id}
    assert challenge.content.splitlines()[1].startswith(f"**{ruleset_words('tournament+Z6P4')}** · Ann plays White · ")
    terms = await terms_of(world)
    assert (terms.time_control, terms.weekends, terms.rated, terms.thread) == (
        TIME_CONTROLS["saving"],
        False,
        True,
        True,
    )


async def test_a_restart_between_two_choices_loses_none(world: World) -> None:
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    await page.choose("rules", "basic")
    await world.restart()
    await page.choose("punct", 5)
    await page.post()
    assert "**Basic with 5 PÜNCT**" in world.public()[0].content


async def test_terms_without_an_effect_are_not_shown(world: World) -> None:
    """What was chosen of them before is forgotten."""
    page = await open_terms(world.ann, world.channel, opponent=world.bob, potentials="both", rated=True)
    await page.choose("rules", "overboard")
    assert AS_SET.keys() - page.terms.keys() == {"zertz", "punct", "rated"}
    await page.choose("pace", "none")
    assert "weekends" not in page.terms
    await page.choose("rules", "standard")
    assert page.terms["zertz"] == AS_SET["zertz"]
    await world.bot.app.servers.change(world.guild.id, {"threads": False, "rated": False})
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    assert "thread" not in page.terms
    assert page.terms["rated"] == "Rated games: off"


async def test_rated_goes_through_all_three_ways(world: World) -> None:
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    for value, label in ((True, "Rated: on"), (False, "Rated: off"), ("none", AS_SET["rated"]), (True, "Rated: on")):
        await page.choose("rated", value)
        assert page.terms["rated"] == label
    assert "hasn't finished a game" not in told(await page.post())
    assert (await terms_of(world)).rated


async def test_seeks_lead_to_the_page(world: World) -> None:
    """An open challenge that three people may take."""
    seeks = private(await world.ann.slash(world.channel, "gipf seeks"))
    assert labels(seeks) == [lobby_texts.POST_SEEK_LABEL, lobby_texts.OTHER_TERMS_LABEL]
    page = TermsPage(world.ann, await world.ann.click(seeks, label=lobby_texts.OTHER_TERMS_LABEL))
    assert page.message.content.startswith("**The terms of your open challenge**")
    await page.choose("takers", 3)
    assert page.terms["takers"] == "How many may take it: up to 3, a game with each"
    assert "Your open challenge is" in told(await page.post())
    assert "· for up to 3 opponents, a game with each" in world.public()[0].content
    assert buttons(world.public()[0])[0] == texts.TAKE_SEEK_LABEL


async def test_impossible_challenge_leads_back_to_what_was_chosen(world: World) -> None:
    page = await open_terms(world.ann, world.channel, opponent=world.ann)
    await page.choose("punct", 4)
    refused = private(await page.post())
    assert (refused.content, labels(refused)) == (
        lobby_texts.CANNOT_CHALLENGE_ONESELF,
        [lobby_texts.OTHER_TERMS_LABEL],
    )
    again = TermsPage(world.ann, await world.ann.click(refused, label=lobby_texts.OTHER_TERMS_LABEL))
    assert again.terms["punct"] == "PÜNCT-potentials: 4 each"
    assert world.public() == []


async def test_somebody_who_has_left_meanwhile_is_not_challenged(world: World) -> None:
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    world.guild.remove_member(world.bob)
    assert told(await page.post()) == lobby_texts.not_on_server_text("Bob")
    assert world.public() == []


@pytest.mark.parametrize(
    "custom_id",
    ["terms:0:basic:rules", "terms:0:........:theme:wood", "terms:0:........:rules", "post_terms:0:basic", "terms:x::"],
)
async def test_controls_of_another_version_are_out_of_date(world: World, custom_id: str) -> None:
    assert await forged(world, world.ann, custom_id) == texts.UNKNOWN_BUTTON


@pytest.mark.parametrize("name", TERMS)
async def test_forged_values_are_refused(world: World, name: str) -> None:
    """A modified client may send any `custom_id`."""
    code = ".".join("99" if name == each else "" for each in TERMS)
    for custom_id in (f"terms:0:{code}:", f"post_terms:0:{code}"):
        assert f"`99` cannot be chosen for **{name}**" in await forged(world, world.ann, custom_id)
    assert await counted(world, "challenges") == 0


def test_longest_custom_id_fits() -> None:
    """An open challenge has no opponent, and no other has takers."""
    longest = {name: max((str(value) for value in row.values), key=len) for name, row in TERM_ROWS.items()}
    for to, left_out in ((LONGEST_ID, "takers"), (0, "")):
        code = ".".join("" if name == left_out else value for name, value in longest.items())
        controls = [f"terms:{to}:{code}:{name}:{value}" for name, value in longest.items() if TERM_ROWS[name].is_switch]
        assert max(map(len, controls)) <= LONGEST_CUSTOM_ID
