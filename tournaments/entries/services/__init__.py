"""Every change of who takes part."""
