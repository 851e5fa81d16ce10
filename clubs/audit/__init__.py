"""The audit log of a club or an event: each row before and after a change, and undo."""
