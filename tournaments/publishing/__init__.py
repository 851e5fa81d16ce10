"""Releases: what everybody may see of an event, and which standings are final."""
