"""Public pages of clubs and events, and each player's own page."""
