"""Experiments from config files: training, duels, benchmarks, and the command line."""
