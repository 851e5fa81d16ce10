"""What stands, in a browser, in the place of the libraries of others."""
