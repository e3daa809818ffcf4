"""Ratings of players, leaderboards and profiles."""
