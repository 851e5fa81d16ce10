"""Engines of others, each run by a Python that has it installed."""
