"""Entries of an event: adding, signing up, checking in, changing and keeping apart."""
