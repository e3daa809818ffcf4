"""Find the components of a message, in the old style and in V2."""

from collections.abc import Iterator

from .errors import Json

ROW, BUTTON, STRING_SELECT, TEXT_INPUT, TEXT_DISPLAY = 1, 2, 3, 4, 10
SELECTS = (3, 5, 6, 7, 8)
LINK_STYLE = 5


def walk(components: list[Json], path: str = "components") -> Iterator[tuple[str, Json]]:
    """Yield every component with its dotted path, parents before children."""
    for index, component in enumerate(components):
        yield from _walk_one(component, f"{path}.{index}")


def _walk_one(component: Json, here: str) -> Iterator[tuple[str, Json]]:
    yield here, component
    yield from walk(component.get("components", []), f"{here}.components")
    for key in ("component", "accessory"):
        if key in component:
            yield from _walk_one(component[key], f"{here}.{key}")


def buttons(components: list[Json]) -> list[Json]:
    """Return all buttons, in the order shown."""
    return [component for _, component in walk(components) if component["type"] == BUTTON]


def selects(components: list[Json]) -> list[Json]:
    """Return all select menus, in the order shown."""
    return [component for _, component in walk(components) if component["type"] in SELECTS]


def texts(components: list[Json]) -> list[str]:
    """Return the text of all text displays (V2), in the order shown."""
    return [component["content"] for _, component in walk(components) if component["type"] == TEXT_DISPLAY]


def find_button(components: list[Json], wanted: str) -> Json:
    """Return the only enabled button with this custom_id, else with this label."""
    shown = buttons(components)
    found = [b for b in shown if b.get("custom_id") == wanted] or [b for b in shown if b.get("label") == wanted]
    if len(found) != 1:
        names = [(b.get("label"), b.get("custom_id")) for b in shown]
        raise LookupError(f"{len(found)} buttons are called {wanted!r}; shown: {names}")
    return _pressable(found[0])


def find_select(components: list[Json], wanted: str) -> Json:
    """Return the only enabled select with this custom_id, else with this placeholder."""
    shown = selects(components)
    found = [s for s in shown if s["custom_id"] == wanted] or [s for s in shown if s.get("placeholder") == wanted]
    if len(found) != 1:
        names = [(s.get("placeholder"), s["custom_id"]) for s in shown]
        raise LookupError(f"{len(found)} selects are called {wanted!r}; shown: {names}")
    return _pressable(found[0])


def _pressable(component: Json) -> Json:
    if component.get("disabled"):
        raise ValueError(f"{component['custom_id']!r} is disabled")
    if component.get("style") == LINK_STYLE:
        raise ValueError(f"{component['url']!r} is a link, not a button")
    return component
