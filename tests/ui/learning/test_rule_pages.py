"""`/gipf-learn rules`: pages that a reader steps through, and ways to find one."""

from dataclasses import replace

import pytest

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.learning.play_on import PLAY_ON_LABEL
from gipfbot.ui.learning.rule_pages import BACK_LABEL, NEXT_PAGE_LABEL, NEXT_STEP_LABEL, PAGES_LABEL, WHICH_PAGE
from gipfbot.ui.learning.rule_topics import RULE_TOPICS, all_topics, topic_groups
from tests.ui.table import Desk
from tests.ui.world import World, components, private

pytestmark = pytest.mark.looks_every(1)
RULES = "gipf-learn rules"


async def opened(world: World, topic: str = "") -> Desk:
    """Return the page of the rules that Cara opens."""
    return Desk(world.cara, await world.cara.slash(world.channel, RULES, **({"topic": topic} if topic else {})))


def disabled(page: Desk) -> list[str]:
    """Return the buttons that are shown but cannot be pressed."""
    return [item["label"] for item in components(page.message) if item.get("disabled")]


def placeholders(page: Desk) -> list[str]:
    return [item["placeholder"] for item in components(page.message) if "placeholder" in item]


def shown_as_chosen(page: Desk) -> list[str]:
    """Return the pages that the lists show as chosen."""
    found = [option for item in components(page.message) for option in item.get("options", ())]
    return [option["label"] for option in found if option.get("default")]


async def test_a_page_is_stepped_through_and_back(world: World) -> None:
    page = await opened(world, "along")
    topic = all_topics()["along"]
    assert page.text == f"**{topic.title}**\n{topic.text}"
    buttons = [BACK_LABEL, NEXT_STEP_LABEL, NEXT_PAGE_LABEL, PLAY_ON_LABEL, PAGES_LABEL, SHOW_HERE_LABEL]
    assert (page.labels, disabled(page)) == (buttons, [BACK_LABEL])
    start = page.alt
    for said in topic.turns[0].said:
        await page.press(NEXT_STEP_LABEL)
        assert page.text == f"**{topic.title}**\n{said}"
    assert "Captured basic piece e6." in page.alt
    assert disabled(page) == [NEXT_STEP_LABEL]
    await page.press(BACK_LABEL)
    await page.press(BACK_LABEL)
    assert (page.alt, page.text) == (start, f"**{topic.title}**\n{topic.text}")
    assert world.public() == []


async def test_a_page_says_its_sentence_below_the_picture(world: World) -> None:
    """On a phone, only the end of a message is in sight. Nothing is said twice."""
    page, topic = await opened(world, "along"), all_topics()["along"]
    assert page.text == page.message.note == f"**{topic.title}**\n{topic.text}"
    assert placeholders(page) == []
    await page.press(NEXT_STEP_LABEL)
    assert page.text == page.message.note == f"**{topic.title}**\n{topic.turns[0].said[0]}"


async def test_next_page_leads_through_all_pages(world: World) -> None:
    """After the last page the first one follows."""
    page = await opened(world)
    for topic in [*all_topics().values()][1:]:
        await page.press(NEXT_PAGE_LABEL)
        assert page.text.startswith(f"**{topic.title}**")
    await page.press(NEXT_PAGE_LABEL)
    assert page.text.startswith("**The board**")


async def test_other_pages_are_chosen_from_lists(world: World) -> None:
    """The first page is about the board. All pages are in the lists, and those of a restart work, too."""
    page = await opened(world)
    assert page.text.startswith("**The board**")
    await page.press(PAGES_LABEL)
    assert page.text.splitlines()[0] == WHICH_PAGE
    assert placeholders(page) == [*topic_groups()]
    offered = [option["value"] for item in components(page.message) for option in item.get("options", ())]
    assert offered == [*all_topics()]
    assert shown_as_chosen(page) == [], "each list is named by what is in it"
    await world.restart()
    chosen = next(item for item in components(page.message) if item.get("placeholder") == "Questions and answers")
    page.last = await world.cara.select(page.message, ["ruling-9"], custom_id=chosen["custom_id"])
    page.__post_init__()
    assert page.text.startswith("**May I change my mind about a row?**")


async def test_the_lists_lead_back_to_the_step_they_were_opened_from(world: World) -> None:
    page = await opened(world, "along")
    await page.press(NEXT_STEP_LABEL)
    said = page.text
    await page.press(PAGES_LABEL)
    await page.press(BACK_LABEL)
    assert page.text == said


@pytest.mark.parametrize(
    ("topic", "title"), [("4.5", "Rows that cross"), ("zèrtz", "ZÈRTZ"), ("closed", "A full line")]
)
async def test_a_typed_word_or_number_finds_a_page(world: World, topic: str, title: str) -> None:
    assert (await opened(world, topic)).text.startswith(f"**{title}")


async def test_a_word_of_several_pages_asks_which(world: World) -> None:
    page = await opened(world, "captured")
    assert page.text == "Several pages are about `captured`. Choose one:"
    await page.choose("What goes with a row: captures")
    assert page.text.startswith("**What goes with a row: captures**")


async def test_an_unknown_word_offers_all_pages(world: World) -> None:
    page = await opened(world, "chess`@everyone")
    assert page.text == "No page is about `chess @everyone`. Choose one:"
    assert placeholders(page) == [*topic_groups()]


async def test_typing_suggests_pages_and_rules(world: World) -> None:
    async def suggested(typed: str) -> list[str]:
        return [choice["name"] for choice in await world.cara.autocomplete(world.channel, RULES, "topic", typed)]

    assert (await suggested(""))[0] == "The board"
    assert len(await suggested("")) == 25
    assert "R4.5 · Rows that cross" in await suggested("r4")
    assert (await suggested("cross"))[0] == "Rows that cross"
    assert await suggested("4.5") == ["Rows that cross", "R4.5 · Rows that cross"]


async def test_a_step_beyond_the_last_shows_the_last(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may have fewer steps after an update."""
    page = await opened(world, "row")
    monkeypatch.setitem(RULE_TOPICS, "row", replace(RULE_TOPICS["row"], turns=()))
    await page.press(NEXT_STEP_LABEL)
    assert page.text.startswith("**Four in a row**")
    assert disabled(page) == [BACK_LABEL, NEXT_STEP_LABEL]


async def test_the_button_of_a_page_that_is_gone_is_out_of_date(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await opened(world, "row")
    monkeypatch.delitem(RULE_TOPICS, "row")
    answer = await world.cara.click(page.message, label=NEXT_STEP_LABEL)
    assert private(answer).content == texts.UNKNOWN_BUTTON
