"""What is stored about a person: its export, and its deletion."""
