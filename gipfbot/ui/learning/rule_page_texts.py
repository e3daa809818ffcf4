"""The texts around the pages of the rules."""

from gipfbot.ui.kit.texts import join_lines, quote_text

from .topics import Topic

BACK_LABEL, NEXT_STEP_LABEL, NEXT_PAGE_LABEL = "Back", "Next step", "Next page"


def topic_text(topic: Topic, said: str) -> str:
    """Return the text of a page: at its start what it explains, later the sentence `said` on the step."""
    refused = f"Not allowed here: `{topic.refused}`" if topic.refused else ""
    return join_lines(f"**{topic.title}**", *([said] if said else [topic.text, refused]))


def no_topic_text(text: str) -> str:
    """Return the answer to a typed text that names no page."""
    return f"No page is about {quote_text(text, 40)}. Choose one:"


def several_topics_text(text: str) -> str:
    """Return the answer to a typed text that several pages contain."""
    return f"Several pages are about {quote_text(text, 40)}. Choose one:"
