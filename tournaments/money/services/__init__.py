"""Services for fees, prizes and door prizes."""
