"""Form of the event details."""

from django.utils.translation import gettext_lazy as _

from web.forms import AreaField, DayField, Form, HourField, TextField


class AnnouncementForm(Form):
    """The event details that ``Announcement`` has, except a cancellation."""

    last_day = DayField(_("Last day"), help_text=_("Leave empty for a one-day event."))
    starts_at = HourField(_("Start time"))
    ends_at = HourField(_("End time"))
    place = TextField(_("Place"), help_text=_("For example, Church hall"))
    address = TextField(_("Address"), help_text=_("Street and town"))
    about = AreaField(_("Description"), rows=4)
    prizes = AreaField(_("Prizes"), rows=2)
    bring = AreaField(_("Please bring"), rows=2)
    contact = TextField(_("Contact person"), help_text=_("A name, phone or e-mail. Shown publicly."))
    sign_up_until = DayField(_("Sign-up deadline"), help_text=_("Public sign-up closes after this day."))
