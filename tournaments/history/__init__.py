"""What was done to an event, what that changed, and the way back."""
