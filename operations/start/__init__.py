"""Whether a data folder may be started on: nobody else runs on it, it is whole, and it belongs together."""
