"""What is known of matches: every read, each with a fixed number of queries."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from clubs.models import Account
from clubs.queries import clubs_of
from web.compiled_query import CompiledQuery, Slot

from .models import Agreement, Dispute, Mark, Match, Player, RefusedMark, TableCard, TablePhone

_SEATED = Player.objects.select_related("person").order_by("seat")
_PLAYERS = Prefetch("players", queryset=_SEATED)
_MARKS = Mark.objects.select_related("account")

_CODE = Slot("code", TableCard._meta.get_field("code"))
_CARD_WITH_CODE = CompiledQuery(
    TableCard.objects.filter(Q(code=_CODE) | Q(new_digits=_CODE)).order_by(
        F("closed_at").desc(nulls_first=True)
    )[:1]
)
_MATCH_AT = CompiledQuery(
    Match.objects.filter(card=Slot("card", TableCard._meta.pk), withdrawn_at=None)
    .select_related("terms", "card__club")
    .order_by("-pk")[:1]
)
_OF_MATCH = Q(match=Slot("match", Match._meta.pk))
_PLAYERS_OF = CompiledQuery(_SEATED.filter(_OF_MATCH))
_MARKS_OF = CompiledQuery(_MARKS.filter(_OF_MATCH).order_by("pk"))
_AGREEMENTS_OF = CompiledQuery(Agreement.objects.filter(_OF_MATCH).order_by("pk"))
_LATEST_CALL_OF = CompiledQuery(
    Dispute.objects.filter(_OF_MATCH).order_by(F("settled_at").desc(nulls_first=True), "-pk")[:1]
)


def card_with_code(code: str) -> TableCard | None:
    """The card that has this code now, or by which phones know its table; the one that is open, where one of
    an earlier evening had it too. Without its club. One query."""
    return _CARD_WITH_CODE.one(code=code)


def count_open_cards() -> int:
    """One query."""
    return TableCard.objects.filter(closed_at=None).count()


def match_at(card: TableCard) -> Match | None:
    """The match now played at the card's table: the one opened last; without its agreements, for which a page
    that is still the newest does not ask. Three queries."""
    match = _MATCH_AT.one(card=card.pk)
    return None if match is None else _with_players(_with_marks(match))


def match_of_card(card: TableCard, match_id: int) -> Match | None:
    """A match that is or was played at the card's table, with its marks and agreements, and who sits there.
    Four queries."""
    return _whole(Match.objects.filter(pk=match_id, card=card))


def match_kept(card: TableCard, opened_at: datetime, round_number: int, names: Sequence[str]) -> Match | None:
    """The match at this table of which a phone has kept the log: the very one, drawn at that moment, or
    else the one of the same people in the same round, drawn once more. Five queries at most."""
    at_table = Match.objects.filter(card=card)
    same = _whole(at_table.filter(opened_at=opened_at))
    if same is not None:
        return same
    again = _whole(at_table.filter(round_number=round_number, withdrawn_at=None).order_by("-pk")[:1])
    is_theirs = again is not None and [each.person.name for each in again.seated_players] == list(names)
    return again if is_theirs else None


def match_at_desk(account: Account, match_id: int) -> Match | None:
    """A match of a club that the account has a role in. Four queries."""
    return _whole(Match.objects.filter(pk=match_id, card__club__in=clubs_of(account)))


def match_with_hands(match_id: int) -> Match | None:
    """A match, whoever asks. Four queries."""
    return _whole(Match.objects.filter(pk=match_id))


def match_of_sheet(account: Account, code: str, round_number: int) -> Match | None:
    """The match of that round at the table of that code, of a club that the account has a role in; without
    its marks and players. One query."""
    cards = Q(card__code=code) | Q(card__new_digits=code)
    matches = Match.objects.filter(cards, round_number=round_number, withdrawn_at=None)
    return matches.filter(card__club__in=clubs_of(account)).last()


def next_sheet(match: Match) -> Match | None:
    """The next table of this round, the first one after the last, for which nothing was marked yet; without
    its marks and players. One query."""
    waiting = Match.objects.filter(
        card__topic=match.card.topic,
        round_number=match.round_number,
        is_over=False,
        closed_at=None,
        withdrawn_at=None,
        last_marked_at=None,
    ).exclude(pk=match.pk)
    after = Case(When(card__number__gt=match.card.number, then=0), default=1)
    return waiting.select_related("card").order_by(after, "card__number").first()


def match_beside(match: Match, match_id: int) -> Match | None:
    """Another match of the same evening. Four queries."""
    return _whole(Match.objects.filter(pk=match_id, card__topic=match.card.topic))


def matches_with_hands(matches: Iterable[int]) -> dict[int, Match]:
    """Matches by id, whoever asks. Four queries."""
    return {match.pk: match for match in _with_hands(Match.objects.filter(pk__in=matches))}


def with_who_sits_there(match: Match) -> Match:
    """The match as a service left it with its marks, and who sits there and agreed meanwhile. Two queries."""
    _with_players(match)
    match.agreed = _AGREEMENTS_OF.all(match=match.pk)
    return match


def _with_hands(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The matches with their terms, card, players, marks and agreements. Four queries."""
    written = Prefetch("marks", queryset=_MARKS.order_by("number", "pk"))
    return matches.select_related("terms", "card__club").prefetch_related(_PLAYERS, written, "agreements")


def _whole(matches: QuerySet[Match]) -> Match | None:
    match = matches.select_related("terms", "card__club").first()
    return None if match is None else with_who_sits_there(_with_marks(match))


def _with_players(match: Match) -> Match:
    match.seated_players = _PLAYERS_OF.all(match=match.pk)
    return match


def _with_marks(match: Match) -> Match:
    match.written_marks = _MARKS_OF.all(match=match.pk)
    return match


def latest_call(match: Match) -> Dispute | None:
    """The call that is open, or else the one that was settled last. One query."""
    call = _LATEST_CALL_OF.one(match=match.pk)
    if call is not None:
        call.match = match
    return call


def open_dispute(match: Match) -> Dispute | None:
    """One query."""
    call = latest_call(match)
    return call if call is not None and call.is_open else None


def open_disputes(topic: str) -> QuerySet[Dispute]:
    """The tables of an evening that call the desk, with their matches and cards, who called first before the
    others. One query."""
    called = Dispute.objects.filter(match__card__topic=topic, match__withdrawn_at=None, settled_at=None)
    return called.select_related("match__card").order_by("pk")


def calls_of(match: Match) -> list[Dispute]:
    """Every call to the desk, the latest first. One query."""
    return list(match.disputes.select_related("settled_by").order_by("-pk"))


def matches_for_lists(matches: Iterable[int]) -> QuerySet[Match]:
    """Matches as lists show them: players, agreements, and ``is_disputed``. Three queries."""
    called = Dispute.objects.filter(match=OuterRef("pk"), settled_at=None)
    return (
        Match.objects.filter(pk__in=matches)
        .select_related("card")
        .prefetch_related(_PLAYERS, "agreements")
        .annotate(is_disputed=Exists(called))
    )


def marks_of(topic: str, people: Iterable[int] | None = None) -> QuerySet[Mark]:
    """Every mark of the matches of an evening, the latest first; of those at whose table one of these people
    sat, where somebody is looked for. With its match, its players and what it took the place of: two
    queries."""
    marks = Mark.objects.filter(match__card__topic=topic)
    if people is not None:
        marks = marks.filter(match__in=Player.objects.filter(person__in=list(people)).values("match"))
    return (
        marks.select_related("match__terms", "match__card", "account", "supersedes")
        .prefetch_related(Prefetch("match__players", queryset=_SEATED))
        .order_by("-pk")
    )


def is_recorded(entry_key: UUID) -> bool:
    """Whether a mark was written under this key, at any table, also if it no longer counts. One query."""
    return Mark.objects.filter(entry_key=entry_key).exists()


def matches_of_last_round(topic: str) -> list[Match]:
    """The matches of an evening's last round, with their cards, by table. One query."""
    standing = Match.objects.filter(card__topic=topic, withdrawn_at=None)
    last = standing.order_by().values("card__topic").annotate(last=Max("round_number")).values("last")
    of_round = standing.filter(round_number=Subquery(last)).select_related("card")
    return list(of_round.order_by("card__number", "pk"))


def phones_at_tables(topic: str) -> list[TablePhone]:
    """What is known of the phones at the tables of an evening. One query."""
    return list(TablePhone.objects.filter(card__topic=topic))


def phones_of_card(card: TableCard) -> list[TablePhone]:
    """The phones at a table, each with ``marked``: how many hands it wrote there. One query."""
    written = Mark.objects.filter(match__card=card, device=OuterRef("device")).order_by()
    count = written.values("device").annotate(count=Count("pk")).values("count")
    return list(card.phones.annotate(marked=Coalesce(Subquery(count), 0)).order_by("pk"))


def tables_with_late_marks(topic: str, since: datetime) -> set[int]:
    """The numbers of the tables from which something has come late since that moment, recorded or refused.
    One query."""
    here, late = Q(match__card__topic=topic, created_at__gte=since), Q(waited__gt=0)
    came = (Mark.objects.filter(late), Agreement.objects.filter(late), RefusedMark.objects.all())
    first, *others = (rows.filter(here).order_by().values_list("match__card__number") for rows in came)
    return {number for (number,) in first.union(*others)}


def matches_with_late_marks(topic: str) -> list[Match]:
    """The matches of an evening of which something came late, the latest round first, each with its marks,
    agreements and the marks that were refused. Five queries."""
    came = Q(match=OuterRef("pk"), waited__gt=0)
    is_late = Exists(Mark.objects.filter(came)) | Exists(Agreement.objects.filter(came))
    refused = RefusedMark.objects.filter(match=OuterRef("pk"))
    matches = Match.objects.filter(is_late | Exists(refused), card__topic=topic, withdrawn_at=None)
    whole = _with_hands(matches).prefetch_related("refused_marks")
    return list(whole.order_by("-round_number", "card__number"))
