"""The standings of an event: worked out anew after each change, and shown with their reasons."""
