"""One round of play (pure): commands in, events out. No clock, dice, id or disk: they arrive in commands."""
