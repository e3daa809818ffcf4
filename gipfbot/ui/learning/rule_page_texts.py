"""The texts around the pages of the rules."""

from gipfbot.ui.kit.text_parts import join_lines, shorten_text

from .topics import Topic

BACK_LABEL, NEXT_STEP_LABEL, NEXT_PAGE_LABEL = "Back", "Next step", "Next page"


def topic_text(topic: Topic, said: str) -> str:
    """Return the text of a page: at its start what it explains, later the sentence `said` on the step."""
    refused = f"Not allowed here: `{topic.refused}`" if topic.refused else ""
    return join_lines(f"**{topic.title}**", *([said] if said else [topic.text, refused]))


def no_topic_text(text: str) -> str:
    """Return the answer to a typed text that names no page."""
    said = shorten_text(text.replace("`", " "), 40)
    return f"No page is about `{said}`. Choose one:"


def several_topics_text(text: str) -> str:
    """Return the answer to a typed text that several pages contain."""
    said = shorten_text(text.replace("`", " "), 40)
    return f"Several pages are about `{said}`. Choose one:"
