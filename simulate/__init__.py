"""A night at a running server over HTTP, with an organizer's API key, phones at tables, and public readers.

The simulation uses the rules of the game, but no code of the server.

======================  =================================================================================
``night``               people, rounds, and the final comparison
``tournament``          two days of pools, finals A and B and timed rounds, through ``client/`` alone
``organizer``           the desk, through ``client/``: people, entries, rounds, calls of tables, rulings
``phones``              a phone at a table: hands, corrections, undos, confirmations, calls of the desk
``outbox``              the forms that a phone has to send, until they are answered
``watchers``            readers of the public pages and of their streams
``cards``               deals and plays by the computer players of ``rules``
``expected_standings``  the standings, computed again from the phones' matches
``http_device``         a device's connection to the server, its cookies, and a network that is sometimes lost
``measurements``        times of answers, and errors
======================  =================================================================================
"""
