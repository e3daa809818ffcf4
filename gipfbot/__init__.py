"""Play GIPF by correspondence on Discord."""
