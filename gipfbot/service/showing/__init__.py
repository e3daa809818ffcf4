"""What people show to everybody in a channel."""
