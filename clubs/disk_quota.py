"""Disk space of each club: its files in the data folder, and the rows that hold its pictures, webhook logs
and plans. A club that has used its quota stores nothing more."""

from collections import Counter
from collections.abc import Mapping

from django.conf import settings
from django.db.models import Count, Model, Sum, TextField
from django.db.models.functions import Cast, Coalesce, Length

from errors import Refusal
from web.temp_files import TempFileStore, measure_file_sizes

from .models import Club, ClubPicture, WebhookDelivery

MEGABYTE = 1_000_000
ROW = 500
"""Bytes of a row beside its long text, and of its entries in indexes."""
STORES: list[TempFileStore] = []
"""Files that are measured. Features add theirs."""
MEASURED_COLUMNS: list[tuple[type[Model], str, str]] = [
    (ClubPicture, "club", "content"),
    (WebhookDelivery, "webhook__club", "answer"),
]
"""Tables that are measured: the path to the club, and the column with a long text. Features add theirs."""


def check_space(club_id: int, size: int = 0) -> None:
    """Check that the club may store ``size`` bytes more. Refuses: club_disk_full."""
    quota = get_quota(Club.objects.only("quota").get(pk=club_id))
    if measure_disk_use(club_id)[club_id] + size >= quota:
        raise Refusal("club_disk_full", most=quota // MEGABYTE)


def get_quota(club: Club) -> int:
    """Return how many bytes the club may store."""
    return settings.CLUB_QUOTA if club.quota is None else club.quota * MEGABYTE


def measure_disk_use(club_id: int | None = None) -> Mapping[int, int]:
    """Return how many bytes each club uses, or this one alone. A query for each table."""
    used: Counter[int] = measure_file_sizes(STORES, club_id)
    for model, club, column in MEASURED_COLUMNS:
        rows = model._default_manager.order_by().filter(**{} if club_id is None else {club: club_id})
        length = Coalesce(Sum(Length(Cast(column, TextField()))), 0)
        for pk, size, count in rows.values_list(club).annotate(size=length, count=Count("pk")):
            used[pk] += size + count * ROW
    return used
