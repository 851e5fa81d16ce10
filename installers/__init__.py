"""Build of the program with its own Python, to be started by a double click; not part of the wheel."""
