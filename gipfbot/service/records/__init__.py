"""Records of games, and studies of records."""
