"""What crosses a line: between a Player Terminal and the floor, and between the machines of a floor."""
