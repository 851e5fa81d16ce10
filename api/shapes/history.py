"""History."""

from rest_framework import serializers as s

from clubs.models import HistoryRow


class ActionOut(s.Serializer[HistoryRow]):
    """A change in the history. Undo it by its ``id``."""

    id = s.IntegerField(source="pk")
    kind = s.CharField(help_text="Kind of change, for example `close_round`.")
    at = s.DateTimeField(source="created_at")
    by = s.CharField(source="account.name", default=None, allow_null=True)
    origin = s.CharField(help_text="API key, device and IP address that made the change.")
    reason = s.CharField()
    undoes = s.IntegerField(source="undoes_id", allow_null=True, help_text="Id of the change it undid.")
    undone_by = s.IntegerField(
        source="undone_by.pk", default=None, allow_null=True, help_text="Id of the change that undid it."
    )
