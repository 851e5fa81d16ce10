"""All changes of people, clubs and accounts. Scripts that prepare a club import these four from here."""

from .accounts import create_account as create_account
from .accounts import make_owner as make_owner
from .clubs import create_club as create_club
from .tokens import make_token as make_token
