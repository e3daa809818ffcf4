"""Text that was refused is in the form when it opens again."""

from gipfbot.ui.kit.kept_texts import MOST_KEPT_TEXTS, KeptTexts
from tests.support.people import ANN, BOB


def test_text_is_found_by_its_writer_and_purpose_alone() -> None:
    kept = KeptTexts()
    kept.keep(ANN.user, "conditional:1", "e2 g3")
    assert kept.find(ANN.user, "conditional:1") == "e2 g3"
    assert kept.find(BOB.user, "conditional:1") is None
    assert kept.find(ANN.user, "conditional:2") is None


def test_newer_text_replaces_the_older_one() -> None:
    kept = KeptTexts()
    kept.keep(ANN.user, "note:1", "old")
    kept.keep(ANN.user, "note:1", "new")
    assert kept.find(ANN.user, "note:1") == "new"


def test_oldest_text_makes_way_and_a_renewed_one_stays() -> None:
    kept = KeptTexts()
    for user in range(MOST_KEPT_TEXTS):
        kept.keep(user, "note:1", "kept")
    kept.keep(0, "note:1", "renewed")
    kept.keep(MOST_KEPT_TEXTS, "note:1", "last")
    assert kept.find(1, "note:1") is None
    assert kept.find(0, "note:1") == "renewed"
    assert kept.find(2, "note:1") == "kept"
    assert kept.find(MOST_KEPT_TEXTS, "note:1") == "last"


def test_forgotten_text_is_gone_and_forgetting_twice_does_no_harm() -> None:
    kept = KeptTexts()
    kept.keep(ANN.user, "note:1", "text")
    for _ in range(2):
        kept.forget(ANN.user, "note:1")
        assert kept.find(ANN.user, "note:1") is None
