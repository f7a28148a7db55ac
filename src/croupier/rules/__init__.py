"""What pays what: rulebooks as data, and the exact matrix compiled from them. Imports nothing else of Croupier."""
