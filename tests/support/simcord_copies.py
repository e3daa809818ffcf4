"""Quick copies of what SimCord hands out: plain JSON needs none of the care that `copy.deepcopy` takes."""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router

_UNCHANGING = {str, int, bool, float, type(None)}


def copy_json(value: Any) -> Any:
    """Return a copy that shares nothing that can be changed. What is not JSON is copied as usual."""
    kind = type(value)
    if kind in _UNCHANGING:
        return value
    if kind is dict:
        return {key: copy_json(each) for key, each in value.items()}
    if kind is list:
        return [copy_json(each) for each in value]
    return deepcopy(value)


def copy_quickly() -> None:
    """Let SimCord copy its payloads by `copy_json`: they are a tenth of the time of a test."""
    for module in (gateway, router):
        vars(module)["copy"] = SimpleNamespace(deepcopy=copy_json)
    for module in (components, results, serializers):
        vars(module)["deepcopy"] = copy_json
