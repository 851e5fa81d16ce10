"""Who came to the nights of a club, by person and by night."""
