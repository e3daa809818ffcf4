"""Names that are made of words: stored in English, shown in the reader's language."""

import json

import pytest

from gipfbot.languages import load_language, speaking
from gipfbot.match import House, Seat, Terms, house_name, new_game
from gipfbot.rules import STANDARD
from gipfbot.service.delivery.board_message import new_board_message, pack_board, unpack_board
from gipfbot.ui.clock.vacations import vacation_announcement
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.texts import player_name
from gipfbot.values import named_both, named_player, with_level
from gipfbot.values.people import FIRST_PSEUDONYM

BOT, ANN, FORMER = 10**18, 10**18 + 1, FIRST_PSEUDONYM + 5
HOUSE = House(2, BOT)


def in_german(name: str) -> str:
    with speaking(load_language("de")):
        return player_name(name)


@pytest.mark.parametrize(
    ("user", "stored", "house", "german"),
    [
        (BOT, "GIPF Novice", HOUSE, "GIPF-Anfänger"),
        (BOT, "GIPF", HOUSE, "GIPF"),  # of a version that left the level out
        (BOT, "GIPF Expert", HOUSE, "GIPF Expert"),  # the level was mapped to another one, the name was not
        (ANN, "GIPF Novice", HOUSE, "GIPF Novice"),  # a person may call themselves so
        (ANN, "a former player", None, "a former player"),
        (FORMER, "a former player", None, "gelöschtes Konto"),
        (FORMER, "Ann", HOUSE, "gelöschtes Konto"),  # their deletion has not come to its end
    ],
)
def test_ids_and_levels_decide_what_a_stored_name_means(
    user: int, stored: str, house: House | None, german: str
) -> None:
    assert in_german(named_player(user, stored, house)) == german


def test_the_names_of_a_followed_game_are_said_as_one() -> None:
    both = named_both(named_player(BOT, "GIPF Novice", HOUSE), "Ann")
    assert both == "GIPF Novice vs Ann"
    assert in_german(both) == "GIPF-Anfänger gegen Ann"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (named_player(FORMER, "Ann", None), "gelöschtes Konto"),
        (named_player(BOT, "GIPF of the Club Novice", HOUSE), "GIPF o…-Anfänger"),
        ("a former player", "a form…"),
    ],
)
def test_the_words_of_a_shortened_name_stay_whole(name: str, shown: str) -> None:
    with speaking(load_language("de")):
        assert player_name(name, 7) == shown


@pytest.mark.parametrize("level", range(1, 9))
def test_the_name_of_a_house_player_is_kept_as_engine_and_level(level: int) -> None:
    assert with_level(house_name("The bot", level)) == ("The bot", level)
    assert with_level(named_both("Ann", "Bob")) == "Ann vs Bob"


def test_a_packed_board_keeps_the_level_and_not_its_word() -> None:
    terms = Terms(house=HOUSE)
    game = new_game(1, STANDARD, (Seat(ANN, "Ann"), Seat(BOT, house_name("GIPF", 2))), terms)
    packed = json.loads(json.dumps(pack_board(new_board_message(game))))
    with speaking(load_language("de")):
        assert board_picture(unpack_board(1, packed), "").players == ("Ann", "GIPF-Anfänger")
        del packed["house_level"]  # as an older version packs it
        assert board_picture(unpack_board(1, packed), "").players == ("Ann", "GIPF Novice")


def test_the_announcement_of_a_vacation_says_levels_and_former_players() -> None:
    games = [(1, ["GIPF", 2]), (2, "a former player")]
    with speaking(load_language("de")):
        said = vacation_announcement("Ann", 9, [], over=False, untimed=games)
    assert "#a1 gegen GIPF-Anfänger" in said
    assert "#b1 gegen gelöschtes Konto" in said
