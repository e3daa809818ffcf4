"""Engines: programs that search a position, each in a process of its own, and their protocol of JSON lines.

Nothing is imported here, because an engine needs much less than the bot does.
"""
