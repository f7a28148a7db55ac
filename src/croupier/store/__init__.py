"""What was decided, on disk before anyone hears of it: journal, transfers and replies in one transaction."""
