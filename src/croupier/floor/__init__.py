"""The floor: its open tables, devices, timers and workers, and the one task that writes to the journal."""
