"""Figures about the running bot, which Prometheus reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest

# Seconds. Discord drops an interaction that is not acknowledged within 3.
ACKNOWLEDGEMENT_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)


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
        self.messages_posted = Counter("gipfbot_messages_posted", "Messages of the outbox", ("kind",), registry=own)
        self.messages_failed = Counter(
            "gipfbot_messages_failed", "Tries to post a message that failed", ("reason",), registry=own
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
        self.undeliverable_servers = Gauge(
            "gipfbot_undeliverable_servers", "Servers with a game whose boards cannot be posted", registry=own
        )
        self.database_bytes = Gauge("gipfbot_database_bytes", "Size of the database", registry=own)
        self.commits = Gauge("gipfbot_commits", "Transactions committed since the start", registry=own)
        self.gateway_latency = Gauge(
            "gipfbot_gateway_latency_seconds", "Time until Discord answered the last heartbeat", registry=own
        )
        self.loop_lag = Gauge(
            "gipfbot_event_loop_lag_seconds", "How late the event loop was at most since the last look", registry=own
        )
        self.healthy = Gauge("gipfbot_healthy", "1 if the bot is healthy, 0 if it is not", registry=own)

    def watch_process(self) -> None:
        """Add the memory and the processor time of the process to the figures."""
        ProcessCollector(namespace="gipfbot", registry=self.registry)

    def as_text(self) -> bytes:
        """Return all figures in the text format of Prometheus."""
        return generate_latest(self.registry)

    def faults_by_kind(self) -> dict[str, int]:
        """Return the number of errors of each kind."""
        samples = (sample for metric in self.faults.collect() for sample in metric.samples)
        return {each.labels["kind"]: int(each.value) for each in samples if each.name == "gipfbot_faults_total"}
