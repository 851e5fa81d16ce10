"""Reading of entry lists, typed or as a CSV file, with a refusal for each bad line. Plain Python."""
