"""Alerts to players who asked for them: their seat once a round is published, and changes of the event. They
are sent by push or another channel."""
