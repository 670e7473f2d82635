"""Boards for people: text, SVG and pixels."""
