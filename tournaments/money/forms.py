"""Fields that forms of prizes share."""

from django.utils.translation import gettext_lazy as _

from web.forms import CheckboxField, Form


class PublicPrizeForm(Form):
    """The visibility of a prize."""

    is_public = CheckboxField(_("Show on public page"))
    shows_amount = CheckboxField(_("Show amount"))
