"""The alert rules and the dashboard: what they name is there, and each alert comes when it should."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.parser import text_string_to_metric_families

from tests.support.all_figures import all_figures
from tests.support.paths import HOUSE

ALERTS, DASHBOARD = (HOUSE / "docs" / "hosting" / name for name in ("alerts.yaml", "dashboard.json"))
NAME = re.compile(r"\b(?:gipfbot|process)_[a-z_]+")
SCRAPE = 'job="gipfbot",instance="a"'


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return found


def queries() -> list[str]:
    """Return what the dashboard asks for, with values in place of its variables."""
    asked = [target["expr"] for panel in panels() for target in panel.get("targets", [])]
    return [each.replace("$__rate_interval", "5m").replace("$instance", ".*") for each in asked]


def promtool(*words: str | Path, text: str = "", code: int = 0) -> str:
    """Run Prometheus' own tool, which must end with this code. Return all that it says."""
    if shutil.which("promtool") is None and not os.environ.get("CI"):
        pytest.skip("there is no promtool (Debian and Ubuntu: the package prometheus)")
    done = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


# ── Names ──


@pytest.mark.parametrize("expressions", [[rule["expr"] for rule in rules()], queries()], ids=["alerts", "dashboard"])
def test_each_figure_that_is_asked_for_is_there(expressions: list[str]) -> None:
    families = text_string_to_metric_families(all_figures().as_text().decode())
    there = {sample.name for family in families for sample in family.samples}
    asked = {name for each in expressions for name in NAME.findall(each)}
    assert asked - there == set()
    assert len(asked) > 15


def test_the_dashboard_shows_every_figure() -> None:
    """Of the processes themselves, it shows what may run out."""
    families = text_string_to_metric_families(all_figures().as_text().decode())
    shown = " ".join(queries())
    assert [each.name for each in families if each.name.startswith("gipfbot_") and each.name not in shown] == []


def test_figures_of_the_process_are_those_of_the_bot() -> None:
    """Other programs have figures of the same names."""
    for each in [*queries(), *(rule["expr"] for rule in rules())]:
        assert each.count("process_") == len(re.findall(r'process_[a-z_]+\{job="gipfbot"', each)), each


def test_promtool_has_nothing_to_say_against_the_names() -> None:
    assert promtool("check", "metrics", text=all_figures().as_text().decode()) == ""
    odd = "# HELP turns Turns\n# TYPE turns counter\nturns 1\n"
    assert 'counter metrics should have "_total" suffix' in promtool("check", "metrics", text=odd, code=3)


# ── The dashboard ──


def test_panels_do_not_overlap() -> None:
    """They fill a grid of 24 columns."""
    taken = list[tuple[int, int]]()
    for panel in panels():
        x, y, width, height = (panel["gridPos"][name] for name in "xywh")
        taken += [(column, row) for column in range(x, x + width) for row in range(y, y + height)]
    assert len(taken) == len({*taken})
    assert {column for column, _ in taken} == {*range(24)}
    assert len({panel["id"] for panel in panels()}) == len(panels())


def test_promtool_understands_what_the_dashboard_asks_for(tmp_path: Path) -> None:
    recorded = [{"record": f"asked:{number}", "expr": each} for number, each in enumerate(queries())]
    file = tmp_path / "asked.yaml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "asked", "rules": recorded}]}), encoding="utf-8")
    assert f"{len(recorded)} rules found" in promtool("check", "rules", file)


# ── The alerts ──

# The figures of a bot that is well, as promtool writes them: the first value, and what each minute adds.
WELL = {
    f"up{{{SCRAPE}}}": "1",
    f"gipfbot_healthy{{{SCRAPE}}}": "1",
    f"gipfbot_shards{{{SCRAPE}}}": "2",
    f"gipfbot_shards_connected{{{SCRAPE}}}": "2",
    f'gipfbot_build_info{{{SCRAPE},version="0.2.0",revision="a"}}': "1",
    f"gipfbot_board_seconds_count{{{SCRAPE}}}": "0+1",
    f'gipfbot_board_seconds_bucket{{{SCRAPE},le="0.5"}}': "0+1",
    f'gipfbot_board_seconds_bucket{{{SCRAPE},le="60.0"}}': "0+1",
    f'gipfbot_board_seconds_bucket{{{SCRAPE},le="+Inf"}}': "0+1",
    f"gipfbot_outbox_oldest_seconds{{{SCRAPE}}}": "3",
    f"gipfbot_undeliverable_servers{{{SCRAPE}}}": "4",
    f'gipfbot_acknowledgement_seconds_bucket{{{SCRAPE},le="0.05"}}': "0+9",
    f'gipfbot_acknowledgement_seconds_bucket{{{SCRAPE},le="3.0"}}': "0+9",
    f'gipfbot_acknowledgement_seconds_bucket{{{SCRAPE},le="+Inf"}}': "0+9",
    f"gipfbot_event_loop_lag_seconds{{{SCRAPE}}}": "0.02",
    f"gipfbot_transaction_seconds_sum{{{SCRAPE}}}": "0+6",
    f"gipfbot_picture_seconds_sum{{{SCRAPE}}}": "0+6",
    f'gipfbot_discord_requests_total{{{SCRAPE},status="200"}}': "0+60",
    f'gipfbot_discord_requests_total{{{SCRAPE},status="503"}}': "0+1",
    f"gipfbot_invalid_requests{{{SCRAPE}}}": "10",
    f'gipfbot_engine_failures_total{{{SCRAPE},engine="the bot"}}': "1",
    f'gipfbot_engine_queue{{{SCRAPE},engine="the bot"}}': "3",
    f'gipfbot_faults_total{{{SCRAPE},kind="TimeoutError"}}': "7",
    f"gipfbot_backup_age_seconds{{{SCRAPE}}}": "3600",
    f"process_resident_memory_bytes{{{SCRAPE}}}": "200000000",
    f"process_open_fds{{{SCRAPE}}}": "60",
    f"process_max_fds{{{SCRAPE}}}": "1024",
}
# For each alert figures that let it come, alone.
ILL = {
    "GipfbotDown": {"up{": "0"},
    "GipfbotUnhealthy": {"gipfbot_healthy{": "0"},
    "GipfbotShardsMissing": {"gipfbot_shards_connected{": "1"},
    "GipfbotVersionsDiffer": {'gipfbot_build_info{job="gipfbot",instance="b",version="0.3.0",revision="b"}': "1"},
    "GipfbotBoardsLate": {'gipfbot_board_seconds_bucket{job="gipfbot",instance="a",le="0.5"': "0"},
    "GipfbotMessagesWait": {"gipfbot_outbox_oldest_seconds{": "1000"},
    "GipfbotServersUndeliverable": {"gipfbot_undeliverable_servers{": "5"},
    "GipfbotAnswersSlow": {'gipfbot_acknowledgement_seconds_bucket{job="gipfbot",instance="a",le="0.05"': "0"},
    "GipfbotLoopLags": {"gipfbot_event_loop_lag_seconds{": "0.6"},
    "GipfbotWriterBusy": {"gipfbot_transaction_seconds_sum{": "0+50"},
    "GipfbotPainterBusy": {"gipfbot_picture_seconds_sum{": "0+50"},
    "GipfbotDiscordFails": {'gipfbot_discord_requests_total{job="gipfbot",instance="a",status="503"': "0+30"},
    "GipfbotRequestsInvalid": {"gipfbot_invalid_requests{": "3000"},
    "GipfbotEngineFails": {"gipfbot_engine_failures_total{": "0+1"},
    "GipfbotEngineQueueLong": {"gipfbot_engine_queue{": "30"},
    "GipfbotFaults": {"gipfbot_faults_total{": "0+1"},
    "GipfbotBackupOld": {"gipfbot_backup_age_seconds{": "180000"},
    "GipfbotMemoryHigh": {"process_resident_memory_bytes{": "500000000"},
    "GipfbotFilesHigh": {"process_open_fds{": "1000"},
}
MINUTES = 80  # longer than any alert takes


def series(values: str) -> str:
    """Return a value for each minute, as promtool writes them."""
    if values.startswith("_"):
        return values
    return f"{values}{'' if '+' in values else '+0'}x{MINUTES}"


def case(firing: list[str], changed: dict[str, str]) -> dict[str, Any]:
    """Return a test for promtool: in the end exactly these alerts are there. `changed` begins with names."""
    figures = dict(WELL)
    for begin, value in changed.items():
        for name in [name for name in WELL if name.startswith(begin)] or [begin]:
            figures[name] = value
    alerts = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in sorted(firing)]
    asked = 'count by (alertname) (ALERTS{alertstate="firing"})'
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": series(value)} for name, value in figures.items()],
        "promql_expr_test": [{"expr": asked, "eval_time": f"{MINUTES}m", "exp_samples": alerts}],
    }


def cases() -> Iterator[dict[str, Any]]:
    yield case([], {})
    yield case([], {"gipfbot_backup_age_seconds{": "_"})  # no folder is named
    for name, changed in ILL.items():
        yield case([name], changed)
    yield case(["GipfbotBackupOld"], {"gipfbot_backup_age_seconds{": "1e300"})  # there is none
    first = {'gipfbot_faults_total{job="gipfbot",instance="a",kind="KeyError"}': f"_x{MINUTES - 5} 1x5"}
    yield case(["GipfbotFaults"], first)


def test_each_alert_has_a_case() -> None:
    assert [rule["alert"] for rule in rules()] == [*ILL]


def test_each_alert_comes_when_it_should(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    written = {"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": [*cases()]}
    file.write_text(yaml.safe_dump(written), encoding="utf-8")
    assert "SUCCESS" in promtool("test", "rules", file)


def test_each_alert_says_what_is_wrong_and_what_to_do() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert all(rule["annotations"][name].endswith((".", "}}.")) for name in ("summary", "description")), rule
