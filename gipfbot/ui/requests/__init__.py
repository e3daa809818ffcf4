"""Takebacks, draws, claims of a win, and conditional turns."""
