"""History of an event: changes, what they wrote, and their undos."""
