"""Sentences about a verified event file: differences from its recomputation, counts, and signature."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.signed_logs import get_fingerprint
from errors import Refusal
from tournaments.event_files.verifying import Difference, VerificationReport

PLACES: dict[str, str | Promise] = {
    "round": _("round %(number)s"),
    "table": _("table %(number)s"),
    "mark": _("log line %(number)s"),
    "aside": _("set aside"),
    "entry": _("entry %(number)s"),
    "line": _("standings line %(number)s"),
    "entry_of_log": _("results log, entry %(number)s"),
}

DIFFERENCES: dict[str, str | Promise] = {
    "sum_is_other": _("“%(part)s” changed after its checksum was computed."),
    "is_other": _("“%(part)s” is %(kept)s; recomputed, %(found)s."),
    "settings_unsound": _("invalid event settings."),
    "entry_twice_here": _("number used twice."),
    "no_such_entry_here": _("entry %(entry)s is not in the event."),
    "no_such_person_here": _("person %(person)s is not listed."),
    "round_out_of_order": _("round %(expected)s missing here; rest not checked."),
    "seated_twice_here": _("entry %(entry)s has two seats."),
    "table_twice_here": _("two tables have the same number."),
    "sides_uneven": _("the sides differ in size."),
    "source_unsound": _("inconsistent draw data."),
    "cannot_be_drawn": _("no draw possible."),
    "not_proved": _("invalid proof of the draw."),
    "source_is_other": _("round %(round)s was drawn with “%(then)s”; the file says “%(now)s”, with no correction."),
    "terms_of_no_phase": _("the match was not played by the settings of its stage."),
    "players_missing": _("players: %(count)s, for %(seats)s seats."),
    "mark_refused": _("this could not have been recorded. %(sentence)s"),
    "never_stood": _("game %(game)s was never at “%(agreed_to)s”, the confirmed score."),
    "cannot_be_ranked": _("standings cannot be computed."),
    "out_of_time": _("“%(part)s” (%(at)s) is before “%(other)s” (%(since)s)."),
    "closed_before_published": _("closed at %(at)s, before its round was published (%(since)s)."),
    "marked_before": _("recorded at %(at)s, before the match began (%(since)s)."),
    "agreed_before": _("confirmed at %(at)s, before the match began (%(since)s)."),
    "not_signed": _("file not signed."),
    "signature_is_none": _("not signed by the key named here."),
    "signed_by_another": _("signed, but not by the key you gave."),
    "signed_sums_are_other": _("checksums differ from the signed ones."),
    "signed_is_other": _("“%(part)s” differs from what the club signed."),
    "not_in_the_log": _("the club’s log has a different entry %(number)s."),
    "log_not_chained": _("does not follow the previous entry."),
    "log_not_signed": _("not signed by the key it names."),
    "log_other_key": _("new key from here on, not approved by the previous one. Ask the club."),
    "log_head_is_other": _("latest checkpoint does not match the log, or not signed by the club."),
    "log_without_key": _("the key you gave never signed in this log."),
    "log_was_rewritten": _("this log does not continue the %(size)s entries you saved."),
    "phones_unsound": _("table codes or hand keys do not match the file."),
    # Notes: no errors, and not recomputed
    "not_drawn_here": _("drawn by hand or imported; nothing to repeat."),
    "source_not_kept": _("drawn before draw data was saved; not repeated."),
    "reasons_of_then": _("drawn by an older version; reasons not compared."),
    "price_of_then": _("cost after a change by hand, with data of that time."),
    "corrected_since": _("corrected after the draw of round %(round)s: “%(then)s”, now “%(now)s”."),
    "qualified_otherwise": _("qualified: %(seated)s. According to results: %(expected)s."),
    "no_standings": _("no standings saved."),
}


def describe_difference(difference: Difference, sentences: Mapping[str, str | Promise]) -> str:
    """Describe a difference in one line: where, and what. ``sentences`` are those of refusals."""
    details = dict(difference.details)
    refusal = details.pop("refusal", None)
    if isinstance(refusal, Refusal):
        details["sentence"] = str(sentences[refusal.code]) % refusal.details
    return add_place(difference.location, str(DIFFERENCES[difference.code]) % details)


def add_place(location: Iterable[tuple[str, int]], text: str) -> str:
    """Put the place in a file before the sentence about it."""
    places = [str(PLACES[kind]) % {"number": number} for kind, number in location]
    if not places:
        return text[:1].upper() + text[1:]
    place = ", ".join(places)
    return gettext("%(place)s: %(sentence)s") % {"place": place[:1].upper() + place[1:], "sentence": text}


def describe_counts(report: VerificationReport) -> str:
    """Describe in one line what was recomputed, with the checksum, by which two copies can be compared."""
    counts = {name: report.counts.get(name, 0) for name in ("draws", "proofs", "matches", "hands", "rows")}
    return gettext(
        "No errors. Draws repeated: %(draws)s (proved best: %(proofs)s); matches: "
        "%(matches)s (hands: %(hands)s); standings lines: %(rows)s. Checksum: %(sum)s"
    ) % (counts | {"sum": report.sum})


def describe_signature(report: VerificationReport) -> str:
    """Describe who has signed the file, if anybody."""
    if report.signed_entry is None:
        return gettext("Not signed: final standings not published, or club not signing yet.")
    entry = report.signed_entry.entry
    return gettext("Signed by the club with key %(key)s: log entry %(number)s, %(at)s.") % {
        "key": get_fingerprint(entry["key"]),
        "number": entry["number"],
        "at": entry["at"],
    }


def summarize_verification(report: VerificationReport, *, is_key_known: bool) -> str:
    """Describe the whole verification in one line. ``is_key_known``: the reader has given the club's key."""
    wrong = len(report.differences)
    if wrong:
        return ngettext(
            "Error found: %(count)s.",
            "Errors found: %(count)s.",
            wrong,
        ) % {"count": wrong}
    if report.signed_entry is None:
        template = gettext("%(ranks)s, %(matches)s, %(hands)s: verified, not signed.")
    elif is_key_known:
        template = gettext("%(ranks)s, %(matches)s, %(hands)s: verified, signed by the club.")
    else:
        template = gettext("%(ranks)s, %(matches)s, %(hands)s: verified, signed by a key you did not give.")
    ranks, matches, hands = (report.counts.get(name, 0) for name in ("rows", "matches", "hands"))
    return template % {
        "ranks": ngettext("%(count)s rank", "%(count)s ranks", ranks) % {"count": ranks},
        "matches": ngettext("%(count)s match", "%(count)s matches", matches) % {"count": matches},
        "hands": ngettext("%(count)s hand", "%(count)s hands", hands) % {"count": hands},
    }
