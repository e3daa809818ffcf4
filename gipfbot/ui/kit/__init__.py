"""What every room of the interface uses."""
