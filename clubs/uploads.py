"""Files of a form that a worker reads in a child process, while a page shows the task.

Then the form's page goes on with what was read. The files are deleted once they are read.
"""

import base64
import json
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from clubs.disk_quota import check_space
from clubs.models import Club
from errors import Refusal
from jobs.services import enqueue
from web.sheets.decoding import get_grids_text
from web.sheets.grid import Grid
from web.sheets.sandbox import parse_confined
from web.sheets.workbooks import is_workbook
from web.temp_files import TempFileStore

FILES = TempFileStore(name="uploads", lifetime=timedelta(days=1))
READ = "read_workbooks"
"""Kind of the jobs that read uploaded workbooks; a job's key is that of the upload."""
UPLOAD_PARAMETER = "upload"
"""In the address of a form's page: the upload with which it goes on."""
TOKEN = re.compile(r"[0-9a-f]{32}")

Files = Mapping[str, bytes]


class UploadPendingError(Exception):
    """A worker has to read the upload first; its page shows the task."""

    def __init__(self, upload: "Upload") -> None:
        super().__init__(upload.key)
        self.upload = upload


@dataclass(frozen=True, slots=True)
class Upload:
    """The uploaded files of a form, by the ``token`` of the club."""

    club_id: int
    token: str

    @property
    def key(self) -> str:
        return f"{self.club_id}-{self.token}"

    @property
    def topic(self) -> str:
        """Topic on which its job is watched."""
        return f"upload:{self.key}"

    @property
    def exists(self) -> bool:
        return bool(TOKEN.fullmatch(self.token)) and (self.is_read or self._files_path.is_file())

    @property
    def is_read(self) -> bool:
        return self._texts_path.is_file()

    @property
    def page(self) -> str:
        """Address at which the form's page goes on, once the upload is read."""
        return f"{_load(self._texts_path)['page']}?{UPLOAD_PARAMETER}={self.token}"

    @property
    def fields(self) -> dict[str, str]:
        """Fields typed into the form."""
        return dict(_load(self._texts_path if self.is_read else self._files_path)["fields"])

    def load_files(self) -> dict[str, bytes]:
        """Return the files as they were uploaded. Raises FileNotFoundError once they are read, or expired."""
        return {name: base64.b64decode(encoded) for name, encoded in _load(self._files_path)["files"].items()}

    def load_read_files(self) -> dict[str, bytes]:
        """Return the files, once they are read: instead of a workbook, its text. Refuses: what
        ``read_sheet_text`` refuses."""
        return {name: _get_content(found, name) for name, found in _load(self._texts_path)["files"].items()}

    def store(self, data: Mapping[str, Any]) -> None:
        FILES.write(self._files_path, json.dumps(data).encode())

    def store_contents(self, found: Mapping[str, Any]) -> None:
        """Replace the files by what was read from them."""
        texts = {**_load(self._files_path), "files": found}
        FILES.write(self._texts_path, json.dumps(texts).encode())
        self.delete_files()

    def delete_files(self) -> None:
        self._files_path.unlink(missing_ok=True)

    @property
    def _files_path(self) -> Path:
        return FILES.folder / f"{self.key}.sent.json"

    @property
    def _texts_path(self) -> Path:
        return FILES.folder / f"{self.key}.read.json"


def _load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def store_files(club: Club, *, page: str, fields: Mapping[str, str], files: Files) -> Upload:
    """Store the files of a form at that address for a worker. Refuses: club_disk_full."""
    upload = Upload(club.pk, secrets.token_hex(16))
    encoded = {name: base64.b64encode(content).decode() for name, content in files.items()}
    check_space(club.pk, sum(map(len, files.values())))
    upload.store({"page": page, "fields": fields, "files": encoded})
    return upload


def wait_for_workbooks(club: Club, request: HttpRequest, files: Files) -> None:
    """Have a worker read the files, if there is a workbook among them. Raises UploadPendingError.

    Refuses: club_disk_full.
    """
    if any(map(is_workbook, files.values())):
        fields = {name: str(value) for name, value in request.POST.items()}
        upload = store_files(club, page=request.path, fields=fields, files=files)
        enqueue(kind=READ, key=upload.key, topic=upload.topic, club_id=club.pk)
        raise UploadPendingError(upload)


def find_finished_upload(club: Club, request: HttpRequest) -> Upload | None:
    """Return the upload with which the form's page goes on, if its address names one that is read."""
    upload = Upload(club.pk, request.GET.get(UPLOAD_PARAMETER, "") if request.method != "POST" else "")
    return upload if upload.exists and upload.is_read else None


def upload_by_key(key: str) -> Upload:
    """Return the upload of a job."""
    club_id, _, token = key.partition("-")
    return Upload(int(club_id), token)


def read_workbooks(upload: Upload) -> None:
    """Read the workbooks of an upload. Safe to repeat. Refuses: workbooks_wait."""
    with suppress(FileNotFoundError):  # it is read already, or expired
        upload.store_contents({name: _read_workbook(content, name) for name, content in upload.load_files().items()})


def _read_workbook(content: bytes, name: str) -> Any:
    """Return the grids of a workbook, the code of its refusal, or another file as it is."""
    if not is_workbook(content):
        return {"content": base64.b64encode(content).decode()}
    try:
        return {"grids": [asdict(grid) for grid in parse_confined(content, file=name)]}
    except Refusal as refusal:
        if refusal.code == "workbooks_wait":
            raise
        return {"code": refusal.code}


def _get_content(stored: Mapping[str, Any], name: str) -> bytes:
    match stored:
        case {"content": kept}:
            return base64.b64decode(kept)
        case {"grids": grids}:
            return get_grids_text([Grid(**grid) for grid in grids], file=name).encode()
    raise Refusal(stored["code"], field="file", file=name)


def redirect_pending_uploads(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect to the page of the upload while a worker reads it."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except UploadPendingError as waits:
            club = Club.objects.get(pk=waits.upload.club_id)
            return redirect("upload", slug=club.slug, token=waits.upload.token)

    return wrapper
