"""The staff's door: HTTP and WebSocket for lobby, console, pit, display, cashier and audit, and the pages."""
