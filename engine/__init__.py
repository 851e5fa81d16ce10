"""The tournament engine: draws, results, standings and planning. Plain Python over frozen values: no Django,
no database, no clock, and chance only as a seed (engine/README.md)."""
