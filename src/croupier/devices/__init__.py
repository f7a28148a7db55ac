"""Dice tumbler, wheel, entry terminal, ticket printer: the port, simulators, and drivers of real formats."""
