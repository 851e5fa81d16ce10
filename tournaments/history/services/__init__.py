"""Services that change an event: lock it, write with history, show effects first, undo."""
