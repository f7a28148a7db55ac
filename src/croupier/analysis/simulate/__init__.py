"""Rounds in great numbers: flat bets, sessions, a table full of Players; and tests of randomness."""
