"""API for other programs under ``/api/v1/``, with the services and queries that the pages use."""
