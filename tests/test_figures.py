"""The figures for Prometheus: their names follow its conventions, and each says what it counts."""

import re

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.support.all_figures import all_figures


def families() -> list[Metric]:
    return [*text_string_to_metric_families(all_figures().as_text().decode())]


def test_names_begin_with_the_bot_or_the_process() -> None:
    assert [each.name for each in families() if not re.match(r"(gipfbot|process)_[a-z_]+$", each.name)] == []


def test_each_figure_says_what_it_is() -> None:
    assert [each.name for each in families() if not each.documentation] == []


def test_only_counters_end_in_total_and_all_do() -> None:
    totals = {each.name for each in families() if any(sample.name.endswith("_total") for sample in each.samples)}
    assert totals == {each.name for each in families() if each.type == "counter"}
    assert "gipfbot_engine_failures" in totals


def test_nothing_says_when_it_was_created() -> None:
    assert "_created" not in all_figures().as_text().decode()


def test_engines_are_told_apart_by_name() -> None:
    """The bot's own engine has no name. What it is called can be no name of another."""
    found = all_figures().registry.get_sample_value
    assert found("gipfbot_engine_queue", {"engine": "the bot"}) == 2
    assert found("gipfbot_engine_queue", {"engine": "gf1"}) == 0
    assert found("gipfbot_engine_failures_total", {"engine": "the bot"}) == 3
