"""Names and sentences for values of the house, in the reader's language: one module a subject."""
