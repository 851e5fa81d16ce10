"""After a game each side confirms the result, or the table calls the desk."""

from functools import partial
from uuid import uuid4

import pytest

from rules import BAS_SAINT_LAURENT, Side
from scoring.fold import fold_match, format_game_result
from scoring.logs import read_log
from scoring.models import Agreement, Dispute, Match
from scoring.services.agreement import call_desk, record_agreement, settle_call, withdraw_call
from scoring.services.matches import close_matches
from tests.builders import TWO_GAMES, build_account, build_match, get_refusal, get_refusal_code, mark, reload_match, win

pytestmark = pytest.mark.django_db


def build_won_match() -> Match:
    match = build_match()
    win(match)
    return match


def has_agreed(match: Match, side: Side, game: int = 1) -> bool:
    """Return whether the side has confirmed the game's current result."""
    state = fold_match(match, read_log(match.marks.all(), match.terms.ruleset).places)
    texts = [format_game_result(finished) for finished in state.games if finished.number == game]
    return match.agreements.filter(side=side.value, game=game, agreed_to__in=texts).exists()


class TestAgreement:
    def test_each_side_confirms_the_result_separately(self) -> None:
        match = build_won_match()
        agreed = record_agreement(match_id=match.pk, side=Side.A, game=1, device="phone 1")
        assert (agreed.agreed_to, agreed.device) == ("32-6 A points", "phone 1")
        assert has_agreed(match, Side.A)
        assert not has_agreed(match, Side.B)

    def test_repeated_confirmation_is_stored_once(self) -> None:
        match = build_won_match()
        first = record_agreement(match_id=match.pk, side=Side.A, game=1)
        before = reload_match(match).revision
        assert record_agreement(match_id=match.pk, side=Side.A, game=1) == first
        assert reload_match(match).revision == before

    def test_confirmation_raises_the_match_revision(self) -> None:
        match = build_won_match()
        before = reload_match(match).revision
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        assert reload_match(match).revision == before + 1

    @pytest.mark.parametrize("game", [0, 2, -1])
    def test_unfinished_game_cannot_be_confirmed(self, game: int) -> None:
        match = build_won_match()
        refusal = get_refusal(record_agreement, match_id=match.pk, side=Side.A, game=game)
        assert (refusal.code, refusal.field) == ("game_not_over", "game")

    def test_corrected_game_invalidates_the_confirmation(self) -> None:
        match = build_match()
        first, _ = win(match)
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        mark(match, "B 7 made", replaced=first)
        assert not has_agreed(match, Side.A)

    def test_restored_result_is_confirmed_again(self) -> None:
        match = build_match()
        first, _ = win(match)
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        mark(match, "B 6 made", replaced=mark(match, "B 7 made", replaced=first))
        assert has_agreed(match, Side.A)

    def test_outdated_result_on_a_phone_cannot_be_confirmed(self) -> None:
        match = build_match()
        first, _ = win(match)
        shown = "32-6 A points"
        record_agreement(match_id=match.pk, side=Side.A, game=1, expected=shown)
        mark(match, "B 7 made", replaced=first)
        refusal = get_refusal(record_agreement, match_id=match.pk, side=Side.B, game=1, expected=shown)
        assert (refusal.code, refusal.field) == ("game_changed", "game")
        assert Agreement.objects.count() == 1

    def test_undone_game_cannot_be_confirmed(self) -> None:
        match = build_match()
        mark(match, "undone", replaced=win(match)[-1])
        assert get_refusal_code(record_agreement, match_id=match.pk, side=Side.A, game=1) == "game_not_over"

    def test_confirmation_covers_one_game_only(self) -> None:
        match = build_match(BAS_SAINT_LAURENT, TWO_GAMES)
        mark(match, "A charlemagne made")
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        mark(match, "A charlemagne made")
        assert has_agreed(match, Side.A, game=1)
        assert not has_agreed(match, Side.A, game=2)

    def test_closed_round_can_still_be_confirmed(self) -> None:
        match = build_won_match()
        close_matches(match_ids=[match.pk])
        record_agreement(match_id=match.pk, side=Side.B, game=1)
        assert has_agreed(match, Side.B)

    def test_unknown_match_cannot_be_confirmed(self) -> None:
        assert get_refusal_code(record_agreement, match_id=0, side=Side.A, game=1) == "no_such_match"


class TestDeskCall:
    def test_call_stays_open_until_a_director_settles_it(self) -> None:
        match, director = build_match(), build_account()
        call = call_desk(match_id=match.pk, note="  Who dealt? ", device="phone 1")
        assert (call.note, call.settled_at) == ("Who dealt?", None)
        settle_call(match_id=match.pk, account=director, ruling="Seat 2 dealt.")
        call.refresh_from_db()
        assert (call.settled_by, call.ruling) == (director, "Seat 2 dealt.")
        assert call.settled_at is not None

    def test_table_can_withdraw_its_call(self) -> None:
        match = build_match()
        call = call_desk(match_id=match.pk)
        withdraw_call(match_id=match.pk)
        call.refresh_from_db()
        assert call.settled_at is not None
        assert (call.settler, call.ruling) == ("", "")
        before = reload_match(match).revision
        withdraw_call(match_id=match.pk)
        assert reload_match(match).revision == before

    def test_settled_call_cannot_be_withdrawn(self) -> None:
        match, director = build_match(), build_account()
        call = call_desk(match_id=match.pk)
        settle_call(match_id=match.pk, account=director, ruling="Play on.")
        withdraw_call(match_id=match.pk)
        call.refresh_from_db()
        assert (call.settled_by, call.ruling) == (director, "Play on.")

    def test_repeated_call_is_stored_once(self) -> None:
        match = build_match()
        first = call_desk(match_id=match.pk, note="Who dealt?")
        before = reload_match(match).revision
        assert call_desk(match_id=match.pk, note="Hello?") == first
        assert reload_match(match).revision == before
        assert Dispute.objects.get().note == "Who dealt?"

    def test_desk_can_be_called_again_after_a_ruling(self) -> None:
        match = build_match()
        call_desk(match_id=match.pk)
        settle_call(match_id=match.pk, account=build_account(), ruling="Play on.")
        call_desk(match_id=match.pk)
        assert Dispute.objects.count() == 2

    def test_retried_call_is_not_reopened_after_settlement(self) -> None:
        match, key = build_match(), uuid4()
        call = call_desk(match_id=match.pk, entry_key=key)
        settle_call(match_id=match.pk, account=build_account(), ruling="Play on.", call=key)
        assert call_desk(match_id=match.pk, entry_key=key) == call
        assert not match.disputes.filter(settled_at=None).exists()

    def test_late_request_does_not_touch_a_newer_call(self) -> None:
        match, earlier = build_match(), uuid4()
        call_desk(match_id=match.pk, entry_key=earlier)
        withdraw_call(match_id=match.pk, call=earlier)
        newer = call_desk(match_id=match.pk, entry_key=uuid4())
        withdraw_call(match_id=match.pk, call=earlier)
        late = partial(settle_call, match_id=match.pk, account=build_account(), call=earlier)
        assert get_refusal_code(late, ruling="Play on.") == "call_withdrawn"
        assert match.disputes.get(settled_at=None) == newer

    def test_second_ruling_on_a_call_is_refused(self) -> None:
        match, first, second = build_match(), build_account("Noëlla Guy"), build_account()
        call_desk(match_id=match.pk)
        settle_call(match_id=match.pk, account=first, ruling="Play on.")
        before = reload_match(match).revision
        settle_call(match_id=match.pk, account=first, ruling="Play on.")
        refusal = get_refusal(settle_call, match_id=match.pk, account=second, ruling="Deal again.")
        assert refusal.code == "call_settled"
        assert refusal.details == {"who": "Noëlla Guy", "ruling": "Play on.", "unkept": "Deal again."}
        assert Dispute.objects.get().ruling == "Play on."
        assert reload_match(match).revision == before

    def test_call_cannot_be_settled_without_a_ruling(self) -> None:
        match = build_match()
        call_desk(match_id=match.pk)
        refusal = get_refusal(settle_call, match_id=match.pk, account=build_account(), ruling=" ")
        assert (refusal.code, refusal.field) == ("reason_required", "ruling")

    def test_overlong_call_note_is_refused(self) -> None:
        refusal = get_refusal(call_desk, match_id=build_match().pk, note="x" * 201)
        assert (refusal.code, refusal.field) == ("reason_too_long", "note")

    def test_open_call_does_not_stop_scoring(self) -> None:
        match = build_match()
        call_desk(match_id=match.pk)
        assert mark(match, "A 6 made").status == "current"

    def test_call_does_not_change_confirmations(self) -> None:
        match = build_won_match()
        record_agreement(match_id=match.pk, side=Side.A, game=1)
        call_desk(match_id=match.pk)
        assert Agreement.objects.count() == 1
        assert has_agreed(match, Side.A)
