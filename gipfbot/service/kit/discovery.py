"""Find what the modules of a package define, such as kinds of messages or commands: nobody keeps a list of them."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Value = TypeVar("Value")


def defined_in(package: str, wanted: type[Value]) -> list[Value]:
    """Return the values of a type that modules in the rooms of a package define at their top level, each once.

    Imports all modules of the rooms, so that what they register is registered, too. Modules beside the rooms are left
    out. The order is that of the modules' names, then that within a module.
    """
    found = (value for module in _modules_of(package) for value in vars(module).values() if isinstance(value, wanted))
    return [*{id(value): value for value in found}.values()]


def _modules_of(package: str) -> Iterator[ModuleType]:
    for room in (each.name for each in pkgutil.iter_modules(_folders(package), f"{package}.") if each.ispkg):
        for module in pkgutil.iter_modules(_folders(room), f"{room}."):
            yield import_module(module.name)


def _folders(package: str) -> list[str]:
    return [*import_module(package).__path__]
