"""Press reports of an event: plain values with public names only.

``wording.labels.press`` makes sentences of them.
"""
