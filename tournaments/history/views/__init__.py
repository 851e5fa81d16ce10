"""Pages about an event's history, and the page that shows the effects of a change before it is made."""
