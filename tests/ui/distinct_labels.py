"""In no message do two buttons say the same: a screen reader reads nothing else of them.

A select keeps its name when something is chosen: what is chosen hides the name, so it stands above, or in the choice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import discord
import pytest
from simcord.components import walk_components


def repeated_labels(view: Any) -> list[str]:
    """Return each label that two buttons or selects of a message share, or two options of one of its selects."""
    return _repeated(view.to_components())


def _repeated(components: Sequence[Mapping[str, Any]]) -> list[str]:
    shown = [*walk_components(components)]
    lists = [[name for each in shown if (name := each.get("label") or each.get("placeholder"))]]
    lists += [[option["label"] for option in each.get("options", ())] for each in shown]
    return [label for labels in lists for label, times in Counter(labels).items() if times > 1]


def nameless_selects(view: Any) -> list[str]:
    """Return the name of each select of a message that nobody can read, because something is chosen there."""
    return _nameless(view.to_components())


def _nameless(components: Sequence[Mapping[str, Any]]) -> list[str]:
    found, above = [], ""
    for each in walk_components(components):
        chosen = [option["label"] for option in each.get("options", ()) if option.get("default")]
        is_hidden = chosen or each.get("default_values")
        if is_hidden and (name := each["placeholder"]) not in " ".join([above, *chosen]):
            found.append(name)
        if each["type"] != discord.ComponentType.action_row.value:
            above = each.get("content", "")
    return found


def note_repeated_labels(patch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the repeated labels and nameless selects of the messages that are built from now on."""
    found: list[str] = []
    for kind in (discord.ui.View, discord.ui.LayoutView):
        patch.setattr(kind, "to_components", _noting(kind.to_components, found))
    return found


def _noting(build: Any, found: list[str]) -> Any:
    def built(view: Any) -> Any:
        components = build(view)
        found.extend((*_repeated(components), *_nameless(components)))
        return components

    return built
