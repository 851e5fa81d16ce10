"""Telling watchers that something changed: a topic has a revision, and a page knows the one it shows."""
