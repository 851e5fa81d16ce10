"""Pages of people and clubs: signing in (``accounts``), and a club's own rules (``house_rules``)."""
