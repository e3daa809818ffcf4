"""The names of rule sets with potentials: `tournament+Z3P6` is Tournament with 3 ZÈRTZ- and 6 PÜNCT-potentials each."""

import re
from collections.abc import Mapping
from dataclasses import replace

from .powers import POWERS
from .rulesets import OFFICIAL_COURSE, RULESETS, Ruleset
from .sentences import AllOf, Sentence

FEWEST, MOST = 3, 6  # potentials of one kind for each player (R7.1)
_AGREED = re.compile(r"([A-Z])([0-9]+)")


class WrongRuleset(ValueError):
    """There is no such rule set. `sentence` says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def with_potentials(rules: Ruleset, potentials: tuple[tuple[str, int], ...]) -> Ruleset:
    """Return a rule set with so many potentials of each kind, given by their letters, for each player (R7.1).

    Its name says so. Raises WrongRuleset for an unknown letter, a wrong number or a wrong order, and for a rule set
    that knows no potentials (R8.6).
    """
    if potentials and rules.course != OFFICIAL_COURSE:
        raise WrongRuleset(Sentence("There are no potentials in {rules}.", rule="R8.6", rules=rules.title))
    for letter, number in potentials:
        if letter not in POWERS:
            known = _known_potentials()
            raise WrongRuleset(
                Sentence("There is no potential {letter}: the potentials are {known}.", letter=letter, known=known)
            )
        if not FEWEST <= number <= MOST:
            raise WrongRuleset(_wrong_number_sentence(letter, number))
    letters = [letter for letter, _ in potentials]
    if letters != [letter for letter in POWERS if letter in letters]:
        raise WrongRuleset(Sentence("Potentials stand in the order {known}, and each once.", known=_known_potentials()))
    added = "".join(f"{letter}{number}" for letter, number in potentials)
    return replace(rules, name=f"{rules.name}+{added}", potentials=potentials)


def _wrong_number_sentence(letter: str, number: int) -> Sentence:
    return Sentence(
        "Each player gets {fewest} to {most} {name}-potentials, not {number}.",
        rule="R7.1",
        fewest=FEWEST,
        most=MOST,
        name=POWERS[letter].name,
        number=str(number),
    )


def ruleset_named(name: str, presets: Mapping[str, Ruleset] = RULESETS) -> Ruleset:
    """Return the rule set of a name such as `standard` or `tournament+Z3P6`. Potentials are added to a preset.

    Raises WrongRuleset if there is no such rule set.
    """
    plain, plus, added = name.partition("+")
    if name in presets:
        return presets[name]
    if plain not in presets:
        known = ", ".join(presets)
        raise WrongRuleset(
            Sentence("There is no rule set {name}: the rule sets are {known}.", name=plain[:20], known=known)
        )
    if not plus:
        return presets[plain]
    agreed = _AGREED.findall(added[:40])
    if "".join(letter + number for letter, number in agreed) != added or not agreed:
        raise WrongRuleset(Sentence("Behind the + stand potentials, each with its number, such as Z3 or Z3P6."))
    return with_potentials(presets[plain], tuple((letter, int(number[:9])) for letter, number in agreed))


def ruleset_words(name: str) -> str:
    """Return the name of a rule set in words: `tournament+Z6P6` is `Tournament with 6 ZÈRTZ and 6 PÜNCT`.

    It is a `Sentence` if it holds words. An unknown potential keeps its letter.
    """
    plain, _, added = name.partition("+")
    names = {letter: power.name for letter, power in POWERS.items()}
    agreed = AllOf(f"{number} {names.get(letter, letter)}" for letter, number in _AGREED.findall(added))
    rules = plain.capitalize()
    return Sentence("{rules} with {potentials}", rules=rules, potentials=agreed) if agreed else rules


def _known_potentials() -> str:
    return ", ".join(f"{letter} ({power.name})" for letter, power in POWERS.items())
