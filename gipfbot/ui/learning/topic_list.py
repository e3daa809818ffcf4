"""All pages of the rules, in groups, and which page explains a rule."""

from collections.abc import Mapping, Sequence

from .overboard_topics import OVERBOARD_TOPICS
from .potential_topics import topics_of_potentials
from .rule_topics import RULE_TOPICS
from .ruling_topics import RULING_TOPICS
from .topics import Topic

FIRST_TOPIC, *_ = RULE_TOPICS


def topic_groups() -> dict[str, Mapping[str, Topic]]:
    """Return the groups of pages by title. Each maps the names of its pages to the pages."""
    return {
        "The rules": RULE_TOPICS,
        "Questions and answers": RULING_TOPICS,
        "Potentials and Overboard": {**topics_of_potentials(), **OVERBOARD_TOPICS},
    }


def all_topics() -> dict[str, Topic]:
    """Return all pages by name."""
    return {name: topic for group in topic_groups().values() for name, topic in group.items()}


def explained_rules() -> dict[str, str]:
    """Return the name of the page that explains each rule, by the number of the rule, such as `R4.4`."""
    return {rule: name for name, topic in all_topics().items() for rule in topic.rules}


def topic_of_rule(rule: str) -> str:
    """Return the name of the page that explains a rule.

    A rule without a page has that of its section: `R4` for `R4.9`. If there is none, return the first page.
    """
    known = explained_rules()
    return known.get(rule) or known.get(rule.partition(".")[0], FIRST_TOPIC)


def find_topics(text: str) -> Sequence[str]:
    """Return the names of the pages that a typed text may mean, the best first.

    A name, a title or the number of a rule names one page. Other texts name all pages that contain them.
    """
    wanted, topics = " ".join(text.split()).casefold(), all_topics()
    rules = {rule.casefold(): name for rule, name in explained_rules().items()}
    for name, topic in topics.items():
        if wanted in (name, topic.title.casefold()):
            return [name]
    if named := rules.get(wanted) or rules.get(f"r{wanted}"):
        return [named]
    titled = [name for name, topic in topics.items() if wanted in topic.title.casefold()]
    return [
        *titled,
        *(name for name, topic in topics.items() if wanted in topic.text.casefold() and name not in titled),
    ]
