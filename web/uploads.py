"""Lists from a form: uploaded, pasted, or kept by the preview."""

from collections.abc import Callable, Mapping

from django.http import HttpRequest

from errors import Refusal

from .sheets.decoding import read_sheet_text

FILE_NAME_LENGTH = 80


def read_uploaded_list(
    request: HttpRequest, *, max_bytes: int, wait_for_workbooks: Callable[[Mapping[str, bytes]], None]
) -> tuple[str, str]:
    """Return the list's text and the name of its file, of at most ``max_bytes`` bytes. ``wait_for_workbooks``
    raises an exception if the file has to be read by a worker first.

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
    wait_for_workbooks({name: content})
    return read_sheet_text(content, file=name), name
