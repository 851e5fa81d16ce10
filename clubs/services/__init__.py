"""All changes of people, clubs and accounts."""
