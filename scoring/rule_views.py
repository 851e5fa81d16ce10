"""Rulebooks of the built-in systems and of a match, and the page that rules on a trick."""

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from rules import RULESETS, Ruleset

from .rulebook import WHO_PLAYS, rulebook_of
from .rulings import ruling_screen
from .table_access import TableSession, by_card, by_desk


@require_safe
@for_everybody
def rulebooks(request: HttpRequest) -> HttpResponse:
    """List the built-in systems, with where each is played."""
    systems = [(ruleset, WHO_PLAYS[ruleset.key]) for ruleset in RULESETS.values()]
    return TemplateResponse(request, "scoring/rulebooks.html", {"systems": systems})


@require_safe
@for_everybody
def rulebook(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of a built-in system."""
    return TemplateResponse(request, "scoring/rulebook.html", {"rulebook": rulebook_of(_built_in(key))})


@require_safe
@for_everybody
def ruling(request: HttpRequest, key: str) -> HttpResponse:
    """Rule on a trick by a built-in system: who wins it, and what may be played."""
    return TemplateResponse(
        request, "scoring/ruling.html", {"ruling": ruling_screen(_built_in(key), request.GET.dict())}
    )


def rulebook_of_match(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show the rules that this match is played by."""
    match = session.match
    context = {"session": session, "rulebook": rulebook_of(match.ruleset, match.match_format)}
    return TemplateResponse(request, "scoring/rulebook_of_match.html", context)


def ruling_of_match(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Rule on a trick by the rules of this match: who wins it, and what may be played."""
    screen = ruling_screen(session.match.ruleset, request.GET.dict())
    return TemplateResponse(request, "scoring/ruling_of_match.html", {"session": session, "ruling": screen})


def _built_in(key: str) -> Ruleset:
    if key not in RULESETS:
        raise Http404
    return RULESETS[key]


rulebook_by_card = by_card(require_safe(rulebook_of_match))
ruling_by_card = by_card(require_safe(ruling_of_match))
rulebook_by_desk = by_desk(require_safe(rulebook_of_match))
ruling_by_desk = by_desk(require_safe(ruling_of_match))
