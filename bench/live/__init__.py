"""Live servers under load, side by side: Croupier, the same without a journal, a bare echo, a naive one, Colyseus."""
