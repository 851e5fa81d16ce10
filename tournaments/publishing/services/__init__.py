"""Services that change what the public sees."""
