"""The signal by which whoever tells other programs hears that there may be something to tell."""

from django.dispatch import Signal

public_change = Signal()
"""What everybody may see of a ``topic`` of the club ``club_id`` may be another.

Sent inside the transaction of the change, so that what a listener writes is kept or lost together with it.
"""
