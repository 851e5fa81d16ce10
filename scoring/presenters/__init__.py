"""Values that the table screen shows: sides, steps, lines. Templates add only words.

A *step* follows the first tap. There is one for each side and contract, with the effect of every possible
second tap. All steps are in the page, so the first tap needs no network.
"""
