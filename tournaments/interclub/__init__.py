"""Clubs that play together: invitations, visitors, shared events and series."""
