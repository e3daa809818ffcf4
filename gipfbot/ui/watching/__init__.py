"""Watching games: the running games of a server, and following."""
