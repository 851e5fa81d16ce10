"""Press reports of an event: plain values with public names only.

``tournaments.sharing.press_labels`` makes sentences of them.
"""
