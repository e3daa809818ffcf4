"""The modules of the program, as text."""

from functools import cache

from tests.support.paths import HOUSE


def within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


@cache
def house() -> dict[str, str]:
    """Return the source of every module, by its name."""
    found = {}
    for path in sorted({*HOUSE.glob("gipfbot/**/*.py"), *HOUSE.glob("render/**/*.py")}):
        parts = path.relative_to(HOUSE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return found
