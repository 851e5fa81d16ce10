"""After a game: each side says "D'accord" to it as it stands, or the table calls the desk."""

from functools import partial
from uuid import uuid4

import pytest

from rules import BAS_SAINT_LAURENT, Side
from scoring.fold import agreed_text, fold_match
from scoring.logs import read_log
from scoring.models import Agreement, Dispute, Match
from scoring.services import agree, close_matches, dispute, settle_call, withdraw_dispute
from tests.builders import TWO_GAMES, a_match, an_account, code_of, fresh, mark, refusal_of, win

pytestmark = pytest.mark.django_db


def a_match_of_one_game_won() -> Match:
    match = a_match()
    win(match)
    return match


def has_agreed(match: Match, side: Side, game: int = 1) -> bool:
    """Whether the side has agreed to the game as it stands now."""
    state = fold_match(match, read_log(match.marks.all(), match.terms.ruleset).places)
    texts = [agreed_text(finished) for finished in state.games if finished.number == game]
    return match.agreements.filter(side=side.value, game=game, agreed_to__in=texts).exists()


class TestAgreement:
    def test_is_given_by_each_side_for_itself(self) -> None:
        match = a_match_of_one_game_won()
        agreed = agree(match_id=match.pk, side=Side.A, game=1, device="phone 1")
        assert (agreed.agreed_to, agreed.device) == ("32-6 A points", "phone 1")
        assert has_agreed(match, Side.A)
        assert not has_agreed(match, Side.B)

    def test_given_twice_is_one(self) -> None:
        match = a_match_of_one_game_won()
        first = agree(match_id=match.pk, side=Side.A, game=1)
        before = fresh(match).revision
        assert agree(match_id=match.pk, side=Side.A, game=1) == first
        assert fresh(match).revision == before

    def test_tells_the_other_phones(self) -> None:
        match = a_match_of_one_game_won()
        before = fresh(match).revision
        agree(match_id=match.pk, side=Side.A, game=1)
        assert fresh(match).revision == before + 1

    @pytest.mark.parametrize("game", [0, 2, -1])
    def test_to_a_game_that_is_not_over_is_refused(self, game: int) -> None:
        match = a_match_of_one_game_won()
        refusal = refusal_of(agree, match_id=match.pk, side=Side.A, game=game)
        assert (refusal.code, refusal.field) == ("game_not_over", "game")

    def test_holds_no_more_once_the_game_is_another(self) -> None:
        match = a_match()
        first, _ = win(match)
        agree(match_id=match.pk, side=Side.A, game=1)
        mark(match, "B 7 made", replacing=first)
        assert not has_agreed(match, Side.A)

    def test_holds_again_once_the_game_is_again_what_was_agreed_to(self) -> None:
        match = a_match()
        first, _ = win(match)
        agree(match_id=match.pk, side=Side.A, game=1)
        mark(match, "B 6 made", replacing=mark(match, "B 7 made", replacing=first))
        assert has_agreed(match, Side.A)

    def test_to_what_a_phone_showed_is_refused_once_the_game_is_another(self) -> None:
        match = a_match()
        first, _ = win(match)
        shown = "32-6 A points"
        agree(match_id=match.pk, side=Side.A, game=1, seen=shown)
        mark(match, "B 7 made", replacing=first)
        refusal = refusal_of(agree, match_id=match.pk, side=Side.B, game=1, seen=shown)
        assert (refusal.code, refusal.field) == ("game_changed", "game")
        assert Agreement.objects.count() == 1

    def test_to_a_game_that_was_undone_is_refused(self) -> None:
        match = a_match()
        mark(match, "undone", replacing=win(match)[-1])
        assert code_of(agree, match_id=match.pk, side=Side.A, game=1) == "game_not_over"

    def test_is_for_one_game_and_not_for_the_next(self) -> None:
        match = a_match(BAS_SAINT_LAURENT, TWO_GAMES)
        mark(match, "A charlemagne made")
        agree(match_id=match.pk, side=Side.A, game=1)
        mark(match, "A charlemagne made")
        assert has_agreed(match, Side.A, game=1)
        assert not has_agreed(match, Side.A, game=2)

    def test_may_come_after_the_round_was_closed(self) -> None:
        match = a_match_of_one_game_won()
        close_matches(match_ids=[match.pk])
        agree(match_id=match.pk, side=Side.B, game=1)
        assert has_agreed(match, Side.B)

    def test_to_a_match_that_does_not_exist_is_refused(self) -> None:
        assert code_of(agree, match_id=0, side=Side.A, game=1) == "no_such_match"


class TestACallToTheDesk:
    def test_stays_open_until_a_director_settles_it(self) -> None:
        match, director = a_match(), an_account()
        call = dispute(match_id=match.pk, note="  Who dealt? ", device="phone 1")
        assert (call.note, call.settled_at) == ("Who dealt?", None)
        settle_call(match_id=match.pk, account=director, ruling="Seat 2 dealt.")
        call.refresh_from_db()
        assert (call.settled_by, call.ruling) == (director, "Seat 2 dealt.")
        assert call.settled_at is not None

    def test_is_taken_back_by_the_table_and_stays_in_its_history(self) -> None:
        match = a_match()
        call = dispute(match_id=match.pk)
        withdraw_dispute(match_id=match.pk)
        call.refresh_from_db()
        assert call.settled_at is not None
        assert (call.settler, call.ruling) == ("", "")
        before = fresh(match).revision
        withdraw_dispute(match_id=match.pk)
        assert fresh(match).revision == before

    def test_that_was_settled_is_not_taken_back(self) -> None:
        match, director = a_match(), an_account()
        call = dispute(match_id=match.pk)
        settle_call(match_id=match.pk, account=director, ruling="Play on.")
        withdraw_dispute(match_id=match.pk)
        call.refresh_from_db()
        assert (call.settled_by, call.ruling) == (director, "Play on.")

    def test_made_twice_is_one(self) -> None:
        match = a_match()
        first = dispute(match_id=match.pk, note="Who dealt?")
        before = fresh(match).revision
        assert dispute(match_id=match.pk, note="Hello?") == first
        assert fresh(match).revision == before
        assert Dispute.objects.get().note == "Who dealt?"

    def test_may_be_made_again_once_it_was_settled(self) -> None:
        match = a_match()
        dispute(match_id=match.pk)
        settle_call(match_id=match.pk, account=an_account(), ruling="Play on.")
        dispute(match_id=match.pk)
        assert Dispute.objects.count() == 2

    def test_whose_answer_was_lost_calls_no_second_time_once_it_is_settled(self) -> None:
        match, key = a_match(), uuid4()
        call = dispute(match_id=match.pk, entry_key=key)
        settle_call(match_id=match.pk, account=an_account(), ruling="Play on.", call=key)
        assert dispute(match_id=match.pk, entry_key=key) == call
        assert not match.disputes.filter(settled_at=None).exists()

    def test_that_is_newer_is_neither_taken_back_nor_settled_by_what_comes_late(self) -> None:
        match, earlier = a_match(), uuid4()
        dispute(match_id=match.pk, entry_key=earlier)
        withdraw_dispute(match_id=match.pk, call=earlier)
        newer = dispute(match_id=match.pk, entry_key=uuid4())
        withdraw_dispute(match_id=match.pk, call=earlier)
        late = partial(settle_call, match_id=match.pk, account=an_account(), call=earlier)
        assert code_of(late, ruling="Play on.") == "call_withdrawn"
        assert match.disputes.get(settled_at=None) == newer

    def test_settled_twice_keeps_the_first_ruling_and_says_so_to_whoever_wrote_another(self) -> None:
        match, first, second = a_match(), an_account("Noëlla Guy"), an_account()
        dispute(match_id=match.pk)
        settle_call(match_id=match.pk, account=first, ruling="Play on.")
        before = fresh(match).revision
        settle_call(match_id=match.pk, account=first, ruling="Play on.")
        refusal = refusal_of(settle_call, match_id=match.pk, account=second, ruling="Deal again.")
        assert refusal.code == "call_settled"
        assert refusal.details == {"who": "Noëlla Guy", "ruling": "Play on.", "unkept": "Deal again."}
        assert Dispute.objects.get().ruling == "Play on."
        assert fresh(match).revision == before

    def test_is_not_settled_without_a_ruling(self) -> None:
        match = a_match()
        dispute(match_id=match.pk)
        refusal = refusal_of(settle_call, match_id=match.pk, account=an_account(), ruling=" ")
        assert (refusal.code, refusal.field) == ("reason_required", "ruling")

    def test_has_a_note_that_ends(self) -> None:
        refusal = refusal_of(dispute, match_id=a_match().pk, note="x" * 201)
        assert (refusal.code, refusal.field) == ("reason_too_long", "note")

    def test_holds_up_no_hand(self) -> None:
        match = a_match()
        dispute(match_id=match.pk)
        assert mark(match, "A 6 made").status == "current"

    def test_changes_no_agreement(self) -> None:
        match = a_match_of_one_game_won()
        agree(match_id=match.pk, side=Side.A, game=1)
        dispute(match_id=match.pk)
        assert Agreement.objects.count() == 1
        assert has_agreed(match, Side.A)
