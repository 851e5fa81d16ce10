"""Rulebooks of the built-in systems and of a match, and the page that rules on a trick."""

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.pages import public_page
from rules import RULESETS, Ruleset

from .rulebook import REGIONS, build_rulebook
from .rulings.screen import build_ruling_screen
from .table_access import TableSession, open_by_card, open_by_desk


@require_safe
@public_page
def list_rulebooks(request: HttpRequest) -> HttpResponse:
    """List the built-in systems, with where each is played."""
    systems = [(ruleset, REGIONS[ruleset.key]) for ruleset in RULESETS.values()]
    return TemplateResponse(request, "scoring/rulebook/list.html", {"systems": systems})


@require_safe
@public_page
def show_rulebook(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of a built-in system."""
    return TemplateResponse(
        request, "scoring/rulebook/page.html", {"rulebook": build_rulebook(_get_built_in_ruleset(key))}
    )


@require_safe
@public_page
def show_ruling(request: HttpRequest, key: str) -> HttpResponse:
    """Rule on a trick by a built-in system: who wins it, and what may be played."""
    return TemplateResponse(
        request,
        "scoring/ruling/page.html",
        {"ruling": build_ruling_screen(_get_built_in_ruleset(key), request.GET.dict())},
    )


def show_match_rulebook(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show the rules that this match is played by."""
    match = session.match
    context = {"session": session, "rulebook": build_rulebook(match.ruleset, match.match_format)}
    return TemplateResponse(request, "scoring/rulebook/match_page.html", context)


def show_match_ruling(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Rule on a trick by the rules of this match: who wins it, and what may be played."""
    screen = build_ruling_screen(session.match.ruleset, request.GET.dict())
    return TemplateResponse(request, "scoring/ruling/match_page.html", {"session": session, "ruling": screen})


def _get_built_in_ruleset(key: str) -> Ruleset:
    if key not in RULESETS:
        raise Http404
    return RULESETS[key]


card_rulebook_view = open_by_card(require_safe(show_match_rulebook))
card_ruling_view = open_by_card(require_safe(show_match_ruling))
desk_rulebook_view = open_by_desk(require_safe(show_match_rulebook))
desk_ruling_view = open_by_desk(require_safe(show_match_ruling))
