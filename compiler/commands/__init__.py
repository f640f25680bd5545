"""The commands of `vernis`. Commands in one module share their imports. ``table.py`` lists all commands."""
