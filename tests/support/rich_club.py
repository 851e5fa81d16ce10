"""A club in which a person's present and two earlier names appear wherever a name can appear."""

import datetime
import json
from typing import Any
from uuid import uuid4

from clubs.audit.log import Actor
from clubs.models import Club, Invitation, Person
from clubs.services.calendar import NightDetails, add_recurring_night, cancel_date
from clubs.services.dues import PeriodDetails, ask_dues, pay_dues
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.privacy import IncidentDetails, add_incident, defer_erasure
from clubs.services.team import invite
from clubs.services.undo import undo_club_action
from engine.planning import PlanQuestion
from jobs.models import Job
from scoring.services.agreement import call_desk, settle_call
from tests.builders import (
    TUESDAY,
    build_account,
    build_club,
    build_event,
    compute_standings,
    import_people,
    mark,
    matches_of,
    play_round,
    start_next_round,
)
from tests.saved_states import saved_state
from tests.support.push_service import PushBrowser
from tournaments.alerts.services import subscribe_to_alerts
from tournaments.entries.services.check_in import mark_family_present, mark_present
from tournaments.entries.services.entries import add_entry, remove_entry
from tournaments.entries.services.entry_actions import (
    adjust_entry,
    correct_player_name,
    describe_entry,
    substitute_player,
)
from tournaments.entries.services.identities import recognize_players
from tournaments.entries.services.merging import merge_people
from tournaments.entries.services.sign_up import change_sign_up, sign_off, sign_up
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.fee_rates import Rates
from tournaments.mirrors.queries import build_snapshot_parts
from tournaments.models import Event, SentEvent
from tournaments.money.services.door_prizes import draw_door_prize
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category, label_entries
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.planner.services import request_plan
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.rounds import draw_round
from tournaments.seasons.services import close_season, open_season, refresh_seasons
from web.names import fold_name

NAME = "Hélène Bérubé-Côté"
OTHER_SPELLING = "Helene Berube-Cote (mère)"
MARRIED_NAME = "Hélène Zwicker"
ALL_NAMES = (NAME, OTHER_SPELLING, MARRIED_NAME)
CONTACT = "418 555-0199"
FAMILY = "Bérubé-Zwicker"


def build_details(name: str, **more: Any) -> PersonDetails:
    return PersonDetails(name=name, **more)


def build_actor() -> Actor:
    return Actor(key=uuid4(), reason=f"{NAME} l’a demandé")


class RichClub:
    """A club with a ``person`` who was merged, renamed and complained of, and has played and won prizes."""

    def __init__(self) -> None:
        self.owner = build_account()
        self.club: Club = build_club(owner=self.owner)
        self._add_people()
        self.night = self._play_night()
        self.other_night = self._play_night()
        self._add_draft()
        self._add_season()
        self._add_calendar()
        self._add_money()
        self._add_other_rows()
        self._add_phone()
        self._hand_over_night()

    def _hand_over_night(self) -> None:
        """Hand the night over to another installation, which has not received it yet."""
        file, _ = build_snapshot_parts(self.night)
        SentEvent.objects.create(event=self.night, handed_over=json.dumps(file, ensure_ascii=False))

    def _add_phone(self) -> None:
        address = PushBrowser("https://fcm.googleapis.com/fcm/send/phone").address
        subscribe_to_alerts(event=self.night, person=self.person, channel="webpush", address=address, language="fr")

    def _add_people(self) -> None:
        club = self.club
        import_people(club_id=club.pk, text=f"Marcel Cyr\n{OTHER_SPELLING}\nLise Roy", by=build_actor())
        self.person: Person = add_person(
            club_id=club.pk,
            details=build_details(MARRIED_NAME, contact=CONTACT, family=FAMILY, labels=("Femmes",)),
            by=build_actor(),
        )
        self.change_person(shows_full_name=True)
        other = club.people.get(name=OTHER_SPELLING)
        merge_people(club_id=club.pk, target_id=self.person.pk, source_id=other.pk, by=build_actor())
        undone = undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
        undo_club_action(club_id=club.pk, action_id=undone.pk, by=build_actor())
        defer_erasure(club_id=club.pk, person_id=self.person.pk, until=datetime.date(2090, 1, 1), by=build_actor())

    def change_person(self, **more: Any) -> None:
        details_values = {"contact": CONTACT, "family": FAMILY, "labels": ("Femmes",), **more}
        change_person(
            club_id=self.club.pk,
            person_id=self.person.pk,
            details=build_details(NAME, **details_values),
            by=build_actor(),
        )

    def _play_night(self) -> Event:
        """Let the person sign up, sign off, be entered, substituted and adjusted, and win a prize."""
        event = build_event(3, club=self.club, tables=4)
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        key = uuid4()
        sign_up(event_id=event.pk, players=(NAME, "Marcel Cyr"), by=Actor(key=key))
        recognize_players(event_id=event.pk, identities={fold_name(NAME): self.person.pk}, by=build_actor())
        sign_off(event_id=event.pk, key=key)
        (entry,) = add_entry(event_id=event.pk, players=("Lise Roy", NAME), by=build_actor())
        remove_entry(event_id=event.pk, number=entry.number, by=build_actor())
        (entry,) = add_entry(event_id=event.pk, players=(NAME, "Marcel Cyr"), by=build_actor())
        family = self.club.families.get()
        mark_family_present(event_id=event.pk, family_id=family.pk, by=build_actor())
        start_event(event_id=event.pk)
        drawn = start_next_round(event)
        for number in (1, 2, 3):
            mark_present(event_id=event.pk, number=number, is_present=False)
        mark_present(event_id=event.pk, number=entry.number, is_present=True)
        substitute_player(event_id=event.pk, number=entry.number, place=1, name="Lise Roy", by=build_actor())
        substitute_player(event_id=event.pk, number=entry.number, place=1, name=NAME, by=build_actor())
        for name in (f"{NAME} fils", NAME):
            correct_player_name(event_id=event.pk, number=entry.number, place=1, name=name, by=build_actor())
        for seed in (1, 2):
            draw_door_prize(event_id=event.pk, prize=f"Panier de {NAME}", seed=seed, by=build_actor())
        describe_entry(
            event_id=event.pk,
            number=entry.number,
            section="",
            team=f"Équipe {NAME}",
            rating=None,
            table=None,
            by=build_actor(),
        )
        adjust_entry(
            event_id=event.pk,
            number=entry.number,
            metric="points_for",
            amount=-2,
            round_number=1,
            by=build_actor(),
        )
        match = next(one for one in matches_of(event) if one.players.filter(person=self.person).exists())
        call_desk(match_id=match.pk, note=f"Cote, {MARRIED_NAME} a compté", device=f"@{NAME}")
        settle_call(match_id=match.pk, account=self.owner, ruling=f"{NAME.upper()} a raison")
        mark(match, "misdeal", reason=f"{OTHER_SPELLING} a mêlé", director=self.owner)
        play_round(event, drawn.number)
        compute_standings(event)
        return end_event(event_id=event.pk, by=build_actor())

    def _add_draft(self) -> None:
        event = build_event(3, club=self.club, tables=4)
        Event.objects.filter(pk=event.pk).update(held_on=TUESDAY - datetime.timedelta(weeks=1))
        add_entry(event_id=event.pk, players=(NAME, "Marcel Cyr"), by=build_actor())
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk, seed=1)

    def _add_season(self) -> None:
        season = open_season(
            club=self.club,
            name="Automne",
            starts=TUESDAY,
            ends=TUESDAY,
            ladders=[{"name": "Général"}, {"name": "Paires", "unit": "pair"}, {"name": f"Coupe {NAME}"}],
        )
        refresh_seasons(club_id=self.club.pk)
        close_season(season_id=season.pk, by=build_actor())
        refresh_ratings(club_id=self.club.pk)

    def _add_calendar(self) -> None:
        night = NightDetails(
            name="Mardis",
            pattern="weekly",
            first_on=datetime.date(2027, 1, 5),
            starts_at=datetime.time(19),
            place=f"Chez {NAME}",
        )
        made = add_recurring_night(club_id=self.club.pk, details=night, by=build_actor())
        assert made is not None
        cancel_date(club_id=self.club.pk, night_id=made.pk, on=made.first_on, reason=f"Deuil de {NAME}")

    def _add_money(self) -> None:
        """Pay for a night and for the year, and win prizes that bear the person's name."""
        club, night, person = self.club, self.night, self.person
        change_rates(event_id=night.pk, rates=Rates(member=500, guest=500), by=build_actor())
        pay_fee(event_id=night.pk, person_id=person.pk, by=build_actor())
        ham = PrizeDetails(name=f"Jambon de {NAME}", is_public=True)
        give_prize(event_id=night.pk, winners=[person.pk], details=ham, by=build_actor())
        best = CategoryDetails(name=f"Coupe {NAME}", among="label", group=NAME, prize=f"Coupe de {NAME}")
        add_prize_category(event_id=night.pk, details=best, by=build_actor())
        number = night.entries.get(player_1=person).number
        label_entries(event_id=night.pk, label=NAME, numbers=[number], by=build_actor())
        year = PeriodDetails(name="2026", amount=2000, starts=TUESDAY, ends=TUESDAY)
        dues = ask_dues(club_id=club.pk, details=year, by=build_actor())
        assert dues is not None
        pay_dues(club_id=club.pk, period_id=dues.pk, person_id=person.pk, by=build_actor())

    def _add_other_rows(self) -> None:
        club = self.club
        invite(club_id=club.pk, role="desk", note=NAME, by=Actor(account=self.owner, reason=NAME))
        add_person(club_id=club.pk, details=build_details("Anne Zwicker", contact=f"fille de {NAME}"))
        request_plan(club=club, question=PlanQuestion(people=8, tables=2, minutes=120), key=uuid4())
        add_incident(
            club_id=club.pk,
            details=IncidentDetails(
                happened_on=TUESDAY,
                noticed_on=TUESDAY,
                what=f"Liste oubliée par {NAME}",
                information=f"Numéro de {NAME}",
                done=f"{NAME} avertie",
            ),
            by=build_actor(),
        )
        Job.objects.create(
            kind="draw",
            key=f'{{"names": "{NAME}"}}',
            status="failed",
            failed_with={"code": "entered_twice", "details": {"name": NAME}},
            result=[NAME],
            error=f"Refusal: {NAME}",
        )
        assert Invitation.objects.filter(note=NAME).exists()


@saved_state
def build_rich_club() -> RichClub:
    return RichClub()
