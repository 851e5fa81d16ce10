"""Attendance at the nights of a club, by person and by night."""
