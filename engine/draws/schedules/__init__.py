"""Prepared schedules, and how rounds adapt when entries come or leave."""
