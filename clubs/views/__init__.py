"""Pages of clubs: signing in (``accounts``), ``people``, ``house_rules``, the history (``history``)."""
