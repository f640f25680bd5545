"""Runs tests against a real `vernisd` over sockets: the same statements and facts, another world."""
