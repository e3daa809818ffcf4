"""What players see after the database was restored from a backup, besides the boards."""
