"""The names of rule sets with potentials: `tournament+Z3P6` is Tournament with 3 ZÈRTZ- and 6 PÜNCT-potentials each."""

import re
from collections.abc import Mapping
from dataclasses import replace

from .powers import POWERS
from .rulesets import OFFICIAL_COURSE, RULESETS, Ruleset

FEWEST, MOST = 3, 6  # potentials of one kind for each player (R7.1)
_AGREED = re.compile(r"([A-Z])([0-9]+)")


def with_potentials(rules: Ruleset, potentials: tuple[tuple[str, int], ...]) -> Ruleset:
    """Return a rule set with so many potentials of each kind, given by their letters, for each player (R7.1).

    Its name says so. Raises ValueError, with a sentence, for an unknown letter, a wrong number or a wrong order, and
    for a rule set that knows no potentials (R8.6).
    """
    if potentials and rules.course != OFFICIAL_COURSE:
        raise ValueError(f"There are no potentials in {rules.title} (R8.6).")
    for letter, number in potentials:
        if letter not in POWERS:
            raise ValueError(f"There is no potential {letter}: the potentials are {_known_potentials()}.")
        if not FEWEST <= number <= MOST:
            name = POWERS[letter].name
            raise ValueError(f"Each player gets {FEWEST} to {MOST} {name}-potentials, not {number} (R7.1).")
    letters = [letter for letter, _ in potentials]
    if letters != [letter for letter in POWERS if letter in letters]:
        raise ValueError(f"Potentials stand in the order {_known_potentials()}, and each once.")
    added = "".join(f"{letter}{number}" for letter, number in potentials)
    return replace(rules, name=f"{rules.name}+{added}", potentials=potentials)


def ruleset_named(name: str, presets: Mapping[str, Ruleset] = RULESETS) -> Ruleset:
    """Return the rule set of a name such as `standard` or `tournament+Z3P6`. Potentials are added to a preset.

    Raises ValueError, with a sentence, if there is no such rule set.
    """
    plain, plus, added = name.partition("+")
    if name in presets:
        return presets[name]
    if plain not in presets:
        raise ValueError(f"There is no rule set {plain[:20]}: the rule sets are {', '.join(presets)}.")
    if not plus:
        return presets[plain]
    agreed = _AGREED.findall(added[:40])
    if "".join(letter + number for letter, number in agreed) != added or not agreed:
        raise ValueError("Behind the + stand potentials, each with its number, such as Z3 or Z3P6.")
    return with_potentials(presets[plain], tuple((letter, int(number[:9])) for letter, number in agreed))


def ruleset_words(name: str) -> str:
    """Return the name of a rule set in words: `tournament+Z6P6` is `Tournament with 6 ZÈRTZ and 6 PÜNCT`.

    An unknown potential keeps its letter.
    """
    plain, _, added = name.partition("+")
    names = {letter: power.name for letter, power in POWERS.items()}
    agreed = [f"{number} {names.get(letter, letter)}" for letter, number in _AGREED.findall(added)]
    return f"{plain.capitalize()} with {' and '.join(agreed)}" if agreed else plain.capitalize()


def _known_potentials() -> str:
    return ", ".join(f"{letter} ({power.name})" for letter, power in POWERS.items())
