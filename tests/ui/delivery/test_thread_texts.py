"""The texts about threads of games."""

from gipfbot.service.delivery.venues import ThreadTrouble
from gipfbot.ui.delivery.thread_texts import MOST_LEFT_NAMED, left_thread_text
from gipfbot.ui.kit.texts import MESSAGE_LENGTH


def test_notice_of_a_crowded_thread_fits_into_a_message() -> None:
    said = left_thread_text([*range(10**6, 10**6 + 1000)], ThreadTrouble.GONE)
    assert len(said) <= MESSAGE_LENGTH
    assert f"and {1000 - MOST_LEFT_NAMED} more is gone" in said


def test_notice_names_few_games() -> None:
    said = left_thread_text([1, 2], ThreadTrouble.GONE)
    assert said == "The thread of #a1 and #b1 is gone. Their boards are posted here."
