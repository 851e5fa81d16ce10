"""What a club keeps of people."""
