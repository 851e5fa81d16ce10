"""Running the program on a computer: starting, supervising, upgrading, backing up, diagnosing."""
