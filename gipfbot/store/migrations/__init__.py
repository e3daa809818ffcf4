"""How the tables came to be, one file per step; `Store.open` takes the steps that are missing."""
