"""What the desk says to the hall during a night, and the tables that it calls."""
