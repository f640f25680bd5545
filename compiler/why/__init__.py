"""Explains one request: the statements that ran, the decision, its reason, and the smallest change that makes
it a hit. For `vernis why`."""
