"""What is said of events as files: why one cannot be read, and where one is not as computing makes it."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.signed_logs import fingerprint
from rules import Refusal
from tournaments.event_files import Difference, VerificationReport

PLACES: dict[str, str | Promise] = {
    "round": _("round %(number)s"),
    "table": _("table %(number)s"),
    "mark": _("line %(number)s of its log"),
    "aside": _("set aside"),
    "entry": _("entry %(number)s"),
    "line": _("standings, line %(number)s"),
    "entry_of_log": _("the log, entry %(number)s"),
}

DIFFERENCES: dict[str, str | Promise] = {
    "sum_is_other": _("“%(part)s” is not what it was when its sum was made."),
    "is_other": _("“%(part)s” is %(kept)s here; computed again, it is %(found)s."),
    "settings_unsound": _("No event can be played by the settings that stand here."),
    "entry_twice_here": _("this number is there twice."),
    "no_such_entry_here": _("there is no entry %(entry)s that takes part."),
    "no_such_person_here": _("person %(person)s is not in the list of the people."),
    "round_out_of_order": _("round %(expected)s should stand here. Nothing after it was looked at."),
    "seated_twice_here": _("entry %(entry)s sits at two places."),
    "table_twice_here": _("two tables have one number."),
    "sides_uneven": _("the two sides are not of one size."),
    "source_unsound": _("what the round was drawn from does not fit together."),
    "cannot_be_drawn": _("nothing can be drawn from what stands here."),
    "not_proved": _("the proof of the draw does not prove it."),
    "source_is_other": _(
        "round %(round)s was drawn as if it had been “%(then)s”; “%(now)s” stands here, and nothing says "
        "that it was corrected."
    ),
    "players_missing": _("Here sit %(count)s players, for %(seats)s seats."),
    "mark_refused": _("this could never have been marked. %(sentence)s"),
    "never_stood": _("game %(game)s never stood at “%(agreed_to)s”, as somebody agreed."),
    "cannot_be_ranked": _("no standings follow from what stands here."),
    "out_of_time": _("“%(part)s” is at %(at)s, before “%(other)s”, at %(since)s."),
    "closed_before_published": _("closed at %(at)s, before its round was published, at %(since)s."),
    "marked_before": _("marked at %(at)s, before the match began, at %(since)s."),
    "agreed_before": _("agreed to at %(at)s, before the match began, at %(since)s."),
    "not_signed": _("this file is not signed."),
    "signature_is_none": _("the key that is named here did not sign this."),
    "signed_by_another": _("this file is signed, but not by the key that you named."),
    "signed_sums_are_other": _("the sums that stand here are not those that were signed."),
    "signed_is_other": _("“%(part)s” is not what the club has signed."),
    "not_in_the_log": _("the club’s log has something else as its entry %(number)s."),
    "log_not_chained": _("it does not follow from the one before."),
    "log_not_signed": _("the key that it names did not sign it."),
    "log_other_key": _("another key signs from here on, and the one before has not said so. Ask the club."),
    "log_head_is_other": _("the head of the log is not that of its entries, or the club did not sign it."),
    "log_without_key": _("the key that you named never signed in this log."),
    "log_was_rewritten": _("this log does not go on from the %(size)s entries that you have kept."),
    "phones_unsound": _("the codes of the tables or the keys of the hands do not fit what else stands here."),
    # Notes: not wrong, and not computed again
    "not_drawn_here": _("drawn by hand, or brought along: there is no draw to make again."),
    "source_not_kept": _("drawn before the program kept what draws are made from: not drawn again."),
    "reasons_of_then": _("drawn by an older version, which worded other reasons: they were not compared."),
    "price_of_then": _("its price was told after a change by hand, by what was known then."),
    "corrected_since": _("corrected after round %(round)s was drawn: “%(then)s” then, “%(now)s” now."),
    "no_standings": _("no standings were kept."),
}


def describe_difference(found: Difference, sentences: Mapping[str, str | Promise]) -> str:
    """One line: where, and what. ``sentences`` are those of refusals."""
    details = dict(found.details)
    refusal = details.pop("refusal", None)
    if isinstance(refusal, Refusal):
        details["sentence"] = str(sentences[refusal.code]) % refusal.details
    return sentence_with_place(found.where, str(DIFFERENCES[found.code]) % details)


def sentence_with_place(where: Iterable[tuple[str, int]], said: str) -> str:
    """What is said of a place in a file, with the place before it."""
    places = [str(PLACES[kind]) % {"number": number} for kind, number in where]
    if not places:
        return said[:1].upper() + said[1:]
    place = ", ".join(places)
    return gettext("%(place)s: %(sentence)s") % {"place": place[:1].upper() + place[1:], "sentence": said}


def describe_counts(report: VerificationReport) -> str:
    """What was computed again, in one line, and the sum, by which two copies are compared."""
    counts = {name: report.counts.get(name, 0) for name in ("draws", "proofs", "matches", "hands", "rows")}
    return gettext(
        "Everything agrees. Draws made again: %(draws)s (proved to be the best: %(proofs)s); matches: "
        "%(matches)s, with %(hands)s marks; lines of the standings: %(rows)s. Sum: %(sum)s"
    ) % (counts | {"sum": report.sum})


def describe_signature(report: VerificationReport) -> str:
    """Who has signed it, if anybody has."""
    if report.signed is None:
        return gettext(
            "Not signed: its standings were not published as final, or the club did not sign them yet."
        )
    entry = report.signed.entry
    return gettext("Signed by the club whose key is %(key)s, as entry %(number)s of its log, on %(at)s.") % {
        "key": fingerprint(entry["key"]),
        "number": entry["number"],
        "at": entry["at"],
    }


def told_in_short(report: VerificationReport, *, is_key_known: bool) -> str:
    """All of it in one line. ``is_key_known``: the reader has named the club's key."""
    wrong = len(report.differences)
    if wrong:
        return ngettext(
            "There is %(count)s thing that is not right.",
            "There are %(count)s things that are not right.",
            wrong,
        ) % {"count": wrong}
    if report.signed is None:
        said = gettext("%(ranks)s, %(matches)s, %(hands)s: all right, not signed.")
    elif is_key_known:
        said = gettext("%(ranks)s, %(matches)s, %(hands)s: all right, signed by the club.")
    else:
        said = gettext("%(ranks)s, %(matches)s, %(hands)s: all right, signed by a key that you did not name.")
    ranks, matches, hands = (report.counts.get(name, 0) for name in ("rows", "matches", "hands"))
    return said % {
        "ranks": ngettext("%(count)s rank", "%(count)s ranks", ranks) % {"count": ranks},
        "matches": ngettext("%(count)s match", "%(count)s matches", matches) % {"count": matches},
        "hands": ngettext("%(count)s hand", "%(count)s hands", hands) % {"count": hands},
    }
