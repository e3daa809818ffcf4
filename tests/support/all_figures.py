"""All figures that a bot can have for Prometheus."""

from collections import Counter

from gipfbot.figures import Figures


def all_figures() -> Figures:
    """Return all figures that a bot can have, each with a sample."""
    figures = Figures()
    figures.watch_process()
    figures.watch_backups()
    figures.watch_engines(lambda: {"": 2, "gf1": 0}, Counter({"": 3}))
    figures.build.info({"version": "0.2.0"})
    figures.interactions.labels("/move", "answered").inc()
    figures.messages_posted.labels("board").inc()
    figures.messages_failed.labels("outage").inc()
    figures.faults.labels("KeyError").inc()
    figures.note_status("200")
    return figures
