"""Check what is stored: replay every game from its turns, and compare."""
