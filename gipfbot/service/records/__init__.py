"""Records, studies and replays."""
