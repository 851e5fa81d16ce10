"""Two installations, one night: the one that leads an event sends it, the other shows the same
(docs/decisions/two-installations.md)."""
