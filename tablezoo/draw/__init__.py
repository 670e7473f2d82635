"""Boards for people: text and SVG."""
