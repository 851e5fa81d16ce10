"""Running the program on a computer: started, kept running, upgraded, backed up, and looked after."""
