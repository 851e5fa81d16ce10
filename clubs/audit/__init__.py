"""Who did what in a club or an event: each row before and after, kept in a history and undone whole."""
