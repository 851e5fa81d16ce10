"""The press report of an event, sentence by sentence, in both languages."""

import re
from collections.abc import Iterator
from datetime import date, time
from typing import Any

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from tournaments.sharing.press.values import (
    Charlemagne,
    ComebackStory,
    Final,
    HighScore,
    NextNight,
    Podium,
    PressRank,
    PressReport,
    TurningHand,
    find_high_score,
    podium,
)
from tournaments.sharing.press_labels import build_paragraph, for_facebook, for_sharing, for_the_paper, get_heading

TUESDAY, NEXT = date(2026, 11, 17), date(2026, 12, 1)
ROY, ALBERT, CARON, DUMONT = (
    ("Jeannine R.", "Marcel D."),
    ("Agathe A.", "Bruno B."),
    ("Cécile C.", "Donat D."),
    ("Édith É.",),
)
NIGHT: dict[str, Any] = {"club": "Les Joyeux Atouts", "event": "Soirée du mardi", "days": (TUESDAY, TUESDAY)}
N = "\N{NO-BREAK SPACE}"


def build_podium(*rows: tuple[int, tuple[str, ...], int]) -> tuple[Podium, ...]:
    return (podium("", "match_wins", rows),)


THREE = build_podium((1, ROY, 5), (2, ALBERT, 4), (3, CARON, 3))
LEVEL = build_podium((1, ROY, 5), (1, ALBERT, 5), (3, CARON, 3), (3, DUMONT, 3))
MANY_PLACED = build_podium(*((1, (f"Player {number}",), 1) for number in range(1, 6)))
SECTIONS = (
    podium("Débutants", "points_for", [(1, ROY, 96)]),
    podium("Experts", "points_for", [(1, DUMONT, 1)]),
)
MADE_CHARLEMAGNE = Charlemagne(contract="charlemagne", who=ROY, round=2, at=time(20, 14))
GROS = Charlemagne(contract="gros_charlemagne", who=DUMONT, round=3)
NEXT_NIGHT = NextNight(name="Soirée du mardi", day=NEXT, at=time(19, 30), place="Salle paroissiale")


def build_turning_podium(**more: Any) -> tuple[Podium, ...]:
    """Build a podium with a winner and the turning hand."""
    turn: dict[str, Any] = {"who": ROY, "round": 5, "table": 3, "hand": 9, "is_made": True}
    turn |= {"contract": "gros_mulot", "chances": (23, 61)}
    return (Podium(ranks=(PressRank(rank=1, who=(DUMONT,)),), turning=TurningHand(**(turn | more))),)


CASES: dict[str, tuple[PressReport, str, str]] = {
    "nothing but that it was held": (
        PressReport(**NIGHT),
        "La rencontre «~Soirée du mardi~» a eu lieu le mardi 17 novembre 2026.",
        "“Soirée du mardi” was held on Tuesday, November 17, 2026.",
    ),
    "pairs, and where": (
        PressReport(**NIGHT, place="Salle paroissiale", people=18, pairs=9),
        "18 personnes (9 paires) ont pris part à «~Soirée du mardi~», le mardi 17 novembre 2026 (Salle paroissiale).",
        "18 people (9 pairs) took part in “Soirée du mardi” on Tuesday, November 17, 2026 (Salle paroissiale).",
    ),
    "one pair": (
        PressReport(**NIGHT, people=2, pairs=1),
        "2 personnes (1 paire) ont pris part à «~Soirée du mardi~», le mardi 17 novembre 2026.",
        "2 people (1 pair) took part in “Soirée du mardi” on Tuesday, November 17, 2026.",
    ),
    "a name with the day": (
        PressReport(**NIGHT | {"event": "Soirée du 17 novembre 2026"}, people=2, pairs=1),
        "2 personnes (1 paire) ont pris part à «~Soirée du 17 novembre 2026~».",
        "2 people (1 pair) took part in “Soirée du 17 novembre 2026” on Tuesday, November 17, 2026.",
    ),
    "one person": (
        PressReport(**NIGHT, people=1),
        "1 personne a pris part à «~Soirée du mardi~», le mardi 17 novembre 2026.",
        "1 person took part in “Soirée du mardi” on Tuesday, November 17, 2026.",
    ),
    "three pairs in order": (
        PressReport(**NIGHT, podiums=THREE),
        "… Jeannine R. et Marcel D. l’emportent avec 5 victoires. Au deuxième rang~: Agathe A. et Bruno "
        "B. Au troisième rang~: Cécile C. et Donat D.",
        "… Jeannine R. and Marcel D. come first with 5 wins. In second place: Agathe A. and Bruno B. "
        "In third place: Cécile C. and Donat D.",
    ),
    "a final, and clubs that met": (
        PressReport(**NIGHT, final=Final(winner=ROY, loser=ALBERT, score=(32, 12)), clubs=("Matane", "Gaspé")),
        "… En finale~: Jeannine R. et Marcel D., 32–12 contre Agathe A. et Bruno B. Au premier rang des "
        "équipes~: Matane et Gaspé.",
        "… In the final: Jeannine R. and Marcel D., 32–12 against Agathe A. and Bruno B. First among teams: "
        "Matane and Gaspé.",
    ),
    "a person wins": (
        PressReport(**NIGHT, podiums=build_podium((1, DUMONT, 1))),
        "… Édith É. l’emporte avec 1 victoire.",
        "… Édith É. comes first with 1 win.",
    ),
    "it goes on": (
        PressReport(**NIGHT, is_over=False, podiums=build_podium((1, ROY, 0), (2, DUMONT, 0))),
        "… Jeannine R. et Marcel D. sont en tête. Au deuxième rang~: Édith É.",
        "… Jeannine R. and Marcel D. are in the lead. In second place: Édith É.",
    ),
    "level": (
        PressReport(**NIGHT, podiums=LEVEL),
        "… À égalité au premier rang avec 5 victoires~: Jeannine R. et Marcel D.; Agathe A. et Bruno B. "
        "À égalité au troisième rang~: Cécile C. et Donat D.; Édith É.",
        "… Tied for first with 5 wins: Jeannine R. and Marcel D.; Agathe A. and Bruno B. "
        "Tied for third: Cécile C. and Donat D.; Édith É.",
    ),
    "too many level to be named": (
        PressReport(**NIGHT, podiums=MANY_PLACED),
        "… 5 inscriptions sont à égalité au premier rang avec 1 victoire.",
        "… 5 entries tied for first with 1 win.",
    ),
    "sections": (
        PressReport(**NIGHT, podiums=SECTIONS),
        "… «~Débutants~»~: Jeannine R. et Marcel D. l’emportent avec 96 points. "
        "«~Experts~»~: Édith É. l’emporte avec 1 point.",
        "… “Débutants”: Jeannine R. and Marcel D. come first with 96 points. "
        "“Experts”: Édith É. comes first with 1 point.",
    ),
    "a turning hand": (
        PressReport(**NIGHT, podiums=build_turning_podium()),
        "… Édith É. l’emporte. Main décisive, à la ronde 5~: la main 9 (contrat réussi~: Gros Mulot) fait "
        "passer les chances de victoire de 23~% à 61~% pour Jeannine R. et Marcel D.",
        "… Édith É. comes first. Turning point, round 5: hand 9 (Gros Mulot made) raises the chances of winning "
        "from 23% to 61% for Jeannine R. and Marcel D.",
    ),
    "a turning hand that the others failed": (
        PressReport(**NIGHT, podiums=build_turning_podium(who=DUMONT, is_made=False)),
        "… Édith É. l’emporte. Main décisive, à la ronde 5~: la main 9 (contrat manqué par l’autre équipe~: "
        "Gros Mulot) fait passer les chances de victoire de 23~% à 61~% pour Édith É.",
        "… Édith É. comes first. Turning point, round 5: hand 9 (Gros Mulot failed by the other side) raises "
        "the chances of winning from 23% to 61% for Édith É.",
    ),
    "a tiebreak": (
        PressReport(
            **NIGHT,
            podiums=(
                Podium(
                    metric="match_wins",
                    ranks=(PressRank(rank=1, who=(ROY,), figure=4), PressRank(rank=2, who=(DUMONT,))),
                    decided_by="difference",
                ),
            ),
        ),
        "… Jeannine R. et Marcel D. l’emportent avec 4 victoires. Au deuxième rang~: Édith É. "
        "Bris d’égalité pour la première place~: différence.",
        "… Jeannine R. and Marcel D. come first with 4 wins. In second place: Édith É. "
        "Tiebreak for first place: difference.",
    ),
    "a high score": (
        PressReport(**NIGHT, high_score=HighScore(points=96, who=(ROY, DUMONT))),
        "… Plus haut pointage d’un match~: 96 points, par Jeannine R. et Marcel D.; Édith É.",
        "… Highest score in a match: 96 points, by Jeannine R. and Marcel D.; Édith É.",
    ),
    "a high score of many, some of whom made it more than once": (
        PressReport(**NIGHT, high_score=HighScore(points=32, who=tuple((f"Édith {each}.",) for each in "ABCDEFG"))),
        "… Plus haut pointage d’un match~: 32 points, 7 fois.",
        "… Highest score in a match: 32 points, 7 times.",
    ),
    "a Charlemagne": (
        PressReport(**NIGHT, charlemagnes=(MADE_CHARLEMAGNE,)),
        "… Charlemagne réussi~: Jeannine R. et Marcel D. (ronde 2, 20~h~14).",
        "… Charlemagne made: Jeannine R. and Marcel D. (round 2, 8:14~PM).",
    ),
    "Charlemagnes, one of them gros": (
        PressReport(**NIGHT, charlemagnes=(MADE_CHARLEMAGNE, GROS)),
        "… Charlemagnes réussis~: Jeannine R. et Marcel D. (ronde 2, 20~h~14); Édith É. (Gros Charlemagne, ronde 3).",
        "… Charlemagnes made: Jeannine R. and Marcel D. (round 2, 8:14~PM); Édith É. (Gros Charlemagne, round 3).",
    ),
    "more Charlemagnes than are listed": (
        PressReport(**NIGHT, charlemagnes=(MADE_CHARLEMAGNE,) * 7, charlemagne_count=7),
        "… Charlemagnes réussis~: 7.",
        "… Charlemagnes made: 7.",
    ),
    "the next night": (
        PressReport(**NIGHT, next=NEXT_NIGHT),
        "… Prochain rendez-vous~: Soirée du mardi, mardi 1er décembre à 19~h~30 (Salle paroissiale).",
        "… Next time: Soirée du mardi, Tuesday, December 1 at 7:30~PM (Salle paroissiale).",
    ),
}


def mark_nbsp(text: str) -> str:
    """Return the text with ``~`` for each no-break space."""
    return text.replace(N, "~")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_report_matches_the_expected_text(case: str, language: str) -> None:
    report, french, english = CASES[case]
    expected = french if language == "fr" else english
    with override(language):
        text = mark_nbsp(build_paragraph(report))
        opening = mark_nbsp(build_paragraph(PressReport(**NIGHT)))
    assert text == expected.replace("…", opening)


def test_newspaper_text_starts_with_a_heading() -> None:
    with override("fr"):
        report = PressReport(**NIGHT)
        assert for_the_paper(report) == f"Les Joyeux Atouts – Soirée du mardi\n\n{build_paragraph(report)}"


class TestFacebookText:
    def test_post_lists_winners_and_link_in_french(self) -> None:
        with override("fr"):
            text = for_facebook(
                PressReport(**NIGHT, place="Salle paroissiale", podiums=THREE), "https://x.example/fr/e/a"
            )
        assert mark_nbsp(text).splitlines() == [
            "Les Joyeux Atouts – Soirée du mardi",
            "Mardi 17 novembre (Salle paroissiale)",
            "Jeannine R. et Marcel D. l’emportent avec 5 victoires.",
            "Tous les résultats~: https://x.example/fr/e/a",
        ]

    def test_post_gives_the_day_once(self) -> None:
        named = NIGHT | {"event": "Card night of November 17, 2026"}
        with override("en"):
            lines = for_facebook(PressReport(**named, place="Church hall"), "https://x.example/en/e/a").splitlines()
        assert lines[1:] == ["Church hall", "More: https://x.example/en/e/a"]

    def test_post_without_winners_has_only_the_link(self) -> None:
        with override("en"):
            lines = for_facebook(PressReport(**NIGHT), "https://x.example/en/e/a").splitlines()
        assert lines[1:] == ["Tuesday, November 17", "More: https://x.example/en/e/a"]


names = st.from_regex(r"[A-ZÉ][a-zé]{1,8} [A-Z]\.", fullmatch=True)
people = st.lists(names, min_size=1, max_size=2, unique=True).map(tuple)
figures = st.none() | st.integers(0, 200)
charlemagnes = st.builds(
    Charlemagne,
    contract=st.sampled_from(["charlemagne", "gros_charlemagne"]),
    who=people,
    round=st.integers(1, 9),
    at=st.none() | st.times(),
)
placed = st.builds(
    PressRank, rank=st.integers(1, 3), who=st.lists(people, min_size=1, max_size=6).map(tuple), figure=figures
)
turns = st.builds(
    TurningHand,
    who=people,
    round=st.integers(1, 9),
    table=st.integers(1, 40),
    hand=st.integers(2, 30),
    contract=st.sampled_from(["7", "gros_mulot", "petite"]),
    is_made=st.booleans(),
    chances=st.tuples(st.integers(0, 99), st.integers(1, 100)),
)
comebacks = st.builds(
    ComebackStory, who=people, round=st.integers(1, 9), hand=st.integers(1, 30), chance=st.integers(1, 25)
)
podiums = st.builds(
    Podium,
    section=st.sampled_from(["", "Débutants", "Section A"]),
    metric=st.sampled_from(["match_wins", "points_for", ""]),
    ranks=st.lists(placed, min_size=1, max_size=3).map(tuple),
    turning=st.none() | turns,
)
days = st.dates(date(2020, 1, 1), date(2040, 1, 1))
anything = st.builds(
    PressReport,
    club=st.sampled_from(["Les Joyeux Atouts", "Club 1"]),
    event=st.sampled_from(["Soirée du mardi", "Coupe"]),
    days=st.tuples(days, days).map(sorted).map(tuple),
    place=st.sampled_from(["", "Salle paroissiale", "12, rue A."]),
    people=st.integers(0, 300),
    pairs=st.integers(0, 150),
    is_over=st.booleans(),
    podiums=st.lists(podiums, max_size=3).map(tuple),
    comeback=st.none() | comebacks,
    high_score=st.none()
    | st.builds(HighScore, points=st.integers(1, 200), who=st.lists(people, min_size=1, max_size=6).map(tuple)),
    charlemagnes=st.lists(charlemagnes, max_size=8).map(tuple),
    charlemagne_count=st.integers(0, 20),
    next=st.none()
    | st.builds(
        NextNight,
        name=st.just("Soirée"),
        day=st.dates(date(2020, 1, 1), date(2040, 1, 1)),
        at=st.times(),
        place=st.sampled_from(["", "Salle"]),
    ),
)


def iter_texts(report: PressReport) -> Iterator[str]:
    for language in ("fr", "en"):
        with override(language):
            yield for_the_paper(report)
            yield for_facebook(report, "https://x.example/e/a")
            yield for_sharing(report, "https://x.example/e/a")


@pytest.mark.slow
@given(report=anything)
def test_texts_have_no_gaps_or_unbalanced_quotes(report: PressReport) -> None:
    for text in iter_texts(report):
        assert "None" not in text
        assert "%(" not in text
        assert not re.search(rf"[ {N}]{{2}}|\.\.| [.,;)]|\( |\(\)", text), text
        for opening, closing in ("“”", "«»", "()"):
            assert text.count(opening) == text.count(closing)
        for line in text.splitlines():
            assert line == line.strip()


@pytest.mark.long
@given(report=anything)
def test_newspaper_text_consists_of_whole_sentences(report: PressReport) -> None:
    for language in ("fr", "en"):
        with override(language):
            text = build_paragraph(report)
            assert text.endswith(".")
            assert get_heading(report) not in text


@pytest.mark.long
@given(report=anything, who=people)
def test_texts_name_only_people_of_the_report(report: PressReport, who: tuple[str, ...]) -> None:
    """Every name in the texts is in the report."""
    report_names = {name for podium in report.podiums for placed in podium.ranks for one in placed.who for name in one}
    report_names |= {name for made in report.charlemagnes for name in made.who}
    report_names |= {name for turn in report.turning_hands for name in turn.who}
    report_names |= set(report.comeback.who if report.comeback else ())
    report_names |= {name for one in (report.high_score.who if report.high_score else ()) for name in one}
    for text in iter_texts(report):
        for name in re.findall(r"[A-ZÉ][a-zé]{1,8} [A-Z]\.", text):
            assert any(name in one for one in report_names) or "A." in name


def test_shared_high_score_names_both_sides() -> None:
    assert find_high_score([(40, ROY), (40, DUMONT), (40, ROY), (32, ALBERT)]) == HighScore(
        points=40, who=(ROY, DUMONT)
    )
    assert find_high_score([(0, ROY)]) is None
