"""Press the button beside a game in a person's list of games."""

from gipfbot.service.kit.loaded_games import parse_game_name

from .table import Desk
from .world import components


def listed_ids(shown: Desk) -> list[int]:
    """Return the ids of the games in the list, each of which has a button."""
    ids = [str(item["custom_id"]).split(":") for item in components(shown.message)]
    return [int(parts[1]) for parts in ids if parts[0] == "listed_game"]


async def press_listed(shown: Desk, name: str) -> None:
    """Press the button beside the game with this name."""
    ids = [str(item["custom_id"]) for item in components(shown.message)]
    (pressed,) = [each for each in ids if each.startswith(f"listed_game:{parse_game_name(name)}:")]
    shown.last = await shown.person.click(shown.message, custom_id=pressed)
    assert shown.last.acknowledged, f"{name} was not answered"
