"""What a club knows of a person: handed over, merged, and erased."""
