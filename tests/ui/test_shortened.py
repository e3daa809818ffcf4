"""The places in which a text that people read may be cut, and why what is left still says what it is.

Whatever another language makes longer has room. What is cut was chosen or typed by a person, or is a list of turns.
The crawler in `test_german.py` shows that nothing else is cut in a language whose sentences are 40 % longer.
"""

import ast
from collections.abc import Iterator

from tests.support.paths import HOUSE

ROOM = HOUSE / "gipfbot" / "ui"
CUTTING = {"shorten_text", "shorten_lines", "cut_text"}
NAME, TYPED, TURNS = "a name that somebody chose", "what somebody wrote", "turns, the last of which are left out"
FIRST_PART = "its first words say what it is"
SHORTENED = {
    "delivery/venues.py thread_name": NAME,  # the name of the game stands first
    "health/owner_watch.py _note": FIRST_PART,  # the host's own sentence
    "kit/components.py _build_button": FIRST_PART,
    "kit/components.py _build_select": FIRST_PART,
    "kit/game_picker.py matching_choices": FIRST_PART,  # the name of the game, then who plays
    "kit/listed_game.py shorten_notes": TYPED,
    "kit/texts.py player_name": NAME,
    "kit/texts.py quote_text": TYPED,
    "kit/texts.py shorten_lines": FIRST_PART,
    "kit/texts.py shorten_text": FIRST_PART,
    "kit/texts.py with_code_block": FIRST_PART,  # the block below it stays whole
    "play/game_list.py _requests_to_answer": TURNS,
    "play/game_list.py listed_game_texts": TURNS,
    "play/game_texts.py confirm_loss_text": TURNS,
    "play/game_texts.py confirm_typed_text": TYPED,
    "play/move.py _turn_choices": TURNS,
    "records/explorer.py next_turn_labels": TURNS,
    "records/explorer.py next_turn_line": TURNS,
    "records/record_texts.py broken_record_text": FIRST_PART,
    "records/record_texts.py import_report_text": FIRST_PART,  # its warnings stand last
    "records/record_texts.py replay_alt_text": FIRST_PART,  # the board at the end stands last
    "records/record_texts.py unreadable_record_text": FIRST_PART,
    "records/study_texts.py studies_line": FIRST_PART,  # the number of the study, then its title
    "records/study_texts.py study_place_text": TYPED,
    "requests/conditionals.py _open_turn_text": TYPED,
    "requests/conditionals.py listed_line_text": TURNS,
    "requests/conditionals.py saved_plans_text": TURNS,
    "showing/show_here.py build_shown": FIRST_PART,  # who shows what
    "watching/follow.py _follow_again_button": NAME,  # in a `custom_id`
}


def places() -> Iterator[str]:
    """Yield each function of `ui` that cuts a text, with its file."""
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
                if {getattr(call, "id", getattr(call, "attr", "")) for call in calls} & CUTTING:
                    yield f"{path.relative_to(ROOM)} {node.name}"


def test_each_place_that_cuts_a_text_is_listed() -> None:
    assert {*places()} == SHORTENED.keys()
