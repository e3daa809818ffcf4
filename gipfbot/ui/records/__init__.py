"""Records of games, studies of records, and replays."""
