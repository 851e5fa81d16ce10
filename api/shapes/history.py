"""What was done, and by whom."""

from rest_framework import serializers as s

from clubs.models import HistoryRow


class ActionOut(s.Serializer[HistoryRow]):
    """A line of a history: by its ``id`` it is undone."""

    id = s.IntegerField(source="pk")
    kind = s.CharField(help_text="What was done.")
    at = s.DateTimeField(source="created_at")
    by = s.CharField(source="account.name", default=None, allow_null=True)
    origin = s.CharField(help_text="From which key, device and address.")
    reason = s.CharField()
    undoes = s.IntegerField(source="undoes_id", allow_null=True)
    undone_by = s.IntegerField(source="undone_by.pk", default=None, allow_null=True)
