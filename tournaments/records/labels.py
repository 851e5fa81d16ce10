"""Names of the records of a club."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FEATS: Mapping[str, str | Promise] = {
    "highest": _("Most points in a match"),
    "charlemagnes": _("Most Charlemagnes in a night"),
    "streak": _("Longest winning streak"),
    "most_nights": _("Most nights"),
}


def feat_name(kind: str) -> str:
    return str(FEATS[kind])
