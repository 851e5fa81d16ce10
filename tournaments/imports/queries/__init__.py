"""What would come in, beside what the club has already."""
