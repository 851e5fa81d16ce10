"""All texts of the program, in the reader's language: refusals, labels, and template tags for both."""
