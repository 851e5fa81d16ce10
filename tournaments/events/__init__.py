"""An event from its making to its end: settings, desk, and the evenings made like it."""
