"""Filters for the history of a club or an event: account, kind, dates and a search."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

from clubs.models import Account
from clubs.policy import Permission
from errors import Refusal
from web.forms import FormReader, parse_digits
from web.names import clean_text, fold_name
from web.paging import ListPage, get_list_page

PAGE = 50
"""Lines per page."""

NOBODY = "nobody"
"""A value of ``who``: lines without an account, from players who signed up themselves or from the program."""

STANDING, UNDONE = "standing", "undone"

_SEARCH_LENGTH = 80
_MAX_SEARCH_WORDS = 6
_MAX_KEYS = 200

ListTexts = Callable[[int, Mapping[str, Any]], Iterable[str]]
"""Returns the names in a line, given its key (or that of the line it undoes) and its details."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFilter:
    """The filter for a history, "" for any. ``who`` is an account's key or ``NOBODY``, ``group`` a group of
    kinds, ``state`` ``STANDING`` or ``UNDONE``. ``until`` is the last day."""

    who: str = ""
    group: str = ""
    since: date | None = None
    until: date | None = None
    search: str = ""
    state: str = ""
    number: int = 1

    @property
    def is_any(self) -> bool:
        """Whether the filter lets every line through."""
        return replace(self, number=1) == HistoryFilter()

    @property
    def query(self) -> str:
        """The filter as a query string, without the page number."""
        params = {
            "who": self.who,
            "group": self.group,
            "since": self.since.isoformat() if self.since else "",
            "until": self.until.isoformat() if self.until else "",
            "search": self.search,
            "state": self.state,
        }
        return urlencode({name: value for name, value in params.items() if value})


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLines(ListPage):
    """The keys of all lines found, newest first, and the page to show."""

    pks: tuple[int, ...]

    @property
    def page_pks(self) -> tuple[int, ...]:
        return self.pks[self.places]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """A change in a history. ``kind`` and ``details`` are for its sentence. ``wrote`` tells whether it has
    rows to show. ``has_taken_back`` tells that it is an undo, and that undoing it restores the change."""

    pk: int
    kind: str
    details: Mapping[str, Any]
    who: str
    when: datetime
    reason: str
    origin: str
    wrote: bool
    has_taken_back: bool
    is_undone: bool

    @property
    def can_be_undone(self) -> bool:
        return self.wrote and not self.is_undone

    @property
    def undone_by(self) -> Permission:
        """The permission needed to undo it."""
        return Permission.DIRECT


def get_line_values(action: Any, *, has_rows: bool) -> dict[str, Any]:
    """Return the values of a ``ChangeLine`` from a row of either history."""
    return {
        "pk": action.pk,
        "kind": action.kind,
        "details": action.details,
        "who": "" if action.account is None else action.account.name,
        "when": action.created_at,
        "reason": action.reason,
        "origin": action.origin,
        "wrote": has_rows,
        "has_taken_back": action.has_taken_back,
        "is_undone": hasattr(action, "undone_by"),
    }


def read_history_filter(query_params: Mapping[str, str], groups: Iterable[str]) -> tuple[HistoryFilter, Refusal | None]:
    """Read the filter from a query string. Unreadable values are left out and refused in the second value:
    form_refused (not_a_date, last_before_first)."""
    read = FormReader(query_params)
    since, until = read.read_day("since"), read.read_day("until")
    if since and until and until < since:
        read.refuse(Refusal("last_before_first", field="until"))
        since = until = None
    who, group, state = (query_params.get(name, "") for name in ("who", "group", "state"))
    history_filter = HistoryFilter(
        who=who if who == NOBODY or parse_digits(who, max_digits=18) is not None else "",
        group=group if group in groups else "",
        since=since,
        until=until,
        search=clean_text(query_params.get("search", ""))[:_SEARCH_LENGTH],
        state=state if state in (STANDING, UNDONE) else "",
        number=max(1, parse_digits(query_params.get("page", ""), max_digits=6) or 1),
    )
    try:
        read.raise_refusals()
    except Refusal as refusal:
        return history_filter, refusal
    return history_filter, None


def filter_lines(
    actions: QuerySet[Any],
    history_filter: HistoryFilter,
    *,
    zone: str,
    groups: Mapping[str, Iterable[str]],
    list_texts: ListTexts,
    text_column: str,
    keys: Mapping[str, Iterable[int]],
) -> FoundLines:
    """Return the lines of a history that match the filter. One query.

    A search matches the names that ``list_texts`` finds in a line, or the ``keys`` of matching people (by field or
    kind of row) in the rows stored in the field ``text_column``.
    """
    lines = _apply_filters(actions, history_filter, zone, groups).order_by("-pk")
    words = [word for word in re.split(r"[\s,/'-]+", fold_name(history_filter.search)) if word][:_MAX_SEARCH_WORDS]
    if words:
        return paginate_lines(_search_lines(lines, words, list_texts, text_column, keys), history_filter.number)
    return paginate_lines(lines.values_list("pk", flat=True), history_filter.number)


def paginate_lines(pks: Sequence[int] | QuerySet[Any, int], number: int) -> FoundLines:
    """Return a page of the lines with these keys, or the last page if there are fewer. One query at most."""
    found = tuple(pks)
    return FoundLines(**get_list_page(len(found), number=number, size=PAGE).get_values(), pks=found)


def list_accounts(actions: QuerySet[Any]) -> list[Account]:
    """Return the accounts that made changes in a history, by name. One query."""
    return list(Account.objects.filter(pk__in=actions.values("account")).order_by("folded_name"))


def match_word_starts(text: str, words: Iterable[str]) -> bool:
    """Return whether each word is the beginning of a word in the text; both as
    ``web.names.fold_name`` folds them."""
    return all(re.search(rf"(?<!\w){re.escape(word)}", text) for word in words)


def _apply_filters(
    actions: QuerySet[Any], history_filter: HistoryFilter, zone: str, groups: Mapping[str, Iterable[str]]
) -> QuerySet[Any]:
    """Apply every filter except the search."""
    found = actions
    if history_filter.who:
        found = found.filter(account=None if history_filter.who == NOBODY else int(history_filter.who))
    if history_filter.group:
        kinds = list(groups[history_filter.group])
        found = found.filter(Q(kind__in=kinds) | Q(kind="undo", details__of__in=kinds))
    if history_filter.since:
        found = found.filter(created_at__gte=_get_midnight(history_filter.since, zone))
    if history_filter.until and history_filter.until < date.max:
        found = found.filter(created_at__lt=_get_midnight(history_filter.until + timedelta(days=1), zone))
    if history_filter.state:
        found = found.filter(undone_by__isnull=history_filter.state == STANDING)
    return found


def _get_midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone))


def _search_lines(
    lines: QuerySet[Any], words: list[str], list_texts: ListTexts, text_column: str, keys: Mapping[str, Iterable[int]]
) -> tuple[int, ...]:
    pattern = _build_keys_pattern(keys)
    mentions_keys = Q(written__regex=pattern) if pattern else Value(value=False)
    read = lines.annotate(written=Cast(text_column, TextField())).annotate(is_about=mentions_keys)
    return tuple(
        pk
        for pk, undone, details, is_match in read.values_list("pk", "undoes", "details", "is_about")
        if is_match or match_word_starts(fold_texts(list_texts(undone or pk, details)), words)
    )


def fold_texts(texts: Iterable[str]) -> str:
    """Fold several texts into one for searching; unlike a folded name, it is not cut off."""
    return " ".join(fold_name(text) for text in texts)


def _build_keys_pattern(keys: Mapping[str, Iterable[int]]) -> str:
    """Return a regular expression that finds one of the keys in recorded rows, in the JSON of
    both databases."""
    patterns = []
    for name, pks in keys.items():
        alternatives = "|".join(str(pk) for pk in list(pks)[:_MAX_KEYS])
        if alternatives:
            patterns.append(rf'"{name}"(:|,) ({alternatives})[],}}]')
    return "|".join(patterns)
