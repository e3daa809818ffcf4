"""Figures about the running bot, which Prometheus reads. Their names follow its conventions."""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

# Seconds. Discord drops an interaction that is not acknowledged within 3.
ACKNOWLEDGEMENT_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
BOARD_BUCKETS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
PICTURE_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
TRANSACTION_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
OWN_ENGINE = "the bot"  # the name of the bot's own engine; that of a seated one has no blank

# For each of the others there would be one more, with the time of the start.
disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types


class Figures:
    """The figures of one bot, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.build = Info(
            "gipfbot_build", "The version that runs, its revision, and the database's tables", registry=own
        )
        self.interactions = Counter(
            "gipfbot_interactions", "Commands, presses and forms, by what was used", ("use", "outcome"), registry=own
        )
        self.suggestions = Counter("gipfbot_suggestions", "Lists of suggestions while somebody types", registry=own)
        self.acknowledgement_seconds = Histogram(
            "gipfbot_acknowledgement_seconds",
            "Time until an interaction was acknowledged",
            buckets=ACKNOWLEDGEMENT_BUCKETS,
            registry=own,
        )
        self.board_seconds = Histogram(
            "gipfbot_board_seconds",
            "Time from a saved turn to its board on Discord",
            buckets=BOARD_BUCKETS,
            registry=own,
        )
        self.picture_seconds = Histogram(
            "gipfbot_picture_seconds",
            "Time to draw a picture or a part of a film, without the wait for others",
            buckets=PICTURE_BUCKETS,
            registry=own,
        )
        self.transaction_seconds = Histogram(
            "gipfbot_transaction_seconds",
            "Time of a committed transaction, without the wait for other writers",
            buckets=TRANSACTION_BUCKETS,
            registry=own,
        )
        self.messages_posted = Counter("gipfbot_messages_posted", "Messages of the outbox", ("kind",), registry=own)
        self.messages_failed = Counter(
            "gipfbot_messages_failed", "Tries to post a message that failed", ("reason",), registry=own
        )
        self.discord_requests = Counter(
            "gipfbot_discord_requests", "Requests to Discord, by the status of the answer", ("status",), registry=own
        )
        self.faults = Counter("gipfbot_faults", "Errors in the log, by their kind", ("kind",), registry=own)
        self.invalid_requests = Gauge(
            "gipfbot_invalid_requests", "Requests of the last 10 minutes that Discord counts as invalid", registry=own
        )
        self.outbox_rows = Gauge("gipfbot_outbox_rows", "Messages that are still to be posted", registry=own)
        self.outbox_oldest_seconds = Gauge(
            "gipfbot_outbox_oldest_seconds", "Age of the oldest message that is still to be posted", registry=own
        )
        self.running_games = Gauge("gipfbot_running_games", "Running games", registry=own)
        self.servers = Gauge("gipfbot_servers", "Servers that the shards of this process serve", registry=own)
        self.shards = Gauge("gipfbot_shards", "Shards of this process", registry=own)
        self.shards_connected = Gauge(
            "gipfbot_shards_connected", "Shards of this process that are connected to the gateway", registry=own
        )
        self.undeliverable_servers = Gauge(
            "gipfbot_undeliverable_servers", "Servers with a game whose boards cannot be posted", registry=own
        )
        self.database_bytes = Gauge("gipfbot_database_bytes", "Size of the database", registry=own)
        self.gateway_latency = Gauge(
            "gipfbot_gateway_latency_seconds", "Time until Discord answered the last heartbeat", registry=own
        )
        self.loop_lag = Gauge(
            "gipfbot_event_loop_lag_seconds", "How late the event loop was at most since the last look", registry=own
        )
        self.healthy = Gauge("gipfbot_healthy", "1 if the bot is healthy, 0 if it is not", registry=own)
        # Without a folder of backups it is left out: see `watch_backups`.
        self.backup_age = Gauge("gipfbot_backup_age_seconds", "Age of the newest backup", registry=None)

    def note_status(self, status: str) -> None:
        """Count a request to Discord by the status of its answer."""
        self.discord_requests.labels(status).inc()

    def watch_process(self) -> None:
        """Add the memory and the processor time of the process to the figures."""
        ProcessCollector(registry=self.registry)

    def watch_backups(self) -> None:
        """Add the age of the newest backup to the figures."""
        self.registry.register(self.backup_age)

    def watch_engines(self, waiting: Callable[[], Mapping[str, int]], failures: Mapping[str, int]) -> None:
        """Add the figures of the engines, which are counted by name. The bot's own engine has the empty name."""
        self.registry.register(_Engines(waiting, failures))

    def as_text(self) -> bytes:
        """Return all figures in the text format of Prometheus."""
        return generate_latest(self.registry)

    def faults_by_kind(self) -> dict[str, int]:
        """Return the number of errors of each kind."""
        samples = (sample for metric in self.faults.collect() for sample in metric.samples)
        return {each.labels["kind"]: int(each.value) for each in samples if each.name == "gipfbot_faults_total"}


class _Engines(Collector):
    """Reads the figures of the engines when they are asked for, in another thread than the one that changes them."""

    def __init__(self, waiting: Callable[[], Mapping[str, int]], failures: Mapping[str, int]) -> None:
        self._waiting, self._failures = waiting, failures

    def collect(self) -> Iterator[Metric]:
        """Yield how many requests wait for each engine, and how often it has failed."""
        queue = GaugeMetricFamily("gipfbot_engine_queue", "Requests that wait for an engine", labels=["engine"])
        failures = CounterMetricFamily("gipfbot_engine_failures", "Failures of an engine", labels=["engine"])
        for metric, counts in ((queue, self._waiting()), (failures, self._failures)):
            for name, count in [*counts.items()]:
                metric.add_metric([name or OWN_ENGINE], count)
            yield metric
