"""What surrounds the apps of a web process: limits, health, metrics, headers, error pages."""
