"""The pages of the rules: their lines, their turns, and the rules and rulings that they explain."""

import re

import pytest

from gipfbot.match import position_after
from gipfbot.notation import IllegalTurn, NotationError, parse_position, parse_turn, position_text, turn_text
from gipfbot.rules import Colour, Position
from gipfbot.rules.powers import POWERS, Power, Target
from gipfbot.ui.kit.game_picker import MOST_CHOICES
from gipfbot.ui.learning.rule_topics import (
    FIRST_TOPIC,
    all_topics,
    explained_rules,
    find_topics,
    topic_groups,
    topic_of_rule,
)
from gipfbot.ui.learning.topics import Topic, shown, topic_steps
from tests.rules.loaded import step_targets
from tests.support.paths import HOUSE

LONGEST_TOPIC, LONGEST_STEP, LONGEST_TITLE, MOST_WORDS = 330, 140, 40, 26
RULINGS = range(1, 13)  # those of the designer's FAQ
RULE_NUMBER = re.compile(r'"(R[0-9](?:\.[0-9]+)?)"')


def named_rules() -> set[str]:
    """Return the numbers of all rules that the notation's errors name."""
    sources = (path.read_text(encoding="utf-8") for path in (HOUSE / "gipfbot" / "notation").glob("*.py"))
    return {rule for source in sources for rule in RULE_NUMBER.findall(source)}


@pytest.mark.parametrize("name", all_topics())
def test_every_page_plays_its_turns_and_says_each_step(name: str) -> None:
    topic = all_topics()[name]
    position = parse_position(topic.line)
    assert position_text(position) == topic.line
    for turn in topic.turns:
        actions = parse_turn(position, turn.text)
        assert turn_text(position, actions) == turn.text
        position = position_after(position, actions)
    start, *steps = topic_steps(topic)
    assert start.picture.position == parse_position(topic.line)
    assert [step.said for step in steps] == [said for turn in topic.turns for said in turn.said]
    assert steps[-1].picture.position == position
    assert start.picture.caption == f"The start: {len(steps)} step{'s follow' if len(steps) > 1 else ' follows'}"
    assert [step.picture.caption for step in steps] == [f"Step {at} of {len(steps)}" for at in range(1, len(steps) + 1)]


@pytest.mark.parametrize("name", all_topics())
def test_every_page_is_short(name: str) -> None:
    topic = all_topics()[name]
    said = [said for turn in topic.turns for said in turn.said]
    assert len(topic.title) <= LONGEST_TITLE
    assert len(topic.text) <= LONGEST_TOPIC
    assert all(len(sentence) <= LONGEST_STEP for sentence in said)
    for sentence in re.split(r"(?<=[.!?:;]) ", " ".join([topic.text, *said])):
        assert len(sentence.split()) <= MOST_WORDS, sentence


@pytest.mark.parametrize("name", [name for name, topic in all_topics().items() if topic.refused])
def test_what_a_page_calls_illegal_is_refused_by_its_rule(name: str) -> None:
    assert all_topics()[name].why_refused
    topic = all_topics()[name]
    with pytest.raises(IllegalTurn) as refusal:
        parse_turn(parse_position(topic.line), topic.refused)
    assert refusal.value.rule in topic.rules


def test_each_ruling_has_one_page() -> None:
    assert sorted(topic.ruling for topic in all_topics().values() if topic.ruling) == [*RULINGS]


def test_each_potential_has_one_page() -> None:
    titles = [topic.title for topic in all_topics().values()]
    assert [titles.count(power.name) for power in POWERS.values()] == [1] * len(POWERS)


@pytest.mark.parametrize("letter", POWERS)
def test_page_of_a_potential_begins_with_what_it_may_do(letter: str) -> None:
    power, page = POWERS[letter], all_topics()[f"potential-{letter.lower()}"]
    assert page.text.startswith(f"The {power.name}-potential {power.jump}. ")


def test_a_row_freed_by_a_removal_goes_in_the_same_turn() -> None:
    """Point 7 of the page about PÜNCT. The covering piece was the opponent's, the GIPF-piece below it the player's."""
    freed, gone = topic_steps(all_topics()["freed"])[1:3]
    assert "Ge6,f5,g4,h3" in position_text(freed.picture.position)
    assert freed.picture.position.mover is gone.picture.position.mover is Colour.WHITE
    assert "W=Gb5,Ge6 " in position_text(gone.picture.position)


def test_a_row_freed_for_the_opponent_stays_until_their_turn() -> None:
    *_, pushed, taken, _ = topic_steps(all_topics()["freed-other"])
    assert "d5,Pe5,Ge8,f4,g3" in position_text(pushed.picture.position)
    assert pushed.picture.position.mover is Colour.BLACK
    assert "B=Pe5,Ge8 " in position_text(taken.picture.position)


def test_covered_and_freed_is_not_won() -> None:
    *_, freed, goes_on = topic_steps(all_topics()["covered-freed"])
    assert "B=Ge5,h2 " in position_text(freed.picture.position)
    assert freed.picture.position.result is goes_on.picture.position.result is None


def test_overboard_tells_the_german_page_from_our_own() -> None:
    page = all_topics()[topic_of_rule("R8")]
    theirs, ours = page.text.split("**Made for this bot")
    assert "**From a German web page:**" in theirs
    assert "draws" in ours
    assert page.title.startswith("Overboard")


def _step_targets(position: Position, at: int) -> list[Target]:
    return [*step_targets(position, at)]


def test_a_new_potential_gets_a_page_that_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POWERS, "S", Power("STEP", _step_targets, jump="steps onto an adjacent vacant spot"))
    topic = all_topics()["potential-s"]
    assert topic.text.startswith("The STEP-potential steps onto an adjacent vacant spot. ")
    assert len(topic_steps(topic)) == 2


def test_each_rule_that_an_error_names_has_one_page() -> None:
    explained = [rule for topic in all_topics().values() for rule in topic.rules]
    assert len(explained) == len(set(explained))
    assert len(named_rules()) > 25
    assert named_rules() - set(explained) == set()
    assert all(explained_rules()[rule] == topic_of_rule(rule) for rule in named_rules())


def test_a_rule_without_a_page_leads_to_its_section() -> None:
    assert topic_of_rule("R4.9") == topic_of_rule("R4")
    assert topic_of_rule("R9.9") == FIRST_TOPIC


def test_a_select_has_room_for_each_group() -> None:
    groups = topic_groups()
    assert len(groups) == 3
    assert all(len(group) <= MOST_CHOICES for group in groups.values())
    assert sum(map(len, groups.values())) == len(all_topics())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("row", "row"), ("Rows that  cross", "crossing"), ("R4.5", "crossing"), ("4.5", "crossing"),
        ("zèrtz", "potential-z"), ("captured: they", "along"), ("faq", None),
    ],
)  # fmt: skip
def test_a_typed_text_finds_its_page(text: str, name: str | None) -> None:
    assert next(iter(find_topics(text)), None) == name


@pytest.mark.parametrize(
    ("line", "turn", "said", "fault"),
    [
        ("basic w W=e2 B= reserve=14-15 captured=0-0", "e1-e4", ("x",), NotationError),
        ("basic w W=e2 B= reserve=15-15 captured=0-0", "e1-e3", ("x",), NotationError),
        ("basic w W=e2 B= reserve=14-15 captured=0-0", "e1-e3", ("x", "y"), ValueError),
    ],
)
def test_a_wrong_page_is_found(line: str, turn: str, said: tuple[str, ...], fault: type[Exception]) -> None:
    with pytest.raises(fault):
        topic_steps(Topic("Title", "Text.", line, (shown(turn, *said),)))
