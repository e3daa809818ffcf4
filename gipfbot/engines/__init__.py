"""Engines: programs that search a position, each in a process of its own, and the JSON lines that they speak.

Nothing is imported here, since the engine itself needs much less than the bot that asks it.
"""
