"""Every read of matches, each with a fixed number of queries."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Case, Count, Exists, F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from clubs.models import Account
from clubs.queries import query_clubs
from live.conditional_pages import read_snapshot
from web.compiled_query import CompiledQuery, Slot

from .log_chain import Damage, find_damage
from .log_values import MarkStatus
from .models import Agreement, Dispute, Mark, Match, Player, RefusedMark, TableCard, TablePhone

_SEATED_PLAYERS = Player.objects.select_related("person").order_by("seat")
_PLAYERS = Prefetch("players", queryset=_SEATED_PLAYERS)
_MARKS = Mark.objects.select_related("account")

_CODE = Slot("code", TableCard._meta.get_field("code"))
_CARD_QUERY = CompiledQuery(
    TableCard.objects.filter(Q(code=_CODE) | Q(new_digits=_CODE)).order_by(F("closed_at").desc(nulls_first=True))[:1]
)
_CURRENT_MATCH_QUERY = CompiledQuery(
    Match.objects.filter(card=Slot("card", TableCard._meta.pk), withdrawn_at=None)
    .select_related("terms", "card__club")
    .order_by("-pk")[:1]
)
_MATCH_FILTER = Q(match=Slot("match", Match._meta.pk))
_PLAYERS_QUERY = CompiledQuery(_SEATED_PLAYERS.filter(_MATCH_FILTER))
_MARKS_QUERY = CompiledQuery(_MARKS.filter(_MATCH_FILTER).order_by("pk"))
_AGREEMENTS_QUERY = CompiledQuery(Agreement.objects.filter(_MATCH_FILTER).order_by("pk"))
_LATEST_CALL_QUERY = CompiledQuery(
    Dispute.objects.filter(_MATCH_FILTER).order_by(F("settled_at").desc(nulls_first=True), "-pk")[:1]
)


def card_with_code(code: str) -> TableCard | None:
    """Return the card that has this code now, or by which phones know its table.

    An open card goes before one of an earlier evening with the same code. Without its club. One query.
    """
    return _CARD_QUERY.fetch_first(code=code)


def count_open_cards() -> int:
    """Count the open cards. One query."""
    return TableCard.objects.filter(closed_at=None).count()


def find_current_match(card: TableCard) -> Match | None:
    """Return the match now played at the card's table: the one opened last.

    Without its agreements, which a page that is still current does not need. Three queries.
    """
    match = _CURRENT_MATCH_QUERY.fetch_first(card=card.pk)
    return None if match is None else _load_players(_load_marks(match))


def find_card_match(card: TableCard, match_id: int) -> Match | None:
    """Return a match that is or was played at the card's table, with marks, agreements and players. Four
    queries."""
    return _load_first_match(Match.objects.filter(pk=match_id, card=card))


def find_saved_match(card: TableCard, opened_at: datetime, round_number: int, names: Sequence[str]) -> Match | None:
    """Find the match at this table whose log a phone has saved.

    It is the match drawn at that moment, or else the one of the same people in the same round, if it was
    drawn again. Five queries at most.
    """
    table_matches = Match.objects.filter(card=card)
    match = _load_first_match(table_matches.filter(opened_at=opened_at))
    if match is not None:
        return match
    redrawn_match = _load_first_match(
        table_matches.filter(round_number=round_number, withdrawn_at=None).order_by("-pk")[:1]
    )
    has_same_players = redrawn_match is not None and [
        player.person.name for player in redrawn_match.seated_players
    ] == list(names)
    return redrawn_match if has_same_players else None


def find_desk_match(account: Account, match_id: int) -> Match | None:
    """Return a match of a club that the account has a role in. Four queries."""
    return _load_first_match(Match.objects.filter(pk=match_id, card__club__in=query_clubs(account)))


def find_match(match_id: int) -> Match | None:
    """Return a match, without checking access. Four queries."""
    return _load_first_match(Match.objects.filter(pk=match_id))


def find_sheet_match(account: Account, code: str, round_number: int) -> Match | None:
    """Return the match of that round at the table of that code.

    Only of a club that the account has a role in. Without its marks and players. One query.
    """
    cards = Q(card__code=code) | Q(card__new_digits=code)
    matches = Match.objects.filter(cards, round_number=round_number, withdrawn_at=None)
    return matches.filter(card__club__in=query_clubs(account)).last()


def find_next_sheet_match(match: Match) -> Match | None:
    """Return the next table of this round without any mark, starting again after the last table.

    Without its marks and players. One query.
    """
    unmarked_matches = Match.objects.filter(
        card__topic=match.card.topic,
        round_number=match.round_number,
        is_over=False,
        closed_at=None,
        withdrawn_at=None,
        last_marked_at=None,
    ).exclude(pk=match.pk)
    position = Case(When(card__number__gt=match.card.number, then=0), default=1)
    return unmarked_matches.select_related("card").order_by(position, "card__number").first()


def find_evening_match(match: Match, match_id: int) -> Match | None:
    """Return another match of the same evening. Four queries."""
    return _load_first_match(Match.objects.filter(pk=match_id, card__topic=match.card.topic))


def load_matches(matches: Iterable[int]) -> dict[int, Match]:
    """Return matches by id, without checking access. Four queries."""
    return {match.pk: match for match in _prefetch_hands(Match.objects.filter(pk__in=matches))}


def load_match_details(match: Match) -> Match:
    """Load the players and agreements of a match whose marks a service has left loaded. Two queries."""
    _load_players(match)
    match.ordered_agreements = _AGREEMENTS_QUERY.fetch_all(match=match.pk)
    return match


def _prefetch_hands(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return the matches with their terms, card, players, marks and agreements. Four queries."""
    marks = Prefetch("marks", queryset=_MARKS.order_by("number", "pk"))
    return matches.select_related("terms", "card__club").prefetch_related(_PLAYERS, marks, "agreements")


def _load_first_match(matches: QuerySet[Match]) -> Match | None:
    match = matches.select_related("terms", "card__club").first()
    return None if match is None else load_match_details(_load_marks(match))


def _load_players(match: Match) -> Match:
    match.seated_players = _PLAYERS_QUERY.fetch_all(match=match.pk)
    return match


def _load_marks(match: Match) -> Match:
    match.written_marks = _MARKS_QUERY.fetch_all(match=match.pk)
    return match


def find_latest_call(match: Match) -> Dispute | None:
    """Return the open call, or else the one settled last. One query."""
    call = _LATEST_CALL_QUERY.fetch_first(match=match.pk)
    if call is not None:
        call.match = match
    return call


def find_open_call(match: Match) -> Dispute | None:
    """Return the open call of a match. One query."""
    call = find_latest_call(match)
    return call if call is not None and call.is_open else None


def open_disputes(topic: str) -> QuerySet[Dispute]:
    """Return the open calls of an evening with their matches and cards, the oldest first. One query."""
    calls = Dispute.objects.filter(match__card__topic=topic, match__withdrawn_at=None, settled_at=None)
    return calls.select_related("match__card").order_by("pk")


def list_calls(match: Match) -> list[Dispute]:
    """Return every call to the desk, the latest first. One query."""
    return list(match.disputes.select_related("settled_by").order_by("-pk"))


def list_matches(matches: Iterable[int]) -> QuerySet[Match]:
    """Return matches as lists show them: players, agreements, ``is_disputed``, and the ``last_kind`` of record.
    Three queries."""
    open_calls = Dispute.objects.filter(match=OuterRef("pk"), settled_at=None)
    last_marks = Mark.objects.filter(match=OuterRef("pk"), status=MarkStatus.CURRENT).order_by("-number")
    return (
        Match.objects.filter(pk__in=matches)
        .select_related("card")
        .prefetch_related(_PLAYERS, "agreements")
        .annotate(is_disputed=Exists(open_calls), last_kind=Subquery(last_marks.values("record_data__kind")[:1]))
    )


def list_marks(topic: str, people: Iterable[int] | None = None) -> QuerySet[Mark]:
    """Return every mark of an evening, the latest first; with ``people``, only of matches in which they sat.

    With its match, its players and the mark that it replaced: two queries.
    """
    marks = Mark.objects.filter(match__card__topic=topic)
    if people is not None:
        marks = marks.filter(match__in=Player.objects.filter(person__in=list(people)).values("match"))
    return (
        marks.select_related("match__terms", "match__card", "account", "supersedes")
        .prefetch_related(Prefetch("match__players", queryset=_SEATED_PLAYERS))
        .order_by("-pk")
    )


def is_recorded(entry_key: UUID) -> bool:
    """Check whether a mark was written under this key, at any table, even if it no longer counts. One
    query."""
    return Mark.objects.filter(entry_key=entry_key).exists()


def list_last_round_matches(topic: str) -> list[Match]:
    """Return the matches of an evening's last round, with their cards, by table. One query."""
    matches = Match.objects.filter(card__topic=topic, withdrawn_at=None)
    last_round = matches.order_by().values("card__topic").annotate(last=Max("round_number")).values("last")
    round_matches = matches.filter(round_number=Subquery(last_round)).select_related("card")
    return list(round_matches.order_by("card__number", "pk"))


def list_phones(topic: str) -> list[TablePhone]:
    """Return the phones at the tables of an evening. One query."""
    return list(TablePhone.objects.filter(card__topic=topic))


def list_card_phones(card: TableCard, now: datetime) -> list[TablePhone]:
    """Return the phones at a table, the first to join first. Each has ``marked``, the number of hands it wrote
    there, and ``is_scorekeeper`` of the table's last match. Two queries."""
    marks = Mark.objects.filter(match__card=card, device=OuterRef("device")).order_by()
    count = marks.values("device").annotate(count=Count("pk")).values("count")
    match = card.matches.filter(withdrawn_at=None).order_by("-round_number", "-pk").first()
    holder = "" if match is None else match.scorekeeper.apply_timeout(now).holder
    phones = card.phones.annotate(marked=Coalesce(Subquery(count), 0), is_scorekeeper=Q(device=holder))
    return list(phones.order_by("pk"))


def list_late_tables(topic: str, earliest: datetime) -> set[int]:
    """Return the numbers of the tables with late entries since that moment, recorded or refused. One
    query."""
    evening_filter, late_filter = Q(match__card__topic=topic, created_at__gte=earliest), Q(waited__gt=0)
    querysets = (Mark.objects.filter(late_filter), Agreement.objects.filter(late_filter), RefusedMark.objects.all())
    first, *others = (rows.filter(evening_filter).order_by().values_list("match__card__number") for rows in querysets)
    return {number for (number,) in first.union(*others)}


def list_late_matches(topic: str) -> list[Match]:
    """Return the matches of an evening with late entries, the latest round first.

    Each has its marks, agreements and refused marks. Five queries.
    """
    late_filter = Q(match=OuterRef("pk"), waited__gt=0)
    is_late = Exists(Mark.objects.filter(late_filter)) | Exists(Agreement.objects.filter(late_filter))
    refused_marks = RefusedMark.objects.filter(match=OuterRef("pk"))
    matches = Match.objects.filter(is_late | Exists(refused_marks), card__topic=topic, withdrawn_at=None)
    full_matches = _prefetch_hands(matches).prefetch_related("refused_marks")
    return list(full_matches.order_by("-round_number", "card__number"))


def list_damage(matches: Collection[int] | None = None) -> list[Damage]:
    """List the hands and results of these matches, or of all, that are not as they were written. Two
    queries."""
    with read_snapshot():
        return list(find_damage(_execute, matches))


def _execute(query: str) -> Iterator[Sequence[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        yield from cursor
