"""Fields that forms of prizes share."""

from django.utils.translation import gettext_lazy as _

from web.forms import Form, TickField


class PublicPrizeForm(Form):
    """The visibility of a prize."""

    is_public = TickField(_("Show on public page"))
    shows_amount = TickField(_("Show amount"))
