"""The program with a Python of its own, to be started by a double click: built outside of the wheel."""
