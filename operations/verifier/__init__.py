"""The check of an event's file in the reader's own browser: what is sent there, and the page."""
