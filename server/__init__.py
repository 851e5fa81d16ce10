"""Everything that a request or process meets around the apps: limits, health, metrics, headers, error pages."""
