"""A match's beginning and end, and the cards on the tables."""

import pytest

from rules import TWO_PLAYER
from scoring.fold import fold_match
from scoring.logs import read_log
from scoring.models import Match, Player, TableCard
from scoring.queries import match_at
from scoring.services import (
    Seats,
    close_cards,
    close_matches,
    dispute,
    issue_cards,
    name_first_dealer,
    open_matches,
    reopen_cards,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from tests.builders import (
    a_club,
    a_match,
    a_running_night,
    code_of,
    fresh,
    mark,
    matches_of,
    refusal_of,
    score,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("cards and matches are locked, and changed by sets"),
]


def dealers(match: Match) -> list[int]:
    """Return who dealt each hand, and who deals the next one."""
    kept = fresh(match)
    state = fold_match(kept, read_log(kept.marks.all(), kept.terms.ruleset).places)
    return [*(line.dealer for line in state.lines), state.dealer]


class TestCards:
    def test_have_six_digits_each_and_no_two_the_same(self) -> None:
        cards = issue_cards(club=a_club(), topic="evening", count=40, public_page="/evening")
        assert [card.number for card in cards] == list(range(1, 41))
        assert all(len(card.code) == 6 and card.code.isdigit() for card in cards)
        assert len({card.code for card in cards}) == 40
        assert {card.public_page for card in cards} == {"/evening"}

    def test_issued_again_are_the_same_and_those_that_were_missing(self) -> None:
        club = a_club()
        first = issue_cards(club=club, topic="evening", count=2)
        again = issue_cards(club=club, topic="evening", count=3)
        assert again[:2] == first
        assert [card.number for card in again] == [1, 2, 3]

    def test_of_another_evening_have_other_codes(self) -> None:
        club = a_club()
        monday = issue_cards(club=club, topic="monday", count=3)
        tuesday = issue_cards(club=club, topic="tuesday", count=3)
        assert not {card.code for card in monday} & {card.code for card in tuesday}

    def test_have_no_code_that_an_earlier_card_has(self, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = iter([7, 7, 7, 8, 8, 9])
        monkeypatch.setattr("secrets.randbelow", lambda _: next(numbers))
        club = a_club()
        (earlier,) = issue_cards(club=club, topic="monday", count=1)
        cards = issue_cards(club=club, topic="tuesday", count=2)
        assert earlier.code == "000007"
        assert {card.code for card in cards} == {"000008", "000009"}

    def test_of_an_evening_that_is_over_are_closed_and_may_be_reopened(self) -> None:
        club = a_club()
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


class TestAMatch:
    def test_begins_with_nothing_and_its_players_in_their_seats(self) -> None:
        match = a_match()
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

    def test_of_two_people_has_two_seats(self) -> None:
        assert a_match(TWO_PLAYER).players.count() == 2

    def test_is_one_of_many_that_are_played_at_a_table(self) -> None:
        match = a_match()
        people = [player.person_id for player in match.players.all()]
        seats = [Seats(card=match.card, players=people)]
        (later,) = open_matches(terms=match.terms, round_number=2, seats=seats)
        assert list(match.card.matches.order_by("pk")) == [match, later]

    def test_without_marks_may_be_withdrawn(self) -> None:
        match = a_match()
        withdraw_matches(known_as={match.pk: ""})
        assert not Match.objects.exists()
        assert TableCard.objects.exists()

    def test_that_was_marked_is_set_aside_and_takes_no_more(self) -> None:
        match = a_match()
        mark(match, "undone", replacing=mark(match, "A 6 made"))
        withdraw_matches(known_as={match.pk: ""})
        assert match_at(match.card) is None
        assert code_of(mark, match, "A 6 made", number=1) == "match_closed"

    def test_that_was_set_aside_goes_on_with_the_same_people(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        people = [player.person_id for player in match.players.all()]
        withdraw_matches(known_as={match.pk: ""})
        seats = [Seats(card=match.card, players=people)]
        assert open_matches(terms=match.terms, round_number=1, seats=seats) == [match]
        mark(match, "A 7 made")
        assert score(match) == [13, 0]

    def test_that_was_set_aside_does_not_go_on_with_other_people(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        people = [player.person_id for player in match.players.all()]
        withdraw_matches(known_as={match.pk: ""})
        seats = [Seats(card=match.card, players=people[::-1])]
        (other,) = open_matches(terms=match.terms, round_number=1, seats=seats)
        assert other != match
        assert score(other) == [0, 0]

    def test_keeps_its_marks_when_others_are_found_to_sit_there(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        people = [player.person_id for player in match.players.all()]
        reseat_match(match_id=match.pk, players=people[::-1])
        assert [player.person_id for player in match.players.all()] == people[::-1]
        assert score(match) == [6, 0]

    def test_that_only_called_the_desk_may_be_withdrawn(self) -> None:
        match = a_match()
        dispute(match_id=match.pk)
        withdraw_matches(known_as={match.pk: ""})
        assert not Match.objects.exists()


class TestTheFirstDealer:
    def test_decides_who_deals_every_hand(self) -> None:
        match = a_match()
        assert dealers(match) == [0]
        name_first_dealer(match_id=match.pk, seat=2)
        for text in ("A 6 made", "misdeal", "A 6 made"):
            mark(match, text)
        assert dealers(match) == [2, 3, 3, 0]

    def test_named_late_changes_the_dealers_of_the_hands_before(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        name_first_dealer(match_id=match.pk, seat=3)
        assert dealers(match) == [3, 0]

    def test_named_again_changes_nothing(self) -> None:
        match = a_match()
        name_first_dealer(match_id=match.pk, seat=0)
        before = fresh(match).revision
        name_first_dealer(match_id=match.pk, seat=0)
        assert fresh(match).revision == before == 1

    def test_said_late_does_not_replace_what_another_phone_has_named_since(self) -> None:
        match = a_match()
        name_first_dealer(match_id=match.pk, seat=2, seen=0)
        name_first_dealer(match_id=match.pk, seat=2, seen=0)
        name_first_dealer(match_id=match.pk, seat=1, seen=2)
        assert code_of(name_first_dealer, match_id=match.pk, seat=2, seen=0) == "dealer_changed"
        assert dealers(match) == [1]

    def test_sits_at_the_table(self) -> None:
        for seat in (4, -1):
            assert code_of(name_first_dealer, match_id=a_match().pk, seat=seat) == "no_such_seat"
        refusal = refusal_of(name_first_dealer, match_id=a_match(TWO_PLAYER).pk, seat=2)
        assert (refusal.code, refusal.details) == ("no_such_seat", {"seats": 2})

    def test_is_no_more_named_once_the_match_is_closed(self) -> None:
        match = a_match()
        name_first_dealer(match_id=match.pk, seat=1)
        close_matches(match_ids=[match.pk])
        assert code_of(name_first_dealer, match_id=match.pk, seat=2) == "match_closed"
        assert name_first_dealer(match_id=match.pk, seat=1).first_dealer == 1


class TestClosing:
    def test_concerns_the_matches_named_and_no_others(self) -> None:
        first, second = matches_of(a_running_night())
        close_matches(match_ids=[first.pk])
        assert fresh(first).closed_at is not None
        assert fresh(second).closed_at is None

    def test_again_keeps_the_time(self) -> None:
        match = a_match()
        close_matches(match_ids=[match.pk])
        closed = fresh(match)
        close_matches(match_ids=[match.pk])
        assert (fresh(match).closed_at, fresh(match).revision) == (closed.closed_at, closed.revision)

    def test_is_undone_by_reopening(self) -> None:
        match = a_match()
        close_matches(match_ids=[match.pk])
        reopen_matches(match_ids=[match.pk])
        reopened = fresh(match)
        reopen_matches(match_ids=[match.pk])
        assert (fresh(match).closed_at, fresh(match).revision) == (None, reopened.revision)

    def test_tells_the_phones_that_watch(self) -> None:
        match = a_match()
        close_matches(match_ids=[match.pk])
        assert fresh(match).revision == 1
