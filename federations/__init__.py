"""Federations of clubs: each club publishes a signed feed. A federation combines several feeds into one
calendar, one season standings and one list of ratings (docs/operating/federations.md)."""
