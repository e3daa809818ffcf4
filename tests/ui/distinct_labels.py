"""In no message do two buttons say the same: a screen reader reads nothing else of them."""

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


def note_repeated_labels(patch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that names the repeated labels of each message that is built from now on, public or private."""
    found: list[str] = []
    for kind in (discord.ui.View, discord.ui.LayoutView):
        patch.setattr(kind, "to_components", _noting(kind.to_components, found))
    return found


def _noting(build: Any, found: list[str]) -> Any:
    def built(view: Any) -> Any:
        components = build(view)
        found.extend(_repeated(components))
        return components

    return built
