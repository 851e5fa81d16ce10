"""Every operation of the API as a method. Made from the schema by `manage.py client`."""

from collections.abc import Iterator
from typing import Unpack

from . import shapes
from .calling import Caller


class Client(Caller):
    """Raises Refused where the server says no, and Unreachable where nobody answers."""

    def list_clubs(self, *, limit: int | None = None) -> Iterator[shapes.ClubOut]:
        """The clubs that play here."""
        return self._pages("listClubs", "/api/v1/clubs", (), {"limit": limit})

    def get_club(self, slug: str, /) -> shapes.ClubOut:
        """A club."""
        answer: shapes.ClubOut = self._call("getClub", "GET", "/api/v1/clubs/{}", (slug,))
        return answer

    def get_calendar(self, slug: str, /) -> shapes.SheetOut:
        """What the club plays next: nights and events."""
        answer: shapes.SheetOut = self._call("getCalendar", "GET", "/api/v1/clubs/{}/calendar", (slug,))
        return answer

    def add_recurring_night(
        self, slug: str, /, *, key: str = "", **body: Unpack[shapes.RecurringNightIn]
    ) -> shapes.Done:
        """Adds a night that comes again; None if it is sent again and was removed meanwhile. Safe to
        repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "addRecurringNight", "POST", "/api/v1/clubs/{}/calendar", (slug,), body=body, key=key
        )
        return answer

    def change_recurring_night(
        self, slug: str, night_id: int, /, *, key: str = "", **body: Unpack[shapes.RecurringNightChange]
    ) -> shapes.Done:
        """Changes the days, hours, place or name of a night that comes again. Dates that were changed stay
        so where the night still falls on them. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "changeRecurringNight",
            "PUT",
            "/api/v1/clubs/{}/calendar/{}",
            (slug, night_id),
            body=body,
            key=key,
        )
        return answer

    def remove_recurring_night(self, slug: str, night_id: int, /, *, key: str = "") -> shapes.Done:
        """Takes a night that comes again off the calendar, with its dates that were changed. Safe to
        repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "removeRecurringNight", "DELETE", "/api/v1/clubs/{}/calendar/{}", (slug, night_id), key=key
        )
        return answer

    def cancel_date(
        self, slug: str, night_id: int, /, *, key: str = "", **body: Unpack[shapes.CancelIn]
    ) -> shapes.Done:
        """The night is not held on that day of its pattern. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "cancelDate", "POST", "/api/v1/clubs/{}/calendar/{}/cancel", (slug, night_id), body=body, key=key
        )
        return answer

    def move_date(
        self, slug: str, night_id: int, /, *, key: str = "", **body: Unpack[shapes.MoveIn]
    ) -> shapes.Done:
        """The night of that day is held on another one. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "moveDate", "POST", "/api/v1/clubs/{}/calendar/{}/move", (slug, night_id), body=body, key=key
        )
        return answer

    def restore_date(
        self, slug: str, night_id: int, /, *, key: str = "", **body: Unpack[shapes.RestoreIn]
    ) -> shapes.Done:
        """The night is held on that day, as planned. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "restoreDate",
            "POST",
            "/api/v1/clubs/{}/calendar/{}/restore",
            (slug, night_id),
            body=body,
            key=key,
        )
        return answer

    def list_dues(self, slug: str, /) -> shapes.AllDues:
        """What members pay, the last year first. Needs a key with the scope `direct`."""
        answer: shapes.AllDues = self._call("listDues", "GET", "/api/v1/clubs/{}/dues", (slug,))
        return answer

    def ask_dues(self, slug: str, /, *, key: str = "", **body: Unpack[shapes.DuesIn]) -> shapes.Done:
        """Opens a period for which members pay. Safe to repeat with the same key: it gives the period of
        then, None if it is gone. Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "askDues", "POST", "/api/v1/clubs/{}/dues", (slug,), body=body, key=key
        )
        return answer

    def change_dues(
        self, slug: str, period_id: int, /, *, key: str = "", **body: Unpack[shapes.DuesChange]
    ) -> shapes.Done:
        """Changes the name, amount or time of what members pay; what was paid stays paid. Safe to repeat.
        Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "changeDues", "PUT", "/api/v1/clubs/{}/dues/{}", (slug, period_id), body=body, key=key
        )
        return answer

    def pay_dues(self, slug: str, period_id: int, person_id: int, /, *, key: str = "") -> shapes.Done:
        """Somebody has paid all that is asked of them for the period. Safe to repeat. Needs a key with the
        scope `direct`."""
        answer: shapes.Done = self._call(
            "payDues", "POST", "/api/v1/clubs/{}/dues/{}/people/{}/pay", (slug, period_id, person_id), key=key
        )
        return answer

    def list_events_of_club(
        self,
        slug: str,
        /,
        *,
        limit: int | None = None,
        since: str | None = None,
        state: str | None = None,
        until: str | None = None,
    ) -> Iterator[shapes.EventOut]:
        """The nights and tournaments of a club, the last one first."""
        return self._pages(
            "listEventsOfClub",
            "/api/v1/clubs/{}/events",
            (slug,),
            {"limit": limit, "since": since, "state": state, "until": until},
        )

    def create_event(
        self, slug: str, /, *, key: str = "", **body: Unpack[shapes.EventIn]
    ) -> shapes.EventWhole:
        """Creates an event, in preparation. Its rules, length and stages are said whole. Needs a key with
        the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "createEvent", "POST", "/api/v1/clubs/{}/events", (slug,), body=body, key=key
        )
        return answer

    def list_federations(self, slug: str, /) -> shapes.Federations:
        """The federations that the club keeps."""
        answer: shapes.Federations = self._call(
            "listFederations", "GET", "/api/v1/clubs/{}/federations", (slug,)
        )
        return answer

    def open_federation(
        self, slug: str, /, *, key: str = "", **body: Unpack[shapes.FederationIn]
    ) -> shapes.FederationOut:
        """Opens a federation that the club keeps, and that follows nobody yet. Safe to repeat with the same
        key. Needs a key with the scope `manage`."""
        answer: shapes.FederationOut = self._call(
            "openFederation", "POST", "/api/v1/clubs/{}/federations", (slug,), body=body, key=key
        )
        return answer

    def get_federation(self, slug: str, federation_id: int, /) -> shapes.FederationOut:
        """A federation, with its rule of points."""
        answer: shapes.FederationOut = self._call(
            "getFederation", "GET", "/api/v1/clubs/{}/federations/{}", (slug, federation_id)
        )
        return answer

    def change_federation(
        self, slug: str, federation_id: int, /, *, key: str = "", **body: Unpack[shapes.FederationChange]
    ) -> shapes.FederationOut:
        """Changes the name, the days or the rule of points of a federation. Safe to repeat. Needs a key
        with the scope `manage`."""
        answer: shapes.FederationOut = self._call(
            "changeFederation",
            "PUT",
            "/api/v1/clubs/{}/federations/{}",
            (slug, federation_id),
            body=body,
            key=key,
        )
        return answer

    def end_federation(self, slug: str, federation_id: int, /, *, key: str = "") -> shapes.Done:
        """Its pages are gone, and all that came from feeds with them. Safe to repeat with the same key.
        Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "endFederation", "DELETE", "/api/v1/clubs/{}/federations/{}", (slug, federation_id), key=key
        )
        return answer

    def get_federation_calendar(self, slug: str, federation_id: int, /) -> shapes.FederationDates:
        """What is ahead in all clubs of a federation."""
        answer: shapes.FederationDates = self._call(
            "getFederationCalendar", "GET", "/api/v1/clubs/{}/federations/{}/calendar", (slug, federation_id)
        )
        return answer

    def list_followed_feeds(self, slug: str, federation_id: int, /) -> shapes.FollowedFeeds:
        """The clubs that a federation follows."""
        answer: shapes.FollowedFeeds = self._call(
            "listFollowedFeeds", "GET", "/api/v1/clubs/{}/federations/{}/feeds", (slug, federation_id)
        )
        return answer

    def follow_feed(
        self, slug: str, federation_id: int, /, *, key: str = "", **body: Unpack[shapes.FollowIn]
    ) -> shapes.Done:
        """The feed at that address is followed; the key of the first one that comes is the one that has to
        sign. Safe to repeat. Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "followFeed",
            "POST",
            "/api/v1/clubs/{}/federations/{}/feeds",
            (slug, federation_id),
            body=body,
            key=key,
        )
        return answer

    def unfollow_feed(self, slug: str, federation_id: int, feed_id: int, /, *, key: str = "") -> shapes.Done:
        """A feed is followed no more: what came from there counts no more. Safe to repeat with the same
        key. Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "unfollowFeed",
            "DELETE",
            "/api/v1/clubs/{}/federations/{}/feeds/{}",
            (slug, federation_id, feed_id),
            key=key,
        )
        return answer

    def fetch_feeds(self, slug: str, federation_id: int, /, *, key: str = "") -> shapes.FederationOut:
        """All its feeds are asked for at once. Needs a key with the scope `manage`."""
        answer: shapes.FederationOut = self._call(
            "fetchFeeds", "POST", "/api/v1/clubs/{}/federations/{}/fetch", (slug, federation_id), key=key
        )
        return answer

    def get_federation_ladder(self, slug: str, federation_id: int, /) -> shapes.FederationLadder:
        """The points over all clubs of a federation."""
        answer: shapes.FederationLadder = self._call(
            "getFederationLadder", "GET", "/api/v1/clubs/{}/federations/{}/ladder", (slug, federation_id)
        )
        return answer

    def get_federation_line(self, slug: str, federation_id: int, key: str, /) -> shapes.FederationLineWhole:
        """The nights behind a line of points."""
        answer: shapes.FederationLineWhole = self._call(
            "getFederationLine",
            "GET",
            "/api/v1/clubs/{}/federations/{}/ladder/{}",
            (slug, federation_id, key),
        )
        return answer

    def get_federation_month(
        self, slug: str, federation_id: int, year: int, month: int, /
    ) -> shapes.SheetOut:
        """What the nights of a month brought to everybody."""
        answer: shapes.SheetOut = self._call(
            "getFederationMonth",
            "GET",
            "/api/v1/clubs/{}/federations/{}/months/{}/{}",
            (slug, federation_id, year, month),
        )
        return answer

    def get_federation_ratings(self, slug: str, federation_id: int, /) -> shapes.FederationRatings:
        """The ratings over all clubs of a federation."""
        answer: shapes.FederationRatings = self._call(
            "getFederationRatings", "GET", "/api/v1/clubs/{}/federations/{}/ratings", (slug, federation_id)
        )
        return answer

    def get_federation_rating(
        self, slug: str, federation_id: int, key: str, /
    ) -> shapes.FederationRatingWhole:
        """How a rating came about, night by night."""
        answer: shapes.FederationRatingWhole = self._call(
            "getFederationRating",
            "GET",
            "/api/v1/clubs/{}/federations/{}/ratings/{}",
            (slug, federation_id, key),
        )
        return answer

    def get_feed(self, slug: str, /) -> shapes.FeedOut:
        """Whether the club publishes itself for federations, and where."""
        answer: shapes.FeedOut = self._call("getFeed", "GET", "/api/v1/clubs/{}/feed", (slug,))
        return answer

    def switch_feed_on(self, slug: str, /, *, key: str = "") -> shapes.FeedOut:
        """What everybody may see of the club is published as a signed feed, too. Safe to repeat. Needs a
        key with the scope `manage`."""
        answer: shapes.FeedOut = self._call("switchFeedOn", "PUT", "/api/v1/clubs/{}/feed", (slug,), key=key)
        return answer

    def switch_feed_off(self, slug: str, /, *, key: str = "") -> shapes.FeedOut:
        """Switches the feed off. One that is switched on later is another one: what people and events were
        called in it is forgotten, and who is somebody elsewhere, too. Safe to repeat. Needs a key with the
        scope `manage`."""
        answer: shapes.FeedOut = self._call(
            "switchFeedOff", "DELETE", "/api/v1/clubs/{}/feed", (slug,), key=key
        )
        return answer

    def list_history_of_club(self, slug: str, /, *, limit: int | None = None) -> Iterator[shapes.ActionOut]:
        """What was done to the club, the last first. Needs a key with the scope `direct`."""
        return self._pages("listHistoryOfClub", "/api/v1/clubs/{}/history", (slug,), {"limit": limit})

    def undo_of_club(self, slug: str, action_id: int, /, *, key: str = "") -> shapes.Done:
        """Takes one line of the club's history back; of a long line, gives the job that does it. Needs a
        key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "undoOfClub", "POST", "/api/v1/clubs/{}/history/{}/undo", (slug, action_id), key=key
        )
        return answer

    def list_nights(self, slug: str, /) -> shapes.Nights:
        """The nights that come again."""
        answer: shapes.Nights = self._call("listNights", "GET", "/api/v1/clubs/{}/nights", (slug,))
        return answer

    def change_club_page(
        self, slug: str, /, *, key: str = "", **body: Unpack[shapes.ClubPageIn]
    ) -> shapes.Done:
        """What the club's public page says: its hall, a text, who to write to, its officers. Safe to
        repeat. Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "changeClubPage", "PUT", "/api/v1/clubs/{}/page", (slug,), body=body, key=key
        )
        return answer

    def list_people(
        self, slug: str, /, *, limit: int | None = None, search: str | None = None
    ) -> Iterator[shapes.PersonOut]:
        """The club's people. Needs a key with the scope `direct`."""
        return self._pages(
            "listPeople", "/api/v1/clubs/{}/people", (slug,), {"limit": limit, "search": search}
        )

    def add_person(self, slug: str, /, *, key: str = "", **body: Unpack[shapes.PersonIn]) -> shapes.PersonOut:
        """Adds somebody to the club. `is_namesake`: another person than whoever has that name already. Safe
        to repeat with the same key. Needs a key with the scope `direct`."""
        answer: shapes.PersonOut = self._call(
            "addPerson", "POST", "/api/v1/clubs/{}/people", (slug,), body=body, key=key
        )
        return answer

    def get_person(self, slug: str, person_id: int, /) -> shapes.PersonOut:
        """Somebody whom the club knows. Needs a key with the scope `direct`."""
        answer: shapes.PersonOut = self._call(
            "getPerson", "GET", "/api/v1/clubs/{}/people/{}", (slug, person_id)
        )
        return answer

    def change_person(
        self, slug: str, person_id: int, /, *, key: str = "", **body: Unpack[shapes.PersonChange]
    ) -> shapes.PersonOut:
        """Changes the details of somebody; a family that nobody is left in goes. Safe to repeat. Needs a
        key with the scope `direct`."""
        answer: shapes.PersonOut = self._call(
            "changePerson", "PUT", "/api/v1/clubs/{}/people/{}", (slug, person_id), body=body, key=key
        )
        return answer

    def get_record_of_person(
        self, slug: str, person_id: int, /, *, part: str | None = None
    ) -> shapes.SheetOut:
        """What somebody has played, by their public name."""
        answer: shapes.SheetOut = self._call(
            "getRecordOfPerson",
            "GET",
            "/api/v1/clubs/{}/people/{}/record",
            (slug, person_id),
            query={"part": part},
        )
        return answer

    def get_ratings(self, slug: str, /) -> shapes.SheetOut:
        """The ratings of the club's players, the strongest first."""
        answer: shapes.SheetOut = self._call("getRatings", "GET", "/api/v1/clubs/{}/ratings", (slug,))
        return answer

    def turn_ratings(self, slug: str, /, *, key: str = "", **body: Unpack[shapes.RatingsIn]) -> shapes.Done:
        """Switches the ratings of the club's people on or off. Safe to repeat. Needs a key with the scope
        `manage`."""
        answer: shapes.Done = self._call(
            "turnRatings", "PUT", "/api/v1/clubs/{}/ratings", (slug,), body=body, key=key
        )
        return answer

    def get_records(self, slug: str, /) -> shapes.SheetOut:
        """The records of the club."""
        answer: shapes.SheetOut = self._call("getRecords", "GET", "/api/v1/clubs/{}/records", (slug,))
        return answer

    def list_seasons(self, slug: str, /) -> shapes.SheetOut:
        """The seasons of the club."""
        answer: shapes.SheetOut = self._call("listSeasons", "GET", "/api/v1/clubs/{}/seasons", (slug,))
        return answer

    def open_season(self, slug: str, /, *, key: str = "", **body: Unpack[shapes.SeasonIn]) -> shapes.Done:
        """Opens a season; the nights that were held in it already count. One that `is_shared` is a series
        of several clubs, and has no nights yet. Safe to repeat by the client's id. Needs a key with the
        scope `manage`."""
        answer: shapes.Done = self._call(
            "openSeason", "POST", "/api/v1/clubs/{}/seasons", (slug,), body=body, key=key
        )
        return answer

    def get_ladder(self, slug: str, season_id: int, /, *, ladder: str | None = None) -> shapes.SheetOut:
        """One ladder of a season."""
        answer: shapes.SheetOut = self._call(
            "getLadder", "GET", "/api/v1/clubs/{}/seasons/{}", (slug, season_id), query={"ladder": ladder}
        )
        return answer

    def change_season(
        self, slug: str, season_id: int, /, *, key: str = "", **body: Unpack[shapes.SeasonChange]
    ) -> shapes.Done:
        """Changes the days, the name or the ladders of a season. Safe to repeat. Needs a key with the scope
        `manage`."""
        answer: shapes.Done = self._call(
            "changeSeason", "PUT", "/api/v1/clubs/{}/seasons/{}", (slug, season_id), body=body, key=key
        )
        return answer

    def close_season(self, slug: str, season_id: int, /, *, key: str = "") -> shapes.Done:
        """Closes a season: its standings stay as they are now, whatever changes after. Safe to repeat.
        Needs a key with the scope `manage`."""
        answer: shapes.Done = self._call(
            "closeSeason", "POST", "/api/v1/clubs/{}/seasons/{}/close", (slug, season_id), key=key
        )
        return answer

    def count_nights(
        self, slug: str, season_id: int, /, *, key: str = "", **body: Unpack[shapes.NightsIn]
    ) -> shapes.Done:
        """The events of these ids do not count, all others of the season do. Safe to repeat. Needs a key
        with the scope `manage`."""
        answer: shapes.Done = self._call(
            "countNights", "POST", "/api/v1/clubs/{}/seasons/{}/nights", (slug, season_id), body=body, key=key
        )
        return answer

    def reopen_season(self, slug: str, season_id: int, /, *, key: str = "") -> shapes.Done:
        """A season that was closed counts its nights again. Safe to repeat. Needs a key with the scope
        `manage`."""
        answer: shapes.Done = self._call(
            "reopenSeason", "POST", "/api/v1/clubs/{}/seasons/{}/reopen", (slug, season_id), key=key
        )
        return answer

    def get_season(self, slug: str, season_id: int, /) -> shapes.SeasonOut:
        """What a season adds up, as a change of it says it. Needs a key with the scope `manage`."""
        answer: shapes.SeasonOut = self._call(
            "getSeason", "GET", "/api/v1/clubs/{}/seasons/{}/settings", (slug, season_id)
        )
        return answer

    def list_webhooks(self, slug: str, /) -> shapes.Webhooks:
        """The addresses that are told what happens, those of the club. Needs a key with the scope
        `manage`."""
        answer: shapes.Webhooks = self._call("listWebhooks", "GET", "/api/v1/clubs/{}/webhooks", (slug,))
        return answer

    def add_webhook(
        self, slug: str, /, *, key: str = "", **body: Unpack[shapes.WebhookIn]
    ) -> shapes.WebhookMade:
        """Adds an address that is told of these kinds of news from now on. Safe to repeat with the same
        key. Needs a key with the scope `manage`."""
        answer: shapes.WebhookMade = self._call(
            "addWebhook", "POST", "/api/v1/clubs/{}/webhooks", (slug,), body=body, key=key
        )
        return answer

    def get_webhook(self, slug: str, webhook_id: int, /) -> shapes.WebhookOut:
        """An address that is told what happens. Needs a key with the scope `manage`."""
        answer: shapes.WebhookOut = self._call(
            "getWebhook", "GET", "/api/v1/clubs/{}/webhooks/{}", (slug, webhook_id)
        )
        return answer

    def change_webhook(
        self, slug: str, webhook_id: int, /, *, key: str = "", **body: Unpack[shapes.WebhookChange]
    ) -> shapes.WebhookOut:
        """Changes the address or the kinds of news, or switches them off; what waits for one that is
        switched off is not sent. Safe to repeat with the same key. Needs a key with the scope `manage`."""
        answer: shapes.WebhookOut = self._call(
            "changeWebhook", "PUT", "/api/v1/clubs/{}/webhooks/{}", (slug, webhook_id), body=body, key=key
        )
        return answer

    def remove_webhook(self, slug: str, webhook_id: int, /, *, key: str = "") -> shapes.Done:
        """It is told nothing more, and its log goes with it. Safe to repeat with the same key. Needs a key
        with the scope `manage`."""
        answer: shapes.Done = self._call(
            "removeWebhook", "DELETE", "/api/v1/clubs/{}/webhooks/{}", (slug, webhook_id), key=key
        )
        return answer

    def list_deliveries(self, slug: str, webhook_id: int, /) -> shapes.Deliveries:
        """What an address was sent, and what it answered. Needs a key with the scope `manage`."""
        answer: shapes.Deliveries = self._call(
            "listDeliveries", "GET", "/api/v1/clubs/{}/webhooks/{}/deliveries", (slug, webhook_id)
        )
        return answer

    def redeliver(
        self, slug: str, webhook_id: int, delivery_id: int, /, *, key: str = ""
    ) -> shapes.DeliveryOut:
        """Sends a message of the log again, under the same id, with what is public now. Safe to repeat.
        Needs a key with the scope `manage`."""
        answer: shapes.DeliveryOut = self._call(
            "redeliver",
            "POST",
            "/api/v1/clubs/{}/webhooks/{}/deliveries/{}/redeliver",
            (slug, webhook_id, delivery_id),
            key=key,
        )
        return answer

    def renew_webhook_secret(self, slug: str, webhook_id: int, /, *, key: str = "") -> shapes.WebhookMade:
        """Makes another secret. For a day, messages are signed with the one before, too. Safe to repeat
        with the same key. Needs a key with the scope `manage`."""
        answer: shapes.WebhookMade = self._call(
            "renewWebhookSecret", "POST", "/api/v1/clubs/{}/webhooks/{}/secret", (slug, webhook_id), key=key
        )
        return answer

    def send_webhook_test(self, slug: str, webhook_id: int, /, *, key: str = "") -> shapes.DeliveryOut:
        """Sends a message that tells nothing, to see whether it arrives; now, and tests before it that did
        not arrive, too. Safe to repeat with the same key. Needs a key with the scope `manage`."""
        answer: shapes.DeliveryOut = self._call(
            "sendWebhookTest", "POST", "/api/v1/clubs/{}/webhooks/{}/test", (slug, webhook_id), key=key
        )
        return answer

    def list_events(
        self,
        *,
        limit: int | None = None,
        since: str | None = None,
        state: str | None = None,
        until: str | None = None,
    ) -> Iterator[shapes.EventOut]:
        """What is played in all clubs, the last one first."""
        return self._pages(
            "listEvents",
            "/api/v1/events",
            (),
            {"limit": limit, "since": since, "state": state, "until": until},
        )

    def get_event(self, short: str, /) -> shapes.EventWhole:
        """A club night or a tournament, with its rules."""
        answer: shapes.EventWhole = self._call("getEvent", "GET", "/api/v1/events/{}", (short,))
        return answer

    def play_again(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.AgainIn]
    ) -> shapes.EventWhole:
        """Creates an event, in preparation, that is played as this one. Needs a key with the scope
        `direct`."""
        answer: shapes.EventWhole = self._call(
            "playAgain", "POST", "/api/v1/events/{}/again", (short,), body=body, key=key
        )
        return answer

    def announce_event(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.AnnouncementIn]
    ) -> shapes.EventWhole:
        """Says a text to everybody who may see the event; that it is called off stays said. Safe to repeat.
        Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "announceEvent", "PUT", "/api/v1/events/{}/announcement", (short,), body=body, key=key
        )
        return answer

    def keep_apart(self, short: str, /, *, key: str = "", **body: Unpack[shapes.ApartIn]) -> shapes.Done:
        """Of the entries on each line of a list no two meet any more: never, or only where it cannot be
        helped; in the first `rounds`, None: in all. Who is kept apart already is so as said now. All lines
        or, if one is bad, none. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "keepApart", "POST", "/api/v1/events/{}/apart", (short,), body=body, key=key
        )
        return answer

    def list_boards(self, short: str, /) -> shapes.Boards:
        """The screens of the hall. Needs a key with the scope `direct`."""
        answer: shapes.Boards = self._call("listBoards", "GET", "/api/v1/events/{}/boards", (short,))
        return answer

    def add_board(self, short: str, /, *, key: str = "", **body: Unpack[shapes.BoardIn]) -> shapes.BoardOut:
        """Adds a board, which turns. Safe to repeat with the same key: it gives the board that was added
        then, None if it is gone. Needs a key with the scope `direct`."""
        answer: shapes.BoardOut = self._call(
            "addBoard", "POST", "/api/v1/events/{}/boards", (short,), body=body, key=key
        )
        return answer

    def change_board(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.BoardChange]
    ) -> shapes.BoardOut:
        """Changes the name, room or look of a board. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.BoardOut = self._call(
            "changeBoard", "PUT", "/api/v1/events/{}/boards/{}", (short, number), body=body, key=key
        )
        return answer

    def remove_board(self, short: str, number: int, /, *, key: str = "") -> shapes.Done:
        """Removes a board: its address leads nowhere any more. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "removeBoard", "DELETE", "/api/v1/events/{}/boards/{}", (short, number), key=key
        )
        return answer

    def show_on_board(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.ShowIn]
    ) -> shapes.BoardOut:
        """The board shows something else. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.BoardOut = self._call(
            "showOnBoard", "POST", "/api/v1/events/{}/boards/{}/show", (short, number), body=body, key=key
        )
        return answer

    def call_off_event(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.CallOffIn]
    ) -> shapes.EventWhole:
        """Says to everybody that the event is not held, and why, such as a storm. Nobody can sign up for it
        then, and it cannot be started. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "callOffEvent", "POST", "/api/v1/events/{}/call-off", (short,), body=body, key=key
        )
        return answer

    def call_table(self, short: str, /, *, key: str = "", **body: Unpack[shapes.CallIn]) -> shapes.Done:
        """The table is to come to the desk: its phones and the walls say so, until somebody came, or the
        next round is published. Safe to repeat. Needs a key with the scope `score`."""
        answer: shapes.Done = self._call(
            "callTable", "POST", "/api/v1/events/{}/calls", (short,), body=body, key=key
        )
        return answer

    def end_call(self, short: str, table: int, /, *, key: str = "") -> shapes.Done:
        """Somebody of the table that was called came: its phones and the walls no longer say so. Safe to
        repeat. Needs a key with the scope `score`."""
        answer: shapes.Done = self._call(
            "endCall", "DELETE", "/api/v1/events/{}/calls/{}", (short, table), key=key
        )
        return answer

    def list_cards(self, short: str, /) -> shapes.Cards:
        """The codes of the tables. Needs a key with the scope `score`."""
        answer: shapes.Cards = self._call("listCards", "GET", "/api/v1/events/{}/cards", (short,))
        return answer

    def list_disputes(self, short: str, /) -> shapes.Disputes:
        """The tables that call the desk and wait for an answer. Needs a key with the scope `read`."""
        answer: shapes.Disputes = self._call("listDisputes", "GET", "/api/v1/events/{}/disputes", (short,))
        return answer

    def draw_door_prize(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.DoorPrizeIn]
    ) -> shapes.Done:
        """Whose name comes out of the hat: of those present, each with the same chance, and nobody twice in
        one evening. The same lot draws the same name. Safe to repeat with the same key. Needs a key with
        the scope `direct`."""
        answer: shapes.Done = self._call(
            "drawDoorPrize", "POST", "/api/v1/events/{}/door-prize", (short,), body=body, key=key
        )
        return answer

    def clear_door_prize(self, short: str, /, *, key: str = "") -> shapes.Done:
        """Nothing is announced any more; whose name was drawn stays in the history. Safe to repeat. Needs a
        key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "clearDoorPrize", "DELETE", "/api/v1/events/{}/door-prize", (short,), key=key
        )
        return answer

    def end_event(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """The evening is over: the codes of its tables open nothing any more. A draft waits, in case it
        goes on. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call("endEvent", "POST", "/api/v1/events/{}/end", (short,), key=key)
        return answer

    def list_entries(self, short: str, /) -> shapes.Entries:
        """Who takes part."""
        answer: shapes.Entries = self._call("listEntries", "GET", "/api/v1/events/{}/entries", (short,))
        return answer

    def add_entry(self, short: str, /, *, key: str = "", **body: Unpack[shapes.EntryIn]) -> shapes.EntryOut:
        """One entry by the names of its players; who comes after the start plays from the next round. Safe
        to repeat with the same key. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "addEntry", "POST", "/api/v1/events/{}/entries", (short,), body=body, key=key
        )
        return answer

    def describe_entry(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.EntryNotesIn]
    ) -> shapes.EntryOut:
        """What is noted of an entry: section, team, labels, rating, table; what is not said goes. Safe to
        repeat. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "describeEntry", "PUT", "/api/v1/events/{}/entries/{}", (short, number), body=body, key=key
        )
        return answer

    def remove_entry(self, short: str, number: int, /, *, key: str = "") -> shapes.Done:
        """Takes an entry off the list; the others keep their numbers. Who waits first gets the free place.
        Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "removeEntry", "DELETE", "/api/v1/events/{}/entries/{}", (short, number), key=key
        )
        return answer

    def adjust_entry(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.AdjustmentIn]
    ) -> shapes.EntryOut:
        """Gives a bonus, or below 0 a penalty, for a reason that is kept. Safe to repeat with the same key.
        Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "adjustEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/adjustments",
            (short, number),
            body=body,
            key=key,
        )
        return answer

    def remove_adjustment(
        self, short: str, number: int, adjustment_id: int, /, *, key: str = ""
    ) -> shapes.Done:
        """The entry has no such bonus or penalty any more. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "removeAdjustment",
            "DELETE",
            "/api/v1/events/{}/entries/{}/adjustments/{}",
            (short, number, adjustment_id),
            key=key,
        )
        return answer

    def admit_entry(self, short: str, number: int, /, *, key: str = "") -> shapes.EntryOut:
        """Somebody from the waiting list takes part after all, whatever the limit; once the evening is
        under way, from the next round. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "admitEntry", "POST", "/api/v1/events/{}/entries/{}/admit", (short, number), key=key
        )
        return answer

    def change_attendance(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.AttendanceIn]
    ) -> shapes.EntryOut:
        """Whether an entry plays a round that is not published yet: `plays`, is `absent`, or sits out by
        own wish, which is a `bye`. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "changeAttendance",
            "POST",
            "/api/v1/events/{}/entries/{}/attendance",
            (short, number),
            body=body,
            key=key,
        )
        return answer

    def leave_out_entry(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.LeaveOutIn]
    ) -> shapes.EntryOut:
        """An entry is in no draw until it comes: it `is_coming`, but late, or does not come at all. Only
        before the first round, since who has played is absent, or withdraws. Safe to repeat. Needs a key
        with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "leaveOutEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/leave-out",
            (short, number),
            body=body,
            key=key,
        )
        return answer

    def move_entry(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.MoveEntryIn]
    ) -> shapes.EventWhole:
        """By hand: changes places with the entry above, or below. Safe to repeat with the same key. Needs a
        key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "moveEntry", "POST", "/api/v1/events/{}/entries/{}/move", (short, number), body=body, key=key
        )
        return answer

    def substitute_player(
        self, short: str, number: int, place: int, /, *, key: str = "", **body: Unpack[shapes.SubstituteIn]
    ) -> shapes.EntryOut:
        """From now on another person plays in the place, 1 or 2, of one partner. Who sat at a table before
        is kept there. Who is meant by the name is said by `identities`; whom the club does not know is a
        guest of an event that runs, as at the door. Safe to repeat with the same key. Needs a key with the
        scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "substitutePlayer",
            "PUT",
            "/api/v1/events/{}/entries/{}/players/{}",
            (short, number, place),
            body=body,
            key=key,
        )
        return answer

    def correct_player_name(
        self, short: str, number: int, place: int, /, *, key: str = "", **body: Unpack[shapes.PlayerNameIn]
    ) -> shapes.EntryOut:
        """The player in the place, 1 or 2, is the same, under a name that is spelled right: here, and
        wherever the club has it. It stands in the history of the club. Safe to repeat with the same key.
        Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "correctPlayerName",
            "PUT",
            "/api/v1/events/{}/entries/{}/players/{}/name",
            (short, number, place),
            body=body,
            key=key,
        )
        return answer

    def mark_present(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.PresenceIn]
    ) -> shapes.EntryOut:
        """Notes that an entry is there, or is not yet. Who was left out until then plays from the next
        round. Safe to repeat. Needs a key with the scope `score`."""
        answer: shapes.EntryOut = self._call(
            "markPresent",
            "POST",
            "/api/v1/events/{}/entries/{}/presence",
            (short, number),
            body=body,
            key=key,
        )
        return answer

    def return_entry(self, short: str, number: int, /, *, key: str = "") -> shapes.EntryOut:
        """Who had withdrawn plays again, from the next round; the rounds between count as withdrawn. Safe
        to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "returnEntry", "POST", "/api/v1/events/{}/entries/{}/return", (short, number), key=key
        )
        return answer

    def withdraw_entry(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.WithdrawIn]
    ) -> shapes.EntryOut:
        """An entry is not drawn any more after that round, or after the last one published; it
        `forfeits_table` where it is playing. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "withdrawEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/withdraw",
            (short, number),
            body=body,
            key=key,
        )
        return answer

    def enter_people(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.PeopleIn]
    ) -> shapes.EntryOut:
        """People of the club who have just come, by their ids, as one entry that is present; `guest` is the
        name of a partner whom the club need not know. After the start they play from the next round. Safe
        to repeat with the same key. Needs a key with the scope `score`."""
        answer: shapes.EntryOut = self._call(
            "enterPeople", "POST", "/api/v1/events/{}/entries/people", (short,), body=body, key=key
        )
        return answer

    def get_fees(self, short: str, /) -> shapes.SheetOut:
        """What each pays, and has paid. Needs a key with the scope `read`."""
        answer: shapes.SheetOut = self._call("getFees", "GET", "/api/v1/events/{}/fees", (short,))
        return answer

    def change_rates(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.RatesIn]
    ) -> shapes.EventWhole:
        """Changes the fee for members or for guests; what was paid stays paid. Safe to repeat. Needs a key
        with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeRates", "POST", "/api/v1/events/{}/fees", (short,), body=body, key=key
        )
        return answer

    def pay_fee(self, short: str, person_id: int, /, *, key: str = "") -> shapes.Done:
        """Somebody has paid all that is asked of them; None if they owe nothing. Safe to repeat. Needs a
        key with the scope `score`."""
        answer: shapes.Done = self._call(
            "payFee", "POST", "/api/v1/events/{}/fees/{}/pay", (short, person_id), key=key
        )
        return answer

    def plan_hall(self, short: str, /, *, key: str = "", **body: Unpack[shapes.HallIn]) -> shapes.EventWhole:
        """How the tables stand: so many in each row, 0 where nobody is told; counted back in every other
        row where it `snakes`. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "planHall", "POST", "/api/v1/events/{}/hall", (short,), body=body, key=key
        )
        return answer

    def list_hands(self, short: str, /) -> shapes.SheetOut:
        """The hands of the event."""
        answer: shapes.SheetOut = self._call("listHands", "GET", "/api/v1/events/{}/hands", (short,))
        return answer

    def list_history_of_event(self, short: str, /, *, limit: int | None = None) -> Iterator[shapes.ActionOut]:
        """What was done to the event, the last first. Needs a key with the scope `direct`."""
        return self._pages("listHistoryOfEvent", "/api/v1/events/{}/history", (short,), {"limit": limit})

    def undo_of_event(
        self, short: str, action_id: int, /, *, key: str = "", **body: Unpack[shapes.UndoIn]
    ) -> shapes.Done:
        """Takes one line of the history back; undoing that line does it again. Where a table of a closed
        round then has no result, it is done only if it `may_be_undecided`. Safe to repeat. Needs a key with
        the scope `direct`."""
        answer: shapes.Done = self._call(
            "undoOfEvent", "POST", "/api/v1/events/{}/history/{}/undo", (short, action_id), body=body, key=key
        )
        return answer

    def label_entries(self, short: str, /, *, key: str = "", **body: Unpack[shapes.LabelIn]) -> shapes.Done:
        """These entries have the label, and no others. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "labelEntries", "PUT", "/api/v1/events/{}/labels", (short,), body=body, key=key
        )
        return answer

    def leave_out_absent(self, short: str, /, *, key: str = "") -> shapes.Done:
        """Rounds are drawn of those who are present; gives the numbers of the others. Safe to repeat. Needs
        a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "leaveOutAbsent", "POST", "/api/v1/events/{}/leave-out-absent", (short,), key=key
        )
        return answer

    def change_match_length(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.MatchLengthIn]
    ) -> shapes.EventWhole:
        """Changes how long a match is, as long as no table has one. Safe to repeat. Needs a key with the
        scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeMatchLength", "POST", "/api/v1/events/{}/match-length", (short,), body=body, key=key
        )
        return answer

    def send_message(self, short: str, /, *, key: str = "", **body: Unpack[shapes.MessageIn]) -> shapes.Done:
        """Sends a message to a table, or to everybody, for so many minutes, or else until the next round is
        published. Safe to repeat with the same key. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "sendMessage", "POST", "/api/v1/events/{}/messages", (short,), body=body, key=key
        )
        return answer

    def take_back_message(self, short: str, number: int, /, *, key: str = "") -> shapes.Done:
        """The message is shown no more. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "takeBackMessage", "DELETE", "/api/v1/events/{}/messages/{}", (short, number), key=key
        )
        return answer

    def rename_event(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.NameIn]
    ) -> shapes.EventWhole:
        """Changes the name and the day of an event, with its last one; the address stays. Safe to repeat.
        Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "renameEvent", "POST", "/api/v1/events/{}/name", (short,), body=body, key=key
        )
        return answer

    def order_entries(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.OrderIn]
    ) -> shapes.EventWhole:
        """Numbers the entries from 1 anew, in the order named; those who wait come last. Safe to repeat.
        Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "orderEntries", "POST", "/api/v1/events/{}/order", (short,), body=body, key=key
        )
        return answer

    def pair_entries(self, short: str, /, *, key: str = "", **body: Unpack[shapes.PairIn]) -> shapes.EntryOut:
        """Makes one entry of two who look for a partner. It stands in the list where the second one signed
        up, and waits where all places are taken; after the start it plays from the next round. Safe to
        repeat with the same key. Needs a key with the scope `direct`."""
        answer: shapes.EntryOut = self._call(
            "pairEntries", "POST", "/api/v1/events/{}/pairs", (short,), body=body, key=key
        )
        return answer

    def add_prize_category(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.PrizeCategoryIn]
    ) -> shapes.Done:
        """Adds a category of prizes, for the best of some entries. Safe to repeat with the same key: it
        gives the category that was added then, None if it is gone. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "addPrizeCategory", "POST", "/api/v1/events/{}/prize-categories", (short,), body=body, key=key
        )
        return answer

    def change_prize_category(
        self, short: str, category_id: int, /, *, key: str = "", **body: Unpack[shapes.PrizeCategoryChange]
    ) -> shapes.Done:
        """Changes a category of prizes: its name, its amounts, or for which entries it is. Safe to repeat.
        Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "changePrizeCategory",
            "PUT",
            "/api/v1/events/{}/prize-categories/{}",
            (short, category_id),
            body=body,
            key=key,
        )
        return answer

    def remove_prize_category(self, short: str, category_id: int, /, *, key: str = "") -> shapes.Done:
        """Takes the category of prizes away. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "removePrizeCategory",
            "DELETE",
            "/api/v1/events/{}/prize-categories/{}",
            (short, category_id),
            key=key,
        )
        return answer

    def list_prizes(self, short: str, /) -> shapes.Prizes:
        """What was won, and what can be. Needs a key with the scope `direct`."""
        answer: shapes.Prizes = self._call("listPrizes", "GET", "/api/v1/events/{}/prizes", (short,))
        return answer

    def give_prize(self, short: str, /, *, key: str = "", **body: Unpack[shapes.PrizeIn]) -> shapes.Done:
        """Gives a prize to one person, or to two together, by their ids. Safe to repeat with the same key:
        it gives the prize that was given then, None if it is gone. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "givePrize", "POST", "/api/v1/events/{}/prizes", (short,), body=body, key=key
        )
        return answer

    def set_prizes_add_up(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.PrizesIn]
    ) -> shapes.Done:
        """Whether one entry may win in several categories, or the larger prize only. Safe to repeat. Needs
        a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "setPrizesAddUp", "PUT", "/api/v1/events/{}/prizes", (short,), body=body, key=key
        )
        return answer

    def change_prize(
        self, short: str, prize_id: int, /, *, key: str = "", **body: Unpack[shapes.PrizeChange]
    ) -> shapes.Done:
        """Changes the name or the amount of a prize, or to whom it is shown. Safe to repeat. Needs a key
        with the scope `direct`."""
        answer: shapes.Done = self._call(
            "changePrize", "PUT", "/api/v1/events/{}/prizes/{}", (short, prize_id), body=body, key=key
        )
        return answer

    def take_back_prize(self, short: str, prize_id: int, /, *, key: str = "") -> shapes.Done:
        """A prize was not won after all; the history has it. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.Done = self._call(
            "takeBackPrize", "DELETE", "/api/v1/events/{}/prizes/{}", (short, prize_id), key=key
        )
        return answer

    def publish_final(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """The standings as they are now, kept as published whatever is corrected later; where some are
        published already, as their correction. Safe to repeat. They are worked out beside the hall. Needs a
        key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "publishFinal", "POST", "/api/v1/events/{}/publish-final", (short,), key=key
        )
        return answer

    def put_away_event(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """An event made by mistake is shown nowhere any more, until it is brought back. Safe to repeat.
        Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "putAwayEvent", "POST", "/api/v1/events/{}/put-away", (short,), key=key
        )
        return answer

    def change_ranking(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.RankingIn]
    ) -> shapes.EventWhole:
        """Changes the rules of the ranking; the standings follow. Safe to repeat. Needs a key with the
        scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeRanking", "POST", "/api/v1/events/{}/ranking", (short,), body=body, key=key
        )
        return answer

    def reinstate_event(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """The event is held after all. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "reinstateEvent", "POST", "/api/v1/events/{}/reinstate", (short,), key=key
        )
        return answer

    def change_release(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.ReleaseIn]
    ) -> shapes.EventWhole:
        """Everybody sees as much of the event as said, from the next request on. Safe to repeat. Needs a
        key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeRelease", "POST", "/api/v1/events/{}/release", (short,), body=body, key=key
        )
        return answer

    def resume_event(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """An evening that was ended goes on: its codes open the tables again. Safe to repeat. Needs a key
        with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "resumeEvent", "POST", "/api/v1/events/{}/resume", (short,), key=key
        )
        return answer

    def list_rounds(self, short: str, /) -> shapes.Rounds:
        """The rounds that were published; for the club also the draft."""
        answer: shapes.Rounds = self._call("listRounds", "GET", "/api/v1/events/{}/rounds", (short,))
        return answer

    def draw_round(self, short: str, /, *, key: str = "", **body: Unpack[shapes.DrawIn]) -> shapes.RoundOut:
        """A draft of the next round, by the event's stages. A draft that is there already is drawn anew, by
        this seed or another one; its held tables stay. The lot of the first round is the event's from then
        on: it decides between equals, so that the same entries, settings and lots are drawn alike
        everywhere. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "drawRound", "POST", "/api/v1/events/{}/rounds", (short,), body=body, key=key
        )
        return answer

    def get_round(self, short: str, number: int, /) -> shapes.RoundOut:
        """A round with its tables."""
        answer: shapes.RoundOut = self._call(
            "getRound", "GET", "/api/v1/events/{}/rounds/{}", (short, number)
        )
        return answer

    def discard_draft(self, short: str, number: int, /, *, key: str = "") -> shapes.Done:
        """Forgets a draft. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "discardDraft", "DELETE", "/api/v1/events/{}/rounds/{}", (short, number), key=key
        )
        return answer

    def begin_round(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.BeginIn]
    ) -> shapes.RoundOut:
        """The round's clock runs; where its matches have no minutes of their own, it counts down these
        `minutes`, if there are any. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "beginRound",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/begin",
            (short, number),
            body=body,
            key=key,
        )
        return answer

    def call_last_hand(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """Everybody is told to end the hand that they have begun, and to begin no other. It stops no table
        from writing. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "callLastHand", "POST", "/api/v1/events/{}/rounds/{}/clock/last-hand", (short, number), key=key
        )
        return answer

    def take_back_last_hand(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """The call of the last hand is taken back. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "takeBackLastHand",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/more-hands",
            (short, number),
            key=key,
        )
        return answer

    def add_minutes(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """The round lasts five minutes more. Safe to repeat with the same key. Needs a key with the scope
        `direct`."""
        answer: shapes.RoundOut = self._call(
            "addMinutes", "POST", "/api/v1/events/{}/rounds/{}/clock/more-minutes", (short, number), key=key
        )
        return answer

    def pause_clock(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """The clock stands still, and the round with it. Safe to repeat. Needs a key with the scope
        `direct`."""
        answer: shapes.RoundOut = self._call(
            "pauseClock", "POST", "/api/v1/events/{}/rounds/{}/clock/pause", (short, number), key=key
        )
        return answer

    def resume_clock(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """The clock goes on: the round ends later, by as long as it stood still. Safe to repeat. Needs a
        key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "resumeClock", "POST", "/api/v1/events/{}/rounds/{}/clock/resume", (short, number), key=key
        )
        return answer

    def close_round(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """The round's results stand; only a director changes them now. Safe to repeat. Needs a key with the
        scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "closeRound", "POST", "/api/v1/events/{}/rounds/{}/close", (short, number), key=key
        )
        return answer

    def hold_round(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """A round that had begun waits again: its clock stands at its start. Safe to repeat. Needs a key
        with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "holdRound", "POST", "/api/v1/events/{}/rounds/{}/hold", (short, number), key=key
        )
        return answer

    def seat_more(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.SeatMoreIn]
    ) -> shapes.RoundOut:
        """Seats one table more in a round, for two entries that sit out or came late; at the first free
        number. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "seatMore", "POST", "/api/v1/events/{}/rounds/{}/more", (short, number), body=body, key=key
        )
        return answer

    def publish_round(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.PublishIn]
    ) -> shapes.RoundOut:
        """Everybody sees the draw, and the tables can mark; `as_drawn` also where results or settings have
        changed since it was drawn. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "publishRound", "POST", "/api/v1/events/{}/rounds/{}/publish", (short, number), body=body, key=key
        )
        return answer

    def reopen_round(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """Tables write again in the last round, which was closed; a draft of the next one is forgotten.
        Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "reopenRound", "POST", "/api/v1/events/{}/rounds/{}/reopen", (short, number), key=key
        )
        return answer

    def swap_entries(
        self, short: str, number: int, /, *, key: str = "", **body: Unpack[shapes.SwapIn]
    ) -> shapes.RoundOut:
        """Two entries (by their numbers) trade places in a round, be it at tables or with a bye. Needs a
        key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "swapEntries", "POST", "/api/v1/events/{}/rounds/{}/swap", (short, number), body=body, key=key
        )
        return answer

    def get_table_of_round(self, short: str, number: int, table: int, /) -> shapes.TableWhole:
        """A table with every hand that was played there."""
        answer: shapes.TableWhole = self._call(
            "getTableOfRound", "GET", "/api/v1/events/{}/rounds/{}/tables/{}", (short, number, table)
        )
        return answer

    def let_cards_count(
        self, short: str, number: int, table: int, /, *, key: str = "", **body: Unpack[shapes.CardsCountIn]
    ) -> shapes.RoundOut:
        """The match counts again, and not what the director gave instead. Where the round is closed and the
        match is not over, the table then has no result, if it `may_be_undecided`: nothing is drawn before
        it has one. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "letCardsCount",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/cards-count",
            (short, number, table),
            body=body,
            key=key,
        )
        return answer

    def forfeit_table(
        self, short: str, number: int, table: int, /, *, key: str = "", **body: Unpack[shapes.ForfeitIn]
    ) -> shapes.RoundOut:
        """A table counts as won without cards, or by nobody; what was marked there stays, and counts
        nothing. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "forfeitTable",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/forfeit",
            (short, number, table),
            body=body,
            key=key,
        )
        return answer

    def mark_hand_at_desk(
        self, short: str, number: int, table: int, /, *, key: str = "", **body: Unpack[shapes.MarkIn]
    ) -> shapes.MarkDone:
        """Marks a hand from the desk; with the key of a director it rules, and says why in `reason`. Needs
        a key with the scope `score`."""
        answer: shapes.MarkDone = self._call(
            "markHandAtDesk",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/hands",
            (short, number, table),
            body=body,
            key=key,
        )
        return answer

    def hold_table(
        self, short: str, number: int, table: int, /, *, key: str = "", **body: Unpack[shapes.HoldIn]
    ) -> shapes.RoundOut:
        """A table of a draft stays as it is when the rest is drawn again, or is free again. Safe to repeat.
        Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "holdTable",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/hold",
            (short, number, table),
            body=body,
            key=key,
        )
        return answer

    def adjust_table(
        self, short: str, number: int, table: int, /, *, key: str = "", **body: Unpack[shapes.ResultIn]
    ) -> shapes.RoundOut:
        """A table counts with these games and points, side A first, whatever was marked. More games win;
        with as many games, more points; with as many of both it is a draw. Needs a key with the scope
        `direct`."""
        answer: shapes.RoundOut = self._call(
            "adjustTable",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/result",
            (short, number, table),
            body=body,
            key=key,
        )
        return answer

    def settle_dispute(
        self, short: str, number: int, table: int, /, *, key: str = "", **body: Unpack[shapes.SettleIn]
    ) -> shapes.MatchOut:
        """The desk answers the table's call. Needs a key with the scope `score`."""
        answer: shapes.MatchOut = self._call(
            "settleDispute",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/settle",
            (short, number, table),
            body=body,
            key=key,
        )
        return answer

    def unpublish_round(self, short: str, number: int, /, *, key: str = "") -> shapes.RoundOut:
        """A published round is a draft again. Matches with marks are set aside, and go on once the same
        entries are published at the same table. Needs a key with the scope `direct`."""
        answer: shapes.RoundOut = self._call(
            "unpublishRound", "POST", "/api/v1/events/{}/rounds/{}/unpublish", (short, number), key=key
        )
        return answer

    def change_rules(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.RulesIn]
    ) -> shapes.EventWhole:
        """Changes by which rules hands are played and what is asked of one, as `create_event` takes them,
        as long as no table has a match. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeRules", "POST", "/api/v1/events/{}/rules", (short,), body=body, key=key
        )
        return answer

    def change_sections(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.SectionsIn]
    ) -> shapes.EventWhole:
        """Changes the sections. Entries of one that was `renamed` (old name to new) go with it; those of
        one that is no more are in none. Safe to repeat. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeSections", "POST", "/api/v1/events/{}/sections", (short,), body=body, key=key
        )
        return answer

    def change_sign_up(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.SignUpIn]
    ) -> shapes.EventWhole:
        """Opens or closes the public list, and says how many places there are; None: no limit. Where there
        are more than before, those who wait come in. Nobody is thrown out. Safe to repeat. Needs a key with
        the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeSignUp", "POST", "/api/v1/events/{}/sign-up", (short,), body=body, key=key
        )
        return answer

    def change_stages(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.StagesIn]
    ) -> shapes.EventWhole:
        """Changes the stages; of those that have begun only how many rounds the last one has. Safe to
        repeat. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "changeStages", "POST", "/api/v1/events/{}/stages", (short,), body=body, key=key
        )
        return answer

    def get_standings(self, short: str, /, *, section: str | None = None) -> shapes.StandingsOut:
        """The standings."""
        answer: shapes.StandingsOut = self._call(
            "getStandings", "GET", "/api/v1/events/{}/standings", (short,), query={"section": section}
        )
        return answer

    def start_event(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """Puts the cards on the tables; from now on rounds can be drawn. Safe to repeat. Needs a key with
        the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "startEvent", "POST", "/api/v1/events/{}/start", (short,), key=key
        )
        return answer

    def plan_tables(
        self, short: str, /, *, key: str = "", **body: Unpack[shapes.TablesIn]
    ) -> shapes.EventWhole:
        """Changes the number of tables; after the start, tables can only be added. Safe to repeat with the
        same key. Needs a key with the scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "planTables", "POST", "/api/v1/events/{}/tables", (short,), body=body, key=key
        )
        return answer

    def set_team(self, short: str, /, *, key: str = "", **body: Unpack[shapes.TeamIn]) -> shapes.Done:
        """The entries of these numbers play for this club or team; with an empty name, for none. Safe to
        repeat. Needs a key with the scope `direct`."""
        answer: shapes.Done = self._call(
            "setTeam", "POST", "/api/v1/events/{}/teams", (short,), body=body, key=key
        )
        return answer

    def unpublish_final(self, short: str, /, *, key: str = "") -> shapes.EventWhole:
        """The standings are as before they were published as final. Safe to repeat. Needs a key with the
        scope `direct`."""
        answer: shapes.EventWhole = self._call(
            "unpublishFinal", "POST", "/api/v1/events/{}/unpublish-final", (short,), key=key
        )
        return answer

    def get_me(self) -> shapes.TokenOut:
        """Which key this is, of which club, and what it may do. Needs a key with the scope `read`."""
        answer: shapes.TokenOut = self._call("getMe", "GET", "/api/v1/me")
        return answer

    def get_table(self, code: str, /, *, letters: str | None = None) -> shapes.MatchOut:
        """The match now played at the table of this card."""
        answer: shapes.MatchOut = self._call(
            "getTable", "GET", "/api/v1/tables/{}", (code,), query={"letters": letters}
        )
        return answer

    def agree(self, code: str, /, *, key: str = "", **body: Unpack[shapes.AgreeIn]) -> shapes.MatchOut:
        """A side says D'accord to a game."""
        answer: shapes.MatchOut = self._call(
            "agree", "POST", "/api/v1/tables/{}/agree", (code,), body=body, key=key
        )
        return answer

    def name_first_dealer(
        self, code: str, /, *, key: str = "", **body: Unpack[shapes.DealerIn]
    ) -> shapes.MatchOut:
        """Says who dealt first, by the seat."""
        answer: shapes.MatchOut = self._call(
            "nameFirstDealer", "POST", "/api/v1/tables/{}/dealer", (code,), body=body, key=key
        )
        return answer

    def dispute(self, code: str, /, *, key: str = "", **body: Unpack[shapes.DisputeIn]) -> shapes.MatchOut:
        """The table calls the desk."""
        answer: shapes.MatchOut = self._call(
            "dispute", "POST", "/api/v1/tables/{}/dispute", (code,), body=body, key=key
        )
        return answer

    def mark_hand(self, code: str, /, *, key: str = "", **body: Unpack[shapes.MarkIn]) -> shapes.MarkDone:
        """Marks a hand, corrects one, or takes one back. Safe to repeat with its key."""
        answer: shapes.MarkDone = self._call(
            "markHand", "POST", "/api/v1/tables/{}/hands", (code,), body=body, key=key
        )
        return answer

    def pass_pencil(self, code: str, /, *, key: str = "", **body: Unpack[shapes.PencilIn]) -> shapes.MatchOut:
        """A device asks to mark, or the one that marks gives or keeps the pencil."""
        answer: shapes.MatchOut = self._call(
            "passPencil", "POST", "/api/v1/tables/{}/pencil", (code,), body=body, key=key
        )
        return answer

    def withdraw_dispute(
        self, code: str, /, *, key: str = "", **body: Unpack[shapes.WithdrawCallIn]
    ) -> shapes.MatchOut:
        """The table takes its call back."""
        answer: shapes.MatchOut = self._call(
            "withdrawDispute", "POST", "/api/v1/tables/{}/withdraw", (code,), body=body, key=key
        )
        return answer
