"""Pages of clubs: signing in (``accounts``), ``people``, ``house_rules``, what was done (``history``)."""
