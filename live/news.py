"""The signal for webhooks and other listeners that public information may have changed."""

from django.dispatch import Signal

public_change = Signal()
"""Public information on a ``topic`` of the club ``club_id`` may have changed.

Sent inside the transaction of the change, so that what a listener writes is committed or rolled back with it.
"""
