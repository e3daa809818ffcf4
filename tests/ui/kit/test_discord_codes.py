"""What refusals of Discord mean. Only known codes say anything about a channel or a person."""

import pytest

from gipfbot.ui.kit.discord_codes import PASSING, REFUSALS, Means, answer_words, meaning_of


@pytest.mark.parametrize(
    ("status", "code", "means"),
    [
        (403, 40333, Means.BLOCKED),
        (403, 0, Means.BLOCKED),
        (403, 20026, Means.SUSPENDED),
        (403, 40004, Means.SUSPENDED),
        (403, 40006, Means.SUSPENDED),
        (403, 987654, Means.SUSPENDED),
        (404, 0, Means.PASSES),
        (401, 0, Means.PASSES),
        (429, 30046, Means.PASSES),
        (403, 40003, Means.PASSES),
        (500, 0, Means.PASSES),
        (403, 50001, Means.HIDDEN),
        (403, 50007, Means.SHUT),
        (403, 50013, Means.FORBIDDEN),
        (404, 10003, Means.GONE),
        (404, 10007, Means.ABSENT),
        (403, 400001, Means.FILES),
        (413, 40005, Means.FILES),
        (413, 0, Means.FILES),  # of a proxy in between
        (400, 50035, Means.MESSAGE),
        (400, 200000, Means.WORDS),
        (403, 200001, Means.WORDS),
        (400, 0, Means.MESSAGE),
    ],
)
def test_refusals_mean_what_their_codes_say(status: int, code: int, means: Means) -> None:
    assert meaning_of(status, code) is means


def test_one_code_alone_shuts_direct_messages() -> None:
    assert [code for code, (means, _) in REFUSALS.items() if means is Means.SHUT] == [50007]


def test_codes_without_a_row_pass() -> None:
    assert {meaning_of(403, code) for code in range(1_000) if code not in REFUSALS} <= PASSING


def test_answers_are_told_in_words_without_discords_own() -> None:
    said = "Discord answered 403 Forbidden, code 40333: Discord's own protection blocks the bot"
    assert answer_words(403, 40333) == said
    assert answer_words(403, 987654) == "Discord answered 403 Forbidden, code 987654"
    assert answer_words(599, 0) == "Discord answered 599"
