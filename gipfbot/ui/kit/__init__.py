"""Tools that all rooms of the Discord interface share."""
