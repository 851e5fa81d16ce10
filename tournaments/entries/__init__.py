"""Who takes part: added, signed up, checked in, changed, and kept apart."""
