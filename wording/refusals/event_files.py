"""What refusals about event files say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

EVENT_FILE_SENTENCES: dict[str, str | Promise] = {
    "not_an_event_file": _("This file is not an event of Charlemagne. Choose another one."),
    "event_file_too_large": _(
        "A file of an event may have %(most)s MB, and this one is larger. Choose another one."
    ),
    "event_file_broken": _("This file is damaged or cut short at line %(line)s. Take another copy."),
    "event_file_version": _(
        "This file has the form %(version)s, and this program reads the form %(known)s. Use the Charlemagne "
        "that made it, or a newer one."
    ),
    "event_file_part_missing": _("“%(part)s” is missing in this file. Take another copy."),
    "part_unknown": _("“%(part)s” does not belong in such a file. Take another copy."),
    "part_twice": _("“%(part)s” is said twice at one place of this file. Take another copy."),
    "part_wrong": _("“%(value)s” cannot stand at “%(part)s” in this file. Take another copy."),
    "part_not_whole": _("“%(value)s” is no whole number, and such a file has no others. Take another copy."),
    "namesakes_untold": _(
        "Two people of this file are called “%(name)s”, and files of that age do not tell them apart. Take "
        "the file again with a newer Charlemagne."
    ),
    "event_file_differs": _(
        "This file is not true: computed again, it is not what stands there. Nothing was brought in."
    ),
    "event_file_unsound": _(
        "“%(part)s” of this file does not hold together. Nothing was brought in. Take another copy."
    ),
    "not_a_log": _("There is no log of a club at %(place)s. Look at the address again."),
    "no_answer_there": _("Nothing answers at %(place)s. Look at the address and at the network."),
    "choose_who": _("Say whether %(name)s is somebody whom the club knows."),
    "same_person_twice": _(
        "%(name)s cannot be two people of one event. Choose somebody else, or somebody new."
    ),
    "record_not_plain": _("This hand is not written as the program writes it. Take another copy."),
}
