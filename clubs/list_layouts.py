"""Uploaded lists and the layout of their columns.

The form may assign the columns. Otherwise they are as the club assigned them before for these headings, or as
the headings say.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from django.http import HttpRequest

from clubs.models import Club
from clubs.services import remember_layout
from clubs.uploads import finished_upload, wait_for_workbooks
from web.sheets import (
    Columns,
    Layout,
    ListColumn,
    columns_of,
    is_plain_list,
    is_vcard,
    layout_of,
    possible_headings,
)
from web.sheets.columns import IGNORED
from web.sheets.grid import MOST_COLUMNS
from web.uploads import read_uploaded_list


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedList:
    """An uploaded list and its ``layout``, None if unknown. ``columns`` are for the preview; a
    plain list of names has none. ``offered`` are the possible columns. It ``is_confirmed`` if
    the preview showed this very layout. ``prefix`` begins its fields in a form of several lists."""

    text: str
    file: str
    kind: str
    headings: Columns
    layout: Layout | None
    columns: tuple[ListColumn, ...]
    offered: tuple[str, ...]
    is_confirmed: bool = False
    prefix: str = ""

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The first rows, with a value for each column."""
        return list(zip(*(column.samples for column in self.columns), strict=True))

    @property
    def has_headings(self) -> bool:
        """Whether the first line names the columns: also where the layout is unknown, as in the preview."""
        return self.layout is None or self.layout.has_headings

    @property
    def layout_shown(self) -> str:
        """The layout in short, for the form to say what its preview showed."""
        return _in_short(self.layout)

    def remember(self, club: Club) -> None:
        """Remember the assigned columns for the club's later lists with these headings."""
        if self.layout is not None and self.layout.has_headings:
            is_usual = self.layout == layout_of(self.text, self.headings)
            remember_layout(
                club_id=club.pk,
                kind=self.kind,
                headings=possible_headings(self.text, self.headings).key,
                fields=() if is_usual else self.layout.fields,
            )


def uploaded_list(
    request: HttpRequest,
    club: Club,
    kind: str,
    headings: Columns,
    *,
    most: int,
    but: Collection[str] = (),
    likely: Callable[[str], Layout | None] = lambda _: None,
) -> UploadedList:
    """Read the list of a form, of at most ``most`` bytes. Columns in ``but`` are not offered; ``likely``
    guesses the layout if nothing else says it. Raises UploadWaitsError for a workbook; later the page goes on
    with what was read. Refuses: what ``read_uploaded_list`` refuses."""
    upload = finished_upload(club, request)
    if upload is None:
        wait = partial(wait_for_workbooks, club, request)
        text, file = read_uploaded_list(request, most=most, wait_for_workbooks=wait)
    else:
        ((file, content),) = upload.read_files().items()
        text = content.decode()
    offered = tuple(field for field in headings if field not in but)
    assigned = _assigned_layout(request, offered) if "file" not in request.FILES else None
    is_seen = assigned is None or request.POST.get("previewed") == _in_short(assigned)
    layout = assigned or known_layout(club, kind, text, headings) or likely(text)
    has_columns = layout is not None or file or not is_plain_list(text)
    return UploadedList(
        text=text,
        file=file,
        kind=kind,
        headings=headings,
        layout=layout,
        columns=columns_of(text, headings, layout) if has_columns and not is_vcard(text) else (),
        offered=offered,
        is_confirmed="confirmed" in request.POST and is_seen,
    )


def reassigned_layout(request: HttpRequest, shown: UploadedList) -> Layout | None:
    """Return the layout that the form assigns to a list, or None if it is the one that was shown."""
    assigned = _assigned_layout(request, shown.offered, shown.prefix)
    return None if _in_short(assigned) == shown.layout_shown else assigned


def _assigned_layout(request: HttpRequest, offered: Collection[str], prefix: str = "") -> Layout | None:
    said = request.POST.getlist(f"{prefix}column")[:MOST_COLUMNS]
    fields = tuple(field if field in offered else IGNORED for field in said)
    has_headings = f"{prefix}has_headings" in request.POST
    return Layout(fields=fields, has_headings=has_headings) if any(fields) else None


def known_layout(club: Club, kind: str, text: str, headings: Columns) -> Layout | None:
    """Return the layout that the club assigned to these headings, or else the one that they say."""
    key = possible_headings(text, headings).key if club.list_layouts else None
    found = (each["fields"] for each in club.list_layouts if (each["kind"], each["headings"]) == (kind, key))
    fields = tuple(field if field in headings else IGNORED for field in next(found, ()))
    return Layout(fields=fields) if any(fields) else layout_of(text, headings)


def _in_short(layout: Layout | None) -> str:
    if layout is None:
        return ""
    fields = ",".join(layout.fields).rstrip(",")
    return f"{fields},headings" if layout.has_headings else fields
