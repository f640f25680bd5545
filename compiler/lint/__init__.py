"""Rules about what a policy does to a cache. See engine.py."""
