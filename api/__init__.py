"""Doors for programs: the same services and queries that the pages have, under ``/api/v1/``."""
