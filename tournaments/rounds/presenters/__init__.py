"""Views of rounds and tables for the pages."""
