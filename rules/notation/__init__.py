"""Hands and matches as text that people can read, print and compare line by line. See docs/api/notation.md.

=========  =============================  ==========================================================
document   section                        here
=========  =============================  ==========================================================
P, J       partners sit opposite          seats are written A1, B1, A2, B2, clockwise: ``words``
P, G, J    the order of a hand            a line for each part of its course: ``courses``
P, G, J    scores                         a line for each hand, as on a score sheet: ``matches``
=========  =============================  ==========================================================

Each value has one written form, from which a parser returns that value. Parsers ignore capitals and blanks,
and refuse all else that they do not understand; the refusal's ``line`` counts from 1.
"""
