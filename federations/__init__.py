"""Many clubs as one: each publishes a signed feed, and whoever follows several has one calendar, one ladder
and one list of ratings (docs/operating/federations.md)."""
