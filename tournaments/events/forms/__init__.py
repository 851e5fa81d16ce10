"""The forms of an event: as typed, read and checked."""
