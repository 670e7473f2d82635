"""Benchmarks. Each asserts the answer it times."""
