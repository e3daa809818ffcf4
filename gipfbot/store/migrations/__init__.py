"""The migrations of the tables, one file per step. `Store.open_database` runs the missing steps."""
