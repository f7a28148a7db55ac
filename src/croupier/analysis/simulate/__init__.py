"""Rounds played in great numbers: flat bets, sessions, a table."""
