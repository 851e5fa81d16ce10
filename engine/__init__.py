"""How a tournament is drawn, counted, ranked and planned. Plain Python over frozen values: no Django, no
database, no clock, and chance only as a seed (engine/README.md).
"""
