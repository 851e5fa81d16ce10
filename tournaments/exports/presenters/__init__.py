"""Tables for files, made from the data of the pages: one function for each table."""
