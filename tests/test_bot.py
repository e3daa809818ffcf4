import sys

import pytest

import bot


@pytest.mark.parametrize("command", ["demo", "bench"])
def test_libraries_of_the_tools_may_be_missing(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [name for name in sys.modules if name.startswith((f"gipfbot.{command}", "simcord"))]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "simcord", None)
    assert bot.main([command]) == 2
    assert capsys.readouterr().err == f"simcord is not installed: `make {command}` sets everything up and starts it.\n"
