"""Fees, prizes and door prizes of an event: noted, never collected."""
