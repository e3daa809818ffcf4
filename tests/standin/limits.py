"""Discord's limits on what a bot sends: pure functions from a payload to a list of problems.

They cover messages (old style and V2), components, modals, autocomplete choices and commands; embeds only roughly.
"""

import re
from collections import Counter

from .components import BUTTON, LINK_STYLE, ROW, SELECTS, STRING_SELECT, TEXT_INPUT, texts, walk
from .errors import Json, Problem

COMMAND_NAME = re.compile(r"^[-_'\w]{1,32}$")
EMBED_TEXTS = {"title": 256, "description": 4096}
SUBCOMMANDS = (1, 2)


def message_problems(payload: Json, *, v2: bool) -> list[Problem]:
    """Return the broken limits of a message; `v2` says whether it is a V2 layout."""
    found = too_long("content", payload.get("content"), 2000)
    found += too_long("nonce", str(payload.get("nonce") or ""), 25)
    found += too_many("embeds", payload.get("embeds"), 10)
    found += too_many("attachments", payload.get("attachments"), 10)
    for index, embed in enumerate(payload.get("embeds") or []):
        found += _embed_problems(f"embeds.{index}", embed)
    for index, attachment in enumerate(payload.get("attachments") or []):
        found += too_long(f"attachments.{index}.description", attachment.get("description"), 1024)
    if v2 and (payload.get("content") or payload.get("embeds")):
        found.append(Problem("content", "content and embeds cannot be used with a V2 layout"))
    components = payload.get("components") or []
    return found + (_layout_problems(components) if v2 else _rows_problems(components)) + _leaf_problems(components)


def modal_problems(data: Json) -> list[Problem]:
    """Return the broken limits of a modal."""
    components = data.get("components") or []
    found = too_long("title", data.get("title"), 45) + too_long("custom_id", data.get("custom_id"), 100)
    found += _need("title", data.get("title")) + _need("custom_id", data.get("custom_id"))
    found += _between("components", len(components), 1, 5)
    return found + _leaf_problems(components)


def choices_problems(choices: list[Json], path: str = "choices") -> list[Problem]:
    """Return the broken limits of choices, fixed or of autocomplete."""
    found = too_many(path, choices, 25)
    for index, choice in enumerate(choices):
        here = f"{path}.{index}"
        found += _written_lengths(choice, "name", here)
        found += too_long(f"{here}.value", str(choice["value"]), 100)
    return found


def commands_problems(commands: list[Json]) -> list[Problem]:
    """Return the broken limits of a list of commands."""
    slash = [command for command in commands if command.get("type", 1) == 1]
    found = too_many("commands", slash, 100)
    for index, command in enumerate(slash):
        found += _command_problems(str(index), command)
        if command_size(command) > 8000:
            found.append(Problem(str(index), "Command exceeds maximum size (8000)"))
    for index, command in enumerate(command for command in commands if command.get("type", 1) != 1):
        found += _written_lengths(command, "name", str(index), 32)
    return found


def command_size(option: Json) -> int:
    """Return how many characters Discord counts in a command: names, descriptions and values, at all depths.

    A text counts by its longest language.
    """
    own = sum(max(map(len, _written(option, key).values())) for key in ("name", "description"))
    parts = sum(command_size(part) for key in ("options", "choices") for part in option.get(key) or ())
    return own + len(str(option.get("value", ""))) + parts


def _written(part: Json, key: str) -> dict[str, str]:
    """Return a text in all its languages, by the fields that hold them."""
    translated = part.get(f"{key}_localizations") or {}
    return {key: str(part.get(key, ""))} | {f"{key}_localizations.{code}": text for code, text in translated.items()}


def _written_lengths(part: Json, key: str, path: str, most: int = 100) -> list[Problem]:
    return [
        problem
        for field, text in _written(part, key).items()
        for problem in _between(f"{path}.{field}", len(text), 1, most)
    ]


def too_long(field: str, text: str | None, limit: int) -> list[Problem]:
    """Return a problem if the text has more characters than allowed."""
    return [Problem(field, f"Must be {limit} or fewer in length.")] if text and len(text) > limit else []


def too_many(field: str, items: list[Json] | None, limit: int) -> list[Problem]:
    """Return a problem if there are more items than allowed."""
    return [Problem(field, f"Must be {limit} or fewer in length.")] if items and len(items) > limit else []


def _need(field: str, value: object) -> list[Problem]:
    return [] if value else [Problem(field, "This field is required")]


def _between(field: str, size: int, low: int, high: int) -> list[Problem]:
    return [] if low <= size <= high else [Problem(field, f"Must be between {low} and {high} in length.")]


def _embed_problems(path: str, embed: Json) -> list[Problem]:
    found = [p for key, limit in EMBED_TEXTS.items() for p in too_long(f"{path}.{key}", embed.get(key), limit)]
    found += too_long(f"{path}.footer.text", embed.get("footer", {}).get("text"), 2048)
    found += too_many(f"{path}.fields", embed.get("fields"), 25)
    for index, entry in enumerate(embed.get("fields", [])):
        found += _between(f"{path}.fields.{index}.name", len(entry["name"]), 1, 256)
        found += _between(f"{path}.fields.{index}.value", len(entry["value"]), 1, 1024)
    return found


def _rows_problems(components: list[Json]) -> list[Problem]:
    found = too_many("components", components, 5)
    for index, component in enumerate(components):
        if component["type"] != ROW:
            found.append(Problem(f"components.{index}.type", "Only action rows without the V2 flag"))
    return found


def _layout_problems(components: list[Json]) -> list[Problem]:
    found = _between("components", sum(1 for _ in walk(components)), 1, 40)
    return found + too_long("components", "".join(texts(components)), 4000)


def _leaf_problems(components: list[Json]) -> list[Problem]:
    found: list[Problem] = []
    for path, component in walk(components):
        found += too_long(f"{path}.custom_id", component.get("custom_id"), 100)
        if component["type"] == ROW:
            found += _row_problems(path, component["components"])
        elif component["type"] == BUTTON:
            found += _button_problems(path, component)
        elif component["type"] in SELECTS:
            found += _select_problems(path, component)
        elif component["type"] == TEXT_INPUT:
            found += _input_problems(path, component)
    used = Counter(c["custom_id"] for _, c in walk(components) if c.get("custom_id"))
    return found + [Problem("components", f"custom_id {name!r} is duplicated") for name, n in used.items() if n > 1]


def _row_problems(path: str, children: list[Json]) -> list[Problem]:
    lone = any(child["type"] != BUTTON for child in children)
    return _between(f"{path}.components", len(children), 1, 1 if lone else 5)


def _button_problems(path: str, button: Json) -> list[Problem]:
    found = too_long(f"{path}.label", button.get("label"), 80)
    found += _need(f"{path}.label", button.get("label") or button.get("emoji"))
    address = "url" if button["style"] == LINK_STYLE else "custom_id"
    return found + _need(f"{path}.{address}", button.get(address))


def _select_problems(path: str, select: Json) -> list[Problem]:
    options = select.get("options") or []
    found = too_long(f"{path}.placeholder", select.get("placeholder"), 150)
    found += _need(f"{path}.custom_id", select.get("custom_id"))
    if select["type"] == STRING_SELECT:
        found += _between(f"{path}.options", len(options), 1, 25)
        if (select.get("max_values") or 1) > len(options):
            found.append(Problem(f"{path}.max_values", "More than there are options"))
    for index, option in enumerate(options):
        here = f"{path}.options.{index}"
        found += _between(f"{here}.label", len(option["label"]), 1, 100)
        found += _between(f"{here}.value", len(option["value"]), 1, 100)
        found += too_long(f"{here}.description", option.get("description"), 100)
    if len({option["value"] for option in options}) < len(options):
        found.append(Problem(f"{path}.options", "The specified option value is already used"))
    return found


def _input_problems(path: str, text_input: Json) -> list[Problem]:
    found = too_long(f"{path}.label", text_input.get("label"), 45)
    found += too_long(f"{path}.placeholder", text_input.get("placeholder"), 100)
    return found + too_long(f"{path}.value", text_input.get("value"), 4000)


def _command_problems(path: str, command: Json) -> list[Problem]:
    options = command.get("options") or []
    found: list[Problem] = []
    if not COMMAND_NAME.match(command["name"]) or command["name"] != command["name"].lower():
        found.append(Problem(f"{path}.name", "Command name is invalid"))
    found += _written_lengths(command, "description", path)
    found += too_many(f"{path}.options", options, 25)
    needs = [bool(option.get("required")) for option in options if option["type"] not in SUBCOMMANDS]
    if needs != sorted(needs, reverse=True):
        found.append(Problem(f"{path}.options", "Required options must be placed before non-required options"))
    found += choices_problems(command.get("choices") or [], f"{path}.choices")
    for index, option in enumerate(options):
        found += _command_problems(f"{path}.options.{index}", option)
    return found
