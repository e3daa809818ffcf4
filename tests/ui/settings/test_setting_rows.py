"""Each setting has a row, its words, and a line in the players' guide. All else follows from the row and the words."""

from collections.abc import Mapping

import pytest

import render
from gipfbot.match import TIME_CONTROLS
from gipfbot.service.settings import servers
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.service.settings.setting_rows import SettingRows
from gipfbot.service.settings.users import UserSettings
from gipfbot.ui.kit.controls import SettingText, parse_value, value_code
from gipfbot.ui.settings.server import PAGE_LABELS, SERVER_TEXTS
from gipfbot.ui.settings.user import USER_TEXTS
from tests.support.paths import HOUSE

Kind = type[SettingRows]
KINDS = [
    pytest.param(ServerSettings, SERVER_TEXTS, "## Server settings", id="SERVER_TEXTS in ui/settings/server.py"),
    pytest.param(UserSettings, USER_TEXTS, "## Your settings", id="USER_TEXTS in ui/settings/user.py"),
]
of_each_kind = pytest.mark.parametrize(("kind", "texts", "section"), KINDS)


@of_each_kind
def test_each_setting_has_its_words(
    kind: Kind, texts: Mapping[str, SettingText], section: str, request: pytest.FixtureRequest
) -> None:
    where, rows = request.node.callspec.id, kind.rows()
    for name in rows.keys() - texts.keys():
        pytest.fail(f"add a SettingText for {name!r} to {where}")
    for name in texts.keys() - rows.keys():
        pytest.fail(f"{where} has words for {name!r}, which is no field of {kind.__name__}")
    for name, text in texts.items():
        assert bool(text.place_text) == bool(rows[name].place), f"{name}: `place_text` is for channels and roles"
        assert text.page in (PAGE_LABELS if kind is ServerSettings else ("",)), f"{name}: there is no such page"
        for value in rows[name].values:
            assert text.words(value), f"{name}: say in {where} what {value!r} means"
    assert len({text.label for text in texts.values()}) == len(texts)


@of_each_kind
def test_each_offered_value_is_allowed(kind: Kind, texts: Mapping[str, SettingText], section: str) -> None:
    for name, row in kind.rows().items():
        assert row.allows(getattr(kind(), name)), f"the default of {name} is none of its values"
        for value in row.values:
            assert getattr(kind().with_changes({name: value}), name) == value
            assert parse_value(row, value_code(value)) == value


@of_each_kind
def test_each_option_is_in_the_guide(kind: Kind, texts: Mapping[str, SettingText], section: str) -> None:
    guide = (HOUSE / "docs/players.md").read_text(encoding="utf-8").partition(f"{section}\n")[2].partition("\n## ")[0]
    for name, text in texts.items():
        option, default = text.option or name, text.words(getattr(kind(), name))
        cells = ["", text.label, f"`{option}`", text.described, ""]
        if kind is ServerSettings:
            cells = ["", f"`{option}`", text.described, default, ""]
        missing = text.described and f"`{option}`" not in guide
        assert not missing, f"add to docs/players.md, {section}: {' | '.join(cells).strip()}"


def test_values_are_those_of_the_rules_and_of_pictures() -> None:
    assert [*servers.THEMES] == [*render.THEMES]
    assert [*ServerSettings.rows()["pace"].values] == [*TIME_CONTROLS]
