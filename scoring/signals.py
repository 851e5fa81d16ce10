"""The one signal of the house: scoring must not know who listens."""

from django.dispatch import Signal

match_changed = Signal()
"""A match changed: ``match``; ``result_changed``, whether its result is another one than before; and
``before``, the summary that it had then, if it was over.

Sent inside the transaction of the change, so that what a listener writes is kept or lost together with it.
"""
