"""The messages between a Player Terminal and the floor, and between the machines of a floor."""
