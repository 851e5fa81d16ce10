"""Refusals about lists from files, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "several_sheets": _("This file has several tabs: %(names)s. Choose one."),
    "sheet_too_long": _("This tab has more than %(most)s lines. Keep only the list."),
    "list_too_long": _("This list has %(lines)s lines; the limit is %(most)s. Split it."),
    "old_workbook": _("Old or locked Excel file. Save it as .xlsx without a password, or CSV."),
    "not_a_workbook": _("%(file)s cannot be read. Save it as .xlsx, .ods or CSV."),
    "workbooks_wait": Answer(_("The server is busy. Send the file again in a minute."), 503),
    "workbook_too_large": Answer(_("%(file)s is too large. Keep only the tab with the list."), 413),
}
