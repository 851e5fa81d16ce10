"""Pages about an event's history, and the one that shows the effects of a change before it is done."""
