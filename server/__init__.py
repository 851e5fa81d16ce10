"""Surroundings of the apps in a web process: limits, health, metrics, headers, error pages."""
