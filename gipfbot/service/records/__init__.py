"""Records of games, and studies of them."""
