"""Services for interclub play; each change is recorded in the histories of both clubs."""
