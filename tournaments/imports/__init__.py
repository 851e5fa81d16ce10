"""What was played elsewhere or on paper, brought in: events, recorded nights, sheets of hands."""
