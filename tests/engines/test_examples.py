"""The document for others who write engines says what the bot's own engine answers."""

import json
import re

from gipfbot.engines import protocol
from gipfbot.engines.engine_process import Patience
from gipfbot.engines.protocol import BadLine, EngineRefused, parse_answer, parse_request
from gipfbot.search.tree import WIN, WON
from tests.engines.examples import ANSWERED, ASKED, DOCUMENT, found_answers, marked


def test_every_example_is_answered_so() -> None:
    assert [json.loads(text) for text in found_answers()] == [json.loads(text) for text in marked(ANSWERED)]
    assert len(marked(ASKED)) > 8


def test_examples_show_each_task_and_each_kind_of_answer() -> None:
    kinds = set[str]()
    for asked, answered in zip(marked(ASKED), marked(ANSWERED), strict=True):
        try:
            request_id, request = parse_request(asked.encode())
            answer = parse_answer(answered.encode(), request_id, request)
        except (BadLine, EngineRefused) as fault:
            kinds.add(type(fault).__name__)
        else:
            kinds |= {type(request).__name__, type(answer).__name__}
            kinds |= {"cut"} if getattr(answer, "cut", False) else set()
    assert kinds == {
        *("PlayRequest", "AnalyseRequest", "ProveRequest", "SearchAnswer", "ProofAnswer"),
        *("cut", "BadLine", "EngineRefused"),
    }


def test_the_limits_are_those_of_the_code() -> None:
    text = re.sub(r"\s+", " ", DOCUMENT.read_text(encoding="utf-8"))
    patience = Patience()
    for said in (
        f"At most {protocol.MOST_BEFORE:,}.",
        "a whole number from 1 to 10⁹." if protocol.MOST_NODES == 10**9 else "",
        "from 0 to 2⁵³ - 1." if protocol.LARGEST_NUMBER == 2**53 - 1 else "",
        f"above 0, up to {protocol.MOST_SECONDS}. | {protocol.DEFAULT_SECONDS} |",
        f"{protocol.DEFAULT_NODES:,}; in `prove` without limit",
        f"from 0 to {WON:,}.",
        f"from 1 to {protocol.MOST_OWN_TURNS}.",
        f"from -{WIN:,} to {WIN:,}.",
        f"A score above {WON:,}",
        f"at most {protocol.LONGEST_SENTENCE} characters",
        f"A line has {protocol.LONGEST_LINE >> 20} MiB at most",
        f"and a turn {protocol.LONGEST_TEXT:,} characters",
        f"{patience.guard} seconds after `seconds` were over, or {patience.guard + patience.start} seconds if its",
    ):
        assert said, "a limit has changed: the document says another"
        assert said in text
    assert patience.idle == 180
    assert "three minutes" in text
