"""What several rooms of the service use."""
