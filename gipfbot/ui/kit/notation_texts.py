"""Say the sentences of the rules and the notation in the language that is spoken.

Each brings its template and its facts. Its English text is for tools and programs, and is never read here.
"""

from collections.abc import Callable, Sequence

from gipfbot.languages import mark, say, say_list, say_name
from gipfbot.notation import NotationError
from gipfbot.rules import Colour, ruleset_words
from gipfbot.rules.sentences import AllOf, Fact, OneOf, Sentence

from . import texts

RULES_FACTS = ("rules", "other")  # only facts of these names can be the title of a rule set
RULES_NAMES = (mark("Basic"), mark("Standard"), mark("Tournament"), mark("Overboard"))
_ADVICE = "\ue000"  # stands around a turn that a sentence advises to write, until the sentence is escaped


def error_text(error: NotationError, escape: Callable[[str], str] = texts.escape_sentence) -> str:
    """Return the sentences of an error, escaped and without rule numbers.

    The turns that they advise are set as code, ready to copy, if they are among the similar turns of the error.
    """
    return _escape(" ".join(map(_say_sentence, error.sentences)), escape, error.near)


def sentence_text(sentence: Sentence, escape: Callable[[str], str] = texts.escape_sentence) -> str:
    """Return one sentence of the notation, escaped and without a rule number."""
    return _escape(_say_sentence(sentence), escape, ())


def warning_lines(warnings: Sequence[Sentence]) -> str:
    """Return each warning of the notation on a line of its own, escaped and without rule numbers."""
    return texts.join_lines(*(f"⚠ {sentence_text(warning, texts.escape_text)}" for warning in warnings))


def ruleset_text(name: str) -> str:
    """Return the name of a rule set in words, which may stand in a sentence: `Tournament with 6 ZÈRTZ and 6 PÜNCT`."""
    return str(_say_fact(RULES_FACTS[0], ruleset_words(name)))


def _escape(said: str, escape: Callable[[str], str], codes: Sequence[str]) -> str:
    """Return a text escaped, but the advised turns among `codes` as code."""
    parts = said.split(_ADVICE)
    return "".join(f"`{part}`" if at % 2 and part in codes else escape(part) for at, part in enumerate(parts))


def _say_sentence(sentence: Sentence, by: Callable[..., str] = say) -> str:
    return by(sentence.template, **{name: _say_fact(name, fact) for name, fact in sentence.facts.items()})


def _say_fact(name: str, fact: Fact) -> str | int:
    match fact:
        case Sentence():
            return _say_sentence(fact, say_name)
        case Colour():
            return texts.colour_name(fact)
        case OneOf():
            return say_list([f"{_ADVICE}{turn}{_ADVICE}" for turn in fact], one_of=True)
        case AllOf():
            return say_list(fact)
        case int():
            return fact
    text = fact.replace(_ADVICE, "")
    return _say_rules(text) if name in RULES_FACTS else text


def _say_rules(title: str) -> str:
    """Return a text. In the title of a rule set, such as `Tournament+Z6P6`, the name of its preset is said."""
    plain, plus, added = title.partition("+")
    return f"{say_name(plain) if plain in RULES_NAMES else plain}{plus}{added}"
