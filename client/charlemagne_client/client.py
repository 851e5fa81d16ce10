"""Every operation of the API as a method. Made from the schema by `manage.py client`."""

from collections.abc import Iterator
from typing import Unpack

from . import shapes
from .transport import Caller


class Client(Caller):
    """Raises Refused where the server says no, and Unreachable where nobody answers."""

    def list_clubs(self, *, limit: int | None = None) -> Iterator[shapes.ClubOut]:
        """List clubs."""
        return self._pages("listClubs", "/api/v1/clubs", (), {"limit": limit})

    def get_club(self, slug: str, /) -> shapes.ClubOut:
        """Get a club."""
        answer: shapes.ClubOut = self._call("getClub", "GET", "/api/v1/clubs/{}", (slug,))
        return answer

    def get_calendar(self, slug: str, /) -> shapes.SheetOut:
        """Get a club's upcoming nights and tournaments."""
        answer: shapes.SheetOut = self._call("getCalendar", "GET", "/api/v1/clubs/{}/calendar", (slug,))
        return answer

    def add_recurring_night(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.RecurringNightIn]
    ) -> shapes.Done:
        """Add a recurring night to the calendar. A repeat gives no id if the night was removed meanwhile.
        Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "addRecurringNight", "POST", "/api/v1/clubs/{}/calendar", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_recurring_night(
        self,
        slug: str,
        night_id: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.RecurringNightChange],
    ) -> shapes.Done:
        """Update the days, hours, place or name of a recurring night. Changed dates stay where the night
        still falls on them. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "changeRecurringNight",
            "PUT",
            "/api/v1/clubs/{}/calendar/{}",
            (slug, night_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def remove_recurring_night(self, slug: str, night_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Remove a recurring night from the calendar, with its changed dates. Safe to repeat. Needs an API
        key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "removeRecurringNight",
            "DELETE",
            "/api/v1/clubs/{}/calendar/{}",
            (slug, night_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def cancel_date(
        self, slug: str, night_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.CancelIn]
    ) -> shapes.Done:
        """Cancel one date of a recurring night. Safe to repeat. Needs an API key with the `direct`
        scope."""
        answer: shapes.Done = self._call(
            "cancelDate",
            "POST",
            "/api/v1/clubs/{}/calendar/{}/cancel",
            (slug, night_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def move_date(
        self, slug: str, night_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.MoveIn]
    ) -> shapes.Done:
        """Move one date of a recurring night to another day. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.Done = self._call(
            "moveDate",
            "POST",
            "/api/v1/clubs/{}/calendar/{}/move",
            (slug, night_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def restore_date(
        self, slug: str, night_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.RestoreIn]
    ) -> shapes.Done:
        """Restore a cancelled or moved date of a recurring night. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.Done = self._call(
            "restoreDate",
            "POST",
            "/api/v1/clubs/{}/calendar/{}/restore",
            (slug, night_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def list_dues(self, slug: str, /) -> shapes.AllDues:
        """List a club's dues, newest period first. Needs an API key with the `direct` scope."""
        answer: shapes.AllDues = self._call("listDues", "GET", "/api/v1/clubs/{}/dues", (slug,))
        return answer

    def ask_dues(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DuesIn]
    ) -> shapes.Done:
        """Charge dues for a period. Safe to repeat with the same idempotency key: a repeat gives the same
        period, or no id if it was deleted. Needs an API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "askDues", "POST", "/api/v1/clubs/{}/dues", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_dues(
        self, slug: str, period_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DuesChange]
    ) -> shapes.Done:
        """Update the name, amount or dates of a dues period. Payments stay. Safe to repeat. Needs an API
        key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "changeDues", "PUT", "/api/v1/clubs/{}/dues/{}", (slug, period_id), body=body, key=key, if_match=if_match
        )
        return answer

    def pay_dues(
        self, slug: str, period_id: int, person_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.Done:
        """Mark a person's dues for the period as paid in full. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.Done = self._call(
            "payDues",
            "POST",
            "/api/v1/clubs/{}/dues/{}/people/{}/pay",
            (slug, period_id, person_id),
            key=key,
            if_match=if_match,
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
        """List a club's nights and tournaments, newest first."""
        return self._pages(
            "listEventsOfClub",
            "/api/v1/clubs/{}/events",
            (slug,),
            {"limit": limit, "since": since, "state": state, "until": until},
        )

    def create_event(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.EventIn]
    ) -> shapes.EventWhole:
        """Create an event, in preparation. Give its rules, match length and stages in full. Needs an API
        key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "createEvent", "POST", "/api/v1/clubs/{}/events", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def list_federations(self, slug: str, /) -> shapes.Federations:
        """List the federations that a club runs."""
        answer: shapes.Federations = self._call("listFederations", "GET", "/api/v1/clubs/{}/federations", (slug,))
        return answer

    def open_federation(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.FederationIn]
    ) -> shapes.FederationOut:
        """Create a federation run by the club. It follows no clubs yet. Safe to repeat with the same
        idempotency key. Needs an API key with the `manage` scope."""
        answer: shapes.FederationOut = self._call(
            "openFederation", "POST", "/api/v1/clubs/{}/federations", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_federation(self, slug: str, federation_id: int, /) -> shapes.FederationOut:
        """Get a federation, with its points rule."""
        answer: shapes.FederationOut = self._call(
            "getFederation", "GET", "/api/v1/clubs/{}/federations/{}", (slug, federation_id)
        )
        return answer

    def change_federation(
        self,
        slug: str,
        federation_id: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.FederationChange],
    ) -> shapes.FederationOut:
        """Change the name, dates or points rule of a federation. Safe to repeat. Needs an API key with the
        `manage` scope."""
        answer: shapes.FederationOut = self._call(
            "changeFederation",
            "PUT",
            "/api/v1/clubs/{}/federations/{}",
            (slug, federation_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def end_federation(self, slug: str, federation_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Delete a federation, with its pages and all data from its feeds. Safe to repeat with the same
        idempotency key. Needs an API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "endFederation",
            "DELETE",
            "/api/v1/clubs/{}/federations/{}",
            (slug, federation_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def get_federation_calendar(self, slug: str, federation_id: int, /) -> shapes.FederationDates:
        """Get upcoming nights and tournaments of all clubs of a federation."""
        answer: shapes.FederationDates = self._call(
            "getFederationCalendar", "GET", "/api/v1/clubs/{}/federations/{}/calendar", (slug, federation_id)
        )
        return answer

    def list_followed_feeds(self, slug: str, federation_id: int, /) -> shapes.FollowedFeeds:
        """List the clubs that a federation follows."""
        answer: shapes.FollowedFeeds = self._call(
            "listFollowedFeeds", "GET", "/api/v1/clubs/{}/federations/{}/feeds", (slug, federation_id)
        )
        return answer

    def follow_feed(
        self, slug: str, federation_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.FollowIn]
    ) -> shapes.Done:
        """Follow the feed of a club at this address. Later feeds must be signed with the key of the first
        one. Safe to repeat. Needs an API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "followFeed",
            "POST",
            "/api/v1/clubs/{}/federations/{}/feeds",
            (slug, federation_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def unfollow_feed(
        self, slug: str, federation_id: int, feed_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.Done:
        """Stop following a feed. Its nights no longer count. Safe to repeat with the same idempotency key.
        Needs an API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "unfollowFeed",
            "DELETE",
            "/api/v1/clubs/{}/federations/{}/feeds/{}",
            (slug, federation_id, feed_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def fetch_feeds(
        self, slug: str, federation_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.FederationOut:
        """Fetch all feeds of a federation now. Needs an API key with the `manage` scope."""
        answer: shapes.FederationOut = self._call(
            "fetchFeeds",
            "POST",
            "/api/v1/clubs/{}/federations/{}/fetch",
            (slug, federation_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def get_federation_ladder(self, slug: str, federation_id: int, /) -> shapes.FederationLadder:
        """Get the standings over all clubs of a federation."""
        answer: shapes.FederationLadder = self._call(
            "getFederationLadder", "GET", "/api/v1/clubs/{}/federations/{}/ladder", (slug, federation_id)
        )
        return answer

    def get_federation_line(self, slug: str, federation_id: int, key: str, /) -> shapes.FederationLineWhole:
        """Get the nights behind a line of the standings."""
        answer: shapes.FederationLineWhole = self._call(
            "getFederationLine", "GET", "/api/v1/clubs/{}/federations/{}/ladder/{}", (slug, federation_id, key)
        )
        return answer

    def get_federation_month(self, slug: str, federation_id: int, year: int, month: int, /) -> shapes.SheetOut:
        """Get the points that players earned in a month."""
        answer: shapes.SheetOut = self._call(
            "getFederationMonth",
            "GET",
            "/api/v1/clubs/{}/federations/{}/months/{}/{}",
            (slug, federation_id, year, month),
        )
        return answer

    def get_federation_ratings(self, slug: str, federation_id: int, /) -> shapes.FederationRatings:
        """Get the ratings over all clubs of a federation."""
        answer: shapes.FederationRatings = self._call(
            "getFederationRatings", "GET", "/api/v1/clubs/{}/federations/{}/ratings", (slug, federation_id)
        )
        return answer

    def get_federation_rating(self, slug: str, federation_id: int, key: str, /) -> shapes.FederationRatingWhole:
        """Get a player's rating in a federation, night by night."""
        answer: shapes.FederationRatingWhole = self._call(
            "getFederationRating", "GET", "/api/v1/clubs/{}/federations/{}/ratings/{}", (slug, federation_id, key)
        )
        return answer

    def get_feed(self, slug: str, /) -> shapes.FeedOut:
        """Get a club's feed for federations: whether it is on, and its address."""
        answer: shapes.FeedOut = self._call("getFeed", "GET", "/api/v1/clubs/{}/feed", (slug,))
        return answer

    def switch_feed_on(self, slug: str, /, *, key: str = "", if_match: str = "") -> shapes.FeedOut:
        """Publish what everybody may see of a club as a signed feed for federations. Safe to repeat. Needs
        an API key with the `manage` scope."""
        answer: shapes.FeedOut = self._call(
            "switchFeedOn", "PUT", "/api/v1/clubs/{}/feed", (slug,), key=key, if_match=if_match
        )
        return answer

    def switch_feed_off(self, slug: str, /, *, key: str = "", if_match: str = "") -> shapes.FeedOut:
        """Stop publishing the feed. If it is turned on again, it is a new feed, with new ids for people and
        events and no links to people at other clubs. Safe to repeat. Needs an API key with the `manage`
        scope."""
        answer: shapes.FeedOut = self._call(
            "switchFeedOff", "DELETE", "/api/v1/clubs/{}/feed", (slug,), key=key, if_match=if_match
        )
        return answer

    def list_history_of_club(self, slug: str, /, *, limit: int | None = None) -> Iterator[shapes.ActionOut]:
        """List a club's history, newest change first. Needs an API key with the `direct` scope."""
        return self._pages("listHistoryOfClub", "/api/v1/clubs/{}/history", (slug,), {"limit": limit})

    def undo_of_club(self, slug: str, action_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Undo a change in a club's history. For a long change, gives the background task that undoes it.
        Needs an API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "undoOfClub", "POST", "/api/v1/clubs/{}/history/{}/undo", (slug, action_id), key=key, if_match=if_match
        )
        return answer

    def list_nights(self, slug: str, /) -> shapes.Nights:
        """List a club's recurring nights."""
        answer: shapes.Nights = self._call("listNights", "GET", "/api/v1/clubs/{}/nights", (slug,))
        return answer

    def change_club_page(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.ClubPageIn]
    ) -> shapes.Done:
        """Update a club's public page: hall, text, contact and officers. Safe to repeat. Needs an API key
        with the `manage` scope."""
        answer: shapes.Done = self._call(
            "changeClubPage", "PUT", "/api/v1/clubs/{}/page", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def list_people(
        self, slug: str, /, *, limit: int | None = None, search: str | None = None
    ) -> Iterator[shapes.PersonOut]:
        """List a club's people. Needs an API key with the `direct` scope."""
        return self._pages("listPeople", "/api/v1/clubs/{}/people", (slug,), {"limit": limit, "search": search})

    def add_person(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PersonIn]
    ) -> shapes.PersonOut:
        """Add a person to a club. Set `is_namesake` if the club already has another person of this name.
        Safe to repeat with the same idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.PersonOut = self._call(
            "addPerson", "POST", "/api/v1/clubs/{}/people", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_person(self, slug: str, person_id: int, /) -> shapes.PersonOut:
        """Get a person of a club. Needs an API key with the `direct` scope."""
        answer: shapes.PersonOut = self._call("getPerson", "GET", "/api/v1/clubs/{}/people/{}", (slug, person_id))
        return answer

    def change_person(
        self, slug: str, person_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PersonChange]
    ) -> shapes.PersonOut:
        """Update a person's details. A family without members is deleted. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.PersonOut = self._call(
            "changePerson",
            "PUT",
            "/api/v1/clubs/{}/people/{}",
            (slug, person_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def get_record_of_person(self, slug: str, person_id: int, /, *, part: str | None = None) -> shapes.SheetOut:
        """Get a player's record, under their public name."""
        answer: shapes.SheetOut = self._call(
            "getRecordOfPerson", "GET", "/api/v1/clubs/{}/people/{}/record", (slug, person_id), query={"part": part}
        )
        return answer

    def get_ratings(self, slug: str, /) -> shapes.SheetOut:
        """Get the ratings of a club's players, strongest first."""
        answer: shapes.SheetOut = self._call("getRatings", "GET", "/api/v1/clubs/{}/ratings", (slug,))
        return answer

    def turn_ratings(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.RatingsIn]
    ) -> shapes.Done:
        """Turn a club's ratings on or off. Safe to repeat. Needs an API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "turnRatings", "PUT", "/api/v1/clubs/{}/ratings", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_records(self, slug: str, /) -> shapes.SheetOut:
        """Get a club's records."""
        answer: shapes.SheetOut = self._call("getRecords", "GET", "/api/v1/clubs/{}/records", (slug,))
        return answer

    def list_seasons(self, slug: str, /) -> shapes.SheetOut:
        """List a club's seasons."""
        answer: shapes.SheetOut = self._call("listSeasons", "GET", "/api/v1/clubs/{}/seasons", (slug,))
        return answer

    def open_season(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.SeasonIn]
    ) -> shapes.Done:
        """Open a season. Nights already held in it count. Safe to repeat with the same client id. Needs an
        API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "openSeason", "POST", "/api/v1/clubs/{}/seasons", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_ladder(self, slug: str, season_id: int, /, *, ladder: str | None = None) -> shapes.SheetOut:
        """Get the standings of a season."""
        answer: shapes.SheetOut = self._call(
            "getLadder", "GET", "/api/v1/clubs/{}/seasons/{}", (slug, season_id), query={"ladder": ladder}
        )
        return answer

    def change_season(
        self, slug: str, season_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.SeasonChange]
    ) -> shapes.Done:
        """Update the dates, name or standings of a season. Safe to repeat. Needs an API key with the
        `manage` scope."""
        answer: shapes.Done = self._call(
            "changeSeason",
            "PUT",
            "/api/v1/clubs/{}/seasons/{}",
            (slug, season_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def close_season(self, slug: str, season_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Close a season. Later changes to its nights do not change its standings. Safe to repeat. Needs an
        API key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "closeSeason", "POST", "/api/v1/clubs/{}/seasons/{}/close", (slug, season_id), key=key, if_match=if_match
        )
        return answer

    def count_nights(
        self, slug: str, season_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.NightsIn]
    ) -> shapes.Done:
        """Set which events of a season do not count. All others count. Safe to repeat. Needs an API key
        with the `manage` scope."""
        answer: shapes.Done = self._call(
            "countNights",
            "POST",
            "/api/v1/clubs/{}/seasons/{}/nights",
            (slug, season_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def reopen_season(self, slug: str, season_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Reopen a closed season. Its standings follow its nights again. Safe to repeat. Needs an API key
        with the `manage` scope."""
        answer: shapes.Done = self._call(
            "reopenSeason", "POST", "/api/v1/clubs/{}/seasons/{}/reopen", (slug, season_id), key=key, if_match=if_match
        )
        return answer

    def get_season(self, slug: str, season_id: int, /) -> shapes.SeasonOut:
        """Get a season's settings, in the form that an update takes. Needs an API key with the `manage`
        scope."""
        answer: shapes.SeasonOut = self._call(
            "getSeason", "GET", "/api/v1/clubs/{}/seasons/{}/settings", (slug, season_id)
        )
        return answer

    def list_webhooks(self, slug: str, /) -> shapes.Webhooks:
        """List a club's webhooks. Needs an API key with the `manage` scope."""
        answer: shapes.Webhooks = self._call("listWebhooks", "GET", "/api/v1/clubs/{}/webhooks", (slug,))
        return answer

    def add_webhook(
        self, slug: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.WebhookIn]
    ) -> shapes.WebhookMade:
        """Add a webhook for some kinds of events, from now on. Safe to repeat with the same idempotency
        key. Needs an API key with the `manage` scope."""
        answer: shapes.WebhookMade = self._call(
            "addWebhook", "POST", "/api/v1/clubs/{}/webhooks", (slug,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_webhook(self, slug: str, webhook_id: int, /) -> shapes.WebhookOut:
        """Get a webhook. Needs an API key with the `manage` scope."""
        answer: shapes.WebhookOut = self._call("getWebhook", "GET", "/api/v1/clubs/{}/webhooks/{}", (slug, webhook_id))
        return answer

    def change_webhook(
        self, slug: str, webhook_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.WebhookChange]
    ) -> shapes.WebhookOut:
        """Change the address or events of a webhook, or turn it off. Turning it off cancels its pending
        deliveries. Safe to repeat with the same idempotency key. Needs an API key with the `manage`
        scope."""
        answer: shapes.WebhookOut = self._call(
            "changeWebhook",
            "PUT",
            "/api/v1/clubs/{}/webhooks/{}",
            (slug, webhook_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def remove_webhook(self, slug: str, webhook_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Delete a webhook and its delivery log. Safe to repeat with the same idempotency key. Needs an API
        key with the `manage` scope."""
        answer: shapes.Done = self._call(
            "removeWebhook", "DELETE", "/api/v1/clubs/{}/webhooks/{}", (slug, webhook_id), key=key, if_match=if_match
        )
        return answer

    def list_deliveries(self, slug: str, webhook_id: int, /) -> shapes.Deliveries:
        """List the deliveries of a webhook, with the responses. Needs an API key with the `manage`
        scope."""
        answer: shapes.Deliveries = self._call(
            "listDeliveries", "GET", "/api/v1/clubs/{}/webhooks/{}/deliveries", (slug, webhook_id)
        )
        return answer

    def redeliver(
        self, slug: str, webhook_id: int, delivery_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.DeliveryOut:
        """Send a delivery again, under the same id, with the data that is public now. Safe to repeat. Needs
        an API key with the `manage` scope."""
        answer: shapes.DeliveryOut = self._call(
            "redeliver",
            "POST",
            "/api/v1/clubs/{}/webhooks/{}/deliveries/{}/redeliver",
            (slug, webhook_id, delivery_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def renew_webhook_secret(
        self, slug: str, webhook_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.WebhookMade:
        """Replace the secret of a webhook. For one day, deliveries are signed with both the old and the new
        one. Safe to repeat with the same idempotency key. Needs an API key with the `manage` scope."""
        answer: shapes.WebhookMade = self._call(
            "renewWebhookSecret",
            "POST",
            "/api/v1/clubs/{}/webhooks/{}/secret",
            (slug, webhook_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def send_webhook_test(
        self, slug: str, webhook_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.DeliveryOut:
        """Send a test delivery now. Earlier tests that failed are sent again, too. Safe to repeat with the
        same idempotency key. Needs an API key with the `manage` scope."""
        answer: shapes.DeliveryOut = self._call(
            "sendWebhookTest",
            "POST",
            "/api/v1/clubs/{}/webhooks/{}/test",
            (slug, webhook_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def list_events(
        self, *, limit: int | None = None, since: str | None = None, state: str | None = None, until: str | None = None
    ) -> Iterator[shapes.EventOut]:
        """List nights and tournaments of all clubs, newest first."""
        return self._pages(
            "listEvents", "/api/v1/events", (), {"limit": limit, "since": since, "state": state, "until": until}
        )

    def get_event(self, short: str, /) -> shapes.EventWhole:
        """Get a night or tournament, with its rules."""
        answer: shapes.EventWhole = self._call("getEvent", "GET", "/api/v1/events/{}", (short,))
        return answer

    def play_again(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.AgainIn]
    ) -> shapes.EventWhole:
        """Create a copy of an event, in preparation; of an ended league, its new season. Needs an API key
        with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "playAgain", "POST", "/api/v1/events/{}/again", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def announce_event(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.AnnouncementIn]
    ) -> shapes.EventWhole:
        """Update the event details, shown to everybody who can see the event. A cancelled event stays
        cancelled. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "announceEvent", "PUT", "/api/v1/events/{}/announcement", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def keep_apart(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.ApartIn]
    ) -> shapes.Done:
        """Do not pair the entries on each line of a list: never, or only if it cannot be avoided. `rounds`
        limits this to the first rounds; null means all. Entries already kept apart get these settings. If a
        line is wrong, none is saved. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "keepApart", "POST", "/api/v1/events/{}/apart", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def list_boards(self, short: str, /) -> shapes.Boards:
        """List the wall screens of an event. Needs an API key with the `direct` scope."""
        answer: shapes.Boards = self._call("listBoards", "GET", "/api/v1/events/{}/boards", (short,))
        return answer

    def add_board(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.BoardIn]
    ) -> shapes.BoardOut:
        """Add a wall screen that rotates its views. Safe to repeat with the same idempotency key: a repeat
        gives the same screen, or a 404 if it was removed. Needs an API key with the `direct` scope."""
        answer: shapes.BoardOut = self._call(
            "addBoard", "POST", "/api/v1/events/{}/boards", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_board(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.BoardChange]
    ) -> shapes.BoardOut:
        """Change the name, room or look of a wall screen. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.BoardOut = self._call(
            "changeBoard", "PUT", "/api/v1/events/{}/boards/{}", (short, number), body=body, key=key, if_match=if_match
        )
        return answer

    def remove_board(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Remove a wall screen. Its address stops working. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.Done = self._call(
            "removeBoard", "DELETE", "/api/v1/events/{}/boards/{}", (short, number), key=key, if_match=if_match
        )
        return answer

    def show_on_board(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.ShowIn]
    ) -> shapes.BoardOut:
        """Set what a wall screen shows. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.BoardOut = self._call(
            "showOnBoard",
            "POST",
            "/api/v1/events/{}/boards/{}/show",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def call_off_event(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.CallOffIn]
    ) -> shapes.EventWhole:
        """Cancel an event, with a reason, for example a storm. Nobody can sign up for it, and it cannot be
        started. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "callOffEvent", "POST", "/api/v1/events/{}/call-off", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def call_table(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.CallIn]
    ) -> shapes.Done:
        """Call a table to the desk. Its phones and the wall screens show it until the call ends or the next
        round is published. Safe to repeat. Needs an API key with the `score` scope."""
        answer: shapes.Done = self._call(
            "callTable", "POST", "/api/v1/events/{}/calls", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def end_call(self, short: str, table: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """End a table's call. Its phones and the wall screens no longer show it. Safe to repeat. Needs an
        API key with the `score` scope."""
        answer: shapes.Done = self._call(
            "endCall", "DELETE", "/api/v1/events/{}/calls/{}", (short, table), key=key, if_match=if_match
        )
        return answer

    def list_cards(self, short: str, /) -> shapes.Cards:
        """List the table codes of an event. Needs an API key with the `score` scope."""
        answer: shapes.Cards = self._call("listCards", "GET", "/api/v1/events/{}/cards", (short,))
        return answer

    def change_cash_rules(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.CashRulesChange]
    ) -> shapes.Done:
        """Change how much of the fees becomes prizes, what prizes are rounded to, and the cash to start
        with; amounts of prizes that were set stay as they are. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.Done = self._call(
            "changeCashRules", "PUT", "/api/v1/events/{}/cash-rules", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def list_disputes(self, short: str, /) -> shapes.Disputes:
        """List the tables that called the desk and are waiting for an answer. Needs an API key with the
        `read` scope."""
        answer: shapes.Disputes = self._call("listDisputes", "GET", "/api/v1/events/{}/disputes", (short,))
        return answer

    def draw_door_prize(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DoorPrizeIn]
    ) -> shapes.Done:
        """Draw a door prize among the people present, with equal chances. Nobody wins twice in one evening.
        The same seed draws the same name. Safe to repeat with the same idempotency key. Needs an API key
        with the `direct` scope."""
        answer: shapes.Done = self._call(
            "drawDoorPrize", "POST", "/api/v1/events/{}/door-prize", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def clear_door_prize(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Stop announcing the door prize. The winner stays in the history. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.Done = self._call(
            "clearDoorPrize", "DELETE", "/api/v1/events/{}/door-prize", (short,), key=key, if_match=if_match
        )
        return answer

    def end_event(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """End an event. Its table codes stop working; a draft is kept in case the event resumes. Needs an
        API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "endEvent", "POST", "/api/v1/events/{}/end", (short,), key=key, if_match=if_match
        )
        return answer

    def list_entries(self, short: str, /) -> shapes.Entries:
        """List the entries of an event."""
        answer: shapes.Entries = self._call("listEntries", "GET", "/api/v1/events/{}/entries", (short,))
        return answer

    def add_entry(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.EntryIn]
    ) -> shapes.EntryOut:
        """Add an entry by the names of its players, with its details. A late entry plays from the next
        round. Safe to repeat with the same idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "addEntry", "POST", "/api/v1/events/{}/entries", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def describe_entry(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.EntryNotesIn]
    ) -> shapes.EntryOut:
        """Update the section, team, labels, rating or table of an entry. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "describeEntry",
            "PUT",
            "/api/v1/events/{}/entries/{}",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def remove_entry(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Remove an entry from the list. The others keep their numbers, and the first on the waiting list
        gets the place. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "removeEntry", "DELETE", "/api/v1/events/{}/entries/{}", (short, number), key=key, if_match=if_match
        )
        return answer

    def adjust_entry(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.AdjustmentIn]
    ) -> shapes.EntryOut:
        """Give an entry a bonus, or a penalty below 0, with a reason for the history. Safe to repeat with
        the same idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "adjustEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/adjustments",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def remove_adjustment(
        self, short: str, number: int, adjustment_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.Done:
        """Remove a bonus or penalty from an entry. Safe to repeat. Needs an API key with the `direct`
        scope."""
        answer: shapes.Done = self._call(
            "removeAdjustment",
            "DELETE",
            "/api/v1/events/{}/entries/{}/adjustments/{}",
            (short, number, adjustment_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def admit_entry(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.EntryOut:
        """Admit an entry from the waiting list, even beyond the limit. After the start it plays from the
        next round. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "admitEntry", "POST", "/api/v1/events/{}/entries/{}/admit", (short, number), key=key, if_match=if_match
        )
        return answer

    def change_attendance(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.AttendanceIn]
    ) -> shapes.EntryOut:
        """Set the attendance of an entry for a round not yet published: `plays`, `absent`, `excused`, or
        `bye` for a requested bye. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "changeAttendance",
            "POST",
            "/api/v1/events/{}/entries/{}/attendance",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def disqualify_entry(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DisqualifyIn]
    ) -> shapes.EntryOut:
        """Disqualify an entry, with the reason: it is not drawn any more. With `forfeits_table` it forfeits
        the match in play. Its rank, prizes and season points follow the ranking rules. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "disqualifyEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/disqualify",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def leave_out_entry(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.LeaveOutIn]
    ) -> shapes.EntryOut:
        """Leave an entry out of the draw until it checks in. `is_coming` is true if it is late, false if it
        will not come. Only before the first round; later, mark it absent or withdraw it. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "leaveOutEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/leave-out",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def move_entry(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.MoveEntryIn]
    ) -> shapes.EventWhole:
        """Swap an entry with the one above or below it in the list. Safe to repeat with the same
        idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "moveEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/move",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def substitute_player(
        self,
        short: str,
        number: int,
        place: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.SubstituteIn],
    ) -> shapes.EntryOut:
        """Replace the player in place 1 or 2 by a substitute, from now on. Earlier rounds keep the previous
        player. In a running event, a name unknown to the club is added as a guest. Safe to repeat with the
        same idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "substitutePlayer",
            "PUT",
            "/api/v1/events/{}/entries/{}/players/{}",
            (short, number, place),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def correct_player_name(
        self,
        short: str,
        number: int,
        place: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.PlayerNameIn],
    ) -> shapes.EntryOut:
        """Correct the spelling of a player's name, here and everywhere in the club. It is recorded in the
        club's history. Safe to repeat with the same idempotency key. Needs an API key with the `direct`
        scope."""
        answer: shapes.EntryOut = self._call(
            "correctPlayerName",
            "PUT",
            "/api/v1/events/{}/entries/{}/players/{}/name",
            (short, number, place),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def mark_present(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PresenceIn]
    ) -> shapes.EntryOut:
        """Set whether an entry has checked in. An entry left out until then plays from the next round. Safe
        to repeat. Needs an API key with the `score` scope."""
        answer: shapes.EntryOut = self._call(
            "markPresent",
            "POST",
            "/api/v1/events/{}/entries/{}/presence",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def return_entry(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.EntryOut:
        """Bring a withdrawn or disqualified entry back from the next round. The rounds that it missed count
        as withdrawn. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "returnEntry", "POST", "/api/v1/events/{}/entries/{}/return", (short, number), key=key, if_match=if_match
        )
        return answer

    def withdraw_entry(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.WithdrawIn]
    ) -> shapes.EntryOut:
        """Withdraw an entry after a round, by default the last one published. With `forfeits_table` it
        forfeits the match in play, also if it had left already. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "withdrawEntry",
            "POST",
            "/api/v1/events/{}/entries/{}/withdraw",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def enter_people(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PeopleIn]
    ) -> shapes.EntryOut:
        """Enter people of the club who have just arrived, by their ids, as one entry that is checked in.
        `guest` names a partner from outside the club. A late entry plays from the next round. Safe to
        repeat with the same idempotency key. Needs an API key with the `score` scope."""
        answer: shapes.EntryOut = self._call(
            "enterPeople", "POST", "/api/v1/events/{}/entries/people", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_fees(self, short: str, /) -> shapes.SheetOut:
        """Get what each person owes and has paid. Needs an API key with the `read` scope."""
        answer: shapes.SheetOut = self._call("getFees", "GET", "/api/v1/events/{}/fees", (short,))
        return answer

    def change_rates(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.RatesIn]
    ) -> shapes.EventWhole:
        """Set the fee for members and for guests, in cents. Payments stay. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeRates", "POST", "/api/v1/events/{}/fees", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def record_fee(
        self, short: str, person_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.FeeChange]
    ) -> shapes.Done:
        """Record a person's payment and fee: `other`, 0 if they are excused, or None for the usual fee.
        Return None if nothing changes. If `seen` is given, the amounts before must still be those. Safe to
        repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "recordFee", "PUT", "/api/v1/events/{}/fees/{}", (short, person_id), body=body, key=key, if_match=if_match
        )
        return answer

    def pay_fee(self, short: str, person_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Mark a person's fee as paid in full. Gives no id if nothing is owed. Safe to repeat. Needs an API
        key with the `score` scope."""
        answer: shapes.Done = self._call(
            "payFee", "POST", "/api/v1/events/{}/fees/{}/pay", (short, person_id), key=key, if_match=if_match
        )
        return answer

    def plan_hall(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.HallIn]
    ) -> shapes.EventWhole:
        """Set how tables are arranged in the hall: the number per row, or 0 for no directions. With
        `snakes`, every other row is numbered backwards. Safe to repeat. Needs an API key with the `direct`
        scope."""
        answer: shapes.EventWhole = self._call(
            "planHall", "POST", "/api/v1/events/{}/hall", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def list_hands(self, short: str, /) -> shapes.SheetOut:
        """List the hands of an event."""
        answer: shapes.SheetOut = self._call("listHands", "GET", "/api/v1/events/{}/hands", (short,))
        return answer

    def list_history_of_event(self, short: str, /, *, limit: int | None = None) -> Iterator[shapes.ActionOut]:
        """List an event's history, newest change first. Needs an API key with the `direct` scope."""
        return self._pages("listHistoryOfEvent", "/api/v1/events/{}/history", (short,), {"limit": limit})

    def undo_of_event(
        self, short: str, action_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.UndoIn]
    ) -> shapes.Done:
        """Undo a change in an event's history, or undo an undo. If a table of a closed round would lose its
        result, set `may_be_undecided`. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "undoOfEvent",
            "POST",
            "/api/v1/events/{}/history/{}/undo",
            (short, action_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def label_entries(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.LabelIn]
    ) -> shapes.Done:
        """Set which entries have a label: those given, and no others. Safe to repeat. Needs an API key with
        the `direct` scope."""
        answer: shapes.Done = self._call(
            "labelEntries", "PUT", "/api/v1/events/{}/labels", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def leave_out_absent(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Leave all entries that have not checked in out of the draw. Safe to repeat. Needs an API key with
        the `direct` scope."""
        answer: shapes.Done = self._call(
            "leaveOutAbsent", "POST", "/api/v1/events/{}/leave-out-absent", (short,), key=key, if_match=if_match
        )
        return answer

    def change_match_length(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.MatchLengthIn]
    ) -> shapes.EventWhole:
        """Change the length of a match. Only before the first match. If matches can be drawn from now on,
        an event with a default ranking counts half wins, until it begins. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeMatchLength",
            "POST",
            "/api/v1/events/{}/match-length",
            (short,),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def send_message(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.MessageIn]
    ) -> shapes.Done:
        """Send a message to a table, or to everybody, for some minutes or until the next round is
        published. Safe to repeat with the same idempotency key. Needs an API key with the `direct`
        scope."""
        answer: shapes.Done = self._call(
            "sendMessage", "POST", "/api/v1/events/{}/messages", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def take_back_message(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Withdraw a message. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "takeBackMessage", "DELETE", "/api/v1/events/{}/messages/{}", (short, number), key=key, if_match=if_match
        )
        return answer

    def rename_event(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.NameIn]
    ) -> shapes.EventWhole:
        """Change the name and day of an event. The last day moves with it; the address stays. Safe to
        repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "renameEvent", "POST", "/api/v1/events/{}/name", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def order_entries(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.OrderIn]
    ) -> shapes.EventWhole:
        """Renumber the entries from 1 in the given order. The waiting list comes last. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "orderEntries", "POST", "/api/v1/events/{}/order", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def pair_entries(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PairIn]
    ) -> shapes.EntryOut:
        """Make a pair of two entries that look for a partner. It takes the place of the later sign-up in
        the list, or waits if the event is full. After the start it plays from the next round. Safe to
        repeat with the same idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.EntryOut = self._call(
            "pairEntries", "POST", "/api/v1/events/{}/pairs", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_phase(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PhaseIn]
    ) -> shapes.EventWhole:
        """Change the settings that a stage (from 0) or a section has of its own, or the whole event without
        them, from a round on. What is None is inherited again. Matches keep what they were published with.
        If matches can become drawn for the first time, a default ranking then counts half wins. Safe to
        repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changePhase", "POST", "/api/v1/events/{}/phases", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def request_postponement(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PostponementRequestIn]
    ) -> shapes.RoundOut:
        """Ask the desk to postpone the match of a team in the last round, draft or published. Safe to
        repeat. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "requestPostponement",
            "POST",
            "/api/v1/events/{}/postponement-requests",
            (short,),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def decline_postponement(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PostponementAnswerIn]
    ) -> shapes.RoundOut:
        """Decline the request of a team's captain to postpone a match, with a reason. Safe to repeat. Needs
        an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "declinePostponement",
            "POST",
            "/api/v1/events/{}/postponement-requests/decline",
            (short,),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def add_prize_category(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PrizeCategoryIn]
    ) -> shapes.Done:
        """Add a prize category: prizes for the best of some entries. Safe to repeat with the same
        idempotency key: a repeat gives the same category, or no id if it was removed. Needs an API key with
        the `direct` scope."""
        answer: shapes.Done = self._call(
            "addPrizeCategory",
            "POST",
            "/api/v1/events/{}/prize-categories",
            (short,),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def change_prize_category(
        self,
        short: str,
        category_id: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.PrizeCategoryChange],
    ) -> shapes.Done:
        """Change the name, amounts or entries of a prize category. Safe to repeat. Needs an API key with
        the `direct` scope."""
        answer: shapes.Done = self._call(
            "changePrizeCategory",
            "PUT",
            "/api/v1/events/{}/prize-categories/{}",
            (short, category_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def remove_prize_category(
        self, short: str, category_id: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.Done:
        """Remove a prize category. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "removePrizeCategory",
            "DELETE",
            "/api/v1/events/{}/prize-categories/{}",
            (short, category_id),
            key=key,
            if_match=if_match,
        )
        return answer

    def list_prizes(self, short: str, /) -> shapes.Prizes:
        """List the prizes won and the prize categories of an event. Needs an API key with the `direct`
        scope."""
        answer: shapes.Prizes = self._call("listPrizes", "GET", "/api/v1/events/{}/prizes", (short,))
        return answer

    def give_prize(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PrizeIn]
    ) -> shapes.Done:
        """Give a prize to one person, or to two together, by their ids. It keeps their `rank` if that is
        given, or if the event has ended. Safe to repeat with the same idempotency key: a repeat gives the
        same prize, or no id if it was removed. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "givePrize", "POST", "/api/v1/events/{}/prizes", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def set_prizes_add_up(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PrizesIn]
    ) -> shapes.Done:
        """Set whether an entry can win in several categories, or only the larger prize. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "setPrizesAddUp", "PUT", "/api/v1/events/{}/prizes", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_prize(
        self, short: str, prize_id: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PrizeChange]
    ) -> shapes.Done:
        """Change the name, amount or visibility of a prize. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.Done = self._call(
            "changePrize",
            "PUT",
            "/api/v1/events/{}/prizes/{}",
            (short, prize_id),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def take_back_prize(self, short: str, prize_id: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Withdraw a prize. The history keeps it. Safe to repeat. Needs an API key with the `direct`
        scope."""
        answer: shapes.Done = self._call(
            "takeBackPrize", "DELETE", "/api/v1/events/{}/prizes/{}", (short, prize_id), key=key, if_match=if_match
        )
        return answer

    def publish_final(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """Publish the current standings as final. Later corrections do not change them until they are
        published again, as a correction. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "publishFinal", "POST", "/api/v1/events/{}/publish-final", (short,), key=key, if_match=if_match
        )
        return answer

    def put_away_event(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """Archive an event created by mistake. It is hidden everywhere until restored. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "putAwayEvent", "POST", "/api/v1/events/{}/put-away", (short,), key=key, if_match=if_match
        )
        return answer

    def change_ranking(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.RankingIn]
    ) -> shapes.EventWhole:
        """Change the ranking rules. The standings are computed again. Safe to repeat. Needs an API key with
        the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeRanking", "POST", "/api/v1/events/{}/ranking", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def reinstate_event(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """Reinstate a cancelled event. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "reinstateEvent", "POST", "/api/v1/events/{}/reinstate", (short,), key=key, if_match=if_match
        )
        return answer

    def change_release(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.ReleaseIn]
    ) -> shapes.EventWhole:
        """Set what everybody sees of an event, from the next request on. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeRelease", "POST", "/api/v1/events/{}/release", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def resume_event(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """Resume an ended event. Its table codes work again. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "resumeEvent", "POST", "/api/v1/events/{}/resume", (short,), key=key, if_match=if_match
        )
        return answer

    def list_rounds(self, short: str, /) -> shapes.Rounds:
        """List the published rounds of an event; with an API key of its club, also the draft."""
        answer: shapes.Rounds = self._call("listRounds", "GET", "/api/v1/events/{}/rounds", (short,))
        return answer

    def draw_round(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DrawIn]
    ) -> shapes.RoundOut:
        """Draw the next round as a draft. An existing draft is drawn again, with the given seed or a new
        one, and keeps its held tables whose entries all play. The seed of the first round becomes the
        event's and decides between equals: the same entries, settings and seeds give the same draw
        anywhere. With `is_play_off`, it is a play-off between the entries tied for first, added to the
        stages. With `plays_missed`, a schedule played to its end goes on for a round with the matches that
        were missed. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "drawRound", "POST", "/api/v1/events/{}/rounds", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_round(self, short: str, number: int, /) -> shapes.RoundOut:
        """Get a round with its tables."""
        answer: shapes.RoundOut = self._call("getRound", "GET", "/api/v1/events/{}/rounds/{}", (short, number))
        return answer

    def discard_draft(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.Done:
        """Delete a draft. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.Done = self._call(
            "discardDraft", "DELETE", "/api/v1/events/{}/rounds/{}", (short, number), key=key, if_match=if_match
        )
        return answer

    def begin_round(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.BeginIn]
    ) -> shapes.RoundOut:
        """Start the clock of a round. It counts down `minutes`, if given and the matches have no time limit
        of their own. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "beginRound",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/begin",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def call_last_hand(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Call the last hand: players finish the hand in play and start no other. Tables can still record
        hands. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "callLastHand",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/last-hand",
            (short, number),
            key=key,
            if_match=if_match,
        )
        return answer

    def take_back_last_hand(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Withdraw the call of the last hand. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "takeBackLastHand",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/more-hands",
            (short, number),
            key=key,
            if_match=if_match,
        )
        return answer

    def add_minutes(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Add five minutes to a round. Safe to repeat with the same idempotency key. Needs an API key with
        the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "addMinutes",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/more-minutes",
            (short, number),
            key=key,
            if_match=if_match,
        )
        return answer

    def pause_clock(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Pause the clock of a round. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "pauseClock", "POST", "/api/v1/events/{}/rounds/{}/clock/pause", (short, number), key=key, if_match=if_match
        )
        return answer

    def resume_clock(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Resume the clock of a round. The round ends later by the length of the pause. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "resumeClock",
            "POST",
            "/api/v1/events/{}/rounds/{}/clock/resume",
            (short, number),
            key=key,
            if_match=if_match,
        )
        return answer

    def close_round(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Close a round. From then on only a director can change its results. Safe to repeat. Needs an API
        key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "closeRound", "POST", "/api/v1/events/{}/rounds/{}/close", (short, number), key=key, if_match=if_match
        )
        return answer

    def count_unfinished(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Count the unfinished games of a round as they stand, and end their matches: the time is over.
        Tables without any hand, with a call or with two marks for one hand stay open. So do tied tables of
        a bracket: they play an extra hand, which ends the match if that is its tie rule. Needs an API key
        with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "countUnfinished",
            "POST",
            "/api/v1/events/{}/rounds/{}/count-unfinished",
            (short, number),
            key=key,
            if_match=if_match,
        )
        return answer

    def hold_round(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Reset the clock of a round that has begun. The round waits for its start again. Safe to repeat.
        Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "holdRound", "POST", "/api/v1/events/{}/rounds/{}/hold", (short, number), key=key, if_match=if_match
        )
        return answer

    def seat_more(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.SeatMoreIn]
    ) -> shapes.RoundOut:
        """Add a table to a round, for two entries that have a bye or came late. By default it gets the
        first free number of its phase. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "seatMore",
            "POST",
            "/api/v1/events/{}/rounds/{}/more",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def publish_round(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PublishIn]
    ) -> shapes.RoundOut:
        """Publish a round: everybody sees the draw, and tables can record hands. Set `as_drawn` if results,
        settings or who plays have changed since the draw. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "publishRound",
            "POST",
            "/api/v1/events/{}/rounds/{}/publish",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def reopen_round(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Reopen the last round: tables can record hands again. A draft of the next round is deleted. Needs
        an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "reopenRound", "POST", "/api/v1/events/{}/rounds/{}/reopen", (short, number), key=key, if_match=if_match
        )
        return answer

    def swap_entries(
        self, short: str, number: int, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.SwapIn]
    ) -> shapes.RoundOut:
        """Swap two entries in a round, at tables or on a bye, by their numbers. Needs an API key with the
        `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "swapEntries",
            "POST",
            "/api/v1/events/{}/rounds/{}/swap",
            (short, number),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def get_table_of_round(self, short: str, number: int, table: int, /) -> shapes.TableWhole:
        """Get a table with every hand played there."""
        answer: shapes.TableWhole = self._call(
            "getTableOfRound", "GET", "/api/v1/events/{}/rounds/{}/tables/{}", (short, number, table)
        )
        return answer

    def let_cards_count(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.CardsCountIn],
    ) -> shapes.RoundOut:
        """Remove the result set by the director: the recorded hands count again. If the round is closed and
        the match unfinished, the table then has no result; set `may_be_undecided`. No round is drawn before
        it has one. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "letCardsCount",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/cards-count",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def forfeit_table(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.ForfeitIn],
    ) -> shapes.RoundOut:
        """Record a forfeit: the winner wins without playing, or both sides lose. Hands recorded there are
        kept, but do not count. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "forfeitTable",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/forfeit",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def mark_hand_at_desk(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.MarkIn],
    ) -> shapes.MarkDone:
        """Record a hand from the desk. With a director's API key it is a ruling; give its ``reason``. Needs
        an API key with the `score` scope."""
        answer: shapes.MarkDone = self._call(
            "markHandAtDesk",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/hands",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def hold_table(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.HoldIn],
    ) -> shapes.RoundOut:
        """Keep a table of a draft when the rest is drawn again, or release it. Safe to repeat. Needs an API
        key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "holdTable",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/hold",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def postpone_match(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.PostponeIn],
    ) -> shapes.RoundOut:
        """Postpone the team match of a table to another day, or to one not known yet. Its round can be
        closed and the next ones played; its results count once they are entered. The event cannot end
        before. Grants the request of a captain. Safe to repeat. Needs an API key with the `direct`
        scope."""
        answer: shapes.RoundOut = self._call(
            "postponeMatch",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/postpone",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def reinstate_match(
        self, short: str, number: int, table: int, /, *, key: str = "", if_match: str = ""
    ) -> shapes.RoundOut:
        """Play a postponed team match in its round after all. Safe to repeat. Needs an API key with the
        `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "reinstateMatch",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/reinstate",
            (short, number, table),
            key=key,
            if_match=if_match,
        )
        return answer

    def adjust_table(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.ResultIn],
    ) -> shapes.RoundOut:
        """Set a table's result, side A first, whatever was recorded. More games win; then more points; if
        both are equal it is a draw. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "adjustTable",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/result",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def settle_dispute(
        self,
        short: str,
        number: int,
        table: int,
        /,
        *,
        key: str = "",
        if_match: str = "",
        **body: Unpack[shapes.SettleIn],
    ) -> shapes.MatchOut:
        """Answer a table's call. Needs an API key with the `score` scope."""
        answer: shapes.MatchOut = self._call(
            "settleDispute",
            "POST",
            "/api/v1/events/{}/rounds/{}/tables/{}/settle",
            (short, number, table),
            body=body,
            key=key,
            if_match=if_match,
        )
        return answer

    def unpublish_round(self, short: str, number: int, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Turn a published round back into a draft. Matches with hands are set aside, and continue once the
        same entries are published at the same table. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "unpublishRound",
            "POST",
            "/api/v1/events/{}/rounds/{}/unpublish",
            (short, number),
            key=key,
            if_match=if_match,
        )
        return answer

    def call_matches(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.RoundOut:
        """Publish the matches of a bracket whose two sides are known, as the next round, while other tables
        still play. Those tables go on in that round, and the one before is closed with its results. Needs
        an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "callMatches", "POST", "/api/v1/events/{}/rounds/call-matches", (short,), key=key, if_match=if_match
        )
        return answer

    def change_rules(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.RulesIn]
    ) -> shapes.EventWhole:
        """Change the ruleset and the details recorded for each hand. Only before the first match. Safe to
        repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeRules", "POST", "/api/v1/events/{}/rules", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_sections(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.SectionsIn]
    ) -> shapes.EventWhole:
        """Change the sections. Entries of a removed section are in none. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeSections", "POST", "/api/v1/events/{}/sections", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_sign_up(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.SignUpIn]
    ) -> shapes.EventWhole:
        """Open or close sign-up, and set the number of places, null for no limit. New places go to the
        waiting list, and nobody loses a place. Safe to repeat. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "changeSignUp", "POST", "/api/v1/events/{}/sign-up", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def change_stages(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.StagesIn]
    ) -> shapes.EventWhole:
        """Change the stages. Of the stages already begun, only the number of rounds of the last one, and
        the treatment of leavers' results, can change. Safe to repeat. Needs an API key with the `direct`
        scope."""
        answer: shapes.EventWhole = self._call(
            "changeStages", "POST", "/api/v1/events/{}/stages", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def get_standings(self, short: str, /, *, section: str | None = None) -> shapes.StandingsOut:
        """Get the standings of an event."""
        answer: shapes.StandingsOut = self._call(
            "getStandings", "GET", "/api/v1/events/{}/standings", (short,), query={"section": section}
        )
        return answer

    def start_event(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """Start an event. Its tables get their codes, and rounds can be drawn. Safe to repeat. Needs an API
        key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "startEvent", "POST", "/api/v1/events/{}/start", (short,), key=key, if_match=if_match
        )
        return answer

    def plan_tables(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.TablesIn]
    ) -> shapes.EventWhole:
        """Set the number of tables. After the start, tables can only be added. Safe to repeat with the same
        idempotency key. Needs an API key with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "planTables", "POST", "/api/v1/events/{}/tables", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def give_team_lineup(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.TeamLineupIn]
    ) -> shapes.RoundOut:
        """Give the line-up of a team for the drawn round: its entries, by number, at boards 1, 2…; the
        others are substitutes. It can be changed until the other captain has given one, too. Safe to
        repeat. Needs an API key with the `direct` scope."""
        answer: shapes.RoundOut = self._call(
            "giveTeamLineup", "POST", "/api/v1/events/{}/team-lineups", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def set_team(
        self, short: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.TeamIn]
    ) -> shapes.Done:
        """Set the team of several entries, by their numbers. An empty name removes it. A team that is
        renamed as a whole keeps the link and the line-up of its captain. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.Done = self._call(
            "setTeam", "POST", "/api/v1/events/{}/teams", (short,), body=body, key=key, if_match=if_match
        )
        return answer

    def unpublish_final(self, short: str, /, *, key: str = "", if_match: str = "") -> shapes.EventWhole:
        """Withdraw the final standings. The standings are shown as before. Safe to repeat. Needs an API key
        with the `direct` scope."""
        answer: shapes.EventWhole = self._call(
            "unpublishFinal", "POST", "/api/v1/events/{}/unpublish-final", (short,), key=key, if_match=if_match
        )
        return answer

    def get_me(self) -> shapes.TokenOut:
        """Get the API key in use: its club, scope and expiry. Needs an API key with the `read` scope."""
        answer: shapes.TokenOut = self._call("getMe", "GET", "/api/v1/me")
        return answer

    def get_table(self, code: str, /, *, letters: str | None = None) -> shapes.MatchOut:
        """Get the match in play at a table, by the table code."""
        answer: shapes.MatchOut = self._call(
            "getTable", "GET", "/api/v1/tables/{}", (code,), query={"letters": letters}
        )
        return answer

    def agree(
        self, code: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.AgreeIn]
    ) -> shapes.MatchOut:
        """Confirm a game's result for one side."""
        answer: shapes.MatchOut = self._call(
            "agree", "POST", "/api/v1/tables/{}/agree", (code,), body=body, key=key, if_match=if_match
        )
        return answer

    def name_first_dealer(
        self, code: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DealerIn]
    ) -> shapes.MatchOut:
        """Set who dealt first, by seat."""
        answer: shapes.MatchOut = self._call(
            "nameFirstDealer", "POST", "/api/v1/tables/{}/dealer", (code,), body=body, key=key, if_match=if_match
        )
        return answer

    def dispute(
        self, code: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.DisputeIn]
    ) -> shapes.MatchOut:
        """Call the desk to the table."""
        answer: shapes.MatchOut = self._call(
            "dispute", "POST", "/api/v1/tables/{}/dispute", (code,), body=body, key=key, if_match=if_match
        )
        return answer

    def mark_hand(
        self, code: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.MarkIn]
    ) -> shapes.MarkDone:
        """Record, correct or undo a hand. Safe to repeat with the same idempotency key."""
        answer: shapes.MarkDone = self._call(
            "markHand", "POST", "/api/v1/tables/{}/hands", (code,), body=body, key=key, if_match=if_match
        )
        return answer

    def pass_pencil(
        self, code: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.PencilIn]
    ) -> shapes.MatchOut:
        """Ask to keep score on this device, or answer such a request."""
        answer: shapes.MatchOut = self._call(
            "passPencil", "POST", "/api/v1/tables/{}/pencil", (code,), body=body, key=key, if_match=if_match
        )
        return answer

    def withdraw_dispute(
        self, code: str, /, *, key: str = "", if_match: str = "", **body: Unpack[shapes.WithdrawCallIn]
    ) -> shapes.MatchOut:
        """Withdraw the table's call."""
        answer: shapes.MatchOut = self._call(
            "withdrawDispute", "POST", "/api/v1/tables/{}/withdraw", (code,), body=body, key=key, if_match=if_match
        )
        return answer
