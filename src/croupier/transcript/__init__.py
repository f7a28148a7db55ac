"""The .round notation: an evening at a table as text. Read it, play it, check it, tell it, write it."""
