"""The values that travel through all rooms have an example in their docstring, and it is true."""

import doctest
import importlib

import pytest

VALUES = """
gipfbot.match.game.Game gipfbot.match.game.Turn gipfbot.match.game.Performed gipfbot.match.clock.Terms
gipfbot.match.clock.Clock gipfbot.values.games.Venue gipfbot.values.games.StoredGame gipfbot.values.outbox.OutboxRow
gipfbot.service.delivery.board_message.BoardMessage gipfbot.service.kit.loaded_games.GameUpdate render.picture.Picture
gipfbot.ui.kit.components.Button
""".split()


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_travels_everywhere_has_a_true_example(name: str) -> None:
    module_name, _, value_name = name.rpartition(".")
    module = importlib.import_module(module_name)
    (found,) = doctest.DocTestFinder(recurse=False).find(getattr(module, value_name), value_name, module, vars(module))
    assert found.examples, f"{name} has no example in its docstring"
    assert doctest.DocTestRunner().run(found).failed == 0
