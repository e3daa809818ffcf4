"""After the database was restored from a backup: nothing repeats, and the players are told."""
