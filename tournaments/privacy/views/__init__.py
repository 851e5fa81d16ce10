"""Pages for owners about personal data: export it, keep it longer, erase it."""
