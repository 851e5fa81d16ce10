"""An evening of a club on which an API client calls every operation at least once."""

import re
from dataclasses import dataclass, field
from typing import Any

from api.operations import OPERATIONS
from clubs.audit.log import NOBODY
from federations.models import ClubFeed, Federation
from federations.services.feed_refresh import combine_feeds
from federations.services.publishing import write_feed
from tests.api.program import Program, create_secret
from tests.builders import build_account, build_club, compute_standings
from tests.support.feeds import SEASON_START, build_feed, create_followed_feed
from tournaments.entries.services.sign_up import sign_up
from tournaments.models import Adjustment, Event
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import refresh_seasons

OPERATIONS_BY_NAME = {one.name: one for one in OPERATIONS}
NAMES = (
    *("Agathe Albert", "Bruno Caron", "Cécile Dumont", "Donat Émond"),
    *("Édith Fortin", "Fernand Gagnon", "Ghislaine Hudon", "Hervé Isabelle"),
)
LATE_PAIRS = (["Zita Un", "Zita Deux"], ["Zoé Un", "Zoé Deux"])
HAND = {"side": "A", "contract": "6", "tricks": 7}
WINNING_HAND = {"side": "A", "contract": "charlemagne", "tricks": 8}
TUESDAY, THURSDAY = "2026-11-17", "2026-11-19"
YEAR = {"starts": "2026-09-01", "ends": "2027-06-30"}


@dataclass(kw_only=True)
class RecordedEvening:
    """The first body sent to each operation and its last answer, by the name of the operation.

    ``path_values`` are the values in the addresses.
    """

    program: Program
    path_values: dict[str, Any]
    sent_bodies: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)

    def call(self, name: str, /, body: Any = None, **path_values: Any) -> Any:
        """Call the operation, record its body and answer, and return the answer; fail if it is refused."""
        operation = OPERATIONS_BY_NAME[name]
        parameters = {**self.path_values, **path_values}
        path = re.sub(r"<\w+:(\w+)>", lambda part: str(parameters[part[1]]), operation.path)
        if operation.method == "get":
            answer = self.program.get(path)
        else:
            answer = self.program.call(operation.method, path, body)
        self.sent_bodies.setdefault(name, body)
        self.answers[name] = answer
        return answer


def build_evening() -> RecordedEvening:
    """Call every operation, in an order in which a club could have done it."""
    owner = build_account("Céline Roy")
    club = build_club(owner=owner)
    evening = RecordedEvening(program=Program(create_secret(club, owner)), path_values={"slug": club.slug})
    people = _add_club(evening)
    _prepare_event(evening, people)
    _play_rounds(evening)
    _end_event(evening, people)
    _call_ready_match(evening)
    _play_team_match(evening)
    return evening


def _add_club(evening: RecordedEvening) -> list[int]:
    do = evening.call
    for name in ("getMe", "listClubs", "getClub"):
        do(name)
    do("changeClubPage", {"hall": "Salle paroissiale", "about": "On joue tous les mardis."})
    labels = {"labels": ["Aînés"], "contact": "418 555-0101"}
    people: list[int] = [do("addPerson", {"name": name, **labels})["id"] for name in NAMES]
    do("changePerson", {"name": NAMES[0], "family": "Albert"}, person_id=people[0])
    do("getPerson", person_id=people[0])
    do("listPeople")
    night = {"name": "Nos mardis", "pattern": "weekly", "first_on": TUESDAY, "starts_at": "19:00"}
    evening.path_values["night_id"] = do("addRecurringNight", night)["id"]
    do("changeRecurringNight", {**night, "place": "Salle paroissiale"})
    do("cancelDate", {"on": "2026-12-29", "reason": "Temps des fêtes"})
    do("moveDate", {"on": "2026-12-22", "moved_to": "2026-12-21"})
    do("listNights")
    do("getCalendar")
    do("restoreDate", {"on": "2026-12-29"})
    evening.path_values["period_id"] = do("askDues", {"name": "2026-2027", "amount": 1500, **YEAR})["id"]
    do("changeDues", {"name": "2026-2027", "amount": 2000, **YEAR})
    do("payDues", person_id=people[0])
    do("listDues")
    season = {"name": "2026-2027", **YEAR, "ladders": [{"name": "Général"}]}
    evening.path_values["season_id"] = do("openSeason", season)["id"]
    do("changeSeason", {"ladders": [*do("getSeason")["ladders"], {"name": "Paires", "unit": "pair"}]})
    do("turnRatings", {"is_on": True})
    address = {"address": "https://example.org/hook", "kinds": ["table.result"]}
    evening.path_values["webhook_id"] = do("addWebhook", address)["id"]
    do("changeWebhook", {**address, "is_on": True})
    for name in ("getWebhook", "listWebhooks", "renewWebhookSecret"):
        do(name)
    evening.path_values["delivery_id"] = do("sendWebhookTest")["id"]
    do("redeliver")
    do("listDeliveries")
    do("removeWebhook")
    _add_federation(evening)
    do("removeRecurringNight")
    removed = do("listHistoryOfClub")["results"][0]
    do("undoOfClub", action_id=removed["id"])
    return people


def _add_federation(evening: RecordedEvening) -> None:
    do = evening.call
    do("switchFeedOn")
    write_feed(ClubFeed.objects.get().club_id)
    do("getFeed")
    rule = {"counts": "rank_points", "rank_points": [10, 6, 3]}
    region = {"name": "Bas-Saint-Laurent", **YEAR, "ladder": rule}
    evening.path_values["federation_id"] = do("openFederation", region)["id"]
    do("changeFederation", {"ladder": {**rule, "best": 20}})
    address = "https://example.org/c/les-as/feed.json"
    evening.path_values["feed_id"] = do("followFeed", {"address": address})["id"]
    federation = Federation.objects.get(pk=evening.path_values["federation_id"])
    create_followed_feed(federation, build_feed("Matane", nights=6))
    combine_feeds(federation.pk)
    for name in ("listFederations", "getFederation", "listFollowedFeeds", "getFederationCalendar"):
        do(name)
    evening.path_values["key"] = do("getFederationLadder")["results"][0]["key"]
    do("getFederationLine")
    evening.path_values["key"] = do("getFederationRatings")["results"][0]["key"]
    do("getFederationRating")
    evening.path_values |= {"year": SEASON_START.year, "month": SEASON_START.month}
    do("getFederationMonth")
    for name in ("fetchFeeds", "unfollowFeed", "endFederation", "switchFeedOff"):
        do(name)


def _prepare_event(evening: RecordedEvening, people: list[int]) -> None:
    do = evening.call
    event = {"name": "Soirée du mardi", "held_on": TUESDAY, "ruleset": "canadian", "tables": 2}
    evening.path_values["short"] = do("createEvent", event)["id"]
    do("renameEvent", {"name": "Soirée du mardi", "held_on": TUESDAY})
    do("announceEvent", {"starts_at": "19:00", "place": "Salle paroissiale", "bring": "Un plat à partager"})
    do("planTables", {"table_count": 3})
    do("planHall", {"per_row": 4, "snakes": True})
    do("changeRules", {"ruleset": "canadian", "details": []})
    do("changeMatchLength", {"games_to_win": 1, "hands": None, "minutes": None})
    do("changeStages", {"stages": [{"format": "swiss"}]})
    do("changePhase", {"since": 3, "settings": {"match_format": {"hands": 8}}})
    do("changeRanking", {"ranking": {"order": ["match_wins", "difference"]}})
    do("changeSections", {"sections": [{"name": "A", "first_table": 1, "last_table": 9}]})
    do("changeSections", {"sections": []})
    do("changeSignUp", {"is_open": True, "most_entries": 12})
    open_to_all = {"is_public": True, "entries": True, "draw": True}
    do("changeRelease", {**open_to_all, "results": "hands", "standings": "live", "names": "agreed"})
    do("changeRates", {"member": 300, "guest": 500})
    for pair in zip(people[::2], people[1::2], strict=True):
        do("enterPeople", {"people": list(pair)})
    do("addEntry", {"players": ["Rita Roy", "Luc Roy"], "is_present": True})
    mistaken = do("addEntry", {"players": ["Omer Dubé", "Noël Dubé"]})
    do("removeEntry", number=mistaken["number"])
    alone = [_sign_up_single(evening, name) for name in ("Lise Cyr", "Paul Cyr")]
    do("pairEntries", {"numbers": alone})
    evening.path_values |= {"number": 1, "table": 1, "place": 1}
    do("admitEntry")
    do("describeEntry", {"team": "Les As", "rating": 1500, "car": "Rimouski"})
    do("correctPlayerName", {"name": "Agathe Albert-Roy"})
    do("setTeam", {"numbers": [1, 2], "team": "Les As"})
    do("labelEntries", {"label": "Aînés", "numbers": [1, 2]})
    do("keepApart", {"text": "1, 2", "always": True})
    do("orderEntries", {"way": "lot"})
    do("moveEntry", {"is_up": False})
    for number in range(1, 7):
        do("markPresent", {"is_present": True}, number=number)
    do("leaveOutEntry", {"is_coming": False}, number=5)
    do("leaveOutEntry", {"is_coming": True}, number=5)
    do("leaveOutAbsent")
    do("addBoard", {"name": "Petite salle", "first_table": 2, "last_table": 3})
    do("changeBoard", {"name": "Petite salle", "first_table": 3, "is_dark": True})
    do("showOnBoard", {"scene": "standings"})
    do("listBoards")
    do("removeBoard")


def _sign_up_single(evening: RecordedEvening, name: str) -> int:
    """Sign up a player without a partner on the public page, and return the number of the entry."""
    event = Event.objects.get(short=evening.path_values["short"])
    entry = sign_up(event_id=event.pk, players=[name], needs_partner=True, by=NOBODY)
    assert entry is not None
    return entry.number


def _play_rounds(evening: RecordedEvening) -> None:
    do = evening.call
    do("startEvent")
    do("drawRound", {"seed": 7})
    do("holdTable", {"is_held": True})
    do("holdTable", {"is_held": False})
    do("discardDraft")
    do("drawRound", {"seed": 7})
    sides = do("getRound")["tables"][0]["sides"]
    do("swapEntries", {"one": sides[0]["entries"][0], "other": sides[1]["entries"][0]})
    do("publishRound", {"as_drawn": False})
    do("unpublishRound")
    do("publishRound")
    do("holdRound")
    do("publishRound")
    do("beginRound", {"minutes": 45})
    for name in ("pauseClock", "resumeClock", "addMinutes", "callLastHand", "takeBackLastHand"):
        do(name)
    _mark_hands(evening)
    do("countUnfinished")
    do("closeRound")
    do("reopenRound")
    do("closeRound")
    do("listRounds")
    _continue_event(evening)


def _mark_hands(evening: RecordedEvening) -> None:
    do = evening.call
    do("sendMessage", {"text": "Café à 21 h", "minutes": 10})
    do("takeBackMessage")
    do("callTable", {"table": 1})
    do("endCall")
    do("listCards")
    table = do("getTableOfRound")
    evening.path_values["code"] = table["code"]
    first = next(one for one in do("listEntries")["results"] if one["number"] == table["sides"][0]["entries"][0])
    evening.path_values["person_id"] = first["players"][0]["id"]
    match = do("getTable")["match"]
    do("nameFirstDealer", {"seat": 1})
    do("passPencil", {"act": "ask", "device": "Tableur"})
    do("markHand", {"match": match, "number": 1, "hand": HAND})
    do("dispute", {"note": "7 ou 8 levées ?"})
    do("withdrawDispute", {})
    do("dispute", {"note": "7 ou 8 levées ?"})
    do("listDisputes")
    do("settleDispute", {"ruling": "Les cartes ont été recomptées."})
    do("markHandAtDesk", {"number": 2, "hand": WINNING_HAND, "reason": "Compté à la table."})
    number = 3
    while not do("getTable")["summary"]["games_won"][0]:
        do("markHand", {"match": match, "number": number, "hand": WINNING_HAND})
        number += 1
    do("agree", {"side": "A", "game": 1})
    do("getTableOfRound")
    do("listHands")
    do("forfeitTable", {"winner": "A", "reason": "La pluie"}, table=2)
    do("letCardsCount", {"may_be_undecided": True}, table=2)
    do("adjustTable", {"games": [1, 0], "points": [32, 12], "reason": "Feuille de papier"}, table=1)
    do("adjustTable", {"games": [1, 0], "points": [32, 12], "reason": "Feuille de papier"}, table=2)


def _continue_event(evening: RecordedEvening) -> None:
    do = evening.call
    do("changeAttendance", {"round_number": 2, "attendance": "absent"}, number=2)
    do("withdrawEntry", {"after": 1}, number=3)
    do("returnEntry", number=3)
    do("disqualifyEntry", {"disqualification": "Insultes", "forfeits_table": False}, number=3)
    do("returnEntry", number=3)
    do("substitutePlayer", {"name": "Zoé Remplaçante"}, number=4)
    fine = {"metric": "points_for", "amount": -2, "reason": "En retard"}
    do("adjustEntry", fine)
    do("removeAdjustment", adjustment_id=Adjustment.objects.get().pk)
    do("drawRound", {"seed": 8})
    do("publishRound", number=2)
    late = [do("addEntry", {"players": names})["number"] for names in LATE_PAIRS]
    for number in late:
        do("markPresent", {"is_present": True}, number=number)
    do("seatMore", {"one": late[0], "other": late[1]}, number=2)
    tables = do("getRound", number=2)["tables"]
    for table in tables:
        do("forfeitTable", {"winner": "A", "reason": "La pluie"}, number=2, table=table["number"])
    do("closeRound", number=2)


def _end_event(evening: RecordedEvening, people: list[int]) -> None:
    do = evening.call
    do("endEvent")
    do("resumeEvent")
    do("endEvent")
    compute_standings(Event.objects.get(short=evening.path_values["short"]))
    do("publishFinal")
    do("unpublishFinal")
    do("publishFinal")
    do("getStandings")
    do("getEvent")
    do("listEvents")
    do("listEventsOfClub")
    do("payFee", person_id=people[0])
    do("recordFee", {"paid": 500, "other": None}, person_id=people[1])
    do("getFees")
    do("changeCashRules", {"prize_share": 60, "rounding_step": 100, "starting_cash": 5000})
    do("drawDoorPrize", {"prize": "Un jambon", "seed": 7})
    do("clearDoorPrize")
    ham = {"name": "Un jambon", "amount": 2000, "is_public": True}
    evening.path_values["prize_id"] = do("givePrize", {**ham, "winners": [people[0]]})["id"]
    do("changePrize", ham)
    category = {"name": "Aînés", "among": "label", "group": "Aînés", "places": 2, "amounts": [2000, 1000]}
    evening.path_values["category_id"] = do("addPrizeCategory", category)["id"]
    do("changePrizeCategory", category)
    do("setPrizesAddUp", {"add_up": True})
    do("listPrizes")
    do("takeBackPrize")
    do("removePrizeCategory")
    removed = do("listHistoryOfEvent")["results"][0]
    do("undoOfEvent", {}, action_id=removed["id"])
    club = Event.objects.get(short=evening.path_values["short"]).club_id
    refresh_ratings(club_id=club)
    refresh_seasons(club_id=club)
    for name in ("getRatings", "getRecords", "listSeasons", "getLadder"):
        do(name)
    do("getRecordOfPerson")
    do("countNights", {"left_out": []})
    do("closeSeason")
    do("reopenSeason")
    again = do("playAgain", {"name": "Soirée du jeudi", "held_on": THURSDAY, "with_people": True})
    do("callOffEvent", {"reason": "Tempête"}, short=again["id"])
    do("reinstateEvent", short=again["id"])
    do("putAwayEvent", short=again["id"])


def _call_ready_match(evening: RecordedEvening) -> None:
    """Call a match in a knockout of six: the winner of a quarterfinal meets an entry that had a bye."""
    knockout = RecordedEvening(program=evening.program, path_values={**evening.path_values})
    do = knockout.call
    event = {
        "name": "Coupe",
        "held_on": TUESDAY,
        "ruleset": "canadian",
        "tables": 3,
        "stages": [{"format": "knockout"}],
    }
    knockout.path_values["short"] = do("createEvent", event)["id"]
    for letter in "ABCDEF":
        do("addEntry", {"players": [f"Rita {letter}.", f"Omer {letter}."], "is_present": True})
    for name in ("startEvent", "drawRound", "publishRound"):
        do(name, {}, number=1)
    do("forfeitTable", {"winner": "A", "reason": "La pluie"}, number=1, table=1)
    do("callMatches")
    evening.sent_bodies["callMatches"], evening.answers["callMatches"] = None, knockout.answers["callMatches"]


def _play_team_match(evening: RecordedEvening) -> None:
    """Play a match of two teams: a line-up is given, a postponement declined, and one made and undone."""
    teams = RecordedEvening(program=evening.program, path_values={**evening.path_values})
    do = teams.call
    event = {
        "name": "Équipes",
        "held_on": TUESDAY,
        "ruleset": "canadian",
        "tables": 2,
        "stages": [{"format": "teams"}],
    }
    teams.path_values["short"] = do("createEvent", event)["id"]
    for letter in "ABCDE":
        do("addEntry", {"players": [f"Léa {letter}.", f"Guy {letter}."], "is_present": True})
    do("setTeam", {"numbers": [1, 2, 3], "team": "Matane"})
    for name in ("startEvent", "drawRound"):
        do(name, {}, number=1)
    steps = {
        "giveTeamLineup": {"team": "Matane", "numbers": [3, 1]},
        "publishRound": {},
        "requestPostponement": {"team": "Matane", "day": "2026-12-04", "note": "The hall is taken."},
        "declinePostponement": {"team": "Matane", "answer": "The season ends on Thursday."},
        "postponeMatch": {"day": "2026-12-04"},
        "reinstateMatch": {},
    }
    answers = {name: do(name, body, number=1, table=1) for name, body in steps.items()}
    for name in ("giveTeamLineup", "requestPostponement", "declinePostponement", "postponeMatch", "reinstateMatch"):
        evening.answers[name], evening.sent_bodies[name] = answers[name], steps[name]
