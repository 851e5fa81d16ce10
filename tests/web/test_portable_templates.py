"""Templates that a phone renders give what Django gives, byte for byte; unsupported templates are refused."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.test import override_settings
from django.utils import timezone, translation

from errors import Refusal
from rules import PlayedHand, Side
from scoring.clock import Clock
from scoring.phone import SCREEN_TEXTS
from tests.support.phone_drawing import draw_in_node, list_attribute_names, to_json_value
from web.portable_templates import JS_FILTERS, NotPortableError, compile_template

LANGUAGES = ("fr", "en")
EVENING_TIME = datetime(2026, 11, 18, 1, 14, 59, 123456, tzinfo=UTC)
"""20:14:59 in Montréal, the day before."""
SPECIAL_CHARACTERS = {"x": "<b> & \"two\" 'signs' &amp;"}
NAMES = {"names": ["Édith", "Léo", "O'Neil"], "pairs": [["a", 1], ["b", 2]], "empty": [], "one": {"k": "v"}}
EMPTY: tuple[Any, ...] = (None, False, 0, "", [], {})
EMPTY_CONTEXTS: list[dict[str, Any]] = [*({"x": each} for each in EMPTY), {}]
THINGS: list[dict[str, Any]] = [{"x": thing} for thing in (True, 1, -3, "0", " ", [0], {"k": None})]
COUNTS = [{"x": count} for count in (0, 1, 2, 3, 21)]

PARTS = {
    "named.html": "[{{ name }}|{{ x }}]",
    "sets.html": '{% load i18n %}{% translate "Hands" as title %}{{ title }}',
    "itself.html": '{{ x.name }}{% if x.below %}({% include "itself.html" with x=x.below %}){% endif %}',
    "page.html": "{% load partials %}{% partialdef part %}b{{ x }}{% endpartialdef %}"
    "{% block main %}e{{ x }}{% endblock %}",
    "partials.html": "{% load partials %}a{% partialdef gone %}b{{ x }}{% endpartialdef %}"
    "{% partialdef here inline %}{{ y }}{% endpartialdef %}c",
}
"""Templates that the others include."""

SPECIFICATION: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "a text": ('<p title="it\'s">&nbsp;{# gone #}{% comment %}gone{% endcomment %}</p>', [{}]),
    "escaped": ("{{ x }} {{ x|safe }} {{ missing|default:'<b>' }}", [SPECIAL_CHARACTERS]),
    "a number, none, a yes": ("{{ x }}", [*COUNTS, {"x": 32000}, {"x": None}, {"x": True}, {"x": False}, {}]),
    "a path": (
        "{{ x.y.1.z }}|{{ x.y.7 }}|{{ x.length }}|{{ x.y.length }}|{{ x.none.more }}|{{ x.s.0 }}"
        "|{{ x.s.length }}|{{ x.y.constructor }}|{{ toString }}",
        [{"x": {"y": [0, {"z": "here"}], "none": None, "s": "été"}}],
    ),
    "true or not": ("{% if x %}yes{% else %}no{% endif %}", [*EMPTY_CONTEXTS, *THINGS]),
    "and, or, not": (
        "{% if x and y %}1{% endif %}{% if x or y %}2{% endif %}{% if not x and not y %}3{% endif %}"
        "{% if x and not y or y and not x %}4{% endif %}{% if x|default:1 and not y|length %}5{% endif %}",
        [{"x": x, "y": y} for x in (0, 1) for y in ("", "y")] + [{}],
    ),
    "elif": ("{% if x == 1 %}a{% elif x == 2 %}b{% elif y %}c{% endif %}", [*COUNTS, {"y": 1}, {}]),
    "equal": (
        '{% if x == 1 %}1{% endif %}{% if x != 1 %}2{% endif %}{% if x == "1" %}3{% endif %}'
        "{% if x == None %}4{% endif %}{% if x == y %}5{% endif %}{% if x == True %}6{% endif %}",
        [{"x": x} for x in (0, 1, "1", None, True, False, 2)] + [{"x": "a", "y": "a"}, {}],
    ),
    "is": (
        "{% if x is None %}1{% endif %}{% if x is not None %}2{% endif %}{% if x is True %}3{% endif %}",
        [*EMPTY_CONTEXTS, *THINGS],
    ),
    "greater": (
        "{% if x > 1 %}1{% endif %}{% if x < 1 %}2{% endif %}{% if x >= 1 %}3{% endif %}"
        '{% if x <= 1 %}4{% endif %}{% if x < "b" %}5{% endif %}{% if x > y %}6{% endif %}',
        [*COUNTS, *EMPTY_CONTEXTS, {"x": "a", "y": "A"}, {"x": True, "y": 0}],
    ),
    "in": (
        '{% if x in "abc" %}1{% endif %}{% if x not in "abc" %}2{% endif %}{% if x in y %}3{% endif %}'
        '{% if x not in y %}4{% endif %}{% if "k" in y %}5{% endif %}',
        [{"x": x, "y": y} for x in ("b", "z", 1, None) for y in (["b", 1], "abc", {"b": 1, "k": 2}, None)] + [{}],
    ),
    "for": (
        "{% for name in names %}{{ forloop.counter }}{{ forloop.counter0 }}{{ forloop.revcounter }}"
        "{% if forloop.first %}first{% endif %}{% if forloop.last %}last{% endif %}{{ name }},{% endfor %}"
        "{% for name in names reversed %}{{ name }}{% endfor %}{{ name }}{{ forloop.counter }}",
        [NAMES],
    ),
    "for, with nothing": (
        "{% for each in x %}{{ each }}{% empty %}none{% endfor %}{% for each in x %}{{ each }}{% endfor %}",
        [{"x": x} for x in ([], None, "", "éa", ["a"])] + [{}],
    ),
    "for, in parts": (
        "{% for name, at in pairs %}{{ name }}{{ at }}{% endfor %}"
        "{% for key, value in one.items %}{{ key }}={{ value }}{% endfor %}{{ key }}",
        [NAMES],
    ),
    "for, in a dictionary": (
        "{% if x %}{% for key, value in x.items %}{{ key }}={{ value }}{% endfor %}{% endif %}",
        [{"x": {3: "a", None: "b"}}, {"x": {"k": "v"}}, {"x": {}}],
    ),
    "for, in for": (
        "{% for name in names %}{% for name, at in pairs %}{{ forloop.parentloop.counter }}{{ name }}"
        "{% endfor %}{{ forloop.counter }}{{ name }}{% endfor %}",
        [NAMES],
    ),
    "with": ("{{ x }}{% with x=y y=x %}{{ x }}{{ y }}{% endwith %}{{ x }}", [{"x": "a", "y": "<b>"}, {}]),
    "with None, or nothing": (
        "{% with y=x %}{{ y }}{% if y == '' %}!{% endif %}{% endwith %}",
        [{"x": None}, {}],
    ),
    "include": (
        '{% include "named.html" %}{% include "named.html" with name=x x="<i>" %}{{ name }}'
        '{% include "named.html" with name="a" only %}',
        [{"x": "<b>", "name": "n"}, {}],
    ),
    "include, of itself": (
        '{% include "itself.html" %}',
        [{"x": {"name": "a", "below": {"name": "b", "below": {"name": "c"}}}}],
    ),
    "what is set": (
        '{% include "sets.html" %}{{ title }}{% for name in names %}{{ title }}{% include "sets.html" %}{% endfor %}',
        [NAMES],
    ),
    "set while it goes round": (
        "{% load i18n %}{% for name in names %}{{ title }}{% translate 'Hands' as title %}{% endfor %}"
        "{{ title }}{% for a, b in pairs %}{{ title }}{% translate 'Hands' as title %}{% endfor %}",
        [NAMES],
    ),
    "translated": (
        '{% load i18n %}{% translate "The last hand appears here." %}',
        [{}],
    ),
    "translated, in its context": ('{% load i18n %}{% translate "made" context "Le Petit" %}', [{}]),
    "translated, as a literal": (
        '{% load i18n %}{{ x|default:_("Hands") }}{% if _("Hands") %}1{% endif %}',
        [{}, SPECIAL_CHARACTERS],
    ),
    "a sentence": (
        "{% load i18n %}{% blocktranslate with number=x %}Hand {{ number }}:{% endblocktranslate %}"
        "{% blocktranslate %}table {{ table }}{% endblocktranslate %}{{ number }}",
        [{"x": 3, "table": "<4>"}, {"x": None}, {}],
    ),
    "a sentence, with a percent sign": (
        "{% load i18n %}{% blocktranslate %}100 % of {{ x }}{% endblocktranslate %}{% translate '100 %' %}",
        [SPECIAL_CHARACTERS],
    ),
    "a sentence, of one or many": (
        "{% load i18n %}{% blocktranslate count games=x %}game <b>{{ games }}</b>{% plural %}"
        "games <b>{{ games }}</b>{% endblocktranslate %}{{ games }}",
        COUNTS,
    ),
    "a sentence without a translation, of one or many": (
        "{% load i18n %}{% blocktranslate count n=x with y=x %}{{ n }} odd{% plural %}{{ n }} ends, {{ y }}"
        "{% endblocktranslate %}",
        COUNTS,
    ),
    "a sentence for later": (
        "{% load i18n %}{% blocktranslate count n=x|length with who=y asvar later %}{{ who }} wins"
        "{% plural %}{{ who }} win{% endblocktranslate %}{{ who }}[{{ later }}{{ later|default:1 }}]",
        [{"x": [1], "y": "<b>"}, {"x": "ab"}, {}],
    ),
    "the first of": (
        "{% firstof x y 'neither' %}{% firstof x y as z %}[{{ z }}]",
        [{"x": "<b>"}, {"y": "y"}, {"x": None, "y": 0}, {}],
    ),
    "the token": ("{% csrf_token %}", [{"csrf_token": "a<b"}, {"csrf_token": "NOTPROVIDED"}]),
    "other languages": (
        "{% load i18n %}{% get_available_languages as LANGUAGES %}{% for code, _ in LANGUAGES %}"
        "{% if code != LANGUAGE_CODE %}{% get_language_info for code as other %}{{ other.name_local }}"
        "{{ other.name_local|capfirst }}{{ other.name_translated }}{{ other.bidi }}"
        '{% url "set_language" %}{% endif %}{% endfor %}',
        [{}],
    ),
    "groups": (
        "{% load l10n tz %}{% localize off %}{{ x }}{% endlocalize %}{% timezone 'America/Toronto' %}{{ x }}"
        "{% endtimezone %}",
        COUNTS,
    ),
    "length, yesno, slice, capfirst": (
        "{{ x|length }}{{ x|yesno:'y,<n>,m' }}{{ x|yesno:'y,n' }}{{ y|slice:':2' }}"
        "{{ y|slice:'-2:' }}{{ y|capfirst }}{{ 'é'|capfirst }}{{ '<i>x'|slice:':3' }}",
        [{"x": x, "y": "é<>𝔸b"} for x in (None, "", "é𝔸", [1, 2], {"a": 1})] + [{}],
    ),
    "default": (
        "{{ x|default:'<none>' }}{{ x|default:y }}",
        [{"x": x, "y": "<b>"} for x in (None, "", 0, "<x>", 1)],
    ),
    "the hour": (
        '{% load tz %}{{ x|time:"TIME_FORMAT" }}{% if x|time:"TIME_FORMAT" == "" %}!{% endif %}',
        [{"x": EVENING_TIME + timedelta(hours=hours)} for hours in range(24)]
        + [{"x": EVENING_TIME.replace(minute=0) + timedelta(hours=hours)} for hours in range(24)]
        + [{"x": None}, {}],
    ),
    "a moment": ('{{ x|date:"U" }}', [{"x": EVENING_TIME}, {"x": None}, {}]),
    "a clock": (
        "{% load clocks %}{{ clock|minutes_away:now }} {% if clock|is_over:now %}over{% endif %}"
        "{% with over=clock|is_over:now %}{{ over }}{% endwith %}",
        [
            {
                "now": EVENING_TIME,
                "clock": Clock(started_at=EVENING_TIME, ends_at=EVENING_TIME + timedelta(seconds=seconds)),
            }
            for seconds in (-3600, -61, -60, -59, -1, 0, 1, 59, 60, 61, 5400)
        ]
        + [{"now": EVENING_TIME, "clock": Clock(started_at=EVENING_TIME, left=timedelta(seconds=90))}],
    ),
    "what is left": (
        "{% load clocks %}{{ x|lasting }}",
        [{"x": timedelta(seconds=seconds)} for seconds in (-5, 0, 5, 65, 3599, 3600, 3665, 40000.7)],
    ),
    "names joined": (
        "{% load words %}{{ x|joined }}",
        [{"x": ["{last}", "<b>", "O'Neil"][:end]} for end in range(4)],
    ),
    "a revision": ("{% load words %}{{ x|if_none_match }}", [{"x": '"4f"'}]),
    "words of the game": (
        "{% load words %}{{ x|contract_name }}{{ y|mode_name }}{{ z|get_suit_name }}{{ z|get_suit_icon }}"
        "{{ r|record_name }}",
        [{"x": x, "y": "reserve+kitty", "z": "H", "r": "void"} for x in ("6", "petite", "gros_mulot")],
    ),
    "an outcome": (
        "{% load words %}{{ hand|outcome }}",
        [
            {"hand": PlayedHand(side=Side.A, contract=contract, made=made)}
            for contract in ("6", "petite", "grosse", "charlemagne")
            for made in (True, False)
        ],
    ),
    "a refusal": (
        "{% load words %}{{ x|sentence }}",
        [
            {"x": Refusal("number_skips", expected=4)},
            {"x": Refusal("not_last_hand", last=2)},
            {"x": Refusal("match_over")},
        ],
    ),
    "a page": ("{{ x }}", [SPECIAL_CHARACTERS]),
}

REFUSED_TEMPLATES = {
    "{{ x }}\n{{ x|upper }}": "line 2: no filter upper",
    "{{ x }}\n\n{% now 'Y' %}": "line 3: no NowNode",
    "{% if x %}\n{% cycle 'a' 'b' %}{% endif %}": "line 2: no CycleNode",
    "{% include x %}": "line 1: only what is included by its name",
    "{% load i18n %}{% translate x %}": "line 1: only a sentence that stands here",
    "{% if x is y %}{% endif %}": "line 1: which values are the same",
    "{{ x|default:1.5 }}": "line 1: 1.5 is written otherwise",
    '{{ x|date:"Y" }}': "line 1: no such argument of the filter date",
    '{{ x|time:"H:i" }}': "line 1: no such argument of the filter time",
    "{{ x|yesno }}": "line 1: no such argument of the filter yesno",
    '{{ x|slice:"::2" }}': "line 1: no such argument of the filter slice",
    "{% load words %}{{ x|get_metric_name }}": "line 1: no filter get_metric_name",
    '{% load i18n %}{% url "sign-in" x %}': "line 1: an address that depends",
    "{% with absent=1 %}{% endwith %}": "line 1: absent has another meaning",
    "{{ absent.more }}": "line 1: absent.more is drawn",
    "{% load i18n %}{% blocktranslate %}{{ x.y }}{% endblocktranslate %}": "line 1: a sentence has values",
}

FAILING_TEMPLATES: dict[str, tuple[str, dict[str, Any]]] = {
    "an argument that is missing": ("{{ x|default:y }}", {}),
    "a list": ("{{ x }}", {"x": [1]}),
    "an object": ("{{ x }}", {"x": {"a": 1}}),
    "half a number": ("{{ x }}", {"x": 1.5}),
    "lists that are compared": ("{% if x == y %}{% endif %}", {"x": [1], "y": [1]}),
    "a key without a word": ("{% load words %}{{ x|contract_name }}", {"x": "quinte"}),
    "too few in a part": ("{% for a, b in x %}{% endfor %}", {"x": [[1, 2], [3]]}),
    "a count of nothing": (
        "{% load i18n %}{% blocktranslate count n=x %}a{% plural %}b{% endblocktranslate %}",
        {},
    ),
}

FOLDED_TEMPLATES = {
    "{% if absent %}{% now 'Y' %}{% endif %}here": ["here"],
    "{% if absent.more and x %}{% now 'Y' %}{% else %}here{% endif %}": ["here"],
    "{% if not absent %}here{% else %}{% now 'Y' %}{% endif %}": ["here"],
    "{% if x or not absent %}here{% endif %}": ["here"],
    "{% if x and not absent %}here{% endif %}": [["if", ["x", ["here"]]]],
    "{% if absent or x %}here{% elif absent %}{% now 'Y' %}{% endif %}": [["if", ["x", ["here"]]]],
    "{% if x %}here{% elif not absent %}there{% else %}{% now 'Y' %}{% endif %}": [
        ["if", ["x", ["here"]], [True, ["there"]]]
    ],
    "{{ x|default:absent.name }}": [["=", ["default", "x", None]]],
}

SOURCES = (
    PARTS
    | {f"{name}.txt": source for name, (source, _) in SPECIFICATION.items()}
    | {f"{name}.failing": source for name, (source, _) in FAILING_TEMPLATES.items()}
    | {source: source for source in [*REFUSED_TEMPLATES, *FOLDED_TEMPLATES]}
)


@pytest.fixture(scope="module", autouse=True)
def templates() -> Iterator[None]:
    """Replace the project's templates with those of this specification."""
    loader = ("django.template.loaders.locmem.Loader", SOURCES)
    options = {
        "loaders": [("template_partials.loader.Loader", [loader])],
        "builtins": ["wording.templatetags.dates"],
    }
    backend = "django.template.backends.django.DjangoTemplates"
    with override_settings(TEMPLATES=[{"BACKEND": backend, "OPTIONS": options}]):
        yield


def build_drawing(name: str, language: str, context: dict[str, Any]) -> dict[str, Any]:
    program = compile_template(name, language=language, filter_values=SCREEN_TEXTS)
    values = to_json_value(context, list_attribute_names(program)) | {"time_zone": "America/Toronto"}
    return {"program": program, "name": name, "context": values}


@pytest.fixture(scope="module")
def drawn(templates: None) -> dict[tuple[str, str], list[Any]]:
    """Return all that the script renders of the specification, by name and language."""
    drawings = [
        (name, language, context)
        for name, (_, contexts) in SPECIFICATION.items()
        for language in LANGUAGES
        for context in contexts
    ]
    answers = draw_in_node([build_drawing(f"{name}.txt", language, context) for name, language, context in drawings])
    by_name: dict[tuple[str, str], list[Any]] = {}
    for (name, language, _), text in zip(drawings, answers["drawn"], strict=True):
        by_name.setdefault((name, language), []).append(text)
    return by_name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SPECIFICATION)
def test_script_renders_what_django_renders(name: str, language: str, drawn: dict[tuple[str, str], list[Any]]) -> None:
    template: Any = get_template(f"{name}.txt")
    with translation.override(language), timezone.override("America/Toronto"):
        expected = [template.render({"LANGUAGE_CODE": language} | context) for context in SPECIFICATION[name][1]]
    assert drawn[name, language] == expected


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("page.html#part", ["b", ["=", "x"]]),
        ("page.html#main", ["e", ["=", "x"]]),
        ("partials.html", ["a", ["=", "y"], "c"]),
    ],
)
def test_partial_or_block_compiles_alone(name: str, nodes: list[Any]) -> None:
    assert compile_template(name, language="en")["templates"] == {name: nodes}


def test_unknown_page_part_raises_template_does_not_exist() -> None:
    with pytest.raises(TemplateDoesNotExist):
        compile_template("page.html#side", language="en")


@pytest.mark.parametrize(("source", "why"), REFUSED_TEMPLATES.items())
def test_unportable_template_is_refused_with_its_line(source: str, why: str) -> None:
    with pytest.raises(NotPortableError) as refused:
        compile_template(source, language="en", absent_names={"absent"})
    assert str(refused.value).startswith(f"{source}, {why}")


def test_runtime_template_error_never_renders_text() -> None:
    drawings = [build_drawing(f"{name}.failing", "en", context) for name, (_, context) in FAILING_TEMPLATES.items()]
    answers = dict(zip(FAILING_TEMPLATES, draw_in_node(drawings)["drawn"], strict=True))
    assert [name for name, answer in answers.items() if isinstance(answer, str)] == []


@pytest.mark.parametrize(("source", "nodes"), FOLDED_TEMPLATES.items())
def test_branches_for_absent_names_are_omitted(source: str, nodes: list[Any]) -> None:
    program = compile_template(source, language="en", absent_names={"absent"})
    assert program["templates"] == {source: nodes}


def test_compiler_and_script_support_the_same_filters() -> None:
    assert set(draw_in_node([])["filters"]) == JS_FILTERS
