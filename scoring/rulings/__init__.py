"""Rulings on a trick: who wins it, what may be played, and the page that shows them."""
