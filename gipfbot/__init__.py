"""Play GIPF by correspondence on Discord."""

__version__ = "0.1.0"
