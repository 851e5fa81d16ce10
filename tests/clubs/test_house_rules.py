"""House rules of a club: stored as differences, removed and restored, described in sentences, edited in a form."""

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils.translation import override
from hypothesis import given

from clubs.house_rules.editor import build_editor
from clubs.house_rules.fields import FormValues, build_field_values, reset_setting
from clubs.house_rules.parser import parse_settings
from clubs.house_rules.sentences import describe_differences
from clubs.models import Club, HouseRules
from clubs.queries import query_house_rules, query_removed_house_rules
from clubs.services.house_rules import change_house_rules, create_house_rules, remove_house_rules, restore_house_rules
from rules import BAS_SAINT_LAURENT, BAS_SAINT_LAURENT_JOKERS, CANADIAN, MAINE, RULESETS, Ruleset, apply_house_rules
from tests.builders import ONE_GAME, TUESDAY, build_club, build_running_night, get_refusal, get_refusal_code
from tests.rules.sheets import property_settings
from tests.rules.test_house_rules import changes
from tests.tournaments.test_concurrent_writes import list_refusal_codes, run_concurrently
from tournaments.events.services.creation import create_event

parametrize_rulesets = pytest.mark.parametrize("base", RULESETS.values(), ids=list(RULESETS))


def create_rules(
    club: Club, name: str = "Our Tuesdays", *, base: str = "bas-saint-laurent", **difference: Any
) -> HouseRules:
    return create_house_rules(club=club, name=name, base=base, difference=difference or {"target": 25})


@pytest.mark.django_db
class TestHouseRules:
    def test_house_rules_store_only_the_differences(self) -> None:
        house_rules = create_rules(
            build_club(), target=25, games_to_win=2, contracts={"grosse": {"made": 10, "failed": 8}}
        )
        house_rules.refresh_from_db()
        assert house_rules.difference == {"target": 25, "contracts": {"grosse": {"made": 10}}}
        assert house_rules.ruleset == apply_house_rules(BAS_SAINT_LAURENT, house_rules.difference)

    def test_each_club_has_its_own_house_rules(self) -> None:
        club, other = build_club(), build_club()
        ours = [create_rules(club, name) for name in ("Tuesdays", "Finals", "été")]
        create_rules(other, "Tuesdays")
        assert [house_rules.name for house_rules in query_house_rules(club)] == ["été", "Finals", "Tuesdays"]
        assert set(query_house_rules(club)) == set(ours)

    def test_identical_house_rules_are_stored_once(self) -> None:
        club = build_club()
        assert create_rules(club, " Our  Tuesdays") == create_rules(club, "our tuesdays")
        assert HouseRules.objects.count() == 1

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param({"target": 30}, id="another difference"),
            pytest.param({"base": "maine", "target": 25}, id="the same difference from another system"),
        ],
    )
    def test_house_rules_refuse_a_taken_name(self, other: dict[str, Any]) -> None:
        club = build_club()
        create_rules(club, "Our Tuesdays")
        refusal = get_refusal(create_rules, club, "OUR TUESDAYS", **other)
        assert (refusal.code, refusal.field) == ("house_rules_name_taken", "name")
        assert refusal.details == {"name": "Our Tuesdays"}

    def test_database_enforces_unique_house_rules_names(self) -> None:
        club = build_club()
        house_rules = create_rules(club)
        house_rules.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            house_rules.save(force_insert=True)

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
    def test_invalid_house_rules_are_not_stored(self, changed: dict[str, Any], code: str) -> None:
        assert get_refusal_code(create_rules, build_club(), **changed) == code
        assert not HouseRules.objects.exists()

    def test_house_rules_can_be_changed_and_renamed(self) -> None:
        house_rules = create_rules(build_club())
        for _ in range(2):
            change_house_rules(house_rules_id=house_rules.pk, name="Wednesdays", difference={"target": 30})
        house_rules = HouseRules.objects.get()
        assert (house_rules.name, house_rules.difference, house_rules.base) == (
            "Wednesdays",
            {"target": 30},
            "bas-saint-laurent",
        )
        assert create_rules(house_rules.club, "Wednesdays", target=30) == house_rules

    def test_renamed_house_rules_cannot_take_a_used_name(self) -> None:
        club = build_club()
        first = create_rules(club, "Tuesdays")
        create_rules(club, "Finals")
        change_house_rules(house_rules_id=first.pk, name="TUESDAYS", difference={})
        code = get_refusal_code(change_house_rules, house_rules_id=first.pk, name="finals", difference={})
        assert code == "house_rules_name_taken"
        assert [house_rules.name for house_rules in query_house_rules(club)] == ["Finals", "TUESDAYS"]

    def test_removed_house_rules_can_be_restored(self) -> None:
        club = build_club()
        house_rules = create_rules(club)
        for _ in range(2):
            remove_house_rules(house_rules_id=house_rules.pk)
        assert (list(query_house_rules(club)), list(query_removed_house_rules(club))) == ([], [house_rules])
        for _ in range(2):
            restore_house_rules(house_rules_id=house_rules.pk)
        assert (list(query_house_rules(club)), list(query_removed_house_rules(club))) == ([house_rules], [])

    def test_restored_house_rules_need_a_free_name(self) -> None:
        club = build_club()
        old = create_rules(club)
        remove_house_rules(house_rules_id=old.pk)
        new = create_rules(club, target=30)
        assert new != old
        assert get_refusal_code(restore_house_rules, house_rules_id=old.pk) == "house_rules_name_taken"
        change_house_rules(house_rules_id=new.pk, name="Finals", difference=new.difference)
        assert restore_house_rules(house_rules_id=old.pk) == old

    def test_unknown_house_rules_are_refused(self) -> None:
        for service in (remove_house_rules, restore_house_rules):
            assert get_refusal_code(service, house_rules_id=0) == "no_such_house_rules"
        assert get_refusal_code(change_house_rules, house_rules_id=0, name="x", difference={}) == "no_such_house_rules"

    @pytest.mark.long
    def test_changed_house_rules_leave_events_untouched(self) -> None:
        house_rules = create_rules(build_club(), target=25)
        event = create_event(
            club=house_rules.club, name="Tuesday", held_on=TUESDAY, ruleset=house_rules.ruleset,
            rules_name=house_rules.name, match_format=ONE_GAME, table_count=2,
        )  # fmt: skip
        running = build_running_night(club=house_rules.club, ruleset=house_rules.ruleset)
        change_house_rules(house_rules_id=house_rules.pk, name="Wednesdays", difference={"target": 30})
        remove_house_rules(house_rules_id=house_rules.pk)
        for one in (event, running):
            one.terms.refresh_from_db()
            assert one.terms.ruleset.target == 25
        assert event.terms.rules_name == "Our Tuesdays"


class TestDifferences:
    @pytest.mark.parametrize(
        ("base", "difference", "expected_text"),
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
                {"ladder": [contract.key for contract in MAINE.contracts if contract.key not in ("1", "petite")]},
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
            pytest.param(CANADIAN, {"all_pass": "same_dealer"}, "When all pass, the same dealer deals again.", id="D1"),
            pytest.param(
                CANADIAN,
                {"all_pass": "dealer_must_bid", "forced_bid": 6},
                "When all others pass, the dealer must bid 6 or more.",
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
    def test_differences_are_described_in_sentences(
        self, base: Ruleset, difference: dict[str, Any], expected_text: str
    ) -> None:
        sentences = describe_differences(base, apply_house_rules(base, difference))
        assert " ".join(sentences).replace("\u00a0", " ") == expected_text

    @parametrize_rulesets
    def test_ruleset_has_no_differences_from_itself(self, base: Ruleset) -> None:
        assert describe_differences(base, base) == []

    @pytest.mark.long
    @property_settings
    @given(changes())
    def test_every_difference_is_described_in_both_languages(self, change: tuple[Ruleset, dict[str, Any]]) -> None:
        base, difference = change
        changed = apply_house_rules(base, difference)
        for language in ("en", "fr"):
            with override(language):
                sentences = describe_differences(base, changed)
                assert bool(sentences) == (changed != base)
                assert len(sentences) == len(set(sentences))


def build_form(base: Ruleset, **changed: str) -> FormValues:
    """Return the form of ``base`` with changes such as ``contracts__grosse__made="10"``; "" clears a checkbox."""
    fields = {name.replace("__", "."): [value] if value else [] for name, value in changed.items()}
    return build_field_values(base) | fields


class TestHouseRulesForm:
    @parametrize_rulesets
    def test_form_of_a_ruleset_changes_nothing(self, base: Ruleset) -> None:
        editor = build_editor(base, build_field_values(base))
        assert (editor.parsed.ruleset, editor.problems, editor.differences) == (base, [], [])
        assert not any(setting.is_changed for setting in editor.settings)

    @parametrize_rulesets
    def test_form_offers_each_relevant_setting_once(self, base: Ruleset) -> None:
        names = [setting.name for setting in build_editor(base, build_field_values(base)).settings]
        assert len(names) == len(set(names))
        assert ("plays_low_bids" in names) == (base.contracts[0].number == 1)
        assert ("counter_charlemagne" in names) == base.contracts[-1].ends_game

    @pytest.mark.long
    @property_settings
    @given(changes())
    def test_form_of_changed_rules_parses_back(self, change: tuple[Ruleset, dict[str, Any]]) -> None:
        base, difference = change
        changed = apply_house_rules(base, difference)
        editor = build_editor(base, build_field_values(changed))
        is_offered = {"plays_low_bids", "counter_charlemagne"} & {one.name for one in editor.settings}
        hidden = {"plays_low_bids", "counter_charlemagne"} - is_offered
        assert editor.parsed.refusals == ()
        assert editor.parsed.ruleset == apply_house_rules(
            base, {name: value for name, value in difference.items() if name not in hidden}
        )

    def test_form_marks_changed_settings_with_the_standard_value(self) -> None:
        editor = build_editor(MAINE, build_form(MAINE, target="25", contracts__grosse__bid=""))
        assert {one.name: one.built_in for one in editor.settings if one.is_changed} == {
            "target": "21",
            "contracts.grosse": "8\u00a0/\u00a08",
        }

    @pytest.mark.parametrize("setting", ["target", "contracts.charlemagne", "all_pass"])
    def test_reset_restores_one_setting_only(self, setting: str) -> None:
        changed = build_form(
            MAINE, target="25", contracts__charlemagne__modes="partner", all_pass="same_dealer", name="Ours"
        )
        editor = build_editor(MAINE, reset_setting(MAINE, changed, setting))
        left = {"target", "contracts.charlemagne", "all_pass"} - {setting}
        assert {one.name for one in editor.settings if one.is_changed} == left
        assert reset_setting(MAINE, changed, setting)["name"] == ["Ours"]

    def test_reset_ignores_an_unknown_setting(self) -> None:
        assert reset_setting(MAINE, build_form(MAINE, target="25"), "key") == build_form(MAINE, target="25")

    def test_parser_reports_every_error_and_reads_the_rest(self) -> None:
        reading = parse_settings(
            MAINE,
            build_form(
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
        assert describe_differences(MAINE, reading.ruleset) == ["Not bid: 7."]

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
                {f"contracts__{one.key}__{what}": "0" for one in CANADIAN.contracts for what in ("made", "failed")},
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
    def test_impossible_game_is_reported_once(
        self, base: Ruleset, changed: dict[str, str], code: str, field: str
    ) -> None:
        editor = build_editor(base, build_form(base, **changed))
        assert [(one.code, one.field) for one in editor.parsed.refusals] == [(code, field)]
        assert len(editor.problems) == 1

    def test_forced_bid_applies_only_when_the_dealer_must_bid(self) -> None:
        editor = build_editor(CANADIAN, build_form(CANADIAN, forced_bid="nine"))
        assert (editor.parsed.ruleset, editor.problems) == (CANADIAN, [])
        assert not any(setting.is_changed for setting in editor.settings)

    def test_removed_mode_is_removed_with_its_reserve_variant(self) -> None:
        base = BAS_SAINT_LAURENT_JOKERS
        changed = build_field_values(base) | {"contracts.charlemagne.modes": ["partner", "card_vs_2"]}
        modes = parse_settings(base, changed).ruleset.get_contract("charlemagne").modes
        assert modes == ("partner", "card_vs_2", "reserve+partner", "reserve+card_vs_2")


@pytest.mark.django_db(transaction=True)
class TestConcurrentWrites:
    @pytest.mark.slow
    def test_concurrent_identical_rules_are_stored_once(self) -> None:
        club = build_club()
        written = run_concurrently(*[partial(create_rules, club)] * 4)
        assert written == [HouseRules.objects.get()] * 4

    def test_concurrent_rules_of_one_name_store_only_one(self) -> None:
        club = build_club()
        results = run_concurrently(*(partial(create_rules, club, target=target) for target in (25, 30, 35)))
        assert list_refusal_codes(results) == ["house_rules_name_taken"] * 2
        assert HouseRules.objects.count() == 1
