"""Names and sentences for values of the program, in the reader's language: one module per subject."""
