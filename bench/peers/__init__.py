"""Other people's engines, each run by a Python that has it installed."""
