"""What every room of the service uses."""
