"""`/gipf-learn rules`: the rules as pages, with pictures that the reader steps through."""

from collections.abc import Iterator, Mapping

from discord import app_commands
from discord.app_commands import Choice

from gipfbot.languages import mark, say
from gipfbot.ui.kit import Button, Interaction, Reply, answers_privately, handles, join_lines, show_reply, slash_command
from gipfbot.ui.kit.components import Select, button_rows, with_note_above
from gipfbot.ui.kit.game_picker import LONGEST_CHOICE, MOST_CHOICES, suggests_in_time
from gipfbot.ui.kit.interactions import chosen_value
from gipfbot.ui.kit.respond import show_here_buttons, tell_privately
from gipfbot.ui.kit.slash_commands import mention_commands
from gipfbot.ui.kit.texts import UNKNOWN_BUTTON, quote_text

from .play_on import play_on_step
from .rule_topics import FIRST_TOPIC, all_topics, explained_rules, find_topics, topic_groups, topic_of_rule
from .topics import Topic, topic_steps

BACK_LABEL, NEXT_STEP_LABEL, NEXT_PAGE_LABEL = mark("Back"), mark("Next step"), mark("Next page")

PAGES_LABEL, CHOOSE_TOPIC = mark("Pages…"), mark("Choose a page")
WHICH_PAGE = mark("Which page?")


def topic_text(topic: Topic, said: str) -> str:
    """Return the text of a page: its explanation at the start, and later the sentence `said` on the step."""
    told = (said,) if said else (topic.text, topic.why_refused)
    return join_lines(f"**{say(topic.title)}**", *map(say, filter(None, told)))


def no_topic_text(text: str) -> str:
    """Return the answer to a typed text that names no page."""
    return say("No page is about {text}. Choose one:", text=quote_text(text, 40))


def several_topics_text(text: str) -> str:
    """Return the answer to a typed text that several pages contain."""
    return say("Several pages are about {text}. Choose one:", text=quote_text(text, 40))


@suggests_in_time
async def complete_topic(_: Interaction, current: str) -> list[Choice[str]]:
    """Suggest pages whose title or text contains the typed text, then the rules whose numbers begin with it."""
    topics, rules = all_topics(), explained_rules()
    typed = current.strip().casefold()
    named = [rule for rule in sorted(rules) if rule.casefold().startswith((typed or "r", f"r{typed}"))]
    pages = [(say(topics[name].title), name) for name in (find_topics(typed) if typed else topics)]
    numbers = [(f"{rule} · {say(topics[rules[rule]].title)}", rule) for rule in named]
    found = [Choice(name=title[:LONGEST_CHOICE], value=value) for title, value in (*pages, *numbers)]
    return found[:MOST_CHOICES]


@slash_command("gipf-learn rules", 20, "The rules as short pages with pictures to step through")
@app_commands.describe(topic="What you want to know: a word, or the number of a rule")
@app_commands.autocomplete(topic=complete_topic)
@answers_privately
async def rules_command(interaction: Interaction, topic: str = "") -> None:
    """Show a page of the rules. If the text names none or several, let the person choose."""
    found = find_topics(topic) if topic.strip() else [FIRST_TOPIC]
    if len(found) == 1:
        await show_topic(interaction, found[0])
    elif found:
        options = _topic_options({name: all_topics()[name] for name in found[:MOST_CHOICES]})
        select = Select(say(CHOOSE_TOPIC), "choose_rule_page:0", options)
        await show_reply(interaction, several_topics_text(topic), rows=(select,))
    else:
        await show_reply(interaction, no_topic_text(topic), rows=tuple(_group_selects()))


def rule_page_id(name: str, step: int = 0) -> str:
    """Return the `custom_id` of a button that shows a step of a page."""
    return f"rule_page:{name}:{step}"


@handles("rule_page", "{name:[a-z0-9-]+}:{step}")
async def press_rule_page(interaction: Interaction, name: str, step: int) -> None:
    """Show a step of a page."""
    await show_topic(interaction, name, step)


@handles("choose_rule_page", "{group}")
async def choose_rule_page(interaction: Interaction, group: int) -> None:
    """Show the page that was chosen from a list."""
    await show_topic(interaction, chosen_value(interaction))


@handles("open_rules", "", Reply.APART)
async def press_open_rules(interaction: Interaction) -> None:
    """Show the first page, in a new private message: the one that was pressed keeps its buttons."""
    await show_topic(interaction, FIRST_TOPIC)


@handles("why", "{rule:R[0-9]+(?:[.][0-9]+)?}", Reply.APART)
async def press_why(interaction: Interaction, rule: str) -> None:
    """Show the page of the rule that a refusal rests on, in a new private message."""
    await show_topic(interaction, topic_of_rule(rule))


async def show_topic(interaction: Interaction, name: str, step: int = 0) -> None:
    """Show a page of the rules privately. A page that is gone is answered as an outdated button.

    Its text is below the picture, because a phone shows the end of a message.
    """
    topic = all_topics().get(name)
    if topic is None:
        await tell_privately(interaction, say(UNKNOWN_BUTTON))
        return
    steps = topic_steps(topic)
    place = min(step, len(steps) - 1)
    text = mention_commands(topic_text(topic, steps[place].said), interaction.client.command_ids)
    pages = Button(say(PAGES_LABEL), f"rule_page_lists:{name}:{place}")
    beside = *play_on_step(name, place, steps[place]), pages, *show_here_buttons(interaction, f"rules:{name}:{place}")
    buttons = [*_step_buttons(name, place, len(steps) - 1), *beside]
    await show_reply(interaction, "", steps[place].picture, with_note_above(text, [*button_rows(buttons)]))


@handles("rule_page_lists", "{name:[a-z0-9-]+}:{step}")
async def press_pages(interaction: Interaction, name: str, step: int) -> None:
    """Show the lists of all pages, with the way back to the page."""
    back = Button(say(BACK_LABEL), rule_page_id(name, step))
    await show_reply(interaction, say(WHICH_PAGE), rows=(*_group_selects(), (back,)))


def _step_buttons(name: str, place: int, last: int) -> tuple[Button, ...]:
    """Return the buttons below a page: to its other steps, and to the next page."""
    names, ended = [*all_topics()], place == last
    following = names[(names.index(name) + 1) % len(names)]
    styles = ("secondary", "primary") if ended else ("primary", "secondary")
    return (
        Button(say(BACK_LABEL), rule_page_id(name, max(0, place - 1)), disabled=place == 0),
        Button(say(NEXT_STEP_LABEL), rule_page_id(name, place + 1), styles[0], disabled=ended),
        Button(say(NEXT_PAGE_LABEL), rule_page_id(following), styles[1]),
    )


def _group_selects() -> Iterator[Select]:
    """Yield a select for each group of pages, named by the group."""
    for number, (title, group) in enumerate(topic_groups().items()):
        yield Select(say(title), f"choose_rule_page:{number}", _topic_options(group))


def _topic_options(topics: Mapping[str, Topic]) -> tuple[tuple[str, str], ...]:
    return tuple((say(topic.title), name) for name, topic in topics.items())
