"""What people read while the database cannot be used."""

from gipfbot.ui.kit.texts import trouble_text
from gipfbot.values import Trouble


def test_only_a_lost_server_leaves_open_what_was_saved() -> None:
    """It may have saved what it was sent before its answer was lost."""
    unsure = [trouble for trouble in Trouble if "Nothing was saved" not in trouble_text(trouble)]
    assert unsure == [Trouble.UNREACHABLE]
