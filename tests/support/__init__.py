"""What tests of several rooms share, by subject."""
