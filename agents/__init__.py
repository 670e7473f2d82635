"""Players: whoever can put a value on a position."""
