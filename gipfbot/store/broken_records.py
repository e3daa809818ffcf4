"""Where and why a record breaks, as a study stores it: the facts of its sentences, which belong to no language."""

from collections.abc import Mapping
from typing import Any

from gipfbot.notation import BrokenRecord, IllegalTurn, NotationError
from gipfbot.notation.errors import excerpt
from gipfbot.notation.repairs import Repair
from gipfbot.rules import Colour
from gipfbot.rules.sentences import AllOf, Fact, OneOf, Sentence

Data = Mapping[str, Any]


def broken_data(broken: BrokenRecord) -> Data:
    """Return an error of a record as JSON holds it. Of the text of its turn, only an excerpt is kept."""
    fault = broken.fault
    return {
        "turn": broken.turn_number,
        "side": int(broken.side),
        "text": excerpt(fault.text),
        "code": fault.code,
        "rule": fault.rule if isinstance(fault, IllegalTurn) else "",
        "why": [_sentence_data(sentence) for sentence in fault.sentences],
        "near": fault.near,
        "choices": fault.choices,
        "similar": broken.similar,
        "repair": broken.repair,
        "missing": broken.missing and _sentence_data(broken.missing),
    }


def read_broken(data: Data) -> BrokenRecord:
    """Return an error of a record from its data. Raises a LookupError, TypeError or ValueError if they are no such."""
    why, text = [_read_sentence(sentence) for sentence in data["why"]], data["text"]
    known = IllegalTurn(data["code"], data["rule"], why, text) if data["rule"] else None
    fault = (known or NotationError(data["code"], why, text)).with_near(data["near"])
    fault.choices = tuple(data["choices"])
    repair, missing = data["repair"] and Repair(*data["repair"]), data["missing"] and _read_sentence(data["missing"])
    return BrokenRecord(data["turn"], Colour(data["side"]), fault, data["similar"], repair, missing)


def _sentence_data(sentence: Sentence) -> Data:
    facts = {name: _fact_data(fact) for name, fact in sentence.facts.items()}
    return {"template": sentence.template, "rule": sentence.rule, "facts": facts}


def _fact_data(fact: Fact) -> Data | str | int:
    match fact:
        case Sentence():
            return _sentence_data(fact)
        case Colour():
            return {"colour": int(fact)}
        case OneOf():
            return {"one_of": fact}
        case AllOf():
            return {"all_of": fact}
    return fact


def _read_sentence(data: Data) -> Sentence:
    facts = {name: _read_fact(fact) for name, fact in data["facts"].items()}
    return Sentence(data["template"], rule=data["rule"], **facts)


def _read_fact(data: Any) -> Fact:
    match data:
        case {"template": _}:
            return _read_sentence(data)
        case {"colour": colour}:
            return Colour(colour)
        case {"one_of": turns}:
            return OneOf(turns)
        case {"all_of": things}:
            return AllOf(things)
        case str() | int():
            return data
    raise ValueError(f"no fact: {data!r}")
