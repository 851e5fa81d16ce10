"""Brackets as values: who meets whom on the way to the final, and where everybody stands."""
