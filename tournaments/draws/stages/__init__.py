"""Stages: formats one after the other, or side by side, and who goes on from one to the next."""
