"""The commands of `vernis`, one module for those that share their imports. ``table.py`` is the table."""
