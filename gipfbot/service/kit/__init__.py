"""Helpers that several rooms of the service use."""
