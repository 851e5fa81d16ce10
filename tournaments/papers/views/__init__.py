"""Pages on which papers are asked for, wait, and are taken away."""
