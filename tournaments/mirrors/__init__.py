"""Mirrored events: one installation leads an event and sends it, the other shows a copy
(docs/decisions/0052-mirror-events-between-two-installations.md)."""
