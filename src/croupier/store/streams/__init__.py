"""The histories a floor keeps: of each table, of the cage and of the office."""
