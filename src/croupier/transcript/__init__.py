"""The .round notation: an evening at a table as text. It is read, played, checked, written, and made into a story."""
