"""The streams of a floor: one for each table, one for the cage and one for the office."""
