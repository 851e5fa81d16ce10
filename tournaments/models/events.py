"""A club night or a tournament, with its settings."""

import datetime
from enum import StrEnum
from typing import TypedDict
from zoneinfo import ZoneInfo

from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.calendar import get_club_today
from clubs.models import Club, RecurringNight
from engine.draws import FORMATS
from engine.draws.stages import StagePlan, find_closed_round, get_slot_stage, is_night_plan, plan_from_json
from engine.phases import Phases, phases_from_json
from engine.ranking import USUAL_ORDER, RankingRules, ranking_rules_from_json
from engine.results import add_progress_metrics, has_bracket, has_stage_progress
from engine.visibility import Names, RanksRelease, Release, Results, Visibility, get_visibility
from scoring.models import Terms
from scoring.stored_values import NESTED_RULESET_STEPS
from tournaments.announcement import Announcement, announcement_from_json
from tournaments.cash_rules import CashRules
from tournaments.fee_rates import Rates
from tournaments.lifecycle import EventState, RoundState
from versioning import (
    CODE,
    INTERNAL,
    UNRECORDED,
    FieldFacts,
    Form,
    Text,
    VersionedJSONField,
    declare_facts,
    keep_unchanged,
)


def usual_ranking() -> dict[str, list[str]]:
    return {"order": list(USUAL_ORDER)}


def usual_stages() -> list[dict[str, str]]:
    return [{"format": "random"}]


def _build_choices(kinds: type[StrEnum]) -> list[tuple[str, str]]:
    return [(kind.value, kind.name) for kind in kinds]


class ReleaseColumns(TypedDict):
    """Public visibility, by the columns of an event."""

    is_public: bool
    shows_entries: bool
    shows_draw: bool
    shows_results: str
    silent_from: int | None
    shows_standings: str
    shows_names: str


def release_columns(release: Release) -> ReleaseColumns:
    """Return the columns for a release, as ``Event.release`` reads them."""
    return {
        "is_public": release.is_public,
        "shows_entries": release.entries,
        "shows_draw": release.draw,
        "shows_results": release.results.value,
        "silent_from": release.silent_from,
        "shows_standings": release.ranked.value,
        "shows_names": release.names.value,
    }


class Event(models.Model):
    """A club night or a tournament. ``short`` is the last part of its public address.

    ``stages`` say how its rounds are drawn, in order, as ``draws.stages.parse_stage_plan`` reads them. ``sections``
    are groups with their own standings and perhaps tables: ``[{"name": "Beginners", "first_table": 1,
    "last_table": 8}]``, the last two null for any table.
    ``boards`` are its wall screens, as ``boards_from_json`` reads them, and ``messages`` those of the desk,
    as ``messages_from_json`` does; ``announcement_data`` is its ``announcement``. Its tables are in rows of
    ``hall_row``, 0 if unknown, and every other row is numbered backwards if it ``hall_snakes``.
    ``ranking`` has the metrics in order; ``lot`` is the seed of its lots. ``is_seeded``: the starting list is
    ordered by strength, not by time of entry. ``kept_apart`` are entries that the director keeps from
    meeting, as ``tournaments.entries.bonds`` reads them. ``captain_keys`` are those of the captains' links of teams
    that were renamed, by the key of the name. ``hand_counts`` are the club's own hands when it started, made and
    failed by contract; None if there were too few. With ``signs_up``, people sign up online; beyond
    ``most_entries`` they wait. ``member_fee`` and ``guest_fee`` are in cents. With ``prizes_add_up``, one
    entry may win in several prize categories; ``prize_share``, ``rounding_step`` and ``starting_cash`` are
    its ``cash_rules``. ``key`` is the id of the form that created it, ``night`` its night of the calendar.
    ``is_put_away``: archived, created by mistake and hidden everywhere until restored; ``is_arriving``: being
    imported, and archived until it is complete.
    What is public is its ``release``, stored in ``is_public``, ``shows_…`` and ``silent_from``; ``final`` is
    the number of the standings published as final, None before.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    short = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    held_on = models.DateField()
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="events")
    table_count = models.PositiveSmallIntegerField()
    stages = VersionedJSONField(default=usual_stages)
    sections = VersionedJSONField(default=list, blank=True)
    phase_data = VersionedJSONField(null=True, blank=True, form=Form(NESTED_RULESET_STEPS))
    boards = VersionedJSONField(default=list, blank=True)
    messages = VersionedJSONField(default=list, blank=True)
    announcement_data = VersionedJSONField(default=dict, blank=True, form=Form((keep_unchanged, keep_unchanged)))
    hall_row = models.PositiveSmallIntegerField(default=0, db_default=0)
    hall_snakes = models.BooleanField(default=False, db_default=False)
    ranking = VersionedJSONField(default=usual_ranking)
    lot = models.BigIntegerField(default=0)
    is_seeded = models.BooleanField(default=False)
    kept_apart = VersionedJSONField(default=list, blank=True)
    captain_keys = VersionedJSONField(null=True, blank=True)
    hand_counts = VersionedJSONField(null=True, blank=True)
    signs_up = models.BooleanField(default=False)
    most_entries = models.PositiveSmallIntegerField(null=True, blank=True)
    member_fee = models.PositiveIntegerField(default=0)
    guest_fee = models.PositiveIntegerField(default=0)
    prizes_add_up = models.BooleanField(default=False, db_default=False)
    prize_share = models.PositiveSmallIntegerField(default=0, db_default=0)
    rounding_step = models.PositiveSmallIntegerField(default=1, db_default=1)
    starting_cash = models.PositiveIntegerField(default=0, db_default=0)
    state = models.CharField(max_length=12, choices=EventState, default=EventState.PREPARING)
    key = models.UUIDField(null=True, blank=True)
    night = models.ForeignKey(RecurringNight, on_delete=models.SET_NULL, null=True, blank=True, related_name="events")
    is_put_away = models.BooleanField(default=False)
    is_arriving = models.BooleanField(default=False, db_default=False)
    is_public = models.BooleanField(default=True)
    shows_entries = models.BooleanField(default=True)
    shows_draw = models.BooleanField(default=True)
    shows_results = models.CharField(max_length=12, choices=_build_choices(Results), default=Results.HANDS)
    silent_from = models.PositiveSmallIntegerField(null=True, blank=True)
    shows_standings = models.CharField(max_length=12, choices=_build_choices(RanksRelease), default=RanksRelease.LIVE)
    shows_names = models.CharField(max_length=12, choices=_build_choices(Names), default=Names.AGREED)
    final = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    FACTS = declare_facts(
        {INTERNAL: "club terms lot key", CODE: "short kept_apart captain_keys hand_counts", UNRECORDED: "created_at"},
        name=FieldFacts(_("Name"), text=Text.TITLE),
        held_on=FieldFacts(_("Day")),
        table_count=FieldFacts(_("Tables")),
        stages=FieldFacts(_("Stages"), "stages", text=Text.TYPED),
        sections=FieldFacts(_("Sections"), "named", text=Text.TYPED),
        phase_data=FieldFacts(_("Stage settings"), "phases", text=Text.TYPED),
        boards=FieldFacts(_("Wall screens"), "named", text=Text.TYPED),
        messages=FieldFacts(_("Messages"), "messages", text=Text.TYPED),
        announcement_data=FieldFacts(_("Event details"), "announcement", text=Text.TYPED),
        hall_row=FieldFacts(_("Tables per row")),
        hall_snakes=FieldFacts(_("Tables numbered back and forth")),
        ranking=FieldFacts(_("Ranking rules"), "ranking", text=Text.CODE),
        is_seeded=FieldFacts(_("Starting list by strength")),
        signs_up=FieldFacts(_("Public sign-up")),
        most_entries=FieldFacts(_("Maximum entries")),
        member_fee=FieldFacts(_("Member fee"), "amount"),
        guest_fee=FieldFacts(_("Guest fee"), "amount"),
        prizes_add_up=FieldFacts(_("Several prizes per entry")),
        prize_share=FieldFacts(_("Share of fees for prizes, in percent")),
        rounding_step=FieldFacts(_("Prizes rounded to"), "amount"),
        starting_cash=FieldFacts(_("Starting cash"), "amount"),
        state=FieldFacts(_("Status")),
        night=FieldFacts(_("Recurring night")),
        is_put_away=FieldFacts(_("Archived")),
        is_arriving=FieldFacts(_("Importing")),
        is_public=FieldFacts(_("Visible to everyone")),
        shows_entries=FieldFacts(_("Public entry list")),
        shows_draw=FieldFacts(_("Public pairings")),
        shows_results=FieldFacts(_("Public results"), "results"),
        silent_from=FieldFacts(_("Results hidden from"), "round"),
        shows_standings=FieldFacts(_("Public standings"), "ranks"),
        shows_names=FieldFacts(_("Public names"), "names"),
        final=FieldFacts(_("Final standings published")),
    )

    class Meta:
        ordering = ["-held_on", "-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "key"], name="one_event_per_form")]
        indexes = [models.Index(fields=["club", "-held_on", "-id"], name="last_events_of_a_club")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.short])

    @property
    def public_page(self) -> str:
        """Path of its public page; "" while it is not public."""
        return self.get_absolute_url() if self.is_public and not self.is_put_away else ""

    @property
    def is_mirror(self) -> bool:
        """Whether another installation runs it, and this one shows a copy."""
        return self.terms.mirrored_at is not None

    @property
    def topic(self) -> str:
        """Topic of the event's changes, also that of its table cards."""
        return f"event:{self.pk}"

    @property
    def topics(self) -> tuple[str, str]:
        """Topics of all pages of this event: the event, and the people whose names they show."""
        return self.topic, self.club.topic

    @property
    def release(self) -> Release:
        """Visibility to the public, as the organizer set it."""
        return Release(
            is_public=self.is_public,
            entries=self.shows_entries,
            draw=self.shows_draw,
            results=Results(self.shows_results),
            silent_from=self.silent_from,
            ranked=RanksRelease(self.shows_standings),
            names=Names(self.shows_names),
        )

    @property
    def visible(self) -> Visibility:
        """Current visibility to the public. No query, unless a phase is released at a time of its own: then
        one."""
        phases, is_final = self.phases, self.final is not None
        has_own_release = not is_final and any(phase.settings.released is not None for phase in phases)
        stages_by_round = self._map_round_stages() if has_own_release else None
        return get_visibility(self.release, is_final=is_final, phases=phases, stages_by_round=stages_by_round)

    def _map_round_stages(self) -> dict[int, set[int]]:
        """Return the stages, from 0, of each published round. One query."""
        rounds = self.rounds.exclude(state=RoundState.DRAFT).order_by("number")
        found: dict[int, set[int]] = {}
        for number, table, bye in rounds.values_list("number", "seatings__table__slot", "seatings__slot").distinct():
            found.setdefault(number, set()).add(get_slot_stage(table or bye or ""))
        return found

    @property
    def announcement(self) -> Announcement:
        """The event details written for the public."""
        return announcement_from_json(self.announcement_data)

    @property
    def last_day(self) -> datetime.date:
        """Its day, or the last one of several."""
        return self.announcement.last_day or self.held_on

    @property
    def days(self) -> tuple[datetime.date, datetime.date]:
        """The first and the last day, which may be the same."""
        return self.held_on, self.last_day

    @property
    def begins(self) -> datetime.datetime | datetime.date:
        """Start by the club's clock; only the day if neither it nor the calendar gives a time."""
        starts_at, _ = self.hours
        return self.held_on if starts_at is None else self._combine_day_and_hour(self.held_on, starts_at)

    @property
    def ends(self) -> datetime.datetime | datetime.date | None:
        """Planned end, perhaps after midnight. Without a time, the last day of several, or None for one
        day."""
        starts_at, ends_at = self.hours
        if starts_at is None or ends_at is None:
            return None if self.last_day == self.held_on else self.last_day
        return self._combine_day_and_hour(self.last_day, ends_at) + datetime.timedelta(days=int(ends_at <= starts_at))

    @property
    def hours(self) -> tuple[datetime.time | None, datetime.time | None]:
        """Times of the start and end by the club's clock; None if unknown."""
        announcement = self.announcement
        if announcement.starts_at is not None or self.night is None:
            return announcement.starts_at, announcement.ends_at
        return self.night.starts_at, self.night.ends_at

    def _combine_day_and_hour(self, day: datetime.date, hour: datetime.time) -> datetime.datetime:
        return datetime.datetime.combine(day, hour, tzinfo=ZoneInfo(self.club.time_zone))

    @property
    def is_sign_up_open(self) -> bool:
        """Whether people can sign up online now."""
        return self.signs_up and self.is_sign_off_open

    @property
    def is_sign_off_open(self) -> bool:
        """Whether people can cancel their sign-up now: until the last day to sign up, unless the event is
        cancelled."""
        announcement = self.announcement
        is_late = announcement.sign_up_until is not None and get_club_today(self.club) > announcement.sign_up_until
        return self.state == EventState.PREPARING and not is_late and not announcement.is_called_off

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or its standings are final although nobody has ended it."""
        is_final = self.state == EventState.RUNNING and self.final is not None
        return self.state == EventState.ENDED or is_final

    @property
    def place(self) -> str:
        """Place in the event details, else in the calendar, else the club's hall; "" if unknown."""
        return self.announcement.place or (self.night.hall if self.night is not None else self.club.hall)

    @property
    def address(self) -> str:
        """Address of its place, as far as it is known."""
        announcement = self.announcement
        return announcement.address or ("" if announcement.place else self.club.get_place_address(self.place))

    @property
    def own_hand_count(self) -> int:
        """The number of the club's own hands behind its chances of winning; 0 if it had too few."""
        return sum(map(sum, (self.hand_counts or {}).values()))

    @property
    def rates(self) -> Rates:
        return Rates(member=self.member_fee, guest=self.guest_fee)

    @property
    def cash_rules(self) -> CashRules:
        return CashRules(
            prize_share=self.prize_share, rounding_step=self.rounding_step, starting_cash=self.starting_cash
        )

    @property
    def plan(self) -> StagePlan:
        return plan_from_json(self.stages)

    @property
    def phases(self) -> Phases:
        """The settings that stages, sections and later rounds have of their own."""
        return phases_from_json(self.phase_data)

    @property
    def has_custom_terms(self) -> bool:
        """Whether some matches may have a ruleset, a length or a tie rule that the event has not."""
        return bool(self.phase_data) or (self.has_bracket and self.terms.match_format.may_stop_in_a_game)

    @property
    def has_phase_tables(self) -> bool:
        """Whether a phase has tables of its own."""
        return any(phase.settings.tables is not None for phase in self.phases)

    @property
    def has_own_tables(self) -> bool:
        """Whether a phase or a section has tables of its own."""
        return self.has_phase_tables or any(section["first_table"] is not None for section in self.sections)

    @property
    def counts_games(self) -> bool:
        """Whether a match can have several games, in any phase."""
        lengths = [self.terms.match_format, *(phase.settings.match_format for phase in self.phases)]
        return any(length.counts_games for length in lengths if length is not None)

    @property
    def is_night(self) -> bool:
        """Whether it is a club night; any other event is a tournament."""
        return is_night_plan(self.plan) and self.held_on == self.last_day

    @property
    def has_stage_progress(self) -> bool:
        """Whether there are stages to reach, or a place in a bracket."""
        return has_stage_progress(self.plan)

    @property
    def has_bracket(self) -> bool:
        return has_bracket(self.plan)

    @cached_property
    def closed_round(self) -> int | None:
        """First round in which a late entry has no place; None if there is none, or play decides. One query if there
        are brackets or several stages."""
        if len(self.plan) == 1 and not self.has_bracket:
            return None
        return find_closed_round(self.plan, self.entries.filter(is_waiting=False, arrives=1).count())

    @property
    def has_team_matches(self) -> bool:
        """Whether teams meet over several boards in a stage of it."""
        return any(FORMATS[stage.format].has_team_matches for stage in self.plan)

    @property
    def has_home_teams(self) -> bool:
        """Whether each team match is played at the place of one of the teams."""
        return self.has_team_matches and any(stage.settings.get("home") for stage in self.plan)

    @property
    def division_moves(self) -> int:
        """The number of teams that change between two sections, as divisions, after the season."""
        return max((stage.settings.get("moves") or 0 for stage in self.plan), default=0)

    @property
    def is_interclub(self) -> bool:
        """Whether clubs meet as teams and are ranked by their meetings."""
        return any(FORMATS[stage.format].is_interclub for stage in self.plan)

    @property
    def ranks_clubs_first(self) -> bool:
        """Whether clubs or teams meet, so that their standings come before those of their entries."""
        return self.is_interclub or self.has_team_matches

    @property
    def ranking_rules(self) -> RankingRules:
        """Ranking rules; how far an entry came, if the event has it, is ranked before the chosen metrics."""
        return add_progress_metrics(ranking_rules_from_json(self.ranking), self.plan, self.phases)

    @property
    def draws_partners(self) -> bool:
        """Whether people enter alone and get a partner for each round."""
        return FORMATS[self.stages[0]["format"]].draws_partners

    @property
    def fewest_entries(self) -> int:
        """Fewest entries for a first round with a table."""
        first = self.plan[0]
        return FORMATS[first.format].min_entrants(first.settings)

    @cached_property
    def entry_size(self) -> int:
        """Number of people in one entry: one where partners are drawn or two people play."""
        return FORMATS[self.stages[0]["format"]].get_entry_size(self.terms.ruleset.seats)
