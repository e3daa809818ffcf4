"""Let a person export or delete all data that is stored about them."""
