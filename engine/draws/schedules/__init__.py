"""Prepared schedules, and what becomes of them when somebody comes or goes."""
