"""Every change of fees, prizes and door prizes."""
