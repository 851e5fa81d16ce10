"""Sentences of all refusals, by code: what is wrong, then what to do. One module per subject."""
