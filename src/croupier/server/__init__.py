"""The doors of a floor: Player Terminals over WebSocket."""
