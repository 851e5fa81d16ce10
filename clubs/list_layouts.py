"""Uploaded lists and the layout of their columns.

The form may assign the columns. Otherwise they are as the club assigned them before for these headings, or as
the headings say.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.http import HttpRequest

from clubs.models import Club
from clubs.services.list_layouts import save_layout
from clubs.uploads import find_finished_upload, wait_for_workbooks
from errors import Refusal
from web.sheets.columns import (
    IGNORED_COLUMN,
    Columns,
    Layout,
    ListColumn,
    get_layout,
    guess_headings,
    is_name_list,
    list_columns,
)
from web.sheets.decoding import read_sheet_text
from web.sheets.grid import MAX_COLUMNS
from web.sheets.vcards import is_vcard

FILE_NAME_LENGTH = 80


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
    def layout_key(self) -> str:
        """The layout in short, for the form to say what its preview showed."""
        return _format_layout(self.layout)

    def remember(self, club: Club) -> None:
        """Remember the assigned columns for the club's later lists with these headings."""
        if self.layout is not None and self.layout.has_headings:
            is_usual = self.layout == get_layout(self.text, self.headings)
            save_layout(
                club_id=club.pk,
                kind=self.kind,
                headings=guess_headings(self.text, self.headings).key,
                fields=() if is_usual else self.layout.fields,
            )


def read_uploaded_list_form(
    request: HttpRequest,
    club: Club,
    kind: str,
    headings: Columns,
    *,
    max_bytes: int,
    excluded: Collection[str] = (),
    guess_layout: Callable[[str], Layout | None] = lambda _: None,
) -> UploadedList:
    """Read the list of a form, of at most ``max_bytes`` bytes. Columns in ``excluded`` are not offered;
    ``guess_layout`` guesses the layout if nothing else says it. Raises UploadPendingError for a workbook; later the
    page goes on with what was read. Refuses: what ``_read_text`` refuses."""
    upload = find_finished_upload(club, request)
    if upload is None:
        text, file = _read_text(request, club, max_bytes)
    else:
        ((file, content),) = upload.load_read_files().items()
        text = content.decode()
    offered_columns = tuple(field for field in headings if field not in excluded)
    assigned_layout = _read_assigned_layout(request, offered_columns) if "file" not in request.FILES else None
    is_seen = assigned_layout is None or request.POST.get("previewed") == _format_layout(assigned_layout)
    layout = assigned_layout or find_layout(club, kind, text, headings) or guess_layout(text)
    has_columns = layout is not None or file or not is_name_list(text)
    return UploadedList(
        text=text,
        file=file,
        kind=kind,
        headings=headings,
        layout=layout,
        columns=list_columns(text, headings, layout) if has_columns and not is_vcard(text) else (),
        offered=offered_columns,
        is_confirmed="confirmed" in request.POST and is_seen,
    )


def read_reassigned_layout(request: HttpRequest, uploaded: UploadedList) -> Layout | None:
    """Return the layout that the form assigns to a list, or None if it is the one that was shown."""
    assigned = _read_assigned_layout(request, uploaded.offered, uploaded.prefix)
    return None if _format_layout(assigned) == uploaded.layout_key else assigned


def _read_assigned_layout(request: HttpRequest, offered_columns: Collection[str], prefix: str = "") -> Layout | None:
    columns = request.POST.getlist(f"{prefix}column")[:MAX_COLUMNS]
    fields = tuple(field if field in offered_columns else IGNORED_COLUMN for field in columns)
    has_headings = f"{prefix}has_headings" in request.POST
    return Layout(fields=fields, has_headings=has_headings) if any(fields) else None


def find_layout(club: Club, kind: str, text: str, headings: Columns) -> Layout | None:
    """Return the layout that the club assigned to these headings, or else the one that they say."""
    key = guess_headings(text, headings).key if club.list_layouts else None
    found = (each["fields"] for each in club.list_layouts if (each["kind"], each["headings"]) == (kind, key))
    fields = tuple(field if field in headings else IGNORED_COLUMN for field in next(found, ()))
    return Layout(fields=fields) if any(fields) else get_layout(text, headings)


def _format_layout(layout: Layout | None) -> str:
    if layout is None:
        return ""
    fields = ",".join(layout.fields).rstrip(",")
    return f"{fields},headings" if layout.has_headings else fields


def _read_text(request: HttpRequest, club: Club, max_bytes: int) -> tuple[str, str]:
    """Return the text of a list that was uploaded, pasted, or stored by the preview, and the name of its file.

    Raises UploadPendingError for a workbook.
    Refuses: file_required, file_too_large, and what ``read_sheet_text`` refuses.
    """
    upload = request.FILES.get("file")
    if upload is None:
        text = request.POST.get("text", "")
        if not text.strip():
            raise Refusal("file_required", field="file")
        return text, request.POST.get("name", "")[:FILE_NAME_LENGTH]
    name = (upload.name or "")[:FILE_NAME_LENGTH]
    if (upload.size or 0) > max_bytes:
        raise Refusal("file_too_large", field="file", file=name)
    content = upload.read()
    wait_for_workbooks(club, request, {name: content})
    return read_sheet_text(content, file=name), name
