"""Two installations, one night: the one that leads an event sends it, the other shows the same
(docs/decisions/0052-mirror-events-between-two-installations.md)."""
