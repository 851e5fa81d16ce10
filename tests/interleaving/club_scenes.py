"""Scenes of a club: sign-up for a night, and administration, with the calls that may happen then."""

from __future__ import annotations

from datetime import date, time, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import (
    Club,
    ClubAction,
    LinkPurpose,
    MailedLink,
    Membership,
    Passkey,
    PictureKind,
    Risk,
    Role,
    Scope,
    SecondFactor,
)
from clubs.services import (
    accounts,
    calendar,
    clubs,
    dues,
    house_rules,
    list_layouts,
    mailed_links,
    night_templates,
    passkeys,
    people,
    pictures,
    privacy,
    second_factor,
    team,
    tokens,
    webhooks,
)
from clubs.services.calendar import NightDetails
from clubs.services.clubs import ClubPage
from clubs.services.dues import PeriodDetails
from clubs.services.login_throttle import begin_attempt, build_password_counters, end_attempt
from clubs.services.privacy import IncidentDetails
from clubs.services.rate_limit import record_miss
from clubs.services.undo import undo_club_action
from engine.planning import PlanQuestion, find_candidates, proposals_to_json, question_to_json, simulate
from jobs import services as jobs
from rules import MAINE, MatchFormat
from tests.builders import PASSWORD, build_account, build_club, build_event
from tests.interleaving.calls import Scene, iter_client_ids
from tournaments.board import services as boards
from tournaments.board.boards import Board
from tournaments.board.boards import Scene as BoardScene
from tournaments.cash_rules import CashRules
from tournaments.entries.services import check_in, entries, identities, sign_up, starting_list
from tournaments.entries.services import merging as tournament_people
from tournaments.events.event_settings import event_settings_to_json, read_event_settings
from tournaments.events.services import creation, lifecycle
from tournaments.events.services import settings as event_settings
from tournaments.fee_rates import Rates
from tournaments.history.services import undo
from tournaments.interclub.services import invitations as inviting
from tournaments.interclub.services import visitors
from tournaments.interclub.services.invitations import InvitationTarget
from tournaments.models import Plan
from tournaments.money.services import fees, prize_categories, prizes
from tournaments.money.services.prize_categories import CategoryDetails
from tournaments.money.services.prizes import PrizeDetails
from tournaments.planner import services as planner
from tournaments.records import services as ratings
from tournaments.seasons import services as seasons
from web.money import RecordedAmounts
from web.pictures import SafePicture


def build_entries_scene() -> Scene:
    """Build a night in preparation, with a limit of six entries, where people sign up, pay and are invited."""
    guest, visiting = build_club("Club de Matane"), build_club("Club de Rimouski")
    event = build_event(pairs=4)
    club = event.club
    at: dict[str, Any] = {"event_id": event.pk}
    sign_up.change_sign_up(**at, is_open=True, most_entries=6)
    fees.change_rates(**at, rates=Rates(member=500, guest=700))
    first = event.entries.order_by("number")[0]
    payer, other = (person.pk for person in first.players)
    visitors_ = people.find_or_add_people(club=visiting, full_names=("Zoé Zed", "Yves Yale"))
    club_people = people.find_or_add_people(club=club, full_names=("Wilma Web", "Victor Vox"))
    invited = inviting.invite_club(target=InvitationTarget(event_id=event.pk), club_id=guest.pk)
    accepted = inviting.invite_club(target=InvitationTarget(event_id=event.pk), club_id=visiting.pk)
    inviting.accept_for_club(club_id=visiting.pk, invited_id=accepted.pk)
    check_in.mark_present(**at, number=2, is_present=True)
    check_in.mark_present(**at, number=3, is_present=True)
    prize = prizes.give_prize(**at, winners=[payer], details=PrizeDetails(name="Ham"))
    assert prize is not None
    women = CategoryDetails(name="Women", among="label", group="Women")
    boards.add_board(**at, details=Board(name="Large hall"))
    best = prize_categories.add_prize_category(**at, details=CategoryDetails(name="Best pair"))
    assert best is not None
    fees.pay_fee(**at, person_id=other)
    paid = event.actions.filter(kind="pay_fee").latest("pk").pk
    link = inviting.create_invitation_link(target=InvitationTarget(event_id=event.pk))
    (entered,) = visitors.enter_for_club(club_id=visiting.pk, **at, people=[one.pk for one in visitors_])
    theirs = entered.number
    more = people.find_or_add_people(club=visiting, full_names=("Xavier Yon", "Wanda Uhl"))
    key = iter_client_ids()
    signed_up = UUID(int=1000)
    (met,) = people.find_or_add_people(club=club, full_names=("Ula Vial",))
    sign_up.sign_up(**at, players=("Ula Vial", "Tim Soy"), by=Actor(key=signed_up))
    alone = [
        sign_up.sign_up(**at, players=(name,), needs_partner=True, by=Actor(key=UUID(int=number)))
        for number, name in ((1001, "Lou Loup"), (1002, "Mia Merle"))
    ]
    family = club.families.create(name="Dubé")
    club.people.filter(pk__in=(payer, other)).update(family=family)
    details = PrizeDetails(name="Turkey")
    plan = build_plan(club)
    return [
        partial(sign_up.sign_up, **at, players=("Ursule Uzi", "Théo Tas"), by=Actor(key=next(key))),
        partial(sign_up.sign_up, **at, players=("Sarah Sol", "Rémi Roc"), by=Actor(key=next(key))),
        partial(sign_up.sign_off, **at, key=signed_up),
        partial(sign_up.pair_entries, **at, numbers=[one.number for one in alone if one is not None]),
        partial(sign_up.sign_off, **at, key=UUID(int=1002)),
        partial(sign_up.sign_off_entry, **at, number=4, person_id=payer, by=Actor(key=next(key))),
        partial(identities.recognize_players, **at, identities={"ula vial": met.pk}),
        partial(sign_up.change_sign_up, **at, is_open=False, most_entries=6),
        partial(entries.add_entries, **at, entries={40: ("Wilma Web", "Victor Vox")}),
        partial(entries.add_known_people, **at, people=[[one.pk for one in club_people]]),
        partial(entries.enter_people, **at, people=[one.pk for one in club_people]),
        partial(entries.add_entry, **at, players=["Sarah Sol", "Théo Tas"]),
        partial(entries.remove_entry, **at, number=4),
        partial(entries.admit_entry, **at, number=4),
        partial(check_in.mark_present, **at, number=1, is_present=True),
        partial(check_in.mark_family_present, **at, family_id=family.pk),
        partial(check_in.leave_out_absent, **at),
        partial(check_in.leave_out_entry, **at, number=2, is_coming=True),
        partial(fees.pay_fee, **at, person_id=payer),
        partial(fees.pay_family, **at, family_id=family.pk),
        partial(fees.record_fee, **at, person_id=payer, paid=300, other=None, seen=RecordedAmounts(0, None)),
        partial(fees.undo_payment, **at, action_id=paid),
        partial(fees.change_rates, **at, rates=Rates(member=600, guest=600)),
        partial(fees.change_cash_rules, **at, rules=CashRules(prize_share=50)),
        partial(list_layouts.save_layout, club_id=club.pk, kind="people", headings="a", fields=["name"]),
        partial(prizes.give_prize, **at, winners=[payer], details=details),
        partial(prizes.change_prize, **at, prize_id=prize.pk, details=details),
        partial(prizes.take_back_prize, **at, prize_id=prize.pk),
        partial(prize_categories.add_prize_category, **at, details=CategoryDetails(name="Best club")),
        partial(prize_categories.change_prize_category, **at, category_id=best.pk, details=women),
        partial(prize_categories.remove_prize_category, **at, category_id=best.pk),
        partial(prize_categories.label_entries, **at, label="Women", numbers=[1, 2]),
        partial(prize_categories.set_prizes_add_up, **at, add_up=True),
        partial(boards.add_board, **at, details=Board(name="Bar")),
        partial(boards.change_board, **at, number=1, details=Board(name="Hall", is_dark=True)),
        partial(boards.show_on_board, **at, number=1, scene=BoardScene.CLOCK),
        partial(boards.remove_board, **at, number=1),
        partial(inviting.invite_club, target=InvitationTarget(**at), club_id=guest.pk),
        partial(inviting.invite_club, target=InvitationTarget(**at), club_id=build_club("Club de Gaspé").pk),
        partial(inviting.create_invitation_link, target=InvitationTarget(**at), by=Actor(key=next(key))),
        partial(inviting.withdraw_invitation, target=InvitationTarget(**at), invited_id=invited.pk),
        partial(inviting.accept_for_club, club_id=guest.pk, invited_id=invited.pk),
        partial(inviting.decline_for_club, club_id=guest.pk, invited_id=invited.pk),
        partial(inviting.accept_by_link, secret=link.secret, club_id=guest.pk),
        partial(visitors.enter_for_club, club_id=visiting.pk, **at, people=[one.pk for one in more]),
        partial(visitors.remove_for_club, club_id=visiting.pk, **at, number=theirs),
        partial(visitors.replace_for_club, club_id=visiting.pk, **at, number=theirs, place=1, person_id=more[0].pk),
        partial(starting_list.move_entry, **at, number=2, is_up=True),
        partial(starting_list.place_entries, **at, places={1: 4, 4: 1}),
        partial(starting_list.order_entries, **at, way="lot"),
        partial(lifecycle.plan_tables, **at, table_count=4),
        partial(event_settings.plan_hall, **at, per_row=3, snakes=True),
        partial(event_settings.change_rules, **at, ruleset=MAINE),
        partial(event_settings.change_match_length, **at, match_format=MatchFormat(hands=8)),
        partial(planner.apply_plan, **at, plan_id=plan.pk, place=0),
        partial(lifecycle.start_event, **at),
        partial(lifecycle.put_away_event, **at),
        partial(creation.create_once, club=club, by=Actor(key=next(key)), create=partial(build_event, 0, club=club)),
        partial(tournament_people.merge_people, club_id=club.pk, target_id=payer, source_id=club_people[0].pk),
        partial(undo.undo_action, **at, action_id=event.actions.latest("pk").pk),
    ]


def build_plan(club: Club) -> Plan:
    """One format, simulated once."""
    question = PlanQuestion(people=8, tables=2, minutes=120)
    proposal = find_candidates(question)[0]
    forecast = simulate(proposal, question, runs=1, seed=1, progress=lambda done, of: None)
    asked, found = question_to_json(question), proposals_to_json([(proposal, forecast)])
    return Plan.objects.create(club=club, key=UUID(int=2000), asked=asked, seed=1, found=found)


_DAY = date(2027, 1, 5)
DAY = timedelta(days=1)


def build_club_scene() -> Scene:
    """Build a club with a calendar, dues, house rules, a team, an open invitation and a mailed link."""
    owner, helper = build_account("Rita Plourde"), build_account("Noëlla Roy")
    club = build_club(owner=owner)
    here: dict[str, Any] = {"club_id": club.pk}
    by = Actor(account=owner)
    handed = team.invite(**here, role=Role.DESK, note="Noëlla", by=by)
    team.accept_invitation(secret=handed.secret, account=helper)
    second = team.invite(**here, role=Role.OWNER, note="Omer", by=by)
    member = Membership.objects.get(club=club, account=helper)
    night = calendar.add_recurring_night(**here, details=_build_night("Our Tuesdays"))
    period = dues.ask_dues(**here, details=_build_dues("2026"))
    incident = privacy.add_incident(**here, details=_build_incident("A list was lost"))
    assert night is not None
    assert period is not None
    rules_of_the_house = house_rules.create_house_rules(
        club=club, name="Maison", base="maine", difference={"target": 25}
    )
    usual = night_templates.save_night_template(
        **here, name="Tuesdays", settings=event_settings_to_json(read_event_settings(build_event(0, club=club)))
    )
    anne, bruno = people.find_or_add_people(club=club, full_names=("Anne Aubé", "Bruno Bossé"))
    season = seasons.open_season(club=club, name="Autumn", starts=_DAY, ends=_DAY + DAY, ladders=[{"name": "All"}])
    event = build_event(4, club=club)
    MailedLink.objects.create(
        purpose=LinkPurpose.ADDRESS,
        email="owner@example.org",
        account=owner,
        asked_at=timezone.now(),
        lasts_until=timezone.now() + timedelta(minutes=15),
        digest=mailed_links._hash_secret("mailed"),
    )
    phone, tablet = (
        Passkey.objects.create(account=owner, name=name, host="localhost", credential_id=name, made_at=timezone.now())
        for name in ("Phone", "Tablet")
    )
    SecondFactor.objects.create(
        account=helper, sealed=second_factor.generate_sealed_secret(), last_step=0, made_at=timezone.now()
    )
    token = tokens.make_token(**here, name="Board", scope=Scope.READ, days=90, by=by).token
    webhook = webhooks.add_webhook(**here, address="https://example.org/a", kinds=["table.result"], by=by).webhook
    sent = webhooks.send_webhook_test(**here, webhook_id=webhook.pk, by=by)
    hook: dict[str, Any] = {**here, "webhook_id": webhook.pk}
    new_password = team.create_password_link(**here, membership_id=member.pk, by=by)
    tries = build_password_counters(name="Rita Plourde", address="192.0.2.1")
    begin_attempt(tries)
    job = jobs.enqueue(kind="refresh_seasons", key=str(club.pk))
    key = iter_client_ids()
    on: dict[str, Any] = {"night_id": night.pk, "on": _DAY + 7 * DAY}
    return [
        partial(calendar.add_recurring_night, **here, details=_build_night("Our Fridays"), by=Actor(key=next(key))),
        partial(calendar.change_recurring_night, **here, night_id=night.pk, details=_build_night("Our Thursdays")),
        partial(calendar.remove_recurring_night, **here, night_id=night.pk),
        partial(calendar.cancel_date, **here, **on, reason="storm"),
        partial(calendar.move_date, **here, **on, moved_to=_DAY + 9 * DAY),
        partial(calendar.restore_date, **here, **on),
        partial(
            undo_club_action,
            **here,
            action_id=ClubAction.objects.filter(kind="add_recurring_night").latest("pk").pk,
        ),
        partial(dues.ask_dues, **here, details=_build_dues("2027")),
        partial(dues.change_dues, **here, period_id=period.pk, details=_build_dues("2026–2027")),
        partial(dues.pay_dues, **here, period_id=period.pk, person_id=anne.pk),
        partial(
            dues.record_dues,
            **here,
            period_id=period.pk,
            person_id=anne.pk,
            paid=500,
            other=None,
            seen=RecordedAmounts(0, None),
        ),
        partial(privacy.change_privacy, **here, settings=privacy.PrivacySettings(responsible_name="Rita")),
        partial(privacy.defer_erasure, **here, person_id=anne.pk, until=_DAY + 700 * DAY),
        partial(privacy.add_incident, **here, details=_build_incident("A list was sold")),
        partial(privacy.change_incident, **here, incident_id=incident.pk, details=_build_incident("A list was sold")),
        partial(privacy.close_incident, **here, incident_id=incident.pk),
        partial(people.add_person, **here, details=people.PersonDetails(name="Carmen Caron")),
        partial(people.change_person, **here, person_id=anne.pk, details=people.PersonDetails(name="Anne Dubé")),
        partial(people.correct_name, **here, person_id=anne.pk, name="Anne Aubée"),
        partial(people.find_or_add_people, club=club, full_names=("Carmen Caron", "Anne Aubé")),
        partial(tournament_people.merge_people, **here, target_id=anne.pk, source_id=bruno.pk),
        partial(house_rules.create_house_rules, club=club, name="Chalet", base="maine", difference={"target": 21}),
        partial(
            house_rules.change_house_rules,
            house_rules_id=rules_of_the_house.pk,
            name="Chez nous",
            difference={"target": 21},
        ),
        partial(house_rules.remove_house_rules, house_rules_id=rules_of_the_house.pk),
        partial(house_rules.restore_house_rules, house_rules_id=rules_of_the_house.pk),
        partial(night_templates.rename_night_template, **here, usual_id=usual.pk, name="Thursdays"),
        partial(night_templates.remove_night_template, **here, usual_id=usual.pk),
        partial(night_templates.save_night_template, **here, name="Tuesdays", settings=usual.settings),
        partial(team.invite, **here, role=Role.DESK, note="Odile", by=Actor(account=owner, key=next(key))),
        partial(accounts.make_owner, club=club, account=helper),
        partial(team.change_role, **here, membership_id=member.pk, role=Role.OWNER),
        partial(team.remove_member, **here, membership_id=member.pk),
        partial(team.leave_club, **here, account=helper),
        partial(team.leave_club, **here, account=owner),
        partial(team.accept_invitation, secret=second.secret, account=helper),
        partial(
            team.join_with_new_account,
            secret=second.secret,
            name="Omer Omble",
            password=PASSWORD,
            language="fr",
        ),
        partial(team.revoke_invitation, **here, invitation_id=second.invitation.pk),
        partial(team.renew_invitation, **here, invitation_id=second.invitation.pk, by=Actor(key=next(key))),
        partial(mailed_links.confirm_address, secret="mailed", key=next(key)),
        partial(mailed_links.confirm_address, secret="mailed", key=next(key)),
        partial(
            team.create_password_link,
            **here,
            membership_id=member.pk,
            by=Actor(account=owner, key=next(key)),
        ),
        partial(team.create_owner_password_links, **here),
        partial(team.choose_new_password, secret=new_password.secret, password="quarante points"),
        partial(passkeys.rename_passkey, account_id=owner.pk, passkey_id=phone.pk, name="My phone"),
        partial(passkeys.remove_passkey, account_id=owner.pk, passkey_id=phone.pk),
        partial(passkeys.remove_passkey, account_id=owner.pk, passkey_id=tablet.pk),
        partial(second_factor.remove_second_factor, account_id=helper.pk),
        partial(second_factor.reset_second_factor, **here, membership_id=member.pk, by=by),
        partial(begin_attempt, tries),
        partial(end_attempt, tries),
        partial(record_miss, "code", "192.0.2.1"),
        partial(mailed_links.remove_address, account_id=owner.pk),
        partial(
            accounts.add_club,
            account_id=owner.pk,
            name="Les Cœurs",
            language="fr",
            time_zone="America/Moncton",
            ruleset="maine",
        ),
        partial(accounts.change_account, account_id=owner.pk, name="Rita Roy", language="fr"),
        partial(accounts.create_account, name="Rita Roy", password=PASSWORD, language="fr"),
        partial(accounts.change_password, account_id=owner.pk, current=PASSWORD, password="quarante-deux points"),
        partial(clubs.create_club, name="Les Joyeux Atouts"),
        partial(
            seasons.change_season,
            season_id=season.pk,
            name="Winter",
            starts=_DAY,
            ends=_DAY,
            ladders=[{"name": "All"}],
        ),
        partial(seasons.close_season, season_id=season.pk),
        partial(seasons.reopen_season, season_id=season.pk),
        partial(seasons.count_nights, season_id=season.pk, left_out=[event.pk]),
        partial(seasons.refresh_seasons, **here),
        partial(seasons.open_season, club=club, name="Spring", starts=_DAY, ends=_DAY, ladders=[{"name": "All"}]),
        partial(inviting.assign_to_series, event_id=event.pk, season_id=None),
        partial(ratings.turn_ratings, **here, on=False),
        partial(jobs.enqueue, kind="refresh_seasons", key=str(club.pk)),
        partial(jobs.cancel_job, job.pk),
        partial(jobs.retry_job, job.pk),
        partial(
            clubs.change_club,
            **here,
            settings=clubs.ClubSettings(name="Les Atouts", language="fr", ruleset="maine", time_zone="America/Moncton"),
        ),
        partial(clubs.change_club_page, **here, page=ClubPage(hall="Salle paroissiale")),
        partial(
            pictures.set_club_picture,
            **here,
            kind=PictureKind.LOGO,
            picture=SafePicture(content=b"RIFF", width=1, height=1),
        ),
        partial(pictures.remove_club_picture, **here, kind=PictureKind.LOGO),
        partial(tokens.revoke_token, **here, token_id=token.pk, by=by),
        partial(
            webhooks.change_webhook,
            **hook,
            address="https://example.org/b",
            kinds=["round.published"],
            is_on=False,
            by=by,
        ),
        partial(webhooks.remove_webhook, **hook, by=by),
        partial(webhooks.redeliver, **hook, delivery_id=sent.pk, by=by),
        partial(webhooks.send_webhook_test, **hook, by=Actor(account=owner, key=next(key))),
    ]


def _build_night(name: str) -> NightDetails:
    return NightDetails(name=name, pattern="weekly", first_on=_DAY, starts_at=time(19))


def _build_dues(name: str) -> PeriodDetails:
    return PeriodDetails(name=name, amount=2000, starts=_DAY, ends=_DAY + DAY)


def _build_incident(what: str) -> IncidentDetails:
    return IncidentDetails(
        happened_on=date(2026, 1, 5),
        noticed_on=date(2026, 1, 5),
        what=what,
        information="Names",
        risk=Risk.NONE,
        done="Told all",
    )
