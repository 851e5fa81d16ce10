"""Every change of what everybody may see."""
