"""What crosses a line: what Player Terminals and the floor write to each other."""
