"""A club's house rules: kept as a difference, by name, removed and put back; said in sentences; typed."""

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils.translation import override
from hypothesis import given

from clubs.house_rules import Typed, differences, editor_of, fields_of, read_settings, reset_setting
from clubs.models import Club, HouseRules
from clubs.queries import house_rules_of, removed_house_rules_of
from clubs.services import (
    change_house_rules,
    create_house_rules,
    put_back_house_rules,
    remove_house_rules,
)
from rules import (
    BAS_SAINT_LAURENT,
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    RULESETS,
    Ruleset,
    with_house_rules,
)
from tests.builders import ONE_GAME, TUESDAY, a_club, a_running_night, code_of, refusal_of
from tests.rules.sheets import law
from tests.rules.test_house_rules import changes
from tests.tournaments.test_two_writers import at_once, codes
from tournaments.events.services.lifecycle import create_event

every_system = pytest.mark.parametrize("base", RULESETS.values(), ids=list(RULESETS))


def our_rules(
    club: Club, name: str = "Our Tuesdays", *, base: str = "bas-saint-laurent", **difference: Any
) -> HouseRules:
    return create_house_rules(club=club, name=name, base=base, difference=difference or {"target": 25})


@pytest.mark.django_db
class TestHouseRules:
    def test_are_kept_as_what_differs_and_nothing_else(self) -> None:
        kept = our_rules(a_club(), target=25, games_to_win=2, contracts={"grosse": {"made": 10, "failed": 8}})
        kept.refresh_from_db()
        assert kept.difference == {"target": 25, "contracts": {"grosse": {"made": 10}}}
        assert kept.ruleset == with_house_rules(BAS_SAINT_LAURENT, kept.difference)

    def test_are_as_many_as_a_club_likes_and_each_club_has_its_own(self) -> None:
        club, other = a_club(), a_club()
        ours = [our_rules(club, name) for name in ("Tuesdays", "Finals", "été")]
        our_rules(other, "Tuesdays")
        assert [kept.name for kept in house_rules_of(club)] == ["été", "Finals", "Tuesdays"]
        assert set(house_rules_of(club)) == set(ours)

    def test_made_twice_are_made_once(self) -> None:
        club = a_club()
        assert our_rules(club, " Our  Tuesdays") == our_rules(club, "our tuesdays")
        assert HouseRules.objects.count() == 1

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param({"target": 30}, id="another difference"),
            pytest.param({"base": "maine", "target": 25}, id="the same difference from another system"),
        ],
    )
    def test_of_a_name_that_others_have_are_refused(self, other: dict[str, Any]) -> None:
        club = a_club()
        our_rules(club, "Our Tuesdays")
        refusal = refusal_of(our_rules, club, "OUR TUESDAYS", **other)
        assert (refusal.code, refusal.field) == ("house_rules_name_taken", "name")
        assert refusal.details == {"name": "Our Tuesdays"}

    def test_of_one_name_are_one_in_the_database_whoever_writes_them(self) -> None:
        club = a_club()
        kept = our_rules(club)
        kept.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            kept.save(force_insert=True)

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"name": " "}, "name_required"),
            ({"name": "x" * 81}, "name_too_long"),
            ({"base": "whist"}, "no_such_ruleset"),
            ({"target": 0}, "target_not_positive"),
            ({"ladder": []}, "empty_ladder"),
        ],
    )
    def test_that_are_no_game_or_have_no_name_are_not_kept(self, changed: dict[str, Any], code: str) -> None:
        assert code_of(our_rules, a_club(), **changed) == code
        assert not HouseRules.objects.exists()

    def test_are_changed_and_named_anew(self) -> None:
        kept = our_rules(a_club())
        for _ in range(2):
            change_house_rules(house_rules_id=kept.pk, name="Wednesdays", difference={"target": 30})
        kept = HouseRules.objects.get()
        assert (kept.name, kept.difference, kept.base) == ("Wednesdays", {"target": 30}, "bas-saint-laurent")
        assert our_rules(kept.club, "Wednesdays", target=30) == kept

    def test_keep_their_own_name_but_take_no_other_s(self) -> None:
        club = a_club()
        first = our_rules(club, "Tuesdays")
        our_rules(club, "Finals")
        change_house_rules(house_rules_id=first.pk, name="TUESDAYS", difference={})
        code = code_of(change_house_rules, house_rules_id=first.pk, name="finals", difference={})
        assert code == "house_rules_name_taken"
        assert [kept.name for kept in house_rules_of(club)] == ["Finals", "TUESDAYS"]

    def test_are_removed_and_put_back(self) -> None:
        club = a_club()
        kept = our_rules(club)
        for _ in range(2):
            remove_house_rules(house_rules_id=kept.pk)
        assert (list(house_rules_of(club)), list(removed_house_rules_of(club))) == ([], [kept])
        for _ in range(2):
            put_back_house_rules(house_rules_id=kept.pk)
        assert (list(house_rules_of(club)), list(removed_house_rules_of(club))) == ([kept], [])

    def test_removed_leave_their_name_to_others_and_come_back_when_it_is_free(self) -> None:
        club = a_club()
        old = our_rules(club)
        remove_house_rules(house_rules_id=old.pk)
        new = our_rules(club, target=30)
        assert new != old
        assert code_of(put_back_house_rules, house_rules_id=old.pk) == "house_rules_name_taken"
        change_house_rules(house_rules_id=new.pk, name="Finals", difference=new.difference)
        assert put_back_house_rules(house_rules_id=old.pk) == old

    def test_that_are_not_there_are_not_changed(self) -> None:
        for service in (remove_house_rules, put_back_house_rules):
            assert code_of(service, house_rules_id=0) == "no_such_house_rules"
        assert code_of(change_house_rules, house_rules_id=0, name="x", difference={}) == "no_such_house_rules"

    def test_changed_or_removed_touch_no_event(self) -> None:
        kept = our_rules(a_club(), target=25)
        event = create_event(
            club=kept.club, name="Tuesday", held_on=TUESDAY, ruleset=kept.ruleset, rules_name=kept.name,
            match_format=ONE_GAME, table_count=2,
        )  # fmt: skip
        running = a_running_night(club=kept.club, ruleset=kept.ruleset)
        change_house_rules(house_rules_id=kept.pk, name="Wednesdays", difference={"target": 30})
        remove_house_rules(house_rules_id=kept.pk)
        for one in (event, running):
            one.terms.refresh_from_db()
            assert one.terms.ruleset.target == 25
        assert event.terms.rules_name == "Our Tuesdays"


class TestTheDifference:
    @pytest.mark.parametrize(
        ("base", "difference", "said"),
        [
            pytest.param(BAS_SAINT_LAURENT, {"target": 25}, "To 25 instead of 21.", id="target"),
            pytest.param(MAINE, {"games_to_win": 2}, "Games to win a match: 2 instead of 1.", id="games"),
            pytest.param(
                MAINE,
                {"contracts": {"grosse": {"made": 10, "failed": 5}}},
                "High Card No Trump pays 10 / 5 instead of 8 / 8.",
                id="D5 the values of the Grosse",
            ),
            pytest.param(
                CANADIAN,
                {"contracts": {"5": {"failed": 10}}},
                "A bid of 5 pays 5 / 10 instead of 5 / 5.",
                id="the values of a number",
            ),
            pytest.param(
                MAINE,
                {
                    "ladder": [
                        contract.key for contract in MAINE.contracts if contract.key not in ("1", "petite")
                    ]
                },
                "Not bid: 1 and Le Petit. Also bid: 8.",
                id="D6 the ladder",
            ),
            pytest.param(
                BAS_SAINT_LAURENT,
                {"contracts": {"charlemagne": {"modes": ["partner", "card_vs_2", "card_vs_1"]}}},
                "Charlemagne is not played: alone without a card, against one.",
                id="D12 a lone Charlemagne",
            ),
            pytest.param(
                BAS_SAINT_LAURENT_JOKERS,
                {"contracts": {"grosse": {"modes": ["partner"]}}},
                "High Card No Trump is not played: with the partner, réserve taken.",
                id="D4 the réserve",
            ),
            pytest.param(
                CANADIAN, {"all_pass": "same_dealer"}, "When all pass, the same dealer deals again.", id="D1"
            ),
            pytest.param(
                CANADIAN,
                {"all_pass": "dealer_must_bid", "forced_bid": 6},
                "When all pass, the dealer must bid 6 or more.",
                id="D1 a forced dealer",
            ),
            pytest.param(
                MAINE,
                {"forced_bid": 6},
                "Dealer’s minimum bid: 6 instead of 5.",
                id="D13 another forced bid",
            ),
            pytest.param(MAINE, {"plays_low_bids": True}, "Bids below 5 are played.", id="D1 low bids"),
            pytest.param(
                BAS_SAINT_LAURENT,
                {"counter_charlemagne": False},
                "No Charlemagne over Charlemagne.",
                id="D7",
            ),
            pytest.param(
                CANADIAN,
                {"number_bid_leader": "declarer"},
                "On a number bid, the declarer leads.",
                id="leader",
            ),
        ],
    )
    def test_is_said_in_plain_sentences(self, base: Ruleset, difference: dict[str, Any], said: str) -> None:
        sentences = differences(base, with_house_rules(base, difference))
        assert " ".join(sentences).replace("\u00a0", " ") == said

    @every_system
    def test_of_a_system_from_itself_is_nothing(self, base: Ruleset) -> None:
        assert differences(base, base) == []

    @law
    @given(changes())
    def test_is_said_wherever_there_is_one_in_both_languages(
        self, change: tuple[Ruleset, dict[str, Any]]
    ) -> None:
        base, difference = change
        changed = with_house_rules(base, difference)
        for language in ("en", "fr"):
            with override(language):
                said = differences(base, changed)
                assert bool(said) == (changed != base)
                assert len(said) == len(set(said))


def typed(base: Ruleset, **changed: str) -> Typed:
    """The form of that system with some fields changed, ``contracts__grosse__made="10"``; "" unticks."""
    fields = {name.replace("__", "."): [value] if value else [] for name, value in changed.items()}
    return fields_of(base) | fields


class TestTheForm:
    @every_system
    def test_of_a_system_changes_nothing(self, base: Ruleset) -> None:
        editor = editor_of(base, fields_of(base))
        assert (editor.reading.ruleset, editor.problems, editor.differences) == (base, [], [])
        assert not any(setting.is_changed for setting in editor.settings)

    @every_system
    def test_offers_each_setting_once_and_only_where_it_means_something(self, base: Ruleset) -> None:
        names = [setting.name for setting in editor_of(base, fields_of(base)).settings]
        assert len(names) == len(set(names))
        assert ("plays_low_bids" in names) == (base.contracts[0].number == 1)
        assert ("counter_charlemagne" in names) == base.contracts[-1].ends_game

    @law
    @given(changes())
    def test_of_a_changed_system_is_read_back_as_it(self, change: tuple[Ruleset, dict[str, Any]]) -> None:
        base, difference = change
        changed = with_house_rules(base, difference)
        editor = editor_of(base, fields_of(changed))
        is_offered = {"plays_low_bids", "counter_charlemagne"} & {one.name for one in editor.settings}
        hidden = {"plays_low_bids", "counter_charlemagne"} - is_offered
        assert editor.reading.refusals == ()
        assert editor.reading.ruleset == with_house_rules(
            base, {name: value for name, value in difference.items() if name not in hidden}
        )

    def test_marks_what_is_changed_beside_how_it_is_built_in(self) -> None:
        editor = editor_of(MAINE, typed(MAINE, target="25", contracts__grosse__bid=""))
        assert {one.name: one.built_in for one in editor.settings if one.is_changed} == {
            "target": "21",
            "contracts.grosse": "8\u00a0/\u00a08",
        }

    @pytest.mark.parametrize("setting", ["target", "contracts.charlemagne", "all_pass"])
    def test_puts_one_setting_back_and_keeps_the_others(self, setting: str) -> None:
        changed = typed(
            MAINE, target="25", contracts__charlemagne__modes="partner", all_pass="same_dealer", name="Ours"
        )
        editor = editor_of(MAINE, reset_setting(MAINE, changed, setting))
        left = {"target", "contracts.charlemagne", "all_pass"} - {setting}
        assert {one.name for one in editor.settings if one.is_changed} == left
        assert reset_setting(MAINE, changed, setting)["name"] == ["Ours"]

    def test_puts_nothing_back_that_it_has_not(self) -> None:
        assert reset_setting(MAINE, typed(MAINE, target="25"), "key") == typed(MAINE, target="25")

    def test_says_all_that_is_wrong_and_reads_the_rest(self) -> None:
        reading = read_settings(
            MAINE,
            typed(
                MAINE,
                target="0",
                games_to_win="two",
                contracts__grosse__made="-1",
                contracts__5__failed="",
                contracts__7__bid="",
                contracts__charlemagne__modes="",
                forced_bid="",
            ),
        )
        assert {refusal.field: refusal.code for refusal in reading.refusals} == {
            "target": "target_not_positive",
            "games_to_win": "not_a_number",
            "contracts.grosse.made": "value_negative",
            "contracts.5.failed": "value_negative",
            "contracts.charlemagne.modes": "way_required",
            "forced_bid": "forced_bid_required",
        }
        assert differences(MAINE, reading.ruleset) == ["Not bid: 7."]

    @pytest.mark.parametrize(
        ("base", "changed", "code", "field"),
        [
            pytest.param(
                CANADIAN,
                {f"contracts__{one.key}__bid": "" for one in CANADIAN.contracts},
                "empty_ladder",
                "ladder",
                id="no bids",
            ),
            pytest.param(
                CANADIAN,
                {
                    f"contracts__{one.key}__{what}": "0"
                    for one in CANADIAN.contracts
                    for what in ("made", "failed")
                },
                "no_way_to_win",
                "contracts",
                id="a game without end",
            ),
            pytest.param(
                MAINE,
                {"contracts__5__bid": "", "target": "25"},
                "forced_bid_not_in_ladder",
                "forced_bid",
                id="D13 no 5 to force, as it is built in",
            ),
            pytest.param(
                CANADIAN,
                {"all_pass": "dealer_must_bid", "contracts__5__bid": ""},
                "forced_bid_not_in_ladder",
                "forced_bid",
                id="D13 no 5 to force, as it is wanted",
            ),
            pytest.param(CANADIAN, {"all_pass": "again"}, "no_such_choice", "all_pass", id="D1"),
        ],
    )
    def test_says_once_what_makes_the_game_impossible(
        self, base: Ruleset, changed: dict[str, str], code: str, field: str
    ) -> None:
        editor = editor_of(base, typed(base, **changed))
        assert [(one.code, one.field) for one in editor.reading.refusals] == [(code, field)]
        assert len(editor.problems) == 1

    def test_takes_a_forced_bid_only_where_the_dealer_must_bid(self) -> None:
        editor = editor_of(CANADIAN, typed(CANADIAN, forced_bid="nine"))
        assert (editor.reading.ruleset, editor.problems) == (CANADIAN, [])
        assert not any(setting.is_changed for setting in editor.settings)

    def test_of_the_reserve_keeps_or_leaves_a_way_with_and_without_it(self) -> None:
        base = BAS_SAINT_LAURENT_JOKERS
        changed = fields_of(base) | {"contracts.charlemagne.modes": ["partner", "card_vs_2"]}
        modes = read_settings(base, changed).ruleset.contract("charlemagne").modes
        assert modes == ("partner", "card_vs_2", "reserve+partner", "reserve+card_vs_2")


@pytest.mark.django_db(transaction=True)
class TestTwoWriters:
    @pytest.mark.slow
    def test_of_the_same_rules_at_once_make_one(self) -> None:
        club = a_club()
        written = at_once(*[partial(our_rules, club)] * 4)
        assert written == [HouseRules.objects.get()] * 4

    def test_of_one_name_at_once_are_let_in_one_after_the_other(self) -> None:
        club = a_club()
        results = at_once(*(partial(our_rules, club, target=target) for target in (25, 30, 35)))
        assert codes(results) == ["house_rules_name_taken"] * 2
        assert HouseRules.objects.count() == 1
