"""Puzzles: solving them on the desk, and the puzzle of the day."""
