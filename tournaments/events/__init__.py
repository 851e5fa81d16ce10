"""Events from creation to end: settings, desk, copies of earlier events and night templates."""
