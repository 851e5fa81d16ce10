"""Random tables whose marks are folded twice: by the server, and by a phone."""
