"""Tools on the command line, each a module with `main(argv)`: counts, lists of turns, replays."""
