"""Pages to order papers, to wait for them and to download them."""
