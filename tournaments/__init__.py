"""Club nights and tournaments: who takes part, rounds and tables, standings, publishing."""
