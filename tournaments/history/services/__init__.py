"""How an event is changed: locked, written with its history, shown first, undone."""
