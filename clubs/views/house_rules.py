"""House rules of a club: the list, and the editor with its differences from the built-in ruleset."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from clubs import services
from clubs.access import for_directors_of_the_club, for_members
from clubs.house_rules import Editor, Typed, editor_of, fields_of, reset_setting
from clubs.models import Club, HouseRules
from clubs.post_only import posted_from
from clubs.queries import house_rules_of, removed_house_rules_of
from errors import Refusal
from live.conditional_pages import asks_for_part
from rules import RULESETS, Ruleset
from web.forms import FormReader


@require_safe
@for_members
def house_rules_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's house rules with their differences, and the rulesets to start others from."""
    return _list(request, club)


def _list(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "house_rules": house_rules_of(club),
        "removed": removed_house_rules_of(club),
        "rulesets": RULESETS.values(),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/house_rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def new_house_rules(request: HttpRequest, club: Club, base: str) -> HttpResponse:
    """Create house rules from a built-in ruleset."""
    if base not in RULESETS:
        raise Http404
    return _edit(request, club, RULESETS[base], None)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def edit_house_rules(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change the name and the differences of house rules."""
    kept = get_object_or_404(house_rules_of(club), pk=pk)
    return _edit(request, club, RULESETS[kept.base], kept)


@posted_from("house-rules", "slug")
@for_directors_of_the_club
def remove_house_rules(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove house rules, which can be restored. Nights that use them keep them."""
    services.remove_house_rules(house_rules_id=_of_the_club(club, pk).pk)
    return redirect("house-rules", slug=club.slug)


@posted_from("house-rules", "slug")
@for_directors_of_the_club
def put_back_house_rules(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Restore removed house rules."""
    try:
        services.put_back_house_rules(house_rules_id=_of_the_club(club, pk).pk)
    except Refusal as refusal:
        return _list(request, club, refusal)
    return redirect("house-rules", slug=club.slug)


def _of_the_club(club: Club, pk: int) -> HouseRules:
    return get_object_or_404(club.house_rules, pk=pk)


def _edit(request: HttpRequest, club: Club, base: Ruleset, kept: HouseRules | None) -> HttpResponse:
    """Show the editor as stored or as typed, or save it.

    The button ``reset`` resets one setting, ``check`` shows the differences; neither saves anything.
    """
    if request.method != "POST":
        ruleset = base if kept is None else kept.ruleset
        return _editor(request, club, kept, editor_of(base, fields_of(ruleset)))
    typed: Typed = dict(request.POST.lists())
    if put_back_now := request.POST.get("reset"):
        return _editor(request, club, kept, editor_of(base, reset_setting(base, typed, put_back_now)))
    editor = editor_of(base, typed)
    if "check" in request.POST:
        return _editor(request, club, kept, editor)
    try:
        saved = _save_form(request, club, kept, editor)
    except Refusal as refusal:
        return _editor(request, club, kept, editor, refusal)
    return redirect(f"{reverse('house-rules', args=[club.slug])}#house-{saved.pk}")


def _save_form(request: HttpRequest, club: Club, kept: HouseRules | None, editor: Editor) -> HouseRules:
    """Save the form.

    Refuses: form_refused with every problem, and what the services refuse.
    """
    form = FormReader(request.POST.dict())
    name = form.text("name", required="name_required")
    for refusal in editor.reading.refusals:
        form.refuse(refusal)
    form.finish()
    difference = editor.reading.difference
    if kept is None:
        return services.create_house_rules(club=club, name=name, base=editor.base.key, difference=difference)
    return services.change_house_rules(house_rules_id=kept.pk, name=name, difference=difference)


def _editor(
    request: HttpRequest,
    club: Club,
    kept: HouseRules | None,
    editor: Editor,
    refusal: Refusal | None = None,
) -> HttpResponse:
    if refusal is None and editor.reading.refusals:
        refusal = Refusal("form_refused", refusals=editor.reading.refusals)
    is_part = asks_for_part(request) and "reset" not in request.POST
    context = {
        "club": club,
        "kept": kept,
        "editor": editor,
        "refusal": refusal,
        "name": request.POST.get("name", kept.name if kept else ""),
        "put_back": request.POST.get("reset", ""),
    }
    return TemplateResponse(
        request, "clubs/house_rules_editor.html" + ("#checked" if is_part else ""), context
    )
