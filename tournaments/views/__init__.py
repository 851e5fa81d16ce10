"""Pages of clubs' events: for the organizer (``nights``, ``desk``) and for everybody (``public``)."""
