"""Everything the program says, in the reader's language: refusals, labels, and template tags for both."""
