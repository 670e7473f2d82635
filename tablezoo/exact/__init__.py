"""Exact values: solved games, built once and kept."""
