"""Live updates: each topic has a revision, and an open page knows the one that it shows."""
