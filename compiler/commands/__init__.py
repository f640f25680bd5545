"""The commands of `vernis`, one module for those that share their imports. ``vernis/cli.py`` is the table."""
