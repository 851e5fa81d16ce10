"""Every import, in pieces that let others write in between."""
