"""Random tables whose matches are computed twice: by the server, and by a phone."""
