"""Personal data of a club: exports, merges and erasure of people."""
