"""Every page renders in both languages and refuses wrong methods, forms without a CSRF token and oversized forms."""

import re
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from hashlib import sha256
from itertools import cycle

import pytest

from clubs import first_run
from clubs.calendar import get_club_today
from clubs.policy import Audience, get_access
from scoring.models import Mark
from server.addresses import list_addresses as known_addresses
from tests.builders import compute_standings, mark, play_round, start_next_round
from tests.saved_states import rolled_back, saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, post_form, tap
from tests.support.markup import Element
from tournaments.alerts.stop_links import get_stop_letters
from tournaments.entries.badge_codes import build_player_link
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def list_patterns() -> list[str]:
    """Return the URL patterns of the site; tests/api covers the operations of the API."""
    return [one.pattern for one in known_addresses()]


PATHS_BY_PATTERN: dict[str, Callable[[Hall], str]] = {
    "/": lambda hall: "/",
    "/sign-in": lambda hall: "/sign-in",
    "/start/<str:secret>": lambda hall: "/start/used",
    "/e/<slug:short>": lambda hall: f"/e/{hall.event.short}",
    "/e/<slug:short>/story": lambda hall: f"/e/{hall.event.short}/story",
    "/e/<slug:short>/alerts/<int:pk>/<slug:letters>": (
        lambda hall: f"/e/{hall.event.short}/alerts/1/{get_stop_letters(1)}"
    ),
    "/e/<slug:short>/mine": lambda hall: f"/e/{hall.event.short}/mine?who=a",
    "/e/<slug:short>/rules": lambda hall: f"/e/{hall.event.short}/rules",
    "/e/<slug:short>/ruling": lambda hall: f"/e/{hall.event.short}/ruling?trump=H&trick=AS-JD",
    "/help": lambda hall: "/help",
    "/help/table": lambda hall: "/help/table",
    "/help/<slug:name>": lambda hall: "/help/night",
    "/rules": lambda hall: "/rules",
    "/rules/<slug:key>": lambda hall: "/rules/canadian",
    "/rules/<slug:key>/ruling": lambda hall: "/rules/canadian/ruling",
    "/e/<slug:short>/desk": lambda hall: f"/e/{hall.event.short}/desk",
    "/e/<slug:short>/desk/entries": lambda hall: f"/e/{hall.event.short}/desk/entries",
    "/e/<slug:short>/rounds/<int:number>": lambda hall: f"/e/{hall.event.short}/rounds/1",
    "/e/<slug:short>/rounds/<int:number>/tables/<int:table_number>": lambda hall: (
        f"/e/{hall.event.short}/rounds/1/tables/1"
    ),
    "/e/<slug:short>/standings": lambda hall: f"/e/{hall.event.short}/standings?section=Mixed&open=1",
    "/e/<slug:short>/standings/<int:entry>": lambda hall: f"/e/{hall.event.short}/standings/1",
    "/e/<slug:short>/charts": lambda hall: f"/e/{hall.event.short}/charts",
    "/e/<slug:short>/board": lambda hall: f"/e/{hall.event.short}/board",
    "/e/<slug:short>/board/<int:number>": lambda hall: hall.board.replace("desk/boards", "board"),
    "/e/<slug:short>/desk/boards": lambda hall: hall.board.rpartition("/")[0],
    "/e/<slug:short>/desk/boards/<int:number>": lambda hall: hall.board,
    "/e/<slug:short>/desk/messages": lambda hall: f"/e/{hall.event.short}/desk/messages",
    "/e/<slug:short>/desk/print": lambda hall: f"/e/{hall.event.short}/desk/print",
    "/e/<slug:short>/desk/print/round": lambda hall: f"/e/{hall.event.short}/desk/print/round",
    "/e/<slug:short>/desk/print/sheets": lambda hall: f"/e/{hall.event.short}/desk/print/sheets",
    "/e/<slug:short>/desk/print/blank": lambda hall: f"/e/{hall.event.short}/desk/print/blank",
    "/e/<slug:short>/desk/print/standings": lambda hall: f"/e/{hall.event.short}/desk/print/standings",
    "/e/<slug:short>/desk/entries/<int:number>": lambda hall: f"/e/{hall.event.short}/desk/entries/1",
    "/e/<slug:short>/desk/entries/people": lambda hall: f"/e/{hall.event.short}/desk/entries/people",
    "/e/<slug:short>/desk/entries/file": lambda hall: f"/e/{hall.event.short}/desk/entries/file",
    "/e/<slug:short>/desk/entries/apart": lambda hall: f"/e/{hall.event.short}/desk/entries/apart",
    "/e/<slug:short>/desk/entries/teams": lambda hall: f"/e/{hall.event.short}/desk/entries/teams",
    "/e/<slug:short>/desk/entries/order": lambda hall: f"/e/{hall.event.short}/desk/entries/order",
    "/e/<slug:short>/desk/entries/door-prize": lambda hall: f"/e/{hall.event.short}/desk/entries/door-prize",
    "/e/<slug:short>/desk/entries/check-in": lambda hall: f"/e/{hall.event.short}/desk/entries/check-in",
    "/e/<slug:short>/sign-up": lambda hall: f"/e/{hall.event.short}/sign-up",
    "/e/<slug:short>/sign-up/<uuid:key>": lambda hall: hall.sign_up_entry,
    "/e/<slug:short>/desk/settings": lambda hall: f"/e/{hall.event.short}/desk/settings",
    "/e/<slug:short>/embed": lambda hall: f"/e/{hall.event.short}/embed",
    "/c/<slug:slug>/embed": lambda hall: f"/c/{hall.event.club.slug}/embed",
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>/embed": (
        lambda hall: f"/c/{hall.event.club.slug}/{hall.season}/0/embed"
    ),
    "/e/<slug:short>/desk/telling": lambda hall: f"/e/{hall.event.short}/desk/telling",
    "/e/<slug:short>/desk/embedding": lambda hall: f"/e/{hall.event.short}/desk/embedding",
    "/club/<slug:slug>/seasons": lambda hall: f"/club/{hall.event.club.slug}/seasons",
    "/club/<slug:slug>/seasons/new": lambda hall: f"/club/{hall.event.club.slug}/seasons/new",
    "/club/<slug:slug>/seasons/<int:pk>": lambda hall: f"/club/{hall.event.club.slug}/{hall.season}",
    "/c/<slug:slug>/seasons/<int:pk>": lambda hall: f"/c/{hall.event.club.slug}/{hall.season}",
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>": lambda hall: f"/c/{hall.event.club.slug}/{hall.season}/1",
    "/c/<slug:slug>/seasons/<int:pk>/<int:place>/<slug:key>": lambda hall: hall.season_line,
    "/club/<slug:slug>/federations": lambda hall: f"/club/{hall.event.club.slug}/federations",
    "/club/<slug:slug>/federations/<int:pk>": lambda hall: f"/club/{hall.event.club.slug}/{hall.federation}",
    "/club/<slug:slug>/people/<int:pk>/identity": lambda hall: f"{hall.person}/identity",
    "/c/<slug:slug>/federations/<int:pk>": lambda hall: f"/c/{hall.event.club.slug}/{hall.federation}",
    "/c/<slug:slug>/federations/<int:pk>/lines/<slug:key>": (
        lambda hall: f"/c/{hall.event.club.slug}/{hall.federation}/lines/{hall.federation_line_key}"
    ),
    "/c/<slug:slug>/federations/<int:pk>/ratings": (
        lambda hall: f"/c/{hall.event.club.slug}/{hall.federation}/ratings"
    ),
    "/c/<slug:slug>/federations/<int:pk>/ratings/<slug:key>": (
        lambda hall: f"/c/{hall.event.club.slug}/{hall.federation}/ratings/{hall.federation_line_key}"
    ),
    "/c/<slug:slug>/federations/<int:pk>/calendar": (
        lambda hall: f"/c/{hall.event.club.slug}/{hall.federation}/calendar"
    ),
    "/c/<slug:slug>/federations/<int:pk>/months/<int:year>/<int:month>": (
        lambda hall: f"/c/{hall.event.club.slug}/{hall.federation}/months/2026/9"
    ),
    "/club/<slug:slug>/ratings": lambda hall: f"/club/{hall.event.club.slug}/ratings",
    "/club/<slug:slug>/people/<int:pk>/record": lambda hall: f"{hall.played_person}/record",
    "/club/<slug:slug>/people/<int:pk>/with/<int:partner>": lambda hall: f"{hall.played_person}/with/{hall.partner}",
    "/c/<slug:slug>/people/<int:pk>/with/<int:partner>": lambda hall: (
        f"{hall.played_person.replace('/club/', '/c/')}/with/{hall.partner}"
    ),
    "/c": lambda hall: "/c",
    "/c/<slug:slug>": lambda hall: f"/c/{hall.event.club.slug}",
    "/c/<slug:slug>/seasons": lambda hall: f"/c/{hall.event.club.slug}/seasons",
    "/c/<slug:slug>/ratings": lambda hall: f"/c/{hall.event.club.slug}/ratings",
    "/c/<slug:slug>/records": lambda hall: f"/c/{hall.event.club.slug}/records",
    "/c/<slug:slug>/records/<int:year>": lambda hall: f"{hall.records}/2026",
    "/c/<slug:slug>/people/<int:pk>": lambda hall: hall.played_person.replace("/club/", "/c/"),
    "/club/<slug:slug>/tournament": lambda hall: f"/club/{hall.event.club.slug}/tournament",
    "/club/<slug:slug>/plan/<int:pk>": lambda hall: hall.plan,
    "/club/<slug:slug>/plan": lambda hall: f"/club/{hall.event.club.slug}/plan",
    "/e/<slug:short>/desk/fees": lambda hall: f"/e/{hall.event.short}/desk/fees",
    "/e/<slug:short>/desk/fees/rates": lambda hall: f"/e/{hall.event.short}/desk/fees/rates",
    "/e/<slug:short>/desk/fees/treasurer": lambda hall: f"/e/{hall.event.short}/desk/fees/treasurer",
    "/e/<slug:short>/desk/fees/<int:person_id>": lambda hall: hall.fee,
    "/e/<slug:short>/desk/prizes": lambda hall: f"/e/{hall.event.short}/desk/prizes",
    "/e/<slug:short>/desk/prizes/<int:pk>": lambda hall: hall.prize,
    "/e/<slug:short>/desk/prizes/categories/new": lambda hall: f"/e/{hall.event.short}/desk/prizes/categories/new",
    "/e/<slug:short>/desk/prizes/categories/<int:pk>": lambda hall: hall.prize_category,
    "/club/<slug:slug>/attendance": lambda hall: f"/club/{hall.event.club.slug}/attendance",
    "/club/<slug:slug>/attendance/nights": lambda hall: f"/club/{hall.event.club.slug}/attendance/nights",
    "/club/<slug:slug>/dues": lambda hall: hall.dues.rpartition("/")[0],
    "/club/<slug:slug>/dues/new": lambda hall: f"/club/{hall.event.club.slug}/dues/new",
    "/club/<slug:slug>/dues/<int:pk>": lambda hall: hall.dues,
    "/e/<slug:short>/desk/history": lambda hall: f"/e/{hall.event.short}/desk/history",
    "/e/<slug:short>/desk/history/hands": lambda hall: f"/e/{hall.event.short}/desk/history/hands",
    "/e/<slug:short>/desk/history/<int:action_id>": (
        lambda hall: f"/e/{hall.event.short}/desk/history/{hall.event.actions.latest('pk').pk}"
    ),
    "/e/<slug:short>/desk/rounds/<int:number>": lambda hall: f"/e/{hall.event.short}/desk/rounds/1",
    "/e/<slug:short>/desk/rounds/<int:number>/meeting": (
        lambda hall: f"/e/{hall.event.short}/desk/rounds/1/meeting?one=1&other=4"
    ),
    "/e/<slug:short>/desk/rounds/<int:number>/swap": (lambda hall: f"/e/{hall.event.short}/desk/rounds/1/swap?one=1"),
    "/e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>": (
        lambda hall: f"/e/{hall.event.short}/desk/rounds/1/tables/1"
    ),
    "/e/<slug:short>/desk/rounds/<int:number>/comparison": lambda hall: hall.comparison,
    "/e/<slug:short>/desk/jobs": lambda hall: f"/e/{hall.event.short}/desk/jobs",
    "/club/<slug:slug>/team/refused": lambda hall: f"/club/{hall.event.club.slug}/team/refused",
    "/e/<slug:short>/desk/cards/<int:number>": lambda hall: f"/e/{hall.event.short}/desk/cards/1",
    "/e/<slug:short>/desk/cards/<int:number>/phones": lambda hall: f"/e/{hall.event.short}/desk/cards/1/phones",
    "/e/<slug:short>/desk/late": lambda hall: f"/e/{hall.event.short}/desk/late",
    "/e/<slug:short>/desk/codes": lambda hall: f"/e/{hall.event.short}/desk/codes",
    "/e/<slug:short>/desk/cards": lambda hall: f"/e/{hall.event.short}/desk/cards",
    "/club/<slug:slug>": lambda hall: f"/club/{hall.event.club.slug}",
    "/club/<slug:slug>/new": lambda hall: f"/club/{hall.event.club.slug}/new",
    "/club/<slug:slug>/like/<slug:short>": (lambda hall: f"/club/{hall.event.club.slug}/like/{hall.event.short}"),
    "/c/<slug:slug>/calendar": lambda hall: f"/c/{hall.recurring_night.split('/')[2]}/calendar",
    "/club/<slug:slug>/calendar": lambda hall: hall.recurring_night.rpartition("/")[0],
    "/club/<slug:slug>/calendar/new": lambda hall: f"/club/{hall.event.club.slug}/calendar/new",
    "/club/<slug:slug>/calendar/<int:pk>": lambda hall: hall.recurring_night,
    "/club/<slug:slug>/calendar/<int:pk>/on/<str:on>": (
        lambda hall: f"{hall.recurring_night}/on/{get_club_today(hall.event.club) + timedelta(days=7)}"
    ),
    "/e/<slug:short>/desk/publishing": lambda hall: f"/e/{hall.event.short}/desk/publishing",
    "/e/<slug:short>/desk/standings": lambda hall: f"/e/{hall.event.short}/desk/standings",
    "/e/<slug:short>/desk/standings/<int:entry>": lambda hall: f"/e/{hall.event.short}/desk/standings/1",
    "/e/<slug:short>/desk/interclub": lambda hall: f"/e/{hall.event.short}/desk/interclub?search=club",
    "/e/<slug:short>/desk/line-ups": lambda hall: f"/e/{hall.team_event.short}/desk/line-ups",
    "/e/<slug:short>/line-up/<slug:letters>": lambda hall: hall.captain_page,
    "/club/<slug:slug>/interclub": lambda hall: hall.shared_event.rpartition("/")[0],
    "/club/<slug:slug>/interclub/<slug:short>": lambda hall: hall.shared_event,
    "/club/<slug:slug>/seasons/<int:pk>/clubs": lambda hall: hall.series,
    "/interclub/<str:secret>": lambda hall: hall.club_link,
    "/account": lambda hall: "/account",
    "/clubs/request": lambda hall: "/clubs/request",
    "/account/clubs/new": lambda hall: "/account/clubs/new",
    "/account/app": lambda hall: hall.app,
    "/account/passkeys/<int:pk>": lambda hall: f"/account/passkeys/{hall.passkey.pk}",
    "/link/<str:secret>": lambda hall: hall.mailed_link,
    "/invitation/<str:secret>": lambda hall: f"/invitation/{hall.build_invitation().secret}",
    "/club/<slug:slug>/team": lambda hall: f"/club/{hall.event.club.slug}/team",
    "/club/<slug:slug>/programs": lambda hall: f"/club/{hall.event.club.slug}/programs",
    "/api/v1/": lambda hall: "/api/v1/",
    "/club/<slug:slug>/mirrors": lambda hall: f"/club/{hall.event.club.slug}/mirrors",
    "/club/<slug:slug>/webhooks": lambda hall: f"/club/{hall.event.club.slug}/webhooks",
    "/club/<slug:slug>/webhooks/<int:pk>": lambda hall: f"/club/{hall.event.club.slug}/webhooks/{hall.webhook.pk}",
    "/club/<slug:slug>/team/<int:pk>": lambda hall: f"/club/{hall.event.club.slug}/team/{hall.membership.pk}",
    "/club/<slug:slug>/usual": lambda hall: f"/club/{hall.event.club.slug}/usual",
    "/club/<slug:slug>/usual/<int:pk>": lambda hall: hall.night_template,
    "/club/<slug:slug>/history": lambda hall: f"/club/{hall.event.club.slug}/history",
    "/club/<slug:slug>/history/<int:action_id>": lambda hall: hall.club_change,
    "/club/<slug:slug>/file": lambda hall: f"/club/{hall.event.club.slug}/file",
    "/club/<slug:slug>/phones": lambda hall: f"/club/{hall.event.club.slug}/phones",
    "/club/<slug:slug>/before-the-night": lambda hall: f"/club/{hall.event.club.slug}/before-the-night",
    "/club/<slug:slug>/import": lambda hall: f"/club/{hall.event.club.slug}/import",
    "/club/<slug:slug>/import/<slug:token>": lambda hall: hall.event_import,
    "/club/<slug:slug>/import-night/<slug:token>": lambda hall: hall.night_import,
    "/club/<slug:slug>/uploads/<slug:token>": lambda hall: hall.upload,
    "/club/<slug:slug>/bringing-in": lambda hall: f"/club/{hall.event.club.slug}/bringing-in",
    "/e/<slug:short>/desk/hands/file": lambda hall: f"/e/{hall.event.short}/desk/hands/file",
    "/c/<slug:slug>/privacy": lambda hall: f"/c/{hall.event.club.slug}/privacy",
    "/club/<slug:slug>/page": lambda hall: f"/club/{hall.event.club.slug}/page",
    "/club/<slug:slug>/privacy": lambda hall: f"/club/{hall.event.club.slug}/privacy",
    "/club/<slug:slug>/privacy/people": lambda hall: f"/club/{hall.event.club.slug}/privacy/people",
    "/club/<slug:slug>/privacy/forget": lambda hall: (
        f"/club/{hall.event.club.slug}/privacy/forget?people={hall.person.rpartition('/')[2]}"
    ),
    "/club/<slug:slug>/privacy/incidents": lambda hall: hall.incident.rpartition("/")[0],
    "/club/<slug:slug>/privacy/incidents/new": lambda hall: hall.incident.rpartition("/")[0] + "/new",
    "/club/<slug:slug>/privacy/incidents/<int:pk>": lambda hall: hall.incident,
    "/club/<slug:slug>/people/<int:pk>/privacy": lambda hall: f"{hall.person}/privacy",
    "/club/<slug:slug>/people": lambda hall: f"/club/{hall.event.club.slug}/people",
    "/club/<slug:slug>/people/new": lambda hall: f"/club/{hall.event.club.slug}/people/new",
    "/club/<slug:slug>/people/import": lambda hall: f"/club/{hall.event.club.slug}/people/import",
    "/club/<slug:slug>/people/alike": lambda hall: f"/club/{hall.event.club.slug}/people/alike",
    "/club/<slug:slug>/print": lambda hall: f"/club/{hall.event.club.slug}/print",
    "/club/<slug:slug>/people/<int:pk>/merge": lambda hall: f"{hall.person}/merge",
    "/club/<slug:slug>/people/<int:pk>": lambda hall: hall.person,
    "/club/<slug:slug>/house-rules": lambda hall: f"/club/{hall.event.club.slug}/house-rules",
    "/club/<slug:slug>/house-rules/new/<slug:base>": lambda hall: (
        f"/club/{hall.event.club.slug}/house-rules/new/canadian"
    ),
    "/club/<slug:slug>/house-rules/<int:pk>": lambda hall: hall.house_rules,
    "/components": lambda hall: "/components",
    "/components/table": lambda hall: "/components/table",
    "/offline": lambda hall: "/offline",
    "/t/<code:code>": lambda hall: hall.table,
    "/t/<code:code>/hands": lambda hall: f"{hall.table}/hands",
    "/t/<code:code>/hands/<int:number>": lambda hall: f"{hall.table}/hands/1",
    "/t/<code:code>/rules": lambda hall: f"{hall.table}/rules",
    "/t/<code:code>/ruling": lambda hall: f"{hall.table}/ruling",
    "/match/<int:match_id>": lambda hall: hall.desk_match,
    "/match/<int:match_id>/hands": lambda hall: f"{hall.desk_match}/hands",
    "/match/<int:match_id>/hands/<int:number>": lambda hall: f"{hall.desk_match}/hands/1",
    "/match/<int:match_id>/codes": lambda hall: f"{hall.desk_match}/codes",
    "/match/<int:match_id>/rules": lambda hall: f"{hall.desk_match}/rules",
    "/match/<int:match_id>/ruling": lambda hall: f"{hall.desk_match}/ruling",
    "/match/<int:match_id>/sheet": lambda hall: f"{hall.desk_match}/sheet",
    "/c/<slug:slug>/log": lambda hall: hall.log,
    "/c/<slug:slug>/verify": lambda hall: f"{hall.log.removesuffix('log')}verify",
    "/e/<slug:short>/desk/verify": lambda hall: f"/e/{hall.event.short}/desk/verify",
    "/club/<slug:slug>/key": lambda hall: f"{hall.log.replace('/c/', '/club/').removesuffix('log')}key",
}
PARTS = {
    "/e/<slug:short>/desk/phases/<int:stage>/<int:section>",
    "/e/<slug:short>/desk/phones",
    "/e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>/correction",
}
"""Fragments that another page loads; tested in tests/tournaments/events/test_table_phones.py and
tests/tournaments/rounds/test_round_corrections.py.
"""
NON_PAGES = {
    "/api/",
    "/api/v1/schema",
    "/c/<slug:slug>/calendar.ics",
    "/c/<slug:slug>/log.json",
    "/c/<slug:slug>/log.txt",
    "/c/<slug:slug>/log/consistency/<int:older>/<int:newer>.json",
    "/c/<slug:slug>/log/inclusion/<int:number>/<int:size>.json",
    "/c/<slug:slug>/feed.json",
    "/c/<slug:slug>/news.atom",
    "/c/<slug:slug>/picture.png",
    "/c/<slug:slug>/<slug:kind>/<slug:digest>.webp",
    "/e/<slug:short>/picture.png",
    "/e/<slug:short>/poster.pdf",
    "/e/<slug:short>/rounds/<int:number>/tables/<int:table_number>/picture.png",
    "/e/<slug:short>/poster.png",
    "/e/<slug:short>/mine/picture.png",
    "/e/<slug:short>.ics",
    "/manifest.webmanifest",
    "/oembed",
    "/robots.txt",
    "/service-worker.js",
    "/sitemap.xml",
    "/t/screens/<slug:language>/<slug:digest>.json",
    "/verifier/<str:edition>/<str:name>",
    "/api/tables/<code:code>",
    "/api/tables/<code:code>/hands",
}
FILES = {
    *(one for one in list_patterns() if one.endswith(".<ending:ending>")),
    "/club/<slug:slug>/file/<int:job_id>",
    "/club/<slug:slug>/people/<int:pk>/privacy/everything.zip",
    "/e/<slug:short>/desk/file",
    "/e/<slug:short>/desk/file-with-codes",
    "/e/<slug:short>/desk/file.trf",
    "/e/<slug:short>/desk/print/<int:job_id>",
    "/club/<slug:slug>/print/<int:job_id>",
    "/source.tar.gz",
}
"""Downloads; the tests of their features check the files."""
FIRST_CLUB_PAGES = {f"/club/<slug:slug>/installation{page}" for page in ("", "/imports")}
OTHER_CLUB_PAGES = {"/club/<slug:slug>/leave"}
"""Pages of all clubs but the first, whose owners run the installation; see tests/operations/test_club_leaving.py."""
HTTPS_PAGES = {"/certificate", "/certificate/charlemagne.crt"}
"""Pages that exist only under `up --https`; tested in tests/server/test_certificate.py."""
REDIRECTS = {"/e/<slug:short>/mine/table/<int:number>"}
"""Redirects to a table, or back to the player's own page; tested in tests/tournaments/public/test_own_pages.py."""
MAIL_PROGRAM_ACTIONS = {"/e/<slug:short>/alerts/<int:pk>/<slug:letters>"}
"""Actions of mail programs, which open no page first; letters in the link prove that it was mailed."""
INSTALLATION_ACTIONS = {"/mirror/pairings", "/mirror/snapshots", "/mirror/snapshots/wanted"}
"""Requests of other installations, which authenticate with a link or a signature."""
POST_ONLY = {
    "/club/<slug:slug>/phones/choose",
    "/e/<slug:short>/desk/settings/put-away",
    "/club/<slug:slug>/bring-back/<slug:short>",
    "/sign-out",
    "/e/<slug:short>/mine/choose",
    *(f"/e/<slug:short>/mine/{what}" for what in ("mail", "alerts", "alerts/stop", "attendance", "letters")),
    *(f"/e/<slug:short>/mine/{what}" for what in ("<int:pk>/<slug:letters>", "nights")),
    "/account/password",
    *(f"/sign-in/{what}" for what in ("code", "link", "passkey", "passkey/question")),
    *(f"/account/passkeys{what}" for what in ("", "/question", "/<int:pk>/remove")),
    *(f"/account/app/{what}" for what in ("codes", "remove")),
    *(f"/account/address{what}" for what in ("", "/forget")),
    "/account/leave/<slug:slug>",
    "/club/<slug:slug>/people/<int:pk>/privacy/keep",
    "/club/<slug:slug>/privacy/incidents/<int:pk>/close",
    *(f"/club/<slug:slug>/team/<int:pk>/{what}" for what in ("remove", "password", "app")),
    "/club/<slug:slug>/programs/<int:pk>/revoke",
    *(f"/club/<slug:slug>/webhooks/<int:pk>/{what}" for what in ("secret", "test", "remove")),
    "/club/<slug:slug>/webhooks/<int:pk>/deliveries/<int:delivery_id>/again",
    *(f"/club/<slug:slug>/mirrors/{what}" for what in ("link", "pair", "leave", "file", "<int:pk>/end")),
    *(f"/club/<slug:slug>/mirrors/events/<int:pk>/{what}" for what in ("lead", "anew", "hand", "follow", "file")),
    *INSTALLATION_ACTIONS,
    *(f"/club/<slug:slug>/team/invitations/<int:pk>/{what}" for what in ("renew", "revoke")),
    "/e/<slug:short>/desk/fees/undo/<int:action_id>",
    "/club/<slug:slug>/people/<int:pk>/dues",
    "/language",
    "/e/<slug:short>/desk/entries/check-in/leave-out",
    "/e/<slug:short>/desk/<slug:step>",
    "/e/<slug:short>/desk/rounds/<int:number>/<slug:step>",
    "/e/<slug:short>/desk/rounds/<int:number>/count",
    "/e/<slug:short>/desk/messages/<int:number>/take-back",
    "/e/<slug:short>/desk/tables/<int:table_number>/call",
    "/account/devices/others/end",
    "/account/devices/<slug:digest>/end",
    "/e/<slug:short>/desk/cards/<int:number>/phones/replace",
    "/e/<slug:short>/desk/cards/<int:number>/phones/<int:phone_id>/turn-away",
    *(f"/e/<slug:short>/desk/jobs/<int:job_id>/{what}" for what in ("stop", "again")),
    "/e/<slug:short>/desk/history/<int:action_id>/undo",
    "/club/<slug:slug>/history/<int:action_id>/undo",
    "/e/<slug:short>/desk/rounds/<int:number>/hold-table",
    "/e/<slug:short>/desk/rounds/<int:number>/more",
    "/club/<slug:slug>/plan/<int:pk>/make",
    *(f"/club/<slug:slug>/plan/<int:pk>/<int:job_id>/{what}" for what in ("stop", "again")),
    *(f"/club/<slug:slug>/file/<int:job_id>/{what}" for what in ("stop", "again")),
    *(f"/club/<slug:slug>/installation/imports/<int:job_id>/{what}" for what in ("stop", "again")),
    *(f"/club/<slug:slug>/import/<slug:token>/<int:job_id>/{what}" for what in ("stop", "again")),
    *(
        f"/club/<slug:slug>/{page}/<int:job_id>/{what}"
        for page in ("bringing-in", "mirrors", "page", "uploads/<slug:token>")
        for what in ("stop", "again")
    ),
    *(f"/club/<slug:slug>/print/<int:job_id>/{what}" for what in ("stop", "again")),
    *(f"/e/<slug:short>/desk/print/<int:job_id>/{what}" for what in ("stop", "again")),
    *(f"/club/<slug:slug>/calendar/<int:pk>/{what}" for what in ("start", "remove")),
    *(f"/club/<slug:slug>/usual/<int:pk>/{what}" for what in ("rename", "remove")),
    *(f"/t/<code:code>/{what}" for what in ("agree", "dispute", "withdraw", "dealer", "pencil", "log")),
    *(f"/match/<int:match_id>/{what}" for what in ("agree", "dispute", "dealer", "settle")),
    *(f"/club/<slug:slug>/seasons/<int:pk>/{what}" for what in ("nights", "close", "reopen")),
    *(f"/club/<slug:slug>/federations/feed/{what}" for what in ("on", "off")),
    *(f"/club/<slug:slug>/federations/<int:pk>/{what}" for what in ("follow", "fetch", "end")),
    "/club/<slug:slug>/federations/<int:pk>/feeds/<int:feed_id>/unfollow",
    *(f"/club/<slug:slug>/people/<int:pk>/identity/{what}" for what in ("make", "enter", "take-back")),
    *(f"/club/<slug:slug>/house-rules/<int:pk>/{what}" for what in ("remove", "put-back")),
}


@saved_state
def build_night(stage: str) -> Hall:
    """Build a night with content on every page, either "playing" or "ended"."""
    hall = Hall(pairs=5)
    mark(hall.match, "A 6 7")
    mark(hall.match, "A 7 7", number=1)
    compute_standings(hall.event)
    if stage == "ended":
        hall = Hall(pairs=5)
        play_round(hall.event)
        start_next_round(hall.event)
        play_round(hall.event, 2)
        compute_standings(hall.event)
        end_event(event_id=hall.event.pk)
    return hall


def build_full_night(stage: str) -> tuple[Hall, dict[str, str]]:
    """Build such a night and return it with a path for every page pattern."""
    hall, paths = _build_night_with_rows(stage)
    return hall, {pattern: paths.get(pattern) or path(hall) for pattern, path in PATHS_BY_PATTERN.items()}


@saved_state
def _build_night_with_rows(stage: str) -> tuple[Hall, dict[str, str]]:
    """Build the night and the paths of pages that need no uploaded file: ``saved_state`` restores only rows."""
    hall = build_night(stage)
    return hall, {pattern: path(hall) for pattern, path in PATHS_BY_PATTERN.items() if "<slug:token>" not in pattern}


@cache
def open_all_pages(stage: str, language: str) -> dict[str, Page]:
    """Return every page of such a night as its owner sees it, opened once for all tests that only read.

    The ended night in French has only the pages that differ from those of the running night.
    """
    alike = _list_unchanged_pages() if (stage, language) == ("ended", "fr") else set()
    with rolled_back():
        hall, paths = build_full_night(stage)
        Event.objects.update(name="Coupe")  # the default name would mention a night on every page
        reader = Browser(language=language, account=hall.owner)
        return {pattern: reader.clone().open(path) for pattern, path in paths.items() if pattern not in alike}


def _list_unchanged_pages() -> set[str]:
    """List the patterns of pages whose text does not change when the night ends."""
    playing, ended = open_all_pages("playing", "en"), open_all_pages("ended", "en")
    return {pattern for pattern in PATHS_BY_PATTERN if playing[pattern].text == ended[pattern].text}


@pytest.mark.long
def test_every_address_belongs_to_a_tested_category() -> None:
    assert sorted(list_patterns()) == sorted(
        {
            *PATHS_BY_PATTERN,
            *PARTS,
            *NON_PAGES,
            *FILES,
            *FIRST_CLUB_PAGES,
            *OTHER_CLUB_PAGES,
            *HTTPS_PAGES,
            *REDIRECTS,
            *POST_ONLY,
        }
    )


@pytest.mark.long
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.postgresql("every query of a page")), "fr"])
@pytest.mark.parametrize("stage", ["playing", "ended"])
def test_every_page_renders_in_both_languages(stage: str, language: str) -> None:
    for pattern, page in open_all_pages(stage, language).items():
        expected = {"/start/<str:secret>": 410}
        if stage == "ended":
            expected |= dict.fromkeys([one for one in PATHS_BY_PATTERN if one.startswith("/t/")], 404)
        assert page.status == expected.get(pattern, 200), pattern
        assert page.find_one("html").attrs["lang"][:2] == language
        assert page.find_one("title").text
        assert ".." not in page.text, pattern  # after a name that ends with an initial
        assert len(page.find_all("h1")) == 1, pattern
        assert len(page.find_all("main", id="main")) == 1, pattern
        ids = page.ids
        assert sorted(ids) == sorted(set(ids)), pattern
        assert {one.attrs["href"].removeprefix("#") for one in page.find_all("use")} - {""} <= set(ids), pattern
        assert list_inline_code(page) == [], pattern
        if is_opened_from_a_link(page):
            assert list_blocking_assets(page) == [], pattern
        assert "{{" not in page.html
        assert "{%" not in page.html


@pytest.mark.long
@pytest.mark.parametrize("stage", ["playing", "ended"])
def test_every_anchor_has_its_target(stage: str) -> None:
    pages = open_all_pages(stage, "en")
    there = {page.path: page.ids for page in pages.values() if page.status == 200}
    missed = {pattern: page.list_broken_targets(there) for pattern, page in pages.items()}
    assert not {pattern: links for pattern, links in missed.items() if links}


def list_inline_code(page: Page) -> list[dict[str, str]]:
    """Return the elements that the page's Content-Security-Policy forbids: inline scripts, handlers and styles."""
    policy = page.response.headers["Content-Security-Policy"]
    return [
        one.attrs
        for one in page.find_all()
        if (is_written_in(one) and f"'sha256-{get_digest(one)}'" not in policy)
        or any(name.startswith(("on", "hx-on")) or name == "style" for name in one.attrs)
        or one.attrs.get("href", "").startswith(("javascript:", "data:"))
    ]


def is_written_in(one: Element) -> bool:
    is_script = one.tag == "script" and not ("src" in one.attrs or "json" in one.attrs.get("type", ""))
    return one.tag == "style" or is_script


def get_digest(one: Element) -> str:
    return b64encode(sha256("".join(map(str, one.children)).encode()).digest()).decode()


def is_opened_from_a_link(page: Page) -> bool:
    return get_access(page.response.wsgi_request.resolver_match.func) in {Audience.PUBLIC, Audience.TABLE}


def list_blocking_assets(page: Page) -> list[dict[str, str]]:
    """Return the assets that block rendering: style sheets for screens, and scripts that are not deferred."""
    return [
        one.attrs
        for one in page.find_one("head").find_all("link", "script")
        if (one.attrs.get("rel") == "stylesheet" and one.attrs.get("media") != "print")
        or ("src" in one.attrs and "defer" not in one.attrs and one.attrs.get("type") != "module")
    ]


@pytest.mark.long
def test_every_event_and_club_page_links_to_the_other_language() -> None:
    """Wall screens and embedded pages are exempt: they have no buttons."""
    pages = {
        pattern: page for pattern, page in open_all_pages("playing", "en").items() if pattern.startswith(("/e/", "/c/"))
    }
    without = {
        pattern
        for pattern, page in pages.items()
        if not page.find_all("button", name="language", value="fr") and not page.find_all("a", hreflang="fr")
    }
    assert without == {pattern for pattern in pages if re.search("/board(/<int:number>)?$|/embed$", pattern)}


DESKS = {"/e/<slug:short>/desk": "Event", "/club/<slug:slug>": "Club"}
"""Start of the patterns of each desk, with the name of its menu."""


def get_menu_name(page: Page) -> str:
    """Return the label of the page's menu, or "" if the page has none."""
    return " ".join(menu.attrs["aria-label"] for menu in page.find_all("nav", id="menu"))


@pytest.mark.long
@pytest.mark.parametrize("stage", ["playing", "ended"])
def test_menu_is_on_every_event_and_club_page(stage: str) -> None:
    of_desk = {
        pattern: name for pattern in PATHS_BY_PATTERN for start, name in DESKS.items() if pattern.startswith(start)
    }
    assert len(of_desk) > 60
    pages = {pattern: page for pattern, page in open_all_pages(stage, "en").items() if pattern in of_desk}
    assert {pattern: page.status for pattern, page in pages.items() if page.status != 200} == {}
    wrong = {pattern: get_menu_name(page) for pattern, page in pages.items() if get_menu_name(page) != of_desk[pattern]}
    assert wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("stage", ["playing", "ended"])
def test_tournament_pages_do_not_mention_a_night(stage: str, language: str) -> None:
    for pattern, page in open_all_pages(stage, language).items():
        if pattern.startswith(("/e/", "/t/", "/match/")):
            assert not re.search("evening|night|soirée", page.text, re.IGNORECASE), pattern


@pytest.mark.long
def test_every_control_has_text_or_an_accessible_name() -> None:
    for pattern, page in open_all_pages("playing", "en").items():
        for control in page.find_all("button", "a"):
            assert control.text or control.attrs.get("aria-label"), (pattern, control.attrs)


@pytest.mark.long
def test_no_page_accepts_put_or_delete() -> None:
    hall, paths = build_full_night("playing")
    methods = cycle((hall.desk.client.put, hall.desk.client.delete, hall.desk.client.patch))
    for (pattern, path), method in zip(paths.items(), methods, strict=False):
        assert method(path).status_code in (403, 405), pattern


@pytest.mark.long
def test_form_without_its_token_changes_nothing_and_says_why() -> None:
    hall, paths = build_full_night("playing")
    before = Mark.objects.count(), Entry.objects.count()
    data = build_hand_form(hall.match) | {"entries": "Anne A and Paul P", "reason": "mine"}
    for pattern, path in paths.items():
        page = Page(hall.desk.client.post(path, data))
        if page.status != 405 and pattern not in MAIL_PROGRAM_ACTIONS:
            assert page.status == 403, pattern
            assert "Nothing was recorded. Go back, reload and try again." in page.text
        assert (Mark.objects.count(), Entry.objects.count()) == before, pattern


@pytest.mark.long
@pytest.mark.parametrize("path", ["/", "/e/{short}", "/e/{short}/rules", "/t/{code}", "/e/{short}/desk"])
def test_page_answers_head_requests(path: str) -> None:
    hall = build_night("playing")
    answer = hall.desk.client.head(path.format(short=hall.event.short, code=hall.code))
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.long
def test_reloaded_form_address_leads_back_to_a_page() -> None:
    hall = build_night("playing")
    one = hall.match.players.get(seat=0).person_id
    parts = {
        "<slug:short>": hall.event.short,
        "<slug:slug>": hall.event.club.slug,
        "<code:code>": hall.code,
        "<slug:digest>": "0" * 40,
        "<int:match_id>": str(hall.match.pk),
        "seasons/<int:pk>": hall.season,
        "federations/<int:pk>": hall.federation,
        "mine/<int:pk>/<slug:letters>": build_player_link(hall.event, one).removeprefix(f"/e/{hall.event.short}/"),
        "people/<int:pk>": f"people/{hall.person.rpartition('/')[2]}",
        "team/<int:pk>": f"team/{hall.membership.pk}",
        "/privacy/incidents/<int:pk>": hall.incident.removeprefix(f"/club/{hall.event.club.slug}"),
        "webhooks/<int:pk>": f"webhooks/{hall.webhook.pk}",
        "/plan/<int:pk>": hall.plan.removeprefix(f"/club/{hall.event.club.slug}"),
        "/uploads/<slug:token>": hall.upload.removeprefix(f"/club/{hall.event.club.slug}"),
        "/import/<slug:token>": hall.event_import.removeprefix(f"/club/{hall.event.club.slug}"),
    }
    for pattern in sorted(POST_ONLY - {"/sign-out", "/language"} - INSTALLATION_ACTIONS):
        address = pattern
        for part, value in parts.items():
            address = address.replace(part, value)
        address = re.sub(r"<int:\w+>", "1", address).replace("<slug:step>", "close")
        page = hall.desk.open(address)
        assert page.status == 200, pattern
        assert address.startswith(page.path), pattern


def test_oversized_form_is_refused_and_changes_nothing() -> None:
    hall = Hall()
    page = post_form(hall.add_phone(), hall.table, build_hand_form(hall.match, note="x" * 20_000_000))
    assert page.status == 400
    assert "Sending failed" in page.text
    assert not Mark.objects.exists()


@pytest.mark.long
def test_server_error_page_says_that_data_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, phone = Hall(), Browser()

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("scoring.views.table_screen", fail)
    phone.client.raise_request_exception = False
    page = phone.open(hall.table)
    assert page.status == 500
    assert "Everything already recorded is saved." in page.text


@pytest.mark.long
class TestLanguage:
    def switch(self, browser: Browser, page: Page) -> Page:
        (button,) = page.find_all("button", name="language")
        return browser.send(page, page.find_form("/language"), ("language", button.value))

    @pytest.mark.parametrize("pattern", ["/club/<slug:slug>", "/t/<code:code>"])
    def test_language_switch_shows_the_same_page(self, pattern: str) -> None:
        hall = Hall()
        page = hall.desk.open(PATHS_BY_PATTERN[pattern](hall))
        french = self.switch(hall.desk, page)
        assert french.path == page.path
        assert french.find_one("html").attrs["lang"] == "fr-CA"
        assert self.switch(hall.desk, french).find_one("html").attrs["lang"] == "en"

    def test_language_can_be_switched_before_the_first_account(self) -> None:
        browser = Browser()
        page = self.switch(browser, browser.open(f"/start/{first_run.get_first_run_secret()}"))
        assert page.find_one("html").attrs["lang"] == "fr-CA"
        assert page.find_field("club_name")

    def test_language_can_be_switched_on_a_partial_screen(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        phone.client.defaults["HTTP_HX_REQUEST"] = "true"
        part = phone.send(page, page.find_form("/dealer"), ("seat", "2"))
        del phone.client.defaults["HTTP_HX_REQUEST"]
        french = self.switch(phone, part)
        assert (french.status, french.path) == (200, hall.table)

    def test_language_switch_never_redirects_elsewhere(self) -> None:
        page = post_form(Browser(), "/language", {"language": "fr", "next": "//evil.example/"}, follow=False)
        assert page.response.headers["Location"] == "/"

    def test_unsupported_browser_language_falls_back_to_french(self) -> None:
        assert Browser(language="de-DE").open("/").find_one("html").attrs["lang"] == "fr-CA"

    def test_dates_follow_the_readers_language(self) -> None:
        hall = Hall()
        compute_standings(hall.event)
        french = hall.add_phone(language="fr").open(f"/e/{hall.event.short}").text
        assert "17 novembre 2026" in french
        assert "November" in hall.add_phone().open(f"/e/{hall.event.short}").text


@pytest.mark.long
def test_table_screen_is_well_formed_after_every_kind_of_hand() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    for hand in ("A-6-7", "B-mulot-failed", "A-7-made", "B-5-0"):
        page = tap(phone, page, hand)
        assert page.document
        assert phone.open(f"{hall.table}/hands").document
