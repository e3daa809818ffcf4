"""What the documents say of the files is true."""

import re
from pathlib import Path

import pytest

from gipfbot import __main__ as main
from gipfbot.installation import VERSION
from gipfbot.languages import load_language
from gipfbot.ui import bot
from tests.support.module_map import module_map
from tests.support.paths import HOUSE
from tests.ui.slash_commands import slash_commands

DOCUMENTS = ["README.md", "CONTRIBUTING.md", *(str(path.relative_to(HOUSE)) for path in (HOUSE / "docs").rglob("*.md"))]
# A path in backquotes is written from the top, or from one of these.
ROOMS = ["", "gipfbot", "gipfbot/service", "gipfbot/ui", "gipfbot/notation", "docs"]
GERMAN = {"docs/de/players.md": "docs/players.md", "docs/de/privacy.md": "PRIVACY.md"}


def test_the_version_is_that_of_the_newest_changes() -> None:
    text = (HOUSE / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0].split(" - ")[0] == VERSION
    assert all(re.fullmatch(r"[\d.]+ - (20\d\d-\d\d-\d\d|unreleased)", each) for each in headings)
    assert not any(each.endswith("unreleased") for each in headings[1:])
    for name in ("compose.yaml", "compose-postgres.yaml"):
        text = (HOUSE / "docs" / "hosting" / name).read_text(encoding="utf-8")
        named = re.findall(r"image: gipfbot[\w-]*:(\S+)", text)
        assert {*named} == {VERSION}, f"write {VERSION} behind `image:` in docs/hosting/{name}, which cannot look it up"


def test_the_map_has_a_line_for_each_module() -> None:
    lines = [line.strip() for line in module_map()]
    assert "bot.py                     The bot: a discord.py client with all commands" in "\n".join(lines)
    assert len(lines) > len([*HOUSE.glob("gipfbot/**/*.py")])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_file_that_a_document_names_exists(document: str) -> None:
    text = (HOUSE / document).read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/-]+/[\w.-]+\.(?:py|md|toml|sqlite3))`", text))
    assert [name for name in sorted(named) if not any((HOUSE / room / name).exists() for room in ROOMS)] == []


def anchor(heading: str) -> str:
    """Return the part of a link that leads to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(document: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_heading_that_a_document_links_to_exists(document: str) -> None:
    path = HOUSE / document
    for file, heading in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", path.read_text(encoding="utf-8")):
        assert heading in anchors(path.parent / file if file else path), f"{file}#{heading}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_file_that_a_document_links_to_exists(document: str) -> None:
    path = HOUSE / document
    files = re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [file for file in files if not (path.parent / file).exists()] == []


def test_the_guide_for_hosts_stays_short() -> None:
    assert len((HOUSE / "docs" / "hosting.md").read_text(encoding="utf-8").split()) <= 3500


def test_each_make_target_is_described() -> None:
    text = "".join((HOUSE / name).read_text(encoding="utf-8") for name in DOCUMENTS)
    targets = re.findall(r"^([a-z-]+):.*## ", (HOUSE / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(targets) > 15
    assert [target for target in targets if not re.search(rf"\bmake {target}\b", text) and target != "help"] == []


def test_each_command_is_described() -> None:
    """Tools are described in one document, which says where the others are."""
    text = (HOUSE / "docs/tools.md").read_text(encoding="utf-8")
    assert [name for name in main.COMMANDS if f"gipfbot {name}" not in text and f"`{name}`" not in text] == []


def test_each_slash_command_is_in_the_players_guide() -> None:
    """Its row begins with its name. Several share a row if only one word of theirs differs, as in a group of two."""
    guide = (HOUSE / "docs/players.md").read_text(encoding="utf-8").partition("\n## All commands\n")[2]
    rows = [row.split() for row in re.findall(r"^\| `/([^`]+)`", guide, re.MULTILINE)]
    commands = {command.qualified_name: command.description for command in slash_commands()}
    for name, description in commands.items():
        found = [row for row in rows if is_named(name.split(), row)]
        assert len(found) == 1, f"docs/players.md, All commands, needs one row: | `/{name}` | {description}. |"
    old = [" ".join(row) for row in rows if not any(is_named(name.split(), row) for name in commands)]
    assert not old, f"docs/players.md, All commands, has rows of no command: {old}"


def is_named(name: list[str], row: list[str]) -> bool:
    """Return whether a row of the guide begins with the words of a command."""
    return len(row) >= len(name) and all(word in each.split(r"\|") for word, each in zip(name, row, strict=False))


def sections(document: str) -> list[str]:
    """Return the start of a document, then each section with its heading, each as one line."""
    text = (HOUSE / document).read_text(encoding="utf-8")
    return [" ".join(section.split()) for section in re.split(r"^#+ ", text, flags=re.MULTILINE)]


def codes(section: str) -> set[str]:
    """Return the commands, options and turns of a section. What a button says of a turn is in each language its own."""
    return {code for code in re.findall(r"`([^`]+)`", section) if "·" not in code}


def bold_words(section: str) -> set[str]:
    return {re.sub(r"^\[(.+)\]\(.+\)$", r"\1", words) for words in re.findall(r"\*\*(.+?)\*\*", section)}


@pytest.mark.parametrize(("german", "english"), GERMAN.items())
def test_a_german_page_has_the_commands_of_the_english(german: str, english: str) -> None:
    for translated, original in zip(sections(german), sections(english), strict=True):
        assert codes(translated) == codes(original), f"{german}: {translated[:40]}"


def test_the_german_guide_names_buttons_as_the_bot_does() -> None:
    say = load_language("de").sentences.gettext
    for translated, original in zip(sections("docs/de/players.md"), sections("docs/players.md"), strict=True):
        labels = {say(word) for word in bold_words(original) if say(word) != word}
        assert labels <= bold_words(translated), f"docs/de/players.md: {translated[:40]}"


def test_each_fault_names_tests_that_exist() -> None:
    rows = [row for row in (HOUSE / "docs/faults.md").read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    named = {row: re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row) for row in rows if "| shown by |" not in row}
    assert len(named) > 40
    assert [row for row, tests in named.items() if not tests] == []
    found = {test for tests in named.values() for test in tests}
    assert [test for test in sorted(found) if not is_test(*test)] == []


def is_test(path: str, name: str) -> bool:
    """Return whether there is a test of this name in a file."""
    source = HOUSE / path
    return source.exists() and f"def {name}(" in source.read_text(encoding="utf-8")


def test_builders_of_messages_are_found_in_each_module() -> None:
    written = {
        path.stem
        for path in (HOUSE / "gipfbot" / "ui").rglob("*.py")
        if re.search(r"^@outbox_message\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert written == {builder.build.__module__.rpartition(".")[2] for builder in bot.message_builders()}
