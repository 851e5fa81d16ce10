"""The one signal of the house: scoring must not know who listens."""

from django.dispatch import Signal

match_changed = Signal()
"""A match changed: ``match``, and ``result_changed``, whether its result is another one than before.

Sent inside the transaction of the change, so that what a listener writes is kept or lost together with it.
"""
