"""Upcoming nights and events of a club, as a page, a calendar feed and a file."""
