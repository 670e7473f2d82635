"""Learners that know nothing of the games but their environments; they need the extra `examples`."""
