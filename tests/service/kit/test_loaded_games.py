"""Names of games, as players read and type them."""

import pytest

from gipfbot.service.kit.loaded_games import game_name, parse_game_name


@pytest.mark.parametrize("game_id", [1, 2, 26, 27, 53, 1000, 12_345_678])
def test_a_games_name_is_read_back(game_id: int) -> None:
    assert parse_game_name(game_name(game_id)) == game_id
    assert parse_game_name(game_name(game_id).upper().removeprefix("#")) == game_id


@pytest.mark.parametrize("text", ["", "#", "a", "7", "#a0", "#a-1", "#aa1", "#a1 x", "#ä1", "#a\u0661"])
def test_other_texts_are_no_names_of_games(text: str) -> None:
    assert parse_game_name(text) is None


def test_the_first_games_have_short_names() -> None:
    assert [game_name(game_id) for game_id in (1, 26, 27)] == ["#a1", "#z1", "#a2"]
