"""Command line tools. Each is a module with a function `run_<name>(argv)` that returns the exit code."""
