"""Pairing two installations, sending what one leads, taking it as a mirror, and who leads."""
