"""The signal that a match changed, so that scoring needs no import of its listeners."""

from django.dispatch import Signal

match_changed = Signal()
"""Sent when a match changed, with three arguments.

``match``; ``result_changed``, whether its result differs from before; and ``before``, the summary that it had
then, if it was over.

It is sent inside the transaction of the change, so that a listener's changes are committed or rolled back
with it.
"""
