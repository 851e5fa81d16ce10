"""House rules of a club: the list, and the editor with its differences from the built-in ruleset."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.house_rules.editor import HouseRulesEditor, build_editor
from clubs.house_rules.fields import FormValues, build_field_values, reset_setting
from clubs.models import Club, HouseRules
from clubs.pages import (
    directors_only,
    get_refusal,
    members_only,
    note_refusal,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.queries import query_house_rules, query_removed_house_rules
from clubs.services import house_rules as house_rules_services
from errors import Refusal
from live.conditional_pages import is_partial_request
from rules import RULESETS, Ruleset
from web.forms import FormReader


@require_safe
@members_only
def house_rules_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's house rules with their differences, and the rulesets to start others from."""
    return _render_list(request, club)


def _render_list(request: HttpRequest, club: Club) -> HttpResponse:
    context = {
        "club": club,
        "house_rules": query_house_rules(club),
        "removed": query_removed_house_rules(club),
        "rulesets": RULESETS.values(),
    }
    return TemplateResponse(request, "clubs/house_rules/page.html", context)


@directors_only
@show_refusals
def add_house_rules(request: HttpRequest, club: Club, base: str) -> HttpResponse:
    """Create house rules from a built-in ruleset."""
    if base not in RULESETS:
        raise Http404
    return _edit(request, club, RULESETS[base], None)


@directors_only
@show_refusals
def edit_house_rules(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change the name and the differences of house rules."""
    house_rules = get_object_or_404(query_house_rules(club), pk=pk)
    return _edit(request, club, RULESETS[house_rules.base], house_rules)


@require_post_from("house-rules", "slug")
@directors_only
def remove_house_rules(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove house rules, which can be restored. Nights that use them keep them."""
    house_rules_services.remove_house_rules(house_rules_id=_get_house_rules(club, pk).pk)
    return redirect("house-rules", slug=club.slug)


@require_post_from("house-rules", "slug")
@directors_only
@show_refusals_on(_render_list)
def restore_house_rules(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Restore removed house rules."""
    house_rules_services.restore_house_rules(house_rules_id=_get_house_rules(club, pk).pk)
    return redirect("house-rules", slug=club.slug)


def _get_house_rules(club: Club, pk: int) -> HouseRules:
    return get_object_or_404(club.house_rules, pk=pk)


def _edit(request: HttpRequest, club: Club, base: Ruleset, house_rules: HouseRules | None) -> HttpResponse:
    """Show the editor as stored or as typed, or save it.

    The button ``reset`` resets one setting, ``check`` shows the differences; neither saves anything.
    """
    if request.method != "POST":
        ruleset = base if house_rules is None else house_rules.ruleset
        return _render_editor(request, club, house_rules, build_editor(base, build_field_values(ruleset)))
    form_data: FormValues = dict(request.POST.lists())
    if reset_name := request.POST.get("reset"):
        return _render_editor(
            request, club, house_rules, build_editor(base, reset_setting(base, form_data, reset_name))
        )
    editor = build_editor(base, form_data)
    if "check" in request.POST or get_refusal(request) is not None:
        return _render_editor(request, club, house_rules, editor)
    saved_rules = _save_form(request, club, house_rules, editor)
    return redirect(f"{reverse('house-rules', args=[club.slug])}#house-{saved_rules.pk}")


def _save_form(
    request: HttpRequest, club: Club, house_rules: HouseRules | None, editor: HouseRulesEditor
) -> HouseRules:
    """Save the form.

    Refuses: form_refused with every problem, and what the services refuse.
    """
    form = FormReader(request.POST.dict())
    name = form.read_text("name", required="name_required")
    for refusal in editor.parsed.refusals:
        form.refuse(refusal)
    form.raise_refusals()
    difference = editor.parsed.difference
    if house_rules is None:
        return house_rules_services.create_house_rules(
            club=club, name=name, base=editor.base.key, difference=difference
        )
    return house_rules_services.change_house_rules(house_rules_id=house_rules.pk, name=name, difference=difference)


def _render_editor(
    request: HttpRequest,
    club: Club,
    house_rules: HouseRules | None,
    editor: HouseRulesEditor,
) -> HttpResponse:
    if editor.parsed.refusals and get_refusal(request) is None:
        note_refusal(request, Refusal("form_refused", refusals=editor.parsed.refusals))
    is_part = is_partial_request(request) and "reset" not in request.POST
    context = {
        "club": club,
        "house_rules": house_rules,
        "editor": editor,
        "name": request.POST.get("name", house_rules.name if house_rules else ""),
        "put_back": request.POST.get("reset", ""),
    }
    return TemplateResponse(request, "clubs/house_rules/editor.html" + ("#checked" if is_part else ""), context)
