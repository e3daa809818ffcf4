"""The tutorial and the pages of the rules, on a phone."""

import pytest
from playwright.sync_api import expect

from gipfbot.ui.learning.lessons import LESSONS, lesson_label
from gipfbot.ui.learning.rule_topics import all_topics
from gipfbot.ui.lobby.help import GIPF_IN_THREE_LINES
from tests.support.tutorial_presses import MOST_PRESSES, PRESSES

from .driver import Visitor

pytestmark = pytest.mark.browser


@pytest.mark.shares_demo
def test_the_tutorial_is_played_to_its_end_in_twelve_presses(visitor: Visitor) -> None:
    visitor.look_as("Cara")
    visitor.slash("gipf-learn tutorial")
    expect(visitor.private()).to_contain_text("Press e1, then → e2.")
    for lesson, presses in zip(LESSONS, PRESSES, strict=True):
        expect(visitor.private()).to_contain_text(lesson.title)
        for label in presses:
            visitor.press(visitor.private(), label)
            visitor.picture(visitor.private())
    expect(visitor.private()).to_contain_text("You win!")
    assert "wins" in visitor.picture(visitor.private())
    assert visitor.presses <= MOST_PRESSES
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    visitor.slash("gipf-learn tutorial")
    assert visitor.buttons(visitor.private())[0] == lesson_label(0)


def test_somebody_who_is_challenged_learns_first_and_comes_back(visitor: Visitor) -> None:
    """One press from the card to the first lesson, and one back."""
    visitor.look_as("Ann")
    visitor.slash("gipf challenge", opponent="Cara", colour="White for me")
    visitor.look_as("Cara")
    visitor.press(visitor.public, "How to play")
    assert visitor.presses == 1
    expect(visitor.private()).to_contain_text("Tutorial ")
    assert "White, You" in visitor.picture(visitor.private())
    visitor.press(visitor.private(), "Back to the challenge")
    expect(visitor.private()).to_contain_text("@Cara Ann challenges you to GIPF")
    visitor.press(visitor.private(), "Accept")
    expect(visitor.private("You play game #")).to_contain_text("You have Black")
    visitor.press(visitor.public, "Move")
    expect(visitor.private()).to_contain_text("It's not your turn.")
    assert "to move" in visitor.picture(visitor.private())
    visitor.press(visitor.private(), "More…")
    visitor.press(visitor.private(), "How to play")
    assert visitor.buttons(visitor.private())[-1].startswith("Back to #")
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.shares_demo
def test_the_first_page_of_the_help_is_one_screen(visitor: Visitor) -> None:
    """So are a page of the rules and its steps, which open at their end."""
    visitor.look_as("Cara")
    visitor.slash("gipf help")
    visitor.picture(visitor.private())
    for said in (*GIPF_IN_THREE_LINES.replace("**", "").splitlines(), "Tutorial", "Settings"):
        expect(visitor.private().get_by_text(said).last).to_be_in_viewport()
    visitor.slash("gipf-learn rules")
    for _ in range(2):
        visitor.picture(visitor.private())
        expect(visitor.private().get_by_text("The board").last).to_be_in_viewport()
        expect(visitor.private().get_by_text("Pages…")).to_be_in_viewport()
        visitor.press(visitor.private(), "Next step")


@pytest.mark.shares_demo
def test_a_newcomer_solves_todays_puzzle(visitor: Visitor) -> None:
    """It is the first that is shipped, with its best defence."""
    visitor.look_as("Cara")
    visitor.slash("gipf-learn puzzle")
    expect(visitor.private()).to_contain_text("You play White. You have two turns to win.")
    for label in ("b1", "→ b2"):
        visitor.press(visitor.private(), label)
    expect(visitor.private()).to_contain_text("b1-b3 is right. The opponent answers a1-f5.")
    for label in ("a1", "→ b2"):
        visitor.press(visitor.private(), label)
    expect(visitor.private()).to_contain_text("Solved!")
    assert "wins" in visitor.picture(visitor.private())
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_refused_turn_leads_to_the_page_of_its_rule(visitor: Visitor) -> None:
    """Ann types a push to a spot in the middle, asks why that is refused, and steps through the page."""
    visitor.slash("move", notation="e5")
    visitor.press(visitor.private(), "See the rule")
    topic = all_topics()["push"]
    expect(visitor.private(topic.title)).to_contain_text(topic.text)
    visitor.press(visitor.private(topic.title), "Next step")
    expect(visitor.private(topic.title)).to_contain_text(topic.turns[0].said[0])
    visitor.picture(visitor.private(topic.title))
    visitor.press(visitor.private(topic.title), "Pages…")
    visitor.choose(visitor.private(), "Four in a row", of="The rules")
    expect(visitor.private("Four in a row")).to_contain_text(all_topics()["row"].text)
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.shares_demo
def test_a_page_of_the_rules_is_played_on_against_the_bot(visitor: Visitor) -> None:
    visitor.look_as("Cara")
    visitor.slash("gipf-learn rules", topic="The last GIPF-piece")
    visitor.press(visitor.private(), "Practise from here")
    expect(visitor.private("Practice")).to_contain_text("you are White, the bot plays at level 2")
    for label in ("a2", "→ b3"):
        visitor.press(visitor.private("Practice"), label)
    expect(visitor.private("Practice")).to_contain_text("Bot: ")
    visitor.keep("answered")
    visitor.press(visitor.private("Practice"), "Start over")
    for label in ("e9", "→ e8 · row: 4 back, 1 or 3 captured", "Take f4"):
        visitor.press(visitor.private("Practice"), label)
    expect(visitor.private("Practice")).to_contain_text("You win!")
    assert "wins" in visitor.picture(visitor.private("Practice"))
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
