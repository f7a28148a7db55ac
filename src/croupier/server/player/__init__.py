"""The Players' door: WebSockets of Player Terminals."""
