"""One evening of a club in which a program does everything that there is to do, each thing once at least."""

import re
from dataclasses import dataclass, field
from typing import Any

from api.operations import OPERATIONS
from clubs.audit.log import NOBODY
from federations.models import ClubFeed, Federation
from federations.services.feed_refresh import add_up
from federations.services.publishing import write_feed
from tests.api.program import Program, a_secret
from tests.builders import a_club, an_account, standings_after
from tests.support.feeds import FIRST, a_feed, a_kept_feed
from tournaments.entries.services.sign_up import sign_up
from tournaments.models import Adjustment, Event
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import refresh_seasons

BY_NAME = {one.name: one for one in OPERATIONS}
NAMES = (
    *("Agathe Albert", "Bruno Caron", "Cécile Dumont", "Donat Émond"),
    *("Édith Fortin", "Fernand Gagnon", "Ghislaine Hudon", "Hervé Isabelle"),
)
LATE = (["Zita Un", "Zita Deux"], ["Zoé Un", "Zoé Deux"])
HAND = {"side": "A", "contract": "6", "tricks": 7}
WON = {"side": "A", "contract": "charlemagne", "tricks": 8}
TUESDAY, THURSDAY = "2026-11-17", "2026-11-19"
YEAR = {"starts": "2026-09-01", "ends": "2027-06-30"}


@dataclass(kw_only=True)
class Evening:
    """By the name of the operation what was ``sent`` first and ``answered`` last; ``words`` are those of
    addresses."""

    program: Program
    words: dict[str, Any]
    sent: dict[str, Any] = field(default_factory=dict)
    answered: dict[str, Any] = field(default_factory=dict)

    def do(self, name: str, /, body: Any = None, **words: Any) -> Any:
        """Return what it answered. It was done, or the evening is over."""
        operation = BY_NAME[name]
        known = {**self.words, **words}
        path = re.sub(r"<\w+:(\w+)>", lambda part: str(known[part[1]]), operation.path)
        if operation.method == "get":
            answer = self.program.get(path)
        else:
            answer = self.program.do(operation.method, path, body)
        self.sent.setdefault(name, body)
        self.answered[name] = answer
        return answer


def an_evening() -> Evening:
    """Every operation, in an order in which a club could have done it."""
    owner = an_account()
    club = a_club(owner=owner)
    told = Evening(program=Program(a_secret(club, owner)), words={"slug": club.slug})
    people = _of_the_club(told)
    _is_prepared(told, people)
    _is_played(told)
    _is_over(told, people)
    return told


def _of_the_club(told: Evening) -> list[int]:
    do = told.do
    for name in ("getMe", "listClubs", "getClub"):
        do(name)
    do("changeClubPage", {"hall": "Salle paroissiale", "about": "On joue tous les mardis."})
    labels = {"labels": ["Aînés"], "contact": "418 555-0101"}
    people: list[int] = [do("addPerson", {"name": name, **labels})["id"] for name in NAMES]
    do("changePerson", {"name": NAMES[0], "family": "Albert"}, person_id=people[0])
    do("getPerson", person_id=people[0])
    do("listPeople")
    night = {"name": "Nos mardis", "pattern": "weekly", "first_on": TUESDAY, "starts_at": "19:00"}
    told.words["night_id"] = do("addRecurringNight", night)["id"]
    do("changeRecurringNight", {**night, "place": "Salle paroissiale"})
    do("cancelDate", {"on": "2026-12-29", "reason": "Temps des fêtes"})
    do("moveDate", {"on": "2026-12-22", "moved_to": "2026-12-21"})
    do("listNights")
    do("getCalendar")
    do("restoreDate", {"on": "2026-12-29"})
    told.words["period_id"] = do("askDues", {"name": "2026-2027", "amount": 1500, **YEAR})["id"]
    do("changeDues", {"name": "2026-2027", "amount": 2000, **YEAR})
    do("payDues", person_id=people[0])
    do("listDues")
    season = {"name": "2026-2027", **YEAR, "ladders": [{"name": "Général"}]}
    told.words["season_id"] = do("openSeason", season)["id"]
    do("changeSeason", {"ladders": [*do("getSeason")["ladders"], {"name": "Paires", "unit": "pair"}]})
    do("turnRatings", {"is_on": True})
    address = {"address": "https://example.org/hook", "kinds": ["table.result"]}
    told.words["webhook_id"] = do("addWebhook", address)["id"]
    do("changeWebhook", {**address, "is_on": True})
    for name in ("getWebhook", "listWebhooks", "renewWebhookSecret"):
        do(name)
    told.words["delivery_id"] = do("sendWebhookTest")["id"]
    do("redeliver")
    do("listDeliveries")
    do("removeWebhook")
    _is_in_a_federation(told)
    do("removeRecurringNight")
    removed = do("listHistoryOfClub")["results"][0]
    do("undoOfClub", action_id=removed["id"])
    return people


def _is_in_a_federation(told: Evening) -> None:
    do = told.do
    do("switchFeedOn")
    write_feed(ClubFeed.objects.get().club_id)
    do("getFeed")
    rule = {"counts": "rank_points", "rank_points": [10, 6, 3]}
    region = {"name": "Bas-Saint-Laurent", **YEAR, "ladder": rule}
    told.words["federation_id"] = do("openFederation", region)["id"]
    do("changeFederation", {"ladder": {**rule, "best": 20}})
    address = "https://example.org/c/les-as/feed.json"
    told.words["feed_id"] = do("followFeed", {"address": address})["id"]
    federation = Federation.objects.get(pk=told.words["federation_id"])
    a_kept_feed(federation, a_feed("Matane", nights=6))
    add_up(federation.pk)
    for name in ("listFederations", "getFederation", "listFollowedFeeds", "getFederationCalendar"):
        do(name)
    told.words["key"] = do("getFederationLadder")["results"][0]["key"]
    do("getFederationLine")
    told.words["key"] = do("getFederationRatings")["results"][0]["key"]
    do("getFederationRating")
    told.words |= {"year": FIRST.year, "month": FIRST.month}
    do("getFederationMonth")
    for name in ("fetchFeeds", "unfollowFeed", "endFederation", "switchFeedOff"):
        do(name)


def _is_prepared(told: Evening, people: list[int]) -> None:
    do = told.do
    event = {"name": "Soirée du mardi", "held_on": TUESDAY, "ruleset": "canadian", "tables": 2}
    told.words["short"] = do("createEvent", event)["id"]
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
    alone = [_signs_up(told, name) for name in ("Lise Cyr", "Paul Cyr")]
    do("pairEntries", {"numbers": alone})
    told.words |= {"number": 1, "table": 1, "place": 1}
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


def _signs_up(told: Evening, name: str) -> int:
    """The number of somebody who comes without a partner, and says so on the public page."""
    event = Event.objects.get(short=told.words["short"])
    entry = sign_up(event_id=event.pk, players=[name], needs_partner=True, by=NOBODY)
    assert entry is not None
    return entry.number


def _is_played(told: Evening) -> None:
    do = told.do
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
    _is_marked(told)
    do("countUnfinished")
    do("closeRound")
    do("reopenRound")
    do("closeRound")
    do("listRounds")
    _goes_on(told)


def _is_marked(told: Evening) -> None:
    do = told.do
    do("sendMessage", {"text": "Café à 21 h", "minutes": 10})
    do("takeBackMessage")
    do("callTable", {"table": 1})
    do("endCall")
    do("listCards")
    table = do("getTableOfRound")
    told.words["code"] = table["code"]
    first = next(
        one for one in do("listEntries")["results"] if one["number"] == table["sides"][0]["entries"][0]
    )
    told.words["person_id"] = first["players"][0]["id"]
    match = do("getTable")["match"]
    do("nameFirstDealer", {"seat": 1})
    do("passPencil", {"act": "ask", "device": "Tableur"})
    do("markHand", {"match": match, "number": 1, "hand": HAND})
    do("dispute", {"note": "7 ou 8 levées ?"})
    do("withdrawDispute", {})
    do("dispute", {"note": "7 ou 8 levées ?"})
    do("listDisputes")
    do("settleDispute", {"ruling": "Les cartes ont été recomptées."})
    do("markHandAtDesk", {"number": 2, "hand": WON, "reason": "Compté à la table."})
    number = 3
    while not do("getTable")["summary"]["games_won"][0]:
        do("markHand", {"match": match, "number": number, "hand": WON})
        number += 1
    do("agree", {"side": "A", "game": 1})
    do("getTableOfRound")
    do("listHands")
    do("forfeitTable", {"winner": "A", "reason": "La pluie"}, table=2)
    do("letCardsCount", {"may_be_undecided": True}, table=2)
    do("adjustTable", {"games": [2, 0], "points": [24, 12], "reason": "Feuille de papier"}, table=1)
    do("adjustTable", {"games": [2, 0], "points": [24, 12], "reason": "Feuille de papier"}, table=2)


def _goes_on(told: Evening) -> None:
    do = told.do
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
    late = [do("addEntry", {"players": names})["number"] for names in LATE]
    for number in late:
        do("markPresent", {"is_present": True}, number=number)
    do("seatMore", {"one": late[0], "other": late[1]}, number=2)
    tables = do("getRound", number=2)["tables"]
    for table in tables:
        do("forfeitTable", {"winner": "A", "reason": "La pluie"}, number=2, table=table["number"])
    do("closeRound", number=2)


def _is_over(told: Evening, people: list[int]) -> None:
    do = told.do
    do("endEvent")
    do("resumeEvent")
    do("endEvent")
    standings_after(Event.objects.get(short=told.words["short"]))
    do("publishFinal")
    do("unpublishFinal")
    do("publishFinal")
    do("getStandings")
    do("getEvent")
    do("listEvents")
    do("listEventsOfClub")
    do("payFee", person_id=people[0])
    do("getFees")
    do("changeCashRules", {"prize_share": 60, "rounding_step": 100, "starting_cash": 5000})
    do("drawDoorPrize", {"prize": "Un jambon", "seed": 7})
    do("clearDoorPrize")
    ham = {"name": "Un jambon", "amount": 2000, "is_public": True}
    told.words["prize_id"] = do("givePrize", {**ham, "winners": [people[0]]})["id"]
    do("changePrize", ham)
    category = {"name": "Aînés", "among": "label", "group": "Aînés", "places": 2, "amounts": [2000, 1000]}
    told.words["category_id"] = do("addPrizeCategory", category)["id"]
    do("changePrizeCategory", category)
    do("setPrizesAddUp", {"add_up": True})
    do("listPrizes")
    do("takeBackPrize")
    do("removePrizeCategory")
    removed = do("listHistoryOfEvent")["results"][0]
    do("undoOfEvent", {}, action_id=removed["id"])
    club = Event.objects.get(short=told.words["short"]).club_id
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
