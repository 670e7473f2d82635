"""Texts of positions and plays: the project's own, and other people's."""
