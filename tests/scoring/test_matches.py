"""Opening and closing of matches, the first dealer, and the cards of the tables."""

import pytest

from rules import TWO_PLAYER
from scoring.fold import fold_match
from scoring.logs import read_log
from scoring.models import Match, Player, TableCard
from scoring.queries import find_current_match
from scoring.services.agreement import call_desk
from scoring.services.cards import close_cards, issue_cards, reopen_cards
from scoring.services.matches import (
    Seats,
    close_matches,
    name_first_dealer,
    open_matches,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from tests.builders import (
    build_club,
    build_match,
    build_running_night,
    get_refusal,
    get_refusal_code,
    get_score,
    mark,
    matches_of,
    reload_match,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("row locks, and bulk updates"),
]


def list_dealers(match: Match) -> list[int]:
    """Return the dealer's seat in each hand, then the seat of the next dealer."""
    stored_match = reload_match(match)
    state = fold_match(stored_match, read_log(stored_match.marks.all(), stored_match.terms.ruleset).places)
    return [*(line.dealer for line in state.lines), state.dealer]


class TestCards:
    def test_cards_have_unique_six_digit_codes(self) -> None:
        cards = issue_cards(club=build_club(), topic="evening", count=40, public_page="/evening")
        assert [card.number for card in cards] == list(range(1, 41))
        assert all(len(card.code) == 6 and card.code.isdigit() for card in cards)
        assert len({card.code for card in cards}) == 40
        assert {card.public_page for card in cards} == {"/evening"}

    def test_reissued_cards_keep_their_codes(self) -> None:
        club = build_club()
        first = issue_cards(club=club, topic="evening", count=2)
        again = issue_cards(club=club, topic="evening", count=3)
        assert again[:2] == first
        assert [card.number for card in again] == [1, 2, 3]

    def test_cards_of_another_event_have_other_codes(self) -> None:
        club = build_club()
        monday = issue_cards(club=club, topic="monday", count=3)
        tuesday = issue_cards(club=club, topic="tuesday", count=3)
        assert not {card.code for card in monday} & {card.code for card in tuesday}

    def test_new_card_avoids_existing_codes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = iter([7, 7, 7, 8, 8, 9])
        monkeypatch.setattr("secrets.randbelow", lambda _: next(numbers))
        club = build_club()
        (earlier,) = issue_cards(club=club, topic="monday", count=1)
        cards = issue_cards(club=club, topic="tuesday", count=2)
        assert earlier.code == "000007"
        assert {card.code for card in cards} == {"000008", "000009"}

    def test_cards_can_be_closed_and_reopened(self) -> None:
        club = build_club()
        issue_cards(club=club, topic="monday", count=2)
        issue_cards(club=club, topic="tuesday", count=2)
        close_cards(topic="monday")
        closed_at = TableCard.objects.filter(topic="monday").values_list("closed_at", flat=True).first()
        close_cards(topic="monday")
        assert set(TableCard.objects.exclude(closed_at=None).values_list("topic", "closed_at")) == {
            ("monday", closed_at)
        }
        reopen_cards(topic="monday")
        reopen_cards(topic="monday")
        assert not TableCard.objects.exclude(closed_at=None).exists()


class TestMatch:
    def test_new_match_is_empty_with_seated_players(self) -> None:
        match = build_match()
        assert match.summary == {
            "games": [],
            "running": [0, 0],
            "games_won": [0, 0],
            "points": [0, 0],
            "winner": None,
            "made": [0, 0],
            "charlemagnes": [0, 0],
            "dealer": 0,
            "deals": 0,
            "next": 1,
        }
        seats = Player.objects.filter(match=match).values_list("seat", "person__name")
        assert list(seats) == [(0, "Agathe"), (1, "Bruno"), (2, "Cécile"), (3, "Donat")]

    def test_two_player_match_has_two_seats(self) -> None:
        assert build_match(TWO_PLAYER).players.count() == 2

    def test_table_keeps_all_its_matches(self) -> None:
        match = build_match()
        people = [player.person_id for player in match.players.all()]
        seats = [Seats(card=match.card, players=people)]
        (later,) = open_matches(terms=match.terms, round_number=2, seats=seats)
        assert list(match.card.matches.order_by("pk")) == [match, later]

    def test_unmarked_match_can_be_withdrawn(self) -> None:
        match = build_match()
        withdraw_matches(players_keys={match.pk: ""})
        assert not Match.objects.exists()
        assert TableCard.objects.exists()

    def test_withdrawn_match_with_marks_is_set_aside(self) -> None:
        match = build_match()
        mark(match, "undone", replaced=mark(match, "A 6 made"))
        withdraw_matches(players_keys={match.pk: ""})
        assert find_current_match(match.card) is None
        assert get_refusal_code(mark, match, "A 6 made", number=1) == "match_closed"

    def test_set_aside_match_resumes_with_the_same_players(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        people = [player.person_id for player in match.players.all()]
        withdraw_matches(players_keys={match.pk: ""})
        seats = [Seats(card=match.card, players=people)]
        assert open_matches(terms=match.terms, round_number=1, seats=seats) == [match]
        mark(match, "A 7 made")
        assert get_score(match) == [13, 0]

    def test_set_aside_match_does_not_resume_with_other_players(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        people = [player.person_id for player in match.players.all()]
        withdraw_matches(players_keys={match.pk: ""})
        seats = [Seats(card=match.card, players=people[::-1])]
        (other,) = open_matches(terms=match.terms, round_number=1, seats=seats)
        assert other != match
        assert get_score(other) == [0, 0]

    def test_reseated_match_keeps_its_marks(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        people = [player.person_id for player in match.players.all()]
        reseat_match(match_id=match.pk, players=people[::-1])
        assert [player.person_id for player in match.players.all()] == people[::-1]
        assert get_score(match) == [6, 0]

    def test_match_with_only_a_desk_call_can_be_withdrawn(self) -> None:
        match = build_match()
        call_desk(match_id=match.pk)
        withdraw_matches(players_keys={match.pk: ""})
        assert not Match.objects.exists()


class TestFirstDealer:
    def test_first_dealer_decides_who_deals_every_hand(self) -> None:
        match = build_match()
        assert list_dealers(match) == [0]
        name_first_dealer(match_id=match.pk, seat=2)
        for text in ("A 6 made", "misdeal", "A 6 made"):
            mark(match, text)
        assert list_dealers(match) == [2, 3, 3, 0]

    def test_late_first_dealer_changes_earlier_hands(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        name_first_dealer(match_id=match.pk, seat=3)
        assert list_dealers(match) == [3, 0]

    def test_repeated_first_dealer_changes_nothing(self) -> None:
        match = build_match()
        name_first_dealer(match_id=match.pk, seat=0)
        before = reload_match(match).revision
        name_first_dealer(match_id=match.pk, seat=0)
        assert reload_match(match).revision == before == 1

    def test_outdated_first_dealer_does_not_replace_a_newer_one(self) -> None:
        match = build_match()
        name_first_dealer(match_id=match.pk, seat=2, expected=0)
        name_first_dealer(match_id=match.pk, seat=2, expected=0)
        name_first_dealer(match_id=match.pk, seat=1, expected=2)
        assert get_refusal_code(name_first_dealer, match_id=match.pk, seat=2, expected=0) == "dealer_changed"
        assert list_dealers(match) == [1]

    def test_first_dealer_must_sit_at_the_table(self) -> None:
        for seat in (4, -1):
            assert get_refusal_code(name_first_dealer, match_id=build_match().pk, seat=seat) == "no_such_seat"
        refusal = get_refusal(name_first_dealer, match_id=build_match(TWO_PLAYER).pk, seat=2)
        assert (refusal.code, refusal.details) == ("no_such_seat", {"seats": 2})

    def test_closed_match_accepts_no_first_dealer(self) -> None:
        match = build_match()
        name_first_dealer(match_id=match.pk, seat=1)
        close_matches(match_ids=[match.pk])
        assert get_refusal_code(name_first_dealer, match_id=match.pk, seat=2) == "match_closed"
        assert name_first_dealer(match_id=match.pk, seat=1).first_dealer == 1


class TestClosing:
    def test_closing_affects_only_the_named_matches(self) -> None:
        first, second = matches_of(build_running_night())
        close_matches(match_ids=[first.pk])
        assert reload_match(first).closed_at is not None
        assert reload_match(second).closed_at is None

    def test_repeated_closing_keeps_the_time(self) -> None:
        match = build_match()
        close_matches(match_ids=[match.pk])
        closed = reload_match(match)
        close_matches(match_ids=[match.pk])
        assert (reload_match(match).closed_at, reload_match(match).revision) == (closed.closed_at, closed.revision)

    def test_reopened_match_has_no_closing_time(self) -> None:
        match = build_match()
        close_matches(match_ids=[match.pk])
        reopen_matches(match_ids=[match.pk])
        reopened = reload_match(match)
        reopen_matches(match_ids=[match.pk])
        assert (reload_match(match).closed_at, reload_match(match).revision) == (None, reopened.revision)

    def test_closing_raises_the_match_revision(self) -> None:
        match = build_match()
        close_matches(match_ids=[match.pk])
        assert reload_match(match).revision == 1
