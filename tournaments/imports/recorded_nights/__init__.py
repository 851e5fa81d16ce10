"""Recorded nights: a folder of paper sheets, typed in. Plain Python.

``night.json`` has the ruleset and the games that win a match; ``entries.csv`` (entry, player_1, player_2),
``tables.csv`` (round, table, side_a, side_b) and ``hands.csv`` (round, table, hand, dealer, side, contract,
trump, tricks, outcome) have the rest. ``docs/api/recorded-nights.md`` describes every column.
"""
