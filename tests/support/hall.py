"""A hall with a running night: its tables, its phones and its desk."""

from datetime import time, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.utils import timezone

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.models import Account, ApiToken, LinkPurpose, MailedLink, Membership, Passkey, Role, SecondFactor, Webhook
from clubs.services.calendar import NightDetails, add_recurring_night, move_date
from clubs.services.dues import PeriodDetails, ask_dues
from clubs.services.house_rules import create_house_rules
from clubs.services.night_templates import save_night_template
from clubs.services.privacy import IncidentDetails, add_incident
from clubs.services.second_factor import generate_sealed_secret
from clubs.services.team import InvitationSecret, invite
from clubs.services.tokens import make_token
from clubs.services.webhooks import add_webhook
from clubs.uploads import READ, store_files
from engine.planning import PlanQuestion
from federations.models import Federation
from federations.services.federation_settings import open_federation
from federations.services.feed_refresh import combine_feeds
from federations.services.publishing import switch_feed_on, write_feed
from jobs.services import enqueue
from scoring.models import Match, TableCard
from tests.builders import (
    TUESDAY,
    build_account,
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    matches_of,
)
from tests.saved_states import saved_state
from tests.tournaments.imports.night_sheets import RIGHT
from tournaments.board.boards import Board
from tournaments.board.services import add_board
from tournaments.entries.services.sign_up import change_sign_up, sign_up
from tournaments.entries.services.teams import set_team
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.writer import serialize_event_file
from tournaments.events.event_settings import event_settings_to_json, read_event_settings
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.fee_rates import Rates
from tournaments.imports.services.uploaded_events import receive_event_file
from tournaments.imports.uploaded_nights import UploadedNight, save_night
from tournaments.interclub.services.invitations import (
    InvitationTarget,
    accept_for_club,
    assign_to_series,
    create_invitation_link,
    invite_club,
)
from tournaments.interclub.services.visitors import enter_for_club
from tournaments.interclub.views.team_lineups import build_captain_link
from tournaments.models import Event, PersonRecord, Season
from tournaments.money.services.fees import change_rates
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.planner.services import request_plan
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.rounds import draw_round
from tournaments.seasons.services import open_season, refresh_seasons
from tournaments.signing.services import change_signing_key

from .browser import Browser, Page
from .feeds import SEASON_END, SEASON_START, build_feed, create_followed_feed

NETWORK = "http://192.0.2.40:{}/"


def find_network_address(host: str, port: int, scheme: str, *, is_chosen: bool) -> str | None:
    """Return the address at which the phones of a hall reach this computer."""
    return None if is_chosen else NETWORK.format(port).replace("http", scheme, 1)


def find_no_address(host: str, port: int, scheme: str, *, is_chosen: bool) -> str | None:
    """Return None: no phone can reach this computer."""
    return None


class Hall:
    """A running night, its organizer's browser, and phones with an IP address each."""

    def __init__(self, pairs: int = 4, **settings: Any) -> None:
        self.owner, self.event = _build_night_with_owner(pairs, **settings)
        self.phones = 0

    @cached_property
    def desk(self) -> Browser:
        return Browser(account=self.owner)

    @property
    def match(self) -> Match:
        """The match at table 1."""
        return matches_of(self.event)[0]

    @property
    def last_match(self) -> Match:
        """The match that was opened last."""
        return Match.objects.filter(card__topic=self.event.topic).latest("pk")

    @property
    def card(self) -> TableCard:
        """The card of table 1."""
        return TableCard.objects.get(topic=self.event.topic, number=1)

    @property
    def code(self) -> str:
        return self.card.code

    @property
    def table(self) -> str:
        """The address of table 1."""
        return f"/t/{self.code}"

    @property
    def desk_match(self) -> str:
        """The address of table 1 at the desk."""
        return f"/match/{self.match.pk}"

    @cached_property
    def recurring_night(self) -> str:
        """The address of a weekly night of the calendar, from today; next week's is postponed."""
        club = self.event.club
        details = NightDetails(name="Our Tuesdays", pattern="weekly", first_on=get_club_today(club), starts_at=time(19))
        night = add_recurring_night(club_id=club.pk, details=details)
        assert night is not None
        move_date(
            club_id=club.pk,
            night_id=night.pk,
            on=night.first_on + timedelta(days=7),
            moved_to=night.first_on + timedelta(days=9),
            reason="storm",
        )
        return f"/club/{club.slug}/calendar/{night.pk}"

    @property
    def night_template(self) -> str:
        """The address of a night template with the settings of this event, created at the first call."""
        club, settings = self.event.club, event_settings_to_json(read_event_settings(self.event))
        template = save_night_template(club_id=club.pk, name="Our Tuesdays", settings=settings)
        return f"/club/{club.slug}/usual/{template.pk}"

    @cached_property
    def log(self) -> str:
        """The address of the club's results log, which contains a change of its key."""
        change_signing_key(club_id=self.event.club_id)
        return f"/c/{self.event.club.slug}/log"

    @property
    def house_rules(self) -> str:
        """The address of the club's house rules, created at the first call."""
        club = self.event.club
        rules = create_house_rules(club=club, name="Our Tuesdays", base="maine", difference={"target": 25})
        return f"/club/{club.slug}/house-rules/{rules.pk}"

    @property
    def person(self) -> str:
        """The address of a player."""
        club = self.event.club
        return f"/club/{club.slug}/people/{club.people.earliest('pk').pk}"

    @cached_property
    def incident(self) -> str:
        """The address of an entry in the register of incidents."""
        club = self.event.club
        day = get_club_today(club)
        details = IncidentDetails(happened_on=day, noticed_on=day, what="A list was lost", information="Names")
        return f"/club/{club.slug}/privacy/incidents/{add_incident(club_id=club.pk, details=details).pk}"

    @property
    def fee(self) -> str:
        """The address of a player's fee for the night, which costs 5 $."""
        change_rates(event_id=self.event.pk, rates=Rates(member=500, guest=500))
        return f"/e/{self.event.short}/desk/fees/{self.event.entries.all()[0].player_1_id}"

    @cached_property
    def prize(self) -> str:
        """The address of a prize of the night."""
        person = self.event.entries.all()[0].player_1_id
        given = give_prize(event_id=self.event.pk, winners=[person], details=PrizeDetails(name="Ham", is_public=True))
        assert given is not None
        return f"/e/{self.event.short}/desk/prizes/{given.pk}"

    @cached_property
    def board(self) -> str:
        """The address of a wall screen's settings at the desk."""
        added = add_board(event_id=self.event.pk, details=Board(name="Large hall"))
        assert added is not None
        return f"/e/{self.event.short}/desk/boards/{added.number}"

    @cached_property
    def prize_category(self) -> str:
        """The address of a prize category of the night."""
        details = CategoryDetails(name="Best women", among="label", group="Women", amounts=(5000,))
        added = add_prize_category(event_id=self.event.pk, details=details)
        assert added is not None
        return f"/e/{self.event.short}/desk/prizes/categories/{added.pk}"

    @cached_property
    def dues(self) -> str:
        """The address of the club's dues for this year."""
        club, today = self.event.club, get_club_today(self.event.club)
        details = PeriodDetails(name="2026", amount=2000, starts=today, ends=today)
        dues_period = ask_dues(club_id=club.pk, details=details)
        assert dues_period is not None
        return f"/club/{club.slug}/dues/{dues_period.pk}"

    @property
    def membership(self) -> Membership:
        """The owner's membership."""
        return Membership.objects.get(club=self.event.club, account=self.owner)

    def build_token(self) -> ApiToken:
        """Create an API key for reading."""
        by = Actor(account=self.owner)
        return make_token(club_id=self.event.club_id, name="Tableur", scope="read", days=30, by=by).token

    @cached_property
    def webhook(self) -> Webhook:
        """A webhook with a delivered message in its log."""
        by = Actor(account=self.owner)
        made = add_webhook(
            club_id=self.event.club_id, address="https://example.org/hook", kinds=["table.result"], by=by
        )
        made.webhook.deliveries.create(
            message_id="msg_1",
            kind="table.result",
            ordering_key=self.event.topic,
            subject="1/1",
            state="delivered",
        )
        return made.webhook

    def build_invitation(self, role: str = Role.DESK) -> InvitationSecret:
        """Create an invitation by the owner."""
        by = Actor(account=self.owner)
        return invite(club_id=self.event.club_id, role=role, note="Noëlla", by=by)

    @property
    def club_change(self) -> str:
        """The address of a change in the club's history that wrote rows."""
        assert self.recurring_night
        club = self.event.club
        return f"/club/{club.slug}/history/{club.actions.filter(kind='add_recurring_night').latest('pk').pk}"

    @cached_property
    def passkey(self) -> Passkey:
        """The owner's passkey, on a phone."""
        now = timezone.now()
        return Passkey.objects.create(
            account=self.owner, name="My phone", host="localhost", credential_id="AA", made_at=now
        )

    @property
    def app(self) -> str:
        """The address of the owner's authenticator app, added at the first call."""
        sealed, now = generate_sealed_secret(), timezone.now()
        SecondFactor.objects.get_or_create(
            account=self.owner, defaults={"sealed": sealed, "last_step": 0, "made_at": now}
        )
        return "/account/app"

    @cached_property
    def mailed_link(self) -> str:
        """The address of a mailed link with which the owner confirms an e-mail address."""
        MailedLink.objects.create(
            purpose=LinkPurpose.ADDRESS,
            email="owner@example.org",
            account=self.owner,
            asked_at=timezone.now(),
            lasts_until=timezone.now() + timedelta(minutes=15),
            digest=sha256(b"mailed").hexdigest(),
        )
        return "/link/mailed"

    @cached_property
    def comparison(self) -> str:
        """The address that compares the draft of another night of the club."""
        other = start_event(event_id=build_event(4, club=self.event.club).pk)
        draw_round(event_id=other.pk, seed=1)
        return f"/e/{other.short}/desk/rounds/1/comparison"

    @cached_property
    def sign_up_entry(self) -> str:
        """The address of a sign-up for another night of the club."""
        other = build_event(4, club=self.event.club)
        change_sign_up(event_id=other.pk, is_open=True, most_entries=None)
        key = uuid4()
        sign_up(event_id=other.pk, players=("Zoé Zed", "Yves Yale"), by=Actor(key=key))
        return f"/e/{other.short}/sign-up/{key}"

    @cached_property
    def plan(self) -> str:
        """The address of a plan of the club that is not computed yet."""
        question = PlanQuestion(people=8, tables=2, minutes=120)
        made = request_plan(club=self.event.club, question=question, key=uuid4())
        return f"/club/{self.event.club.slug}/plan/{made.pk}"

    @cached_property
    def event_import(self) -> str:
        """The address of an event file that waits to be imported."""
        file = receive_event_file(club=self.event.club, content=serialize_event_file(build_event_file(self.event)))
        return f"/club/{self.event.club.slug}/import/{file.token}"

    @cached_property
    def upload(self) -> str:
        """The address of a workbook that waits to be read."""
        club = self.event.club
        page = f"/club/{club.slug}/people/import"
        stored_files = store_files(club, page=page, fields={}, files={"list.xlsx": b"PK\x03\x04"})
        enqueue(kind=READ, key=stored_files.key, topic=stored_files.topic, club_id=club.pk)
        return f"/club/{club.slug}/uploads/{stored_files.token}"

    @cached_property
    def night_import(self) -> str:
        """The address of a recorded night that waits to be imported."""
        night = UploadedNight(name="Last Tuesday", held_on=TUESDAY, files=RIGHT)
        return f"/club/{self.event.club.slug}/import-night/{save_night(self.event.club, night)}"

    @cached_property
    def season(self) -> str:
        """The end of the address of a season with a played night and two standings."""
        played = build_played_night(4, club=self.event.club)
        compute_standings(played)
        season = open_season(
            club=self.event.club,
            name="Autumn",
            starts=played.held_on,
            ends=played.held_on,
            ladders=[{"name": "General"}, {"name": "Pairs", "unit": "pair"}],
        )
        refresh_seasons(club_id=season.club_id)
        return f"seasons/{season.pk}"

    @property
    def season_line(self) -> str:
        """The address of the nights of the first line of that season's standings."""
        season = Season.objects.get(club=self.event.club, pk=int(self.season.rpartition("/")[2]))
        return f"/c/{self.event.club.slug}/{self.season}/0/{season.rows[0][0]['players'][0]}"

    @cached_property
    def federation(self) -> str:
        """The end of the address of a federation of the club.

        It follows another club, and the club's own feed is on.
        """
        club = self.event.club
        switch_feed_on(club_id=club.pk)
        write_feed(club.pk)
        federation_row = open_federation(
            club_id=club.pk, name="Région", starts=SEASON_START, ends=SEASON_END, ladder={"counts": "match_wins"}
        )
        create_followed_feed(federation_row, build_feed(nights=10))
        combine_feeds(federation_row.pk)
        return f"federations/{federation_row.pk}"

    @property
    def saved_federation(self) -> Federation:
        """The row of that federation."""
        return Federation.objects.get(pk=int(self.federation.rpartition("/")[2]))

    @property
    def federation_line_key(self) -> str:
        """The key of the first line of the federation's standings."""
        return str(self.saved_federation.worked_out["ladder"][0]["key"])

    @cached_property
    def played_person(self) -> str:
        """The address of a player of ten finished nights."""
        for _ in range(10):
            night = build_played_night(4, club=self.event.club)
            end_event(event_id=night.pk)
        refresh_ratings(club_id=self.event.club_id)
        return self.person

    @cached_property
    def partner(self) -> int:
        """The id of a partner of that player."""
        person_record = PersonRecord.objects.get(person=int(self.played_person.rpartition("/")[2]))
        return int(person_record.record["partners"][0][0])

    @property
    def records(self) -> str:
        """The address of the club's records, which contain some."""
        assert self.played_person
        return f"/c/{self.event.club.slug}/records"

    @cached_property
    def shared_event(self) -> str:
        """The address of an event of another club in which the club has a pair and may enter more."""
        club, other = self.event.club, build_event(4, club=build_club("Club de Matane"), tables=6)
        invited = invite_club(target=InvitationTarget(event_id=other.pk), club_id=club.pk)
        accept_for_club(club_id=club.pk, invited_id=invited.pk)
        people = [person.pk for person in club.people.order_by("pk")[:2]]
        enter_for_club(club_id=club.pk, event_id=other.pk, people=people)
        return f"/club/{club.slug}/interclub/{other.short}"

    @cached_property
    def team_event(self) -> Event:
        """Another night of the club, drawn with a team of two pairs against a team of three."""
        event = build_event(5, club=self.event.club, draw_format="teams")
        set_team(event_id=event.pk, numbers=(1, 2), team="Amqui")
        draw_round(event_id=start_event(event_id=event.pk).pk, seed=1)
        return event

    @property
    def captain_page(self) -> str:
        """The address at which a captain gives the line-up."""
        return build_captain_link(self.team_event, "Amqui")

    @cached_property
    def series(self) -> str:
        """The address of the clubs of a series that the club has opened and in which its event counts."""
        club, held_on = self.event.club, self.event.held_on
        season = open_season(
            club=club,
            name="Interclub",
            starts=held_on,
            ends=held_on,
            ladders=[{"name": "Clubs", "unit": "club", "counts": "match_wins"}],
            is_shared=True,
        )
        assign_to_series(event_id=self.event.pk, season_id=season.pk)
        invite_club(target=InvitationTarget(season_id=season.pk), club_id=build_club("Club de Matane").pk)
        return f"/club/{club.slug}/seasons/{season.pk}/clubs"

    @property
    def club_link(self) -> str:
        """The address of a link with which another club joins an event of the club."""
        event = build_event(0, club=self.event.club)
        return f"/interclub/{create_invitation_link(target=InvitationTarget(event_id=event.pk)).secret}"

    def add_phone(self, *, address: str = "", language: str = "en") -> Browser:
        self.phones += 1
        return Browser(address=address or f"192.0.2.{self.phones}", language=language)


@saved_state
def _build_night_with_owner(pairs: int, **settings: Any) -> tuple[Account, Event]:
    owner = build_account()
    return owner, build_running_night(pairs, club=build_club(owner=owner), **settings)


def tap(browser: Browser, page: Page, notation: str, **details: Any) -> Page:
    """Tap a key such as ``A-6-7`` or ``B-mulot-failed`` on the page, which records the hand."""
    button = page.find_one("button", name="said", value=notation)
    return browser.send(page, page.find_one(id=button.attrs["form"]), ("said", notation), **details)


def build_hand_form(match: Match, /, **fields: Any) -> dict[str, Any]:
    """Build the form of a hand with any values, as a client that ignores the keys would."""
    first = {"match": match.pk, "entry_key": str(uuid4()), "number": match.summary["next"], "confirmed": "1"}
    return first | {"side": "A", "contract": "6", "tricks": "7"} | fields


def post_form(browser: Browser, path: str, data: dict[str, Any], *, follow: bool = True) -> Page:
    """Post a form that no page has, with the token that the browser has, or that of the home page."""
    if "csrftoken" not in browser.client.cookies:
        browser.open("/")
    token = browser.client.cookies["csrftoken"].value
    return Page(browser.client.post(path, data | {"csrfmiddlewaretoken": token}, follow=follow))


def press_kind(browser: Browser, page: Page, kind: str, **typed: Any) -> Page:
    """Press the button of this kind of hand."""
    form = next(form for form in page.find_all("form") if list(form.find_all("button", name="kind", value=kind)))
    return browser.send(page, form, ("kind", kind), **typed)


def confirm_hand(browser: Browser, page: Page, **typed: Any) -> Page:
    return browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"), **typed)
