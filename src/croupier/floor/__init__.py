"""Tables that are open: one writer for each, everything that waits in one commit, timers, devices, doors to come."""
