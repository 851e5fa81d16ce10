"""What answers are made of. Their names are those of the schema."""
