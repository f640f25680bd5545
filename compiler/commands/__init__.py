"""The commands of `vernis`. Commands in one module share their imports. ``table/`` lists all commands."""
