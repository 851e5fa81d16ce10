"""Django's SQLite backend, with writers that queue up instead of polling for the lock."""
