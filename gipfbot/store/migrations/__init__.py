"""How the tables came to be, one file per step; `Store.open_database` takes the steps that are missing."""
