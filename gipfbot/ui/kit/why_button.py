"""The button **Why?** under a refusal, or below a turn that removed a row. It leads to the page of the rule."""

from collections.abc import Sequence

from gipfbot.match import Refused, Why
from gipfbot.notation import BrokenRecord, IllegalTurn
from gipfbot.rules import Action, Remove, Ruleset
from gipfbot.rules.rulesets import OFFICIAL_COURSE

from .widgets import Button

WHY_LABEL = "Why?"
# The rule behind each refusal that rests on one. All others say who may do something, or name a limit of the bot.
RULES_OF_REFUSALS = {
    Why.ILLEGAL: "R3",
    Why.LOSES_ON_TIME: "R6.4",
    Why.NO_DRAWS: "R6.3",
    Why.CONDITIONAL_GOES_ON: "R6",
    Why.CONDITIONAL_TOO_LATE: "R6.4",
    Why.CONDITIONAL_SAME_PLAYER: "R8.4",
}
DECISION_RULE = "R8.4"  # behind each refusal that waits for a decision in the other player's turn


def rule_of_refusal(fault: Exception) -> str | None:
    """Return the number of the rule that a refusal rests on, such as `R4.4`. None if it rests on no rule."""
    if isinstance(fault, BrokenRecord):
        return rule_of_refusal(fault.fault)
    if isinstance(fault, IllegalTurn):
        return fault.rule
    if not isinstance(fault, Refused):
        return None
    return DECISION_RULE if fault.facts.get("decision") else RULES_OF_REFUSALS.get(fault.why)


def why_buttons(fault: Exception) -> tuple[Button, ...]:
    """Return a tuple with the button **Why?** of a refusal. Empty if the refusal rests on no rule."""
    rule = rule_of_refusal(fault)
    return (_rule_link(rule),) if rule else ()


def removal_why_buttons(rules: Ruleset, actions: Sequence[Action]) -> tuple[Button, ...]:
    """Return a tuple with the button that says why pieces left the board in a turn. Empty if none did by a row."""
    rule = "R4.2" if rules.course == OFFICIAL_COURSE else "R8.3"
    return (_rule_link(rule),) if any(isinstance(action, Remove) for action in actions) else ()


def _rule_link(rule: str) -> Button:
    return Button(WHY_LABEL, f"why:{rule}", is_custom_id=True)
