"""What is stored about a person, for that person: export and deletion."""
