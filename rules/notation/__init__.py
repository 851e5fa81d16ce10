"""Hands and matches as text that people can read, print and compare line by line. See docs/api/notation.md.

=========  =============================  ==========================================================
document   section                        here
=========  =============================  ==========================================================
P, J       partners sit opposite          seats are written A1, B1, A2, B2, clockwise: ``words``
P, G, J    the order of a hand            a line for each part of its course: ``courses``
P, G, J    scores                         a line for each hand, as on a score sheet: ``matches``
=========  =============================  ==========================================================

What a printer writes is the one form of its value, and a parser gives that value back. Parsers forgive
capitals and blanks; whatever else they do not understand they refuse; the refusal's ``line`` counts from 1.
"""
