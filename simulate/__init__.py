"""A night at a running server, over HTTP alone, as those who use it do: an organizer with a key, a phone at
each table, people who watch the public pages. It knows the rules of the game, and nothing of the server.

==============  =========================================================================================
``night``       who comes, round after round, and what is compared in the end
``tournament``  two days of pools, finals A and B and timed rounds, by ``client/`` alone
``organizer``   the desk, by ``client/``: people, entries, rounds, calls of tables, rulings
``phones``      a phone at a table, by the addresses of its page: hands, corrections, undos, agreements, calls
``outbox``      what a phone has tapped, until it is answered
``watchers``    readers of the public pages, and of their streams
``cards``       what is dealt and played, by machine players of ``rules``
``counting``    the standings once more, from what the phones saw
``lines``       one device's way to the server: its cookies, and the network that it loses
``measures``    how long answers took, and what went wrong
==============  =========================================================================================
"""
