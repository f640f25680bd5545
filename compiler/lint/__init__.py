"""See docs/architecture.md for what this room is responsible for."""
